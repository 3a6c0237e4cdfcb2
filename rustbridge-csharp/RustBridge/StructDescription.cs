using System.Collections.Generic;

namespace RustBridge;

/// <summary>The layout of a C struct.</summary>
/// <param name="Type">The struct's name in Rust.</param>
/// <param name="Size">The size in bytes.</param>
/// <param name="Align">The alignment in bytes.</param>
/// <param name="Fields">The struct's fields.</param>
public sealed record StructDescription(string Type, long Size, long Align, IReadOnlyList<FieldDescription> Fields);
