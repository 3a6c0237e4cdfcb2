using System;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>
/// Asynchronous calls. They start at once and borrow the request only until the function returns. As always, await each
/// <see cref="ValueTask{TResult}"/> only once. To await a result more often, use <c>AsTask</c>.
/// </content>
public sealed unsafe partial class Method
{
    /// <summary>Starts an asynchronous call with JSON text.</summary>
    /// <param name="json">The request.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method is a stream.
    /// </exception>
    public ValueTask<string> CallAsync(string json, CancellationToken cancellationToken = default) =>
        CallAsync(null, json, null, cancellationToken);

    /// <summary>Starts an asynchronous call with JSON text and options.</summary>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method is a stream.
    /// </exception>
    public ValueTask<string> CallAsync(string json, CallOptions options) => CallAsync(null, json, options);

    /// <summary>Starts an asynchronous call with an object as JSON, and returns the response as an object.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>
    /// The response. Awaiting it throws <see cref="PluginException"/> if the call fails, and
    /// <see cref="JsonException"/> if the response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </returns>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method is a stream.
    /// </exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CancellationToken cancellationToken = default) =>
        CallAsync(null, request, requestType, responseType, null, cancellationToken);

    /// <summary>
    /// Starts an asynchronous call with an object as JSON and with options, and returns the response as an object.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <returns>
    /// The response. Awaiting it throws <see cref="PluginException"/> if the call fails, and
    /// <see cref="JsonException"/> if the response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </returns>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method is a stream.
    /// </exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType, CallOptions options) =>
        CallAsync(null, request, requestType, responseType, options);

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        TRequest request,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        CallAsync(
            null, request, Reflected.Type<TRequest>(jsonOptions, options), Reflected.Type<TResponse>(jsonOptions, options), options, cancellationToken);

    /// <summary>
    /// Starts an asynchronous call with a struct, and returns the response as a struct. Allocates nothing.
    /// </summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method is a stream.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public ValueTask<TResponse> CallRawAsync<TRequest, TResponse>(
        in TRequest request, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        VerifyOnce<TRequest, TResponse>(options);
        if (sizeof(TRequest) > Storage.CopiedStruct)
        {
            return Begin<TResponse, StructAnswer<TResponse>>(
                Rb.EntryShared, BytesOf(in request), default, null, options, cancellationToken);
        }

