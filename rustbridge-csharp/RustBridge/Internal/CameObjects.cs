using System;
using System.Text.Json;

namespace RustBridge.Internal;

/// <summary>The objects that came beside an answer, while it's being read.</summary>
internal sealed class CameObjects
{
    // What is being read on this thread; a converter that calls a plugin itself has its own inside.
    [ThreadStatic]
    private static CameObjects? _current;

    private readonly PluginObject[] _objects;
    private readonly bool[] _taken;

    private CameObjects(PluginObject[] objects)
    {
        _objects = objects;
        _taken = new bool[objects.Length];
    }

    /// <summary>Takes objects over, and releases the response that has told them. If it throws, none was taken.</summary>
    /// <param name="plugin">Whose they are.</param>
    /// <param name="numbers">A response with a number of 64 bits for each.</param>
    internal static unsafe PluginObject[] Take(Plugin plugin, ref RbResponse numbers)
    {
        if (numbers.Len == 0)
        {
            return [];
        }

        var objects = new PluginObject[checked((int)(numbers.Len / sizeof(ulong)))];
        for (int i = 0; i < objects.Length; i++)
        {
            objects[i] = new PluginObject(plugin, 0);
        }

        // From here on nothing is allocated, so either all are ours or none.
        for (int i = 0; i < objects.Length; i++)
        {
            objects[i].Hold(((ulong*)numbers.Data)[i]);
        }

        Operation.Release(ref numbers);
        numbers = default;
        return objects;
    }

    /// <summary>Reads an answer that may hold them.</summary>
    /// <typeparam name="T">The answer's type.</typeparam>
    /// <typeparam name="TAnswer">How it's read.</typeparam>
    /// <param name="method">What has answered.</param>
    /// <param name="answer">How it's read.</param>
    /// <param name="bytes">The answer.</param>
    /// <param name="objects">What came beside it.</param>
    /// <param name="kept">Whether somebody else has them all; otherwise those that the answer doesn't hold are released.</param>
    internal static T Read<T, TAnswer>(Method method, TAnswer answer, ReadOnlySpan<byte> bytes, PluginObject[] objects, bool kept)
        where TAnswer : struct, IAnswer<T>
    {
        // Inside another answer, one without objects has none, and not the other's.
        if (objects.Length == 0 && _current is null)
        {
            return answer.Read(method, bytes);
        }

        var came = new CameObjects(objects);
        CameObjects? outer = _current;
        _current = came;
        bool isRead = false;
        try
        {
            T value = answer.Read(method, bytes);
            isRead = true;
            return value;
        }
        finally
        {
            _current = outer;
            if (!kept)
            {
                came.Release(all: !isRead);
            }
        }
    }

    /// <summary>The object at a position of the answer that is being read on this thread.</summary>
    internal static PluginObject At(int position)
    {
        if (_current is not { } came)
        {
            throw new InvalidOperationException(
                "a PluginObject was read outside a call's response: pass CallOptions, or call asynchronously");
        }

        if ((uint)position >= (uint)came._objects.Length)
        {
            throw new JsonException(
                $"object {position} is missing: {came._objects.Length} objects accompany the message, and positions count from 0");
        }

        came._taken[position] = true;
        return came._objects[position];
    }

    /// <summary>Takes the object at a position of the answer in the wire form that is being read on this thread, once.</summary>
    /// <param name="position">The position.</param>
    /// <param name="wrong">Why there's none to take.</param>
    internal static PluginObject? Take(uint position, out string wrong)
    {
        int count = _current?._objects.Length ?? 0;
        if (position >= (uint)count)
        {
            wrong = $"object {position} is missing: {count} objects accompany the message, and positions count from 0";
            return null;
        }

        if (_current!._taken[position])
        {
            wrong = $"object {position} occurs twice in the message, expected once";
            return null;
        }

        wrong = "";
        _current._taken[position] = true;
        return _current._objects[position];
    }

    private void Release(bool all)
    {
        for (int i = 0; i < _objects.Length; i++)
        {
            if (all || !_taken[i])
            {
                _objects[i].Dispose();
            }
        }
    }
}
