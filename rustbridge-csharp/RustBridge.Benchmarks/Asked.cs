using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Methods that ask their host: by hand they know the bare address of a function of ours.</summary>
public unsafe class Asked
{
    private readonly Number _number = new(23);
    private Plugin _bench = null!;
    private Method _ask = null!;
    private Method _askLater = null!;
    private Method _byHand = null!;
    private Method _byHandLater = null!;
    private Method _callback = null!;

    [GlobalSetup]
    public void Setup()
    {
        delegate* unmanaged[Cdecl]<int, int> upcall = &Answer;
        _bench = Libraries.Bench(new PluginConfig
        {
            Json = string.Create(CultureInfo.InvariantCulture, $$"""{"upcall":{{(ulong)upcall}}}"""),
            Services =
            [
                PluginService.Raw("numbers.answer", (request, _) => More(request), PluginEncoding.Pod),
                PluginService.Raw("numbers.add", (request, _) => Sum(request), PluginEncoding.Pod),
                PluginService.RawAsync("numbers.answer_later", (request, _) => ValueTask.FromResult(More(request.Span)), PluginEncoding.Pod),
            ],
        });
        _ask = _bench.Method("ask", PluginEncoding.Pod);
        _askLater = _bench.Method("ask_later", PluginEncoding.Pod);
        _byHand = _bench.Method("ask_by_hand", PluginEncoding.Pod);
        _byHandLater = _bench.Method("ask_by_hand_later", PluginEncoding.Pod);
        _callback = _bench.Method("callback", PluginEncoding.Pod);
        Answers.Agree(Ask(), AskFloor());
        Answers.Agree(AskLater(), AskLaterFloor());
        Answers.Agree(Callback(), 3);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Floor("service sync", Single = true)]
    public int AskFloor() => Call(_byHand);

    [Benchmark, Ours("service sync", Single = true)]
    public int Ask() => Call(_ask);

    [Benchmark, Floor("service async")]
    public int AskLaterFloor() => Begin(_byHandLater);

    [Benchmark, Ours("service async")]
    public int AskLater() => Begin(_askLater);

    [Benchmark, Ours("M callback", Single = true)]
    public long Callback()
    {
        long sum = 0;
        _callback.CallRaw(default, MemoryMarshal.AsBytes(new Span<long>(ref sum)));
        return sum;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Answer(int question) => question + 41;

    private static byte[] More(ReadOnlySpan<byte> question) => Bytes(MemoryMarshal.Read<int>(question) + 41);

    private static byte[] Sum(ReadOnlySpan<byte> request)
    {
        Summands summands = MemoryMarshal.Read<Summands>(request);
        return Bytes(summands.A + summands.B);
    }

    private static byte[] Bytes<T>(T value)
        where T : unmanaged
    {
        byte[] bytes = GC.AllocateUninitializedArray<byte>(sizeof(T));
        MemoryMarshal.Write(bytes, in value);
        return bytes;
    }

    private int Call(Method method)
    {
        Number request = _number;
        return method.CallRaw<Number, Number>(request).Value;
    }

    private int Begin(Method method)
    {
        Number request = _number;
        ValueTask<Number> answer = method.CallRawAsync<Number, Number>(request);
        return answer.IsCompletedSuccessfully ? answer.Result.Value : throw new InvalidOperationException("it waits");
    }
}
