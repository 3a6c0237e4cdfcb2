using System;
using System.Text;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>MetaFFI's object. What it costs by hand <see cref="Adders"/> says.</summary>
public class Greeters
{
    private const string Greeting = "Hello from SomeClass bench";

    private Plugin _bench = null!;
    private Method _new = null!;
    private Method _greet = null!;
    private PluginObject _greeter = null!;
    private CallOptions _lent = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _new = _bench.Method("some_class", PluginEncoding.Raw);
        _greet = _bench.Method("SomeClass.greet", PluginEncoding.Raw);
        _greeter = Make();
        _lent = new CallOptions { Objects = [_greeter] };
        Answers.Agree(Greet(), Greeting);
        Answers.Agree(Whole(), Greeting);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _greeter.Dispose();
        _bench.Dispose();
    }

    [Benchmark, Ours("M object method", Single = true)]
    public string Whole()
    {
        using PluginObject greeter = Make();
        return Encoding.UTF8.GetString(_greet.CallRawBytes(default, new CallOptions { Objects = [greeter] }));
    }

    [Benchmark, Ours("M method on an existing object", Single = true)]
    public string Greet() => Encoding.UTF8.GetString(_greet.CallRawBytes(default, _lent));

    [Benchmark, Ours("M create and drop", Single = true)]
    public string Create()
    {
        Make().Dispose();
        return "";
    }

    private PluginObject Make()
    {
        var reply = new CallReply();
        _new.CallRawBytes("bench"u8, new CallOptions { Reply = reply });
        return reply.Objects[0];
    }
}
