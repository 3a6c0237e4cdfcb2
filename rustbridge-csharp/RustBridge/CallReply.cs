using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// The metadata and objects that come with a response, for a call with <see cref="CallOptions.Reply"/>. Filled in when
/// the call has completed, also if it has failed. The initial metadata is filled in earlier.
/// </summary>
/// <example>
/// <code>
/// var reply = new CallReply { IncludeHeaders = true };
/// string answer = await method.CallAsync(request, new CallOptions { Reply = reply });
/// Use(reply.Headers, answer, reply.Trailers);
/// </code>
/// </example>
/// <remarks>Use one for each call. While the call is pending, only <see cref="HeadersAsync"/> has a meaning.</remarks>
public sealed class CallReply
{
    private readonly TaskCompletionSource<Metadata>? _headers;

    /// <summary>
    /// Whether the call receives initial metadata, which the plugin sends before anything else. Without it, calls don't
    /// pay for initial metadata.
    /// </summary>
    public bool IncludeHeaders
    {
        get => _headers is not null;
        init => _headers = value ? new(TaskCreationOptions.RunContinuationsAsynchronously) : null;
    }

    /// <summary>
    /// The initial metadata, if <see cref="IncludeHeaders"/> is set. It's available once a stream's first item has
    /// arrived, the call has completed, or <see cref="HeadersAsync"/> has been awaited.
    /// </summary>
    public Metadata Headers { get; private set; } = new();

    /// <summary>
    /// <para>
    /// The initial metadata, once it has arrived: before the first item of a stream, or before the response or the
    /// error. Empty if the plugin sends none. Without <see cref="IncludeHeaders"/>, the task is complete from the start,
    /// and the metadata is empty.
    /// </para>
    /// <para>
    /// The task is cancelled if a stream is abandoned before the metadata has arrived, or if a call is cancelled before
    /// it starts. If a call can't start, the task fails with the exception that the call throws. The failure of a call
    /// that has started isn't reported here.
    /// </para>
    /// </summary>
    public Task<Metadata> HeadersAsync => _headers?.Task ?? Task.FromResult(Headers);

    /// <summary>The trailing metadata, which the method has added to its response or error.</summary>
    public Metadata Trailers { get; internal set; } = new();

    /// <summary>
    /// The response's objects, in the order in which it refers to them, including those that the response itself
    /// contains as <see cref="PluginObject"/>. The caller owns each and must dispose of it.
    /// </summary>
    public IReadOnlyList<PluginObject> Objects { get; internal set; } = [];

    /// <summary>The ID of the asynchronous call, if the call was pending.</summary>
    internal ulong Operation { get; set; }

    /// <summary>Stores the initial metadata, which arrives before anything else. Runs no user code.</summary>
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

    /// <summary>Completes the task of the initial metadata: the call has completed, so none arrives later.</summary>
    internal void EndHeaders() => _ = _headers?.TrySetResult(Headers);

    /// <summary>Cancels the task of the initial metadata.</summary>
    internal void GiveUpHeaders() => _ = _headers?.TrySetCanceled();

    /// <summary>
    /// Reports an exception of a call, which may not have started, to the code that awaits its initial metadata, unless
    /// the metadata has arrived.
    /// </summary>
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

    /// <summary>Fails the task of the initial metadata, which may be lost or may never arrive.</summary>
    internal void FailHeaders(Exception problem)
    {
        if (_headers is not null && _headers.TrySetException(problem))
        {
            // The call throws it: who doesn't look here has seen it all the same.
            _ = _headers.Task.Exception;
        }
    }
}
