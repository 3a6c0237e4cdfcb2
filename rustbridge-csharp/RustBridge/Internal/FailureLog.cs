using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>Tells an instance's log of what its services have thrown.</summary>
internal sealed class FailureLog
{
    private LogSink? _sink;

    /// <summary>What takes the instance's records; null if nothing does.</summary>
    internal LogSink? Sink
    {
        set => Volatile.Write(ref _sink, value);
    }

    /// <summary>The instance's name.</summary>
    internal string Instance { get; set; } = "";

    /// <summary>The level up to which records are wanted.</summary>
    internal PluginLogLevel Level { get; set; }

    /// <summary>Tells of an exception, unless it has a status. It doesn't throw.</summary>
    internal void Tell(string service, Exception thrown)
    {
        if (thrown is PluginException or OperationCanceledException || Level == PluginLogLevel.Off || Volatile.Read(ref _sink) is not { } sink)
        {
            return;
        }

        try
        {
            sink.Take(new LogRecord("", "")
            {
                Level = PluginLogLevel.Error,
                Instance = Instance,
                Target = "rustbridge",
                Message = $"the service `{service}` failed",
                Time = DateTimeOffset.UtcNow,
                Thread = Thread.CurrentThread.Name ?? "",
                Exception = thrown,
            });
        }
        catch (Exception failed)
        {
            Plugin.OnLogFailed(failed);
        }
    }
}
