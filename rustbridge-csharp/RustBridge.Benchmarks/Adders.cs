using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>Objects of the plugin: by hand an address that nobody checks.</summary>
public unsafe class Adders
{
    private readonly Number _number = new(23);
    private Plugin _bench = null!;
    private Method _new = null!;
    private Method _add = null!;
    private PluginObject _adder = null!;
    private byte* _address;

    [GlobalSetup]
    public void Setup()
    {
        _bench = Libraries.Bench();
        _new = _bench.Method("adder", PluginEncoding.Raw);
        _add = _bench.Method("Adder.add", PluginEncoding.Pod);
        _adder = Make();
        _address = MakeByHand();
        Answers.Agree(Add(), AddFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _adder.Dispose();
        _bench.Dispose();
        Floor.Check(Floor.AdderDrop(_address, 0, null, 0, null, 0, null));
    }

    [Benchmark, Floor("object method", Single = true)]
    public int AddFloor()
    {
        Number request = _number;
        int sum;
        nuint length;
        Floor.Check(Floor.AdderAdd(_address, 0, (byte*)&request, 4, (byte*)&sum, 4, &length));
        return sum;
    }

    [Benchmark, Ours("object method", Single = true)]
    public int Add()
    {
        Number request = _number;
        return _adder.CallRaw<Number, Number>(_add, request).Value;
    }

    [Benchmark, Floor("object create and drop")]
    public void CreateFloor() => Floor.Check(Floor.AdderDrop(MakeByHand(), 0, null, 0, null, 0, null));

    [Benchmark, Ours("object create and drop")]
    public void Create() => Make().Dispose();

    private PluginObject Make()
    {
        var reply = new CallReply();
        _new.CallRawBytes(default, new CallOptions { Reply = reply });
        return reply.Objects[0];
    }

    private static byte* MakeByHand()
    {
        byte* made;
        Floor.Check(Floor.AdderNew(null, 0, null, 0, (byte*)&made, (nuint)sizeof(byte*), null));
        return made;
    }
}
