using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Xunit;

namespace RustBridge.Tests;

public sealed class StructTests : IDisposable
{
    private readonly Plugin _conformance = TestPlugins.LoadConformance();
    private readonly Plugin _hello = TestPlugins.LoadHello();

    public void Dispose()
    {
        _conformance.Dispose();
        _hello.Dispose();
    }

    [Fact]
    public void A_struct_of_another_size_is_refused()
    {
        Method add = _conformance.Method("pod.add32", PluginEncoding.Pod);
        string request = Assert.Throws<ArgumentException>(() => add.CallRaw<long, int>(1)).Message;
        Assert.Equal("pod.add32 (Pod, leaf): the response System.Int32 has 4 bytes, but the plugin's struct has 8", request);
        string response = Assert.Throws<ArgumentException>(() => add.CallRaw<byte, SumXor>(1)).Message;
        Assert.Equal("pod.add32 (Pod, leaf): the request System.Byte has 1 bytes, but the plugin's struct has 8", response);
    }

    [Fact]
    public void A_struct_with_swapped_fields_is_refused()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        string message = Assert.Throws<ArgumentException>(() => add.CallRaw<Swapped, Sum>(default)).Message;
        Assert.Equal(
            "math.add (Pod, leaf): RustBridge.Tests.StructTests+Swapped.A has 8 bytes at offset 8, but the plugin's Add.a has 8 bytes at offset 0",
            message);
    }

    [Fact]
    public void A_struct_with_fields_of_another_width_is_refused()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        string message = Assert.Throws<ArgumentException>(() => add.CallRaw<Shifted, Sum>(default)).Message;
        Assert.Contains("crosses a boundary in the plugin's layout Add.", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_struct_with_floating_point_for_integers_is_refused()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        string message = Assert.Throws<ArgumentException>(() => add.CallRaw<Floating, Sum>(default)).Message;
        Assert.Contains("is a floating-point number, but the plugin's Add.a is i64", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_struct_without_a_fixed_layout_is_refused()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        string message = Assert.Throws<ArgumentException>(() => add.CallRaw<Automatic, Sum>(default)).Message;
        Assert.Contains("has no fixed layout", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Other_names_and_other_ways_to_write_the_same_layout_are_fine()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        Assert.Equal(42, add.CallRaw<Explicit, long>(new Explicit { Second = 40, First = 2 }));
        Assert.Equal(42ul, add.CallRaw<Pairs, ulong>(new Pairs { Low = 40, Left = 2 }));
        TwoNumbers two = default;
        (two[0], two[1]) = (1, 2);
        Method pair = _conformance.Method("pod.add32", PluginEncoding.Pod);
        Assert.Equal(new SumXor(3, 3), pair.CallRaw<PairPod, SumXor>(new PairPod(1, 2)));
        Assert.Equal(3, pair.CallRaw<TwoNumbers, TwoNumbers>(two)[0]);
    }

    [Fact]
    public unsafe void Arrays_inside_may_be_fixed_buffers()
    {
        SmallPodRequest request = default;
        request.Version = 1;
        "abc"u8.CopyTo(new Span<byte>(request.Key, 64));
        request.KeyLen = 3;
        request.Flags = 1;
        SmallPodResponse response = _hello.CallRaw<SmallPodRequest, SmallPodResponse>("bench.small", request);
        Assert.Equal("value_for_abc"u8, new ReadOnlySpan<byte>(response.Value, (int)response.ValueLen));
        Assert.Equal((3600u, (byte)1), (response.TtlSeconds, response.CacheHit));
    }

    [Fact]
    public void Scalars_of_every_width_are_found_where_they_are()
    {
        var scalars = new ScalarsPod
        {
            A = ulong.MaxValue,
            B = long.MinValue,
            X = Math.PI,
            C = 1,
            D = -2,
            Y = 1.5f,
            E = 3,
            F = -4,
            G = 5,
            H = -6,
        };
        Assert.Equal(scalars, _conformance.CallRaw<ScalarsPod, ScalarsPod>("pod.scalars", scalars));
        FiveBytes bytes = default;
        bytes[0] = 1;
        Assert.Equal(1, _conformance.CallRaw<FiveBytes, FiveBytes>("pod.odd", bytes)[4]);
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Swapped
    {
        internal long B;
        internal long A;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct Shifted
    {
        internal int Low;
        internal long Middle;
        internal int High;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Floating
    {
        internal double A;
        internal double B;
    }

    [StructLayout(LayoutKind.Auto)]
    private struct Automatic
    {
        internal long A;
        internal long B;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Explicit
    {
        [FieldOffset(8)]
        internal long Second;

        [FieldOffset(0)]
        internal long First;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Pairs
    {
        internal uint Low;
        internal uint High;
        internal uint Left;
        internal uint Right;
    }

    [InlineArray(2)]
    private struct TwoNumbers
    {
        private int _first;
    }

    [InlineArray(5)]
    private struct FiveBytes
    {
        private byte _first;
    }

    [StructLayout(LayoutKind.Sequential)]
    private record struct ScalarsPod
    {
        internal ulong A;
        internal long B;
        internal double X;
        internal uint C;
        internal int D;
        internal float Y;
        internal ushort E;
        internal short F;
        internal byte G;
        internal sbyte H;
        internal short Reserved0;
        internal short Reserved1;
        internal short Reserved2;
    }
}
