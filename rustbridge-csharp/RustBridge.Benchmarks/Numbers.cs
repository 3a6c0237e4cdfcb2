using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Calls that do nothing, or next to nothing, with numbers of the host's.</summary>
public unsafe class Numbers
{
    private readonly Division _division = new(10, 2);
    private readonly Summands _summands = new(123_456_789, 987_654_321);
    private readonly Number _number = new(23);
    private Plugin _bench = null!;
    private Plugin _hello = null!;
    private Method _void = null!;
    private Method _div = null!;
    private Method _answer = null!;
    private Method _add = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _hello = Libraries.Hello();
        _void = _bench.Method("void", PluginEncoding.Raw);
        _div = _bench.Method("div", PluginEncoding.Pod);
        _answer = _bench.Method("get_answer", PluginEncoding.Pod);
        _add = _hello.Method("math.add", PluginEncoding.Pod);
        if (!_void.IsLeaf || !_div.IsLeaf || !_answer.IsLeaf || !_add.IsLeaf)
        {
            throw new InvalidOperationException("the floors don't call as the plugin's methods do");
        }

        Answers.Agree(Empty(), EmptyFloor());
        Answers.Agree(Divide(), DivideFloor());
        Answers.Agree(Answer(), AnswerFloor());
        Answers.Agree(Add(), AddFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _bench.Dispose();
        _hello.Dispose();
    }

    [Benchmark, Floor("empty call", Single = true)]
    public int EmptyFloor()
    {
        nuint length = 0;
        Floor.Check(Floor.Empty(null, 0, null, 0, null, 0, &length));
        return (int)length;
    }

    [Benchmark, Ours("empty call", Single = true)]
    public int Empty() => _void.CallRaw(default, default);

    [Benchmark, Floor("M primitive", Single = true)]
    public double DivideFloor()
    {
        Division request = _division;
        double quotient;
        nuint length;
        Floor.Check(Floor.Div(null, 0, (byte*)&request, 16, (byte*)&quotient, 8, &length));
        return quotient;
    }

    [Benchmark, Ours("M primitive", Single = true)]
    public double Divide()
    {
        Division request = _division;
        return _div.CallRaw<Division, Quotient>(request).Value;
    }

    [Benchmark, Floor("get_answer", Single = true)]
    public int AnswerFloor()
    {
        Number request = _number;
        int answer;
        nuint length;
        Floor.Check(Floor.Answer(null, 0, (byte*)&request, 4, (byte*)&answer, 4, &length));
        return answer;
    }

    [Benchmark, Ours("get_answer", Single = true)]
    public int Answer()
    {
        Number request = _number;
        return _answer.CallRaw<Number, Number>(request).Value;
    }

    [Benchmark, Floor("math.add 16/8")]
    public long AddFloor()
    {
        Summands request = _summands;
        long sum;
        nuint length;
        Floor.Check(Floor.Add16(null, 0, (byte*)&request, 16, (byte*)&sum, 8, &length));
        return sum;
    }

    [Benchmark, Ours("math.add 16/8")]
    public long Add()
    {
        Summands request = _summands;
        return _add.CallRaw<Summands, Sum>(request).Result;
    }
}
