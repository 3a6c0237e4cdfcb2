using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace RustBridge.Tests.Conformance;

/// <summary>Reads <c>conformance/cases</c>. A field that this reader doesn't know is an error, not something to skip.</summary>
internal static class Cases
{
    private static readonly string[] StepFields =
    [
        "op", "instance", "method", "method_id", "method_bytes", "encoding", "via", "request", "capacity", "misalign", "level", "expect",
    ];

    private static readonly string[] CaseFields =
    [
        "id", "plugin", "provenance", "notes", "needs", "config", "config_bytes", "on_panic", "instances", "load", "logs", "steps",
        .. StepFields,
    ];

    private static readonly string[] ExpectFields = ["status", "stage", "response", "error", "state"];

    private static readonly string[] ErrorFields = ["type", "message", "message_contains", "details", "no_details", "checks"];

    /// <summary>Every case of every file, in the files' order.</summary>
    internal static IReadOnlyList<JsonElement> All { get; } = Read();

    /// <summary>The cases by their ids.</summary>
    internal static IReadOnlyDictionary<string, JsonElement> ById { get; } = All.ToDictionary(one => one.GetProperty("id").GetString()!);

    /// <summary>Whether a typed API can express a case.</summary>
    internal static bool IsExpressible(JsonElement one) => !one.TryGetProperty("needs", out _);

    /// <summary>The steps of a case: its own, or the case itself.</summary>
    internal static IEnumerable<JsonElement> Steps(JsonElement one) =>
        one.TryGetProperty("steps", out JsonElement steps) ? steps.EnumerateArray() : [one];

    /// <summary>Refuses a case with something in it that this reader would overlook.</summary>
    internal static void Know(JsonElement one)
    {
        string id = one.GetProperty("id").GetString()!;
        Only(id, one, CaseFields);
        foreach (JsonElement need in Elements(one, "needs"))
        {
            if (need.GetString() != "c-abi")
            {
                throw new InvalidDataException($"{id} needs the unknown {need}");
            }
        }

        Expectation(id, one, "load");
        foreach (JsonElement step in Steps(one))
        {
            Only(id, step, one.TryGetProperty("steps", out _) ? StepFields : CaseFields);
            Expectation(id, step, "expect");
        }

        if (one.TryGetProperty("logs", out JsonElement logs))
        {
            foreach (JsonProperty instance in logs.EnumerateObject())
            {
                Only(id, instance.Value, ["level", "records"]);
                foreach (JsonElement record in instance.Value.GetProperty("records").EnumerateArray())
                {
                    Only(id, record, ["level", "message", "target", "fields", "spans"]);
                }
            }
        }
    }

    /// <summary>The elements of a list that may be missing.</summary>
    internal static IEnumerable<JsonElement> Elements(JsonElement from, string name) =>
        from.TryGetProperty(name, out JsonElement list) ? list.EnumerateArray() : [];

    private static List<JsonElement> Read()
    {
        var cases = new List<JsonElement>();
        string folder = Path.Combine(TestPlugins.Repository, "conformance", "cases");
        foreach (string file in Directory.GetFiles(folder, "*.json").Order(StringComparer.Ordinal))
        {
            foreach (JsonElement one in Comparison.Parsed(File.ReadAllBytes(file)).GetProperty("cases").EnumerateArray())
            {
                Know(one);
                cases.Add(one);
            }
        }

        return cases;
    }

    private static void Expectation(string id, JsonElement of, string name)
    {
        if (of.TryGetProperty(name, out JsonElement expect))
        {
            Only(id, expect, ExpectFields);
            if (expect.TryGetProperty("error", out JsonElement error))
            {
                Only(id, error, ErrorFields);
            }
        }
    }

    private static void Only(string id, JsonElement value, string[] known)
    {
        foreach (JsonProperty field in value.EnumerateObject())
        {
            if (!known.Contains(field.Name))
            {
                throw new InvalidDataException($"{id} has the unknown field {field.Name}");
            }
        }
    }
}
