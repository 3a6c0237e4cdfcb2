using System.ComponentModel;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>The level of a log record, or the highest level that is logged. Larger values log more.</summary>
/// <remarks>
/// In configurations, .NET's <c>LogLevel</c> names are also valid: <c>None</c>, <c>Critical</c>, <c>Warning</c>,
/// <c>Information</c>.
/// </remarks>
[TypeConverter(typeof(LogLevelConverter))]
public enum PluginLogLevel
{
    /// <summary>Nothing is logged.</summary>
    Off = 0,

    /// <summary>A failure that needs attention.</summary>
    Error = 1,

    /// <summary>Something unexpected that was handled.</summary>
    Warn = 2,

    /// <summary>A milestone in normal work.</summary>
    Info = 3,

    /// <summary>Details for debugging.</summary>
    Debug = 4,

    /// <summary>Every step.</summary>
    Trace = 5,
}