        TRequest copy = request;
        return Begin<TResponse, StructAnswer<TResponse>>(Unshared, BytesOf(in copy), default, null, options, cancellationToken);
    }

    /// <summary>Starts an asynchronous call with bytes in this method's encoding.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, as a new array. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="InvalidOperationException">The method is a stream.</exception>
    public ValueTask<byte[]> CallRawBytesAsync(
        ReadOnlySpan<byte> request, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        Begin<byte[], BytesAnswer>(Rb.EntryShared, request, default, null, options, cancellationToken);

    /// <summary>Starts an asynchronous call with bytes, and leaves the response in the plugin's memory.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, which the caller must dispose of. If the call fails, awaiting it throws
    /// <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="InvalidOperationException">The method is a stream.</exception>
    public ValueTask<RawResponse> CallRawZeroCopyAsync(
        ReadOnlySpan<byte> request, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        Begin<RawResponse, LeaseAnswer>(Rb.EntryShared, request, default, null, options, cancellationToken);

    internal ValueTask<string> CallAsync(
        PluginObject? receiver, string json, CallOptions? options, CancellationToken cancellationToken = default)
    {
        try
        {
            ArgumentNullException.ThrowIfNull(json);
            CheckJson();
            if (json.Length > Storage.StackChars)
            {
                return BeginUntold<string, TextAnswer>(Unshared, Utf8Text.Bytes(json), default, receiver, options, cancellationToken);
            }

            Span<byte> request = stackalloc byte[Storage.Stack];
            int length = Utf8Text.Encode(json, request);
            return BeginUntold<string, TextAnswer>(Unshared, request[..length], default, receiver, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    internal ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        PluginObject? receiver,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options,
        CancellationToken cancellationToken = default)
    {
        try
        {
            CheckJson();
            using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
            using JsonWriter writer = JsonWriter.Take(requestType.Options, _bufferLimit);
            ReadOnlySpan<byte> utf8 = writer.Write(request, requestType);
            return BeginLending<TResponse, JsonAnswer<TResponse>>(Unshared, utf8, new(responseType), lent.Numbers, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>
    /// Starts a call. If it can't start, the code that awaits its initial metadata gets the exception.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueTask<T> Begin<T, TAnswer>(
        uint shared,
        ReadOnlySpan<byte> request,
        TAnswer answer,
        PluginObject? receiver,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TAnswer : struct, IAnswer<T> =>
        options?.Reply is null
            ? BeginUntold<T, TAnswer>(shared, request, answer, receiver, options, cancellationToken)
            : BeginTold<T, TAnswer>(shared, request, answer, receiver, options, cancellationToken);

    /// <summary>
    /// Starts a call that has a reply. It's a separate method, since an exception handler would slow down a call without a
    /// reply.
    /// </summary>
    private ValueTask<T> BeginTold<T, TAnswer>(
        uint shared,
        ReadOnlySpan<byte> request,
        TAnswer answer,
        PluginObject? receiver,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TAnswer : struct, IAnswer<T>
    {
        try
        {
            return BeginUntold<T, TAnswer>(shared, request, answer, receiver, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    private ValueTask<T> BeginUntold<T, TAnswer>(
        uint shared,
        ReadOnlySpan<byte> request,
        TAnswer answer,
        PluginObject? receiver,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TAnswer : struct, IAnswer<T>
    {
        if (receiver is null && (options is null || options.Objects.Count == 0))
        {
            return BeginLending<T, TAnswer>(shared, request, answer, [], options, cancellationToken);
        }

        using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
        return BeginLending<T, TAnswer>(shared, request, answer, lent.Numbers, options, cancellationToken);
    }

    private ValueTask<T> BeginLending<T, TAnswer>(
        uint shared,
        ReadOnlySpan<byte> request,
        TAnswer answer,
        ReadOnlySpan<ulong> lent,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TAnswer : struct, IAnswer<T>
    {
        CheckUnary();
        CancellationToken token = cancellationToken.CanBeCanceled ? cancellationToken : options?.CancellationToken ?? default;
        if (token.IsCancellationRequested)
        {
            options?.Reply?.GiveUpHeaders();
            return ValueTask.FromCanceled<T>(token);
        }

        bool takesReply = options?.Reply is not null || (ReturnsObjects && answer.TakesObjects);
        return options is null && lent.IsEmpty && !takesReply && !_hasServices && Activity.Current is null
            ? BeginAlone<T, TAnswer>(shared, request, answer, token)
            : BeginCarrying<T, TAnswer>(shared, request, answer, lent, options, takesReply, token);
    }

    /// <summary>
    /// Starts a call that has only a request, as most have. Filling in a call context and a reply, and reading them
    /// afterwards, would cost as much as the crossing.
    /// </summary>
    private ValueTask<T> BeginAlone<T, TAnswer>(uint shared, ReadOnlySpan<byte> request, TAnswer answer, CancellationToken token)
        where TAnswer : struct, IAnswer<T>
    {
        ulong queue = Drainer.Queue;
        byte* storage = stackalloc byte[Storage.Stack];
        PendingCall<T, TAnswer> call = PendingCall<T, TAnswer>.Rent(this, answer, null, token);
        var submission = new RbSubmission
        {
            Size = (uint)sizeof(RbSubmission),
            Instance = _instance,
            Entry = _entry | shared,
            RequestLen = (nuint)request.Length,
            UserData = call.Number,
            Response = new RbResponse { Data = storage, Capacity = (nuint)Math.Min(_storage, Storage.Stack) },
        };
        int refused;
        fixed (byte* source = request)
        {
            submission.Request = source;
            refused = Native.Submit(queue, &submission, 1);
        }

        GC.KeepAlive(this);
        if ((refused | submission.Status) != 0 || submission.Response.Release != null)
        {
            RbReply reply = default;
            return Begun<T, TAnswer>(call, refused, ref submission, ref reply, answer, null, token);
        }

        call.Return();
        try
        {
            return new ValueTask<T>(answer.Read(this, new ReadOnlySpan<byte>(storage, (int)submission.Response.Len)));
        }
        catch (Exception problem)
        {
            return ValueTask.FromException<T>(problem);
        }
    }

    private ValueTask<T> BeginCarrying<T, TAnswer>(
        uint shared,
        ReadOnlySpan<byte> request,
        TAnswer answer,
        ReadOnlySpan<ulong> lent,
        CallOptions? options,
        bool takesReply,
        CancellationToken token)
        where TAnswer : struct, IAnswer<T>
    {
        byte* storage = stackalloc byte[Storage.Stack];
        Unsafe.SkipInit(out RbReplyHeaders reply);
        reply.Clear(options?.Reply is { IncludeHeaders: true });
        var submission = new RbSubmission
        {
            Response = new RbResponse { Data = storage, Capacity = (nuint)Math.Min(_storage, Storage.Stack) },
        };
        PendingCall<T, TAnswer> call = PendingCall<T, TAnswer>.Rent(this, answer, options?.Reply, token);
        int refused;
        try
        {
            refused = Submit(call, &submission, shared, request, lent, options, takesReply ? &reply.Reply : null);
        }
        catch
        {
            call.Return();
            throw;
        }

        return Begun<T, TAnswer>(call, refused, ref submission, ref reply.Reply, answer, options, token);
    }

    /// <summary>Returns the awaitable result of a call that was submitted or refused.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ValueTask<T> Begun<T, TAnswer>(
        PendingCall<T, TAnswer> call,
        int refused,
        ref RbSubmission submission,
        ref RbReply reply,
        TAnswer answer,
        CallOptions? options,
        CancellationToken token)
        where TAnswer : struct, IAnswer<T>
    {
        if (refused == 0 && submission.Status == Rb.Pending)
        {
            return call.Pend(submission.Op);
        }

        call.Return();
        if (refused != 0)
        {
            throw Failures.Of(refused, []);
        }

        try
        {
            return new ValueTask<T>(Ended<T, TAnswer>(submission.Status, ref submission.Response, ref reply, answer, options, token));
        }
        catch (OperationCanceledException cancelled) when (cancelled.CancellationToken == token)
        {
            return ValueTask.FromCanceled<T>(token);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            return ValueTask.FromException<T>(problem);
        }
    }

    /// <summary>
    /// Moves a response's metadata and objects out of the reply. If initial metadata is accepted, the reply is the
    /// first part of a larger struct.
    /// </summary>
    private PluginObject[] Beside(ref RbReply reply, CallReply? wanted)
    {
        if (wanted is { IncludeHeaders: true })
        {
            wanted.TakeHeaders(ref Unsafe.As<RbReply, RbReplyHeaders>(ref reply).Headers);
        }

        if (wanted is not null)
        {
            wanted.Trailers = new Metadata(new ReadOnlySpan<byte>(reply.Trailers.Data, (int)reply.Trailers.Len).ToArray());
        }

        Operation.Release(ref reply.Trailers);
        PluginObject[] came = CameObjects.Take(Plugin, ref reply.Objects);
        if (wanted is not null)
        {
            wanted.Objects = came;
        }

        return came;
    }

    /// <summary>Submits an asynchronous call; the caller sets the submission's buffer and credit.</summary>
    /// <returns>The function's status, 0 if the arguments are right.</returns>
    internal int Submit(
        Operation operation,
        RbSubmission* submission,
        uint shared,
        ReadOnlySpan<byte> request,
        ReadOnlySpan<ulong> lent,
        CallOptions? options,
        RbReply* reply)
    {
        Header header = Header.Of(options);
        header.Native.Op = _hasServices ? operation.BeginContext() : 0;
        submission->Size = (uint)sizeof(RbSubmission);
        submission->Instance = _instance;
        submission->Entry = _entry | shared;
        submission->Flags = options is { Offload: true } ? Rb.SubmitOffload : 0;
        submission->UserData = operation.Number;
        int status;
        fixed (byte* source = request, metadata = header.Metadata, state = header.TraceState)
        {
            fixed (ulong* objects = lent)
            {
                submission->Request = source;
                submission->RequestLen = (nuint)request.Length;
                if (header.SaysSomething || header.Native.Op != 0 || lent.Length != 0 || reply != null)
                {
                    header.Native.Metadata = metadata;
                    header.Native.MetadataLen = (nuint)header.Metadata.Length;
                    header.Native.TraceState = new RbText { Data = state, Len = (nuint)header.TraceState.Length };
                    header.Native.Objects = objects;
                    header.Native.ObjectCount = (uint)lent.Length;
                    header.Native.Reply = reply;
                    submission->CallContext = &header.Native;
                }

                status = Native.Submit(Drainer.Queue, submission, 1);
            }
        }

        submission->CallContext = null;
        GC.KeepAlive(this);
        return status;
    }
}
