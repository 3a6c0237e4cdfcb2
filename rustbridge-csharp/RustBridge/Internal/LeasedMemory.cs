using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>
/// Tells the collector of the memory behind leases, which it doesn't see: a lease of a megabyte is an object of some bytes to it, and
/// thousands that were dropped would wait for a collection that nothing asks for.
/// </summary>
/// <remarks>
/// Telling it costs more than opening and closing a lease, so what isn't told yet is summed up: by each thread, and by all together, since
/// a thread that ends takes its sum with it. Leases that are disposed of soon add up to nothing.
/// </remarks>
internal static class LeasedMemory
{
    /// <summary>From so many bytes on it's told. Making and reading as many takes a thousand times as long as telling.</summary>
    internal const long Step = 4 * 1024 * 1024;

    /// <summary>From so many bytes on a thread adds to the sum of all. It's also what may remain untold of each thread.</summary>
    internal const long Batch = 64 * 1024;

    // Both are of whatever plugins and instances: the collector knows of one sum. Less than nothing where more was disposed of than opened.
    private static long _untold;

    [ThreadStatic]
    private static long _unshared;

    internal static void Opened(nint length)
    {
        long unshared = _unshared + length;
        if (unshared >= Batch)
        {
            Share(unshared);
            unshared = 0;
        }

        _unshared = unshared;
    }

    internal static void Released(nint length)
    {
        long unshared = _unshared - length;
        if (unshared <= -Batch)
        {
            Share(unshared);
            unshared = 0;
        }

        _unshared = unshared;
    }

    private static void Share(long change)
    {
        if (Math.Abs(Interlocked.Add(ref _untold, change)) < Step)
        {
            return;
        }

        // Taken whole: what others have added meanwhile is told along with it, and what they add now begins anew.
        long untold = Interlocked.Exchange(ref _untold, 0);
        if (untold > 0)
        {
            GC.AddMemoryPressure(untold);
        }
        else if (untold < 0)
        {
            GC.RemoveMemoryPressure(-untold);
        }
    }
}
