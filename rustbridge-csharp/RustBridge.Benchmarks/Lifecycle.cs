using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>What happens besides calls. Nothing written by hand does the same.</summary>
public class Lifecycle
{
    private Plugin _hello = null!;
    private Plugin _conformance = null!;

    /// <summary>One instance stays, so that the library is mapped.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        _conformance = Libraries.Conformance();
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _hello.Dispose();
        _conformance.Dispose();
    }

    [Benchmark, Ours("load, call, close: mapped before")]
    public string LoadCallClose()
    {
        using Plugin plugin = Libraries.Hello();
        return plugin.Call("echo", Echo.Hello);
    }

    [Benchmark, Ours("A json latency")]
    public string ByName() => _hello.Call("echo", """{"message": "benchmark test"}""");

    [Benchmark, Ours("error, message read")]
    public int Error()
    {
        try
        {
            return _conformance.CallRawBytes("raw.fail", "why"u8).Length;
        }
        catch (PluginException error)
        {
            return error.Message.Length;
        }
    }
}
