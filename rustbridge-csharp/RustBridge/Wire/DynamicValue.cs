using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace RustBridge.Wire;

/// <summary>A self-describing value: null, a bool, a number, text, bytes, or a list or map of dynamic values.</summary>
/// <remarks>Values are equal if their contents are, including those of nested lists and maps.</remarks>
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

    /// <summary>Creates a bool.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(bool value)
        : this(DynamicKind.Boolean, value ? 1 : 0, null)
    {
    }

    /// <summary>Creates an integer.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(long value)
        : this(DynamicKind.Integer, value, null)
    {
    }

    /// <summary>Creates an integer.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(ulong value)
        : this(value > long.MaxValue ? DynamicKind.LargeInteger : DynamicKind.Integer, (long)value, null)
    {
    }

    /// <summary>Creates a number with a fraction.</summary>
    /// <param name="value">The value.</param>
    public DynamicValue(double value)
        : this(DynamicKind.Number, BitConverter.DoubleToInt64Bits(value), null)
    {
    }

    /// <summary>Creates text.</summary>
    /// <param name="value">The text; null creates the null value.</param>
    public DynamicValue(string? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Text, 0, value)
    {
    }

    /// <summary>Creates bytes.</summary>
    /// <param name="value">The bytes; null creates the null value.</param>
    public DynamicValue(byte[]? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Bytes, 0, value)
    {
    }

    /// <summary>Creates a list.</summary>
    /// <param name="value">The list; null creates the null value.</param>
    public DynamicValue(DynamicValue[]? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.List, 0, value)
    {
    }

    /// <summary>Creates a map.</summary>
    /// <param name="value">The map; null creates the null value.</param>
    public DynamicValue(Dictionary<string, DynamicValue>? value)
        : this(value is null ? DynamicKind.Null : DynamicKind.Map, 0, value)
    {
    }

    /// <summary>The null value.</summary>
    public static DynamicValue Null => default;

    /// <summary>The kind of the value.</summary>
    public DynamicKind Kind { get; }

    /// <summary>Whether the value is null.</summary>
    public bool IsNull => Kind == DynamicKind.Null;

    /// <summary>Creates a bool.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(bool value) => new(value);

    /// <summary>Creates an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(int value) => new((long)value);

    /// <summary>Creates an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(long value) => new(value);

    /// <summary>Creates an integer.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(ulong value) => new(value);

    /// <summary>Creates a number with a fraction.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator DynamicValue(double value) => new(value);

    /// <summary>Creates text.</summary>
    /// <param name="value">The text; null creates the null value.</param>
    public static implicit operator DynamicValue(string? value) => new(value);

    /// <summary>Creates bytes.</summary>
    /// <param name="value">The bytes; null creates the null value.</param>
    public static implicit operator DynamicValue(byte[]? value) => new(value);

    /// <summary>Creates a list.</summary>
    /// <param name="value">The list; null creates the null value.</param>
    public static implicit operator DynamicValue(DynamicValue[]? value) => new(value);

    /// <summary>Creates a map.</summary>
    /// <param name="value">The map; null creates the null value.</param>
    public static implicit operator DynamicValue(Dictionary<string, DynamicValue>? value) => new(value);

    /// <summary>Compares two values.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>Whether they are equal.</returns>
    public static bool operator ==(DynamicValue left, DynamicValue right) => left.Equals(right);

    /// <summary>Compares two values.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>Whether they differ.</returns>
    public static bool operator !=(DynamicValue left, DynamicValue right) => !left.Equals(right);

    /// <summary>Returns the bool.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
    public bool AsBoolean() => Kind == DynamicKind.Boolean ? _bits != 0 : throw Not("a bool");

    /// <summary>Returns the integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">
    /// The value has another kind, or doesn't fit into a <see cref="long"/>.
    /// </exception>
    public long AsInt64() => Kind == DynamicKind.Integer ? _bits : throw Not("a signed integer of 64 bits");

    /// <summary>Returns the integer.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind, or is negative.</exception>
    public ulong AsUInt64() =>
        Kind == DynamicKind.LargeInteger || (Kind == DynamicKind.Integer && _bits >= 0) ? (ulong)_bits : throw Not("an unsigned integer");

    /// <summary>Returns the number. Integers are converted, which may lose digits.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
    public double AsDouble() => Kind switch
    {
        DynamicKind.Number => BitConverter.Int64BitsToDouble(_bits),
        DynamicKind.Integer => _bits,
        DynamicKind.LargeInteger => (ulong)_bits,
        _ => throw Not("a number"),
    };

    /// <summary>Returns the text.</summary>
    /// <returns>The text.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
    public string AsText() => _object as string ?? throw Not("text");

    /// <summary>Returns the bytes.</summary>
    /// <returns>The bytes.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
    public byte[] AsBytes() => _object as byte[] ?? throw Not("bytes");

    /// <summary>Returns the list.</summary>
    /// <returns>The list.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
    public DynamicValue[] AsList() => _object as DynamicValue[] ?? throw Not("a list");

    /// <summary>Returns the map.</summary>
    /// <returns>The map.</returns>
    /// <exception cref="InvalidOperationException">The value has another kind.</exception>
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

    /// <summary>Returns the value as text, for diagnosis.</summary>
    /// <returns>The text; for lists and maps, the number of items.</returns>
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

    private InvalidOperationException Not(string expected) => new($"{expected} is expected, but the value is {Kind}");
}
