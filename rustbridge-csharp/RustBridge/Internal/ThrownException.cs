namespace RustBridge.Internal;

/// <summary>An exception of a service with its type, in the form in which the plugin gets it.</summary>
internal sealed class ThrownException(PluginException thrown, byte[] payload) : PluginException(thrown)
{
    /// <summary>The payload.</summary>
    internal byte[] Payload { get; } = payload;
}
