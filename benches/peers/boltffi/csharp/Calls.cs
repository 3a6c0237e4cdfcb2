using System;
using System.Linq;
using BenchmarkDotNet.Attributes;
using Peers.Boltffi;
using RustBridge.Benchmarks;

namespace Peers;

/// <summary>
/// What every peer does, by BoltFFI's generated C#. A benchmark's description is its scenario in the catalogue; requests exist
/// before, except what the scenario makes within the timing.
/// </summary>
public class Calls
{
    private const string Text = "{\"message\":\"Hello, World!\"}";
    private const string Reason = "Error";

    private readonly Pair _pair = new(40, 2);
    private readonly Wanted _wanted = new("bench_key", 1);
    private readonly long[] _thousand = Numbers(1000);
    private readonly long[] _tenThousand = Numbers(10_000);
    private readonly double[] _fractions = Enumerable.Range(0, 1000).Select(number => 0.5 * number).ToArray();
    private readonly Item[] _items =
        Enumerable.Range(1, 100).Select(number => new Item((uint)number, $"item number {number}", number)).ToArray();

    private static long[] Numbers(int count) => Enumerable.Range(1, count).Select(number => (long)number).ToArray();

    /// <summary>Refuses to measure what answers wrongly.</summary>
    [GlobalSetup]
    public void Check()
    {
        Empty();
        PairAnswer added = Pod8();
        Expect("42 42", $"{added.Sum} {added.Xor}");
        Found found = Small();
        Expect("value_for_bench_key 3600 True", $"{found.Value} {found.TtlSeconds} {found.CacheHit}");
        Expect("{\"message\":\"Hello, World!\",\"length\":13}", Echo());
        Expect(5.0, Primitive());
        Expect("hello,world", Join());
        Expect(500_500L, Sum1000());
        Expect(50_005_000L, Sum10000());
        Expect(Reason, Error());
        Expect(64, Answer());
        foreach (byte[] blob in new[] { Blob64K(), Blob1M() })
        {
            Expect("250 0", $"{blob[250]} {blob[251]}");
        }

        Expect(1 << 20, Blob1M().Length);
        Student[] students = Structs();
        Expect(34, students.Length);
        Expect(34, students[33].Schools[33].Emails.Length);
        Expect("Hello, Ada Lovelace!", Greet().Text);
        Reading next = Next();
        Expect("7 1060 -3 5 12", $"{next.Instrument} {next.At} {next.Low} {next.High} {next.Count}");
        Expect(new Item(2, "item number 2", 1.0), Discount()[1]);
        Expect(new Shape.Circle(2.5), Around());
        Expect(999.0, Twice()[999]);
        Expect(64, Ready());
        WarmUp.Once(this);
    }

    private static void Expect<T>(T expected, T found)
    {
        if (!Equals(expected, found))
        {
            throw new InvalidOperationException($"expected {expected}, but got {found}");
        }
    }

    [Benchmark(Description = "empty call")]
    public void Empty() => PeerBoltffi.Empty();

    [Benchmark(Description = "pod 8/8")]
    public PairAnswer Pod8() => PeerBoltffi.Pod8(_pair);

    [Benchmark(Description = "bench.small 76/80")]
    public Found Small() => PeerBoltffi.Small(_wanted);

    [Benchmark(Description = "json echo 13 B")]
    public string Echo() => PeerBoltffi.EchoJson(Text);

    [Benchmark(Description = "M primitive")]
    public double Primitive() => PeerBoltffi.Div(10, 2);

    [Benchmark(Description = "M string join")]
    public string Join() => PeerBoltffi.Join(["hello", "world"]);

    [Benchmark(Description = "M sum 1000")]
    public long Sum1000() => PeerBoltffi.Sum(_thousand);

    [Benchmark(Description = "M sum 10000")]
    public long Sum10000() => PeerBoltffi.Sum(_tenThousand);

    [Benchmark(Description = "error, message read")]
    public string Error()
    {
        try
        {
            PeerBoltffi.Fail(Reason);
            return "";
        }
        catch (FailureException failure)
        {
            return failure.Error.Reason;
        }
    }

    [Benchmark(Description = "get_answer")]
    public int Answer() => PeerBoltffi.Answer(23);

    [Benchmark(Description = "get_blob 64 KB")]
    public byte[] Blob64K() => PeerBoltffi.Blob(1 << 16);

    [Benchmark(Description = "get_blob 1 MB")]
    public byte[] Blob1M() => PeerBoltffi.Blob(1 << 20);

    [Benchmark(Description = "get_structs")]
    public Student[] Structs() => PeerBoltffi.Structs();

    [Benchmark(Description = "typed text")]
    public Greeting Greet() => PeerBoltffi.Greet(new Person("Ada Lovelace"));

    [Benchmark(Description = "typed numbers")]
    public Reading Next() => PeerBoltffi.NextReading(new Reading(7, 1000, -1.0, 3.0, 0.5f, 11));

    [Benchmark(Description = "typed 100 records")]
    public Item[] Discount() => PeerBoltffi.Discount(_items);

    [Benchmark(Description = "typed enum")]
    public Shape Around() => PeerBoltffi.Around(new Shape.Rectangle(3.0, 4.0));

    [Benchmark(Description = "typed 1000 doubles")]
    public double[] Twice() => PeerBoltffi.Twice(_fractions);

    /// <summary>Waits for what is there at once, on the caller's thread.</summary>
    [Benchmark(Description = "ready")]
    public int Ready() => PeerBoltffi.Ready(23).GetAwaiter().GetResult();
}
