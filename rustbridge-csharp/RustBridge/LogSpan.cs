using System.Collections.Generic;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>A span around a log record.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Fields">The span's fields by name.</param>
public sealed record LogSpan(string Name, IReadOnlyDictionary<string, JsonElement> Fields)
{
    internal static IReadOnlyList<LogSpan> Parse(string json)
    {
        if (!JsonText.TryParse(json, out JsonElement spans) || spans.ValueKind != JsonValueKind.Array)
        {
            return [];
        }

        var list = new List<LogSpan>(spans.GetArrayLength());
        foreach (JsonElement span in spans.EnumerateArray())
        {
            list.Add(new LogSpan(JsonText.Text(span, "name"), JsonText.Members(JsonText.Member(span, "fields"))));
        }

        return list;
    }
}
