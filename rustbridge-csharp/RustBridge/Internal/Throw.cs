using System;
using System.Diagnostics.CodeAnalysis;

namespace RustBridge.Internal;

/// <summary>Throws, out of the way of the code that doesn't.</summary>
internal static class Throw
{
    private const string InvalidResponse = "rustbridge.InvalidResponse";

    internal static void IfEmpty(ReadOnlySpan<byte> image)
    {
        if (image.IsEmpty)
        {
            throw new ArgumentException("the image is empty, expected all bytes of a library", nameof(image));
        }
    }

    internal static void IfNoLevel(PluginLogLevel level, string parameter)
    {
        if (level is < PluginLogLevel.Off or > PluginLogLevel.Trace)
        {
            throw new ArgumentOutOfRangeException(
                parameter, level, "the value isn't a level, expected one from PluginLogLevel.Off to Trace");
        }
    }

    internal static void IfNoEncoding(PluginEncoding encoding)
    {
        if (encoding is < PluginEncoding.Json or > PluginEncoding.Wire)
        {
            throw new ArgumentOutOfRangeException(
                nameof(encoding), encoding, "the value isn't an encoding, expected one from PluginEncoding.Json to Wire");
        }
    }

    [DoesNotReturn]
    internal static void WrongEncoding(Method method, PluginEncoding expected) =>
        throw new InvalidOperationException(
            $"{method} was prepared with the encoding {method.Encoding}, but this call requires {expected}: "
            + $"prepare it with PluginEncoding.{expected}");

    [DoesNotReturn]
    internal static void WrongKind(Method method) =>
        throw new InvalidOperationException(
            $"{method} is a streaming method: use "
            + (method.IsStreamIn ? method.IsStreamOut ? "ExchangeAsync" : "SendAsync" : "StreamAsync"));

    [DoesNotReturn]
    internal static void WrongSize(Method method, long length, int expected) =>
        throw new PluginException(
            Status.DataLoss, $"{method} returned {length} bytes, but its struct has {expected}", InvalidResponse);

    [DoesNotReturn]
    internal static void UnpairedSurrogate() =>
        throw new PluginException(
            Status.InvalidArgument, "the text has an unpaired surrogate, so it can't be written as UTF-8", "rustbridge.InvalidRequest");

    [DoesNotReturn]
    internal static void InvalidUtf8(Exception cause) =>
        throw new PluginException(Status.DataLoss, $"the response isn't valid UTF-8: {cause.Message}", InvalidResponse);
}
