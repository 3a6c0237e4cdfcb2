using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>What happens besides calls. Nothing written by hand does the same.</summary>
public class Lifecycle
{
    private Plugin _hello = null!;

    /// <summary>One instance stays, so that the library is mapped.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _hello.Dispose();

    [Benchmark, Ours("load, call, close: mapped before")]
    public string LoadCallClose()
    {
        using Plugin plugin = Libraries.Hello();
        return plugin.Call("echo", Echo.Hello);
    }
}
