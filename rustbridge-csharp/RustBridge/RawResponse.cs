using System;
using System.Buffers;
using System.Runtime.InteropServices;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>A response that stays in the plugin's memory: nothing is copied, whatever its size.</summary>
/// <remarks>
/// <para>
/// Dispose of the response to return the memory to the plugin. Later uses throw <see cref="ObjectDisposedException"/>.
/// As with any owner of memory, don't use a span of it after that. A response may outlive its plugin. If it's dropped
/// without being disposed of, the garbage collector releases it eventually, and <see cref="Leaked"/> reports it.
/// </para>
/// <para>
/// Small responses are in an array of their own, which costs less than the plugin's memory. Any thread may use and
/// dispose of a response, but no thread may dispose of it while another reads it.
/// </para>
/// </remarks>
public sealed unsafe class RawResponse : IDisposable
{
    private byte[]? _array;
    private NativeResponse? _native;
    private View? _view;

    internal RawResponse(byte[] array)
    {
        _array = array;
    }

    internal RawResponse(NativeResponse native)
    {
        _native = native;
    }

    /// <summary>
    /// Raised for each response that was dropped without <see cref="Dispose"/>, on the finalizer thread.
    /// </summary>
    public static event Action<string>? Leaked;

    /// <summary>The number of bytes.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public nint Length => _array is { } array ? array.Length : Native().Length;

    /// <summary>The bytes, valid until <see cref="Dispose"/>. Keep the response alive while the span is used.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    /// <exception cref="OverflowException">The response is longer than a span can be.</exception>
    public ReadOnlySpan<byte> Span
    {
        get
        {
            if (_array is { } array)
            {
                return array;
            }

            NativeResponse native = Native();
            return new ReadOnlySpan<byte>(native.Data, checked((int)native.Length));
        }
    }

    /// <summary>
    /// The bytes as memory that keeps the response alive. After <see cref="Dispose"/>, its uses also throw.
    /// </summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    /// <exception cref="OverflowException">The response is longer than a memory can be.</exception>
    public ReadOnlyMemory<byte> Memory => (_view ??= new View(this)).Memory;

    /// <summary>Copies the bytes.</summary>
    /// <returns>A new array.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public byte[] ToArray()
    {
        byte[] copy = Span.ToArray();
        GC.KeepAlive(this);
        return copy;
    }

    /// <summary>Returns the memory to the plugin. Further calls do nothing.</summary>
    public void Dispose()
    {
        _array = null;
        NativeResponse? native = _native;
        if (native is not null)
        {
            _native = null;
            native.Dispose();
        }
    }

    internal static void OnLeaked(string message) => Listeners.Tell(Leaked, message);

    private NativeResponse Native()
    {
        NativeResponse? native = _native;
        ObjectDisposedException.ThrowIf(native is null, this);
        return native;
    }

    private sealed class View(RawResponse response) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan()
        {
            ReadOnlySpan<byte> span = response.Span;
            // Only read: it's given out as ReadOnlyMemory alone.
            return MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(span), span.Length);
        }

        public override MemoryHandle Pin(int elementIndex = 0)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(elementIndex);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(elementIndex, response.Length);
            if (response._array is { } array)
            {
                GCHandle handle = GCHandle.Alloc(array, GCHandleType.Pinned);
                return new MemoryHandle((byte*)handle.AddrOfPinnedObject() + elementIndex, handle, this);
            }

            return new MemoryHandle(response.Native().Data + elementIndex, default, this);
        }

        public override void Unpin()
        {
            // A MemoryHandle frees its GCHandle itself; the plugin's memory doesn't move.
        }

        protected override void Dispose(bool disposing) => response.Dispose();
    }
}
