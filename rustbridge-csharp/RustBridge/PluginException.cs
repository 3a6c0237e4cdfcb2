using System;
using System.Collections.Generic;
using System.Text.Json;

namespace RustBridge;

/// <summary>
/// A call, or another operation on a plugin, has failed. The message is the one that the plugin gave.
/// </summary>
/// <remarks>
/// Where the plugin has failed with what a service of the application threw, that is the <see cref="Exception.InnerException"/>.
/// </remarks>
public class PluginException : Exception
{
    private static readonly Dictionary<string, JsonElement> NoDetails = [];

    /// <summary>Makes one that says nothing.</summary>
    public PluginException()
        : this(Status.Unknown, "the call has failed")
    {
    }

    /// <summary>Makes one with <see cref="RustBridge.Status.Unknown"/>.</summary>
    /// <param name="message">What went wrong.</param>
    public PluginException(string message)
        : this(Status.Unknown, message)
    {
    }

    /// <summary>Makes one with <see cref="RustBridge.Status.Unknown"/>.</summary>
    /// <param name="message">What went wrong.</param>
    /// <param name="innerException">What caused it.</param>
    public PluginException(string message, Exception? innerException)
        : base(message, innerException)
    {
        Status = Status.Unknown;
    }

    /// <summary>Makes one.</summary>
    /// <param name="status">How the call ended.</param>
    /// <param name="message">What went wrong.</param>
    /// <param name="type">The name of the error's type in the plugin.</param>
    /// <param name="details">What the error carries besides.</param>
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

    /// <summary>For the exceptions that <c>rustbridge gen</c> writes, which carry a value: makes one that says what another does.</summary>
    /// <param name="failed">The other.</param>
    protected PluginException(PluginException failed)
        : base((failed ?? throw new ArgumentNullException(nameof(failed))).Message, failed.InnerException)
    {
        Status = failed.Status;
        Type = failed.Type;
        Details = failed.Details;
        Backtrace = failed.Backtrace;
    }

    /// <summary>How the call ended; never <see cref="RustBridge.Status.Ok"/>.</summary>
    public Status Status { get; }

    /// <summary>
    /// The name of the error's type in the plugin, e.g. <c>MathError.Overflow</c>, or <c>panic</c>; empty if the
    /// plugin names none. What rustbridge itself refuses begins with <c>rustbridge.</c>.
    /// </summary>
    public string Type { get; } = "";

    /// <summary>
    /// What the error carries besides its message, by name; empty if there is nothing. What the plugin gives as another value than an
    /// object is under <c>details</c>.
    /// </summary>
    public IReadOnlyDictionary<string, JsonElement> Details { get; } = NoDetails;

    /// <summary>
    /// The Rust backtrace of a panic as Rust prints it, if <see cref="PluginConfig.Backtraces"/> asked for it.
    /// </summary>
    public string? Backtrace { get; }

    /// <summary>Gives class, status, type and message, then what <see cref="Exception.ToString"/> adds.</summary>
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
