using System;
using System.Collections.Generic;
using System.Text.Json;

namespace RustBridge;

/// <summary>
/// The exception of a failed call or of another failed function of a plugin. The message is the plugin's.
/// </summary>
/// <remarks>
/// If the plugin failed because a service of the application threw an exception, <see cref="Exception.InnerException"/>
/// is that exception.
/// </remarks>
public class PluginException : Exception
{
    private static readonly Dictionary<string, JsonElement> NoDetails = [];

    /// <summary>Creates an exception with a default message.</summary>
    public PluginException()
        : this(Status.Unknown, "the call has failed")
    {
    }

    /// <summary>Creates an exception with <see cref="RustBridge.Status.Unknown"/>.</summary>
    /// <param name="message">The error message.</param>
    public PluginException(string message)
        : this(Status.Unknown, message)
    {
    }

    /// <summary>Creates an exception with <see cref="RustBridge.Status.Unknown"/>.</summary>
    /// <param name="message">The error message.</param>
    /// <param name="innerException">The cause.</param>
    public PluginException(string message, Exception? innerException)
        : base(message, innerException)
    {
        Status = Status.Unknown;
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="status">The status.</param>
    /// <param name="message">The error message.</param>
    /// <param name="type">The error type in the plugin.</param>
    /// <param name="details">Additional data of the error.</param>
    /// <param name="backtrace">The Rust backtrace of a panic.</param>
    public PluginException(
        Status status,
        string message,
        string? type = null,
        IReadOnlyDictionary<string, JsonElement>? details = null,
        string? backtrace = null)
        : base(message)
    {
        Status = status;
        Type = type ?? "";
        Details = details ?? NoDetails;
        Backtrace = backtrace;
    }

    internal PluginException(
        Status status,
        string message,
        string? type,
        IReadOnlyDictionary<string, JsonElement>? details,
        string? backtrace,
        Exception? cause)
        : base(message, cause)
    {
        Status = status;
        Type = type ?? "";
        Details = details ?? NoDetails;
        Backtrace = backtrace;
    }

    /// <summary>
    /// Creates an exception with the contents of another, for the exceptions that <c>rustbridge gen</c> generates,
    /// which carry a value.
    /// </summary>
    /// <param name="failed">The other exception.</param>
    protected PluginException(PluginException failed)
        : base((failed ?? throw new ArgumentNullException(nameof(failed))).Message, failed.InnerException)
    {
        Status = failed.Status;
        Type = failed.Type;
        Details = failed.Details;
        Backtrace = failed.Backtrace;
    }

    /// <summary>The status; never <see cref="RustBridge.Status.Ok"/>.</summary>
    public Status Status { get; }

    /// <summary>
    /// The error type in the plugin, e.g. <c>MathError.Overflow</c>, or <c>panic</c>; empty if the plugin names none.
    /// The types of errors of rustbridge itself begin with <c>rustbridge.</c>.
    /// </summary>
    public string Type { get; } = "";

    /// <summary>
    /// Additional data of the error, by name; empty if there is none. Data that isn't an object is under
    /// <c>details</c>.
    /// </summary>
    public IReadOnlyDictionary<string, JsonElement> Details { get; } = NoDetails;

    /// <summary>
    /// The Rust backtrace of a panic as Rust prints it, if <see cref="PluginConfig.Backtraces"/> is set.
    /// </summary>
    public string? Backtrace { get; }

    /// <summary>
    /// Returns the class, status, type and message, then the rest of <see cref="Exception.ToString"/>.
    /// </summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        string kind = Type.Length == 0 ? $"{Status}" : $"{Status} ({Type})";
        string text = $"{GetType().FullName}: {kind}: {Message}";
        if (InnerException is not null)
        {
            text += $"{Environment.NewLine} ---> {InnerException}";
        }

        return StackTrace is null ? text : $"{text}{Environment.NewLine}{StackTrace}";
    }
}
