using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Streams: by hand the host asks for what comes next, by one call for a batch of structs and by one for each text.</summary>
public class Streams
{
    private const int Items = 20_000;
    private const int OnTheirWay = 1024;

    private static readonly CallOptions Window = new() { WindowItems = OnTheirWay };

    private readonly Count _end = new(Items);
    private readonly byte[] _text = new byte[64];
    private readonly ulong[] _batch = new ulong[OnTheirWay];
    private Plugin _bench = null!;
    private Method _count = null!;
    private Method _ticks = null!;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _count = _bench.Method("count", PluginEncoding.Pod);
        _ticks = _bench.Method("ticks");
        Answers.Agree(Pods().GetAwaiter().GetResult(), PodsFloor());
        Answers.Agree(Json().GetAwaiter().GetResult(), JsonFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark(OperationsPerInvoke = Items), Floor("stream of pods")]
    public ulong PodsFloor()
    {
        ulong sum = 0;
        for (ulong from = 0; from < Items;)
        {
            int count = StreamsByHand.Count(from, Items, _batch);
            foreach (ulong number in _batch.AsSpan(0, count))
            {
                sum += number;
            }

            from += (ulong)count;
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Items), Ours("stream of pods")]
    public async Task<ulong> Pods()
    {
        ulong sum = 0;
        await foreach (Count item in _count.StreamRawAsync<Count, Count>(_end, Window).ConfigureAwait(false))
        {
            sum += item.Value;
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Items), Floor("stream of JSON")]
    public ulong JsonFloor()
    {
        ulong sum = 0;
        for (ulong from = 0; from < Items; from++)
        {
            int length = StreamsByHand.Tick(from, Items, _text);
            sum += Look(JsonSerializer.Deserialize(_text.AsSpan(0, length), StreamJson.Default.Tick)!);
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Items), Ours("stream of JSON")]
    public async Task<ulong> Json()
    {
        ulong sum = 0;
        IAsyncEnumerable<Tick> ticks = _ticks.StreamAsync(Items, StreamJson.Default.Int32, StreamJson.Default.Tick, Window);
        await foreach (Tick tick in ticks.ConfigureAwait(false))
        {
            sum += Look(tick);
        }

        return sum;
    }

    private static ulong Look(Tick tick) => tick.Number + (tick.IsRound ? 1UL : 0) + (ulong)tick.Name.Length;
}

/// <summary>Asks for a range of items, as many as there is room for.</summary>
internal static unsafe class StreamsByHand
{
    internal static int Count(ulong from, ulong end, Span<ulong> room) =>
        Fetch(&Floor.Count, from, end, MemoryMarshal.AsBytes(room)) / sizeof(ulong);

    internal static int Tick(ulong number, ulong end, Span<byte> room) => Fetch(&Floor.Ticks, number, end, room);

    private static int Fetch(delegate*<byte*, uint, byte*, nuint, byte*, nuint, nuint*, int> floor, ulong from, ulong end, Span<byte> room)
    {
        ulong* range = stackalloc ulong[] { from, end };
        nuint length;
        fixed (byte* response = room)
        {
            Floor.Check(floor(null, 0, (byte*)range, 16, response, (nuint)room.Length, &length));
        }

        return (int)length;
    }
}

/// <summary>An item of a stream of JSON.</summary>
public sealed record Tick(ulong Number, string Name, bool IsRound);

/// <summary>How to read and write them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower)]
[JsonSerializable(typeof(Tick))]
[JsonSerializable(typeof(int))]
internal sealed partial class StreamJson : JsonSerializerContext;
