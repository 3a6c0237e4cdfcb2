using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Adds typed clients of plugins to a container.</summary>
/// <remarks>
/// Each is a singleton with a plugin of its own, which lives as those do that <c>AddRustBridgePlugin</c> adds. What the plugin asks its host
/// for comes from the container: an implementation of each of the client's service interfaces, a singleton.
/// </remarks>
public static class ClientServiceCollectionExtensions
{
    /// <summary>Adds a typed client that is injected without a key.</summary>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> has written.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="path">The library's file; null if the options say it.</param>
    /// <param name="configure">What else is wanted of the plugin.</param>
    /// <returns>The plugin's options, to be configured, bound or validated further.</returns>
    /// <example>
    /// <code>
    /// services.AddSingleton&lt;IRates, Rates&gt;(); // what the plugin asks for
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
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> has written.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="path">The library's file; null if the options say it.</param>
    /// <param name="configure">What else is wanted of the plugin.</param>
    /// <returns>The plugin's options, to be configured, bound or validated further.</returns>
    public static OptionsBuilder<RustBridgePluginOptions> AddRustBridgeClient<TInterface, TClient>(
        this IServiceCollection services, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TInterface : class
        where TClient : class, TInterface, ITypedClient<TClient>
    {
        OptionsBuilder<RustBridgePluginOptions> options = services.AddRustBridgeClient<TClient>(path, configure);
        services.TryAddSingleton<TInterface>(static provider => provider.GetRequiredService<TClient>());
        return options;
    }

    /// <summary>Adds a typed client that is injected by a key, one of several.</summary>
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> has written.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="key">The key; also the name of the plugin's options and, unless they say another, of the instance.</param>
    /// <param name="path">The library's file; null if the options say it.</param>
    /// <param name="configure">What else is wanted of the plugin.</param>
    /// <returns>The plugin's options, to be configured, bound or validated further.</returns>
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
    /// <typeparam name="TClient">The class that <c>rustbridge gen</c> has written.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="key">The key; also the name of the plugin's options and, unless they say another, of the instance.</param>
    /// <param name="path">The library's file; null if the options say it.</param>
    /// <param name="configure">What else is wanted of the plugin.</param>
    /// <returns>The plugin's options, to be configured, bound or validated further.</returns>
    public static OptionsBuilder<RustBridgePluginOptions> AddKeyedRustBridgeClient<TInterface, TClient>(
        this IServiceCollection services, string key, string? path = null, Action<RustBridgePluginOptions>? configure = null)
        where TInterface : class
        where TClient : class, TInterface, ITypedClient<TClient>
    {
        OptionsBuilder<RustBridgePluginOptions> options = services.AddKeyedRustBridgeClient<TClient>(key, path, configure);
        services.TryAddKeyedSingleton<TInterface>(key, (provider, _) => provider.GetRequiredKeyedService<TClient>(key));
        return options;
    }

    /// <summary>The name of the options, and what the health check knows the plugin of a client without a key by.</summary>
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
