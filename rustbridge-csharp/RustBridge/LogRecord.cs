using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>A record of a plugin's log. Immutable; it may be kept.</summary>
public sealed class LogRecord
{
    private readonly string _fields;
    private readonly string _spans;
    private IReadOnlyDictionary<string, JsonElement>? _parsedFields;
    private IReadOnlyList<LogSpan>? _parsedSpans;

    internal LogRecord(string fields, string spans)
    {
        _fields = fields;
        _spans = spans;
    }

    /// <summary>The level.</summary>
    public PluginLogLevel Level { get; internal init; }

    /// <summary>Whether the record is the end of a span instead of an event.</summary>
    public bool IsSpan { get; internal init; }

    /// <summary>The name of the instance.</summary>
    public string Instance { get; internal init; } = "";

    /// <summary>The part of the plugin that logged the record, e.g. <c>hello_plugin::hello</c>.</summary>
    public string Target { get; internal init; } = "";

    /// <summary>The message; for a span, its name.</summary>
    public string Message { get; internal init; } = "";

    /// <summary>The structured fields by name. Parsed at the first access.</summary>
    public IReadOnlyDictionary<string, JsonElement> Fields => _parsedFields ??= JsonText.Members(_fields);

    /// <summary>The enclosing spans, outermost first. Parsed at the first access.</summary>
    public IReadOnlyList<LogSpan> Spans => _parsedSpans ??= LogSpan.Parse(_spans);

    /// <summary>The structured fields as the plugin wrote them: a JSON object, or empty.</summary>
    public string FieldsJson => _fields;

    /// <summary>The time of the event; for a span, the time of its end.</summary>
    public DateTimeOffset Time { get; internal init; }

    /// <summary>How long a span was open; zero for events.</summary>
    public TimeSpan Duration { get; internal init; }

    /// <summary>The source file, or empty.</summary>
    public string File { get; internal init; } = "";

    /// <summary>The line in <see cref="File"/>, or 0.</summary>
    public int Line { get; internal init; }

    /// <summary>The name of the thread that logged the record, or empty.</summary>
    public string Thread { get; internal init; } = "";

    /// <summary>The trace of the call or span in which it was logged; <c>default</c> without a trace.</summary>
    public ActivityTraceId TraceId { get; internal init; }

    /// <summary>
    /// The span's own ID if the record is the end of a span that has one; otherwise the ID of the enclosing span, which is the caller's if the
    /// plugin has opened none. <c>default</c> without a trace.
    /// </summary>
    public ActivitySpanId SpanId { get; internal init; }

    /// <summary>The enclosing span, if the record is the end of a span that has an ID of its own; otherwise <c>default</c>.</summary>
    public ActivitySpanId ParentSpanId { get; internal init; }

    /// <summary>
    /// The exception that a service of the application threw, in the record that reports it; null in the plugin's own
    /// records.
    /// </summary>
    public Exception? Exception { get; internal init; }

    /// <summary>Returns the record as one line.</summary>
    /// <returns>Time, level, instance, target, message and fields.</returns>
    public override string ToString()
    {
        string fields = _fields.Length == 0 ? "" : " " + _fields;
        return $"{Time:O} {Level} {Instance} {Target}: {Message}{fields}{(Exception is null ? "" : $"{Environment.NewLine}{Exception}")}";
    }
}
