using System;

namespace RustBridge.Wire;

/// <summary>Tells where a message is wrong.</summary>
internal static class WirePath
{
    /// <summary>What clients call a method's parameter.</summary>
    internal const string Request = "request";

    /// <summary>Makes the exception about a request.</summary>
    /// <param name="method">What is called.</param>
    /// <param name="before">What has been written before it.</param>
    /// <param name="what">What's wrong.</param>
    internal static ArgumentException Unfit(Method? method, ReadOnlySpan<byte> before, string what)
    {
        string parameter = Request;
        return new ArgumentException($"{method?.Name}: {parameter}: {what}", parameter);
    }

    /// <summary>The message of an exception about an answer.</summary>
    /// <param name="method">What has answered.</param>
    /// <param name="before">What stands before it.</param>
    /// <param name="at">The byte at which it was found.</param>
    /// <param name="what">What's wrong.</param>
    internal static string Told(Method? method, ReadOnlySpan<byte> before, int at, string what) =>
        $"{method?.Name}: the plugin's answer isn't of its type: byte {at}: {what}";
}
