using System;
using System.Collections.Generic;
using System.ComponentModel;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>
/// The host's implementations of a callback to which plugins refer, by their numbers. For generated clients.
/// </summary>
/// <typeparam name="T">The callback's interface.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HostObjects<T> : IHostObjects
    where T : class
{
    private readonly string _callback;
    private readonly Dictionary<ulong, (T Value, ulong Instance)> _objects = [];
    private readonly Dictionary<(ulong Instance, string Function), List<WeakReference<Crossing>>> _crossings = [];
    private ulong _last;

    internal HostObjects(string callback)
    {
        _callback = callback;
    }

    /// <summary>The number of objects.</summary>
    internal int Count
    {
        get
        {
            lock (_objects)
            {
                return _objects.Count;
            }
        }
    }

    /// <summary>Returns the object with a number.</summary>
    /// <param name="number">The number.</param>
    /// <returns>The object.</returns>
    /// <exception cref="PluginException"><see cref="Status.NotFound"/>: the plugin has released it.</exception>
    public T Get(ulong number) => Find(number) ?? throw new PluginException(
        Status.NotFound, $"callback {_callback}: the host has no object {number}: it was released", "rustbridge.ObjectReleased");

    /// <summary>Returns the object with a number, and the methods for one of its functions.</summary>
    internal (T Host, Crossing Crossing) Get(ulong number, string function)
    {
        lock (_objects)
        {
            if (!_objects.TryGetValue(number, out (T Value, ulong Instance) found))
            {
                return (Get(number), null!);
            }

            if (_crossings.TryGetValue((found.Instance, function), out List<WeakReference<Crossing>>? all))
            {
                foreach (WeakReference<Crossing> kept in all)
                {
                    if (kept.TryGetTarget(out Crossing? crossing))
                    {
                        return (found.Value, crossing);
                    }
                }
            }
        }

        throw new PluginException(
            Status.FailedPrecondition, $"{function}: the client of this callback no longer exists", "rustbridge.InstanceClosed");
    }

    /// <summary>Adds the methods for a function of an instance's objects. Only the client keeps them; any client's will do.</summary>
    internal void Cross(ulong instance, string function, Crossing crossing)
    {
        lock (_objects)
        {
            if (!_crossings.TryGetValue((instance, function), out List<WeakReference<Crossing>>? all))
            {
                _crossings[(instance, function)] = all = [];
            }

            all.RemoveAll(kept => !kept.TryGetTarget(out _));
            all.Add(new WeakReference<Crossing>(crossing));
        }
    }

    /// <summary>Returns the object with a number; null if there is none.</summary>
    internal T? Find(ulong number)
    {
        lock (_objects)
        {
            return _objects.TryGetValue(number, out (T Value, ulong Instance) found) ? found.Value : null;
        }
    }

    /// <summary>Adds an object for an instance.</summary>
    /// <returns>Its number, which isn't used again.</returns>
    internal ulong Add(T value, ulong instance)
    {
        lock (_objects)
        {
            _objects.Add(++_last, (value, instance));
            return _last;
        }
    }

    /// <summary>Removes an object.</summary>
    internal void Remove(ulong number)
    {
        lock (_objects)
        {
            _objects.Remove(number);
        }
    }

    void IHostObjects.Remove(ulong number) => Remove(number);

    void IHostObjects.Forget(ulong instance)
    {
        lock (_objects)
        {
            foreach ((ulong number, (_, ulong of)) in _objects)
            {
                if (of == instance)
                {
                    // A dictionary may be enumerated while its entries are removed.
                    _objects.Remove(number);
                }
            }

            foreach ((ulong Instance, string Function) key in _crossings.Keys)
            {
                if (key.Instance == instance)
                {
                    _crossings.Remove(key);
                }
            }
        }
    }
}
