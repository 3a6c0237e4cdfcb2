using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

public sealed class LeaseTests : IDisposable
{
    /// <summary>A size that is copied, one that is handed over, and one beyond the pools.</summary>
    public static readonly TheoryData<int> Sizes = [0, 100, 1_024, 1_025, 1 << 24];

    private readonly Plugin _conformance = TestPlugins.LoadConformance();

    public void Dispose() => _conformance.Dispose();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void It_can_be_read_until_it_is_disposed_of(int size)
    {
        RawResponse lease = Fill(_conformance, size);
        Assert.Equal(size, lease.Length);
        Check(size, lease.Span);
        Check(size, lease.Memory.Span);
        Check(size, lease.ToArray());
        ReadOnlyMemory<byte> memory = lease.Memory;
        lease.Dispose();
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => lease.Length);
        Assert.Throws<ObjectDisposedException>(() => lease.Span.Length);
        Assert.Throws<ObjectDisposedException>(lease.ToArray);
        Assert.Throws<ObjectDisposedException>(() => lease.Memory.Length);
        if (size > 0)
        {
            Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
            Assert.Throws<ObjectDisposedException>(() => memory.Pin());
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void It_outlives_its_plugin(int size)
    {
        Plugin plugin = TestPlugins.LoadConformance();
        using RawResponse lease = Fill(plugin, size);
        plugin.Dispose();
        Check(size, lease.Span);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public unsafe void Its_memory_can_be_pinned_and_sliced(int size)
    {
        using RawResponse lease = Fill(_conformance, size);
        ReadOnlyMemory<byte> half = lease.Memory[(size / 2)..];
        using MemoryHandle handle = half.Pin();
        Assert.Equal(size - (size / 2), half.Length);
        if (size > 0)
        {
            Assert.Equal((size / 2) % 251, ((byte*)handle.Pointer)[0]);
        }
    }

    [Fact]
    public void Disposing_of_it_from_many_threads_releases_it_once()
    {
        for (int round = 0; round < 200; round++)
        {
            RawResponse lease = Fill(_conformance, 2_000);
            Parallel.For(0, 4, _ => lease.Dispose());
        }
    }

    [Fact]
    public void One_that_is_dropped_is_released_and_reported()
    {
        var reports = new ConcurrentQueue<string>();
        void Report(string report) => reports.Enqueue(report);
        RawResponse.Leaked += Report;
        try
        {
            Drop();
            for (int i = 0; reports.IsEmpty && i < 1_000; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Thread.Sleep(5);
            }

            Assert.Contains("a response of 54321 bytes of raw.fill was dropped without Dispose", reports);
        }
        finally
        {
            RawResponse.Leaked -= Report;
        }
    }

    [Fact]
    public void A_listener_that_throws_does_no_harm()
    {
        int told = 0;
        void Report(string report)
        {
            if (report.Contains("54321", StringComparison.Ordinal))
            {
                Interlocked.Increment(ref told);
                throw new InvalidOperationException(report);
            }
        }

        RawResponse.Leaked += Report;
        try
        {
            Drop();
            for (int i = 0; Volatile.Read(ref told) == 0 && i < 1_000; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Thread.Sleep(5);
            }

            Assert.NotEqual(0, told);
        }
        finally
        {
            RawResponse.Leaked -= Report;
        }
    }

    [Fact]
    public void Memory_of_the_plugins_is_not_copied()
    {
        byte[] size = BitConverter.GetBytes(1 << 20);
        using RawResponse one = _conformance.CallRawZeroCopy("raw.blob", size);
        using RawResponse two = _conformance.CallRawZeroCopy("raw.blob", size);
        Assert.True(Unsafe.AreSame(in one.Span[0], in two.Span[0]));
    }

    private static RawResponse Fill(Plugin plugin, int size) =>
        plugin.CallRawZeroCopy("raw.fill", Encoding.ASCII.GetBytes($"{size}"));

    private static void Check(int size, ReadOnlySpan<byte> bytes)
    {
        Assert.Equal(size, bytes.Length);
        foreach (int i in new[] { 0, size / 3, size - 1 }.Where(i => i >= 0 && i < size))
        {
            Assert.Equal(i % 251, bytes[i]);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Drop() => Fill(_conformance, 54_321);
}
