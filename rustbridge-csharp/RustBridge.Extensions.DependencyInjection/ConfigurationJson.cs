using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Writes a section of the host's configuration as a plugin's JSON configuration.</summary>
/// <remarks>
/// In a configuration, all values are text, and keys are case-insensitive. The plugin's schema specifies the values'
/// types and the fields' names. Without a type in the schema, text that is a number, <c>true</c> or <c>false</c> in
/// JSON becomes that value, and keys from 0 upward become an array.
/// </remarks>
internal static class ConfigurationJson
{
    /// <summary>Writes a section.</summary>
    /// <param name="section">The section.</param>
    /// <param name="schema">The JSON Schema of the plugin's configuration; ignored if it isn't an object.</param>
    /// <returns>A JSON object, or another JSON value if the section isn't an object.</returns>
    internal static string Of(IConfigurationSection section, JsonElement schema)
    {
        var json = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(json))
        {
            Write(writer, section, ConfigurationSchema.Of(schema));
        }

        return Encoding.UTF8.GetString(json.WrittenSpan);
    }

    private static void Write(Utf8JsonWriter writer, IConfigurationSection section, ConfigurationSchema schema)
    {
        List<IConfigurationSection> children = [.. section.GetChildren()];
        if (children.Count == 0)
        {
            WriteValue(writer, section.Value, schema);
        }
        else if (IsArray(children, schema))
        {
            writer.WriteStartArray();
            for (int i = 0; i < children.Count; i++)
            {
                Write(writer, children[i], schema.Item(i));
            }

            writer.WriteEndArray();
        }
        else
        {
            writer.WriteStartObject();
            foreach (IConfigurationSection child in children)
            {
                (string name, ConfigurationSchema member) = schema.Member(child.Key);
                writer.WritePropertyName(name);
                Write(writer, child, member);
            }

            writer.WriteEndObject();
        }
    }

    /// <summary>Keys come in the order of their numbers, where they are numbers. One may be missing if a file has overridden another.</summary>
    private static bool IsArray(List<IConfigurationSection> children, ConfigurationSchema schema)
    {
        if (schema.Allows(JsonValueKind.Array))
        {
            return children.All(child => int.TryParse(child.Key, NumberStyles.None, CultureInfo.InvariantCulture, out _));
        }

        return schema.SaysNothing && children.Select((child, i) => child.Key == i.ToString(CultureInfo.InvariantCulture)).All(same => same);
    }

    private static void WriteValue(Utf8JsonWriter writer, string? value, ConfigurationSchema schema)
    {
        // Empty objects and arrays come as nothing, and what is null in a file as an empty text up to .NET 9.
        bool nothing = value is null || (value.Length == 0 && !schema.SaysNothing && !schema.Allows(JsonValueKind.String));
        if (nothing && schema.Allows(JsonValueKind.Null))
        {
            writer.WriteNullValue();
        }
        else if (nothing && schema.Allows(JsonValueKind.Object))
        {
            writer.WriteStartObject();
            writer.WriteEndObject();
        }
        else if (nothing && schema.Allows(JsonValueKind.Array))
        {
            writer.WriteStartArray();
            writer.WriteEndArray();
        }
        else if (value is null)
        {
            writer.WriteNullValue();
        }
        else if (schema.Allows(JsonValueKind.True) && bool.TryParse(value, out bool truth))
        {
            writer.WriteBooleanValue(truth);
        }
        else if (schema.Allows(JsonValueKind.Number) && IsNumber(value))
        {
            // As it stands, so that nothing of it is rounded.
            writer.WriteRawValue(value);
        }
        else
        {
            // Also what should be something else: the plugin refuses it and says at which field.
            writer.WriteStringValue(value);
        }
    }

    private static bool IsNumber(string value)
    {
        var reader = new Utf8JsonReader(Encoding.UTF8.GetBytes(value));
        try
        {
            return reader.Read() && reader.TokenType == JsonTokenType.Number && reader.BytesConsumed == value.Length;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
