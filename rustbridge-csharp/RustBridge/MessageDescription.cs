using System.Text.Json;

namespace RustBridge;

/// <summary>A method's request or response.</summary>
/// <param name="Schema">The JSON Schema; null for raw and pod.</param>
/// <param name="Layout">The struct's layout; only pods have one.</param>
public sealed record MessageDescription(JsonElement? Schema, StructDescription? Layout);
