using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;

namespace RustBridge.Internal;

/// <summary>Makes exceptions of statuses and error payloads.</summary>
internal static class Failures
{
    /// <summary>Makes the exception of a failed call.</summary>
    /// <param name="status">A number of the host ABI.</param>
    /// <param name="payload">One JSON object in UTF-8, or empty.</param>
    /// <returns>The exception, to be thrown.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static PluginException Of(int status, ReadOnlySpan<byte> payload)
    {
        Status known = Known(status);
        if (payload.IsEmpty)
        {
            return new PluginException(known, $"the call ended with the status {known} and no message");
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
            JsonText.Text(JsonText.Member(error, "backtrace")));
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
