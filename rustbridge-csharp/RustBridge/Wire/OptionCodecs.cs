using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>The codec of options of reference types. For generated clients.</summary>
/// <typeparam name="T">The type of the contained value.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct OptionCodec<T, TCodec> : IWireCodec<T?>
    where T : class
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T? value)
    {
        writer.WriteBool(value is not null);
        if (value is not null)
        {
            TCodec.Write(ref writer, value);
        }
    }

    /// <inheritdoc/>
    public static T? Read(ref WireReader reader) => reader.ReadBool() ? TCodec.Read(ref reader) : null;

    /// <inheritdoc/>
    public static bool Equal(T? left, T? right) =>
        left is null || right is null ? ReferenceEquals(left, right) : TCodec.Equal(left, right);

    /// <inheritdoc/>
    public static int Hash(T? value) => value is null ? 0 : TCodec.Hash(value);
}

/// <summary>The codec of options of value types. For generated clients.</summary>
/// <typeparam name="T">The type of the contained value.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct NullableCodec<T, TCodec> : IWireCodec<T?>
    where T : struct
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T? value)
    {
        writer.WriteBool(value.HasValue);
        if (value is { } inside)
        {
            TCodec.Write(ref writer, inside);
        }
    }

    /// <inheritdoc/>
    public static T? Read(ref WireReader reader) => reader.ReadBool() ? TCodec.Read(ref reader) : null;

    /// <inheritdoc/>
    public static bool Equal(T? left, T? right) =>
        left is { } one && right is { } other ? TCodec.Equal(one, other) : left.HasValue == right.HasValue;

    /// <inheritdoc/>
    public static int Hash(T? value) => value is { } inside ? TCodec.Hash(inside) : 0;
}

/// <summary>The codec of fields that have a default in the plugin. For generated clients.</summary>
/// <typeparam name="T">The field's type.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct OptionalCodec<T, TCodec> : IWireCodec<Optional<T>>
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, Optional<T> value)
    {
        writer.WriteBool(value.HasValue);
        if (value.HasValue)
        {
            TCodec.Write(ref writer, value.Value);
        }
    }

    /// <inheritdoc/>
    public static Optional<T> Read(ref WireReader reader) => reader.ReadBool() ? new Optional<T>(TCodec.Read(ref reader)) : default;

    /// <inheritdoc/>
    public static bool Equal(Optional<T> left, Optional<T> right) =>
        left.HasValue && right.HasValue ? TCodec.Equal(left.Value, right.Value) : left.HasValue == right.HasValue;

    /// <inheritdoc/>
    public static int Hash(Optional<T> value) => value.HasValue ? TCodec.Hash(value.Value) : 0;
}

/// <summary>
/// The codec of fields with a default value, which a client always sends. They have the wire format of options. For generated clients.
/// </summary>
/// <typeparam name="T">The field's type.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct PresentCodec<T, TCodec> : IWireCodec<T>
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T value)
    {
        writer.WriteBool(true);
        TCodec.Write(ref writer, value);
    }

    /// <inheritdoc/>
    public static T Read(ref WireReader reader)
    {
        if (!reader.ReadBool())
        {
            reader.Fail(0, "a field with a default value is absent");
        }

        return TCodec.Read(ref reader);
    }

    /// <inheritdoc/>
    public static bool Equal(T left, T right) => TCodec.Equal(left, right);

    /// <inheritdoc/>
    public static int Hash(T value) => TCodec.Hash(value);
}
