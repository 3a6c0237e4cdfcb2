using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;

namespace RustBridge.Internal;

/// <summary>Makes statuses and error payloads of exceptions, for plugins.</summary>
internal static class ErrorPayload
{
    /// <summary>What a plugin is told of an exception that can't be told of.</summary>
    private static ReadOnlySpan<byte> Untold => """{"code":"INTERNAL","message":"the host's error could not be written"}"""u8;

    /// <summary>What a plugin is told of an exception. It doesn't throw, whatever the exception is like: its callers have nobody to throw it to.</summary>
    internal static (int Status, byte[] Payload) Of(Exception problem)
    {
        try
        {
            return Written(problem);
        }
        catch (Exception)
        {
            // The user's own message, say, or details of a document that was disposed of.
            return ((int)Status.Internal, Untold.ToArray());
        }
    }

    /// <summary>Makes the payload of an error that has a type. The library fills in the status and the type's name.</summary>
    internal static byte[] OfValue(string message, ReadOnlySpan<byte> value)
    {
        byte[] text = Encoding.UTF8.GetBytes(message);
        // A mark, the status, the message, and an empty type, each after its length.
        int start = (16 + text.Length + 7) & ~7;
        byte[] payload = new byte[start + value.Length];
        payload[0] = 1;
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(8), text.Length);
        text.CopyTo(payload, 12);
        value.CopyTo(payload.AsSpan(start));
        return payload;
    }

    private static (int Status, byte[] Payload) Written(Exception problem)
    {
        if (problem is ThrownException { Payload: var whole })
        {
            return ((int)Status.Unknown, whole);
        }

        Status status = problem switch
        {
            PluginException { Status: not Status.Ok } thrown => thrown.Status,
            OperationCanceledException => Status.Cancelled,
            _ => Status.Internal,
        };
        var known = problem as PluginException;
        string type = known is null ? problem.GetType().Name : known.Type;
        var json = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(json))
        {
            writer.WriteStartObject();
            writer.WriteString("code", Name(status));
            writer.WriteString("message", Paired(problem.Message));
            if (type.Length != 0)
            {
                writer.WriteString("type", Paired(type));
            }

            if (known is { Details.Count: > 0 })
            {
                writer.WriteStartObject("details");
                foreach ((string field, JsonElement value) in known.Details)
                {
                    writer.WritePropertyName(Paired(field));
                    value.WriteTo(writer);
                }

                writer.WriteEndObject();
            }

            writer.WriteString("cause", Causes.Keep(problem));
            writer.WriteEndObject();
        }

        return ((int)status, json.WrittenSpan.ToArray());
    }

    private static unsafe string Name(Status status) => Marshal.PtrToStringUTF8((nint)Native.StatusName((int)status))!;

    /// <summary>Text without what UTF-8 can't say.</summary>
    private static string Paired(string text) => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
}
