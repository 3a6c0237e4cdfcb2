namespace RustBridge;

/// <summary>A field of a C struct.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">The field's type in Rust, e.g. <c>i64</c> or <c>[u8; 64]</c>.</param>
/// <param name="Offset">The offset from the struct's start, in bytes.</param>
/// <param name="Size">The size in bytes.</param>
public sealed record FieldDescription(string Name, string Type, long Offset, long Size);
