using System;
using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Logging;

/// <summary>Connects the logs of plugins to <see cref="ILogger"/>.</summary>
/// <remarks>
/// A record's category is <c>RustBridge.&lt;instance&gt;.&lt;target&gt;</c>, with dots for Rust's <c>::</c>. Its state has the
/// plugin's fields, then <c>SourceFile</c>, <c>SourceLine</c>, <c>Thread</c>, <c>Time</c>, of a span's end <c>Duration</c>,
/// of a call with a trace <c>TraceId</c>, <c>SpanId</c> and <c>ParentId</c>, and <c>{OriginalFormat}</c>; a field of such a name gets a <c>_</c> behind it. The spans that it happened in are scopes, the innermost 256 of them.
/// </remarks>
public static class LoggingExtensions
{
    /// <summary>Gives a configuration whose records go to loggers of a factory.</summary>
    /// <remarks>
    /// Without a <see cref="PluginConfig.LogLevel"/> the plugin makes what the category <c>RustBridge.&lt;name&gt;</c> lets through
    /// at this moment, or <c>RustBridge</c> if <see cref="PluginConfig.Name"/> doesn't say the name. <see cref="FollowLogger"/>
    /// asks again. A filter for a target can let through less than that, not more.
    /// </remarks>
    /// <param name="config">What else is wanted. A <see cref="PluginConfig.Log"/> in it is replaced.</param>
    /// <param name="factory">What makes the loggers. It's to outlive the plugin.</param>
    /// <returns>The configuration to load with.</returns>
    /// <example>
    /// <code>
    /// using var plugin = Plugin.Load("libhello_plugin.so", new PluginConfig().WithLogger(loggerFactory));
    /// </code>
    /// </example>
    public static PluginConfig WithLogger(this PluginConfig config, ILoggerFactory factory)
    {
        ArgumentNullException.ThrowIfNull(config);
        ArgumentNullException.ThrowIfNull(factory);
        return config with
        {
            Log = new LoggerSink(factory).Take,
            LogLevel = config.LogLevel ?? Levels.Enabled(factory.CreateLogger(LoggerSink.Category(config.Name, ""))),
        };
    }

    /// <summary>
    /// Makes the plugin log what the category <c>RustBridge.&lt;instance&gt;</c> lets through at this moment. For after it was
    /// loaded, and for when filters have changed.
    /// </summary>
    /// <param name="plugin">The plugin.</param>
    /// <param name="factory">What makes the loggers.</param>
    /// <exception cref="PluginException">The instance is closed.</exception>
    public static void FollowLogger(this Plugin plugin, ILoggerFactory factory)
    {
        ArgumentNullException.ThrowIfNull(plugin);
        ArgumentNullException.ThrowIfNull(factory);
        plugin.LogLevel = Levels.Enabled(factory.CreateLogger(LoggerSink.Category(plugin.Name, "")));
    }
}
