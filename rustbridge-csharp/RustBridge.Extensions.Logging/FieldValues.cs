using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace RustBridge.Extensions.Logging;

/// <summary>Converts fields to plain values; values that aren't plain in JSON stay JSON text.</summary>
internal static class FieldValues
{
    /// <summary>
    /// Adds a plugin's fields. If a field has the name of one of our values, <c>_</c> is appended to its name, since
    /// loggers may expect unique names.
    /// </summary>
    /// <param name="values">The list to which the fields are added.</param>
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

    /// <summary>Returns a text, or its JSON if it contains an unpaired surrogate.</summary>
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
