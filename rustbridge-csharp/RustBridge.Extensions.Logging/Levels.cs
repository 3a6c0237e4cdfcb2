using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Logging;

/// <summary>Our levels in the words of <see cref="ILogger"/>. It has one more, <c>Critical</c>, which no plugin uses.</summary>
internal static class Levels
{
    internal static LogLevel Of(PluginLogLevel level) => level switch
    {
        PluginLogLevel.Error => LogLevel.Error,
        PluginLogLevel.Warn => LogLevel.Warning,
        PluginLogLevel.Info => LogLevel.Information,
        PluginLogLevel.Debug => LogLevel.Debug,
        PluginLogLevel.Trace => LogLevel.Trace,
        _ => LogLevel.None,
    };

    /// <summary>The chattiest level that a logger lets through.</summary>
    internal static PluginLogLevel Enabled(ILogger logger)
    {
        for (PluginLogLevel level = PluginLogLevel.Trace; level > PluginLogLevel.Off; level--)
        {
            if (logger.IsEnabled(Of(level)))
            {
                return level;
            }
        }

        return PluginLogLevel.Off;
    }
}
