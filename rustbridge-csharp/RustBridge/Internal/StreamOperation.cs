using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace RustBridge.Internal;

/// <summary>What became of items that were to be sent.</summary>
internal enum WriteOutcome
{
    /// <summary>They were taken.</summary>
    All,

    /// <summary>They weren't asked for, and none was taken.</summary>
    Nothing,

    /// <summary>There's nobody any more to take them.</summary>
    IsOver,
}

/// <summary>A call with items, in either direction or both: what came and isn't taken yet, what may be sent, and how it ended.</summary>
/// <remarks>
/// One thread at a time takes, one at a time sends, and the drainer tells; a lock that nobody holds for long is between them. It's
/// in the table of operations until it has ended or was given up, so whoever awaits it isn't collected.
/// </remarks>
internal sealed unsafe class StreamOperation : Operation
{
    private readonly object _gate = new();
    private readonly Method _method;
    private readonly CallReply? _reply;
    private readonly Queue<ItemBatch> _batches = new();
    private readonly Signal _came = new();
    private readonly Signal _credit = new();
    private readonly CancellationToken _first;
    private readonly CancellationToken _second;
    private CancellationTokenRegistration _firstRegistration;
    private CancellationTokenRegistration _secondRegistration;
    private bool _isOver;
    private bool _isGivenUp;
    private int _status;
    private byte[] _answer = [];
    private PluginObject[] _objects = [];
    private Exception? _problem;
    private long _demands;
    private (ulong Items, ulong Bytes) _room;

    private StreamOperation(Method method, CallReply? reply, CancellationToken first, CancellationToken second)
    {
        _method = method;
        _reply = reply;
        _first = first;
        _second = second;
    }

    /// <summary>The token that has cancelled it, or none.</summary>
    internal CancellationToken Cancelled =>
        _first.IsCancellationRequested ? _first : _second.IsCancellationRequested ? _second : default;

    /// <summary>How it ended; of a meaning when it's over.</summary>
    internal int EndStatus => _status;

    /// <summary>The answer, or the error's payload; of a meaning when it's over.</summary>
    internal byte[] Answer => _answer;

    /// <summary>The answer's objects, likewise.</summary>
    internal PluginObject[] AnswerObjects => _objects;

    /// <summary>Begins one.</summary>
    /// <param name="method">The method.</param>
    /// <param name="shared"><see cref="Rb.EntryShared"/> if others may write to the request, or 0.</param>
    /// <param name="request">The request.</param>
    /// <param name="lent">The objects that are lent.</param>
    /// <param name="options">What it carries.</param>
    /// <param name="items">How many items are taken at first.</param>
    /// <param name="bytes">How many bytes are taken at first.</param>
    /// <param name="reply">Where its trailers and objects go.</param>
    /// <param name="first">Cancels it.</param>
    /// <param name="second">Does so, too.</param>
    internal static StreamOperation Begin(
        Method method,
        uint shared,
        ReadOnlySpan<byte> request,
        ReadOnlySpan<ulong> lent,
        CallOptions? options,
        ulong items,
        ulong bytes,
        CallReply? reply,
        CancellationToken first,
        CancellationToken second)
    {
        var stream = new StreamOperation(method, reply, first, second);
        Unsafe.SkipInit(out RbReplyHeaders beside);
        beside.Clear(reply is { IncludeHeaders: true });
        var submission = new RbSubmission { DemandItems = items, DemandBytes = bytes };
        stream.Enter();
        int refused;
        try
        {
            bool takesReply = reply is not null || method.ReturnsObjects;
            refused = method.Submit(stream, &submission, shared, request, lent, options, takesReply ? &beside.Reply : null);
        }
        catch
        {
            stream.Leave();
            throw;
        }

        if (refused != 0)
        {
            stream.Leave();
            throw Failures.Of(refused, []);
        }

        if (submission.Status == Rb.Pending)
        {
            stream.Pend(submission.Op);
        }
        else
        {
            stream.Leave();
            try
            {
                if (reply is { IncludeHeaders: true })
                {
                    reply.TakeHeaders(ref beside.Headers);
                }

                stream.End(submission.Status, ref submission.Response, ref beside.Reply);
            }
            catch
            {
                Release(ref submission.Response);
                Release(ref beside.Reply);
                throw;
            }
        }

        return stream;
    }

    /// <summary>Waits until there's a batch, or the end.</summary>
    /// <returns>Whether there's a batch.</returns>
    internal ValueTask<bool> WaitForItems()
    {
        lock (_gate)
        {
            return _batches.Count != 0 ? new(true) : _isOver || _isGivenUp ? new(false) : _came.Wait();
        }
    }

    /// <summary>Takes the next batch, if there is one.</summary>
    internal ItemBatch? TakeBatch()
    {
        lock (_gate)
        {
            return _batches.TryDequeue(out ItemBatch? batch) ? batch : null;
        }
    }

