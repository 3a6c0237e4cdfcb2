using System.Collections.Generic;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>Writes and reads values of one type in the wire form. For generated clients.</summary>
/// <remarks>Codecs are structs without fields, so that what is generic over them is compiled for each of them.</remarks>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireCodec<T>
{
    /// <summary>The fewest bytes that a value takes.</summary>
    static abstract long Least { get; }

    /// <summary>Whether values lie in memory as on the wire, so that they need no writer and no reader.</summary>
    static virtual bool IsPlain => false;

    /// <summary>Writes a value.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value.</param>
    static abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">Where from.</param>
    /// <returns>The value.</returns>
    static abstract T Read(ref WireReader reader);

    /// <summary>Compares what two values hold, and not which objects they are.</summary>
    /// <param name="left">One value.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they are equal.</returns>
    static virtual bool Equal(T left, T right) => EqualityComparer<T>.Default.Equals(left, right);

    /// <summary>A hash of what a value holds: the same for values that are equal.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The hash.</returns>
    static virtual int Hash(T value) => value is null ? 0 : EqualityComparer<T>.Default.GetHashCode(value);
}

/// <summary>The length of an array whose length belongs to its type. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireLength
{
    /// <summary>How many items there are.</summary>
    static abstract int Length { get; }
}
