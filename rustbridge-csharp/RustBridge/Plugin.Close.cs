using System;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>How an instance ends: closed, disposed of, or dropped.</content>
public sealed partial class Plugin
{
    /// <summary>How long <see cref="Close()"/> waits for running calls.</summary>
    public static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(10);

    private volatile bool _closed;

    /// <summary>Closes an instance that was dropped, without waiting for it.</summary>
    ~Plugin()
    {
        if (!_closed && Handle != 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(CloseDropped, (Handle, Name), preferLocal: false);
        }
    }

    /// <summary>
    /// Told of each instance that was dropped without being closed, on a thread of the pool. It's closed all the same.
    /// </summary>
    public static event Action<string>? Dropped;

    /// <summary>
    /// Told of what <see cref="Dispose"/> and <see cref="DisposeAsync"/> could not do, on the thread that did it; <see cref="Close()"/>
    /// throws it instead.
    /// </summary>
    public static event Action<PluginException>? DisposeFailed;

    /// <summary>
    /// What disposes in its place: a container disposes of what it has given out, but how is for its owner to say.
    /// </summary>
    internal IDisposable? Owner { get; set; }

    /// <summary>Closes the instance, waiting up to <see cref="CloseTimeout"/> for running calls.</summary>
    /// <exception cref="PluginException">As <see cref="Close(TimeSpan)"/>.</exception>
    public void Close() => Close(CloseTimeout);

    /// <summary>
    /// Refuses new calls at once, waits for the running ones, delivers the log, and ends the instance. Does nothing to
    /// one that is closed.
    /// </summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for good.</param>
    /// <exception cref="PluginException">
    /// <see cref="Status.DeadlineExceeded"/>: calls still run, and the message says which; closing again goes on waiting.
    /// <see cref="Status.FailedPrecondition"/>: it was called from inside a call of the same instance.
    /// <see cref="Status.Internal"/>: the plugin's destructor has panicked; the instance is closed all the same.
    /// </exception>
    public void Close(TimeSpan timeout) => Close(timeout, null);

    /// <summary>Closes as <see cref="Close(TimeSpan)"/> does, and cancels what is pending after a time of its own.</summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for good.</param>
    /// <param name="cancelAfter">For how long what is pending may go on before it's cancelled.</param>
    /// <exception cref="PluginException">As <see cref="Close(TimeSpan)"/>.</exception>
    public void Close(TimeSpan timeout, TimeSpan cancelAfter) => Close(timeout, (TimeSpan?)cancelAfter);

    private unsafe void Close(TimeSpan timeout, TimeSpan? cancelAfter)
    {
        var options = new RbCloseOptions
        {
            Size = (uint)sizeof(RbCloseOptions),
            Flags = cancelAfter is null ? 0 : RbCloseOptions.CancelPending,
            TimeoutMs = Milliseconds(timeout),
            CancelAfterMs = cancelAfter is { } after ? Milliseconds(after) : 0,
        };
        if (_closed)
        {
            return;
        }

        RbResponse report = default;
        int status = Native.CloseWith(Handle, &options, &report);
        if (status == (int)Status.Unavailable)
        {
            // Another thread's close has won meanwhile.
            Native.ResponseRelease(&report);
            status = 0;
        }

        _closed = status == 0 || State == PluginState.Closed;
        Response.Check(status, ref report);
    }

    /// <summary>Does what <see cref="Close()"/> does, but throws nothing: what would be thrown is given to <see cref="DisposeFailed"/>.</summary>
    /// <remarks>
    /// At the end of a <c>using</c>, an exception of its own would hide the one that ended the block. An instance whose calls take longer
    /// refuses further ones; it's closed by closing it again, or at last by the garbage collector.
    /// </remarks>
    public void Dispose()
    {
        if (Owner is { } owner)
        {
            owner.Dispose();
        }
        else
        {
            try
            {
                Close();
            }
            catch (PluginException error)
            {
                OnDisposeFailed(error);
            }
        }

        if (_closed)
        {
            GC.SuppressFinalize(this);
        }
    }

    /// <summary>Does what <see cref="Dispose"/> does, waiting on a thread of the pool.</summary>
    /// <returns>What completes when that is done.</returns>
    public async ValueTask DisposeAsync()
    {
        if (!_closed)
        {
            await Task.Run(Dispose).ConfigureAwait(false);
        }

        if (_closed)
        {
            GC.SuppressFinalize(this);
        }
    }

    internal static void OnDisposeFailed(PluginException error) => Listeners.Tell(DisposeFailed, error);

    private static ulong Milliseconds(TimeSpan timeout)
    {
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return ulong.MaxValue;
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(timeout, TimeSpan.Zero);
        return (ulong)Math.Ceiling(timeout.TotalMilliseconds);
    }

    private static unsafe void CloseDropped((ulong Handle, string Name) dropped)
    {
        RbResponse report = default;
        int status = Native.Close(dropped.Handle, (ulong)CloseTimeout.TotalMilliseconds, &report);
        Native.ResponseRelease(&report);
        string outcome = status == 0 ? "it's closed now" : $"closing it ended with {Failures.Known(status)}";
        Listeners.Tell(Dropped, $"the instance {dropped.Name} was dropped without being closed; {outcome}");
    }
}
