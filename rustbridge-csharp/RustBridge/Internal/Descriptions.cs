using System;
using System.Collections.Generic;
using System.Text.Json;

namespace RustBridge.Internal;

/// <summary>
/// Reads what a plugin says of itself. Unknown members are ignored, and entries of an unknown kind or encoding left out;
/// docs/describe.md has the format. The core has refused what breaks a rule.
/// </summary>
internal static class Descriptions
{
    internal static PluginDescription Read(string json)
    {
        if (!JsonText.TryParse(json, out JsonElement plugin) || JsonText.Text(JsonText.Member(plugin, "name")) is null)
        {
            throw new PluginException(
                Status.DataLoss, "the plugin's description isn't a JSON object with a name", "rustbridge.InvalidDescription");
        }

        return new PluginDescription(
            json,
            JsonText.Text(plugin, "abi"),
            JsonText.Text(plugin, "name"),
            JsonText.Text(plugin, "version"),
            JsonText.Text(plugin, "description"),
            Said(plugin, "config") ?? default,
            List(JsonText.Member(plugin, "methods"), ReadMethod));
    }

    private static MethodDescription ReadMethod(JsonElement method)
    {
        JsonElement id = JsonText.Member(method, "id");
        return new MethodDescription(
            JsonText.Text(method, "name"),
            id.ValueKind == JsonValueKind.Number && id.TryGetUInt32(out uint number) ? number : null,
            JsonText.Text(method, "doc"),
            List(JsonText.Member(method, "entries"), entry => IsUnary(entry) ? ReadEntry(entry) : null));
    }

    private static EntryDescription? ReadEntry(JsonElement entry)
    {
        PluginEncoding? encoding = JsonText.Text(entry, "encoding") switch
        {
            "json" => PluginEncoding.Json,
            "raw" => PluginEncoding.Raw,
            "pod" => PluginEncoding.Pod,
            "msgpack" => PluginEncoding.MsgPack,
            "bincode" => PluginEncoding.Bincode,
            "postcard" => PluginEncoding.Postcard,
            "wire" => PluginEncoding.Wire,
            _ => null,
        };
        return encoding is null
            ? null
            : new EntryDescription(
                encoding.Value,
                JsonText.IsTrue(entry, "leaf"),
                JsonText.IsTrue(entry, "async"),
                ReadMessage(JsonText.Member(entry, "request")),
                ReadMessage(JsonText.Member(entry, "response")));
    }

    private static bool IsUnary(JsonElement entry) =>
        Said(entry, "kind") is not { } kind || JsonText.Text(kind) == "unary";

    private static MessageDescription ReadMessage(JsonElement message)
    {
        JsonElement layout = JsonText.Member(message, "layout");
        return new MessageDescription(
            Said(message, "schema"),
            layout.ValueKind == JsonValueKind.Object ? ReadStruct(layout) : null);
    }

    /// <summary>A member; null if it's absent, and one that is null is absent.</summary>
    private static JsonElement? Said(JsonElement value, string name) =>
        JsonText.Member(value, name) is { ValueKind: not (JsonValueKind.Undefined or JsonValueKind.Null) } member ? member : null;

    private static StructDescription ReadStruct(JsonElement layout) =>
        new(
            JsonText.Text(layout, "type"),
            JsonText.Number(layout, "size"),
            JsonText.Number(layout, "align"),
            List(JsonText.Member(layout, "fields"), ReadField));

    private static FieldDescription ReadField(JsonElement field) =>
        new(
            JsonText.Text(field, "name"),
            JsonText.Text(field, "type"),
            JsonText.Number(field, "offset"),
            JsonText.Number(field, "size"));

    private static List<T> List<T>(JsonElement array, Func<JsonElement, T?> read)
        where T : class
    {
        var list = new List<T>();
        if (array.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement element in array.EnumerateArray())
            {
                if (read(element) is { } item)
                {
                    list.Add(item);
                }
            }
        }

        return list;
    }
}
