using System;
using System.ComponentModel;

namespace RustBridge;

/// <summary>A typed client that <c>rustbridge gen</c> generates. Containers create clients through it.</summary>
/// <typeparam name="TSelf">The client's class.</typeparam>
public interface ITypedClient<TSelf> : IDisposable
    where TSelf : class, ITypedClient<TSelf>
{
    /// <summary>The plugin's instance.</summary>
    Plugin Plugin { get; }

    /// <summary>Creates a client that calls an instance of the plugin. The caller still owns the instance.</summary>
    /// <param name="plugin">The instance.</param>
    /// <returns>The client.</returns>
    /// <exception cref="PluginException">
    /// The plugin isn't the one that the client was generated for; the message lists the differences.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Of(Plugin plugin);

    /// <summary>Adds the services that the plugin requires of its host to a configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <param name="services">A container with implementations of the client's service interfaces.</param>
    /// <returns>The configuration with the services.</returns>
    /// <exception cref="InvalidOperationException">
    /// The container has no implementation of a service that the plugin requires.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract PluginConfig Serving(PluginConfig config, IServiceProvider services);
}
