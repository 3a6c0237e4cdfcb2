using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Json;

namespace RustBridge.Internal;

/// <summary>Reads JSON that the other side wrote: what isn't as expected is absent, never an exception.</summary>
internal static class JsonText
{
    private static readonly Dictionary<string, JsonElement> None = [];

    /// <summary>The other side writes as deeply as it likes; reading it takes no stack.</summary>
    private static readonly JsonReaderOptions AnyDepth = new() { MaxDepth = int.MaxValue };

    internal static bool TryParse(ReadOnlySpan<byte> utf8, out JsonElement value)
    {
        var reader = new Utf8JsonReader(utf8, AnyDepth);
        try
        {
            value = JsonElement.ParseValue(ref reader);
            // It stops behind the value; whatever else comes makes it no JSON.
            return !reader.Read();
        }
        catch (JsonException)
        {
            value = default;
            return false;
        }
    }

    internal static bool TryParse(string json, out JsonElement value) =>
        TryParse(Encoding.UTF8.GetBytes(json), out value);

    internal static JsonElement Member(JsonElement value, string name)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            return default;
        }

        try
        {
            return value.TryGetProperty(name, out JsonElement member) ? member : default;
        }
        catch (InvalidOperationException)
        {
            // Another name has an unpaired surrogate, which the search stumbles over.
            return Members(value).GetValueOrDefault(name);
        }
    }

    internal static string Text(JsonElement value, string name) =>
        Text(Member(value, name)) ?? "";

    /// <summary>A text; null for what is none, or can't be one because of an unpaired surrogate.</summary>
    internal static string? Text(JsonElement value)
    {
        try
        {
            return value.ValueKind == JsonValueKind.String ? value.GetString() : null;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }

    internal static long Number(JsonElement value, string name) =>
        Member(value, name) is { ValueKind: JsonValueKind.Number } number && number.TryGetInt64(out long integer) ? integer : 0;

    internal static bool IsTrue(JsonElement value, string name) => Member(value, name).ValueKind == JsonValueKind.True;

    internal static IReadOnlyDictionary<string, JsonElement> Members(string json) =>
        json.Length != 0 && TryParse(json, out JsonElement value) ? Members(value) : None;

    internal static IReadOnlyDictionary<string, JsonElement> Members(JsonElement value)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            return None;
        }

        var members = new Dictionary<string, JsonElement>();
        foreach (JsonProperty member in value.EnumerateObject())
        {
            try
            {
                members[member.Name] = member.Value;
            }
            catch (InvalidOperationException)
            {
                // A name with an unpaired surrogate: nobody can ask for it.
            }
        }

        return members;
    }
}
