using System;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The sum of an array of <c>long</c>, which is lent to the call.</summary>
public unsafe class Sums
{
    private Plugin _bench = null!;
    private Method _sum = null!;
    private long[] _numbers = [];

    /// <summary>How many numbers.</summary>
    [Params(10, 100, 1000, 10_000)]
    public int Count { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _numbers = new long[Count];
        for (int i = 0; i < Count; i++)
        {
            _numbers[i] = i + 1;
        }

        _bench = Libraries.Bench();
        _sum = _bench.Method("sum", PluginEncoding.Raw);
        if (!_sum.IsLeaf)
        {
            throw new InvalidOperationException("the floor doesn't call as the plugin's method does");
        }

        Answers.Agree(Total(), TotalFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("M sum {Count}", Single = true)]
    public long TotalFloor()
    {
        long total;
        nuint length;
        fixed (long* numbers = _numbers)
        {
            Floor.Check(Floor.Sum(null, 0, (byte*)numbers, (nuint)_numbers.Length * 8, (byte*)&total, 8, &length));
        }

        return total;
    }

    [Benchmark, Ours("M sum {Count}", Single = true)]
    public long Total()
    {
        long total = 0;
        _sum.CallRaw(MemoryMarshal.AsBytes(_numbers.AsSpan()), MemoryMarshal.AsBytes(new Span<long>(ref total)));
        return total;
    }
}

/// <summary>Numbers given back as a new array of <c>long</c>.</summary>
public unsafe class Returns
{
    private const int Count = 10_000;

    private Plugin _bench = null!;
    private Method _numbers = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _numbers = _bench.Method("numbers", PluginEncoding.Raw);
        Answers.Agree(MemoryMarshal.AsBytes(Numbers().AsSpan()), MemoryMarshal.AsBytes(NumbersFloor().AsSpan()));
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("M return 10000", Single = true)]
    public long[] NumbersFloor()
    {
        long[] answer = GC.AllocateUninitializedArray<long>(Count);
        uint count = Count;
        nuint length;
        fixed (long* response = answer)
        {
            Floor.Check(Floor.Numbers(null, 0, (byte*)&count, 4, (byte*)response, Count * 8, &length));
        }

        return answer;
    }

    [Benchmark, Ours("M return 10000", Single = true)]
    public long[] Numbers()
    {
        long[] answer = GC.AllocateUninitializedArray<long>(Count);
        uint count = Count;
        _numbers.CallRaw(MemoryMarshal.AsBytes(new ReadOnlySpan<uint>(in count)), MemoryMarshal.AsBytes(answer.AsSpan()));
        return answer;
    }
}
