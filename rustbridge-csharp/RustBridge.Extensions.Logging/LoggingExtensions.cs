using System;
using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Logging;

/// <summary>Connects the logs of plugins to <see cref="ILogger"/>.</summary>
/// <remarks>
/// A record's category is <c>RustBridge.&lt;instance&gt;.&lt;target&gt;</c>, with dots for Rust's <c>::</c>. Its state
/// contains the plugin's fields, then <c>SourceFile</c>, <c>SourceLine</c>, <c>Thread</c>, <c>Time</c>, for the end of
/// a span <c>Duration</c>, for a call with a trace <c>TraceId</c>, <c>SpanId</c> and <c>ParentId</c>, and
/// <c>{OriginalFormat}</c>. If a field has one of these names, <c>_</c> is appended to its name. The enclosing spans
/// are scopes, at most the innermost 256.
/// </remarks>
public static class LoggingExtensions
{
    /// <summary>Returns a configuration whose log goes to loggers of a factory.</summary>
    /// <remarks>
    /// Without a <see cref="PluginConfig.LogLevel"/>, the plugin's level is the highest that the category
    /// <c>RustBridge.&lt;name&gt;</c> has enabled at this moment. The category is <c>RustBridge</c> if
    /// <see cref="PluginConfig.Name"/> isn't set. <see cref="FollowLogger"/> updates the level. A filter for a target
    /// can further restrict the level, but not raise it.
    /// </remarks>
    /// <param name="config">The configuration. Its <see cref="PluginConfig.Log"/> is replaced.</param>
    /// <param name="factory">The factory of the loggers. It must outlive the plugin.</param>
    /// <returns>The configuration with which to load the plugin.</returns>
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
    /// Sets the plugin's level to the highest that the category <c>RustBridge.&lt;instance&gt;</c> has enabled at this
    /// moment. Call it after the plugin was loaded, and when filters have changed.
    /// </summary>
    /// <param name="plugin">The plugin.</param>
    /// <param name="factory">The factory of the loggers.</param>
    /// <exception cref="PluginException">The instance is closed.</exception>
    public static void FollowLogger(this Plugin plugin, ILoggerFactory factory)
    {
        ArgumentNullException.ThrowIfNull(plugin);
        ArgumentNullException.ThrowIfNull(factory);
        plugin.LogLevel = Levels.Enabled(factory.CreateLogger(LoggerSink.Category(plugin.Name, "")));
    }
}
