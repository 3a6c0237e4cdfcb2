using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>What comes with a service call beside its request. Good for as long as the call takes.</summary>
public sealed class ServiceCall
{
    private static readonly AsyncLocal<ServiceCall?> Running = new();

    private Metadata? _metadata;

    internal unsafe ServiceCall(RbServiceCall* call, CancellationToken cancellationToken)
    {
        Instance = call->Instance;
        CancellationToken = cancellationToken;
        RbCallContext* header = call->Header;
        if (header == null)
        {
            return;
        }

        if ((header->Flags & RbCallContext.Timeout) != 0)
        {
            TimeLeft = TimeSpan.FromTicks((long)Math.Min(header->TimeoutNs / 100, long.MaxValue));
        }

        if ((header->Flags & RbCallContext.Trace) != 0)
        {
            Trace = new ActivityContext(
                ActivityTraceId.CreateFromBytes(new ReadOnlySpan<byte>(header->TraceId, 16)),
                ActivitySpanId.CreateFromBytes(new ReadOnlySpan<byte>(header->SpanId, 8)),
                (ActivityTraceFlags)header->TraceFlags,
                header->TraceState.Len == 0
                    ? null
                    : Marshal.PtrToStringUTF8((nint)header->TraceState.Data, (int)header->TraceState.Len),
                isRemote: true);
        }

        if (header->MetadataLen != 0)
        {
            _metadata = new Metadata(new ReadOnlySpan<byte>(header->Metadata, (int)header->MetadataLen).ToArray());
        }
    }

    /// <summary>
    /// The service call that runs, also after an <c>await</c> of its function; null outside of services. For functions that have no parameter of this
    /// type, as those of typed clients' interfaces.
    /// </summary>
    public static ServiceCall? Current => Running.Value;

    /// <summary>The handle of the instance that asks, <see cref="Plugin.Handle"/>.</summary>
    public ulong Instance { get; }

    /// <summary>How much time there was when it came; null for no limit.</summary>
    public TimeSpan? TimeLeft { get; }

    /// <summary>The trace that the call is part of, and the span that makes it; null if it's part of none.</summary>
    public ActivityContext? Trace { get; }

    /// <summary>Pairs of key and value that the plugin has added.</summary>
    public Metadata Metadata => _metadata ??= new Metadata();

    /// <summary>
    /// Is cancelled when nobody waits any more for an asynchronous function's answer: the call was cancelled, its time is over, or its instance ends.
    /// </summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>Begins a service call: it's the current one until the execution context that it was begun in is left.</summary>
    internal static unsafe ServiceCall Enter(RbServiceCall* call, CancellationToken cancellationToken)
    {
        var entered = new ServiceCall(call, cancellationToken);
        Running.Value = entered;
        return entered;
    }
}
