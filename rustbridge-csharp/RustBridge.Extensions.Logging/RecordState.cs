using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;

namespace RustBridge.Extensions.Logging;

/// <summary>
/// A log record as loggers receive it: names and values, and a text for loggers that only accept text.
/// </summary>
internal sealed class RecordState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private const string SourceFile = "SourceFile";
    private const string SourceLine = "SourceLine";
    private const string Thread = "Thread";
    private const string Time = "Time";
    private const string Duration = "Duration";

    // The names under which .NET's own loggers add the current activity.
    private const string TraceId = "TraceId";
    private const string SpanId = "SpanId";
    private const string ParentId = "ParentId";

    /// <summary>The name under which loggers expect the message template.</summary>
    private const string OriginalFormat = "{OriginalFormat}";

    private readonly LogRecord _record;
    private readonly List<KeyValuePair<string, object?>> _values;

    /// <summary>The exception that a service threw, if the record reports one.</summary>
    internal Exception? Exception => _record.Exception;

    internal RecordState(LogRecord record)
    {
        _record = record;
        _values = new(record.Fields.Count + 9);
        FieldValues.Add(_values, record.Fields, [SourceFile, SourceLine, Thread, Time, Duration, TraceId, SpanId, ParentId, OriginalFormat]);
        AddText(SourceFile, record.File);
        if (record.Line > 0)
        {
            Add(SourceLine, record.Line);
        }

        AddText(Thread, record.Thread);
        Add(Time, record.Time);
        if (record.IsSpan)
        {
            Add(Duration, record.Duration);
        }

        if (record.TraceId != default)
        {
            Add(TraceId, record.TraceId.ToHexString());
            Add(SpanId, record.SpanId.ToHexString());
            if (record.ParentSpanId != default)
            {
                Add(ParentId, record.ParentSpanId.ToHexString());
            }
        }

        // It's a template for whoever reads it: braces of the message are no holes in it.
        string format = record.Message.Replace("{", "{{", StringComparison.Ordinal).Replace("}", "}}", StringComparison.Ordinal);
        Add(OriginalFormat, format);
    }

    public int Count => _values.Count;

    public KeyValuePair<string, object?> this[int index] => _values[index];

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns the message, then the plugin's fields: <c>user created user_id=user-1</c>.</summary>
    public override string ToString()
    {
        var text = new StringBuilder(_record.Message);
        FieldValues.Append(text, _values, _record.Fields.Count);
        if (_record.IsSpan)
        {
            text.Append(" duration=").Append(_record.Duration);
        }

        return text.ToString();
    }

    private void AddText(string name, string value)
    {
        if (value.Length != 0)
        {
            Add(name, value);
        }
    }

    private void Add(string name, object value) => _values.Add(new(name, value));
}
