using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The founding tables: calls by the method's name, with texts that exist already.</summary>
public class Tables
{
    private const int Loop = 1000;
    private const string Latency = """{"message": "benchmark test"}""";

    private readonly string _medium = $$"""{"message":"{{new string('x', 900)}}"}""";
    private readonly string _large = $$"""{"message":"{{new string('x', 100_000)}}"}""";
    private Plugin _hello = null!;
    private SmallRequest _request;

    [GlobalSetup]
    public void Setup()
    {
        SmallRequest.Make(out _request);
        _hello = Libraries.Hello();
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _hello.Dispose();

    [Benchmark, Ours("A json latency")]
    public string ByName() => _hello.Call("echo", Latency);

    [Benchmark, Ours("A json latency, object to object")]
    public EchoAnswer Objects() =>
        _hello.Call("echo", new EchoRequest("benchmark test"), ObjectJson.Default.EchoRequest, ObjectJson.Default.EchoAnswer);

    [Benchmark(OperationsPerInvoke = Loop), Ours("A throughput json")]
    public int JsonThroughput()
    {
        int sum = 0;
        for (int i = 0; i < Loop; i++)
        {
            sum += _hello.Call("echo", Latency).Length;
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Loop), Ours("A throughput binary")]
    public int BinaryThroughput()
    {
        SmallRequest request = _request;
        int sum = 0;
        for (int i = 0; i < Loop; i++)
        {
            sum += _hello.CallRaw<SmallRequest, SmallAnswer>("bench.small", request).Sum;
        }

        return sum;
    }

    [Benchmark, Ours("A small echo")]
    public string SmallEcho() => _hello.Call("echo", """{"message":"hello world from benchmark"}""");

    [Benchmark, Ours("A small greet")]
    public string SmallGreet() => _hello.Call("greet", """{"name":"BenchmarkUser"}""");

    [Benchmark, Ours("A small math.add")]
    public string SmallAdd() => _hello.Call("math.add", """{"a":123456789,"b":987654321}""");

    [Benchmark, Ours("A medium echo")]
    public string MediumEcho() => _hello.Call("echo", _medium);

    [Benchmark, Ours("A large echo")]
    public string LargeEcho() => _hello.Call("echo", _large);
}
