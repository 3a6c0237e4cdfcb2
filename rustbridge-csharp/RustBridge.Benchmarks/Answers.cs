using System;

namespace RustBridge.Benchmarks;

/// <summary>Refuses to measure what answers wrongly: a floor that does other work would be none.</summary>
internal static class Answers
{
    internal static void Agree(ReadOnlySpan<byte> ours, ReadOnlySpan<byte> floor)
    {
        if (!ours.SequenceEqual(floor))
        {
            throw new InvalidOperationException(
                $"ours answers {Convert.ToHexString(Start(ours))}, the floor {Convert.ToHexString(Start(floor))}");
        }
    }

    internal static void Agree<T>(T ours, T floor)
        where T : IEquatable<T>
    {
        if (!ours.Equals(floor))
        {
            throw new InvalidOperationException($"ours answers {ours}, the floor {floor}");
        }
    }

    private static ReadOnlySpan<byte> Start(ReadOnlySpan<byte> bytes) => bytes[..Math.Min(bytes.Length, 80)];
}
