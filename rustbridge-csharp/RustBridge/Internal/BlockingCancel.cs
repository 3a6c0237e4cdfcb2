using System.Threading;

namespace RustBridge.Internal;

/// <summary>Asks a call that keeps its caller's thread to end early, from another one.</summary>
/// <param name="operation">Where the core writes the call's number; good until <see cref="End"/>.</param>
internal sealed unsafe class BlockingCancel(ulong* operation)
{
    private CancellationTokenRegistration _registration;
    private volatile bool _isBegun;
    private volatile bool _isEnded;

    /// <summary>Begins to listen, before the call.</summary>
    /// <exception cref="System.OperationCanceledException">It's cancelled already.</exception>
    internal void Begin(CancellationToken token)
    {
        _registration = token.UnsafeRegister(static self => ((BlockingCancel)self!).Cancel(), this);
        _isBegun = true;
        Interlocked.MemoryBarrier();
        // Cancelled a moment ago, it may have found nothing begun.
        if (token.IsCancellationRequested)
        {
            _isEnded = true;
            _registration.Dispose();
            token.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Listens no more, after the call: what runs just now is waited for.</summary>
    internal void End()
    {
        _isEnded = true;
        _registration.Dispose();
    }

    private void Cancel()
    {
        if (!_isBegun)
        {
            return;
        }

        // The number is there before the plugin's code runs; a call that isn't let in never has one, and ends at once.
        var spin = default(SpinWait);
        ulong number;
        while ((number = Volatile.Read(ref *operation)) == 0)
        {
            if (_isEnded)
            {
                return;
            }

            spin.SpinOnce();
        }

        _ = Native.OpCancel(number, null);
    }
}
