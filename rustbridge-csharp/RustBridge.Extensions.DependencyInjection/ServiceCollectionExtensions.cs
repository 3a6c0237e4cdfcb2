using System;
using System.Linq;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Adds plugins to a container.</summary>
/// <remarks>
/// Each plugin is a singleton: a <see cref="Plugin"/> that is injected with or without a key. It's loaded before the
/// host's other services start and closed after they have stopped. Without a host, it's loaded at its first use and
/// closed when the container is disposed of. The container's loggers receive its log.
/// </remarks>
public static class ServiceCollectionExtensions
{
    /// <summary>Adds the plugin that is injected without a key.</summary>
    /// <param name="services">The container.</param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    /// <example>
    /// <code>
    /// services.AddRustBridgePlugin("libhello_plugin.so", options => options.Json = """{"first_user":100}""");
    /// </code>
    /// </example>
    public static OptionsBuilder<RustBridgePluginOptions> AddRustBridgePlugin(
        this IServiceCollection services, string? path = null, Action<RustBridgePluginOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton(provider => provider.GetRequiredKeyedService<HostedPlugin>(Options.DefaultName).Plugin);
        return Add(services, null, path, configure);
    }

    /// <summary>Adds a plugin that is injected by a key, for several plugins.</summary>
    /// <param name="services">The container.</param>
    /// <param name="key">
    /// The key. It's also the name of the plugin's options and, unless the options specify another, of the instance.
    /// </param>
    /// <param name="path">The library's file; null if the options specify it.</param>
    /// <param name="configure">Configures the plugin's options.</param>
    /// <returns>The plugin's options, for further configuration, binding or validation.</returns>
    /// <example>
    /// <code>
    /// services.AddKeyedRustBridgePlugin("tax", "libtax.so");
    /// // public Billing([FromKeyedServices("tax")] Plugin tax)
    /// </code>
    /// </example>
    public static OptionsBuilder<RustBridgePluginOptions> AddKeyedRustBridgePlugin(
        this IServiceCollection services, string key, string? path = null, Action<RustBridgePluginOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(key);
        services.TryAddKeyedSingleton(
            key, (provider, _) => provider.GetRequiredKeyedService<HostedPlugin>(key).Plugin);
        return Add(services, key, path, configure);
    }

    internal static OptionsBuilder<RustBridgePluginOptions> Add(
        IServiceCollection services, string? key, string? path, Action<RustBridgePluginOptions>? configure)
    {
        string name = key ?? Options.DefaultName;
        bool known = false;
        foreach (ServiceDescriptor service in services)
        {
            known |= service.ServiceType == typeof(HostedPlugin) && Equals(service.ServiceKey, name);
        }

        if (!known)
        {
            services.AddKeyedSingleton(name, (provider, _) => new HostedPlugin(
                name,
                provider.GetRequiredService<IOptionsMonitor<RustBridgePluginOptions>>(),
                provider.GetService<ILoggerFactory>(),
                provider.GetService<IOptionsMonitor<LoggerFilterOptions>>()));
            services.AddSingleton<IHostedService>(provider => provider.GetRequiredKeyedService<HostedPlugin>(name));
            services.AddSingleton<IValidateOptions<RustBridgePluginOptions>>(provider => new OptionsValidation(
                name,
                () => provider.GetServices<IOptionsChangeTokenSource<RustBridgePluginOptions>>().Any(source => source.Name == name)));
        }

        OptionsBuilder<RustBridgePluginOptions> options = services.AddOptions<RustBridgePluginOptions>(name);
        if (path is not null)
        {
            options.Configure(options => options.Path = path);
        }

        return configure is null ? options : options.Configure(configure);
    }
}
