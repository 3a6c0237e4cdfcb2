using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace RustBridge;

/// <summary>What a call carries beside its request, and how it's made. Immutable, and good for any number of calls, but for <see cref="Reply"/>.</summary>
/// <example>
/// <code>
/// new CallOptions { Timeout = TimeSpan.FromSeconds(2), Metadata = new() { { "user", "ada" } } }
/// </code>
/// </example>
public sealed record CallOptions
{
    /// <summary>How many items of a stream may be on their way, unless <see cref="WindowItems"/> says otherwise.</summary>
    public const int DefaultWindowItems = 256;

    /// <summary>How many bytes of a stream's items may be on their way, unless <see cref="WindowBytes"/> says otherwise.</summary>
    public const int DefaultWindowBytes = 256 * 1024;

    private readonly TimeSpan? _timeout;
    private readonly int _windowItems = DefaultWindowItems;
    private readonly int _windowBytes = DefaultWindowBytes;

    /// <summary>Options that say nothing.</summary>
    public static CallOptions Default { get; } = new();

    /// <summary>
    /// How much time there is, from the beginning of the call; null or <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for no limit.
    /// A call whose time is over ends with <see cref="Status.DeadlineExceeded"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It's negative.</exception>
    public TimeSpan? Timeout
    {
        get => _timeout;
        init
        {
            if (value is { } timeout && timeout != System.Threading.Timeout.InfiniteTimeSpan)
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(timeout, TimeSpan.Zero);
            }

            _timeout = value;
        }
    }

    /// <summary>Pairs of key and value that the method can read.</summary>
    public Metadata? Metadata { get; init; }

    /// <summary>
    /// The trace that the call is part of, and the span that makes it. Null: that of <see cref="Activity.Current"/>, if there's one with an
    /// id of W3C's.
    /// </summary>
    public ActivityContext? Trace { get; init; }

    /// <summary>
    /// Asks the call to end early. One that does throws <see cref="OperationCanceledException"/> with this token; one that had its answer by
    /// then gives it.
    /// </summary>
    public CancellationToken CancellationToken { get; init; }

    /// <summary>
    /// The objects that are lent to the call, in the order in which the request speaks of them; the receiver of an object's method is the first.
    /// Those that the request itself holds as <see cref="PluginObject"/> follow these.
    /// </summary>
    public IReadOnlyList<PluginObject> Objects { get; init; } = [];

    /// <summary>
    /// Whether nothing of a method that isn't leaf runs on the caller's thread: neither a plain handler, nor what an asynchronous one does before
    /// it waits. Only for calls that are awaited.
    /// </summary>
    public bool Offload { get; init; }

    /// <summary>Takes trailers, objects and headers of the answer; null if nobody wants them.</summary>
    public CallReply? Reply { get; init; }

    /// <summary>How many items of a stream may be on their way; more are asked for when half of them were taken.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It's not positive.</exception>
    public int WindowItems
    {
        get => _windowItems;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _windowItems = value;
        }
    }

    /// <summary>How many bytes of a stream's items may be on their way; the last item may go beyond it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It's not positive.</exception>
    public int WindowBytes
    {
        get => _windowBytes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _windowBytes = value;
        }
    }

    /// <summary>Gives what is said, without values of the metadata, which may hold secrets.</summary>
    /// <returns>The text.</returns>
    public override string ToString() =>
        $"{nameof(CallOptions)} {{ Timeout = {Timeout}, Metadata = {Metadata}, Objects = {Objects.Count}, Offload = {Offload}, "
        + $"WindowItems = {WindowItems}, WindowBytes = {WindowBytes} }}";
}
