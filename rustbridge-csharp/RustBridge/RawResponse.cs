using System;
using System.Buffers;
using System.Runtime.InteropServices;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>A response that stays where the plugin has put it: nothing is copied, whatever its size.</summary>
/// <remarks>
/// <para>
/// Dispose of it: that gives the memory back to the plugin. Any use afterwards throws
/// <see cref="ObjectDisposedException"/>. A span taken before must not be used any more, as with any owner of memory.
/// It outlives its plugin. One that is dropped is freed by the garbage collector some time, and <see cref="Leaked"/>
/// tells.
/// </para>
/// <para>
/// Small responses are in an array of its own: that costs less than memory of the plugin's would.
/// It may be used and disposed of by any thread, but not disposed of by one while another reads.
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
    /// Told of each response that was dropped without <see cref="Dispose"/>, on the finaliser's thread.
    /// </summary>
    public static event Action<string>? Leaked;

    /// <summary>The number of bytes.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public nint Length => _array is { } array ? array.Length : Native().Length;

    /// <summary>The bytes, valid until <see cref="Dispose"/>. The response must be kept alive as long as it's used.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    /// <exception cref="OverflowException">There are more than a span can hold.</exception>
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
    /// The bytes as memory that keeps the response alive; after <see cref="Dispose"/> its uses throw, too.
    /// </summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    /// <exception cref="OverflowException">There are more than a memory can hold.</exception>
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

    /// <summary>Gives the memory back to the plugin. Does nothing the second time.</summary>
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
