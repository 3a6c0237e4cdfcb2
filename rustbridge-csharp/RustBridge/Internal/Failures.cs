using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>Makes exceptions of statuses and error payloads.</summary>
internal static class Failures
{
    /// <summary>What a payload in the wire form begins with.</summary>
    private static ReadOnlySpan<byte> Typed => [1, 0, 0, 0];

    /// <summary>Makes the exception of a failed call.</summary>
    /// <param name="status">A number of the host ABI.</param>
    /// <param name="payload">One JSON object in UTF-8, an error with a type in the wire form, or empty.</param>
    /// <returns>The exception, to be thrown.</returns>
    internal static PluginException Of(int status, ReadOnlySpan<byte> payload) => Of(status, payload, null);

    /// <summary>Makes the exception of a failed call of a method.</summary>
    /// <param name="status">A number of the host ABI.</param>
    /// <param name="payload">One JSON object in UTF-8, an error with a type in the wire form, or empty.</param>
    /// <param name="method">The method, which may know the error's type.</param>
    /// <returns>The exception, to be thrown.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PluginException Of(int status, ReadOnlySpan<byte> payload, Method? method)
    {
        Status known = Known(status);
        if (payload.StartsWith(Typed) && OfTyped(known, payload, method) is { } typed)
        {
            return typed;
        }

        if (payload.IsEmpty)
        {
            return new PluginException(known, $"the call failed with status {known} and no message");
        }

        if (OfTexts(known, payload) is { } plain)
        {
            return plain;
        }

        if (!JsonText.TryParse(payload, out JsonElement error) || error.ValueKind != JsonValueKind.Object)
        {
            return new PluginException(known, Encoding.UTF8.GetString(payload));
        }

        return new PluginException(
            known,
            JsonText.Text(JsonText.Member(error, "message")) ?? Encoding.UTF8.GetString(payload),
            JsonText.Text(error, "type"),
            Details(JsonText.Member(error, "details")),
            JsonText.Text(JsonText.Member(error, "backtrace")),
            Causes.Take(JsonText.Text(JsonText.Member(error, "cause"))));
    }

    /// <summary>An error that says texts alone, as most do; null of any other, and of what isn't as expected, for the general way.</summary>
    private static PluginException? OfTexts(Status status, ReadOnlySpan<byte> payload)
    {
        string? message = null;
        string? type = null;
        try
        {
            var reader = new Utf8JsonReader(payload);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            {
                return null;
            }

            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                bool isMessage = reader.ValueTextEquals("message"u8);
                bool isType = !isMessage && reader.ValueTextEquals("type"u8);
                bool isSaidBefore = (isMessage ? message : isType ? type : null) is not null;
                bool isKnown = isMessage || isType || reader.ValueTextEquals("code"u8);
                if (isSaidBefore || !isKnown || !reader.Read() || reader.TokenType != JsonTokenType.String)
                {
                    return null;
                }

                if (isMessage)
                {
                    message = reader.GetString();
                }
                else if (isType)
                {
                    type = reader.GetString();
                }
            }

            // Behind the object may only be white space, else the reader throws.
            return message is not null && !reader.Read() ? new PluginException(status, message, type) : null;
        }
        catch (Exception odd) when (odd is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>An error with a type; null if the payload isn't one after all.</summary>
    private static PluginException? OfTyped(Status status, ReadOnlySpan<byte> payload, Method? method)
    {
        // Behind its mark is the status, which came beside it as well.
        int at = Typed.Length + sizeof(int);
        if (Text(payload, ref at) is not { } message || Text(payload, ref at) is not { } type)
        {
            return null;
        }

        var failed = new PluginException(status, message, type);
        if (method?.Raise is not { } raise)
        {
            return failed;
        }

        try
        {
            var reader = new WireReader(method, payload[Math.Min((at + 7) & ~7, payload.Length)..]);
            PluginException raised = raise(failed, ref reader);
            reader.End();
            return raised;
        }
        catch (PluginException malformed)
        {
            return new PluginException(status, $"{message} (and the error's fields can't be read: {malformed.Message})", type);
        }
    }

    private static string? Text(ReadOnlySpan<byte> payload, ref int at)
    {
        if (payload.Length - at < sizeof(int))
        {
            return null;
        }

        int length = BinaryPrimitives.ReadInt32LittleEndian(payload[at..]);
        at += sizeof(int);
        if (length < 0 || length > payload.Length - at)
        {
            return null;
        }

        string text = Encoding.UTF8.GetString(payload.Slice(at, length));
        at += length;
        return text;
    }

    /// <summary>The members of an object. What is another value is kept, too, as the only one.</summary>
    private static IReadOnlyDictionary<string, JsonElement> Details(JsonElement details) =>
        details.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null or JsonValueKind.Object
            ? JsonText.Members(details)
            : new Dictionary<string, JsonElement> { ["details"] = details };

    /// <summary>The status with a number; <see cref="Status.Unknown"/> for a number that isn't one.</summary>
    internal static Status Known(int status) =>
        status is >= (int)Status.Ok and <= (int)Status.Unauthenticated ? (Status)status : Status.Unknown;
}
