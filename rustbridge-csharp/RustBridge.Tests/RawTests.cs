using System;
using System.Linq;
using System.Runtime.InteropServices;
using Xunit;

namespace RustBridge.Tests;

public sealed class RawTests : IDisposable
{
    private readonly Plugin _conformance = TestPlugins.LoadConformance();

    public void Dispose() => _conformance.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1_024)]
    [InlineData(1_025)]
    [InlineData(4_096)]
    [InlineData(4_097)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(65_537)]
    [InlineData(16 << 20)]
    public void Bytes_of_any_number_come_back(int length)
    {
        byte[] request = Pattern(length);
        var response = new byte[length];
        foreach (string name in new[] { "raw.echo", "raw.shared", "raw.leaf" })
        {
            Assert.Equal(length, _conformance.CallRaw(name, request, response));
            Assert.True(request.AsSpan().SequenceEqual(response));
            Assert.True(request.AsSpan().SequenceEqual(_conformance.CallRawBytes(name, request)));
            using RawResponse lease = _conformance.CallRawZeroCopy(name, request);
            Assert.True(request.AsSpan().SequenceEqual(lease.Span));
            response.AsSpan().Clear();
        }
    }

    [Fact]
    public void A_response_is_whole_whether_or_not_it_is_as_long_as_those_before()
    {
        Method fill = _conformance.Method("raw.fill", PluginEncoding.Raw);
        Span<int> lengths = [5_000, 5_000, 5_000, 4_999, 5_000, 5_000, 9, 5_000, 5_000, 70_000, 70_000, 70_000, 0, 70_000, 300_000, 300_000, 300_000];
        foreach (int length in lengths)
        {
            byte[] response = fill.CallRawBytes(System.Text.Encoding.ASCII.GetBytes($"{length}"));
            Assert.True(response.AsSpan().SequenceEqual(Pattern(length)), $"{length} bytes");
            // A failure tells its own, whatever was expected.
            PluginException error = Assert.Throws<PluginException>(() => fill.CallRawBytes("many"u8));
            Assert.Contains("`many` is no number", error.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("raw.echo")]
    [InlineData("raw.leaf")]
    public void A_response_that_does_not_fit_is_in_the_exception(string name)
    {
        byte[] request = Pattern(100);
        var response = new byte[99];
        ResponseTooLargeException error =
            Assert.Throws<ResponseTooLargeException>(() => _conformance.CallRaw(name, request, response));
        Assert.Equal(request, error.Response.ToArray());
        Assert.Equal(99, error.Capacity);
        Assert.Equal("the response has 100 bytes, but there is room for 99", error.Message);
        Assert.Throws<ResponseTooLargeException>(() => _conformance.CallRaw(name, request, []));
        Assert.Equal(0, _conformance.CallRaw(name, [], []));
    }

    [Theory]
    [InlineData("raw.leaf", 100)]
    [InlineData("raw.leaf", 100_000)]
    [InlineData("raw.echo", 100)]
    public void A_response_may_overlap_its_request(string name, int length)
    {
        foreach (int shift in new[] { -7, -1, 0, 1, 7 })
        {
            var memory = new byte[length + 16];
            byte[] request = Pattern(length);
            request.CopyTo(memory, 8);
            int answered = _conformance.CallRaw(name, memory.AsSpan(8, length), memory.AsSpan(8 + shift, length));
            Assert.Equal(request, memory.AsSpan(8 + shift, answered).ToArray());
        }
    }

    [Fact]
    public void Memory_side_by_side_does_not_overlap()
    {
        var memory = new byte[20];
        Pattern(10).CopyTo(memory, 0);
        Assert.Equal(10, _conformance.CallRaw("raw.leaf", memory.AsSpan(0, 10), memory.AsSpan(10)));
        Assert.Equal(memory.Take(10), memory.Skip(10));
    }

    [Fact]
    public void Structs_go_in_and_structs_come_out()
    {
        Assert.Equal(new SumXor(5, 1), _conformance.CallRaw<PairPod, SumXor>("pod.add32", new PairPod(2, 3)));
        var corners = default(Corners);
        corners[0] = new PointPod(3, 4);
        corners[1] = new PointPod(5, 6);
        Shape swapped = _conformance.CallRaw<Shape, Shape>("pod.nested", new Shape(new PointPod(1, 2), corners, 7));
        Assert.Equal(new PointPod(2, 1), swapped.Origin);
        Assert.Equal(new PointPod(6, 5), swapped.Corners[1]);
        Assert.Equal(7ul, swapped.Id);
    }

    [Fact]
    public void Large_structs_are_answered_whole()
    {
        Big request = default;
        request.Tag = 10;
        for (int i = 0; i < 66; i++)
        {
            request.Values[i] = (uint)i;
        }

        Method big = _conformance.Method("pod.big", PluginEncoding.Pod);
        BigAnswer answer = big.CallRaw<Big, BigAnswer>(request);
        Assert.Equal((10u, 66u, 75u), (answer.Tag, answer.Count, answer.Values[65]));
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<Big>(in request));
        Assert.Equal(272, big.CallRawBytes(bytes).Length);
        using RawResponse lease = big.CallRawZeroCopy(bytes);
        Assert.Equal(272, lease.Length);
    }

    [Fact]
    public void Requests_of_a_wrong_size_are_refused_by_the_plugin()
    {
        Method add = _conformance.Method("pod.add32", PluginEncoding.Pod);
        foreach (int length in new[] { 0, 7, 9 })
        {
            var request = new byte[length];
            Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => add.CallRawBytes(request)).Status);
            Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => add.CallRaw(request, new byte[8])).Status);
        }

        ResponseTooLargeException small = Assert.Throws<ResponseTooLargeException>(() => add.CallRaw(new byte[8], new byte[7]));
        Assert.Equal(8, small.Response.Length);
    }

    [Fact]
    public void Calls_with_structs_and_spans_allocate_nothing()
    {
        Method add = _conformance.Method("pod.add32", PluginEncoding.Pod);
        Method nested = _conformance.Method("pod.nested", PluginEncoding.Pod);
        Method echo = _conformance.Method("raw.echo", PluginEncoding.Raw);
        byte[] request = Pattern(64), response = new byte[64];
        long Once()
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                add.CallRaw<PairPod, SumXor>(new PairPod(i, 2));
                nested.CallRaw<Shape, Shape>(default);
                echo.CallRaw(request, response);
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Once();
        Assert.Equal(0, Once());
    }

    private static byte[] Pattern(int length)
    {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i % 251);
        }

        return bytes;
    }
}
