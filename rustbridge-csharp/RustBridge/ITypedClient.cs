using System;
using System.ComponentModel;

namespace RustBridge;

/// <summary>A typed client, as <c>rustbridge gen</c> writes them. Containers make clients by it.</summary>
/// <typeparam name="TSelf">The client's class.</typeparam>
public interface ITypedClient<TSelf> : IDisposable
    where TSelf : class, ITypedClient<TSelf>
{
    /// <summary>The plugin's instance.</summary>
    Plugin Plugin { get; }

    /// <summary>Makes a client that calls an instance of the plugin, which goes on to belong to the caller.</summary>
    /// <param name="plugin">The instance.</param>
    /// <returns>The client.</returns>
    /// <exception cref="PluginException">It isn't the client's plugin: the message says what differs.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Of(Plugin plugin);

    /// <summary>Adds the services to a configuration that the plugin asks its host for.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="services">A container that has implementations of the client's interfaces.</param>
    /// <returns>The configuration with them.</returns>
    /// <exception cref="InvalidOperationException">The container lacks a service that the plugin needs.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract PluginConfig Serving(PluginConfig config, IServiceProvider services);
}
