using System;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Lets the plugins of a container call the container's services.</summary>
public static class PluginServiceExtensions
{
    /// <summary>Lets a plugin call a function.</summary>
    /// <param name="options">The plugin's options, which <c>AddRustBridgePlugin</c> returns.</param>
    /// <param name="service">Creates the service. It may only use singletons of the container.</param>
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

    /// <summary>
    /// Lets a plugin call the methods of a service of the container, like <see cref="PluginService.Of{T}"/>.
    /// </summary>
    /// <typeparam name="T">The service's interface. The service is a singleton.</typeparam>
    /// <param name="options">The plugin's options, which <c>AddRustBridgePlugin</c> returns.</param>
    /// <param name="prefix">
    /// The prefix of the services' names, which is followed by a dot and the method's name. Null means the interface's
    /// name without its <c>I</c>, in snake case.
    /// </param>
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
