using System.Collections;
using System.Collections.Generic;
using System.Text;

namespace RustBridge.Extensions.Logging;

/// <summary>A span as a scope: its fields, then <c>Span</c> with its name.</summary>
internal sealed class SpanState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private const string Name = "Span";

    private readonly string _name;
    private readonly List<KeyValuePair<string, object?>> _values;

    internal SpanState(LogSpan span)
    {
        _name = span.Name;
        _values = new(span.Fields.Count + 1);
        FieldValues.Add(_values, span.Fields, [Name]);
        _values.Add(new(Name, span.Name));
    }

    public int Count => _values.Count;

    public KeyValuePair<string, object?> this[int index] => _values[index];

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns the name, then the fields: <c>import file=users.csv</c>.</summary>
    public override string ToString()
    {
        var text = new StringBuilder(_name);
        FieldValues.Append(text, _values, _values.Count - 1);
        return text.ToString();
    }
}
