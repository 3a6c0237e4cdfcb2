namespace RustBridge.Internal;

/// <summary>The host's objects to which plugins refer, whatever their type.</summary>
internal interface IHostObjects
{
    /// <summary>Removes an object, which the plugin no longer needs.</summary>
    /// <param name="number">Its number.</param>
    void Remove(ulong number);

    /// <summary>Removes all objects to which an instance referred. The instance is closed.</summary>
    /// <param name="instance">The instance's handle.</param>
    void Forget(ulong instance);
}

/// <summary>The service by which a plugin releases an object of the host. The request is the object's number.</summary>
internal sealed class ReleaseService(string name, IHostObjects hosts) : PluginService(name, PluginEncoding.Wire)
{
    /// <summary>The objects.</summary>
    internal IHostObjects Hosts { get; } = hosts;

    internal override bool IsShort => true;

    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        if (call->RequestLen != sizeof(ulong))
        {
            return (int)Status.InvalidArgument;
        }

        Hosts.Remove(System.Runtime.CompilerServices.Unsafe.ReadUnaligned<ulong>(call->Request));
        return ServiceTarget.Respond(response, default);
    }
}
