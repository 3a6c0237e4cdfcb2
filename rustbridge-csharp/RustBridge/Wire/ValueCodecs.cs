using System;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace RustBridge.Wire;

/// <summary>
/// The codec of numbers, and of structs whose memory layout equals the wire format. For generated clients.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct PlainCodec<T> : IWireCodec<T>
    where T : unmanaged
{
    /// <inheritdoc/>
    public static long Least => Unsafe.SizeOf<T>();

    /// <inheritdoc/>
    public static bool IsPlain => true;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref WireWriter writer, T value) => writer.WritePlain(value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Read(ref WireReader reader) => reader.ReadPlain<T>();
}

/// <summary>The codec of the unit type, which has no content. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnitCodec : IWireCodec<ValueTuple>
{
    /// <inheritdoc/>
    public static long Least => 0;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, ValueTuple value)
    {
    }

    /// <inheritdoc/>
    public static ValueTuple Read(ref WireReader reader) => default;
}

/// <summary>The codec of <c>bool</c>. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BoolCodec : IWireCodec<bool>
{
    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, bool value) => writer.WriteBool(value);

    /// <inheritdoc/>
    public static bool Read(ref WireReader reader) => reader.ReadBool();
}

/// <summary>The codec of characters. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct CharCodec : IWireCodec<Rune>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, Rune value) => writer.WritePlain(value.Value);

    /// <inheritdoc/>
    public static Rune Read(ref WireReader reader)
    {
        uint found = reader.ReadPlain<uint>();
        if (!Rune.TryCreate(found, out Rune value))
        {
            reader.Fail(reader.Position - sizeof(uint), $"{found} isn't a character");
        }

        return value;
    }
}

/// <summary>The codec of text. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextCodec : IWireCodec<string>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, string value) => writer.WriteText(value);

    /// <inheritdoc/>
    public static string Read(ref WireReader reader) => reader.ReadText();
}

/// <summary>The codec of borrowed bytes in any memory. For generated clients, which only write them.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct MemoryCodec : IWireCodec<ReadOnlyMemory<byte>>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, ReadOnlyMemory<byte> value)
    {
        writer.WriteCount(value.Length);
        writer.WritePlain(value.Span);
    }

    /// <inheritdoc/>
    public static ReadOnlyMemory<byte> Read(ref WireReader reader) => BytesCodec.Read(ref reader);

    /// <inheritdoc/>
    public static bool Equal(ReadOnlyMemory<byte> left, ReadOnlyMemory<byte> right) => left.Span.SequenceEqual(right.Span);

    /// <inheritdoc/>
    public static int Hash(ReadOnlyMemory<byte> value)
    {
        var hash = default(HashCode);
        hash.AddBytes(value.Span);
        return hash.ToHashCode();
    }
}

/// <summary>The codec of bytes. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BytesCodec : IWireCodec<byte[]>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, byte[] value)
    {
        writer.CheckThere(value);
        writer.WriteCount(value.Length);
        writer.WritePlain<byte>(value.AsSpan());
    }

    /// <inheritdoc/>
    public static byte[] Read(ref WireReader reader) => reader.ReadPlain<byte>(reader.ReadCount(1));

    /// <inheritdoc/>
    public static bool Equal(byte[] left, byte[] right) => left.AsSpan().SequenceEqual(right);

    /// <inheritdoc/>
    public static int Hash(byte[] value)
    {
        var hash = default(HashCode);
        hash.AddBytes(value);
        return hash.ToHashCode();
    }
}

