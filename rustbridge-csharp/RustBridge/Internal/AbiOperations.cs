using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary><c>rb_reply</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RbReply
{
    internal RbResponse Trailers;
    internal RbResponse Objects;
}

/// <summary><c>rb_reply_headers</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RbReplyHeaders
{
    internal RbReply Reply;

    /// <summary>Of no meaning unless the call takes headers.</summary>
    internal RbResponse Headers;

    /// <summary>Makes it ready for a call; the headers' place only if there may be some.</summary>
    internal void Clear(bool takesHeaders)
    {
        Reply = default;
        if (takesHeaders)
        {
            Headers = default;
        }
    }
}

/// <summary><c>rb_call_context</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbCallContext
{
    internal const uint Timeout = 1;
    internal const uint Trace = 2;
    internal const uint Headers = 8;

    internal uint Size;
    internal uint Flags;
    internal ulong TimeoutNs;
    internal ulong Op;
    internal uint* Cancelled;
    internal fixed byte TraceId[16];
    internal fixed byte SpanId[8];
    internal uint TraceFlags;
    internal uint ObjectCount;
    internal RbText TraceState;
    internal byte* Metadata;
    internal nuint MetadataLen;
    internal ulong* Objects;
    internal RbReply* Reply;
}

/// <summary><c>rb_submission</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbSubmission
{
    internal const uint Offload = 1;

    /// <summary><c>RB_PENDING</c>.</summary>
    internal const int Pending = -1;

    internal uint Size;
    internal int Status;
    internal ulong Instance;
    internal uint Entry;
    internal uint Flags;
    internal RbCallContext* Header;
    internal byte* Request;
    internal nuint RequestLen;
    internal RbResponse Response;
    internal ulong UserData;
    internal ulong DemandItems;
    internal ulong DemandBytes;
    internal ulong Op;
}

/// <summary><c>rb_event</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbEvent
{
    internal const uint Done = 1;
    internal const uint ItemsCame = 2;
    internal const uint Demand = 3;
    internal const uint HeadersCame = 6;

    internal uint Size;
    internal uint Kind;
    internal ulong Op;
    internal ulong UserData;
    internal int Status;
    internal uint Count;
    internal uint Flags;
    internal uint Reserved;
    internal RbResponse Response;
    internal RbReply Reply;
    internal ulong Items;
    internal ulong Bytes;
    internal RbCallContext* Header;
    internal ulong Instance;
}

/// <summary><c>rb_batch</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbBatch
{
    /// <summary><c>RB_BATCH_ENDS</c>: the items' ends stand behind them.</summary>
    internal const uint Ends = 1;

    internal uint Size;
    internal uint Flags;
    internal byte* Data;
    internal nuint Len;
    internal uint Count;
    internal uint ObjectCount;
    internal ulong* Objects;
}

/// <summary><c>rb_service_call</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbServiceCall
{
    internal uint Size;
    internal uint Encoding;
    internal ulong Instance;
    internal void* Within;
    internal RbCallContext* Header;
    internal byte* Request;
    internal nuint RequestLen;
}

/// <summary><c>rb_service</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbService
{
    internal uint Size;
    internal uint Encoding;
    internal RbText Name;
    internal delegate* unmanaged[Cdecl]<void*, RbServiceCall*, RbResponse*, int> Call;
    internal delegate* unmanaged[Cdecl]<void*, ulong, void> Cancel;
    internal void* UserData;
    internal delegate* unmanaged[Cdecl]<void*, void> Drop;
    internal ulong Queue;
}

/// <summary><c>rb_close_options</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RbCloseOptions
{
    internal const uint CancelPending = 1;

    internal uint Size;
    internal uint Flags;
    internal ulong TimeoutMs;
    internal ulong CancelAfterMs;
}