    /// <summary>Takes so many more.</summary>
    internal void Demand(ulong items, ulong bytes) => _ = Internal.Native.OpDemand(Native, items, bytes, null);

    /// <summary>How often it has asked for items. Read before a <see cref="Write(ReadOnlySpan{byte}, int)"/>, it's what to wait for afterwards.</summary>
    internal long Demands => Volatile.Read(ref _demands);

    /// <summary>Waits until it has asked for items once more, or it's over.</summary>
    /// <param name="seen">How often it had asked.</param>
    /// <returns>Whether it's worth trying.</returns>
    internal ValueTask<bool> WaitForDemand(long seen)
    {
        lock (_gate)
        {
            return _isOver || _isGivenUp ? new(false) : _demands != seen ? new(true) : _credit.Wait();
        }
    }

    /// <summary>How many items of a size are probably taken together, at most as many as are given, at least one.</summary>
    internal int Room(int items, int size)
    {
        lock (_gate)
        {
            // The last one may go beyond the bytes.
            ulong byBytes = size == 0 ? (ulong)items : (_room.Bytes / (ulong)size) + 1;
            return (int)Math.Clamp(Math.Min(_room.Items, byBytes), 1, (ulong)items);
        }
    }

    /// <summary>Sends items of one size.</summary>
    /// <remarks>
    /// What is known here of how many are taken may be too much or too little by what was under way just then. So the core is asked, which
    /// knows, and refuses what's too much whole.
    /// </remarks>
    internal WriteOutcome Write(ReadOnlySpan<byte> items, int count)
    {
        RbResponse error = default;
        int status = Write(items, count, &error);
        if (status is not (0 or (int)Status.ResourceExhausted or (int)Status.NotFound or (int)Status.FailedPrecondition))
        {
            Fail(Failures.Of(status, new ReadOnlySpan<byte>(error.Data, (int)error.Len)));
        }

        Release(ref error);
        return status switch
        {
            0 => WriteOutcome.All,
            (int)Status.ResourceExhausted => WriteOutcome.Nothing,
            // Its end is on the way, and says why.
            _ => WriteOutcome.IsOver,
        };
    }

    private int Write(ReadOnlySpan<byte> items, int count, RbResponse* error)
    {
        fixed (byte* data = items)
        {
            var batch = new RbBatch
            {
                Size = (uint)sizeof(RbBatch),
                Data = data,
                Len = (nuint)items.Length,
                Count = (uint)count,
            };
            int status = Internal.Native.OpWrite(Native, &batch, error);
            if (status == 0)
            {
                lock (_gate)
                {
                    _room.Items -= Math.Min(_room.Items, (ulong)count);
                    _room.Bytes -= Math.Min(_room.Bytes, (ulong)items.Length);
                }
            }

            return status;
        }
    }

    /// <summary>Ends the items that are sent.</summary>
    /// <param name="status">0 if they are complete.</param>
    /// <param name="payload">The error's payload, or nothing.</param>
    internal int Finish(int status, ReadOnlySpan<byte> payload)
    {
        fixed (byte* data = payload)
        {
            return Internal.Native.OpEnd(Native, status, data, (nuint)payload.Length, null);
        }
    }

    /// <summary>Throws unless it has ended well; it's over.</summary>
    internal void ThrowIfFailed()
    {
        if (_problem is not null)
        {
            // With the stack that it has.
            ExceptionDispatchInfo.Throw(_problem);
        }

        if (_status == (int)Status.Cancelled && Cancelled is { IsCancellationRequested: true } token)
        {
            throw new OperationCanceledException(token);
        }

        if (_status != 0)
        {
            throw Failures.Of(_status, _answer, _method);
        }
    }

    /// <summary>Gives up what isn't over, and lets go of what nobody has taken. May be called at any time, and again.</summary>
    /// <returns>Whether it was still going on.</returns>
    internal bool GiveUp()
    {
        bool wasPending;
        ItemBatch[] left;
        lock (_gate)
        {
            wasPending = !_isOver && !_isGivenUp;
            _isGivenUp = true;
            left = [.. _batches];
            _batches.Clear();
        }

        if (wasPending)
        {
            Leave();
            _ = Internal.Native.OpDetach(Native, null);
            _reply?.GiveUpHeaders();
            _came.Set(false);
            _credit.Set(false);
        }

        _firstRegistration.Dispose();
        _secondRegistration.Dispose();
        foreach (ItemBatch batch in left)
        {
            Drop(batch);
        }

        return wasPending;
    }

    internal override void Take(RbEvent* told)
    {
        switch (told->Kind)
        {
            case Rb.EventItems:
                Add(new ItemBatch(_method, told));
                break;
            case Rb.EventHeaders when _reply is not null:
                _reply.TakeHeaders(ref told->Response);
                break;
            case Rb.EventDemand:
                lock (_gate)
                {
                    _room = (told->Items, told->Bytes);
                    _demands++;
                }

                _credit.Set(true);
                break;
            case Rb.EventDone:
                Leave();
                End(told->Status, ref told->Response, ref told->Reply);
                break;
            default:
                Release(told);
                break;
        }
    }

