using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Text.Json;
using Xunit;

namespace RustBridge.Tests.Conformance;

/// <summary>Compares what came back with what a case expects, by the rules of <c>conformance/README.md</c>.</summary>
internal static class Comparison
{
    /// <summary>Reads JSON in which no name of an object is there twice.</summary>
    internal static JsonElement Parsed(ReadOnlyMemory<byte> json)
    {
        using JsonDocument document = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = 10_000 });
        NoNameTwice(document.RootElement);
        return document.RootElement.Clone();
    }

    /// <summary>Whether two JSON values are equal: integers exactly, other numbers as doubles.</summary>
    internal static bool Same(JsonElement found, JsonElement expected)
    {
        if (found.ValueKind != expected.ValueKind)
        {
            return false;
        }

        switch (found.ValueKind)
        {
            case JsonValueKind.Number:
                return Integer(found) is { } integer && Integer(expected) is { } other
                    ? integer == other
                    : found.GetDouble().Equals(expected.GetDouble()) || (found.GetDouble() == 0 && expected.GetDouble() == 0);
            case JsonValueKind.String:
                return found.GetString() == expected.GetString();
            case JsonValueKind.Array:
                return found.GetArrayLength() == expected.GetArrayLength()
                    && found.EnumerateArray().Zip(expected.EnumerateArray()).All(pair => Same(pair.First, pair.Second));
            case JsonValueKind.Object:
                return found.EnumerateObject().Count() == expected.EnumerateObject().Count()
                    && expected.EnumerateObject().All(
                        member => found.TryGetProperty(member.Name, out JsonElement value) && Same(value, member.Value));
            default:
                return true;
        }
    }

    /// <summary>Asserts one CHECK.</summary>
    internal static void Check(JsonElement whole, JsonElement rule)
    {
        string path = rule.GetProperty("path").GetString()!;
        JsonElement? place = Place(whole, path);
        if (rule.TryGetProperty("absent", out _))
        {
            Assert.True(place is null, $"{path} is there in {Shown(whole)}");
            return;
        }

        Assert.True(place is not null, $"{path} is missing in {Shown(whole)}");
        Assert.True(Holds(place.Value, rule), $"{path} is {Shown(place)}, but {rule}");
    }

    /// <summary>Asserts that a response is the one expected; any is, when nothing is said of it.</summary>
    internal static void Response(byte[] found, JsonElement? expected)
    {
        if (expected is not { } wanted)
        {
            return;
        }

        if (wanted.TryGetProperty("json", out JsonElement json))
        {
            JsonElement value = Parsed(found);
            Assert.True(Same(value, json), $"{Shown(value)} isn't {Shown(json)}");
        }
        else if (wanted.TryGetProperty("checks", out JsonElement checks))
        {
            JsonElement value = Parsed(found);
            foreach (JsonElement rule in checks.EnumerateArray())
            {
                Check(value, rule);
            }
        }
        else
        {
            byte[] bytes = Payloads.Bytes(wanted);
            Assert.True(found.AsSpan().SequenceEqual(bytes), $"{Shown(found)} isn't the expected {Shown(bytes)}");
        }
    }

    /// <summary>Asserts that a failure is the one expected.</summary>
    internal static void Failure(PluginException found, JsonElement expected)
    {
        string status = JsonNamingPolicy.SnakeCaseUpper.ConvertName($"{found.Status}");
        Assert.True(expected.GetProperty("status").GetString() == status, found.ToString());
        if (!expected.TryGetProperty("error", out JsonElement error))
        {
            return;
        }

        if (error.TryGetProperty("type", out JsonElement type))
        {
            Assert.Equal(type.GetString(), found.Type);
        }

        if (error.TryGetProperty("message", out JsonElement message))
        {
            Assert.Equal(message.GetString(), found.Message);
        }

        foreach (JsonElement part in Cases.Elements(error, "message_contains"))
        {
            Assert.Contains(part.GetString()!, found.Message, StringComparison.Ordinal);
        }

        JsonElement details = JsonSerializer.SerializeToElement(found.Details);
        if (error.TryGetProperty("details", out JsonElement wanted))
        {
            Assert.True(Same(details, wanted), $"{Shown(details)} isn't {Shown(wanted)}");
        }

        if (error.TryGetProperty("no_details", out _))
        {
            Assert.Empty(found.Details);
        }

        JsonElement whole = Whole(found, status, details);
        foreach (JsonElement rule in Cases.Elements(error, "checks"))
        {
            Check(whole, rule);
        }
    }

    private static JsonElement Whole(PluginException found, string status, JsonElement details)
    {
        var members = new Dictionary<string, object> { ["code"] = status, ["message"] = found.Message, ["type"] = found.Type };
        if (found.Details.Count > 0)
        {
            members["details"] = details;
        }

        if (found.Backtrace is not null)
        {
            members["backtrace"] = found.Backtrace;
        }

        return JsonSerializer.SerializeToElement(members);
    }

    private static JsonElement? Place(JsonElement whole, string path)
    {
        JsonElement place = whole;
        foreach (string step in path.Length == 0 ? [] : path.Split('.'))
        {
            if (place.ValueKind == JsonValueKind.Array)
            {
                int index = int.Parse(step, CultureInfo.InvariantCulture);
                if (index >= place.GetArrayLength())
                {
                    return null;
                }

                place = place[index];
            }
            else if (place.ValueKind != JsonValueKind.Object || !place.TryGetProperty(step, out place))
            {
                return null;
            }
        }

        return place;
    }

    private static bool Holds(JsonElement place, JsonElement rule)
    {
        string[] kinds = [.. rule.EnumerateObject().Select(field => field.Name).Where(name => name != "path")];
        return kinds switch
        {
            [] => true,
            ["equals"] => Same(place, rule.GetProperty("equals")),
            ["length"] => Length(place) == rule.GetProperty("length").GetInt32(),
            ["type"] => IsOfType(place, rule.GetProperty("type").GetString()!),
            ["min"] => place.ValueKind == JsonValueKind.Number && place.GetDouble() >= rule.GetProperty("min").GetDouble(),
            ["contains"] => place.ValueKind == JsonValueKind.String
                && place.GetString()!.Contains(rule.GetProperty("contains").GetString()!, StringComparison.Ordinal),
            _ => throw new InvalidOperationException($"a check that nobody knows: {rule}"),
        };
    }

    private static int Length(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!.EnumerateRunes().Count(),
        JsonValueKind.Array => value.GetArrayLength(),
        JsonValueKind.Object => value.EnumerateObject().Count(),
        _ => -1,
    };

    private static bool IsOfType(JsonElement value, string type) => type switch
    {
        "string" => value.ValueKind == JsonValueKind.String,
        "number" => value.ValueKind == JsonValueKind.Number,
        "integer" => value.ValueKind == JsonValueKind.Number && (Integer(value) is not null || value.GetDouble() % 1 == 0),
        "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        "null" => value.ValueKind == JsonValueKind.Null,
        "object" => value.ValueKind == JsonValueKind.Object,
        "array" => value.ValueKind == JsonValueKind.Array,
        _ => throw new InvalidOperationException($"no type of JSON: {type}"),
    };

    private static BigInteger? Integer(JsonElement number) =>
        BigInteger.TryParse(number.GetRawText(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out BigInteger integer)
            ? integer
            : null;

    private static void NoNameTwice(JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement element in value.EnumerateArray())
            {
                NoNameTwice(element);
            }
        }
        else if (value.ValueKind == JsonValueKind.Object)
        {
            var names = new HashSet<string>();
            foreach (JsonProperty member in value.EnumerateObject())
            {
                Assert.True(names.Add(member.Name), $"{member.Name} is there twice");
                NoNameTwice(member.Value);
            }
        }
    }

    private static string Shown(byte[] bytes) => $"{bytes.Length} bytes {Shown(System.Text.Encoding.Latin1.GetString(bytes))}";

    private static string Shown(object value)
    {
        string text = $"{value}";
        return text.Length <= 500 ? text : text[..500] + "…";
    }
}
