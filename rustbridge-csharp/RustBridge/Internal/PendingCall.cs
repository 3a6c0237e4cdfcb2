using System;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace RustBridge.Internal;

/// <summary>A call whose answer is awaited. It's used again for another when that was got, so a call allocates nothing.</summary>
/// <remarks>
/// The drainer only keeps the bytes and says that they are there; the answer is read where it's awaited. One that nobody awaits isn't used again, and the
/// collector takes it.
/// </remarks>
/// <typeparam name="T">The answer's type.</typeparam>
/// <typeparam name="TAnswer">How the answer is read.</typeparam>
[SuppressMessage("Design", "CA1001", Justification = "What is handed over is disposed of when the answer is got.")]
internal sealed unsafe class PendingCall<T, TAnswer> : Operation, IValueTaskSource<T>
    where TAnswer : struct, IAnswer<T>
{
    /// <summary>Memory for answers that is kept from one call to the next.</summary>
    private const int KeptBytes = 16 * 1024;

    /// <summary>How many that aren't used are kept at most, besides one for each thread.</summary>
    private const int KeptCalls = 1024;

    // Objects that are in use by nobody, whatever plugins they served. The thread's own costs no atomic operation.
    [ThreadStatic]
    private static Nearest? _near;

    private static readonly ConcurrentQueue<PendingCall<T, TAnswer>> Far = new();
    private static int _far;

    private Completion _completion = new();
    private bool _isEntered;
    private Method _method = null!;
    private TAnswer _answer;
    private CallReply? _reply;
    private CancellationToken _token;
    private CancellationTokenRegistration _registration;
    private int _status;
    private byte[] _bytes = [];
    private int _length;
    private NativeResponse? _handedOver;
    private byte[] _trailers = [];
    private PluginObject[] _objects = [];

    private PendingCall()
    {
    }

    /// <summary>Gives one that is ready to be told of its end.</summary>
    internal static PendingCall<T, TAnswer> Rent(Method method, TAnswer answer, CallReply? reply, CancellationToken token)
    {
        Nearest near = _near ??= new Nearest();
        PendingCall<T, TAnswer> call = near.Call ?? More();
        near.Call = null;
        call._method = method;
        call._answer = answer;
        if (reply is not null)
        {
            call._reply = reply;
        }

        if (token.CanBeCanceled)
        {
            call._token = token;
        }

        if (!call._isEntered)
        {
            call.Enter();
            call._isEntered = true;
        }

        return call;
    }

    /// <summary>Gives back what nobody else has seen, or has seen the last of.</summary>
    internal void Return()
    {
        EndContext();
        _method = null!;
        _answer = default;
        _reply = null;
        _token = default;
        _registration = default;
        Native = 0;
        Nearest near = _near ??= new Nearest();
        if (near.Call is null)
        {
            near.Call = this;
        }
        else
        {
            KeepFar();
        }
    }

    private static PendingCall<T, TAnswer> More()
    {
        if (!Far.TryDequeue(out PendingCall<T, TAnswer>? call))
        {
            return new PendingCall<T, TAnswer>();
        }

        Interlocked.Decrement(ref _far);
        return call;
    }

    private void KeepFar()
    {
        if (Interlocked.Increment(ref _far) <= KeptCalls)
        {
            Far.Enqueue(this);
            return;
        }

        Interlocked.Decrement(ref _far);
        if (_isEntered)
        {
            Leave();
        }
    }

    /// <summary>Makes of it what the caller awaits, when it was begun and is pending. It may have ended since.</summary>
    internal ValueTask<T> Pend(ulong operation)
    {
        short version = _completion.Version;
        Native = operation;
        if (_reply is not null)
        {
            _reply.Operation = operation;
        }

        if (_token.CanBeCanceled)
        {
            // A request: the end comes all the same, with what won.
            _registration = _token.UnsafeRegister(
                static call => _ = Internal.Native.OpCancel(((Operation)call!).Native, null), this);
        }

        return new ValueTask<T>(this, version);
    }

    public ValueTaskSourceStatus GetStatus(short token)
    {
        ValueTaskSourceStatus status = _completion.GetStatus(token);
        return status == ValueTaskSourceStatus.Succeeded && _status != 0 ? ValueTaskSourceStatus.Faulted : status;
    }

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _completion.OnCompleted(continuation, state, token, flags);

    public T GetResult(short token)
    {
        if (!_completion.HasResult(token))
        {
            throw new InvalidOperationException("the result was read while the call is pending: await a ValueTask exactly once");
        }

        // Waits for a cancellation that runs just now, which means this call and not the next one.
        _registration.Dispose();
        try
        {
            return Read(token);
        }
        finally
        {
            Recycle(token);
        }
    }

    internal override void Take(RbEvent* told)
    {
        if (told->Kind == Rb.EventHeaders && _reply is not null)
        {
            _reply.TakeHeaders(ref told->Response);
            return;
        }

        if (told->Kind != Rb.EventDone)
        {
            Release(told);
            return;
        }

        Leave();
        _isEntered = false;
        Exception? problem = null;
        try
        {
            TakeEnd(told);
            if (_status == (int)Status.Cancelled && _token.IsCancellationRequested)
            {
                problem = new OperationCanceledException(_token);
            }
        }
        catch (Exception thrown)
        {
            // There's no memory for it, say. That's one call's misfortune, and what it hasn't taken is given back.
            ReleaseAll(told);
            problem = thrown;
        }

        _reply?.EndHeaders();
        Signal(problem);
    }

    internal override void Fail(Exception problem)
    {
        _reply?.FailHeaders(problem);
        if (_isEntered)
        {
            Leave();
            _isEntered = false;
        }

        Signal(problem);
    }

    /// <summary>Says that it's over, once. After that this may be another call already.</summary>
    private void Signal(Exception? problem)
    {
        try
        {
            _completion.Complete(true, problem);
        }
        catch (Exception thrown)
        {
            // The context that the caller goes on in doesn't take it.
            Plugin.OnLogFailed(thrown);
        }
    }

    private void TakeEnd(RbEvent* told)
    {
        _status = told->Status;
        if (told->Response.Release != null)
        {
            _handedOver = new NativeResponse(ref told->Response, _method.Name);
        }
        else
        {
            Keep(new ReadOnlySpan<byte>(told->Response.Data, (int)told->Response.Len));
        }

        if (told->Reply.Trailers.Len != 0)
        {
            _trailers = new ReadOnlySpan<byte>(told->Reply.Trailers.Data, (int)told->Reply.Trailers.Len).ToArray();
        }

        Release(ref told->Reply.Trailers);
        _objects = CameObjects.Take(_method.Plugin, ref told->Reply.Objects);
    }

    private T Read(short token)
    {
        if (_reply is not null)
        {
            _reply.Trailers = new Metadata(_trailers);
            _reply.Objects = _objects;
        }

        _completion.GetResult(token);
        if (_status != 0)
        {
            throw Failures.Of(_status, _handedOver is null ? _bytes.AsSpan(0, _length) : _handedOver.Span, _method);
        }

        if (_handedOver is null)
        {
            return CameObjects.Read<T, TAnswer>(_method, _answer, _bytes.AsSpan(0, _length), _objects, _reply is not null);
        }

        if (typeof(TAnswer) == typeof(LeaseAnswer))
        {
            object lease = new RawResponse(_handedOver);
            _handedOver = null;
            return (T)lease;
        }

        return CameObjects.Read<T, TAnswer>(_method, _answer, _handedOver.Span, _objects, _reply is not null);
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        if (_bytes.Length < bytes.Length)
        {
            _bytes = GC.AllocateUninitializedArray<byte>(
                bytes.Length <= KeptBytes ? (int)BitOperations.RoundUpToPowerOf2((uint)bytes.Length) : bytes.Length);
        }

        bytes.CopyTo(_bytes);
        _length = bytes.Length;
    }

    private void Recycle(short token)
    {
        _handedOver?.Dispose();
        _handedOver = null;
        _trailers = [];
        _objects = [];
        _status = 0;
        _length = 0;
        if (_bytes.Length > KeptBytes)
        {
            _bytes = [];
        }

        if (_completion.TryReset(token))
        {
            Return();
        }
        else
        {
            // The drainer is still completing this object, so no other call may reuse it.
            EndContext();
        }
    }

    /// <summary>What a thread keeps. When the thread is gone, so that the collector finds this, the call gives its number back.</summary>
    private sealed class Nearest
    {
        internal PendingCall<T, TAnswer>? Call;

        ~Nearest()
        {
            if (Call is { _isEntered: true } call)
            {
                call.Leave();
            }
        }
    }
}
