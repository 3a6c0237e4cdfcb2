using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls with JSON: text, UTF-8, objects.</content>
public sealed unsafe partial class Method
{
    /// <summary>Calls with JSON text.</summary>
    /// <param name="json">The request.</param>
    /// <returns>The response. It's the only allocation, unless the text is long.</returns>
    /// <exception cref="PluginException">
    /// The call has failed; with <see cref="Status.InvalidArgument"/> for unpaired surrogates, which UTF-8 can't
    /// represent.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public string Call(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        CheckJson();
        if (json.Length > Storage.StackChars)
        {
            return CallRented(json);
        }

        byte* request = stackalloc byte[Storage.Stack];
        int length = Utf8Text.Encode(json, new Span<byte>(request, Storage.Stack));
        return CallText(request, length);
    }

    /// <summary>Calls with JSON in UTF-8, and writes the response to the caller's buffer.</summary>
    /// <param name="utf8Json">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public int Call(ReadOnlySpan<byte> utf8Json, Span<byte> response)
    {
        CheckJson();
        return CallRaw(utf8Json, response);
    }

    /// <summary>Calls with JSON in UTF-8.</summary>
    /// <param name="utf8Json">The request.</param>
    /// <returns>The response in UTF-8, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public byte[] Call(ReadOnlySpan<byte> utf8Json)
    {
        CheckJson();
        return CallRawBytes(utf8Json);
    }

    /// <summary>
    /// Like <see cref="Call(ReadOnlySpan{byte}, Span{byte})"/>, for a request that no one writes to until the call
    /// returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <param name="utf8Json">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public int CallUnshared(ReadOnlySpan<byte> utf8Json, Span<byte> response)
    {
        CheckJson();
        return CallRawUnshared(utf8Json, response);
    }

    /// <summary>
    /// Like <see cref="Call(ReadOnlySpan{byte})"/>, for a request that no one writes to until the call returns.
    /// </summary>
    /// <remarks>
    /// If other code writes to the request during the call, the plugin's behaviour is undefined: it may crash the
    /// process.
    /// </remarks>
    /// <param name="utf8Json">The request.</param>
    /// <returns>The response in UTF-8, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public byte[] CallUnshared(ReadOnlySpan<byte> utf8Json)
    {
        CheckJson();
        return CallRawBytesUnshared(utf8Json);
    }

    /// <summary>Calls with an object as JSON, and returns the response as an object.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    public TResponse Call<TRequest, TResponse>(
        TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType)
    {
        CheckJson();
        using JsonWriter writer = JsonWriter.Take(requestType.Options, _bufferLimit);
        ReadOnlySpan<byte> utf8 = writer.Write(request, requestType);
        // Read once: another thread may enlarge it.
        int capacity = _storage;
        return capacity <= Storage.Stack
            ? CallObject(utf8, capacity, responseType)
            : CallObjectRented(utf8, capacity, responseType);
    }

    /// <summary>
    /// Calls with an object as JSON, and returns the response as an object. Inspects the types by reflection.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(TRequest request, JsonSerializerOptions? options = null) =>
        Call(request, Reflected.Type<TRequest>(options), Reflected.Type<TResponse>(options));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckJson()
    {
        if (Encoding != PluginEncoding.Json)
        {
            Throw.WrongEncoding(this, PluginEncoding.Json);
        }
    }

    private string CallRented(string json)
    {
        int most = json.Length <= Storage.UncountedChars ? json.Length * Utf8Text.BytesPerChar : json.Length;
        byte[] request = ArrayPool<byte>.Shared.Rent(most);
        if (!Utf8Text.TryEncode(json, request, out int length))
        {
            ArrayPool<byte>.Shared.Return(request);
            request = ArrayPool<byte>.Shared.Rent(Utf8Text.Count(json));
            length = Utf8Text.Encode(json, request);
        }

        try
        {
            fixed (byte* source = request)
            {
                return CallText(source, length);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(request);
        }
    }

    private string CallText(byte* request, int requestLength)
    {
        // Read once: another thread may enlarge it.
        int capacity = _storage;
        if (capacity > Storage.Stack)
        {
            return CallTextRented(request, requestLength, capacity);
        }

        byte* storage = stackalloc byte[Storage.Stack];
        return CallText(request, requestLength, storage, capacity);
    }

    private string CallTextRented(byte* request, int requestLength, int capacity)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(capacity);
        try
        {
            fixed (byte* storage = rented)
            {
                return CallText(request, requestLength, storage, rented.Length);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private string CallText(byte* request, int requestLength, byte* storage, int capacity)
    {
        long length = Invoke(Unshared, request, requestLength, storage, capacity);
        string response = length >= 0
            ? Utf8Text.Decode(new ReadOnlySpan<byte>(storage, (int)length))
            : FinishText(length, storage);
        GC.KeepAlive(this);
        return response;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private string FinishText(long result, byte* storage)
    {
        if (Outcome.Failure(result, storage) is { } failed)
        {
            throw failed;
        }

        using var outcome = new Outcome(result, storage);
        Remember(outcome.Bytes.Length);
        return Utf8Text.Decode(outcome.Bytes);
    }

    private TResponse CallObject<TResponse>(ReadOnlySpan<byte> request, int capacity, JsonTypeInfo<TResponse> type)
    {
        byte* storage = stackalloc byte[Storage.Stack];
        return CallObject(request, storage, capacity, type);
    }

    private TResponse CallObjectRented<TResponse>(ReadOnlySpan<byte> request, int capacity, JsonTypeInfo<TResponse> type)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(capacity);
        try
        {
            fixed (byte* storage = rented)
            {
                return CallObject(request, storage, rented.Length, type);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private TResponse CallObject<TResponse>(
        ReadOnlySpan<byte> request, byte* storage, int capacity, JsonTypeInfo<TResponse> type)
    {
        fixed (byte* source = request)
        {
            long length = Invoke(Unshared, source, request.Length, storage, capacity);
            GC.KeepAlive(this);
            return length >= 0
                ? JsonSerializer.Deserialize(new ReadOnlySpan<byte>(storage, (int)length), type)!
                : FinishObject(length, storage, type);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TResponse FinishObject<TResponse>(long result, byte* storage, JsonTypeInfo<TResponse> type)
    {
        if (Outcome.Failure(result, storage) is { } failed)
        {
            throw failed;
        }

        using var outcome = new Outcome(result, storage);
        Remember(outcome.Bytes.Length);
        return JsonSerializer.Deserialize(outcome.Bytes, type)!;
    }
}
