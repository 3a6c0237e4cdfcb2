using System;
using System.Collections.Generic;

namespace RustBridge.Wire;

/// <summary>
/// A field that has a default in the plugin and may therefore be omitted. In values from a plugin, it's always set.
/// </summary>
/// <typeparam name="T">The field's type.</typeparam>
public readonly struct Optional<T> : IEquatable<Optional<T>>
{
    private readonly T _value;

    /// <summary>Creates a field that is set.</summary>
    /// <param name="value">The value.</param>
    public Optional(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>Whether the field is set. Otherwise, the plugin uses its default.</summary>
    public bool HasValue { get; }

    /// <summary>The value.</summary>
    /// <exception cref="InvalidOperationException">The field isn't set.</exception>
    public T Value =>
        HasValue ? _value : throw new InvalidOperationException("the field isn't set, so the plugin uses its default: check HasValue");

    /// <summary>Creates a field that is set.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator Optional<T>(T value) => new(value);

    /// <summary>Compares two values.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>Whether they are equal.</returns>
    public static bool operator ==(Optional<T> left, Optional<T> right) => left.Equals(right);

    /// <summary>Compares two values.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>Whether they differ.</returns>
    public static bool operator !=(Optional<T> left, Optional<T> right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(Optional<T> other) => HasValue == other.HasValue && EqualityComparer<T>.Default.Equals(_value, other._value);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Optional<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(HasValue, _value);

    /// <summary>Returns the value as text.</summary>
    /// <returns>The value's text, or <c>default</c> if the field isn't set.</returns>
    public override string ToString() => HasValue ? $"{_value}" : "default";
}
