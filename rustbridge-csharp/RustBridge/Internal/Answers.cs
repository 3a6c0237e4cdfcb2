using System;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>How an answer's bytes, or an item's, become what the caller wants. A struct, so that nothing is allocated or called indirectly.</summary>
/// <typeparam name="T">What the caller wants.</typeparam>
internal interface IAnswer<out T>
{
    /// <summary>Whether it may hold objects.</summary>
    bool TakesObjects { get; }

    /// <summary>Reads it.</summary>
    /// <param name="method">What has answered.</param>
    /// <param name="bytes">The answer, valid until this returns.</param>
    T Read(Method method, ReadOnlySpan<byte> bytes);
}

/// <summary>JSON as text.</summary>
internal readonly struct TextAnswer : IAnswer<string>
{
    public bool TakesObjects => false;

    public string Read(Method method, ReadOnlySpan<byte> bytes) => Utf8Text.Decode(bytes);
}

/// <summary>Bytes as they are.</summary>
internal readonly struct BytesAnswer : IAnswer<byte[]>
{
    public bool TakesObjects => false;

    public byte[] Read(Method method, ReadOnlySpan<byte> bytes) => bytes.ToArray();
}

/// <summary>JSON as an object.</summary>
internal readonly struct JsonAnswer<T>(JsonTypeInfo<T> type) : IAnswer<T>
{
    public bool TakesObjects => true;

    public T Read(Method method, ReadOnlySpan<byte> bytes) => JsonSerializer.Deserialize(bytes, type)!;
}

/// <summary>A struct.</summary>
internal readonly struct StructAnswer<T> : IAnswer<T>
    where T : unmanaged
{
    public bool TakesObjects => false;

    public unsafe T Read(Method method, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != sizeof(T))
        {
            Throw.WrongSize(method, bytes.Length, sizeof(T));
        }

        return MemoryMarshal.Read<T>(bytes);
    }
}

/// <summary>Bytes that stay where the plugin has put them, if there are many: what was handed over becomes a lease, without being read.</summary>
internal readonly struct LeaseAnswer : IAnswer<RawResponse>
{
    public bool TakesObjects => false;

    public RawResponse Read(Method method, ReadOnlySpan<byte> bytes) => new(bytes.ToArray());
}

/// <summary>A value in the wire form.</summary>
internal readonly struct WireAnswer<T, TCodec> : IAnswer<T>
    where TCodec : struct, IWireCodec<T>
{
    public bool TakesObjects => true;

    public T Read(Method method, ReadOnlySpan<byte> bytes) => method.ReadWire<T, TCodec>(bytes);
}
