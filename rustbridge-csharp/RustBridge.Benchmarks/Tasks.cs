using System;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>A hundred tasks of one call each, awaited together, as in the tables; the time is that of all hundred.</summary>
public unsafe class Tasks
{
    private const int Count = 100;

    private Plugin _hello = null!;
    private Method _small = null!;
    private Method _echo = null!;
    private SmallRequest _request;
    private Func<int> _binary = null!;
    private Func<int> _binaryFloor = null!;
    private Func<string> _json = null!;
    private Func<string> _jsonFloor = null!;

    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        _small = _hello.Method(1, PluginEncoding.Pod);
        _echo = _hello.Method("echo");
        SmallRequest.Make(out _request);
        _binary = () => _small.CallRaw<SmallRequest, SmallAnswer>(_request).Sum;
        _binaryFloor = () =>
        {
            SmallAnswer answer;
            nuint length;
            fixed (SmallRequest* source = &_request)
            {
                Floor.Check(Floor.Small(null, 0, (byte*)source, 76, (byte*)&answer, 80, &length));
            }

            return answer.Sum;
        };
        _json = () => _echo.Call(Echo.Hello);
        _jsonFloor = static () => Echo.Text(Echo.Hello);
        Answers.Agree(_binary(), _binaryFloor());
        Answers.Agree(_json(), _jsonFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _hello.Dispose();

    [Benchmark, Floor("A concurrent binary")]
    public Task<int[]> BinaryFloor() => Run(_binaryFloor);

    [Benchmark, Ours("A concurrent binary")]
    public Task<int[]> Binary() => Run(_binary);

    [Benchmark, Floor("A concurrent json")]
    public Task<string[]> JsonFloor() => Run(_jsonFloor);

    [Benchmark, Ours("A concurrent json")]
    public Task<string[]> Json() => Run(_json);

    private static Task<T[]> Run<T>(Func<T> call)
    {
        var tasks = new Task<T>[Count];
        for (int i = 0; i < Count; i++)
        {
            tasks[i] = Task.Run(call);
        }

        return Task.WhenAll(tasks);
    }
}
