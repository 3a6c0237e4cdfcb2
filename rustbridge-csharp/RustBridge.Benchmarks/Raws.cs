using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Large requests and responses of bytes.</summary>
public unsafe class Raws
{
    private Plugin _bench = null!;
    private Method _echo = null!;
    private byte[] _request = [];
    private byte[] _response = [];

    /// <summary>How long both are.</summary>
    [Params("100 KB", "16 MB")]
    public string Size { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        _request = new byte[Size == "16 MB" ? 16 << 20 : 100 << 10];
        new Random(7).NextBytes(_request);
        _response = new byte[_request.Length];
        _bench = Libraries.Bench();
        _echo = _bench.Method("echo_bytes", PluginEncoding.Raw);
        if (_echo.IsLeaf)
        {
            throw new InvalidOperationException("the floor doesn't call as the plugin's method does");
        }

        Answers.Agree(_response.AsSpan(0, Span()), _request);
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, SpanFloor()), _request);
        Answers.Agree(Array(), _request);
        Answers.Agree(ArrayFloor(), _request);
        using RawResponse lease = _echo.CallRawZeroCopy(_request);
        Answers.Agree(lease.Span, _request);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("raw {Size}, span")]
    public int SpanFloor() => ByHand(_response);

    [Benchmark, Ours("raw {Size}, span")]
    public int Span() => _echo.CallRaw(_request, _response);

    [Benchmark, Floor("raw {Size}")]
    public byte[] ArrayFloor()
    {
        byte[] answer = GC.AllocateUninitializedArray<byte>(_request.Length);
        ByHand(answer);
        return answer;
    }

    [Benchmark, Ours("raw {Size}")]
    public byte[] Array() => _echo.CallRawBytes(_request);

    /// <summary>By hand there's nothing to borrow from: it's memory made before.</summary>
    [Benchmark, Floor("raw {Size}, lease")]
    public int LeaseFloor()
    {
        ByHand(_response);
        return _response[^1];
    }

    [Benchmark, Ours("raw {Size}, lease")]
    public int Lease()
    {
        using RawResponse lease = _echo.CallRawZeroCopy(_request);
        return lease.Span[^1];
    }

    private int ByHand(byte[] answer)
    {
        nuint length;
        fixed (byte* request = _request, response = answer)
        {
            Floor.Check(Floor.RawEcho(null, 0, request, (nuint)_request.Length, response, (nuint)answer.Length, &length));
        }

        return (int)length;
    }
}
