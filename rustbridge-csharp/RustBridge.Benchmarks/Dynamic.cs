using System;
using System.Buffers.Text;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The request and the response of <c>any</c>.</summary>
/// <param name="Items">Values of any types.</param>
public sealed record Values(
    [property: JsonPropertyName("values"), JsonConverter(typeof(DynamicList))] List<object> Items);

/// <summary>A list of values of different types, converted both ways.</summary>
public class Any
{
    private Plugin _bench = null!;
    private Method _any = null!;
    private Values _values = new([]);

    /// <summary>How many.</summary>
    [Params(100, 10_000)]
    public int Count { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        object[] items = [1L, "two", 3.0];
        _values = new Values(Enumerable.Range(0, Count).Select(i => items[i % items.Length]).ToList());
        _bench = Libraries.Bench();
        _any = _bench.Method("any");
        if (!Echo().SequenceEqual(_values.Items))
        {
            throw new InvalidOperationException("the values have changed on their way");
        }

        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _bench.Dispose();

    [Benchmark, Ours("M any {Count}", Single = true)]
    public List<object> Echo() => _any.Call(_values, DynamicJson.Default.Values, DynamicJson.Default.Values).Items;
}

/// <summary>
/// Reads and writes a list whose values tell by their own type what they are. By itself System.Text.Json would read
/// elements of a document, which aren't values of the host's yet.
/// </summary>
internal sealed class DynamicList : JsonConverter<List<object>>
{
    public override List<object> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var items = new List<object>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            items.Add(reader.TokenType switch
            {
                JsonTokenType.String => reader.GetString()!,
                JsonTokenType.Number when reader.TryGetInt64(out long integer) => integer,
                JsonTokenType.Number => (object)reader.GetDouble(),
                _ => throw new JsonException($"{reader.TokenType} isn't expected"),
            });
        }

        return items;
    }

    public override void Write(Utf8JsonWriter writer, List<object> value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (object item in value)
        {
            switch (item)
            {
                case string text:
                    writer.WriteStringValue(text);
                    break;
                case long integer:
                    writer.WriteNumberValue(integer);
                    break;
                case double number:
                    Write(writer, number);
                    break;
                default:
                    throw new JsonException($"{item.GetType()} isn't expected");
            }
        }

        writer.WriteEndArray();
    }

    /// <summary>A whole number keeps its point, by which its reader knows it from an integer.</summary>
    private static void Write(Utf8JsonWriter writer, double number)
    {
        Span<byte> digits = stackalloc byte[32];
        if (!double.IsInteger(number) || !Utf8Formatter.TryFormat(number, digits, out int length, new('F', 1)))
        {
            writer.WriteNumberValue(number);
            return;
        }

        writer.WriteRawValue(digits[..length], skipInputValidation: true);
    }
}

/// <summary>How to read and write them.</summary>
[JsonSerializable(typeof(Values))]
internal sealed partial class DynamicJson : JsonSerializerContext;
