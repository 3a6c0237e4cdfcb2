using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Benchmarks;

/// <summary>Two numbers: the first of the structs that the measured methods take and give.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Pair(int A, int B);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct PairAnswer(int Sum, int Xor);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Point(int X, int Y);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Shape(Point Origin, Point First, Point Second, ulong Id);

/// <summary>Request of <c>math.add</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Summands(long A, long B);

/// <summary>Response of <c>math.add</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Sum(long Result);

/// <summary>Request of <c>div</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Division(long A, long B);

/// <summary>Response of <c>div</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Quotient(double Value);

/// <summary>Request and response of <c>get_answer</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Number(int Value);

/// <summary>Request and items of <c>count</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Count(ulong Value);

/// <summary>Request of <c>bench.small</c>, 76 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SmallRequest
{
    internal byte Version;
    internal fixed byte Reserved[3];
    internal fixed byte Key[64];
    internal uint KeyLen;
    internal uint Flags;

    private static ReadOnlySpan<byte> BenchKey => "bench_key"u8;

    /// <summary>Makes the request {version 1, key "bench_key", flags 1}, as in the other languages' benchmarks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Make(out SmallRequest request)
    {
        request = default;
        request.Version = 1;
        BenchKey.CopyTo(MemoryMarshal.CreateSpan(ref request.Key[0], 64));
        request.KeyLen = (uint)BenchKey.Length;
        request.Flags = 1;
    }
}

/// <summary>Response of <c>bench.small</c>, 80 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SmallAnswer
{
    internal byte Version;
    internal fixed byte Reserved[3];
    internal fixed byte Value[64];
    internal uint ValueLen;
    internal uint TtlSeconds;
    internal byte CacheHit;
    internal fixed byte Padding[3];

    /// <summary>Something to return, so that the answer has to be there.</summary>
    internal readonly int Sum => (int)(ValueLen + TtlSeconds) + CacheHit;
}
