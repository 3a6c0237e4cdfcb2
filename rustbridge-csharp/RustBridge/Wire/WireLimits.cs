using System;

namespace RustBridge.Wire;

/// <summary>How large and how deep messages are.</summary>
internal static class WireLimits
{
    /// <summary>How many values of types that may hold themselves lie in each other.</summary>
    internal const int MaxDepth = 128;

    /// <summary>The variant that stands for those of an open enum that a client doesn't know.</summary>
    internal const int UnknownVariant = ushort.MaxValue;

    /// <summary>What an array holds; the wire form's own limit is a few bytes above it.</summary>
    internal static int MaxBytes => Array.MaxLength;
}
