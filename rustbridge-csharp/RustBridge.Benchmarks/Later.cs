using System;
using System.Threading;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Calls that end later.</summary>
public class Later
{
    private const int Awaited = 64;

    private readonly Number _number = new(23);
    private readonly ValueTask<Number>[] _calls = new ValueTask<Number>[Awaited];
    private readonly Task<int>[] _tasks = new Task<int>[Awaited];
    private Plugin _bench = null!;
    private Method _plain = null!;
    private Method _ready = null!;
    private Method _later = null!;
    private Method _never = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _plain = _bench.Method("plain", PluginEncoding.Pod);
        _ready = _bench.Method("ready", PluginEncoding.Pod);
        _later = _bench.Method("later", PluginEncoding.Pod);
        _never = _bench.Method("never", PluginEncoding.Raw);
        Answers.Agree(Plain(), PlainFloor());
        Answers.Agree(Ready(), ReadyFloor());
        Answers.Agree(Alone().GetAwaiter().GetResult(), AloneFloor().GetAwaiter().GetResult());
        Answers.Agree(Together().GetAwaiter().GetResult(), TogetherFloor().GetAwaiter().GetResult());
        Answers.Agree(Cancel().GetAwaiter().GetResult(), CancelFloor().GetAwaiter().GetResult());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("plain call", Single = true)]
    public int PlainFloor() => LaterByHand.Plain(_number);

    [Benchmark, Ours("plain call", Single = true)]
    public int Plain()
    {
        Number request = _number;
        return _plain.CallRaw<Number, Number>(request).Value;
    }

    [Benchmark, Floor("ready", Single = true)]
    public int ReadyFloor() => PlainFloor();

    [Benchmark, Ours("ready", Single = true)]
    public int Ready()
    {
        Number request = _number;
        ValueTask<Number> answer = _ready.CallRawAsync<Number, Number>(request);
        return answer.IsCompletedSuccessfully ? answer.Result.Value : throw new InvalidOperationException("it waits");
    }

    [Benchmark(OperationsPerInvoke = Awaited), Floor("pending alone")]
    public async Task<int> AloneFloor()
    {
        int sum = 0;
        for (int i = 0; i < Awaited; i++)
        {
            sum += await LaterByHand.Begin(_number).ConfigureAwait(false);
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Awaited), Ours("pending alone")]
    public async Task<int> Alone()
    {
        int sum = 0;
        for (int i = 0; i < Awaited; i++)
        {
            sum += (await _later.CallRawAsync<Number, Number>(_number).ConfigureAwait(false)).Value;
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Awaited), Floor("pending 64 in flight")]
    public async Task<int> TogetherFloor()
    {
        for (int i = 0; i < Awaited; i++)
        {
            _tasks[i] = LaterByHand.Begin(_number);
        }

        int sum = 0;
        for (int i = 0; i < Awaited; i++)
        {
            sum += await _tasks[i].ConfigureAwait(false);
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Awaited), Ours("pending 64 in flight")]
    public async Task<int> Together()
    {
        for (int i = 0; i < Awaited; i++)
        {
#pragma warning disable CA2012 // Each is awaited once, below.
            _calls[i] = _later.CallRawAsync<Number, Number>(_number);
#pragma warning restore CA2012
        }

        int sum = 0;
        for (int i = 0; i < Awaited; i++)
        {
            sum += (await _calls[i].ConfigureAwait(false)).Value;
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Awaited), Floor("cancel")]
    public async Task<int> CancelFloor()
    {
        int cancelled = 0;
        for (int i = 0; i < Awaited; i++)
        {
            (Task<int> task, nint abort) = LaterByHand.Never();
            LaterByHand.Abort(abort);
            cancelled += await task.ConfigureAwait(false) < 0 ? 1 : 0;
        }

        return cancelled;
    }

    [Benchmark(OperationsPerInvoke = Awaited), Ours("cancel")]
    public async Task<int> Cancel()
    {
        int cancelled = 0;
        for (int i = 0; i < Awaited; i++)
        {
            using var source = new CancellationTokenSource();
            ValueTask<byte[]> call = _never.CallRawBytesAsync(default, null, source.Token);
            await source.CancelAsync().ConfigureAwait(false);
            try
            {
                await call.ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                cancelled++;
            }
        }

        return cancelled;
    }
}
