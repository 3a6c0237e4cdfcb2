using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// What comes back beside an answer, for those who ask for it by <see cref="CallOptions.Reply"/>: filled in when the call has ended, also when
/// it has failed, and its headers before that.
/// </summary>
/// <example>
/// <code>
/// var reply = new CallReply { TakesHeaders = true };
/// string answer = await method.CallAsync(request, new CallOptions { Reply = reply });
/// Use(reply.Headers, answer, reply.Trailers);
/// </code>
/// </example>
/// <remarks>One for each call. What is read of it while the call is pending is of no meaning, but for <see cref="HeadersAsync"/>.</remarks>
public sealed class CallReply
{
    private readonly TaskCompletionSource<Metadata>? _headers;

    /// <summary>
    /// Whether the headers are wanted: metadata that the plugin says before anything else of the call. Whoever wants none pays nothing for them.
    /// </summary>
    public bool TakesHeaders
    {
        get => _headers is not null;
        init => _headers = value ? new(TaskCreationOptions.RunContinuationsAsynchronously) : null;
    }

    /// <summary>
    /// The headers, if <see cref="TakesHeaders"/> asked for them. They are there when an item of a stream is, or the call has ended, or
    /// <see cref="HeadersAsync"/> was awaited.
    /// </summary>
    public Metadata Headers { get; private set; } = new();

    /// <summary>
    /// The headers when they have come, which is before the first item of a stream, or before the answer or the error; empty if the plugin has said
    /// none. Cancelled if a stream was given up before they came, or a call was cancelled before it began. What a call throws that couldn't begin is
    /// thrown here as well; how one ends that has begun isn't. Without <see cref="TakesHeaders"/> it's there at once, and empty.
    /// </summary>
    public Task<Metadata> HeadersAsync => _headers?.Task ?? Task.FromResult(Headers);

    /// <summary>The trailers: metadata that the method has added to its answer, or its error.</summary>
    public Metadata Trailers { get; internal set; } = new();

    /// <summary>
    /// The objects of the answer, in the order in which it speaks of them, also those that the answer itself holds as
    /// <see cref="PluginObject"/>. Each is the caller's, to be disposed of.
    /// </summary>
    public IReadOnlyList<PluginObject> Objects { get; internal set; } = [];

    /// <summary>The operation's number, if it was pending.</summary>
    internal ulong Operation { get; set; }

    /// <summary>Takes the headers, which have come before anything else. Runs nothing of a user's.</summary>
    internal unsafe void TakeHeaders(ref RbResponse headers)
    {
        try
        {
            Headers = new Metadata(new ReadOnlySpan<byte>(headers.Data, (int)headers.Len).ToArray());
        }
        finally
        {
            Internal.Operation.Release(ref headers);
        }

        _ = _headers?.TrySetResult(Headers);
    }

    /// <summary>The call has ended: no headers come that aren't there.</summary>
    internal void EndHeaders() => _ = _headers?.TrySetResult(Headers);

    /// <summary>Nobody is told any more whether headers come.</summary>
    internal void GiveUpHeaders() => _ = _headers?.TrySetCanceled();

    /// <summary>A call throws, and may not have begun: whoever waits for its headers is told why, unless they have been told of.</summary>
    internal static void FailHeaders(CallOptions? options, Exception problem)
    {
        if (problem is OperationCanceledException)
        {
            options?.Reply?.GiveUpHeaders();
        }
        else
        {
            options?.Reply?.FailHeaders(problem);
        }
    }

    /// <summary>Headers may have been lost, or never come.</summary>
    internal void FailHeaders(Exception problem)
    {
        if (_headers is not null && _headers.TrySetException(problem))
        {
            // The call throws it: who doesn't look here has seen it all the same.
            _ = _headers.Task.Exception;
        }
    }
}
