using System;
using System.Runtime.InteropServices;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>How items become what the caller wants. A struct, so that nothing is allocated or called indirectly.</summary>
/// <typeparam name="T">What the caller wants: of each item, or of each batch.</typeparam>
internal interface IItemReader<out T>
{
    /// <summary>Whether all that came together is read at once.</summary>
    bool TakesBatches { get; }

    /// <summary>Reads the current item, or the batch.</summary>
    /// <param name="method">What gives it.</param>
    /// <param name="batch">What came, valid until the next is asked for.</param>
    T Read(Method method, ItemBatch batch);
}

/// <summary>JSON, as an object that may hold objects of the plugin's.</summary>
internal readonly struct JsonItem<T>(JsonTypeInfo<T> type) : IItemReader<T>
{
    public bool TakesBatches => false;

    public T Read(Method method, ItemBatch batch) =>
        CameObjects.Read<T, JsonAnswer<T>>(method, new(type), batch.Item, batch.ItemObjects, kept: false);
}

/// <summary>A value in the wire form. Objects have no place in it; what comes all the same is released.</summary>
internal readonly struct WireItem<T, TCodec> : IItemReader<T>
    where TCodec : struct, IWireCodec<T>
{
    public bool TakesBatches => false;

    public T Read(Method method, ItemBatch batch) =>
        CameObjects.Read<T, WireAnswer<T, TCodec>>(method, default, batch.Item, batch.ItemObjects, kept: false);
}

/// <summary>A struct.</summary>
internal readonly struct StructItem<T> : IItemReader<T>
    where T : unmanaged
{
    public bool TakesBatches => false;

    public T Read(Method method, ItemBatch batch) => default(StructAnswer<T>).Read(method, batch.Item);
}

/// <summary>All structs that came together, in an array that is used again.</summary>
internal struct StructBatch<T> : IItemReader<ReadOnlyMemory<T>>
    where T : unmanaged
{
    private T[]? _structs;

    public readonly bool TakesBatches => true;

    public unsafe ReadOnlyMemory<T> Read(Method method, ItemBatch batch)
    {
        ReadOnlySpan<byte> all = batch.All;
        if (all.Length != (long)batch.Count * sizeof(T))
        {
            Throw.WrongSize(method, all.Length / batch.Count, sizeof(T));
        }

        if (_structs is null || _structs.Length < batch.Count)
        {
            _structs = new T[batch.Count];
        }

        all.CopyTo(MemoryMarshal.AsBytes(_structs.AsSpan()));
        return _structs.AsMemory(0, batch.Count);
    }
}

/// <summary>Bytes where they are, with their objects.</summary>
internal readonly struct RawItem : IItemReader<StreamItem>
{
    public bool TakesBatches => false;

    public StreamItem Read(Method method, ItemBatch batch) => new(batch.Memory, batch.ItemObjects);
}
