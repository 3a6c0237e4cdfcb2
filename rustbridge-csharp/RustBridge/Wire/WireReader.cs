using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>Reads a message in the wire form. For generated clients.</summary>
/// <remarks>
/// A message that isn't of its type is a <see cref="PluginException"/> with <see cref="Status.Internal"/> and the type <c>rustbridge.InvalidResponse</c>.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireReader
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>What exceptions name: a <see cref="Method"/>, or a <see cref="TypedService"/>.</summary>
    private readonly object? _named;

    private readonly ReadOnlySpan<byte> _bytes;
    private int _at;
    private int _depth;

    /// <summary>Begins with the first byte.</summary>
    /// <param name="named">The <see cref="Method"/> that has answered, or the <see cref="TypedService"/> that is asked; named in exceptions.</param>
    /// <param name="bytes">The whole message.</param>
    internal WireReader(object? named, ReadOnlySpan<byte> bytes)
    {
        _named = named;
        _bytes = bytes;
    }

    /// <summary>The client that has called, for the objects of its answers.</summary>
    /// <exception cref="InvalidOperationException">The method isn't one of a client with objects.</exception>
    public readonly object Client => (_named as Method)?.Client ?? throw new InvalidOperationException("objects are read for a client, and the method has none");

    /// <summary>How many bytes have been read.</summary>
    public readonly int Position => _at;

    /// <summary>Reads a number or a struct that lies in memory as on the wire.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <returns>The value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadPlain<T>()
        where T : unmanaged => Unsafe.ReadUnaligned<T>(ref Unsafe.AsRef(in Take(Unsafe.SizeOf<T>())));

    /// <summary>Reads numbers or structs that lie in memory as on the wire, one after the other.</summary>
    /// <typeparam name="T">Their type.</typeparam>
    /// <param name="count">How many; <see cref="ReadCount"/> has compared it with what is left.</param>
    /// <returns>A new array.</returns>
    public T[] ReadPlain<T>(int count)
        where T : unmanaged
    {
        if (count == 0)
        {
            return [];
        }

        long size = (long)count * Unsafe.SizeOf<T>();
        if (size > _bytes.Length - _at)
        {
            FailShort(size);
        }

        T[] values = GC.AllocateUninitializedArray<T>(count);
        _bytes.Slice(_at, (int)size).CopyTo(MemoryMarshal.AsBytes(values.AsSpan()));
        _at += (int)size;
        return values;
    }

    /// <summary>Reads a <c>bool</c>, or whether something is there.</summary>
    /// <returns>The value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadBool()
    {
        byte found = Take(1);
        if (found > 1)
        {
            FailBool(found);
        }

        return found != 0;
    }

    /// <summary>Reads which variant of an enum comes.</summary>
    /// <param name="count">How many there are.</param>
    /// <returns>Its position in the declaration.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadVariant(int count)
    {
        int variant = ReadPlain<ushort>();
        if (variant >= count)
        {
            FailVariant(variant);
        }

        return variant;
    }

    /// <summary>Reads which variant comes of an enum that may have more than are known.</summary>
    /// <param name="count">How many are known.</param>
    /// <returns>Its position in the declaration, or <see cref="ushort.MaxValue"/> for one that isn't known.</returns>
    public int ReadOpenVariant(int count)
    {
        int variant = ReadPlain<ushort>();
        if (variant >= count && variant != WireLimits.UnknownVariant)
        {
            FailVariant(variant);
        }

        return variant;
    }

    /// <summary>Reads text.</summary>
    /// <returns>The text.</returns>
    public string ReadText() => ReadText(ReadCount(1));

    /// <summary>Reads the text of a raw message, whose length is the message's.</summary>
    /// <returns>The text.</returns>
    public string ReadRestAsText() => ReadText(_bytes.Length - _at);

    /// <summary>Reads the bytes of a raw message, whose length is the message's.</summary>
    /// <returns>The bytes.</returns>
    public byte[] ReadRest() => ReadPlain<byte>(_bytes.Length - _at);

    private string ReadText(int count)
    {
        int at = _at;
        _at = at + count;
        try
        {
            return Strict.GetString(_bytes.Slice(at, count));
        }
        catch (DecoderFallbackException wrong)
        {
            Fail(at + Math.Max(wrong.Index, 0), "text isn't UTF-8");
            return "";
        }
    }

    /// <summary>Reads which of the objects that came beside the message is meant, and takes it.</summary>
    /// <returns>The object.</returns>
    public PluginObject ReadObject()
    {
        int at = _at;
        uint position = ReadPlain<uint>();
        PluginObject? one = CameObjects.Take(position, out string wrong);
        if (one is null)
        {
            Fail(at, wrong);
        }

        return one;
    }

    /// <summary>Reads how many items or pairs come, or bytes.</summary>
    /// <param name="least">The fewest bytes that each takes.</param>
    /// <returns>Their number.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadCount(long least)
    {
        uint count = ReadPlain<uint>();
        int left = _bytes.Length - _at;
        if (count > (uint)left || count * least > left)
        {
            FailCount(count);
        }

        return (int)count;
    }

    /// <summary>Refuses an array whose items can't be there.</summary>
    /// <param name="count">How many there are.</param>
    /// <param name="least">The fewest bytes that each takes.</param>
    public readonly void CheckLeft(int count, long least)
    {
        if (count * least > _bytes.Length - _at)
        {
            FailShort(count * least);
        }
    }

    /// <summary>Reads zeros up to the next multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Align()
    {
        int padding = -_at & 7;
        ref readonly byte zeros = ref Take(padding);
        for (int i = 0; i < padding; i++)
        {
            if (Unsafe.Add(ref Unsafe.AsRef(in zeros), i) != 0)
            {
                Fail(_at - padding + i, "padding isn't zero");
            }
        }
    }

    /// <summary>Goes into a value that may have others of its kind inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (++_depth > WireLimits.MaxDepth)
        {
            FailDepth();
        }
    }

    /// <summary>Leaves it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Throws that the message isn't of its type.</summary>
    /// <param name="at">The byte at which that was found.</param>
    /// <param name="what">What was found.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly void Fail(int at, string what) =>
        throw new PluginException(
            _named is TypedService ? Status.InvalidArgument : Status.Internal,
            WirePath.Told(_named, _bytes[..at], what),
            _named is TypedService ? "rustbridge.InvalidRequest" : "rustbridge.InvalidResponse");

    /// <summary>Refuses bytes behind the message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void End()
    {
        if (_at != _bytes.Length)
        {
            FailLeftOver();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref readonly byte Take(int count)
    {
        int at = _at;
        if (count > _bytes.Length - at)
        {
            FailShort(count);
        }

        _at = at + count;
        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), at);
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailShort(long count) => Fail(_at, $"{count} bytes are expected, and {_bytes.Length - _at} are left");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailLeftOver() => Fail(_at, $"{_bytes.Length - _at} bytes are left over");

    // Apart, since texts that are put together need locals, which whatever this is inlined in would begin with clearing.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailBool(byte found) => Fail(_at - sizeof(byte), $"{found} is neither 0 nor 1");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailVariant(int variant) => Fail(_at - sizeof(ushort), $"there's no variant {variant}");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailCount(uint count) =>
        Fail(_at - sizeof(uint), $"{count} items are announced, and {_bytes.Length - _at} bytes are left");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailDepth() => Fail(_at, $"more than {WireLimits.MaxDepth} values lie in each other");
}
