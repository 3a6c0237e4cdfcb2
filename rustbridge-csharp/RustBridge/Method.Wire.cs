using System;
using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Typed calls, which generated clients use.</content>
public sealed unsafe partial class Method
{
    /// <summary>The client schema, if the method belongs to a typed client. Exceptions name fields with it.</summary>
    internal string? ClientSchema { get; init; }

    /// <summary>The client, if objects in its responses belong to it.</summary>
    internal object? Client { get; init; }

    /// <summary>Creates the exceptions of the method's errors, if they have a type.</summary>
    internal WireRaise? Raise { get; init; }

    /// <summary>Calls with a typed value, and returns a typed value. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">
    /// The call has failed; with <see cref="Status.Internal"/> if the response doesn't have the expected type.
    /// </exception>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public TResponse CallWire<TRequest, TRequestCodec, TResponse, TResponseCodec>(TRequest request)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        CheckWire();
        // Whatever a codec says: references are never bytes of a message.
        if (TRequestCodec.IsPlain && TResponseCodec.IsPlain
            && !RuntimeHelpers.IsReferenceOrContainsReferences<TRequest>() && !RuntimeHelpers.IsReferenceOrContainsReferences<TResponse>()
            && Unsafe.SizeOf<TRequest>() <= Storage.CopiedStruct && Unsafe.SizeOf<TResponse>() <= Storage.CopiedStruct)
        {
            return CallPlain<TRequest, TResponse, TResponseCodec>(request);
        }

        // Read once: another thread may enlarge it.
        int capacity = _storage;
        byte* memory = stackalloc byte[2 * Storage.Stack];
        var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
        TRequestCodec.Write(ref writer, request);
        if (writer.IsRented || capacity > Storage.Stack)
        {
            return CallRented<TResponse, TResponseCodec>(ref writer, capacity);
        }

        return CallWire<TResponse, TResponseCodec>(memory, writer.Written.Length, memory + Storage.Stack, capacity);
    }

    /// <summary>
    /// Starts an asynchronous call with a typed value, and returns a typed value. For generated clients.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="request">The request, which contains no objects.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>
    /// The response. Awaiting it throws <see cref="PluginException"/> if the call fails, with
    /// <see cref="Status.Internal"/> if the response doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method is a stream.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<TResponse> CallWireAsync<TRequest, TRequestCodec, TResponse, TResponseCodec>(
        TRequest request, CancellationToken cancellationToken = default)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        CheckWire();
        byte* memory = stackalloc byte[Storage.Stack];
        var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
        try
        {
            TRequestCodec.Write(ref writer, request);
            return BeginUntold<TResponse, WireAnswer<TResponse, TResponseCodec>>(
                Unshared, writer.Written, default, null, null, cancellationToken);
        }
        finally
        {
            writer.Dispose();
        }
    }

    /// <summary>Reads a message as a whole.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T ReadWire<T, TCodec>(ReadOnlySpan<byte> bytes)
        where TCodec : struct, IWireCodec<T>
    {
        var reader = new WireReader(this, bytes);
        T value = TCodec.Read(ref reader);
        reader.End();
        return value;
    }

    /// <summary>
    /// Calls with a request whose memory layout equals the wire format. It's on this stack, so no one else writes to
    /// it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private TResponse CallPlain<TRequest, TResponse, TResponseCodec>(TRequest request)
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        Unsafe.SkipInit(out TResponse response);
        var storage = (byte*)Unsafe.AsPointer(ref response);
        int size = Unsafe.SizeOf<TResponse>();
        long length = Invoke(Unshared, (byte*)Unsafe.AsPointer(ref request), Unsafe.SizeOf<TRequest>(), storage, size);
        GC.KeepAlive(this);
        if (length == size)
        {
            return response;
        }

        return length >= 0
            ? ReadWire<TResponse, TResponseCodec>(new ReadOnlySpan<byte>(storage, (int)length))
            : FinishWire<TResponse, TResponseCodec>(length, storage);
    }

    /// <summary>
    /// Calls with a request or response that is too large for the stack. If the call fails, memory that wasn't returned
    /// to the pool is left to the garbage collector.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T CallRented<T, TCodec>(ref WireWriter writer, int capacity)
        where TCodec : struct, IWireCodec<T>
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(capacity);
        try
        {
            fixed (byte* source = writer.Written, storage = rented)
            {
                return CallWire<T, TCodec>(source, writer.Written.Length, storage, rented.Length);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
            writer.Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T CallWire<T, TCodec>(byte* request, int requestLength, byte* storage, int capacity)
        where TCodec : struct, IWireCodec<T>
    {
        long length = Invoke(Unshared, request, requestLength, storage, capacity);
        GC.KeepAlive(this);
        return length >= 0
            ? ReadWire<T, TCodec>(new ReadOnlySpan<byte>(storage, (int)length))
            : FinishWire<T, TCodec>(length, storage);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private T FinishWire<T, TCodec>(long result, byte* storage)
        where TCodec : struct, IWireCodec<T>
    {
        if (Outcome.Failure(result, storage, this) is { } failed)
        {
            throw failed;
        }

        using var outcome = new Outcome(result, storage);
        Remember(outcome.Bytes.Length);
        return ReadWire<T, TCodec>(outcome.Bytes);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckWire()
    {
        // A typed method is raw as well: then its codecs write and read the bytes as they are.
        if (Encoding is not (PluginEncoding.Wire or PluginEncoding.Raw))
        {
            Throw.WrongEncoding(this, PluginEncoding.Wire);
        }
    }
}
