using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls with bytes and with structs.</content>
public sealed unsafe partial class Method
{
    /// <summary>Calls with a struct, and returns the response as a struct. Allocates nothing.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>.</exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public TResponse CallRaw<TRequest, TResponse>(in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        if (_verified != typeof(StructPair<TRequest, TResponse>))
        {
            Verify<TRequest, TResponse>();
        }

        if (sizeof(TRequest) <= Storage.CopiedStruct)
        {
            // What a reference leads to, others may write to; what's on this stack, nobody.
            TRequest copy = request;
            return CallStruct<TRequest, TResponse>(Unshared, &copy);
        }

        fixed (TRequest* source = &request)
        {
            return CallStruct<TRequest, TResponse>(Rb.EntryShared, source);
        }
    }

    /// <summary>
    /// Like <see cref="CallRaw{TRequest, TResponse}(in TRequest)"/>, for a request that no one writes to until the call
    /// returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>.</exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public TResponse CallRawUnshared<TRequest, TResponse>(in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        if (_verified != typeof(StructPair<TRequest, TResponse>))
        {
            Verify<TRequest, TResponse>();
        }

        fixed (TRequest* source = &request)
        {
            return CallStruct<TRequest, TResponse>(Unshared, source);
        }
    }

    /// <summary>Calls with bytes in this method's encoding, and writes the response to the caller's buffer.</summary>
    /// <param name="request">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    public int CallRaw(ReadOnlySpan<byte> request, Span<byte> response) => CallRaw(Rb.EntryShared, request, response);

    /// <summary>
    /// Like <see cref="CallRaw(ReadOnlySpan{byte}, Span{byte})"/>, for a request that no one writes to until the call
    /// returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <param name="request">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    public int CallRawUnshared(ReadOnlySpan<byte> request, Span<byte> response) => CallRaw(Unshared, request, response);

    /// <summary>Calls with bytes in this method's encoding.</summary>
    /// <param name="request">The request.</param>
    /// <returns>The response, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] CallRawBytes(ReadOnlySpan<byte> request) => CallRawBytes(Rb.EntryShared, request);

    /// <summary>
    /// Like <see cref="CallRawBytes(ReadOnlySpan{byte})"/>, for a request that no one writes to until the call returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <param name="request">The request.</param>
    /// <returns>The response, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] CallRawBytesUnshared(ReadOnlySpan<byte> request) => CallRawBytes(Unshared, request);

    /// <summary>Calls with bytes, and leaves the response in the plugin's memory.</summary>
    /// <param name="request">The request.</param>
    /// <returns>The response, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public RawResponse CallRawZeroCopy(ReadOnlySpan<byte> request) => CallRawZeroCopy(Rb.EntryShared, request);

    /// <summary>
    /// Like <see cref="CallRawZeroCopy(ReadOnlySpan{byte})"/>, for a request that no one writes to until the call
    /// returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <param name="request">The request.</param>
    /// <returns>The response, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public RawResponse CallRawZeroCopyUnshared(ReadOnlySpan<byte> request) => CallRawZeroCopy(Unshared, request);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private TResponse CallStruct<TRequest, TResponse>(uint shared, TRequest* request)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        Unsafe.SkipInit(out TResponse response);
        long length = Invoke(shared, (byte*)request, sizeof(TRequest), (byte*)&response, sizeof(TResponse));
        if (length != sizeof(TResponse))
        {
            FinishStruct(length, (byte*)&response, sizeof(TResponse));
        }

        GC.KeepAlive(this);
        return response;
    }

    private int CallRaw(uint shared, ReadOnlySpan<byte> request, Span<byte> response)
    {
        long length;
        fixed (byte* source = request, storage = response)
        {
            if ((nuint)(storage - source) < (nuint)request.Length || (nuint)(source - storage) < (nuint)response.Length)
            {
                return CallOverlapping(request, response);
            }

            length = Invoke(shared, source, request.Length, storage, response.Length);
            if (length < 0)
            {
                length = Finish(length, storage, response.Length);
            }
        }

        GC.KeepAlive(this);
        return (int)length;
    }

    private byte[] CallRawBytes(uint shared, ReadOnlySpan<byte> request) =>
        ResponseSize != 0 ? CallForStruct(shared, request) : CallForBytes(shared, request);

    private RawResponse CallRawZeroCopy(uint shared, ReadOnlySpan<byte> request) =>
        ResponseSize is > 0 and <= Storage.LeasedArray
            ? new RawResponse(CallForStruct(shared, request))
            : CallForLease(shared, request);

    private byte[] CallForBytes(uint shared, ReadOnlySpan<byte> request)
    {
        // Read once: another thread may note another length.
        int expected = _expected;
        return expected == 0 ? CallForUnknown(shared, request) : CallForExpected(shared, request, expected);
    }

    private byte[] CallForUnknown(uint shared, ReadOnlySpan<byte> request)
    {
        byte* storage = stackalloc byte[Storage.Stack];
        fixed (byte* source = request)
        {
            long length = Invoke(shared, source, request.Length, storage, Math.Min(_storage, Storage.Stack));
            byte[] response;
            if (length < 0)
            {
                response = FinishBytes(length, storage);
            }
            else
            {
                response = new ReadOnlySpan<byte>(storage, (int)length).ToArray();
                // Looked at first: other threads look at it as well.
                if (_lastLong != 0)
                {
                    _lastLong = 0;
                }
            }

            GC.KeepAlive(this);
            return response;
        }
    }

    /// <summary>
    /// Calls with a new array as the buffer. It's as long as the last two long responses, so another response of that
    /// length needs no copy.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] CallForExpected(uint shared, ReadOnlySpan<byte> request, int expected)
    {
        byte[] response;
        try
        {
            response = GC.AllocateUninitializedArray<byte>(expected);
        }
        catch (OutOfMemoryException)
        {
            // What it answers may be short by now.
            _expected = 0;
            return CallForUnknown(shared, request);
        }

        fixed (byte* source = request, storage = response)
        {
            long length = Invoke(shared, source, request.Length, storage, response.Length);
            if (length != response.Length)
            {
                // Also if it has failed: what comes next may be anything.
                _expected = 0;
                _lastLong = 0;
                response = length >= 0 ? response.AsSpan(0, (int)length).ToArray() : FinishBytes(length, storage);
            }
        }

        GC.KeepAlive(this);
        return response;
    }

    private RawResponse CallForLease(uint shared, ReadOnlySpan<byte> request)
    {
        byte* storage = stackalloc byte[Storage.Stack];
        fixed (byte* source = request)
        {
            long length = Invoke(shared, source, request.Length, storage, Math.Min(_storage, Storage.Stack));
            RawResponse response = length >= 0
                ? new RawResponse(new ReadOnlySpan<byte>(storage, (int)length).ToArray())
                : FinishLease(length, storage);
            GC.KeepAlive(this);
            return response;
        }
    }

    /// <summary>Calls with a buffer of the right size.</summary>
    private byte[] CallForStruct(uint shared, ReadOnlySpan<byte> request)
    {
        byte[] response = GC.AllocateUninitializedArray<byte>(ResponseSize);
        fixed (byte* source = request, storage = response)
        {
            long length = Invoke(shared, source, request.Length, storage, response.Length);
            if (length != response.Length)
            {
                FinishStruct(length, storage, response.Length);
            }
        }

        GC.KeepAlive(this);
        return response;
    }

    /// <summary>Calls with a copy of the request, since a plugin may still read it when it writes the response.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int CallOverlapping(ReadOnlySpan<byte> request, Span<byte> response)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(request.Length);
        try
        {
            request.CopyTo(copy);
            return CallRaw(Unshared, copy.AsSpan(0, request.Length), response);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    /// <summary>Handles results other than bytes in the buffer: an error, or a callee-allocated response.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Finish(long result, byte* storage, int capacity)
    {
        if (Outcome.Failure(result, storage) is { } failed)
        {
            throw failed;
        }

        using var outcome = new Outcome(result, storage);
        ReadOnlySpan<byte> response = outcome.Bytes;
        if (response.Length > capacity)
        {
            throw new ResponseTooLargeException(response.ToArray(), capacity);
        }

        response.CopyTo(new Span<byte>(storage, capacity));
        return response.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FinishStruct(long result, byte* storage, int size)
    {
        if (result < 0)
        {
            if (Outcome.Failure(result, storage) is { } failed)
            {
                throw failed;
            }

            using var outcome = new Outcome(result, storage);
            ReadOnlySpan<byte> response = outcome.Bytes;
            result = response.Length;
            if (result == size)
            {
                response.CopyTo(new Span<byte>(storage, size));
            }
        }

        if (result != size)
        {
            Throw.WrongSize(this, result, size);
        }
    }

    /// <summary>Copies a response to a new array, and records its length if it didn't fit on the stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] FinishBytes(long result, byte* storage)
    {
        if (Outcome.Failure(result, storage) is { } failed)
        {
            throw failed;
        }

        using var outcome = new Outcome(result, storage);
        ReadOnlySpan<byte> bytes = outcome.Bytes;
        byte[] response = GC.AllocateUninitializedArray<byte>(bytes.Length);
        bytes.CopyTo(response);
        if (response.Length > Storage.Stack)
        {
            _expected = response.Length == _lastLong ? response.Length : 0;
            _lastLong = response.Length;
        }

        return response;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RawResponse FinishLease(long result, byte* storage)
    {
        RbCallResult* outcome = Outcome.Of(result);
        if (outcome->Status != 0 || outcome->Response.Release == null)
        {
            return new RawResponse(FinishBytes(result, storage));
        }

        return new RawResponse(new NativeResponse(outcome, Name));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Verify<TRequest, TResponse>()
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        if (Encoding != PluginEncoding.Pod)
        {
            Throw.WrongEncoding(this, PluginEncoding.Pod);
        }

        VerifySize<TRequest>("request", RequestSize);
        VerifySize<TResponse>("response", ResponseSize);
        if (Plugin.Entry(this) is { Request.Layout: { } request, Response.Layout: { } response }
            && (StructLayouts.Difference<TRequest>(request) ?? StructLayouts.Difference<TResponse>(response)) is { } difference)
        {
            throw new ArgumentException($"{this}: {difference}");
        }

        _verified = typeof(StructPair<TRequest, TResponse>);
    }

    private void VerifySize<T>(string what, int expected)
        where T : unmanaged
    {
        if (sizeof(T) != expected)
        {
            throw new ArgumentException($"{this}: the {what} {typeof(T)} has {sizeof(T)} bytes, but the plugin's struct has {expected}");
        }
    }

    /// <summary>Stands for the two types, as a constant that the JIT compares with.</summary>
    private static class StructPair<TRequest, TResponse>
        where TRequest : unmanaged
        where TResponse : unmanaged;
}
