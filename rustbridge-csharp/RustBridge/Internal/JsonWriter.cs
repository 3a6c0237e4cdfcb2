using System;
using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace RustBridge.Internal;

/// <summary>Writes objects as JSON into memory that is kept for the thread's next call.</summary>
internal sealed class JsonWriter : IDisposable
{
    // One for each thread. A converter that calls a plugin itself finds none and makes another.
    [ThreadStatic]
    private static JsonWriter? _kept;

    private readonly JsonSerializerOptions _options;
    private readonly ArrayBufferWriter<byte> _buffer = new(Storage.FirstObject);
    private readonly Utf8JsonWriter _writer;
    private int _most;

    private JsonWriter(JsonSerializerOptions options)
    {
        _options = options;
        _writer = new Utf8JsonWriter(
            _buffer,
            new JsonWriterOptions
            {
                Encoder = options.Encoder,
                Indented = options.WriteIndented,
                MaxDepth = options.MaxDepth,
                SkipValidation = true,
            });
    }

    /// <summary>Gives this thread's writer for these options; disposing of it gives it back.</summary>
    /// <param name="options">How to write.</param>
    /// <param name="most">The most memory that is kept for the next call.</param>
    internal static JsonWriter Take(JsonSerializerOptions options, int most)
    {
        JsonWriter? writer = _kept;
        _kept = null;
        if (writer is null || !ReferenceEquals(writer._options, options))
        {
            writer = new JsonWriter(options);
        }

        writer._most = most;
        return writer;
    }

    /// <summary>Writes a value.</summary>
    /// <returns>JSON in UTF-8, valid until <see cref="Dispose"/>.</returns>
    /// <exception cref="ArgumentException">It has a number that JSON doesn't have; the message names the field.</exception>
    internal ReadOnlySpan<byte> Write<T>(T value, JsonTypeInfo<T> type)
    {
        try
        {
            JsonSerializer.Serialize(_writer, value, type);
        }
        catch (ArgumentException error) when (UnwritableNumber.Path(error, value, type) is { } path)
        {
            throw new ArgumentException(
                $"the request can't be written as JSON: {path} isn't a number that JSON can represent. {error.Message}", error);
        }

        return _buffer.WrittenSpan;
    }

    /// <summary>Keeps it for the next call, unless it has grown large.</summary>
    public void Dispose()
    {
        if (_buffer.Capacity <= _most)
        {
            _buffer.ResetWrittenCount();
            _writer.Reset();
            _kept = this;
        }
    }
}
