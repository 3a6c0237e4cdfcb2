using System.Text.Json;

namespace RustBridge;

/// <summary>What goes into a method or comes out of it.</summary>
/// <param name="Schema">JSON Schema; null for raw and pod.</param>
/// <param name="Layout">The struct's layout; only pods have one.</param>
public sealed record MessageDescription(JsonElement? Schema, StructDescription? Layout);
