using System;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Lets plugins of a container call what the container has.</summary>
public static class PluginServiceExtensions
{
    /// <summary>Lets a plugin call a function.</summary>
    /// <param name="options">The plugin's options, as <c>AddRustBridgePlugin</c> gives them.</param>
    /// <param name="service">Makes it. What it takes of the container are singletons.</param>
    /// <returns>The options.</returns>
    /// <example>
    /// <code>
    /// services.AddRustBridgePlugin("libshop.so").WithService(provider => PluginService.Json(
    ///     "prices.of", provider.GetRequiredService&lt;PriceList&gt;().Of, Types.Default.String, Types.Default.Int64));
    /// </code>
    /// </example>
    public static OptionsBuilder<RustBridgePluginOptions> WithService(
        this OptionsBuilder<RustBridgePluginOptions> options, Func<IServiceProvider, PluginService> service)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(service);
        return options.Configure<IServiceProvider>((wanted, provider) => wanted.Services.Add(service(provider)));
    }

    /// <summary>Lets a plugin call the methods of a service that the container has, as <see cref="PluginService.Of{T}"/> makes them.</summary>
    /// <typeparam name="T">The service's interface, a singleton.</typeparam>
    /// <param name="options">The plugin's options, as <c>AddRustBridgePlugin</c> gives them.</param>
    /// <param name="prefix">What stands before the methods' names, and a dot; null is the interface's name without its <c>I</c>.</param>
    /// <returns>The options.</returns>
    [RequiresUnreferencedCode("The interface's methods and their types are looked into by reflection. Use the overload with a function.")]
    [RequiresDynamicCode("Reflection on types may need code that is made at run time. Use the overload with a function.")]
    public static OptionsBuilder<RustBridgePluginOptions> WithService<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] T>(
        this OptionsBuilder<RustBridgePluginOptions> options, string? prefix = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Configure<IServiceProvider>((wanted, provider) =>
        {
            foreach (PluginService service in PluginService.Of(provider.GetRequiredService<T>(), prefix))
            {
                wanted.Services.Add(service);
            }
        });
    }
}