    /// <inheritdoc/>
    internal override void Fail(Exception problem)
    {
        Leave();
        lock (_gate)
        {
            // One that was given up is detached already, and nobody asks how it ended.
            if (_isOver || _isGivenUp)
            {
                return;
            }

            _problem = problem;
            _isOver = true;
        }

        _ = Internal.Native.OpDetach(Native, null);
        _reply?.FailHeaders(problem);
        _came.Set(false);
        _credit.Set(false);
    }

    private void Pend(ulong operation)
    {
        bool hasFailed;
        lock (_gate)
        {
            Native = operation;
            hasFailed = _problem is not null;
        }

        if (_reply is not null)
        {
            _reply.Operation = operation;
        }

        if (hasFailed)
        {
            // It has failed before its number was known here.
            _ = Internal.Native.OpDetach(operation, null);
            return;
        }

        _firstRegistration = _first.UnsafeRegister(static stream => ((StreamOperation)stream!).Cancel(), this);
        _secondRegistration = _second.UnsafeRegister(static stream => ((StreamOperation)stream!).Cancel(), this);
    }

    private void Cancel() => _ = Internal.Native.OpCancel(Native, null);

    private void Add(ItemBatch batch)
    {
        bool isWanted;
        lock (_gate)
        {
            isWanted = !_isGivenUp;
            if (isWanted)
            {
                _batches.Enqueue(batch);
            }
        }

        if (isWanted)
        {
            _came.Set(true);
        }
        else if (batch.Objects.Length != 0)
        {
            // A destructor in the plugin may wait for what only this thread can tell.
            ThreadPool.UnsafeQueueUserWorkItem(Drop, batch, preferLocal: false);
        }
        else
        {
            batch.Dispose();
        }
    }

    private static void Drop(ItemBatch batch)
    {
        batch.DropRest();
        batch.Dispose();
    }

    private void End(int status, ref RbResponse response, ref RbReply beside)
    {
        byte[] answer = new ReadOnlySpan<byte>(response.Data, checked((int)response.Len)).ToArray();
        Metadata? trailers = _reply is null
            ? null
            : new Metadata(new ReadOnlySpan<byte>(beside.Trailers.Data, (int)beside.Trailers.Len).ToArray());
        PluginObject[] objects = CameObjects.Take(_method.Plugin, ref beside.Objects);
        if (_reply is not null)
        {
            _reply.Trailers = trailers!;
            _reply.Objects = objects;
            _reply.EndHeaders();
        }

        Release(ref response);
        Release(ref beside.Trailers);
        bool isGivenUp;
        lock (_gate)
        {
            _status = status;
            _answer = answer;
            _objects = objects;
            _isOver = true;
            isGivenUp = _isGivenUp;
        }

        // Beside the end of items that come there's nothing that anybody reads.
        if (objects.Length != 0 && _reply is null && (isGivenUp || _method.IsStreamOut))
        {
            ThreadPool.UnsafeQueueUserWorkItem(Dispose, objects, preferLocal: false);
        }

        _came.Set(false);
        _credit.Set(false);
    }

    private static void Dispose(PluginObject[] objects)
    {
        foreach (PluginObject one in objects)
        {
            one.Dispose();
        }
    }

    /// <summary>Wakes the waiting consumer or sender, if there is one. It then checks the state again.</summary>
    private sealed class Signal
    {
        /// <summary>The source that is awaited, until it's set.</summary>
        private Source? _awaited;

        /// <summary>The source to await next, if one can be reused. Only the waiting side accesses it.</summary>
        private Source? _free;

        /// <summary>Begins to wait. The caller holds the operation's lock, so that no change of the state is missed.</summary>
        internal ValueTask<bool> Wait()
        {
            // None is free if the last one wasn't read, or was read before its completion had ended.
            Source source = _free ?? new(this);
            _free = null;
            var wait = new ValueTask<bool>(source, source.Version);
            Volatile.Write(ref _awaited, source);
            return wait;
        }

        internal void Set(bool there) => Interlocked.Exchange(ref _awaited, null)?.Set(there);

        private sealed class Source(Signal of) : IValueTaskSource<bool>
        {
            private Completion _completion = new();

            internal short Version => _completion.Version;

            internal void Set(bool there) => _completion.Complete(there);

            public bool GetResult(short token)
            {
                bool there = _completion.GetResult(token);
                // Without a reset, the table of operations would keep the consumer alive, and a forgotten stream would never be collected.
                if (_completion.TryReset(token))
                {
                    of._free = this;
                }

                return there;
            }

            public ValueTaskSourceStatus GetStatus(short token) => _completion.GetStatus(token);

            public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
                _completion.OnCompleted(continuation, state, token, flags);
        }
    }
}
