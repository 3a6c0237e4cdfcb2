using System;
using System.Buffers;
using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>Items of a stream that came together, in memory of ours or still in the core's.</summary>
internal sealed class ItemBatch : IDisposable
{
    private readonly byte[]? _rented;
    private readonly NativeResponse? _handedOver;
    private readonly int _length;
    private readonly bool _hasEnds;
    private readonly int _perItem;
    private int _next;

    /// <summary>Takes over what an event has. If it throws, what it hasn't taken is in the event still.</summary>
    internal unsafe ItemBatch(Method method, RbEvent* told)
    {
        Count = (int)told->Count;
        _hasEnds = (told->Flags & Rb.BatchEnds) != 0;
        _length = checked((int)told->Response.Len);
        if (told->Response.Release != null)
        {
            _handedOver = new NativeResponse(ref told->Response, method.Name);
        }
        else
        {
            _rented = ArrayPool<byte>.Shared.Rent(_length);
            new ReadOnlySpan<byte>(told->Response.Data, _length).CopyTo(_rented);
        }

        Objects = CameObjects.Take(method.Plugin, ref told->Reply.Objects);
        Operation.Release(ref told->Reply.Trailers);
        _perItem = Count == 0 ? 0 : Objects.Length / Count;
    }

    /// <summary>How many items there are.</summary>
    internal int Count { get; }

    /// <summary>Their objects, those of each item together.</summary>
    internal PluginObject[] Objects { get; }

    /// <summary>Where the current item begins, and its length.</summary>
    internal (int Start, int Length) Place { get; private set; }

    /// <summary>The bytes of the current item, valid until this is disposed of.</summary>
    internal ReadOnlySpan<byte> Item => All.Slice(Place.Start, Place.Length);

    /// <summary>The same as memory, for items that were copied here; otherwise a copy.</summary>
    internal ReadOnlyMemory<byte> Memory =>
        _rented is null ? Item.ToArray() : _rented.AsMemory(Place.Start, Place.Length);

    /// <summary>All items of one length, back to back.</summary>
    internal ReadOnlySpan<byte> All => _rented is null ? _handedOver!.Span : _rented.AsSpan(0, _length);

    /// <summary>The objects of the current item.</summary>
    internal PluginObject[] ItemObjects => _perItem == 0 ? [] : Objects[((_next - 1) * _perItem)..(_next * _perItem)];

    /// <summary>Goes to the next item, the first at first.</summary>
    internal bool Next()
    {
        if (_next == Count)
        {
            return false;
        }

        if (_hasEnds)
        {
            int start = _next == 0 ? 0 : End(_next - 1);
            Place = (start, End(_next) - start);
        }
        else
        {
            int size = _length / Count;
            Place = (_next * size, size);
        }

        _next++;
        return true;
    }

    public void Dispose()
    {
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
        }

        _handedOver?.Dispose();
    }

    /// <summary>Releases the objects of items that nobody has got.</summary>
    internal void DropRest()
    {
        for (int i = _next * _perItem; i < Objects.Length; i++)
        {
            Objects[i].Dispose();
        }
    }

    private int End(int item) =>
        (int)MemoryMarshal.Read<uint>(All[(_length - ((Count - item) * sizeof(uint)))..]);
}
