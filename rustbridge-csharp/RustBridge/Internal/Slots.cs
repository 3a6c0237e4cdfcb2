using System.Collections.Generic;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>What has a number in a <see cref="Slots{T}"/>.</summary>
internal interface INumbered
{
    /// <summary>The number; 0 before it's added.</summary>
    ulong Number { get; set; }
}

/// <summary>
/// Objects by number, for native code to hold in the place of a reference. A number is good until it's removed; one
/// that was removed, or never given, finds nothing, so whoever comes late, twice or with a made-up one does no harm.
/// </summary>
/// <remarks>
/// A number is a slot's index and above it the slot's generation, which is another each time the slot is filled.
/// Finding takes no lock: the object knows its own number, so that a single read of a reference decides, also while
/// the slot is emptied and filled again.
/// </remarks>
/// <typeparam name="T">The objects' type.</typeparam>
internal sealed class Slots<T>
    where T : class, INumbered
{
    private const int IndexBits = 32;

    private readonly object _gate = new();
    private readonly Stack<int> _free = new();
    private T?[] _objects = new T?[8];
    private uint[] _generations = new uint[8];
    private int _used;
    private int _count;

    /// <summary>How many there are.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>Keeps an object until it's removed. It may be in here once at a time.</summary>
    /// <param name="item">The object.</param>
    /// <returns>Its number, never 0.</returns>
    internal ulong Add(T item)
    {
        lock (_gate)
        {
            if (!_free.TryPop(out int index))
            {
                index = _used++;
                if (index == _objects.Length)
                {
                    Grow();
                }
            }

            ulong number = ((ulong)++_generations[index] << IndexBits) | (uint)index;
            item.Number = number;
            Volatile.Write(ref _objects[index], item);
            _count++;
            return number;
        }
    }

    /// <summary>Finds the object with a number.</summary>
    /// <param name="number">Any number.</param>
    /// <returns>The object, or null if there is none.</returns>
    internal T? Find(ulong number)
    {
        T?[] objects = Volatile.Read(ref _objects);
        uint index = (uint)number;
        return index < (uint)objects.Length && Volatile.Read(ref objects[index]) is { } item && item.Number == number
            ? item
            : null;
    }

    /// <summary>Lets go of the object with a number.</summary>
    /// <param name="number">Any number.</param>
    /// <returns>Whether there was one.</returns>
    internal bool Remove(ulong number)
    {
        lock (_gate)
        {
            if (Find(number) is null)
            {
                return false;
            }

            var index = (int)(uint)number;
            Volatile.Write(ref _objects[index], null);
            _count--;
            // A slot that has gone through all generations isn't used again, or an old number would be good anew.
            if (_generations[index] != uint.MaxValue)
            {
                _free.Push(index);
            }

            return true;
        }
    }

    /// <summary>Makes room. Whoever reads the old array at the same time finds what was there a moment before.</summary>
    private void Grow()
    {
        var objects = new T?[2 * _objects.Length];
        var generations = new uint[objects.Length];
        _objects.CopyTo(objects, 0);
        _generations.CopyTo(generations, 0);
        _generations = generations;
        Volatile.Write(ref _objects, objects);
    }
}
