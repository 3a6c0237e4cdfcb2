using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>A writer of messages in the wire format. For generated clients.</summary>
/// <remarks>If a value can't be written, it throws an <see cref="ArgumentException"/> that names the field.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireWriter
{
    private const string Null = "null isn't allowed here";

    /// <summary>
    /// The <see cref="Method"/>, <see cref="SentItems"/> or <see cref="TypedService"/> that exceptions name.
    /// </summary>
    private readonly object? _named;

    private Span<byte> _memory;
    private byte[]? _rented;
    private int _length;
    private int _depth;

    /// <summary>Creates a writer to the caller's memory. Longer messages use memory of the array pool.</summary>
    /// <param name="method">The called method; named in exceptions.</param>
    /// <param name="memory">The memory, to which no one else writes.</param>
    internal WireWriter(Method? method, Span<byte> memory)
    {
        _named = method;
        _memory = memory;
    }

    /// <summary>Creates a writer of a stream's item.</summary>
    /// <param name="items">The items, with the current item's index.</param>
    /// <param name="memory">The memory, to which no one else writes.</param>
    internal WireWriter(SentItems items, Span<byte> memory)
    {
        _named = items;
        _memory = memory;
    }

    /// <summary>Creates a writer of a service's response.</summary>
    /// <param name="service">The service that responds; named in exceptions.</param>
    /// <param name="memory">The memory, to which no one else writes.</param>
    internal WireWriter(TypedService service, Span<byte> memory)
    {
        _named = service;
        _memory = memory;
    }

    /// <summary>The calling client, which passes objects of the host.</summary>
    /// <exception cref="InvalidOperationException">The method doesn't belong to a client with objects.</exception>
    public readonly object Client =>
        (_named as Method)?.Client ?? throw new InvalidOperationException("an object was written, but the method has no client to pass it");

    /// <summary>Whether the message was longer than the caller's memory.</summary>
    internal readonly bool IsRented => _rented is not null;

    /// <summary>The bytes that were written.</summary>
    internal readonly Span<byte> Written => _memory[.._length];

    /// <summary>Writes a number, or a struct whose memory layout equals the wire format.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePlain<T>(T value)
        where T : unmanaged => Unsafe.WriteUnaligned(ref Reserve(Unsafe.SizeOf<T>()), value);

    /// <summary>Writes consecutive numbers, or structs whose memory layout equals the wire format.</summary>
    /// <typeparam name="T">The type of the values.</typeparam>
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

    /// <summary>Writes a <c>bool</c>, or whether an optional value is present.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteBool(bool value) => Reserve(1) = value ? (byte)1 : (byte)0;

    /// <summary>Writes the variant of an enum.</summary>
    /// <param name="variant">The variant's position in the declaration.</param>
    /// <param name="count">The number of variants.</param>
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

    /// <summary>Writes the text of a raw message, whose length is that of the message.</summary>
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

    /// <summary>Lets the call borrow an object, and writes its position among the borrowed objects.</summary>
    /// <param name="value">The object.</param>
    /// <exception cref="ObjectDisposedException">The object was disposed of; the message names the field.</exception>
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

    /// <summary>
    /// Passes an implementation of the host: lets the call borrow an object of the plugin that stands for it, and writes that
    /// object's position.
    /// </summary>
    /// <typeparam name="T">The callback's interface.</typeparam>
    /// <param name="value">The implementation.</param>
    /// <param name="callback">The callback.</param>
    /// <exception cref="PluginException">The plugin can't create the object.</exception>
    public void WriteHostObject<T>(T? value, Callback<T> callback)
        where T : class
    {
        CheckThere(value);
        ArgumentNullException.ThrowIfNull(callback);
        PluginObject created = callback.Create(value);
        try
        {
            WritePlain(LentObjects.Temporary(created));
        }
        catch
        {
            created.Dispose();
            throw;
        }
    }

    /// <summary>Writes the number of items or pairs.</summary>
    /// <param name="count">The number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCount(int count) => WritePlain(count);

    /// <summary>Writes zeros up to the next multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Align()
    {
        int padding = -_length & 7;
        MemoryMarshal.CreateSpan(ref Reserve(padding), padding).Clear();
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

    /// <summary>Enters a value that may contain values of its own type. Throws if the value is null.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter([NotNull] object? value)
    {
        CheckRecord(value);
        Enter();
    }

    /// <summary>Leaves a value that was entered.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _depth--;

    /// <summary>Throws if the value is null.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckThere([NotNull] object? value)
    {
        if (value is null)
        {
            Fail(Null);
        }
    }

    /// <summary>Throws if a value whose type has a name is null.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckRecord([NotNull] object? value)
    {
        if (value is null)
        {
            FailRecord();
        }
    }

    /// <summary>Throws the exception for a value that can't be written.</summary>
    /// <param name="what">The reason.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly void Fail(string what) => throw WirePath.Unfit(_named, Written, what);

    /// <summary>Throws if an array doesn't have its type's length.</summary>
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

    /// <summary>Returns the rented memory.</summary>
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
    private readonly void FailDepth() => Fail(
        $"the value is nested deeper than {WireLimits.MaxDepth} levels, the limit of a message: " +
        "reduce its nesting, and check that it doesn't contain itself");

    /// <summary>
    /// Throws for a record that is null. Without an entered value or written bytes, it's the request itself. A record
    /// at the start of another has the same position.
    /// </summary>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void FailRecord() =>
        throw WirePath.Unfit(_named, Written, Null, WirePart.Record, isWhole: (_depth | _length) == 0);

    [DoesNotReturn]
    private readonly void TooLarge() => Fail($"the message exceeds the limit of {WireLimits.MaxBytes} bytes");
}
