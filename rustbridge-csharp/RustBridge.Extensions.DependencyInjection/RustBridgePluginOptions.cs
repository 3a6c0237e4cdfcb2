using System;
using System.Collections.Generic;
using System.Threading;
using Microsoft.Extensions.Configuration;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Where a plugin of the container comes from and how it lives. Named as the plugin's key, or unnamed.</summary>
public sealed class RustBridgePluginOptions
{
    /// <summary>The library's file. Without it, <see cref="Image"/> is needed.</summary>
    public string? Path { get; set; }

    /// <summary>All bytes of the library, instead of <see cref="Path"/>.</summary>
    public ReadOnlyMemory<byte> Image { get; set; }

    /// <summary>What the plugin's <c>create</c> gets, as JSON text; null is <c>{}</c>. Not beside <see cref="Config"/>.</summary>
    public string? Json { get; set; }

    /// <summary>
    /// What the plugin's <c>create</c> gets, as a section of the host's configuration: what is below <c>Config</c>, if these options are
    /// bound to a section. So environment variables and secrets reach into it.
    /// </summary>
    /// <remarks>
    /// All values of a configuration are texts, and case is no difference in keys. The schema that the plugin describes its configuration
    /// by says what they become and how fields are written. What it doesn't tell becomes a number, <c>true</c> or <c>false</c> if it looks
    /// like one in JSON. Read when the plugin is loaded; later changes don't reach it.
    /// </remarks>
    public IConfigurationSection? Config { get; set; }

    /// <summary>What to call the instance in messages and records; null is the key, or else the plugin's own name.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// The level up to which records are made; null is what the logger <c>RustBridge.&lt;instance&gt;</c> lets through. When
    /// this option or the logger's filters change, the plugin follows.
    /// </summary>
    public PluginLogLevel? LogLevel { get; set; }

    /// <summary>As <see cref="PluginConfig.LogCapacity"/>.</summary>
    public int LogCapacity { get; set; }

    /// <summary>As <see cref="PluginConfig.Threads"/>.</summary>
    public int Threads { get; set; }

    /// <summary>As <see cref="PluginConfig.PoisonOnPanic"/>.</summary>
    public bool PoisonOnPanic { get; set; }

    /// <summary>As <see cref="PluginConfig.Backtraces"/>.</summary>
    public bool Backtraces { get; set; }

    /// <summary>As <see cref="PluginConfig.OwnCopy"/>.</summary>
    public bool OwnCopy { get; set; }

    /// <summary>
    /// The functions of the host's that the plugin may call; <see cref="PluginServiceExtensions.WithService{T}"/> adds what the
    /// container has.
    /// </summary>
    public IList<PluginService> Services { get; } = [];

    /// <summary>Adds the services of a typed client to the configuration; null without a typed client.</summary>
    internal Func<PluginConfig, PluginConfig>? TypedServices { get; set; }

    /// <summary>Whether an instance without a <see cref="Name"/> has the plugin's own: the options' name is no key.</summary>
    internal bool IsNamedByPlugin { get; set; }

    /// <summary>
    /// Whether it's loaded when it's first asked for. By default it's loaded when the host starts, so that a host whose
    /// plugin can't be loaded doesn't start.
    /// </summary>
    public bool Lazy { get; set; }

    /// <summary>How long the end of the host waits for running calls; <see cref="Timeout.InfiniteTimeSpan"/> for good.</summary>
    public TimeSpan CloseTimeout { get; set; } = Plugin.CloseTimeout;
}
