using System;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>The end of an instance: closed, disposed of, or dropped.</content>
public sealed partial class Plugin
{
    /// <summary>How long <see cref="Close()"/> waits for running calls.</summary>
    public static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(10);

    private volatile bool _closed;

    /// <summary>Closes an instance that was dropped, without waiting.</summary>
    ~Plugin()
    {
        if (!_closed && Handle != 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(CloseDropped, (Handle, Name), preferLocal: false);
        }
    }

    /// <summary>
    /// Raised for each instance that was dropped without being closed, on a thread of the thread pool. The instance is
    /// closed nevertheless.
    /// </summary>
    public static event Action<string>? Dropped;

    /// <summary>
    /// Raised if <see cref="Dispose"/> or <see cref="DisposeAsync"/> fails, on the thread that disposes.
    /// <see cref="Close()"/> throws the exception instead.
    /// </summary>
    public static event Action<PluginException>? DisposeFailed;

    /// <summary>
    /// Raised for each stream that was dropped without being read to its end or disposed of, on a thread of the thread
    /// pool. The stream is cancelled in the plugin nevertheless. <c>await foreach</c> disposes of its stream.
    /// </summary>
    public static event Action<string>? StreamDropped;

    /// <summary>
    /// Disposes in place of this instance: a container disposes of the services that it has returned, but their owner
    /// decides how.
    /// </summary>
    internal IDisposable? Owner { get; set; }

    /// <summary>Closes the instance, waiting up to <see cref="CloseTimeout"/> for running calls.</summary>
    /// <exception cref="PluginException">See <see cref="Close(TimeSpan)"/>.</exception>
    public void Close() => Close(CloseTimeout);

    /// <summary>
    /// Closes the instance: refuses new calls at once, waits for the running ones, delivers the log, and destroys the
    /// instance. If the instance is already closed, does nothing.
    /// </summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <exception cref="PluginException">
    /// <see cref="Status.DeadlineExceeded"/>: calls are still running, and the message lists them; closing again
    /// continues to wait. <see cref="Status.FailedPrecondition"/>: the method was called from inside a call of the same
    /// instance. <see cref="Status.Internal"/>: the plugin's destructor panicked; the instance is closed nevertheless.
    /// </exception>
    public void Close(TimeSpan timeout) => Close(timeout, null);

    /// <summary>
    /// Closes the instance like <see cref="Close(TimeSpan)"/>, and cancels the pending calls after a given time.
    /// </summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <param name="cancelAfter">How long pending calls may continue before they are cancelled.</param>
    /// <exception cref="PluginException">See <see cref="Close(TimeSpan)"/>.</exception>
    public void Close(TimeSpan timeout, TimeSpan cancelAfter) => Close(timeout, (TimeSpan?)cancelAfter);

    private unsafe void Close(TimeSpan timeout, TimeSpan? cancelAfter)
    {
        var options = new RbCloseOptions
        {
            Size = (uint)sizeof(RbCloseOptions),
            Flags = cancelAfter is null ? 0 : Rb.CloseCancel,
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
        if (_closed)
        {
            ForgetHosts();
        }

        Response.Check(status, ref report);
    }

    /// <summary>
    /// Closes the instance like <see cref="Close()"/>, but throws nothing. <see cref="DisposeFailed"/> receives the
    /// exception instead.
    /// </summary>
    /// <remarks>
    /// At the end of a <c>using</c>, a new exception would hide the one that ended the block. If calls run longer than
    /// the timeout, the instance refuses further calls. It's closed by closing it again, or eventually by the garbage
    /// collector.
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

    /// <summary>Disposes like <see cref="Dispose"/>, waiting on a thread of the thread pool.</summary>
    /// <returns>A task that completes when the disposal is done.</returns>
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

    internal static void OnStreamDropped(string message) => Listeners.Tell(StreamDropped, message);

    internal static void OnDisposeFailed(PluginException error) => Listeners.Tell(DisposeFailed, error);

    /// <summary>Removes the host's objects to which the closed instance referred.</summary>
    private void ForgetHosts()
    {
        foreach (ReleaseService service in _releases)
        {
            service.Hosts.Forget(Handle);
        }
    }

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
