using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace RustBridge;

/// <summary>
/// The options of a call: data that it carries in addition to its request, and how it runs. Immutable, and usable for
/// any number of calls, except for <see cref="Reply"/>.
/// </summary>
/// <example>
/// <code>
/// new CallOptions { Timeout = TimeSpan.FromSeconds(2), Metadata = new() { { "user", "ada" } } }
/// </code>
/// </example>
public sealed record CallOptions
{
    /// <summary>The default of <see cref="WindowItems"/>: how many items of a stream may be in flight.</summary>
    public const int DefaultWindowItems = 256;

    /// <summary>
    /// The default of <see cref="WindowBytes"/>: how many bytes of a stream's items may be in flight.
    /// </summary>
    public const int DefaultWindowBytes = 256 * 1024;

    private readonly TimeSpan? _timeout;
    private readonly int _windowItems = DefaultWindowItems;
    private readonly int _windowBytes = DefaultWindowBytes;

    /// <summary>The default options.</summary>
    public static CallOptions Default { get; } = new();

    /// <summary>
    /// How much time the call has, from its start; null or <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for
    /// no limit. When the time is over, the call fails with <see cref="Status.DeadlineExceeded"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
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

    /// <summary>Pairs of a key and a value that the method can read.</summary>
    public Metadata? Metadata { get; init; }

    /// <summary>
    /// The trace that the call is part of, and the span that makes the call. Null means that of
    /// <see cref="Activity.Current"/>, if it has a W3C ID.
    /// </summary>
    public ActivityContext? Trace { get; init; }

    /// <summary>
    /// Cancels the call. A cancelled call throws <see cref="OperationCanceledException"/> with this token. A call that
    /// already has its response returns the response.
    /// </summary>
    public CancellationToken CancellationToken { get; init; }

    /// <summary>
    /// The objects that the call borrows, in the order in which the request refers to them. The receiver of an object's
    /// method is the first. Objects that the request itself contains as <see cref="PluginObject"/> follow these.
    /// </summary>
    public IReadOnlyList<PluginObject> Objects { get; init; } = [];

    /// <summary>
    /// Whether no code of a method that isn't a leaf method runs on the caller's thread: neither a synchronous handler,
    /// nor the part of an asynchronous handler before it first waits. Only for asynchronous calls.
    /// </summary>
    public bool Offload { get; init; }

    /// <summary>
    /// Receives the trailing metadata, objects and initial metadata of the response; null if they aren't wanted.
    /// </summary>
    public CallReply? Reply { get; init; }

    /// <summary>
    /// How many items of a stream may be in flight. When half of them have been consumed, more are requested.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value isn't positive.</exception>
    public int WindowItems
    {
        get => _windowItems;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _windowItems = value;
        }
    }

    /// <summary>How many bytes of a stream's items may be in flight. The last item may exceed the limit.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value isn't positive.</exception>
    public int WindowBytes
    {
        get => _windowBytes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _windowBytes = value;
        }
    }

    /// <summary>Returns the options as text, without the metadata's values, which may be secret.</summary>
    /// <returns>The text.</returns>
    public override string ToString() =>
        $"{nameof(CallOptions)} {{ Timeout = {Timeout}, Metadata = {Metadata}, Objects = {Objects.Count}, Offload = {Offload}, "
        + $"WindowItems = {WindowItems}, WindowBytes = {WindowBytes} }}";
}
