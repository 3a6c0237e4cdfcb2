using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Adds typed clients of plugins to a container.</summary>
/// <remarks>
/// Each client is a singleton with its own plugin, which is loaded and closed like those of <c>AddRustBridgePlugin</c>.
/// The services that the plugin requires of its host come from the container: an implementation of each of the client's
/// service interfaces, as a singleton.
/// </remarks>
public static class ClientServiceCollectionExtensions
{
    /// <summary>Adds a typed client that is injected without a key.</summary>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> generated.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    /// <example>
    /// <code>
    /// services.AddSingleton&lt;IRates, Rates&gt;(); // a service that the plugin calls
    /// services.AddRustBridgeClient&lt;Pricing&gt;("libpricing.so").BindConfiguration("Plugins:Pricing");
    /// // public Orders(Pricing pricing)
    /// </code>
    /// </example>
    public static OptionsBuilder<RustBridgePluginOptions> AddRustBridgeClient<TClient>(
        this IServiceCollection services, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TClient : class, ITypedClient<TClient>
    {
        ArgumentNullException.ThrowIfNull(services);
        string name = NameOf<TClient>();
        services.TryAddSingleton(provider => Make<TClient>(provider, name));
        return Add<TClient>(services, name, path, configure).Configure(static options => options.IsNamedByPlugin = true);
    }

    /// <summary>Adds a typed client that is injected without a key, as its class and as its interface.</summary>
    /// <typeparam name="TInterface">The client's interface, which tests can implement.</typeparam>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> generated.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    public static OptionsBuilder<RustBridgePluginOptions> AddRustBridgeClient<TInterface, TClient>(
        this IServiceCollection services, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TInterface : class
        where TClient : class, TInterface, ITypedClient<TClient>
    {
        OptionsBuilder<RustBridgePluginOptions> options = services.AddRustBridgeClient<TClient>(path, configure);
        services.TryAddSingleton<TInterface>(static provider => provider.GetRequiredService<TClient>());
        return options;
    }

    /// <summary>Adds a typed client that is injected by a key, for several plugins.</summary>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> generated.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="key">
    /// The key. It's also the name of the plugin's options and, unless the options specify another, of the instance.
    /// </param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    public static OptionsBuilder<RustBridgePluginOptions> AddKeyedRustBridgeClient<TClient>(
        this IServiceCollection services, string key, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TClient : class, ITypedClient<TClient>
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(key);
        services.TryAddKeyedSingleton(key, (provider, _) => Make<TClient>(provider, key));
        return Add<TClient>(services, key, path, configure);
    }

    /// <summary>Adds a typed client that is injected by a key, as its class and as its interface.</summary>
    /// <typeparam name="TInterface">The client's interface, which tests can implement.</typeparam>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> generated.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="key">
    /// The key. It's also the name of the plugin's options and, unless the options specify another, of the instance.
    /// </param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    public static OptionsBuilder<RustBridgePluginOptions> AddKeyedRustBridgeClient<TInterface, TClient>(
        this IServiceCollection services, string key, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TInterface : class
        where TClient : class, TInterface, ITypedClient<TClient>
    {
        OptionsBuilder<RustBridgePluginOptions> options = services.AddKeyedRustBridgeClient<TClient>(key, path, configure);
        services.TryAddKeyedSingleton<TInterface>(key, (provider, _) => provider.GetRequiredKeyedService<TClient>(key));
        return options;
    }

    /// <summary>
    /// The name of the options, by which the health check also finds the plugin of a client without a key.
    /// </summary>
    internal static string NameOf<TClient>() => typeof(TClient).FullName ?? typeof(TClient).Name;

    private static OptionsBuilder<RustBridgePluginOptions> Add<TClient>(
        IServiceCollection services, string name, string? path, Action<RustBridgePluginOptions>? configure)
        where TClient : class, ITypedClient<TClient> =>
        ServiceCollectionExtensions.Add(services, name, path, configure)
            .Configure<IServiceProvider>(static (options, provider) =>
                options.TypedServices = config => TClient.Serving(config, provider));

    private static TClient Make<TClient>(IServiceProvider provider, string name)
        where TClient : class, ITypedClient<TClient> =>
        TClient.Of(provider.GetRequiredKeyedService<HostedPlugin>(name).Plugin);
}
