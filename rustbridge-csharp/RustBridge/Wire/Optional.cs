using System;
using System.Collections.Generic;

namespace RustBridge.Wire;

/// <summary>A field that may be left to the plugin, which has a default for it. What comes from a plugin is always there.</summary>
/// <typeparam name="T">The field's type.</typeparam>
public readonly struct Optional<T> : IEquatable<Optional<T>>
{
    private readonly T _value;

    /// <summary>Makes one that is there.</summary>
    /// <param name="value">The value.</param>
    public Optional(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>Whether it's there. Otherwise the plugin's default is taken.</summary>
    public bool HasValue { get; }

    /// <summary>The value.</summary>
    /// <exception cref="InvalidOperationException">It was left to the plugin.</exception>
    public T Value => HasValue ? _value : throw new InvalidOperationException("the field was left to the plugin, which has a default for it");

    /// <summary>Makes one that is there.</summary>
    /// <param name="value">The value.</param>
    public static implicit operator Optional<T>(T value) => new(value);

    /// <summary>Compares two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they are equal.</returns>
    public static bool operator ==(Optional<T> left, Optional<T> right) => left.Equals(right);

    /// <summary>Compares two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they differ.</returns>
    public static bool operator !=(Optional<T> left, Optional<T> right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(Optional<T> other) => HasValue == other.HasValue && EqualityComparer<T>.Default.Equals(_value, other._value);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Optional<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(HasValue, _value);

    /// <summary>The value as text.</summary>
    /// <returns>The value's text, or <c>default</c> if it was left to the plugin.</returns>
    public override string ToString() => HasValue ? $"{_value}" : "default";
}
