using System;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>One instance called from several threads at once, in loops; the time is that of one call on one thread.</summary>
public unsafe class Threads
{
    /// <summary>Milliseconds of work, so that gathering the threads doesn't count.</summary>
    private const int SmallCalls = 400_000;
    private const int EchoCalls = 40_000;

    private Plugin _hello = null!;
    private Method _small = null!;
    private Method _echo = null!;
    private SmallRequest _request;
    private Crew _crew = null!;
    private Func<int> _smallWork = null!;
    private Func<int> _smallFloorWork = null!;
    private Func<int> _echoWork = null!;
    private Func<int> _echoFloorWork = null!;
    private int _smallCalls;
    private int _echoCalls;

    /// <summary>How many.</summary>
    [Params(1, 2, 4, 8)]
    public int Together { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        _small = _hello.Method(1, PluginEncoding.Pod);
        _echo = _hello.Method("echo");
        SmallRequest.Make(out _request);
        _smallWork = SmallLoop;
        _smallFloorWork = SmallFloorLoop;
        _echoWork = EchoLoop;
        _echoFloorWork = EchoFloorLoop;
        _smallCalls = _echoCalls = 100;
        Answers.Agree(SmallLoop(), SmallFloorLoop());
        Answers.Agree(_echo.Call(Echo.Hello), Echo.Text(Echo.Hello));
        _crew = new Crew(Together);
        WarmUp.Once(this);
        _smallCalls = SmallCalls;
        _echoCalls = EchoCalls;
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _crew.Dispose();
        _hello.Dispose();
    }

    [Benchmark(OperationsPerInvoke = SmallCalls), Floor("bench.small 76/80")]
    public int SmallFloor() => _crew.Run(_smallFloorWork);

    [Benchmark(OperationsPerInvoke = SmallCalls), Ours("bench.small 76/80")]
    public int Small() => _crew.Run(_smallWork);

    [Benchmark(OperationsPerInvoke = EchoCalls), Floor("json echo 13 B")]
    public int TextFloor() => _crew.Run(_echoFloorWork);

    [Benchmark(OperationsPerInvoke = EchoCalls), Ours("json echo 13 B")]
    public int Text() => _crew.Run(_echoWork);

    /// <summary>A single operation; <see cref="SmallFloor"/> is a loop of them.</summary>
    [Floor("bench.small 76/80", Single = true)]
    public int OneSmallFloor()
    {
        SmallRequest request = _request;
        SmallAnswer answer;
        nuint length;
        Floor.Check(Floor.Small(null, 0, (byte*)&request, 76, (byte*)&answer, 80, &length));
        return answer.Sum;
    }

    /// <summary>A single operation; <see cref="Small"/> is a loop of them.</summary>
    [Ours("bench.small 76/80", Single = true)]
    public int OneSmall()
    {
        SmallRequest request = _request;
        return _small.CallRaw<SmallRequest, SmallAnswer>(request).Sum;
    }

    /// <summary>A single operation; <see cref="TextFloor"/> is a loop of them.</summary>
    [Floor("json echo 13 B", Single = true)]
    public string OneTextFloor() => Echo.Text(Echo.Hello);

    /// <summary>A single operation; <see cref="Text"/> is a loop of them.</summary>
    [Ours("json echo 13 B", Single = true)]
    public string OneText() => _echo.Call(Echo.Hello);

    private int SmallLoop()
    {
        SmallRequest request = _request;
        int sum = 0;
        for (int i = 0; i < _smallCalls; i++)
        {
            sum += _small.CallRaw<SmallRequest, SmallAnswer>(request).Sum;
        }

        return sum;
    }

    private int SmallFloorLoop()
    {
        SmallRequest request = _request;
        int sum = 0;
        for (int i = 0; i < _smallCalls; i++)
        {
            SmallAnswer answer;
            nuint length;
            Floor.Check(Floor.Small(null, 0, (byte*)&request, 76, (byte*)&answer, 80, &length));
            sum += answer.Sum;
        }

        return sum;
    }

    private int EchoLoop()
    {
        int sum = 0;
        for (int i = 0; i < _echoCalls; i++)
        {
            sum += _echo.Call(Echo.Hello).Length;
        }

        return sum;
    }

    private int EchoFloorLoop()
    {
        int sum = 0;
        for (int i = 0; i < _echoCalls; i++)
        {
            sum += Echo.Text(Echo.Hello).Length;
        }

        return sum;
    }
}
