using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace RustBridge.Tests.Conformance;

/// <summary>The bytes that a payload of a case stands for.</summary>
internal static class Payloads
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The bytes; none for a payload that isn't there.</summary>
    internal static byte[] Bytes(JsonElement? payload)
    {
        if (payload is not { } one)
        {
            return [];
        }

        string[] fields = [.. one.EnumerateObject().Select(field => field.Name)];
        return fields switch
        {
            ["text"] => Utf8(one.GetProperty("text")),
            ["hex"] => Convert.FromHexString(one.GetProperty("hex").GetString()!),
            ["concat"] => Joined(one.GetProperty("concat").EnumerateArray().Select(part => Bytes(part))),
            ["repeat", "count"] or ["count", "repeat"] => Repeated(Bytes(one.GetProperty("repeat")), one.GetProperty("count").GetInt32()),
            _ => throw new InvalidDataException($"not a payload: {one}"),
        };
    }

    /// <summary>The text that bytes are the UTF-8 of; null if they aren't UTF-8.</summary>
    internal static string? Text(byte[] bytes)
    {
        try
        {
            return Strict.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    private static byte[] Utf8(JsonElement text)
    {
        try
        {
            return Strict.GetBytes(text.GetString()!);
        }
        catch (InvalidOperationException problem)
        {
            throw new InvalidDataException("a text with an unpaired surrogate has no UTF-8", problem);
        }
    }

    private static byte[] Repeated(byte[] part, int count) => Joined(Enumerable.Repeat(part, count));

    private static byte[] Joined(IEnumerable<byte[]> parts)
    {
        using var bytes = new MemoryStream();
        foreach (byte[] part in parts)
        {
            bytes.Write(part);
        }

        return bytes.ToArray();
    }
}
