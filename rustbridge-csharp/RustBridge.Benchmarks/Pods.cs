using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>
/// Small structs: a leaf method, an ordinary one, and the tables' <c>bench.small</c>. Both sides call with a copy on the
/// stack, since pinning a field of an object has a price of its own.
/// </summary>
public unsafe class Pods
{
    private Plugin _conformance = null!;
    private Plugin _hello = null!;
    private Method _add = null!;
    private Method _nested = null!;
    private Method _small = null!;
    private readonly Pair _pair = new(20, 22);
    private readonly Shape _shape = new(new Point(1, 2), new Point(3, 4), new Point(5, 6), 7);

    [GlobalSetup]
    public void Setup()
    {
        _conformance = Libraries.Conformance();
        _hello = Libraries.Hello();
        _add = _conformance.Method("pod.add32", PluginEncoding.Pod);
        _nested = _conformance.Method("pod.nested", PluginEncoding.Pod);
        _small = _hello.Method(1, PluginEncoding.Pod);
        if (!_add.IsLeaf || _nested.IsLeaf || !_small.IsLeaf)
        {
            throw new InvalidOperationException("the floors don't call as the plugin's methods do");
        }

        Answers.Agree(_add.CallRaw<Pair, PairAnswer>(_pair), AddByHand(_pair));
        Answers.Agree(_nested.CallRaw<Shape, Shape>(_shape), NestedByHand(_shape));
        SmallRequest.Make(out SmallRequest request);
        SmallAnswer ours = _small.CallRaw<SmallRequest, SmallAnswer>(request);
        SmallAnswer floor = SmallByHand(request);
        Answers.Agree(new ReadOnlySpan<byte>(&ours, sizeof(SmallAnswer)), new ReadOnlySpan<byte>(&floor, sizeof(SmallAnswer)));
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _conformance.Dispose();
        _hello.Dispose();
    }

    [Benchmark, Floor("pod 8/8")]
    public int AddFloor() => AddByHand(_pair).Sum;

    [Benchmark, Ours("pod 8/8")]
    public int Add()
    {
        Pair request = _pair;
        return _add.CallRaw<Pair, PairAnswer>(request).Sum;
    }

    [Benchmark, Floor("pod 32/32, ordinary")]
    public int NestedFloor() => NestedByHand(_shape).Origin.X;

    [Benchmark, Ours("pod 32/32, ordinary")]
    public int Nested()
    {
        Shape request = _shape;
        return _nested.CallRaw<Shape, Shape>(request).Origin.X;
    }

    [Benchmark, Floor("bench.small 76/80, request built inside")]
    public int SmallFloor()
    {
        SmallRequest.Make(out SmallRequest request);
        return SmallByHand(request).Sum;
    }

    [Benchmark, Ours("bench.small 76/80, request built inside")]
    public int Small()
    {
        SmallRequest.Make(out SmallRequest request);
        return _small.CallRaw<SmallRequest, SmallAnswer>(request).Sum;
    }

    private static PairAnswer AddByHand(Pair request)
    {
        PairAnswer answer;
        nuint length;
        Floor.Check(Floor.Pod8(null, 0, (byte*)&request, 8, (byte*)&answer, 8, &length));
        return answer;
    }

    private static Shape NestedByHand(Shape request)
    {
        Shape answer;
        nuint length;
        Floor.Check(Floor.Nested(null, 0, (byte*)&request, 32, (byte*)&answer, 32, &length));
        return answer;
    }

    private static SmallAnswer SmallByHand(in SmallRequest request)
    {
        SmallAnswer answer;
        nuint length;
        fixed (SmallRequest* source = &request)
        {
            Floor.Check(Floor.Small(null, 0, (byte*)source, 76, (byte*)&answer, 80, &length));
        }

        return answer;
    }
}
