using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>The one queue of the process and the one thread that fetches its events, there from the first call that is awaited.</summary>
/// <remarks>
/// It's a background thread and waits in the core, so the end of the process takes no notice of it. It completes operations, and what waits
/// for them goes on elsewhere: on the pool, or where the caller's own context says.
/// </remarks>
internal static unsafe class Drainer
{
    /// <summary>How many events are fetched at once.</summary>
    private const int Events = 64;

    /// <summary>What the payloads of a batch may have together before one is handed over.</summary>
    private const int Arena = 256 * 1024;

    // One queue for the process: its events say by their numbers whose they are.
    private static readonly object Gate = new();
    private static ulong _queue;

    /// <summary>The queue, which is made if there's none yet.</summary>
    internal static ulong Queue
    {
        get
        {
            ulong queue = Volatile.Read(ref _queue);
            return queue != 0 ? queue : Start();
        }
    }

    private static ulong Start()
    {
        lock (Gate)
        {
            if (_queue == 0)
            {
                ulong made;
                RbResponse error = default;
                Response.Check(Native.QueueNew(&made, &error), ref error);
                ulong queue = made;
                new Thread(() => Run(queue)) { IsBackground = true, Name = "rustbridge-queue" }.UnsafeStart();
                Volatile.Write(ref _queue, queue);
            }

            return _queue;
        }
    }

    private static void Run(ulong queue)
    {
        // Neither is ever freed: the thread ends with the process.
        var events = (RbEvent*)NativeMemory.AllocZeroed(Events, (nuint)sizeof(RbEvent));
        var arena = (byte*)NativeMemory.Alloc(Arena);
        while (true)
        {
            nuint count;
            RbResponse error = default;
            events->Size = (uint)sizeof(RbEvent);
            int status = Native.QueuePoll(queue, events, Events, arena, Arena, ulong.MaxValue, &count, &error);
            if (status != 0)
            {
                // Nobody else closes or drains it, so this can't be; what waits would wait for good, and nobody would know why.
                Environment.FailFast($"rustbridge: fetching events failed with {Failures.Known(status)}");
            }

            for (nuint i = 0; i < count; i++)
            {
                Take(&events[i]);
            }
        }
    }

    private static void Take(RbEvent* told)
    {
        if (Operation.Find(told->UserData) is not { } operation)
        {
            Operation.Release(told);
            return;
        }

        try
        {
            operation.Take(told);
        }
        catch (Exception problem)
        {
            // There's no memory for it, say. That's one call's misfortune, and what it hasn't taken is given back.
            Operation.ReleaseAll(told);
            Fail(operation, problem);
        }
    }

    /// <summary>Ends an operation. Whatever comes of it, the others go on.</summary>
    private static void Fail(Operation operation, Exception problem)
    {
        try
        {
            operation.Fail(problem);
        }
        catch (Exception thrown)
        {
            Plugin.OnLogFailed(thrown);
        }
    }
}
