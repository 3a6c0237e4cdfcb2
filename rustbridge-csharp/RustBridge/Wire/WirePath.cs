using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>The part of a message that is invalid, where several values start at the same byte.</summary>
internal enum WirePart
{
    /// <summary>The innermost value.</summary>
    Value,

    /// <summary>A value whose type has a name.</summary>
    Record,

    /// <summary>An array with a fixed length.</summary>
    Array,
}

/// <summary>
/// Finds the invalid field of a message: traverses the preceding bytes by the types in the client schema, and returns
/// the path to their end. So writers and readers needn't track the path.
/// </summary>
internal ref struct WirePath
{
    private const string Request = "request";
    private const string Response = "response";
    private const string Items = "items";

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly JsonElement _types;
    private readonly List<string> _steps;
    private int _at;

    /// <summary>The number of steps to the last value with a type of its own that starts where the bytes end.</summary>
    private int _record;

    /// <summary>The number of steps to the last array with a fixed length that starts where the bytes end.</summary>
    private int _array;

    private WirePath(ReadOnlySpan<byte> bytes, JsonElement types, string first)
    {
        _bytes = bytes;
        _types = types;
        _steps = [first];
    }

    /// <summary>Creates the exception for a request, a sent item, or a service's response.</summary>
    /// <param name="named">
    /// The called <see cref="Method"/>, the <see cref="SentItems"/>, or the <see cref="TypedService"/> that responds.
    /// </param>
    /// <param name="before">The bytes that were written before the value.</param>
    /// <param name="what">The reason.</param>
    /// <param name="part">The kind of value.</param>
    /// <param name="isWhole">Whether the value is the request itself.</param>
    internal static ArgumentException Unfit(object? named, ReadOnlySpan<byte> before, string what, WirePart part = WirePart.Value, bool isWhole = false)
    {
        (object? of, string parameter, string first) = named switch
        {
            SentItems items => (items.Method, Items, string.Create(CultureInfo.InvariantCulture, $"{Items}[{items.Place}]")),
            TypedService => (named, Response, Response),
            _ => (named, Request, Request),
        };
        string message =
            NameOf(of) is not { } name ? what
            : isWhole ? $"{name}: {first}: {what}"
            : $"{name}: {Of(of, before, parameter, first, part)}: {what}";
        return new ArgumentException(message, parameter);
    }

    /// <summary>Returns the message of an exception for a response, or for a plugin's service call.</summary>
    /// <param name="named">The <see cref="Method"/> that responded, or the called <see cref="TypedService"/>.</param>
    /// <param name="before">The bytes before the value.</param>
    /// <param name="what">The reason.</param>
    internal static string Told(object? named, ReadOnlySpan<byte> before, string what)
    {
        (string of, string side) = named is TypedService ? ("request", Request) : ("response", Response);
        string told = $"the plugin's {of} doesn't match its type: byte {before.Length}: {what}";
        return NameOf(named) is not { } name ? told : $"{name}: {told} ({Of(named, before, side, side, WirePart.Value)})";
    }

    private static string? NameOf(object? named) => named switch
    {
        Method method => method.Name,
        TypedService service => service.Name,
        _ => null,
    };

    /// <summary>Finds the description of a method or service, which contains its request and response.</summary>
    private static bool Described(object? named, JsonElement clientSchema, out JsonElement found)
    {
        string list = named is TypedService ? "services" : "methods";
        string? name = NameOf(named);
        foreach (JsonElement described in clientSchema.GetProperty(list).EnumerateArray())
        {
            if (described.GetProperty("name").ValueEquals(name))
            {
                found = named is TypedService ? described : described.GetProperty("entries")[0];
                return true;
            }
        }

        found = default;
        return false;
    }

    /// <summary>Returns the path. Its first step is the request or response of the method or service.</summary>
    private static string Of(object? named, ReadOnlySpan<byte> before, string side, string first, WirePart part)
    {
        if (((named as Method)?.ClientSchema ?? (named as TypedService)?.ClientSchema) is not { } text)
        {
            return first;
        }

        using JsonDocument clientSchema = JsonDocument.Parse(text);
        if (!Described(named, clientSchema.RootElement, out JsonElement described)
            || !described.GetProperty(side).TryGetProperty("type", out JsonElement type))
        {
            return first;
        }

        var walk = new WirePath(before, clientSchema.RootElement.GetProperty("types"), first);
        return walk.Walked(type) ? first : string.Concat(part switch
        {
            WirePart.Record => walk._steps[..walk._record],
            WirePart.Array => walk._steps[..walk._array],
            _ => walk._steps,
        });
    }

    /// <summary>Traverses a value.</summary>
    /// <param name="type">The value's type in the description.</param>
    /// <returns>Whether the whole value is present. If not, the steps lead to its end.</returns>
    private bool Walked(JsonElement type)
    {
        if (type.ValueKind == JsonValueKind.String)
        {
            return type.GetString() switch
            {
                "string" or "bytes" or "decimal" => Counted(out int count) && Passed(count),
                "any" => Dynamic(),
                string name => Passed(SizeOf(name)),
                null => false,
            };
        }

        foreach (JsonProperty one in type.EnumerateObject())
        {
            return one.Name switch
            {
                "list" => Counted(out int count) && Padded(one.Value) && All(one.Value, count),
                "array" => Array(one.Value[0], one.Value[1].GetInt64()),
                "map" => Counted(out int count) && Pairs(one.Value[0], one.Value[1], count),
                "option" => Optional(one.Value),
                "tuple" => Values(one.Value),
                "ref" => Named(_types[one.Value.GetInt32()]),
                "object" => Passed(sizeof(uint)),
                _ => false,
            };
        }

        return false;
    }

    private bool Named(JsonElement definition)
    {
        _record = _at == _bytes.Length ? _steps.Count : _record;
        if (definition.TryGetProperty("record", out JsonElement fields) || definition.TryGetProperty("pod", out fields))
        {
            return Fields(fields);
        }

        if (definition.TryGetProperty("newtype", out JsonElement inside))
        {
            return Walked(inside);
        }

        if (definition.TryGetProperty("tuple", out JsonElement values))
        {
            return Values(values);
        }

        if (!Passed(sizeof(ushort)))
        {
            return false;
        }

        int position = BinaryPrimitives.ReadUInt16LittleEndian(_bytes[(_at - sizeof(ushort))..]);
        if (position == WireLimits.UnknownVariant)
        {
            return true;
        }

        JsonElement variant = definition.GetProperty("enum").GetProperty("variants")[position];
        _steps.Add("." + variant.GetProperty("name").GetString());
        return (!variant.TryGetProperty("fields", out fields) || Fields(fields))
            && (!variant.TryGetProperty("tuple", out values) || (values.GetArrayLength() == 1 ? Walked(values[0]) : Values(values)))
            && Back();
    }

    private bool Fields(JsonElement fields)
    {
        foreach (JsonElement field in fields.EnumerateArray())
        {
            _steps.Add("." + field.GetProperty("name").GetString());
            JsonElement type = field.GetProperty("type");
            bool isOptional = field.TryGetProperty("default", out JsonElement byDefault) && byDefault.GetBoolean();
            if (!(isOptional ? Optional(type) : Walked(type)))
            {
                return false;
            }

            Back();
        }

        return true;
    }

    private bool Values(JsonElement types)
    {
        for (int i = 0; i < types.GetArrayLength(); i++)
        {
            _steps.Add(string.Create(CultureInfo.InvariantCulture, $".{i}"));
            if (!Walked(types[i]))
            {
                return false;
            }

            Back();
        }

        return true;
    }

    private bool All(JsonElement type, long count)
    {
        for (long i = 0; i < count; i++)
        {
            _steps.Add(string.Create(CultureInfo.InvariantCulture, $"[{i}]"));
            if (!Walked(type))
            {
                return false;
            }

            Back();
        }

        return true;
    }

    private bool Array(JsonElement type, long count)
    {
        _array = _at == _bytes.Length ? _steps.Count : _array;
        return All(type, count);
    }

    private bool Pairs(JsonElement key, JsonElement value, int count)
    {
        for (int i = 0; i < count; i++)
        {
            int start = _at;
            if (!Walked(key))
            {
                return false;
            }

            ReadOnlySpan<byte> name = _bytes[start.._at];
            bool isText = key.ValueKind == JsonValueKind.String && key.ValueEquals("string");
            _steps.Add(isText ? $"[{Encoding.UTF8.GetString(name[sizeof(uint)..])}]" : string.Create(CultureInfo.InvariantCulture, $"[{i}]"));
            if (!Walked(value))
            {
                return false;
            }

            Back();
        }

        return true;
    }

    private bool Optional(JsonElement type) => Passed(1) && (_bytes[_at - 1] == 0 || Walked(type));

    private bool Dynamic()
    {
        if (!Passed(1))
        {
            return false;
        }

        switch ((DynamicKind)_bytes[_at - 1])
        {
            case DynamicKind.Integer or DynamicKind.LargeInteger or DynamicKind.Number:
                return Passed(sizeof(long));
            case DynamicKind.Text or DynamicKind.Bytes:
                return Counted(out int length) && Passed(length);
            case DynamicKind.List or DynamicKind.Map:
                using (JsonDocument type = JsonDocument.Parse("""["string", "any"]"""))
                {
                    return Counted(out int count)
                        && (_bytes[_at - sizeof(uint) - 1] == (byte)DynamicKind.List
                            ? All(type.RootElement[1], count)
                            : Pairs(type.RootElement[0], type.RootElement[1], count));
                }

            default:
                return true;
        }
    }

    private bool Counted(out int count)
    {
        bool there = Passed(sizeof(uint));
        count = there ? BinaryPrimitives.ReadInt32LittleEndian(_bytes[(_at - sizeof(uint))..]) : 0;
        return there;
    }

    /// <summary>Skips the padding before a list's items, if there is any.</summary>
    private bool Padded(JsonElement item)
    {
        while (item.ValueKind == JsonValueKind.Object && item.TryGetProperty("array", out JsonElement array))
        {
            item = array[0];
        }

        bool isAligned = item.ValueKind == JsonValueKind.String
            ? item.GetString() is ['u' or 'i' or 'f', >= '1' and <= '6', ..]
            : item.TryGetProperty("ref", out JsonElement number) && _types[number.GetInt32()].TryGetProperty("pod", out _);
        return !isAligned || Passed(-_at & 7);
    }

    private bool Passed(int count)
    {
        if (count > _bytes.Length - _at || count < 0)
        {
            return false;
        }

        _at += count;
        return true;
    }

    private readonly bool Back()
    {
        _steps.RemoveAt(_steps.Count - 1);
        return true;
    }

    private static int SizeOf(string type) => type switch
    {
        "unit" => 0,
        "bool" or "u8" or "i8" => 1,
        "u16" or "i16" => 2,
        "char" or "u32" or "i32" or "f32" => 4,
        "u64" or "i64" or "f64" => 8,
        "timestamp" or "duration" => 12,
        _ => 16,
    };
}
