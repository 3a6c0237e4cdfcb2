using System;
using System.Diagnostics.CodeAnalysis;

namespace RustBridge.Internal;

/// <summary>Throws, out of the way of the code that doesn't.</summary>
internal static class Throw
{
    [DoesNotReturn]
    internal static void WrongEncoding(Method method, PluginEncoding expected) =>
        throw new InvalidOperationException(
            $"{method} is prepared in {method.Encoding}, but this call needs {expected}; prepare it with PluginEncoding.{expected}");

    [DoesNotReturn]
    internal static void WrongSize(Method method, long length, int expected) =>
        throw new PluginException(
            Status.DataLoss, $"{method} answered {length} bytes where its struct has {expected}");

    [DoesNotReturn]
    internal static void UnpairedSurrogate() =>
        throw new PluginException(
            Status.InvalidArgument, "the text has an unpaired surrogate, so that it can't be written as UTF-8");

    [DoesNotReturn]
    internal static void InvalidUtf8(Exception cause) =>
        throw new PluginException(Status.DataLoss, $"the response isn't valid UTF-8: {cause.Message}");
}
