using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace RustBridge.Internal;

/// <summary>
/// Finds the number that can't be written as JSON (NaN or an infinity), of which System.Text.Json says everything but where it is.
/// </summary>
/// <remarks>It looks once more at what has failed, so that writing what doesn't fail costs nothing.</remarks>
internal static class UnwritableNumber
{
    /// <summary>Where the number is, as in <see cref="JsonException.Path"/>; null if the failure isn't about one, or it can't be found.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="error">What writing it has thrown.</param>
    /// <param name="value">The value.</param>
    /// <param name="type">How it was written.</param>
    internal static string? Path<T>(ArgumentException error, T value, JsonTypeInfo<T> type)
    {
        if (error.GetType() != typeof(ArgumentException) || error.Source != typeof(JsonSerializer).Assembly.GetName().Name)
        {
            return null;
        }

        var written = new ArrayBufferWriter<byte>();
        try
        {
            Write(value, type, written);
        }
        catch (Exception again) when (again is ArgumentException or InvalidOperationException or NotSupportedException or JsonException)
        {
            return again.Message == error.Message ? EndOf(written.WrittenSpan) : null;
        }

        return null;
    }

    /// <summary>
    /// Writes member by member. What is generated for speed checks a number before it writes the name in front of it, and the name is
    /// what is wanted here; it's left aside where the options name an encoder.
    /// </summary>
    private static void Write<T>(T value, JsonTypeInfo<T> type, ArrayBufferWriter<byte> written)
    {
        var options = new JsonSerializerOptions(type.Options) { Encoder = type.Options.Encoder ?? JavaScriptEncoder.Default };
        using var writer = new Utf8JsonWriter(written, new JsonWriterOptions { MaxDepth = options.MaxDepth, SkipValidation = true });
        try
        {
            JsonSerializer.Serialize(writer, value, (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T)));
        }
        finally
        {
            writer.Flush();
        }
    }

    /// <summary>Where JSON that breaks off would go on.</summary>
    private static string EndOf(ReadOnlySpan<byte> json)
    {
        // A number at the end is read as one only if something follows that ends it.
        byte[] ended = [.. json, (byte)' '];
        var reader = new Utf8JsonReader(ended, isFinalBlock: false, new JsonReaderState(new JsonReaderOptions { MaxDepth = int.MaxValue }));
        var open = new List<(string? Name, int Index)>();
        while (reader.Read())
        {
            bool ends = reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray;
            if (ends)
            {
                open.RemoveAt(open.Count - 1);
            }
            else if (reader.TokenType == JsonTokenType.PropertyName)
            {
                open[^1] = (reader.GetString(), 0);
                continue;
            }
            else if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
            {
                open.Add((null, 0));
                continue;
            }

            // A value has ended. In an array the next one follows; in an object, a name that replaces this one.
            if (open.Count != 0)
            {
                open[^1] = (open[^1].Name, open[^1].Index + 1);
            }
        }

        var path = new StringBuilder("$");
        foreach ((string? name, int index) in open)
        {
            _ = name is null ? path.Append(CultureInfo.InvariantCulture, $"[{index}]") : path.Append('.').Append(name);
        }

        return path.ToString();
    }
}
