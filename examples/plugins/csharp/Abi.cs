using System.Runtime.InteropServices;

namespace Shout;

/// <summary>The declarations of <c>rustbridge_plugin.h</c> that this plugin needs.</summary>
internal static class Abi
{
    internal const uint Version = 1 << 16;

    internal const int Ok = 0;
    internal const int InvalidArgument = 3;
    internal const int NotFound = 5;
    internal const int ResourceExhausted = 8;
    internal const int OutOfRange = 11;
    internal const int Internal = 13;

    /// <summary>
    /// Added to <see cref="Internal"/> if the plugin itself failed. The core then does what the host's option
    /// <c>on_panic</c> specifies.
    /// </summary>
    internal const int Panicked = 256;

    internal const uint LogInfo = 3;
}

/// <summary><c>rb_response</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Response
{
    internal byte* Data;
    internal nuint Capacity;
    internal nuint Length;
    internal delegate* unmanaged<Response*, void> Release;
    internal void* Owner;
}

/// <summary><c>rb_text</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Text
{
    internal byte* Data;
    internal nuint Length;
}

/// <summary><c>rb_log_record</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct LogRecord
{
    internal uint Size;
    internal uint Level;
    internal uint Kind;
    internal uint Line;
    internal ulong TimeUnixNs;
    internal ulong DurationNs;
    internal Text Target;
    internal Text Message;
    internal Text Fields;
    internal Text Spans;
    internal Text File;
    internal Text Thread;
    internal Text Instance;
    internal unsafe fixed byte TraceId[16];
    internal unsafe fixed byte SpanId[8];
    internal unsafe fixed byte ParentSpanId[8];
}

/// <summary><c>rb_host</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Host
{
    internal uint Size;
    internal uint AbiVersion;
    internal void* Context;
    internal uint Flags;
    internal uint Reserved;
    internal Text InstanceName;
    internal uint* LogLevel;
    internal delegate* unmanaged<void*, LogRecord*, void> Log;
    internal delegate* unmanaged<void*, byte*, void*> Extension;
}

/// <summary><c>rb_plugin_table</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Table
{
    internal uint Size;
    internal uint AbiVersion;
    internal void* Context;
    internal delegate* unmanaged<void*, Response*, int> Describe;
    internal delegate* unmanaged<void*, Host*, byte*, nuint, void**, Response*, int> Create;
    internal delegate* unmanaged<void*, uint, void*, byte*, nuint, Response*, int> Call;
    internal delegate* unmanaged<void*, Response*, int> Destroy;
    internal delegate* unmanaged<void*, byte*, void*> Extension;
}
