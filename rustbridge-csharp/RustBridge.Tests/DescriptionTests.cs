using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What is made of a plugin's description: the vectors that the readers of every language hold to.</summary>
public sealed class DescriptionTests
{
    public static TheoryData<string, string> Vectors()
    {
        var data = new TheoryData<string, string>();
        foreach (string file in Files())
        {
            foreach (JsonElement vector in Read(file).EnumerateArray())
            {
                data.Add(Path.GetFileName(file), vector.GetProperty("name").GetString()!);
            }
        }

        return data;
    }

    [Fact]
    public void There_are_vectors() => Assert.True(Files().Sum(file => Read(file).GetArrayLength()) > 70);

    [Fact]
    public void A_plugin_is_described_without_an_instance_of_it()
    {
        PluginDescription path = PluginDescription.Of(TestPlugins.Conformance);
        PluginDescription image = PluginDescription.Of(File.ReadAllBytes(TestPlugins.Conformance));
        Assert.Equal(("conformance", path.Json), (path.Name, image.Json));
        Assert.True(path.Config.GetProperty("properties").TryGetProperty("label", out _));
        using Plugin instance = TestPlugins.LoadConformance();
        Assert.Equal(instance.DescribeJson(), path.Json);
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => PluginDescription.Of("/no/such/plugin.so")).Status);
        Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => PluginDescription.Of("no library"u8)).Status);
    }

    [Theory]
    [MemberData(nameof(Vectors))]
    public void A_description_is_read_as_the_vector_says(string file, string name)
    {
        JsonElement vector = Read(Path.Combine(Folder, file)).EnumerateArray()
            .Single(one => one.GetProperty("name").GetString() == name);
        if (!vector.TryGetProperty("refused", out JsonElement refused))
        {
            JsonNode wanted = Wanted(JsonNode.Parse(vector.GetProperty("answer").GetRawText())!);
            JsonNode told = Told(Descriptions.Read(Given(vector)));
            Assert.True(JsonNode.DeepEquals(wanted, told), $"expected {wanted}\nbut was {told}");
        }
        else if (refused.GetProperty("by").GetString() == "everyone")
        {
            Assert.Throws<PluginException>(() => Descriptions.Read(Given(vector)));
        }
        else
        {
            // The core refuses it when the plugin is loaded: no reader of a host ever gets it.
            Assert.Equal("core", refused.GetProperty("by").GetString());
        }
    }

    private static string Folder => Path.Combine(TestPlugins.Repository, "conformance", "descriptions");

    private static IEnumerable<string> Files() => Directory.GetFiles(Folder, "*.json").Order(StringComparer.Ordinal);

    private static JsonElement Read(string file) =>
        JsonDocument.Parse(File.ReadAllBytes(file)).RootElement.GetProperty("vectors");

    private static string Given(JsonElement vector) =>
        vector.TryGetProperty("text", out JsonElement text) ? text.GetString()! : vector.GetProperty("description").GetRawText();

    /// <summary>The answer without what our records don't have: indexes, and what structs in structs are made of.</summary>
    private static JsonNode Wanted(JsonNode answer)
    {
        foreach (JsonNode? method in answer["methods"]!.AsArray())
        {
            foreach (JsonNode? entry in method!["entries"]!.AsArray())
            {
                entry!.AsObject().Remove("index");
                foreach (string side in new[] { "request", "response" })
                {
                    foreach (JsonNode? field in entry[side]!["layout"]?["fields"]!.AsArray() ?? [])
                    {
                        field!.AsObject().Remove("fields");
                    }
                }
            }
        }

        return answer;
    }

    private static JsonObject Told(PluginDescription plugin)
    {
        var told = new JsonObject
        {
            ["abi"] = plugin.Abi,
            ["name"] = plugin.Name,
            ["version"] = plugin.Version,
            ["description"] = plugin.Description,
            ["methods"] = new JsonArray([.. plugin.Methods.Select(Told)]),
        };
        if (plugin.Config.ValueKind != JsonValueKind.Undefined)
        {
            told["config"] = JsonNode.Parse(plugin.Config.GetRawText());
        }

        return told;
    }

    private static JsonObject Told(MethodDescription method) => new JsonObject
    {
        ["name"] = method.Name,
        ["id"] = method.Id,
        ["doc"] = method.Doc,
        ["entries"] = new JsonArray([.. method.Entries.Select(Told)]),
    };

    private static JsonObject Told(EntryDescription entry) => new JsonObject
    {
        ["encoding"] = entry.Encoding.ToString().ToLowerInvariant(),
        ["leaf"] = entry.IsLeaf,
        ["async"] = entry.IsAsync,
        ["request"] = Told(entry.Request),
        ["response"] = Told(entry.Response),
    };

    private static JsonObject Told(MessageDescription message)
    {
        var told = new JsonObject();
        if (message.Schema is { } schema)
        {
            told["schema"] = JsonNode.Parse(schema.GetRawText());
        }

        if (message.Layout is { } layout)
        {
            told["layout"] = new JsonObject
            {
                ["type"] = layout.Type,
                ["size"] = layout.Size,
                ["align"] = layout.Align,
                ["fields"] = new JsonArray([.. layout.Fields.Select(Told)]),
            };
        }

        return told;
    }

    private static JsonObject Told(FieldDescription field) => new JsonObject
    {
        ["name"] = field.Name,
        ["type"] = field.Type,
        ["offset"] = field.Offset,
        ["size"] = field.Size,
    };
}
