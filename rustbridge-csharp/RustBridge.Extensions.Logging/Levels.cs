using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Logging;

/// <summary>
/// Our levels as those of <see cref="ILogger"/>, which has one more, <c>Critical</c>. Plugins don't use it.
/// </summary>
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

    /// <summary>Returns the highest level that a logger has enabled.</summary>
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
