using System.Collections.Generic;

namespace RustBridge;

/// <summary>The layout of a C struct.</summary>
/// <param name="Type">Its name in Rust.</param>
/// <param name="Size">The size in bytes.</param>
/// <param name="Align">Bytes.</param>
/// <param name="Fields">Its fields.</param>
public sealed record StructDescription(string Type, long Size, long Align, IReadOnlyList<FieldDescription> Fields);
