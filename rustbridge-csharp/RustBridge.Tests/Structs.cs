using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Tests;

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct PairPod(int A, int B);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct SumXor(int Sum, int Xor);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Add(long A, long B);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Sum(long Result);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct PointPod(int X, int Y);

[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Shape(PointPod Origin, Corners Corners, ulong Id);

[InlineArray(2)]
internal struct Corners
{
    private PointPod _first;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SmallPodRequest
{
    internal byte Version;
    internal fixed byte Reserved[3];
    internal fixed byte Key[64];
    internal uint KeyLen;
    internal uint Flags;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SmallPodResponse
{
    internal byte Version;
    internal fixed byte Reserved[3];
    internal fixed byte Value[64];
    internal uint ValueLen;
    internal uint TtlSeconds;
    internal byte CacheHit;
    internal fixed byte Padding[3];
}

[InlineArray(66)]
internal struct Numbers
{
    private uint _first;
}

[StructLayout(LayoutKind.Sequential)]
internal struct Big
{
    internal uint Tag;
    internal Numbers Values;
}

[StructLayout(LayoutKind.Sequential)]
internal struct BigAnswer
{
    internal uint Tag;
    internal uint Count;
    internal Numbers Values;
}
