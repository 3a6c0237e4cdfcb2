using System;
using System.Collections.Generic;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Adds health checks of plugins.</summary>
public static class HealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a check that is healthy while the plugin accepts calls: its state is <see cref="PluginState.Active"/>, or
    /// it's lazy and not loaded yet. If the plugin couldn't be loaded, the report contains the exception. The report's
    /// data contains the <c>instance</c> and the <c>state</c>.
    /// </summary>
    /// <param name="builder">The health checks builder.</param>
    /// <param name="key">The plugin's key; null for the plugin without a key.</param>
    /// <param name="name">
    /// The check's name; null means <c>rustbridge</c>, or <c>rustbridge.&lt;key&gt;</c> with a key.
    /// </param>
    /// <param name="failureStatus">
    /// The status of a failed check; null means <see cref="HealthStatus.Unhealthy"/>.
    /// </param>
    /// <param name="tags">Tags by which checks can be selected.</param>
    /// <returns>The health checks builder.</returns>
    public static IHealthChecksBuilder AddRustBridgePlugin(
        this IHealthChecksBuilder builder,
        string? key = null,
        string? name = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name ?? (key is null ? "rustbridge" : $"rustbridge.{key}"),
            provider => new PluginHealthCheck(provider.GetRequiredKeyedService<HostedPlugin>(key ?? Options.DefaultName)),
            failureStatus,
            tags));
    }

    /// <summary>
    /// Adds a check of the plugin of a typed client without a key, like <see cref="AddRustBridgePlugin"/>. For a client
    /// with a key, use that method.
    /// </summary>
    /// <typeparam name="TClient">The client's class.</typeparam>
    /// <param name="builder">The health checks builder.</param>
    /// <param name="name">The check's name; null means <c>rustbridge.</c> and the class's name.</param>
    /// <param name="failureStatus">
    /// The status if the plugin doesn't accept calls; null means <see cref="HealthStatus.Unhealthy"/>.
    /// </param>
    /// <param name="tags">Tags by which checks can be selected.</param>
    /// <returns>The health checks builder.</returns>
    public static IHealthChecksBuilder AddRustBridgeClient<TClient>(
        this IHealthChecksBuilder builder,
        string? name = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
        where TClient : class, ITypedClient<TClient> =>
        builder.AddRustBridgePlugin(
            ClientServiceCollectionExtensions.NameOf<TClient>(), name ?? $"rustbridge.{typeof(TClient).Name}", failureStatus, tags);
}
