using System;
using System.Threading;
using RustBridge.Internal;

namespace RustBridge;

/// <content>The instance's log.</content>
public sealed unsafe partial class Plugin
{
    private PluginLogLevel _logLevel;
    private FailureLog _failures = new();

    /// <summary>
    /// Raised with the exception that a <see cref="PluginConfig.Log"/> has thrown, on a thread of the core. Also raised
    /// with other exceptions that no one can catch, e.g. that of a callback registered with
    /// <see cref="ServiceCall.CancellationToken"/>, on the thread where they were thrown.
    /// </summary>
    public static event Action<Exception>? LogFailed;

    /// <summary>The highest level that is logged. A new value takes effect at once.</summary>
    /// <exception cref="PluginException">The property is set, and the instance is closed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The property is set to an invalid level.</exception>
    public PluginLogLevel LogLevel
    {
        get => _logLevel;
        set
        {
            Throw.IfNoLevel(value, nameof(value));
            RbResponse error = default;
            Response.Check(Native.LogSetLevel(Handle, (uint)value, &error), ref error);
            GC.KeepAlive(this);
            _logLevel = _failures.Level = value;
        }
    }

    /// <summary>Replaces the log sink. When this returns, the previous sink is no longer called.</summary>
    /// <param name="log">The new sink, like <see cref="PluginConfig.Log"/>; null for none.</param>
    /// <exception cref="PluginException">
    /// The instance is closed. With <see cref="Status.DeadlineExceeded"/>, the previous sink hasn't returned from its
    /// last record within <see cref="CloseTimeout"/>; it's replaced nevertheless.
    /// </exception>
    public void SetLogSink(Action<LogRecord>? log)
    {
        RbResponse error = default;
        LogSink? managed = log is null ? null : new LogSink(log);
        RbLogSink sink = managed?.ToNative() ?? default;
        ulong timeout = Milliseconds(CloseTimeout);
        Response.Check(Native.LogSetSink(Handle, log is null ? null : &sink, timeout, &error), ref error);
        _failures.Sink = managed;
        GC.KeepAlive(this);
    }

    /// <summary>Waits until the records logged so far have been delivered.</summary>
    /// <param name="timeout">How long to wait at most; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <exception cref="PluginException">
    /// <see cref="Status.DeadlineExceeded"/>: the records weren't delivered in time.
    /// </exception>
    public void FlushLogs(TimeSpan timeout)
    {
        RbResponse error = default;
        Response.Check(Native.LogFlush(Handle, Milliseconds(timeout), &error), ref error);
        GC.KeepAlive(this);
    }

    internal static void OnLogFailed(Exception error) => Listeners.Tell(LogFailed, error);
}
