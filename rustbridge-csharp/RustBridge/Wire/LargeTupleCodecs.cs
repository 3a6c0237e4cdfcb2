using System;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>The codec of tuples with 9 values. For generated clients.</summary>
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
/// <typeparam name="T9">The type of value 9.</typeparam>
/// <typeparam name="TCodec9">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7, T8, TCodec8, T9, TCodec9> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7, T8, T9)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
    where TCodec8 : struct, IWireCodec<T8>
    where TCodec9 : struct, IWireCodec<T9>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least + TCodec8.Least + TCodec9.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7, T8, T9) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
        TCodec8.Write(ref writer, value.Item8);
        TCodec9.Write(ref writer, value.Item9);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7, T8, T9) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader),
        TCodec8.Read(ref reader),
        TCodec9.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7, T8, T9) left, (T1, T2, T3, T4, T5, T6, T7, T8, T9) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7)
        && TCodec8.Equal(left.Item8, right.Item8)
        && TCodec9.Equal(left.Item9, right.Item9);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7, T8, T9) value) => HashCode.Combine(
        HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6)),
        HashCode.Combine(TCodec7.Hash(value.Item7), TCodec8.Hash(value.Item8), TCodec9.Hash(value.Item9)));
}

/// <summary>The codec of tuples with 10 values. For generated clients.</summary>
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
/// <typeparam name="T9">The type of value 9.</typeparam>
/// <typeparam name="TCodec9">Its codec.</typeparam>
/// <typeparam name="T10">The type of value 10.</typeparam>
/// <typeparam name="TCodec10">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7, T8, TCodec8, T9, TCodec9, T10, TCodec10> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
    where TCodec8 : struct, IWireCodec<T8>
    where TCodec9 : struct, IWireCodec<T9>
    where TCodec10 : struct, IWireCodec<T10>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least + TCodec8.Least + TCodec9.Least + TCodec10.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
        TCodec8.Write(ref writer, value.Item8);
        TCodec9.Write(ref writer, value.Item9);
        TCodec10.Write(ref writer, value.Item10);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader),
        TCodec8.Read(ref reader),
        TCodec9.Read(ref reader),
        TCodec10.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) left, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7)
        && TCodec8.Equal(left.Item8, right.Item8)
        && TCodec9.Equal(left.Item9, right.Item9)
        && TCodec10.Equal(left.Item10, right.Item10);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) value) => HashCode.Combine(
        HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6)),
        HashCode.Combine(TCodec7.Hash(value.Item7), TCodec8.Hash(value.Item8), TCodec9.Hash(value.Item9), TCodec10.Hash(value.Item10)));
}

/// <summary>The codec of tuples with 11 values. For generated clients.</summary>
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
/// <typeparam name="T9">The type of value 9.</typeparam>
/// <typeparam name="TCodec9">Its codec.</typeparam>
/// <typeparam name="T10">The type of value 10.</typeparam>
/// <typeparam name="TCodec10">Its codec.</typeparam>
/// <typeparam name="T11">The type of value 11.</typeparam>
/// <typeparam name="TCodec11">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7, T8, TCodec8, T9, TCodec9, T10, TCodec10, T11, TCodec11> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
    where TCodec8 : struct, IWireCodec<T8>
    where TCodec9 : struct, IWireCodec<T9>
    where TCodec10 : struct, IWireCodec<T10>
    where TCodec11 : struct, IWireCodec<T11>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least + TCodec8.Least + TCodec9.Least + TCodec10.Least + TCodec11.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
        TCodec8.Write(ref writer, value.Item8);
        TCodec9.Write(ref writer, value.Item9);
        TCodec10.Write(ref writer, value.Item10);
        TCodec11.Write(ref writer, value.Item11);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader),
        TCodec8.Read(ref reader),
        TCodec9.Read(ref reader),
        TCodec10.Read(ref reader),
        TCodec11.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) left, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7)
        && TCodec8.Equal(left.Item8, right.Item8)
        && TCodec9.Equal(left.Item9, right.Item9)
        && TCodec10.Equal(left.Item10, right.Item10)
        && TCodec11.Equal(left.Item11, right.Item11);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) value) => HashCode.Combine(
        HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6)),
        HashCode.Combine(TCodec7.Hash(value.Item7), TCodec8.Hash(value.Item8), TCodec9.Hash(value.Item9), TCodec10.Hash(value.Item10), TCodec11.Hash(value.Item11)));
}

