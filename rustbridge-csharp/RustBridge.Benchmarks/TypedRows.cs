using System;
using System.Linq;
using BenchmarkDotNet.Attributes;
using RustBridge.Benchmarks.Clients;

namespace RustBridge.Benchmarks;

/// <summary>One scenario for each way in which typed values travel, through the client that is generated of the plugin.</summary>
public class TypedRows
{
    private readonly TypedFloor _byHand = new();
    private readonly Item[] _items =
        Enumerable.Range(1, 100).Select(number => new Item((uint)number, $"item number {number}", number * 1.25)).ToArray();

    private readonly double[] _doubles = Enumerable.Range(0, 1000).Select(i => 0.5 * i).ToArray();
    private Plugin _plugin = null!;
    private Bench _bench = null!;

    [GlobalSetup]
    public void Setup()
    {
        _plugin = Libraries.Bench();
        _bench = new Bench(_plugin);
        Answers.Agree(Text(), TextFloor());
        Answers.Agree(Reading(), ReadingFloor());
        Answers.Agree(Around(), AroundFloor());
        if (!Records().SequenceEqual(RecordsFloor()) || !Doubles().SequenceEqual(DoublesFloor()))
        {
            throw new InvalidOperationException("ours answers otherwise than the floor");
        }

        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _plugin.Dispose();

    [Benchmark, Floor("typed text")]
    public Greeting TextFloor() => _byHand.Greet(new Person("Ada Lovelace"));

    [Benchmark, Ours("typed text")]
    public Greeting Text() => _bench.Greet(new Person("Ada Lovelace"));

    [Benchmark, Floor("typed numbers")]
    public Reading ReadingFloor() => _byHand.NextReading(new Reading(7, 1_700_000_000, -1.5, 3.25, 0.5f, 11));

    [Benchmark, Ours("typed numbers")]
    public Reading Reading() => _bench.NextReading(new Reading(7, 1_700_000_000, -1.5, 3.25, 0.5f, 11));

    [Benchmark, Floor("typed 100 records")]
    public Item[] RecordsFloor() => _byHand.Discount(_items);

    [Benchmark, Ours("typed 100 records")]
    public Item[] Records() => _bench.Discount(_items);

    [Benchmark, Floor("typed enum")]
    public Clients.Shape AroundFloor() => _byHand.Around(new Clients.Shape.Rectangle(3, 4));

    [Benchmark, Ours("typed enum")]
    public Clients.Shape Around() => _bench.Around(new Clients.Shape.Rectangle(3, 4));

    [Benchmark, Floor("typed 1000 doubles")]
    public double[] DoublesFloor() => _byHand.Twice(_doubles);

    [Benchmark, Ours("typed 1000 doubles")]
    public double[] Doubles() => _bench.Twice(_doubles);
}
