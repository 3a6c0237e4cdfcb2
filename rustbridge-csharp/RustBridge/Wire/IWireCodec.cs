using System.Collections.Generic;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>A codec, which writes and reads the values of one type in the wire format. For generated clients.</summary>
/// <remarks>Codecs are structs without fields, so that generic code is compiled separately for each of them.</remarks>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireCodec<T>
{
    /// <summary>The minimum size of a value in bytes.</summary>
    static abstract long Least { get; }

    /// <summary>
    /// Whether a value's memory layout equals the wire format, so that it needs no writer and no reader.
    /// </summary>
    static virtual bool IsPlain => false;

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    static abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    static abstract T Read(ref WireReader reader);

    /// <summary>Reports whether two values have equal contents, even if they are different objects.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>Whether they are equal.</returns>
    static virtual bool Equal(T left, T right) => EqualityComparer<T>.Default.Equals(left, right);

    /// <summary>Returns a hash of a value's contents, which is the same for equal values.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The hash.</returns>
    static virtual int Hash(T value) => value is null ? 0 : EqualityComparer<T>.Default.GetHashCode(value);
}

/// <summary>The length of an array that has a fixed length. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireLength
{
    /// <summary>The number of items.</summary>
    static abstract int Length { get; }
}
