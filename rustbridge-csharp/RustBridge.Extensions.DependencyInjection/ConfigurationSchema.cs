using System;
using System.Collections.Generic;
using System.Text.Json;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>
/// The part of a plugin's JSON Schema that describes one value of its configuration, as far as converting text requires
/// it.
/// </summary>
internal sealed class ConfigurationSchema
{
    /// <summary>Deeper than any schema that was written on purpose: one may refer to itself.</summary>
    private const int MaxDepth = 32;

    /// <summary>More than any schema that was written on purpose: one may refer to itself more than once, and is twice as much at each depth.</summary>
    private const int MaxParts = 1000;

    private readonly JsonElement _root;

    /// <summary>The schema and its parts; each may specify the value's type.</summary>
    private readonly List<JsonElement> _parts = [];
    private readonly HashSet<JsonValueKind> _kinds = [];

    private ConfigurationSchema(JsonElement root, JsonElement schema)
    {
        _root = root;
        Add(schema, 0);
    }

    /// <summary>Whether the value may be of any kind.</summary>
    internal bool SaysNothing => _kinds.Count == 0;

    internal static ConfigurationSchema Of(JsonElement schema) => new(schema, schema);

    /// <summary>Whether the value may be of a kind. Both booleans are <see cref="JsonValueKind.True"/>.</summary>
    internal bool Allows(JsonValueKind kind) =>
        SaysNothing ? kind is JsonValueKind.True or JsonValueKind.Number or JsonValueKind.String : _kinds.Contains(kind);

    /// <summary>
    /// Returns the name and schema of an object's member in the plugin. Keys of a configuration are case-insensitive.
    /// </summary>
    internal (string Name, ConfigurationSchema Schema) Member(string key)
    {
        foreach (JsonElement part in _parts)
        {
            if (part.TryGetProperty("properties", out JsonElement properties) && properties.ValueKind == JsonValueKind.Object)
            {
                if (properties.TryGetProperty(key, out JsonElement exact))
                {
                    return (key, Below(exact));
                }

                foreach (JsonProperty property in properties.EnumerateObject())
                {
                    if (property.Name.Equals(key, StringComparison.OrdinalIgnoreCase))
                    {
                        return (property.Name, Below(property.Value));
                    }
                }
            }
        }

        return (key, First("additionalProperties"));
    }

    /// <summary>Returns the schema of an array's element.</summary>
    internal ConfigurationSchema Item(int index)
    {
        foreach (JsonElement part in _parts)
        {
            if (part.TryGetProperty("prefixItems", out JsonElement items)
                && items.ValueKind == JsonValueKind.Array
                && index < items.GetArrayLength())
            {
                return Below(items[index]);
            }
        }

        return First("items");
    }

    private ConfigurationSchema First(string keyword)
    {
        foreach (JsonElement part in _parts)
        {
            if (part.TryGetProperty(keyword, out JsonElement found))
            {
                return Below(found);
            }
        }

        return Below(default);
    }

    private ConfigurationSchema Below(JsonElement schema) => new(_root, schema);

    private void Add(JsonElement schema, int depth)
    {
        if (schema.ValueKind != JsonValueKind.Object || depth > MaxDepth || _parts.Count == MaxParts)
        {
            return;
        }

        _parts.Add(schema);
        if (schema.TryGetProperty("$ref", out JsonElement reference))
        {
            Add(Referred(reference), depth + 1);
        }

        foreach (string keyword in (ReadOnlySpan<string>)["allOf", "anyOf", "oneOf"])
        {
            foreach (JsonElement part in Elements(schema, keyword))
            {
                Add(part, depth + 1);
            }
        }

        if (schema.TryGetProperty("type", out JsonElement type))
        {
            AddType(type);
            foreach (JsonElement one in Elements(schema, "type"))
            {
                AddType(one);
            }

            return;
        }

        foreach (JsonElement value in Elements(schema, "enum"))
        {
            AddKind(value.ValueKind);
        }

        if (schema.TryGetProperty("const", out JsonElement constant))
        {
            AddKind(constant.ValueKind);
        }
    }

    private void AddType(JsonElement type)
    {
        JsonValueKind kind = type.ValueKind != JsonValueKind.String ? JsonValueKind.Undefined : type.GetString() switch
        {
            "null" => JsonValueKind.Null,
            "boolean" => JsonValueKind.True,
            "integer" or "number" => JsonValueKind.Number,
            "string" => JsonValueKind.String,
            "array" => JsonValueKind.Array,
            "object" => JsonValueKind.Object,
            _ => JsonValueKind.Undefined,
        };
        AddKind(kind);
    }

    private void AddKind(JsonValueKind kind)
    {
        if (kind != JsonValueKind.Undefined)
        {
            _kinds.Add(kind == JsonValueKind.False ? JsonValueKind.True : kind);
        }
    }

    /// <summary>Resolves <c>#/$defs/Name</c>; returns nothing for a reference to another document.</summary>
    private JsonElement Referred(JsonElement reference)
    {
        string[] path = reference.ValueKind == JsonValueKind.String ? reference.GetString()!.Split('/') : [];
        if (path is not ["#", ..])
        {
            return default;
        }

        JsonElement found = _root;
        foreach (string escaped in path.AsSpan(1))
        {
            string name = escaped.Replace("~1", "/", StringComparison.Ordinal).Replace("~0", "~", StringComparison.Ordinal);
            if (found.ValueKind != JsonValueKind.Object || !found.TryGetProperty(name, out found))
            {
                return default;
            }
        }

        return found;
    }

    private static JsonElement.ArrayEnumerator Elements(JsonElement schema, string keyword) =>
        schema.TryGetProperty(keyword, out JsonElement list) && list.ValueKind == JsonValueKind.Array ? list.EnumerateArray() : default;
}
