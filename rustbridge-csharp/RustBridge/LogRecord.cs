using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>One record of a plugin's log. Immutable, and free to be kept.</summary>
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

    /// <summary>How urgent it is.</summary>
    public PluginLogLevel Level { get; internal init; }

    /// <summary>Whether it tells of the end of a span instead of an event.</summary>
    public bool IsSpan { get; internal init; }

    /// <summary>The name of the instance.</summary>
    public string Instance { get; internal init; } = "";

    /// <summary>The part of the plugin that speaks, e.g. <c>hello_plugin::hello</c>.</summary>
    public string Target { get; internal init; } = "";

    /// <summary>What it says; of a span, its name.</summary>
    public string Message { get; internal init; } = "";

    /// <summary>The structured fields by name. Parsed when first asked for.</summary>
    public IReadOnlyDictionary<string, JsonElement> Fields => _parsedFields ??= JsonText.Members(_fields);

    /// <summary>The spans it happened in, outermost first. Parsed when first asked for.</summary>
    public IReadOnlyList<LogSpan> Spans => _parsedSpans ??= LogSpan.Parse(_spans);

    /// <summary>The structured fields as the plugin wrote them: a JSON object, or empty.</summary>
    public string FieldsJson => _fields;

    /// <summary>When it happened; a span's is its end.</summary>
    public DateTimeOffset Time { get; internal init; }

    /// <summary>How long a span was open; zero for events.</summary>
    public TimeSpan Duration { get; internal init; }

    /// <summary>Source file, or empty.</summary>
    public string File { get; internal init; } = "";

    /// <summary>Line in <see cref="File"/>, or 0.</summary>
    public int Line { get; internal init; }

    /// <summary>Name of the thread it happened on, or empty.</summary>
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
    /// What a service of the application has thrown, in the record that tells of it; null in those of plugins.
    /// </summary>
    public Exception? Exception { get; internal init; }

    /// <summary>Gives the record on one line.</summary>
    /// <returns>Time, level, instance, target, message and fields.</returns>
    public override string ToString()
    {
        string fields = _fields.Length == 0 ? "" : " " + _fields;
        return $"{Time:O} {Level} {Instance} {Target}: {Message}{fields}{(Exception is null ? "" : $"{Environment.NewLine}{Exception}")}";
    }
}
