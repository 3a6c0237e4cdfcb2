using System;
using System.Linq;
using BenchmarkDotNet.Attributes;
using RustBridge.Benchmarks.Clients;
using RustBridge.Wire;

namespace RustBridge.Benchmarks;

/// <summary>The scenarios of others once more, through the client that is generated of the plugin.</summary>
public class Typed
{
    private readonly Numbers _byHand = new();
    private readonly long[] _numbers = Enumerable.Range(1, 1000).Select(number => (long)number).ToArray();
    private Plugin _plugin = null!;
    private Bench _bench = null!;

    [GlobalSetup]
    public void Setup()
    {
        _plugin = Libraries.Bench();
        _bench = new Bench(_plugin);
        Answers.Agree(Divide(), DivideFloor());
        Answers.Agree(Answer(), AnswerFloor());
        Answers.Agree(Join(), "hello,world");
        Answers.Agree(AddUp(), 500_500);
        Clients.Students students = Tree();
        Clients.Student last = students.Students_[^1];
        if (students.Students_.Length != 34 || last.Schools[^1].Emails[^1].Length != 37 || last.Subjects[^1].Text.Length != 16)
        {
            throw new InvalidOperationException("these aren't the students");
        }

        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _plugin.Dispose();

    [Benchmark, Floor("M primitive, typed")]
    public double DivideFloor() => _byHand.DivideFloor();

    [Benchmark, Ours("M primitive, typed")]
    public double Divide() => _bench.Divide(10, 2);

    [Benchmark, Floor("get_answer, typed")]
    public int AnswerFloor() => _byHand.AnswerFloor();

    [Benchmark, Ours("get_answer, typed")]
    public int Answer() => _bench.AnswerTo(23);

    [Benchmark, Ours("M string join, typed")]
    public string Join() => _bench.JoinTexts(["hello", "world"]);

    [Benchmark, Ours("M sum 1000, typed")]
    public long AddUp() => _bench.AddUp(_numbers);

    [Benchmark, Ours("error, message read, typed")]
    public string Fail()
    {
        try
        {
            return $"no failure: {_bench.Divide(1, 0)}";
        }
        catch (PluginException failure)
        {
            return failure.Message;
        }
    }

    [Benchmark, Ours("get_structs, typed")]
    public Clients.Students Tree() => _bench.GetStructs();
}

/// <summary>A list of values of different types, through the client that is generated of the plugin.</summary>
public class TypedAny
{
    private Plugin _plugin = null!;
    private Bench _bench = null!;
    private Clients.Values _values = new([]);

    /// <summary>How many.</summary>
    [Params(100, 10_000)]
    public int Count { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        DynamicValue[] items = [1L, "two", 3.0];
        _values = new Clients.Values(Enumerable.Range(0, Count).Select(i => items[i % items.Length]).ToArray());
        _plugin = Libraries.Bench();
        _bench = new Bench(_plugin);
        Answers.Agree(Echo(), _values);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _plugin.Dispose();

    [Benchmark, Ours("M any {Count}, typed")]
    public Clients.Values Echo() => _bench.Any(_values);
}
