using System;
using System.Collections.Generic;
using System.Threading;
using Microsoft.Extensions.Configuration;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>The options of a plugin in a container. Their name is the plugin's key, or empty without a key.</summary>
public sealed class RustBridgePluginOptions
{
    /// <summary>The library's file. Without it, <see cref="Image"/> is required.</summary>
    public string? Path { get; set; }

    /// <summary>All bytes of the library, instead of <see cref="Path"/>.</summary>
    public ReadOnlyMemory<byte> Image { get; set; }

    /// <summary>
    /// The configuration that the plugin's <c>create</c> receives, as JSON text; null means <c>{}</c>. Can't be
    /// combined with <see cref="Config"/>.
    /// </summary>
    public string? Json { get; set; }

    /// <summary>
    /// The configuration that the plugin's <c>create</c> receives, as a section of the host's configuration. If these
    /// options are bound to a section, it's the subsection <c>Config</c>. So it can contain environment variables and
    /// secrets.
    /// </summary>
    /// <remarks>
    /// In a configuration, all values are text, and keys are case-insensitive. The schema with which the plugin
    /// describes its configuration specifies the values' types and the fields' names. Without a type in the schema,
    /// text that is a number, <c>true</c> or <c>false</c> in JSON becomes that value. The section is read when the
    /// plugin is loaded; later changes have no effect.
    /// </remarks>
    public IConfigurationSection? Config { get; set; }

    /// <summary>
    /// The instance's name for messages and log records; null means the key, or the plugin's own name without a key.
    /// </summary>
    public string? Name { get; set; }

    /// <summary>
    /// The highest level that is logged; null means the highest level that the logger
    /// <c>RustBridge.&lt;instance&gt;</c> has enabled. If this option or the logger's filters change, the plugin's
    /// level is updated.
    /// </summary>
    public PluginLogLevel? LogLevel { get; set; }

    /// <summary>See <see cref="PluginConfig.LogCapacity"/>.</summary>
    public int LogCapacity { get; set; }

    /// <summary>See <see cref="PluginConfig.Threads"/>.</summary>
    public int Threads { get; set; }

    /// <summary>See <see cref="PluginConfig.PoisonOnPanic"/>.</summary>
    public bool PoisonOnPanic { get; set; }

    /// <summary>See <see cref="PluginConfig.Backtraces"/>.</summary>
    public bool Backtraces { get; set; }

    /// <summary>See <see cref="PluginConfig.OwnCopy"/>.</summary>
    public bool OwnCopy { get; set; }

    /// <summary>
    /// The host's functions that the plugin may call. <see cref="PluginServiceExtensions.WithService{T}"/> adds
    /// services of the container.
    /// </summary>
    public IList<PluginService> Services { get; } = [];

    /// <summary>Adds the services of a typed client to the configuration; null without a typed client.</summary>
    internal Func<PluginConfig, PluginConfig>? TypedServices { get; set; }

    /// <summary>
    /// Whether an instance without a <see cref="Name"/> has the plugin's own name, since the options' name isn't a key.
    /// </summary>
    internal bool IsNamedByPlugin { get; set; }

    /// <summary>
    /// Whether the plugin is loaded at its first use. By default, it's loaded when the host starts, so a host whose
    /// plugin can't be loaded doesn't start.
    /// </summary>
    public bool Lazy { get; set; }

    /// <summary>
    /// How long the host waits for running calls when it stops; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.
    /// </summary>
    public TimeSpan CloseTimeout { get; set; } = Plugin.CloseTimeout;
}