/// <summary>The codec of timestamps. Fractions of 100 ns are truncated. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TimestampCodec : IWireCodec<DateTimeOffset>
{
    private const int NanosPerTick = 100;

    /// <inheritdoc/>
    public static long Least => 12;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, DateTimeOffset value)
    {
        long ticks = value.UtcTicks - DateTimeOffset.UnixEpoch.UtcTicks;
        (long seconds, long rest) = Math.DivRem(ticks, TimeSpan.TicksPerSecond);
        if (rest < 0)
        {
            seconds--;
            rest += TimeSpan.TicksPerSecond;
        }

        writer.WritePlain(seconds);
        writer.WritePlain((uint)rest * NanosPerTick);
    }

    /// <inheritdoc/>
    public static DateTimeOffset Read(ref WireReader reader)
    {
        long seconds = reader.ReadPlain<long>();
        if (seconds < DateTimeOffset.MinValue.ToUnixTimeSeconds() || seconds > DateTimeOffset.MaxValue.ToUnixTimeSeconds())
        {
            reader.Fail(reader.Position - sizeof(long), $"{seconds} seconds from 1970 are outside the years 1 to 9999");
        }

        long ticks = ReadNanos(ref reader) / NanosPerTick;
        return new DateTimeOffset(DateTimeOffset.UnixEpoch.UtcTicks + (seconds * TimeSpan.TicksPerSecond) + ticks, TimeSpan.Zero);
    }

    internal static uint ReadNanos(ref WireReader reader)
    {
        uint nanos = reader.ReadPlain<uint>();
        if (nanos >= 1_000_000_000)
        {
            reader.Fail(reader.Position - sizeof(uint), $"expected less than 1000000000 nanoseconds, found {nanos}");
        }

        return nanos;
    }
}

/// <summary>The codec of durations. Fractions of 100 ns are truncated. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DurationCodec : IWireCodec<TimeSpan>
{
    private const int NanosPerTick = 100;

    /// <inheritdoc/>
    public static long Least => 12;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, TimeSpan value)
    {
        if (value < TimeSpan.Zero)
        {
            writer.Fail($"a duration of zero or more is expected, not {value}");
        }

        (long seconds, long rest) = Math.DivRem(value.Ticks, TimeSpan.TicksPerSecond);
        writer.WritePlain(seconds);
        writer.WritePlain((uint)rest * NanosPerTick);
    }

    /// <inheritdoc/>
    public static TimeSpan Read(ref WireReader reader)
    {
        int at = reader.Position;
        ulong seconds = reader.ReadPlain<ulong>();
        uint ticks = TimestampCodec.ReadNanos(ref reader) / NanosPerTick;
        UInt128 all = ((UInt128)seconds * (ulong)TimeSpan.TicksPerSecond) + ticks;
        if (all > (UInt128)long.MaxValue)
        {
            reader.Fail(at, $"{seconds} seconds are outside the range of a TimeSpan");
        }

        return new TimeSpan((long)all);
    }
}

/// <summary>The codec of decimal numbers, as their texts. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DecimalCodec : IWireCodec<decimal>
{
    private const int Most = 1000;

    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, decimal value) =>
        writer.WriteText(value.ToString(CultureInfo.InvariantCulture));

    /// <inheritdoc/>
    public static decimal Read(ref WireReader reader)
    {
        int at = reader.Position;
        string text = reader.ReadText();
        int digits = Fraction(text);
        if (digits < 0)
        {
            reader.Fail(at, $"\"{(text.Length > 40 ? text[..40] : text)}\" isn't a decimal number");
        }

        // What has more digits than there's room for would be rounded.
        bool isRead = decimal.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value);
        if (!isRead || value.Scale != digits)
        {
            reader.Fail(at, $"a number of at most 28 digits is expected for a decimal, not {(text.Length > 40 ? text[..40] : text)}");
        }

        return value;
    }

    /// <summary>How many digits there are behind the point; -1 if it's no decimal number.</summary>
    private static int Fraction(string text)
    {
        int digits = 0;
        int point = -1;
        for (int place = text.StartsWith('-') ? 1 : 0; place < text.Length; place++)
        {
            if (char.IsAsciiDigit(text[place]))
            {
                digits++;
            }
            else if (text[place] == '.' && digits > 0 && point < 0)
            {
                point = place;
                digits = 0;
            }
            else
            {
                return -1;
            }
        }

        return digits == 0 || text.Length > Most ? -1 : point < 0 ? 0 : digits;
    }
}

/// <summary>The codec of UUIDs. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UuidCodec : IWireCodec<Guid>
{
    private const int Size = 16;

    /// <inheritdoc/>
    public static long Least => Size;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, Guid value)
    {
        Span<byte> bytes = stackalloc byte[Size];
        value.TryWriteBytes(bytes, bigEndian: true, out _);
        writer.WritePlain<byte>(bytes);
    }

    /// <inheritdoc/>
    public static Guid Read(ref WireReader reader)
    {
        UInt128 found = reader.ReadPlain<UInt128>();
        return new Guid(System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<UInt128>(in found)), bigEndian: true);
    }
}
