using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using RustBridge.Internal;

namespace RustBridge;

/// <content>
/// Calls with options, which add data to the request and receive the metadata and objects of the response.
/// </content>
public sealed unsafe partial class Method
{
    /// <summary>Like <see cref="Call(string)"/>, with options.</summary>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public string Call(string json, CallOptions options) => Call(null, json, options);

    /// <summary>Like <see cref="Call(ReadOnlySpan{byte})"/>, with options.</summary>
    /// <param name="utf8Json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response in UTF-8, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public byte[] Call(ReadOnlySpan<byte> utf8Json, CallOptions options)
    {
        try
        {
            CheckJson();
            return CallWith<byte[], BytesAnswer>(Rb.EntryShared, utf8Json, default, null, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>
    /// Like <see cref="Call{TRequest, TResponse}(TRequest, JsonTypeInfo{TRequest}, JsonTypeInfo{TResponse})"/>, with
    /// options. The request and response may contain objects.
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
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public TResponse Call<TRequest, TResponse>(
        TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType, CallOptions options) =>
        Call(null, request, requestType, responseType, options);

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(TRequest request, CallOptions options, JsonSerializerOptions? jsonOptions = null) =>
        Call(request, Reflected.Type<TRequest>(jsonOptions, options), Reflected.Type<TResponse>(jsonOptions, options), options);

    /// <summary>Like <see cref="CallRaw{TRequest, TResponse}(in TRequest)"/>, with options.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public TResponse CallRaw<TRequest, TResponse>(in TRequest request, CallOptions options)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        try
        {
            VerifyOnce<TRequest, TResponse>();
            return CallWith<TResponse, StructAnswer<TResponse>>(Rb.EntryShared, BytesOf(in request), default, null, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Like <see cref="CallRawBytes(ReadOnlySpan{byte})"/>, with options.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    public byte[] CallRawBytes(ReadOnlySpan<byte> request, CallOptions options)
    {
        try
        {
            return CallWith<byte[], BytesAnswer>(Rb.EntryShared, request, default, null, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Like <see cref="CallRawZeroCopy(ReadOnlySpan{byte})"/>, with options.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    public RawResponse CallRawZeroCopy(ReadOnlySpan<byte> request, CallOptions options)
    {
        try
        {
            return CallWith<RawResponse, LeaseAnswer>(Rb.EntryShared, request, default, null, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    internal string Call(PluginObject? receiver, string json, CallOptions? options)
    {
        try
        {
            ArgumentNullException.ThrowIfNull(json);
            CheckJson();
            return CallWith<string, TextAnswer>(Unshared, Utf8Text.Bytes(json), default, receiver, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    internal TResponse Call<TRequest, TResponse>(
        PluginObject? receiver,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options)
    {
        try
        {
            CheckJson();
            using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
            using JsonWriter writer = JsonWriter.Take(requestType.Options, _bufferLimit);
            ReadOnlySpan<byte> utf8 = writer.Write(request, requestType);
            return CallLending<TResponse, JsonAnswer<TResponse>>(Unshared, utf8, new(responseType), lent.Numbers, options);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Calls a method of an object with structs: the least that such a call can carry.</summary>
    internal TResponse CallRaw<TRequest, TResponse>(PluginObject receiver, in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        VerifyOnce<TRequest, TResponse>();
        ulong number = receiver.Number;
        ulong context = _hasServices ? CallContext.Begin() : 0;
        var header = new RbCallContext { Size = (uint)sizeof(RbCallContext), Op = context, ObjectCount = 1, Objects = &number };
        Unsafe.SkipInit(out TResponse answer);
        var response = new RbResponse { Data = (byte*)&answer, Capacity = (nuint)sizeof(TResponse) };
        int status;
        fixed (TRequest* source = &request)
        {
            status = Native.CallWith(
                _instance, _entry | Rb.EntryShared, &header, null, (byte*)source, (nuint)sizeof(TRequest), &response);
        }

        CallContext.End(context);
        GC.KeepAlive(receiver);
        GC.KeepAlive(this);
        if (status == 0 && response.Release == null && response.Len == (nuint)sizeof(TResponse))
        {
            return answer;
        }

        RbReply reply = default;
        return Ended<TResponse, StructAnswer<TResponse>>(status, ref response, ref reply, default, null, default);
    }

    /// <summary>Throws unless the call has one request and one response.</summary>
    private void CheckUnary()
    {
        if (IsStreamOut || IsStreamIn)
        {
            Throw.WrongKind(this);
        }
    }

    private void VerifyOnce<TRequest, TResponse>()
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        if (_verified != typeof(StructPair<TRequest, TResponse>))
        {
            Verify<TRequest, TResponse>();
        }
    }

    /// <summary>Checks the structs once. If they differ from the plugin's, the call's initial metadata also fails.</summary>
    private void VerifyOnce<TRequest, TResponse>(CallOptions? options)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        if (_verified != typeof(StructPair<TRequest, TResponse>))
        {
            VerifyFor<TRequest, TResponse>(options);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void VerifyFor<TRequest, TResponse>(CallOptions? options)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        try
        {
            Verify<TRequest, TResponse>();
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    private static ReadOnlySpan<byte> BytesOf<T>(in T value)
        where T : unmanaged => System.Runtime.InteropServices.MemoryMarshal.AsBytes(
            System.Runtime.InteropServices.MemoryMarshal.CreateReadOnlySpan(in value, 1));

    private T CallWith<T, TAnswer>(
        uint shared, ReadOnlySpan<byte> request, TAnswer answer, PluginObject? receiver, CallOptions? options)
        where TAnswer : struct, IAnswer<T>
    {
        using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
        return CallLending<T, TAnswer>(shared, request, answer, lent.Numbers, options);
    }

    private T CallLending<T, TAnswer>(
        uint shared, ReadOnlySpan<byte> request, TAnswer answer, ReadOnlySpan<ulong> lent, CallOptions? options)
        where TAnswer : struct, IAnswer<T>
    {
        CheckUnary();
        CancellationToken token = options?.CancellationToken ?? default;
        Header header = Header.Of(options);
        bool takesReply = options?.Reply is not null || (ReturnsObjects && answer.TakesObjects);
        byte* storage = stackalloc byte[Storage.Stack];
        var response = new RbResponse { Data = storage, Capacity = (nuint)Math.Min(_storage, Storage.Stack) };
        Unsafe.SkipInit(out RbReplyHeaders reply);
        reply.Clear(options?.Reply is { IncludeHeaders: true });
        ulong operation = 0;
        BlockingCancel? cancel = null;
        int status;
        if (token.CanBeCanceled)
        {
            cancel = Listen(&operation, token);
        }

        ulong context = _hasServices ? CallContext.Begin() : 0;
        fixed (byte* source = request, metadata = header.Metadata, state = header.TraceState)
        {
            fixed (ulong* objects = lent)
            {
                header.Native.Op = context;
                header.Native.Metadata = metadata;
                header.Native.MetadataLen = (nuint)header.Metadata.Length;
                header.Native.TraceState = new RbText { Data = state, Len = (nuint)header.TraceState.Length };
                header.Native.Objects = objects;
                header.Native.ObjectCount = (uint)lent.Length;
                header.Native.Reply = takesReply ? &reply.Reply : null;
                status = Native.CallWith(
                    _instance,
                    _entry | shared,
                    &header.Native,
                    cancel is null ? null : &operation,
                    source,
                    (nuint)request.Length,
                    &response);
            }
        }

        CallContext.End(context);
        cancel?.End();
        GC.KeepAlive(this);
        return Ended<T, TAnswer>(status, ref response, ref reply.Reply, answer, options, token);
    }

    /// <summary>Registers for cancellation of a synchronous call.</summary>
    private static BlockingCancel Listen(ulong* operation, CancellationToken token)
    {
        var cancel = new BlockingCancel(operation);
        token.ThrowIfCancellationRequested();
        cancel.Begin(token);
        return cancel;
    }

    /// <summary>
    /// Returns the response of a completed call, or throws its exception. Releases the native response and reply, or
    /// takes ownership of them.
    /// </summary>
    private T Ended<T, TAnswer>(
        int status, ref RbResponse response, ref RbReply reply, TAnswer answer, CallOptions? options, CancellationToken token)
        where TAnswer : struct, IAnswer<T>
    {
        try
        {
            PluginObject[] came = Beside(ref reply, options?.Reply);
            if (status == 0 && typeof(TAnswer) == typeof(LeaseAnswer) && response.Release != null)
            {
                return (T)(object)new RawResponse(new NativeResponse(ref response, Name));
            }

            if (status == (int)Status.Cancelled && token.IsCancellationRequested)
            {
                throw new OperationCanceledException(token);
            }

            if (response.Len > int.MaxValue)
            {
                throw new PluginException(
                    Status.ResourceExhausted,
                    $"the response has {response.Len} bytes, more than arrays and spans can hold: use CallRawZeroCopy",
                    "rustbridge.ResponseTooLarge");
            }

            var bytes = new ReadOnlySpan<byte>(response.Data, (int)response.Len);
            if (status != 0)
            {
                throw Failures.Of(status, bytes, this);
            }

            if (response.Release != null)
            {
                Remember(bytes.Length);
            }

            return CameObjects.Read<T, TAnswer>(this, answer, bytes, came, options?.Reply is not null);
        }
        finally
        {
            Operation.Release(ref response);
            Operation.Release(ref reply);
        }
    }
}
