using System;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>The codec of a raw message's text, whose length is that of the message. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct RawTextCodec : IWireCodec<string>
{
    /// <inheritdoc/>
    public static long Least => 0;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, string value) => writer.WriteRawText(value);

    /// <inheritdoc/>
    public static string Read(ref WireReader reader) => reader.ReadRestAsText();
}

/// <summary>The codec of a raw request's bytes in any memory. For generated clients, which only write them.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct RawMemoryCodec : IWireCodec<ReadOnlyMemory<byte>>
{
    /// <inheritdoc/>
    public static long Least => 0;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, ReadOnlyMemory<byte> value) => writer.WritePlain(value.Span);

    /// <inheritdoc/>
    public static ReadOnlyMemory<byte> Read(ref WireReader reader) => reader.ReadRest();
}

/// <summary>The codec of a raw response's bytes. For generated clients, which only read them.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct RawBytesCodec : IWireCodec<byte[]>
{
    /// <inheritdoc/>
    public static long Least => 0;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, byte[] value)
    {
        writer.CheckThere(value);
        writer.WritePlain<byte>(value.AsSpan());
    }

    /// <inheritdoc/>
    public static byte[] Read(ref WireReader reader) => reader.ReadRest();
}
