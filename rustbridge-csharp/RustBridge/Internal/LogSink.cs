using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>Turns the core's records into ours and hands them to a delegate.</summary>
/// <remarks>
/// A plugin may log while it's being loaded, before the instance's name is known: such records wait for
/// <see cref="Open"/>.
/// </remarks>
internal sealed unsafe class LogSink(Action<LogRecord> handler, string? instance) : UpcallTarget
{
    private readonly object _gate = new();
    private string? _instance = instance;
    private List<LogRecord>? _waiting;

    /// <summary>Gives what the core takes. It must be handed over, or this is kept for good.</summary>
    internal RbLogSink ToNative() => new()
    {
        Size = (uint)sizeof(RbLogSink),
        Log = &OnLog,
        UserData = Upcalls.Open(this),
        Drop = Upcalls.Drop,
    };

    /// <summary>Tells the instance's name, and delivers what has waited for it. Does nothing if it's known.</summary>
    internal void Open(string name)
    {
        lock (_gate)
        {
            if (_instance is not null)
            {
                return;
            }

            foreach (LogRecord record in _waiting ?? [])
            {
                Deliver(record, name);
            }

            _waiting = null;
            Volatile.Write(ref _instance, name);
        }
    }

    /// <inheritdoc/>
    internal override void OnFailed(Exception error) => Plugin.OnLogFailed(error);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnLog(void* userData, RbLogRecord* record) =>
        Upcalls.Run<LogSink, RbLogRecord>(userData, record, &Take);

    private static void Take(LogSink sink, RbLogRecord* record)
    {
        // Records of kinds to come aren't for this version.
        if (record->Kind <= RbLogRecord.Span)
        {
            sink.Take(Read(record));
        }
    }

    private static LogRecord Read(RbLogRecord* record) =>
        new(Text(record->Fields), Text(record->Spans))
        {
            Level = (PluginLogLevel)Math.Min(record->Level, (uint)PluginLogLevel.Trace),
            IsSpan = record->Kind == RbLogRecord.Span,
            Target = Text(record->Target),
            Message = Text(record->Message),
            Time = DateTimeOffset.UnixEpoch.AddTicks(Ticks(record->TimeUnixNs)),
            Duration = TimeSpan.FromTicks(Ticks(record->DurationNs)),
            File = Text(record->File),
            Line = (int)record->Line,
            Thread = Text(record->Thread),
        };

    private static long Ticks(ulong nanoseconds) => (long)(nanoseconds / TimeSpan.NanosecondsPerTick);

    private static string Text(RbText text) =>
        text.Len == 0 ? "" : Encoding.UTF8.GetString(text.Data, checked((int)text.Len));

    private void Take(LogRecord record)
    {
        string? name = Volatile.Read(ref _instance);
        if (name is null)
        {
            lock (_gate)
            {
                if (_instance is null)
                {
                    (_waiting ??= []).Add(record);
                    return;
                }

                name = _instance;
            }
        }

        Deliver(record, name);
    }

    private void Deliver(LogRecord record, string name)
    {
        record.Instance = name;
        try
        {
            handler(record);
        }
        catch (Exception error)
        {
            // Here rather than in OnFailed, since the records that have waited follow.
            Plugin.OnLogFailed(error);
        }
    }
}
