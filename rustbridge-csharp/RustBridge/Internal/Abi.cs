using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary><c>rb_text</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbText
{
    internal byte* Data;
    internal nuint Len;
}

/// <summary><c>rb_response</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbResponse
{
    internal byte* Data;
    internal nuint Capacity;
    internal nuint Len;
    internal void* Release;
    internal void* Owner;
}

/// <summary><c>rb_call_result</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RbCallResult
{
    internal uint Size;
    internal int Status;
    internal RbResponse Response;
}

/// <summary><c>rb_method</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RbMethod
{
    internal const uint Leaf = 1;
    internal const uint Async = 2;
    internal const uint StreamOut = 4;
    internal const uint StreamIn = 8;
    internal const uint Objects = 16;
    internal const uint Receiver = 32;

    /// <summary><c>RB_ENTRY_LEAF</c>, which goes with an entry when it's called as only a leaf method may be.</summary>
    internal const uint EntryLeaf = 0x8000;

    /// <summary>
    /// <c>RB_ENTRY_SHARED</c>, which goes with an entry when others may write to the request's memory: the core copies it first.
    /// </summary>
    internal const uint EntryShared = 0x4000;

    /// <summary><c>RB_ENCODING_BYTES</c>: raw where the method has it, else pod.</summary>
    internal const uint BytesEncoding = 0xffffffff;

    internal uint Size;
    internal uint Entry;
    internal uint Flags;
    internal uint Encoding;
    internal ulong RequestSize;
    internal ulong ResponseSize;
    internal uint LeafLimit;
    internal uint Storage;
    internal ulong BufferLimit;
}

/// <summary><c>rb_log_sink</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbLogSink
{
    internal uint Size;
    internal uint Reserved;
    internal delegate* unmanaged[Cdecl]<void*, RbLogRecord*, void> Log;
    internal void* UserData;
    internal delegate* unmanaged[Cdecl]<void*, void> Drop;
}

/// <summary><c>rb_log_record</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbLogRecord
{
    internal const uint Event = 0;
    internal const uint Span = 1;

    internal uint Size;
    internal uint Level;
    internal uint Kind;
    internal uint Line;
    internal ulong TimeUnixNs;
    internal ulong DurationNs;
    internal RbText Target;
    internal RbText Message;
    internal RbText Fields;
    internal RbText Spans;
    internal RbText File;
    internal RbText Thread;
    internal RbText Instance;
    internal fixed byte TraceId[16];
    internal fixed byte SpanId[8];
    internal fixed byte ParentSpanId[8];
}

/// <summary><c>rb_load_options</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RbLoadOptions
{
    internal const uint Poison = 1;
    internal const uint Backtrace = 2;
    internal const uint OwnCopy = 4;

    internal uint Size;
    internal uint Flags;
    internal RbText Path;
    internal byte* Image;
    internal nuint ImageLen;
    internal byte* Config;
    internal nuint ConfigLen;
    internal RbText Name;
    internal uint LogLevel;
    internal uint LogCapacity;
    internal RbLogSink* Log;
    internal RbService* Services;
    internal nuint ServiceCount;
    internal RbText Contract;
    internal uint Threads;
    internal uint Reserved;
}
