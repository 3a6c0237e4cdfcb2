using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>A reader of messages in the wire format. For generated clients.</summary>
/// <remarks>
/// If a message doesn't have the expected type, it throws a <see cref="PluginException"/> with
/// <see cref="Status.Internal"/> and the type <c>rustbridge.InvalidResponse</c>.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireReader
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The <see cref="Method"/> or <see cref="TypedService"/> that exceptions name.</summary>
    private readonly object? _named;

    private readonly ReadOnlySpan<byte> _bytes;
    private int _at;
    private int _depth;

    /// <summary>Creates a reader at the first byte.</summary>
    /// <param name="named">
    /// The <see cref="Method"/> that responded, or the called <see cref="TypedService"/>; named in exceptions.
    /// </param>
    /// <param name="bytes">The whole message.</param>
    internal WireReader(object? named, ReadOnlySpan<byte> bytes)
    {
        _named = named;
        _bytes = bytes;
    }

    /// <summary>The calling client, for objects in its responses.</summary>
    /// <exception cref="InvalidOperationException">The method doesn't belong to a client with objects.</exception>
    public readonly object Client =>
        (_named as Method)?.Client ?? throw new InvalidOperationException("an object was read, but the method has no client to create it");

    /// <summary>The number of bytes that have been read.</summary>
    public readonly int Position => _at;

    /// <summary>Reads a number, or a struct whose memory layout equals the wire format.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <returns>The value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T ReadPlain<T>()
        where T : unmanaged => Unsafe.ReadUnaligned<T>(ref Unsafe.AsRef(in Take(Unsafe.SizeOf<T>())));

    /// <summary>Reads consecutive numbers, or structs whose memory layout equals the wire format.</summary>
    /// <typeparam name="T">The type of the values.</typeparam>
    /// <param name="count">
    /// The number of values, which <see cref="ReadCount"/> has checked against the remaining bytes.
    /// </param>
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

    /// <summary>Reads a <c>bool</c>, or whether an optional value is present.</summary>
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

    /// <summary>Reads the variant of an enum.</summary>
    /// <param name="count">The number of variants.</param>
    /// <returns>The variant's position in the declaration.</returns>
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

    /// <summary>Reads the variant of an open enum, which may have unknown variants.</summary>
    /// <param name="count">The number of known variants.</param>
    /// <returns>
    /// The variant's position in the declaration, or <see cref="ushort.MaxValue"/> for an unknown variant.
    /// </returns>
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

    /// <summary>Reads the text of a raw message, whose length is that of the message.</summary>
    /// <returns>The text.</returns>
    public string ReadRestAsText() => ReadText(_bytes.Length - _at);

    /// <summary>Reads the bytes of a raw message, whose length is that of the message.</summary>
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

    /// <summary>
    /// Reads the position of an object among those that accompany the message, and takes ownership of the object.
    /// </summary>
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

    /// <summary>Reads the number of items, pairs or bytes.</summary>
    /// <param name="least">The minimum size of each in bytes.</param>
    /// <returns>The number.</returns>
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

    /// <summary>Checks that the items of an array can fit into the remaining bytes.</summary>
    /// <param name="count">The number of variants.</param>
    /// <param name="least">The minimum size of each in bytes.</param>
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

    /// <summary>Enters a value that may contain values of its own type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (++_depth > WireLimits.MaxDepth)
        {
            FailDepth();
        }
    }

    /// <summary>Leaves a value that was entered.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Throws the exception for a message that doesn't have the expected type.</summary>
    /// <param name="at">The byte at which the error was found.</param>
    /// <param name="what">The invalid content.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly void Fail(int at, string what) =>
        throw new PluginException(
            _named is TypedService ? Status.InvalidArgument : Status.Internal,
            WirePath.Told(_named, _bytes[..at], what),
            _named is TypedService ? "rustbridge.InvalidRequest" : "rustbridge.InvalidResponse");

    /// <summary>Checks that no bytes follow the message.</summary>
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
    private readonly void FailShort(long count) => Fail(_at, $"expected {count} bytes, but only {_bytes.Length - _at} are left");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailLeftOver() => Fail(_at, $"{_bytes.Length - _at} bytes are left after the value");

    // Apart, since texts that are put together need locals, which whatever this is inlined in would begin with clearing.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailBool(byte found) => Fail(_at - sizeof(byte), $"expected 0 or 1, found {found}");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailVariant(int variant) => Fail(_at - sizeof(ushort), $"there's no variant {variant}");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailCount(uint count) =>
        Fail(_at - sizeof(uint), $"expected {count} items, but only {_bytes.Length - _at} bytes are left");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailDepth() => Fail(_at, $"the value is nested deeper than {WireLimits.MaxDepth} levels, the limit of a message");
}
