using System;
using System.Threading;
using RustBridge.Internal;

namespace RustBridge;

/// <content>What becomes of an instance's log.</content>
public sealed unsafe partial class Plugin
{
    private PluginLogLevel _logLevel;
    private FailureLog _failures = new();

    /// <summary>
    /// Told of what a <see cref="PluginConfig.Log"/> has thrown, on a thread of the core's; and of what else was thrown where nobody can
    /// catch it, e.g. by what listens to <see cref="ServiceCall.CancellationToken"/>, on whatever thread that was.
    /// </summary>
    public static event Action<Exception>? LogFailed;

    /// <summary>The level up to which records are made. Setting it takes effect at once.</summary>
    /// <exception cref="PluginException">It's set, and the instance is closed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">It's set to a number that is no level.</exception>
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

    /// <summary>Replaces what takes the records. When it returns, the old one isn't called any more.</summary>
    /// <param name="log">The new one, as <see cref="PluginConfig.Log"/>; null for none.</param>
    /// <exception cref="PluginException">
    /// The instance is closed; or, with <see cref="Status.DeadlineExceeded"/>, the old one hasn't returned from its last record within
    /// <see cref="CloseTimeout"/>, and is replaced all the same.
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
    /// <param name="timeout">How long at most; <see cref="Timeout.InfiniteTimeSpan"/> for good.</param>
    /// <exception cref="PluginException"><see cref="Status.DeadlineExceeded"/>: they haven't been in time.</exception>
    public void FlushLogs(TimeSpan timeout)
    {
        RbResponse error = default;
        Response.Check(Native.LogFlush(Handle, Milliseconds(timeout), &error), ref error);
        GC.KeepAlive(this);
    }

    internal static void OnLogFailed(Exception error) => Listeners.Tell(LogFailed, error);
}
