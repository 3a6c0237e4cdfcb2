using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>The execution context that a call was begun in. Services that the plugin calls for it run in it.</summary>
/// <remarks>A call passes the number in its header, and the core passes it on to the services. The number isn't issued again.</remarks>
internal sealed class CallContext : INumbered
{
    private static readonly Slots<CallContext> Open = new();

    private static ExecutionContext? _empty;

    // An ExecutionContext, or a weak reference to one that another object keeps.
    private volatile object _context;

    private CallContext(ExecutionContext context)
    {
        _context = context;
    }

    private ExecutionContext? Context => _context switch
    {
        WeakReference<ExecutionContext> weak => weak.TryGetTarget(out ExecutionContext? context) ? context : null,
        object context => (ExecutionContext)context,
    };

    /// <inheritdoc/>
    public ulong Number { get; set; }

    /// <summary>The number of contexts in the table.</summary>
    internal static int Count => Open.Count;

    /// <summary>The context of a thread that has set nothing; null while the system has no thread to take it from.</summary>
    private static ExecutionContext? Empty => _empty ??= OfNewThread();

    /// <summary>Captures the caller's context.</summary>
    /// <returns>The number, which must be passed to <see cref="End"/>; 0 if the context is empty or its flow is suppressed.</returns>
    internal static ulong Begin()
    {
        ExecutionContext? context = ExecutionContext.Capture();
        return context is null || ReferenceEquals(context, Empty) ? 0 : Open.Add(new CallContext(context));
    }

    /// <summary>Leaves a context to another object to keep, which the context may refer to. The table then refers to it only weakly.</summary>
    /// <param name="number">The number, or 0.</param>
    /// <returns>The context; null if there is none.</returns>
    internal static ExecutionContext? HandOver(ulong number)
    {
        if (number == 0 || Open.Find(number) is not { _context: ExecutionContext context } call)
        {
            return null;
        }

        call._context = new WeakReference<ExecutionContext>(context);
        return context;
    }

    /// <summary>Removes a context from the table when its call has ended.</summary>
    /// <param name="number">The number, or 0.</param>
    internal static void End(ulong number)
    {
        if (number != 0)
        {
            _ = Open.Remove(number);
        }
    }

    /// <summary>Returns the context that a service runs in.</summary>
    /// <param name="number">The number in the service call's header, or 0.</param>
    /// <returns>The context of the call; that of this thread if the call has none or has ended. Null: run it without one.</returns>
    internal static ExecutionContext? Of(ulong number) =>
        (number == 0 ? null : Open.Find(number)?.Context) ?? ExecutionContext.Capture() ?? Empty;

    private static ExecutionContext? OfNewThread()
    {
        ExecutionContext? context = null;
        try
        {
            var thread = new Thread(() => context = ExecutionContext.Capture()) { IsBackground = true, Name = "rustbridge-context" };
            thread.UnsafeStart();
            thread.Join();
        }
        catch (Exception error) when (error is OutOfMemoryException or ThreadStartException)
        {
            // The next call tries again.
        }

        return context;
    }
}
