using System;
using System.Diagnostics;
using System.Text;

namespace RustBridge.Internal;

/// <summary>
/// What a call carries, as it crosses the boundary. Whoever has one pins <see cref="Metadata"/> and <see cref="TraceState"/> and the lent
/// objects, and puts their addresses in.
/// </summary>
internal unsafe ref struct Header
{
    private const long NanosecondsPerTick = 100;

    internal RbCallContext Native;

    /// <summary>Whether there's anything to say; objects and a place for the reply aside.</summary>
    internal bool SaysSomething;

    internal ReadOnlySpan<byte> Metadata;
    internal ReadOnlySpan<byte> TraceState;

    /// <summary>Takes what the options say, and the current trace if they say none.</summary>
    internal static Header Of(CallOptions? options)
    {
        var header = new Header { Native = new RbCallContext { Size = (uint)sizeof(RbCallContext) } };
        if (options?.Timeout is { Ticks: >= 0 and <= long.MaxValue / NanosecondsPerTick } timeout)
        {
            header.Native.Flags |= Rb.ContextTimeout;
            header.Native.TimeoutNs = (ulong)(timeout.Ticks * NanosecondsPerTick);
            header.SaysSomething = true;
        }

        if (options?.Metadata is { } metadata)
        {
            header.Metadata = metadata.Encoded;
            header.SaysSomething |= header.Metadata.Length != 0;
        }

        if (options?.Reply is { IncludeHeaders: true })
        {
            header.Native.Flags |= Rb.ContextHeaders;
        }

        if (options?.Trace is { } trace)
        {
            header.SetTrace(trace);
        }
        else if (Activity.Current is { IdFormat: ActivityIdFormat.W3C } activity)
        {
            header.SetTrace(activity.Context);
        }

        return header;
    }

    private void SetTrace(ActivityContext trace)
    {
        // Default is what a program without tracing has in such a place.
        if (trace == default)
        {
            return;
        }

        fixed (byte* id = Native.TraceId, span = Native.SpanId)
        {
            trace.TraceId.CopyTo(new Span<byte>(id, 16));
            trace.SpanId.CopyTo(new Span<byte>(span, 8));
        }

        Native.TraceFlags = (uint)trace.TraceFlags;
        Native.Flags |= Rb.ContextTrace;
        SaysSomething = true;
        if (!string.IsNullOrEmpty(trace.TraceState))
        {
            TraceState = Encoding.UTF8.GetBytes(trace.TraceState);
        }
    }
}
