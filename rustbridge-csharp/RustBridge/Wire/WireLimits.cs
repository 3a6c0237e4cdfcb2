using System;

namespace RustBridge.Wire;

/// <summary>Limits of a message's size and depth.</summary>
internal static class WireLimits
{
    /// <summary>The maximum nesting depth of recursive types.</summary>
    internal const int MaxDepth = 128;

    /// <summary>The variant that represents an open enum's variants that a client doesn't know.</summary>
    internal const int UnknownVariant = ushort.MaxValue;

    /// <summary>The maximum length of an array; the wire format's own limit is a few bytes higher.</summary>
    internal static int MaxBytes => Array.MaxLength;
}
