using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace RustBridge.Internal;

/// <summary>The objects that are lent to one call: those of its options, then those that its request holds.</summary>
internal sealed class LentObjects : IDisposable
{
    /// <summary>More than that isn't kept for the thread's next call.</summary>
    private const int Kept = 64;

    // One for each thread, kept for its next call, and the one that a request is being written for. A converter that calls a plugin
    // itself finds none kept and makes another.
    [ThreadStatic]
    private static LentObjects? _kept;

    [ThreadStatic]
    private static LentObjects? _current;

    private readonly List<PluginObject> _objects = [];
    private ulong[] _numbers = new ulong[4];
    private LentObjects? _outer;

    // How many of the objects were created for this call, which releases them.
    private int _temporaries;

    private LentObjects()
    {
    }

    /// <summary>Their numbers in order.</summary>
    internal ReadOnlySpan<ulong> Numbers => _numbers.AsSpan(0, _objects.Count);

    /// <summary>Returns the objects, for a call that begins later. It also owns those that were created for it.</summary>
    internal PluginObject[] ToArray()
    {
        _temporaries = 0;
        return [.. _objects];
    }

    /// <summary>Begins a call on this thread. Disposing of it ends that, when the call has begun.</summary>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="objects">Those that the options name.</param>
    internal static LentObjects Begin(PluginObject? receiver, IReadOnlyList<PluginObject>? objects)
    {
        LentObjects lent = _kept ?? new LentObjects();
        _kept = null;
        lent._outer = _current;
        _current = lent;
        try
        {
            if (receiver is not null)
            {
                lent.Add(receiver);
            }

            // By index: an enumerator would be allocated.
            for (int i = 0; i < (objects?.Count ?? 0); i++)
            {
                lent.Add(objects![i]);
            }

            return lent;
        }
        catch
        {
            // One was disposed of. The caller has nothing to dispose of, and this would stay the thread's current one.
            lent.Dispose();
            throw;
        }
    }

    /// <summary>Lends an object to the call whose request is being written on this thread.</summary>
    /// <returns>Its position, which stands in its place in the request.</returns>
    internal static int Position(PluginObject lent)
    {
        if (_current is not { } call)
        {
            throw new InvalidOperationException(
                "a PluginObject was written outside a call's request: pass CallOptions, or call asynchronously");
        }

        int known = call._objects.IndexOf(lent);
        return known >= 0 ? known : call.Add(lent);
    }

    /// <summary>Lets the call borrow an object that was created for it. The call releases the object.</summary>
    /// <returns>Its position.</returns>
    internal static int Temporary(PluginObject created)
    {
        int position = Position(created);
        created.IsTemporary = true;
        _current!._temporaries++;
        return position;
    }

    /// <summary>Releases the objects that were created for a call. The call has begun, and keeps them as long as it needs them.</summary>
    internal static void Release(IReadOnlyList<PluginObject> lent)
    {
        for (int i = 0; i < lent.Count; i++)
        {
            if (lent[i].IsTemporary)
            {
                lent[i].Dispose();
            }
        }
    }

    /// <summary>Has the thread write no request while a service answers on it, inside of a call: what that writes is no part of the request.</summary>
    /// <returns>For <see cref="Resume"/>.</returns>
    internal static LentObjects? Suspend()
    {
        LentObjects? outer = _current;
        _current = null;
        return outer;
    }

    /// <summary>Goes on where <see cref="Suspend"/> was.</summary>
    internal static void Resume(LentObjects? outer) => _current = outer;

    public void Dispose()
    {
        _current = _outer;
        _outer = null;
        if (_temporaries != 0)
        {
            ReleaseTemporaries();
        }

        // Until here the collector must leave them alone: nothing else may have them any more.
        GC.KeepAlive(_objects);
        _objects.Clear();
        if (_numbers.Length <= Kept)
        {
            _kept = this;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReleaseTemporaries()
    {
        _temporaries = 0;
        Release(_objects);
    }

    private int Add(PluginObject lent)
    {
        ArgumentNullException.ThrowIfNull(lent);
        int position = _objects.Count;
        if (position == _numbers.Length)
        {
            Array.Resize(ref _numbers, 2 * position);
        }

        _numbers[position] = lent.Number;
        _objects.Add(lent);
        return position;
    }
}
