namespace RustBridge;

/// <summary>A field of a C struct.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type in Rust, e.g. <c>i64</c> or <c>[u8; 64]</c>.</param>
/// <param name="Offset">Bytes from the struct's start.</param>
/// <param name="Size">Bytes.</param>
public sealed record FieldDescription(string Name, string Type, long Offset, long Size);
