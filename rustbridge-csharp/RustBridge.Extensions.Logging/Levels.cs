using Microsoft.Extensions.Logging;
using LoggerLevel = Microsoft.Extensions.Logging.LogLevel;

namespace RustBridge.Extensions.Logging;

/// <summary>Our levels in the words of <see cref="ILogger"/>. It has one more, <c>Critical</c>, which no plugin uses.</summary>
internal static class Levels
{
    internal static LoggerLevel Of(LogLevel level) => level switch
    {
        LogLevel.Error => LoggerLevel.Error,
        LogLevel.Warn => LoggerLevel.Warning,
        LogLevel.Info => LoggerLevel.Information,
        LogLevel.Debug => LoggerLevel.Debug,
        LogLevel.Trace => LoggerLevel.Trace,
        _ => LoggerLevel.None,
    };

    /// <summary>The chattiest level that a logger lets through.</summary>
    internal static LogLevel Enabled(ILogger logger)
    {
        for (LogLevel level = LogLevel.Trace; level > LogLevel.Off; level--)
        {
            if (logger.IsEnabled(Of(level)))
            {
                return level;
            }
        }

        return LogLevel.Off;
    }
}