/// <summary>The codec of tuples with 12 values. For generated clients.</summary>
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
/// <typeparam name="T9">The type of value 9.</typeparam>
/// <typeparam name="TCodec9">Its codec.</typeparam>
/// <typeparam name="T10">The type of value 10.</typeparam>
/// <typeparam name="TCodec10">Its codec.</typeparam>
/// <typeparam name="T11">The type of value 11.</typeparam>
/// <typeparam name="TCodec11">Its codec.</typeparam>
/// <typeparam name="T12">The type of value 12.</typeparam>
/// <typeparam name="TCodec12">Its codec.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TupleCodec<T1, TCodec1, T2, TCodec2, T3, TCodec3, T4, TCodec4, T5, TCodec5, T6, TCodec6, T7, TCodec7, T8, TCodec8, T9, TCodec9, T10, TCodec10, T11, TCodec11, T12, TCodec12> : IWireCodec<(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    where TCodec1 : struct, IWireCodec<T1>
    where TCodec2 : struct, IWireCodec<T2>
    where TCodec3 : struct, IWireCodec<T3>
    where TCodec4 : struct, IWireCodec<T4>
    where TCodec5 : struct, IWireCodec<T5>
    where TCodec6 : struct, IWireCodec<T6>
    where TCodec7 : struct, IWireCodec<T7>
    where TCodec8 : struct, IWireCodec<T8>
    where TCodec9 : struct, IWireCodec<T9>
    where TCodec10 : struct, IWireCodec<T10>
    where TCodec11 : struct, IWireCodec<T11>
    where TCodec12 : struct, IWireCodec<T12>
{
    /// <inheritdoc/>
    public static long Least => TCodec1.Least + TCodec2.Least + TCodec3.Least + TCodec4.Least + TCodec5.Least + TCodec6.Least + TCodec7.Least + TCodec8.Least + TCodec9.Least + TCodec10.Least + TCodec11.Least + TCodec12.Least;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) value)
    {
        TCodec1.Write(ref writer, value.Item1);
        TCodec2.Write(ref writer, value.Item2);
        TCodec3.Write(ref writer, value.Item3);
        TCodec4.Write(ref writer, value.Item4);
        TCodec5.Write(ref writer, value.Item5);
        TCodec6.Write(ref writer, value.Item6);
        TCodec7.Write(ref writer, value.Item7);
        TCodec8.Write(ref writer, value.Item8);
        TCodec9.Write(ref writer, value.Item9);
        TCodec10.Write(ref writer, value.Item10);
        TCodec11.Write(ref writer, value.Item11);
        TCodec12.Write(ref writer, value.Item12);
    }

    /// <inheritdoc/>
    public static (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) Read(ref WireReader reader) => (
        TCodec1.Read(ref reader),
        TCodec2.Read(ref reader),
        TCodec3.Read(ref reader),
        TCodec4.Read(ref reader),
        TCodec5.Read(ref reader),
        TCodec6.Read(ref reader),
        TCodec7.Read(ref reader),
        TCodec8.Read(ref reader),
        TCodec9.Read(ref reader),
        TCodec10.Read(ref reader),
        TCodec11.Read(ref reader),
        TCodec12.Read(ref reader));

    /// <inheritdoc/>
    public static bool Equal((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) left, (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) right) =>
        TCodec1.Equal(left.Item1, right.Item1)
        && TCodec2.Equal(left.Item2, right.Item2)
        && TCodec3.Equal(left.Item3, right.Item3)
        && TCodec4.Equal(left.Item4, right.Item4)
        && TCodec5.Equal(left.Item5, right.Item5)
        && TCodec6.Equal(left.Item6, right.Item6)
        && TCodec7.Equal(left.Item7, right.Item7)
        && TCodec8.Equal(left.Item8, right.Item8)
        && TCodec9.Equal(left.Item9, right.Item9)
        && TCodec10.Equal(left.Item10, right.Item10)
        && TCodec11.Equal(left.Item11, right.Item11)
        && TCodec12.Equal(left.Item12, right.Item12);

    /// <inheritdoc/>
    public static int Hash((T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) value) => HashCode.Combine(
        HashCode.Combine(TCodec1.Hash(value.Item1), TCodec2.Hash(value.Item2), TCodec3.Hash(value.Item3), TCodec4.Hash(value.Item4), TCodec5.Hash(value.Item5), TCodec6.Hash(value.Item6)),
        HashCode.Combine(TCodec7.Hash(value.Item7), TCodec8.Hash(value.Item8), TCodec9.Hash(value.Item9), TCodec10.Hash(value.Item10), TCodec11.Hash(value.Item11), TCodec12.Hash(value.Item12)));
}
