using System.ComponentModel;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>How urgent a log record is, or how much is wanted. Larger is chattier.</summary>
/// <remarks>Configurations may name it as .NET's <c>LogLevel</c> does as well: <c>None</c>, <c>Critical</c>, <c>Warning</c>, <c>Information</c>.</remarks>
[TypeConverter(typeof(LogLevelConverter))]
public enum PluginLogLevel
{
    /// <summary>Nothing is logged.</summary>
    Off = 0,

    /// <summary>A failure somebody must look at.</summary>
    Error = 1,

    /// <summary>Something unexpected that was coped with.</summary>
    Warn = 2,

    /// <summary>A milestone in normal work.</summary>
    Info = 3,

    /// <summary>Detail for somebody who debugs.</summary>
    Debug = 4,

    /// <summary>Every step.</summary>
    Trace = 5,
}
