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
    /// Adds a check that is healthy while the plugin takes calls: its state is <see cref="PluginState.Active"/>, or it's lazy
    /// and nobody has asked for it yet. If it couldn't be loaded, the report has the exception; its data have the <c>instance</c> and the <c>state</c>.
    /// </summary>
    /// <param name="builder">The checks.</param>
    /// <param name="key">The plugin's key; null for the one without.</param>
    /// <param name="name">The check's name; null is <c>rustbridge</c>, with a key <c>rustbridge.&lt;key&gt;</c>.</param>
    /// <param name="failureStatus">What to report otherwise; null is <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags to choose checks by.</param>
    /// <returns>The checks.</returns>
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

    /// <summary>Adds a check of the plugin of a typed client without a key, as <see cref="AddRustBridgePlugin"/> does. One with a key is checked by that.</summary>
    /// <typeparam name="TClient">The client's class.</typeparam>
    /// <param name="builder">The checks.</param>
    /// <param name="name">The check's name; null is <c>rustbridge.</c> and the class's name.</param>
    /// <param name="failureStatus">What to report if the plugin takes no calls; null is <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags to choose checks by.</param>
    /// <returns>The checks.</returns>
    public static IHealthChecksBuilder AddRustBridgeClient<TClient>(
        this IHealthChecksBuilder builder,
        string? name = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
        where TClient : class, ITypedClient<TClient> =>
        builder.AddRustBridgePlugin(
            ClientServiceCollectionExtensions.NameOf<TClient>(), name ?? $"rustbridge.{typeof(TClient).Name}", failureStatus, tags);
}
