using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace RustBridge.Wire;

/// <summary>A value that says itself what it is: null, a bool, a number, text, bytes, a list or a map of such.</summary>
/// <remarks>Equal ones hold the same, lists and maps inside included.</remarks>
[SuppressMessage("Usage", "CA2225:Operator overloads have named alternates", Justification = "the constructors are")]
public readonly struct DynamicValue : IEquatable<DynamicValue>
{
    private readonly object? _object;
    private readonly long _bits;

    private DynamicValue(DynamicKind kind, long bits, object? value)
    {
        Kind = kind;
        _bits = bits;
        _object = value;
    }

    /// <summary>Makes a bool.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(bool value)
        : this(DynamicKind.Boolean, value ? 1 : 0, null)
    {
    }

    /// <summary>Makes an integer.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(long value)
        : this(DynamicKind.Integer, value, null)
    {
    }

    /// <summary>Makes an integer.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(ulong value)
        : this(value > long.MaxValue ? DynamicKind.LargeInteger : DynamicKind.Integer, (long)value, null)
    {
    }

    /// <summary>Makes a number with a fraction.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(double value)
        : this(DynamicKind.Number, BitConverter.DoubleToInt64Bits(value), null)
    {
    }

    /// <summary>Makes text.</summary>
    /// <param name="value">The text; null is null.</param>
    public DynamicValue(string? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Text, 0, value)
    {
    }

    /// <summary>Makes bytes.</summary>
    /// <param name="value">The bytes; null is null.</param>
    public DynamicValue(byte[]? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Bytes, 0, value)
    {
    }

    /// <summary>Makes a list.</summary>
    /// <param name="value">The list; null is null.</param>
    public DynamicValue(DynamicValue[]? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.List, 0, value)
    {
    }

    /// <summary>Makes a map.</summary>
    /// <param name="value">The map; null is null.</param>
    public DynamicValue(Dictionary<string, DynamicValue>? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Map, 0, value)
    {
    }

    /// <summary>The value that is nothing.</summary>
    public static DynamicValue Null => default;

    /// <summary>What it is.</summary>
    public DynamicKind Kind { get; }

    /// <summary>Whether it's nothing.</summary>
    public bool IsNull => Kind == DynamicKind.Null;

    /// <summary>Makes a bool.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(bool value) => new(value);

    /// <summary>Makes an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(int value) => new((long)value);

    /// <summary>Makes an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(long value) => new(value);

    /// <summary>Makes an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(ulong value) => new(value);

    /// <summary>Makes a number with a fraction.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(double value) => new(value);

    /// <summary>Makes text.</summary>
    /// <param name="value">The text; null is null.</param>
    public static implicit operator DynamicValue(string? value) => new(value);

    /// <summary>Makes bytes.</summary>
    /// <param name="value">The bytes; null is null.</param>
    public static implicit operator DynamicValue(byte[]? value) => new(value);

    /// <summary>Makes a list.</summary>
    /// <param name="value">The list; null is null.</param>
    public static implicit operator DynamicValue(DynamicValue[]? value) => new(value);

    /// <summary>Makes a map.</summary>
    /// <param name="value">The map; null is null.</param>
    public static implicit operator DynamicValue(Dictionary<string, DynamicValue>? value) => new(value);

    /// <summary>Compares two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they are equal.</returns>
    public static bool operator ==(DynamicValue left, DynamicValue right) => left.Equals(right);

    /// <summary>Compares two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they differ.</returns>
    public static bool operator !=(DynamicValue left, DynamicValue right) => !left.Equals(right);

    /// <summary>The bool that it is.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public bool AsBoolean() => Kind == DynamicKind.Boolean ? _bits != 0 : throw Not("a bool");

    /// <summary>The integer that it is.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">It's something else, or a <see cref="long"/> doesn't hold it.</exception>
    public long AsInt64() => Kind == DynamicKind.Integer ? _bits : throw Not("an integer of 64 bits with a sign");

    /// <summary>The integer that it is.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">It's something else, or negative.</exception>
    public ulong AsUInt64() =>
        Kind == DynamicKind.LargeInteger || (Kind == DynamicKind.Integer && _bits >= 0) ? (ulong)_bits : throw Not("an integer without a sign");

    /// <summary>The number that it is, integers included, which may lose digits.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public double AsDouble() => Kind switch
    {
        DynamicKind.Number => BitConverter.Int64BitsToDouble(_bits),
        DynamicKind.Integer => _bits,
        DynamicKind.LargeInteger => (ulong)_bits,
        _ => throw Not("a number"),
    };

    /// <summary>The text that it is.</summary>
    /// <returns>The text.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public string AsText() => _object as string ?? throw Not("text");

    /// <summary>The bytes that it is.</summary>
    /// <returns>The bytes.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public byte[] AsBytes() => _object as byte[] ?? throw Not("bytes");

    /// <summary>The list that it is.</summary>
    /// <returns>The list.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public DynamicValue[] AsList() => _object as DynamicValue[] ?? throw Not("a list");

    /// <summary>The map that it is.</summary>
    /// <returns>The map.</returns>
    /// <exception cref="InvalidOperationException">It's something else.</exception>
    public Dictionary<string, DynamicValue> AsMap() => _object as Dictionary<string, DynamicValue> ?? throw Not("a map");

    /// <inheritdoc/>
    public bool Equals(DynamicValue other) =>
        Kind == other.Kind
        && Kind switch
        {
            DynamicKind.Number => AsDouble().Equals(other.AsDouble()),
            DynamicKind.Text => AsText() == other.AsText(),
            DynamicKind.Bytes => BytesCodec.Equal(AsBytes(), other.AsBytes()),
            DynamicKind.List => ListCodec<DynamicValue, DynamicCodec>.Equal(AsList(), other.AsList()),
            DynamicKind.Map => MapCodec<string, TextCodec, DynamicValue, DynamicCodec>.Equal(AsMap(), other.AsMap()),
            _ => _bits == other._bits,
        };

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is DynamicValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind, Kind switch
    {
        DynamicKind.Number => AsDouble().GetHashCode(),
        DynamicKind.Text => AsText().GetHashCode(StringComparison.Ordinal),
        DynamicKind.Bytes => BytesCodec.Hash(AsBytes()),
        DynamicKind.List => ListCodec<DynamicValue, DynamicCodec>.Hash(AsList()),
        DynamicKind.Map => MapCodec<string, TextCodec, DynamicValue, DynamicCodec>.Hash(AsMap()),
        _ => _bits.GetHashCode(),
    });

    /// <summary>The value as text, for people.</summary>
    /// <returns>The text; of lists and maps how many items they have.</returns>
    public override string ToString() => Kind switch
    {
        DynamicKind.Null => "null",
        DynamicKind.Boolean => _bits != 0 ? "true" : "false",
        DynamicKind.Integer => _bits.ToString(CultureInfo.InvariantCulture),
        DynamicKind.LargeInteger => ((ulong)_bits).ToString(CultureInfo.InvariantCulture),
        DynamicKind.Number => AsDouble().ToString(CultureInfo.InvariantCulture),
        DynamicKind.Text => AsText(),
        DynamicKind.Bytes => $"{AsBytes().Length} bytes",
        DynamicKind.List => $"a list of {AsList().Length}",
        _ => $"a map of {AsMap().Count}",
    };

    private InvalidOperationException Not(string expected) => new($"{expected} is expected, and this is {Kind}");
}
