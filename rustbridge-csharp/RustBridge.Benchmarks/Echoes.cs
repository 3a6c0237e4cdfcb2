using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Few bytes into a new array.</summary>
public unsafe class Echoes
{
    private Plugin _bench = null!;
    private Method _echo = null!;
    private byte[] _request = [];

    /// <summary>How many.</summary>
    [Params(10, 100, 1000, 10_000)]
    public int Length { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _request = new byte[Length];
        new Random(7).NextBytes(_request);
        _bench = Libraries.Bench();
        _echo = _bench.Method("echo_bytes", PluginEncoding.Raw);
        if (_echo.IsLeaf)
        {
            throw new InvalidOperationException("the floor doesn't call as the plugin's method does");
        }

        Answers.Agree(Array(), _request);
        Answers.Agree(ArrayFloor(), _request);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("M echo {Length} B", Single = true)]
    public byte[] ArrayFloor()
    {
        byte[] answer = GC.AllocateUninitializedArray<byte>(_request.Length);
        nuint length;
        fixed (byte* request = _request, response = answer)
        {
            Floor.Check(Floor.RawEcho(null, 0, request, (nuint)_request.Length, response, (nuint)answer.Length, &length));
        }

        return answer;
    }

    [Benchmark, Ours("M echo {Length} B", Single = true)]
    public byte[] Array() => _echo.CallRawBytes(_request);
}
