using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>Something whose end is told later. It's found by its number, which its events bring along as <c>user_data</c>.</summary>
/// <remarks>It has its number before the core hears of it, so an event that overtakes the submission's return finds it all the same.</remarks>
internal abstract unsafe class Operation : INumbered
{
    // One table for the process, as there's one queue: numbers of whatever plugins and instances, none of them twice.
    private static readonly Slots<Operation> Open = new();

    private ulong _native;
    private ulong _context;

    /// <inheritdoc/>
    public ulong Number { get; set; }

    /// <summary>How many wait for events.</summary>
    internal static int Count => Open.Count;

    /// <summary>The core's number for it, 0 until it's known to be pending.</summary>
    internal ulong Native
    {
        get => Volatile.Read(ref _native);
        set => Volatile.Write(ref _native, value);
    }

    internal static Operation? Find(ulong number) => Open.Find(number);

    /// <summary>Releases what an event has that nobody wants.</summary>
    internal static void Release(RbEvent* told)
    {
        Release(ref told->Response);
        Release(ref told->Reply);
    }

    /// <summary>The same where it must not throw: what there's no memory for stays with its instance.</summary>
    internal static void ReleaseAll(RbEvent* told)
    {
        try
        {
            Release(told);
        }
        catch (Exception thrown)
        {
            Plugin.OnLogFailed(thrown);
        }
    }

    /// <summary>Releases what came beside an answer and nobody has taken.</summary>
    internal static void Release(ref RbReply reply)
    {
        Release(ref reply.Trailers);
        try
        {
            if (reply.Objects.Len != 0)
            {
                // They are numbers of 64 bits, each to be released once. Not here: a destructor in the plugin may wait for what only this
                // thread can tell.
                ulong[] objects = new ReadOnlySpan<ulong>(
                    reply.Objects.Data, checked((int)(reply.Objects.Len / sizeof(ulong)))).ToArray();
                ThreadPool.UnsafeQueueUserWorkItem(ReleaseObjects, objects, preferLocal: false);
            }
        }
        finally
        {
            Release(ref reply.Objects);
        }
    }

    /// <summary>Releases a response that was handed over; one in storage, or in the arena, needs nothing.</summary>
    internal static void Release(ref RbResponse response)
    {
        if (response.Release != null)
        {
            fixed (RbResponse* pointer = &response)
            {
                Internal.Native.ResponseRelease(pointer);
            }
        }
    }

    /// <summary>Begins to take events.</summary>
    internal void Enter() => Open.Add(this);

    /// <summary>Takes no more events: those that still come are released.</summary>
    internal void Leave()
    {
        _ = Open.Remove(Number);
        EndContext();
    }

    /// <summary>Captures the caller's context, until the operation ends.</summary>
    /// <returns>The context's number, or 0.</returns>
    internal ulong BeginContext() => _context = CallContext.Begin();

    /// <summary>Leaves the context to another object to keep, which the context may refer to.</summary>
    /// <returns>The context; null if there is none.</returns>
    internal ExecutionContext? HandOverContext() => CallContext.HandOver(_context);

    /// <summary>Removes the context. May be called again.</summary>
    internal void EndContext()
    {
        CallContext.End(_context);
        _context = 0;
    }

    /// <summary>
    /// Takes an event, and all that came with it. On the drainer's thread, where nothing of a user's may run.
    /// </summary>
    /// <param name="told">What is told, valid until this returns.</param>
    internal abstract void Take(RbEvent* told);

    /// <summary>Ends it with what has gone wrong here.</summary>
    /// <param name="problem">What has gone wrong.</param>
    internal abstract void Fail(Exception problem);

    private static void ReleaseObjects(ulong[] objects)
    {
        foreach (ulong one in objects)
        {
            _ = Internal.Native.ObjectRelease(one);
        }
    }
}
