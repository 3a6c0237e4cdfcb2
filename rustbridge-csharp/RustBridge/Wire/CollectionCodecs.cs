using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace RustBridge.Wire;

/// <summary>The codec of lists. For generated clients.</summary>
/// <typeparam name="T">The items' type.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListCodec<T, TCodec> : IWireCodec<T[]>
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T[] value)
    {
        writer.CheckThere(value);
        writer.WriteCount(value.Length);
        Items.Write<T, TCodec>(ref writer, value);
    }

    /// <inheritdoc/>
    public static T[] Read(ref WireReader reader) => Items.Read<T, TCodec>(ref reader, reader.ReadCount(TCodec.Least));

    /// <inheritdoc/>
    public static bool Equal(T[] left, T[] right) => Items.Equal<T, TCodec>(left, right);

    /// <inheritdoc/>
    public static int Hash(T[] value) => Items.Hash<T, TCodec>(value);
}

/// <summary>
/// The codec of lists whose items are aligned to a multiple of 8 and not copied as one block: lists of arrays of
/// numbers. For generated clients.
/// </summary>
/// <typeparam name="T">The items' type.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct AlignedListCodec<T, TCodec> : IWireCodec<T[]>
    where TCodec : struct, IWireCodec<T>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T[] value)
    {
        writer.CheckThere(value);
        writer.WriteCount(value.Length);
        writer.Align();
        Items.Write<T, TCodec>(ref writer, value);
    }

    /// <inheritdoc/>
    public static T[] Read(ref WireReader reader)
    {
        int count = reader.ReadCount(TCodec.Least);
        reader.Align();
        return Items.Read<T, TCodec>(ref reader, count);
    }

    /// <inheritdoc/>
    public static bool Equal(T[] left, T[] right) => Items.Equal<T, TCodec>(left, right);

    /// <inheritdoc/>
    public static int Hash(T[] value) => Items.Hash<T, TCodec>(value);
}

/// <summary>
/// The codec of lists of structs or of numbers of at least two bytes, which are copied as one block. For generated
/// clients.
/// </summary>
/// <typeparam name="T">The items' type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct PlainListCodec<T> : IWireCodec<T[]>
    where T : unmanaged
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T[] value)
    {
        writer.CheckThere(value);
        writer.WriteCount(value.Length);
        writer.Align();
        writer.WritePlain<T>(value.AsSpan());
    }

    /// <inheritdoc/>
    public static T[] Read(ref WireReader reader)
    {
        int count = reader.ReadCount(Unsafe.SizeOf<T>());
        reader.Align();
        return reader.ReadPlain<T>(count);
    }

    /// <inheritdoc/>
    public static bool Equal(T[] left, T[] right) => Items.Equal<T, PlainCodec<T>>(left, right);

    /// <inheritdoc/>
    public static int Hash(T[] value) => Items.Hash<T, PlainCodec<T>>(value);
}

/// <summary>The codec of arrays with a fixed length, which belongs to their type. For generated clients.</summary>
/// <typeparam name="T">The items' type.</typeparam>
/// <typeparam name="TCodec">The type's codec.</typeparam>
/// <typeparam name="TLength">The array's length.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ArrayCodec<T, TCodec, TLength> : IWireCodec<T[]>
    where TCodec : struct, IWireCodec<T>
    where TLength : struct, IWireLength
{
    /// <inheritdoc/>
    public static long Least => TLength.Length * TCodec.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, T[] value)
    {
        writer.CheckLength(value, TLength.Length);
        Items.Write<T, TCodec>(ref writer, value);
    }

    /// <inheritdoc/>
    public static T[] Read(ref WireReader reader)
    {
        reader.CheckLeft(TLength.Length, TCodec.Least);
        return Items.Read<T, TCodec>(ref reader, TLength.Length);
    }

    /// <inheritdoc/>
    public static bool Equal(T[] left, T[] right) => Items.Equal<T, TCodec>(left, right);

    /// <inheritdoc/>
    public static int Hash(T[] value) => Items.Hash<T, TCodec>(value);
}

/// <summary>The codec of maps. For generated clients.</summary>
/// <typeparam name="TKey">The keys' type.</typeparam>
/// <typeparam name="TKeyCodec">The key type's codec.</typeparam>
/// <typeparam name="TValue">The values' type.</typeparam>
/// <typeparam name="TValueCodec">The codec of the values' type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct MapCodec<TKey, TKeyCodec, TValue, TValueCodec> : IWireCodec<Dictionary<TKey, TValue>>
    where TKey : notnull
    where TKeyCodec : struct, IWireCodec<TKey>
    where TValueCodec : struct, IWireCodec<TValue>
{
    /// <inheritdoc/>
    public static long Least => sizeof(uint);

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, Dictionary<TKey, TValue> value)
    {
        writer.CheckThere(value);
        writer.WriteCount(value.Count);
        foreach ((TKey key, TValue item) in value)
        {
            TKeyCodec.Write(ref writer, key);
            TValueCodec.Write(ref writer, item);
        }
    }

    /// <inheritdoc/>
    public static Dictionary<TKey, TValue> Read(ref WireReader reader)
    {
        int count = reader.ReadCount(TKeyCodec.Least + TValueCodec.Least);
        var map = new Dictionary<TKey, TValue>(count);
        for (int i = 0; i < count; i++)
        {
            int at = reader.Position;
            TKey key = TKeyCodec.Read(ref reader);
            if (!map.TryAdd(key, TValueCodec.Read(ref reader)))
            {
                reader.Fail(at, "duplicate key in a map");
            }
        }

        return map;
    }

    /// <inheritdoc/>
    public static bool Equal(Dictionary<TKey, TValue> left, Dictionary<TKey, TValue> right)
    {
        if (left is null || right is null || left.Count != right.Count)
        {
            return ReferenceEquals(left, right);
        }

        foreach ((TKey key, TValue item) in left)
        {
            if (!right.TryGetValue(key, out TValue? other) || !TValueCodec.Equal(item, other))
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    public static int Hash(Dictionary<TKey, TValue> value)
    {
        int hash = 0;
        foreach ((TKey key, TValue item) in value ?? [])
        {
            // In any order.
            hash ^= HashCode.Combine(TKeyCodec.Hash(key), TValueCodec.Hash(item));
        }

        return hash;
    }
}

/// <summary>The shared implementation of all lists.</summary>
internal static class Items
{
    internal static void Write<T, TCodec>(ref WireWriter writer, T[] items)
        where TCodec : struct, IWireCodec<T>
    {
        foreach (T item in items)
        {
            TCodec.Write(ref writer, item);
        }
    }

    internal static T[] Read<T, TCodec>(ref WireReader reader, int count)
        where TCodec : struct, IWireCodec<T>
    {
        if (count == 0)
        {
            return [];
        }

        var items = new T[count];
        for (int i = 0; i < items.Length; i++)
        {
            items[i] = TCodec.Read(ref reader);
        }

        return items;
    }

    internal static bool Equal<T, TCodec>(T[] left, T[] right)
        where TCodec : struct, IWireCodec<T>
    {
        if (left is null || right is null || left.Length != right.Length)
        {
            return ReferenceEquals(left, right);
        }

        for (int i = 0; i < left.Length; i++)
        {
            if (!TCodec.Equal(left[i], right[i]))
            {
                return false;
            }
        }

        return true;
    }

    internal static int Hash<T, TCodec>(T[] items)
        where TCodec : struct, IWireCodec<T>
    {
        var hash = default(HashCode);
        foreach (T item in items ?? [])
        {
            hash.Add(TCodec.Hash(item));
        }

        return hash.ToHashCode();
    }
}
