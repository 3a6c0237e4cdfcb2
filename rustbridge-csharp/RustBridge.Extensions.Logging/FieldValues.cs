using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace RustBridge.Extensions.Logging;

/// <summary>Fields as plain values: what isn't one in JSON stays JSON text.</summary>
internal static class FieldValues
{
    /// <summary>Adds a plugin's fields. One that is called as a value of ours gets a <c>_</c> behind its name: loggers may expect each name once.</summary>
    /// <param name="values">What to add to.</param>
    /// <param name="fields">The fields.</param>
    /// <param name="ours">The names of our values.</param>
    internal static void Add(
        List<KeyValuePair<string, object?>> values, IReadOnlyDictionary<string, JsonElement> fields, ReadOnlySpan<string> ours)
    {
        foreach ((string field, JsonElement value) in fields)
        {
            string name = field;
            while (ours.Contains(name) || (name != field && fields.ContainsKey(name)))
            {
                name += "_";
            }

            values.Add(new(name, Plain(value)));
        }
    }

    internal static void Append(StringBuilder text, IReadOnlyList<KeyValuePair<string, object?>> values, int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (text.Length != 0)
            {
                text.Append(' ');
            }

            text.Append(values[i].Key).Append('=').Append(CultureInfo.InvariantCulture, $"{values[i].Value ?? "null"}");
        }
    }

    private static object? Plain(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => Text(value),
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Null => null,
        JsonValueKind.Number when value.TryGetInt64(out long number) => number,
        JsonValueKind.Number when value.TryGetUInt64(out ulong number) => number,
        JsonValueKind.Number => value.GetDouble(),
        _ => value.GetRawText(),
    };

    /// <summary>A text, or its JSON if an unpaired surrogate keeps it from being one.</summary>
    private static string? Text(JsonElement value)
    {
        try
        {
            return value.GetString();
        }
        catch (InvalidOperationException)
        {
            return value.GetRawText();
        }
    }
}
