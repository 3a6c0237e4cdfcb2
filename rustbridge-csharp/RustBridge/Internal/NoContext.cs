using System.Threading;

namespace RustBridge.Internal;

/// <summary>Takes the thread's context away until it's disposed of.</summary>
/// <remarks>
/// A service runs on the thread of the caller if the plugin does, which may be that of a user interface and is blocked until the plugin
/// has its answer: what an asynchronous service has after its first <c>await</c> must not wait for it.
/// </remarks>
internal readonly ref struct NoContext
{
    private readonly SynchronizationContext? _outer;

    private NoContext(SynchronizationContext? outer)
    {
        _outer = outer;
    }

    /// <summary>Takes it away.</summary>
    internal static NoContext Begin()
    {
        var taken = new NoContext(SynchronizationContext.Current);
        SynchronizationContext.SetSynchronizationContext(null);
        return taken;
    }

    /// <summary>Gives it back.</summary>
    public void Dispose() => SynchronizationContext.SetSynchronizationContext(_outer);
}
