using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Structs of 268 and 272 bytes as bytes.</summary>
public unsafe class Bigs
{
    private readonly byte[] _request = new byte[268];
    private readonly byte[] _response = new byte[272];
    private Plugin _conformance = null!;
    private Method _big = null!;

    [GlobalSetup]
    public void Setup()
    {
        _conformance = Libraries.Conformance();
        _big = _conformance.Method("pod.big", PluginEncoding.Pod);
        for (int i = 0; i < _request.Length; i++)
        {
            _request[i] = (byte)i;
        }

        byte[] floor = ArrayFloor();
        Answers.Agree(Array(), floor);
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, Span()), floor);
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, SpanFloor()), floor);
        using RawResponse lease = _big.CallRawZeroCopy(_request);
        Answers.Agree(lease.Span, floor);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _conformance.Dispose();

    [Benchmark, Floor("pod 268/272, span")]
    public int SpanFloor()
    {
        nuint length;
        fixed (byte* request = _request, response = _response)
        {
            Floor.Check(Floor.Big(null, 0, request, 268, response, 272, &length));
        }

        return (int)length;
    }

    [Benchmark, Ours("pod 268/272, span")]
    public int Span() => _big.CallRaw(_request, _response);

    [Benchmark, Floor("pod 268/272")]
    public byte[] ArrayFloor()
    {
        nuint length;
        byte[] answer = GC.AllocateUninitializedArray<byte>(272);
        fixed (byte* request = _request, response = answer)
        {
            Floor.Check(Floor.Big(null, 0, request, 268, response, 272, &length));
        }

        return answer;
    }

    [Benchmark, Ours("pod 268/272")]
    public byte[] Array() => _big.CallRawBytes(_request);

    /// <summary>By hand there's nothing to borrow from: it's an array of one's own.</summary>
    [Benchmark, Floor("pod 268/272, lease")]
    public int LeaseFloor() => ArrayFloor()[4];

    [Benchmark, Ours("pod 268/272, lease")]
    public int Lease()
    {
        using RawResponse lease = _big.CallRawZeroCopy(_request);
        return lease.Span[4];
    }
}
