using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>The context of a service call. Valid for the duration of the call.</summary>
public sealed class ServiceCall
{
    private static readonly AsyncLocal<ServiceCall?> Running = new();

    private Metadata? _metadata;

    internal unsafe ServiceCall(RbServiceCall* call, CancellationToken cancellationToken)
    {
        Instance = call->Instance;
        CancellationToken = cancellationToken;
        RbCallContext* header = call->CallContext;
        if (header == null)
        {
            return;
        }

        if ((header->Flags & Rb.ContextTimeout) != 0)
        {
            TimeLeft = TimeSpan.FromTicks((long)Math.Min(header->TimeoutNs / 100, long.MaxValue));
        }

        if ((header->Flags & Rb.ContextTrace) != 0)
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
    /// The running service call, also after an <c>await</c> in its function; null outside of services. For functions
    /// without a parameter of this type, such as those of typed clients' interfaces.
    /// </summary>
    public static ServiceCall? Current => Running.Value;

    /// <summary>The handle of the calling instance, <see cref="Plugin.Handle"/>.</summary>
    public ulong Instance { get; }

    /// <summary>How much time was left when the call arrived; null for no limit.</summary>
    public TimeSpan? TimeLeft { get; }

    /// <summary>The trace that the call is part of, and the span that makes the call; null without a trace.</summary>
    public ActivityContext? Trace { get; }

    /// <summary>Pairs of a key and a value that the plugin has added.</summary>
    public Metadata Metadata => _metadata ??= new Metadata();

    /// <summary>
    /// A token that is cancelled when the plugin no longer waits for an asynchronous function's response: the call was
    /// cancelled, its deadline has passed, or its instance ends.
    /// </summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>
    /// Starts a service call. It's the current one until the execution context in which it started is left.
    /// </summary>
    internal static unsafe ServiceCall Enter(RbServiceCall* call, CancellationToken cancellationToken)
    {
        var entered = new ServiceCall(call, cancellationToken);
        Running.Value = entered;
        return entered;
    }
}
