using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace RustBridge.Internal;

/// <summary>Turns the core's records into ours and hands them to a delegate.</summary>
internal sealed unsafe class LogSink(Action<LogRecord> handler) : UpcallTarget
{
    // The name that records have brought so far, as it came and as a string. Records come one at a time, and all bring the same.
    private byte[] _name = [];
    private string _instance = "";
    private readonly object _handing = new();

    /// <summary>Gives what the core takes. It must be handed over, or this is kept for good.</summary>
    internal RbLogSink ToNative() => new()
    {
        Size = (uint)sizeof(RbLogSink),
        Log = &OnLog,
        UserData = Upcalls.Open(this),
        Drop = Upcalls.Drop,
    };

    /// <inheritdoc/>
    internal override void OnFailed(Exception error) => Plugin.OnLogFailed(error);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnLog(void* userData, RbLogRecord* record) =>
        Upcalls.Run<LogSink, RbLogRecord>(userData, record, &Take);

    private static void Take(LogSink sink, RbLogRecord* record)
    {
        // Records of kinds to come aren't for this version.
        if (record->Kind <= Rb.RecordSpan)
        {
            sink.Take(sink.Read(record));
        }
    }

    /// <summary>Hands one over. The binding's own come on other threads than the core's.</summary>
    internal void Take(LogRecord record)
    {
        lock (_handing)
        {
            handler(record);
        }
    }

    private LogRecord Read(RbLogRecord* record) =>
        new(Text(record->Fields), Text(record->Spans))
        {
            Level = (PluginLogLevel)Math.Min(record->Level, (uint)PluginLogLevel.Trace),
            IsSpan = record->Kind == Rb.RecordSpan,
            Target = Text(record->Target),
            Message = Text(record->Message),
            Time = DateTimeOffset.UnixEpoch.AddTicks(Ticks(record->TimeUnixNs)),
            Duration = TimeSpan.FromTicks(Ticks(record->DurationNs)),
            File = Text(record->File),
            Line = (int)record->Line,
            Thread = Text(record->Thread),
            Instance = Name(record->Instance),
            TraceId = new ReadOnlySpan<byte>(record->TraceId, 16) is var trace && trace.ContainsAnyExcept((byte)0)
                ? ActivityTraceId.CreateFromBytes(trace)
                : default,
            SpanId = Span(record->SpanId),
            ParentSpanId = Span(record->ParentSpanId),
        };

    private static ActivitySpanId Span(byte* id) =>
        new ReadOnlySpan<byte>(id, 8) is var span && span.ContainsAnyExcept((byte)0) ? ActivitySpanId.CreateFromBytes(span) : default;

    private static long Ticks(ulong nanoseconds) => (long)(nanoseconds / TimeSpan.NanosecondsPerTick);

    private static string Text(RbText text) =>
        text.Len == 0 ? "" : Encoding.UTF8.GetString(text.Data, checked((int)text.Len));

    /// <summary>The instance's name, as one string for all its records.</summary>
    private string Name(RbText name)
    {
        var utf8 = new ReadOnlySpan<byte>(name.Data, checked((int)name.Len));
        if (!utf8.SequenceEqual(_name))
        {
            _name = utf8.ToArray();
            _instance = Text(name);
        }

        return _instance;
    }
}
