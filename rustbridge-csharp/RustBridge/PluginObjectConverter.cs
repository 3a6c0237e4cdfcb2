using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// Reads and writes a <see cref="PluginObject"/> as its position among the objects that accompany a request or
/// response.
/// </summary>
public sealed class PluginObjectConverter : JsonConverter<PluginObject>
{
    /// <inheritdoc/>
    public override PluginObject Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetInt32(out int position)
            ? CameObjects.At(position)
            : throw new JsonException("an object must be a number: its position among the objects of the response");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, PluginObject value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteNumberValue(LentObjects.Position(value));
    }
}
