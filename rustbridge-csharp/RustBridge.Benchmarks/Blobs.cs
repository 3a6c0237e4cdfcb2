using System;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Bytes that the plugin keeps, as a new array and where they lie.</summary>
public unsafe class Blobs
{
    private Plugin _bench = null!;
    private Method _blob = null!;
    private uint _length;

    /// <summary>How many.</summary>
    [Params("1 KB", "64 KB", "1 MB", "16 MB")]
    public string Size { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        _length = Size switch
        {
            "1 KB" => 1 << 10,
            "64 KB" => 1 << 16,
            "1 MB" => 1 << 20,
            "16 MB" => 1 << 24,
            _ => throw new InvalidOperationException(Size),
        };
        _bench = Libraries.Bench();
        _blob = _bench.Method("get_blob", PluginEncoding.Raw);
        if (_blob.IsLeaf)
        {
            throw new InvalidOperationException("the floor doesn't call as the plugin's method does");
        }

        byte[] floor = ArrayFloor();
        Answers.Agree(Array(), floor);
        Answers.Agree(Lease(), floor[^1]);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("get_blob {Size}", Single = true)]
    public byte[] ArrayFloor()
    {
        uint size = _length;
        byte[] answer = GC.AllocateUninitializedArray<byte>((int)size);
        nuint length;
        fixed (byte* response = answer)
        {
            Floor.Check(Floor.Blob(null, 0, (byte*)&size, 4, response, size, &length));
        }

        return answer;
    }

    [Benchmark, Ours("get_blob {Size}", Single = true)]
    public byte[] Array()
    {
        uint size = _length;
        return _blob.CallRawBytes(MemoryMarshal.AsBytes(new ReadOnlySpan<uint>(in size)));
    }

    [Benchmark, Ours("get_blob {Size}, lease")]
    public byte Lease()
    {
        uint size = _length;
        using RawResponse lease = _blob.CallRawZeroCopy(MemoryMarshal.AsBytes(new ReadOnlySpan<uint>(in size)));
        return lease.Span[^1];
    }
}
