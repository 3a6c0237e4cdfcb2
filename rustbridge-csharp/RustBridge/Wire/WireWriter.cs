using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>Writes a message in the wire form. For generated clients.</summary>
/// <remarks>What can't be written is an <see cref="ArgumentException"/> that names the field.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireWriter
{
    private const string Null = "null isn't allowed here";

    /// <summary>What exceptions name: a <see cref="Method"/>, <see cref="SentItems"/>, or a <see cref="TypedService"/>.</summary>
    private readonly object? _named;

    private Span<byte> _memory;
    private byte[]? _rented;
    private int _length;
    private int _depth;

    /// <summary>Begins in memory of the caller's; what is longer goes to the pool's.</summary>
    /// <param name="method">What is called; named in exceptions.</param>
    /// <param name="memory">Memory that nobody else writes to.</param>
    internal WireWriter(Method? method, Span<byte> memory)
    {
        _named = method;
        _memory = memory;
    }

    /// <summary>The same for an item of a stream.</summary>
    /// <param name="items">The items, and which of them it is.</param>
    /// <param name="memory">Memory that nobody else writes to.</param>
    internal WireWriter(SentItems items, Span<byte> memory)
    {
        _named = items;
        _memory = memory;
    }

    /// <summary>The same for an answer that a plugin gets.</summary>
    /// <param name="service">What answers; named in exceptions.</param>
    /// <param name="memory">Memory that nobody else writes to.</param>
    internal WireWriter(TypedService service, Span<byte> memory)
    {
        _named = service;
        _memory = memory;
    }

    /// <summary>Whether it was longer than the caller's memory.</summary>
    internal readonly bool IsRented => _rented is not null;

    /// <summary>What has been written.</summary>
    internal readonly Span<byte> Written => _memory[.._length];

    /// <summary>Writes a number or a struct that lies in memory as on the wire.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePlain<T>(T value)
        where T : unmanaged => Unsafe.WriteUnaligned(ref Reserve(Unsafe.SizeOf<T>()), value);

    /// <summary>Writes numbers or structs that lie in memory as on the wire, one after the other.</summary>
    /// <typeparam name="T">Their type.</typeparam>
    /// <param name="values">The values.</param>
    public void WritePlain<T>(scoped ReadOnlySpan<T> values)
        where T : unmanaged
    {
        if ((long)values.Length * Unsafe.SizeOf<T>() > WireLimits.MaxBytes)
        {
            TooLarge();
        }

        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(values);
        bytes.CopyTo(MemoryMarshal.CreateSpan(ref Reserve(bytes.Length), bytes.Length));
    }

    /// <summary>Writes a <c>bool</c>, or whether something is there.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteBool(bool value) => Reserve(1) = value ? (byte)1 : (byte)0;

    /// <summary>Writes which variant of an enum comes.</summary>
    /// <param name="variant">Its position in the declaration.</param>
    /// <param name="count">How many there are.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteVariant(int variant, int count)
    {
        if ((uint)variant >= (uint)count)
        {
            FailVariant(variant);
        }

        WritePlain((ushort)variant);
    }

    /// <summary>Writes text.</summary>
    /// <param name="value">The text.</param>
    public void WriteText(string value)
    {
        CheckThere(value);
        int most = value.Length <= Storage.UncountedChars ? value.Length * Utf8Text.BytesPerChar : CountText(value);
        int at = _length;
        if (most > _memory.Length - at - sizeof(int))
        {
            Grow((long)most + sizeof(int));
        }

        Span<byte> room = _memory[(at + sizeof(int))..];
        if (Utf8.FromUtf16(value, room, out int read, out int written, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            Fail($"character {read} is half of a surrogate pair");
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref MemoryMarshal.GetReference(_memory), at), written);
        _length = at + sizeof(int) + written;
    }

    /// <summary>Writes the text of a raw message, whose length is the message's.</summary>
    /// <param name="value">The text.</param>
    public void WriteRawText(string value)
    {
        CheckThere(value);
        int most = value.Length <= Storage.UncountedChars ? value.Length * Utf8Text.BytesPerChar : CountText(value);
        if (most > _memory.Length - _length)
        {
            Grow(most);
        }

        if (Utf8.FromUtf16(value, _memory[_length..], out int read, out int written, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            Fail($"character {read} is half of a surrogate pair");
        }

        _length += written;
    }

    /// <summary>Lends an object to the call, and writes which of those that are lent it is.</summary>
    /// <param name="value">The object.</param>
    /// <exception cref="ObjectDisposedException">It was disposed of; the message names the field.</exception>
    public void WriteObject(PluginObject? value)
    {
        CheckThere(value);
        if (_named is Method method && value.Plugin.Handle != method.Plugin.Handle)
        {
            Fail($"it's an object of another instance, of {value.Plugin.Name}");
        }

        if (value.IsReleased)
        {
            throw new ObjectDisposedException(nameof(PluginObject), WirePath.Unfit(_named, Written, "it was disposed of").Message);
        }

        WritePlain(LentObjects.Position(value));
    }

    /// <summary>Writes how many items or pairs come.</summary>
    /// <param name="count">Their number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCount(int count) => WritePlain(count);

    /// <summary>Writes zeros up to the next multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Align()
    {
        int padding = -_length & 7;
        MemoryMarshal.CreateSpan(ref Reserve(padding), padding).Clear();
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

    /// <summary>The same, for a value that may be null by mistake.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter([NotNull] object? value)
    {
        CheckRecord(value);
        Enter();
    }

    /// <summary>Leaves it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Refuses null.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckThere([NotNull] object? value)
    {
        if (value is null)
        {
            Fail(Null);
        }
    }

    /// <summary>The same, for a value whose type has a name.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckRecord([NotNull] object? value)
    {
        if (value is null)
        {
            FailRecord();
        }
    }

    /// <summary>Throws that a value can't be written.</summary>
    /// <param name="what">What's wrong with it.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly void Fail(string what) => throw WirePath.Unfit(_named, Written, what);

    /// <summary>Refuses an array of another length than its type's.</summary>
    /// <param name="value">The array.</param>
    /// <param name="length">The length.</param>
    internal readonly void CheckLength([NotNull] Array? value, int length)
    {
        if (value?.Length != length)
        {
            string what = value is null ? Null : $"{length} items are expected, not {value.Length}";
            throw WirePath.Unfit(_named, Written, what, WirePart.Array);
        }
    }

    /// <summary>Gives rented memory back.</summary>
    internal void Dispose()
    {
        if (_rented is { } rented)
        {
            _rented = null;
            _memory = default;
            _length = 0;
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte Reserve(int count)
    {
        int at = _length;
        if (count > _memory.Length - at)
        {
            Grow(count);
        }

        _length = at + count;
        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_memory), at);
    }

    /// <summary>Longer than memory is offered for thrice over: counted first.</summary>
    private static int CountText(string value)
    {
        long most = (long)value.Length * Utf8Text.BytesPerChar;
        if (most > WireLimits.MaxBytes)
        {
            // Half of a pair is found when it's written.
            most = System.Text.Encoding.UTF8.GetByteCount(value);
        }

        return (int)most;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(long count)
    {
        long needed = _length + count;
        if (needed > WireLimits.MaxBytes)
        {
            TooLarge();
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Math.Max(needed, 2L * _memory.Length), WireLimits.MaxBytes));
        Written.CopyTo(larger);
        byte[]? before = _rented;
        _rented = larger;
        _memory = larger;
        if (before is not null)
        {
            ArrayPool<byte>.Shared.Return(before);
        }
    }

    // Apart, since texts that are put together need locals, which whatever this is inlined in would begin with clearing.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailVariant(int variant) =>
        Fail(variant == WireLimits.UnknownVariant ? "an unknown variant can't be sent" : $"there's no variant {variant}");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailDepth() => Fail($"more than {WireLimits.MaxDepth} values lie in each other");

    /// <summary>Where nothing has been entered, it's the request itself. A record at another's beginning can't be told from it by its place.</summary>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailRecord() =>
        throw WirePath.Unfit(_named, Written, Null, WirePart.Record, isWhole: (_depth | _length) == 0);

    [DoesNotReturn]
    private readonly void TooLarge() => Fail($"a message has at most {WireLimits.MaxBytes} bytes");
}
