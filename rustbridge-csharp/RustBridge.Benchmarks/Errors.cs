using System;
using System.Text;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>A call that fails: the exception is thrown, caught, and its message read.</summary>
public unsafe class Errors
{
    private Plugin _conformance = null!;
    private Method _fail = null!;

    [GlobalSetup]
    public void Setup()
    {
        _conformance = Libraries.Conformance();
        _fail = _conformance.Method("raw.fail", PluginEncoding.Raw);
        Answers.Agree(Error(), ErrorFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _conformance.Dispose();

    [Benchmark, Floor("error, message read", Single = true)]
    public int ErrorFloor()
    {
        try
        {
            FailByHand("Error"u8);
            return 0;
        }
        catch (InvalidOperationException error)
        {
            return error.Message.Length;
        }
    }

    [Benchmark, Ours("error, message read", Single = true)]
    public int Error()
    {
        try
        {
            return _fail.CallRawBytes("Error"u8).Length;
        }
        catch (PluginException error)
        {
            return error.Message.Length;
        }
    }

    private static void FailByHand(ReadOnlySpan<byte> why)
    {
        byte* room = stackalloc byte[256];
        nuint length;
        fixed (byte* request = why)
        {
            if (Floor.RawFail(null, 0, request, (nuint)why.Length, room, 256, &length) != 0)
            {
                throw new InvalidOperationException(Encoding.UTF8.GetString(room, (int)length));
            }
        }
    }
}
