using System;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>The codec of tuples with 1 value. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1> : IWireCodec<ValueTuple<T1>>
    where TCodec1 : struct, IWireCodec<T1>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, ValueTuple<T1> value)
    {
        TCodec1.Write(ref writer, value.Item1);
    }

    /// <inheritdoc/>
    public static ValueTuple<T1> Read(ref WireReader reader) => new(TCodec1.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal(ValueTuple<T1> left, ValueTuple<T1> right) =>
        TCodec1.Equal(left.Item1, right.Item1);

    /// <inheritdoc/>
    public static int Hash(ValueTuple<T1> value) => HashCode.Combine(TCodec1.Hash(value.Item1));
}

/// <summary>The codec of tuples with 2 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2> : IWireCodec<(T1, T2)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
    }

    /// <inheritdoc/>
    public static (T1, T2) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2) left, (T1, T2) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2);

    /// <inheritdoc/>
    public static int Hash((T1, T2) value) => HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2));
}

/// <summary>The codec of tuples with 3 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3> : IWireCodec<(T1, T2, T3)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3) left, (T1, T2, T3) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3) value) => HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3));
}

/// <summary>The codec of tuples with 4 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
/// <typeparam name="T4">The type of value 4.</typeparam>
/// <typeparam name="TCodec4">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4> : IWireCodec<(T1, T2, T3, T4)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4) left, (T1, T2, T3, T4) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4) value) => HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4));
}

/// <summary>The codec of tuples with 5 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
/// <typeparam name="T4">The type of value 4.</typeparam>
/// <typeparam name="TCodec4">Its codec.</typeparam>
/// <typeparam name="T5">The type of value 5.</typeparam>
/// <typeparam name="TCodec5">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5> : IWireCodec<(T1, T2, T3, T4, T5)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5) left, (T1, T2, T3, T4, T5) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5) value) => HashCode.Combine(
        TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5));
}

/// <summary>The codec of tuples with 6 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
/// <typeparam name="T4">The type of value 4.</typeparam>
/// <typeparam name="TCodec4">Its codec.</typeparam>
/// <typeparam name="T5">The type of value 5.</typeparam>
/// <typeparam name="TCodec5">Its codec.</typeparam>
/// <typeparam name="T6">The type of value 6.</typeparam>
/// <typeparam name="TCodec6">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6> : IWireCodec<(T1, T2, T3, T4, T5, T6)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6) left, (T1, T2, T3, T4, T5, T6) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6) value) => HashCode.Combine(
        TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6));
}

/// <summary>The codec of tuples with 7 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
/// <typeparam name="T4">The type of value 4.</typeparam>
/// <typeparam name="TCodec4">Its codec.</typeparam>
/// <typeparam name="T5">The type of value 5.</typeparam>
/// <typeparam name="TCodec5">Its codec.</typeparam>
/// <typeparam name="T6">The type of value 6.</typeparam>
/// <typeparam name="TCodec6">Its codec.</typeparam>
/// <typeparam name="T7">The type of value 7.</typeparam>
/// <typeparam name="TCodec7">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7) left, (T1, T2, T3, T4, T5, T6, T7) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7) value) => HashCode.Combine(
        TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6), TCodec7.Hash(value.Item7));
}

/// <summary>The codec of tuples with 8 values. For generated clients.</summary>
/// <typeparam name="T1">The type of value 1.</typeparam>
/// <typeparam name="TCodec1">Its codec.</typeparam>
/// <typeparam name="T2">The type of value 2.</typeparam>
/// <typeparam name="TCodec2">Its codec.</typeparam>
/// <typeparam name="T3">The type of value 3.</typeparam>
/// <typeparam name="TCodec3">Its codec.</typeparam>
/// <typeparam name="T4">The type of value 4.</typeparam>
/// <typeparam name="TCodec4">Its codec.</typeparam>
/// <typeparam name="T5">The type of value 5.</typeparam>
/// <typeparam name="TCodec5">Its codec.</typeparam>
/// <typeparam name="T6">The type of value 6.</typeparam>
/// <typeparam name="TCodec6">Its codec.</typeparam>
/// <typeparam name="T7">The type of value 7.</typeparam>
/// <typeparam name="TCodec7">Its codec.</typeparam>
/// <typeparam name="T8">The type of value 8.</typeparam>
/// <typeparam name="TCodec8">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7, T8, TCodec8> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7, T8)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
    where TCodec8 : struct, IWireCodec<T8>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least + TCodec8.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7, T8) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
        TCodec8.Write(ref writer, value.Item8);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7, T8) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader),
        TCodec8.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7, T8) left, (T1, T2, T3, T4, T5, T6, T7, T8) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7)
        && TCodec8.Equal(left.Item8, right.Item8);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7, T8) value) => HashCode.Combine(
        TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6), TCodec7.Hash(value.Item7), TCodec8.Hash(value.Item8));
}
