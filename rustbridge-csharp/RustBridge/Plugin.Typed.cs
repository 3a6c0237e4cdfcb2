using System;
using System.ComponentModel;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Methods of typed clients.</content>
public sealed unsafe partial class Plugin
{
    private ReleaseService[] _releases = [];

    /// <summary>Returns the objects of the host that a service of this instance releases; null if there is no such service.</summary>
    /// <typeparam name="T">The callback's interface.</typeparam>
    /// <param name="release">The service's name.</param>
    internal HostObjects<T>? Hosts<T>(string release)
        where T : class
    {
        foreach (ReleaseService service in _releases)
        {
            if (service.Name == release)
            {
                return service.Hosts as HostObjects<T>;
            }
        }

        return null;
    }

    /// <summary>
    /// Prepares a method in the wire format if the client's types match the plugin's. For generated clients.
    /// </summary>
    /// <param name="name">The method's name.</param>
    /// <param name="fingerprint">The fingerprint of the client's types, 32 hexadecimal digits.</param>
    /// <param name="clientSchema">The client schema: the description from which the client was generated.</param>
    /// <param name="client">The client, for objects in responses; null if they have none.</param>
    /// <param name="raise">
    /// Creates the exceptions of the method's errors; null if the errors have no type of their own.
    /// </param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.FailedPrecondition"/>: the types differ; the message lists where.
    /// <see cref="Status.NotFound"/>: there is no such method. <see cref="Status.InvalidArgument"/>: the fingerprint or
    /// client schema is invalid.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Method TypedMethod(string name, string fingerprint, string clientSchema, object? client = null, WireRaise? raise = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(fingerprint);
        ArgumentNullException.ThrowIfNull(clientSchema);
        byte[] nameBytes = Utf8Text.Bytes(name);
        byte[] fingerprintBytes = Utf8Text.Bytes(fingerprint);
        byte[] clientSchemaBytes = Utf8Text.Bytes(clientSchema);
        var prepared = new RbMethod { Size = (uint)sizeof(RbMethod) };
        RbResponse error = default;
        fixed (byte* nameText = nameBytes, fingerprintText = fingerprintBytes, clientSchemaText = clientSchemaBytes)
        {
            int status = Native.PrepareTyped(
                Handle,
                new RbText { Data = nameText, Len = (nuint)nameBytes.Length },
                new RbText { Data = fingerprintText, Len = (nuint)fingerprintBytes.Length },
                new RbText { Data = clientSchemaText, Len = (nuint)clientSchemaBytes.Length },
                &prepared,
                &error);
            Response.Check(status, ref error);
        }

        GC.KeepAlive(this);
        return new Method(this, name, null, prepared) { ClientSchema = clientSchema, Client = client, Raise = raise };
    }
}
