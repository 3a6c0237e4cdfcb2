using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>
/// Streams of items from the plugin, to the plugin, or both. A stream starts when it's enumerated. Leaving the loop
/// early cancels the stream in the plugin. A plugin never sends more than was requested: see
/// <see cref="CallOptions.WindowItems"/>.
/// </content>
public sealed unsafe partial class Method
{
    /// <summary>Streams objects as JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type, which may contain the plugin's objects.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="itemType">
    /// The serialization metadata of the items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method isn't a stream of this kind.
    /// </exception>
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        try
        {
            CheckKind(gives: true, takes: false);
            return Items<TRequest, TItem>(null, request, requestType, itemType, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(
        TRequest request,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        StreamAsync(
            request, Reflected.Type<TRequest>(jsonOptions, options), Reflected.Type<TItem>(jsonOptions, options), options, cancellationToken);

    /// <summary>Streams structs. Allocates nothing for an item.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method isn't a stream of this kind.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public IAsyncEnumerable<TItem> StreamRawAsync<TRequest, TItem>(
        in TRequest request, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TItem : unmanaged
    {
        try
        {
            CheckKind(gives: true, takes: false);
            VerifyOnce<TRequest, TItem>();
            return Items<TItem, StructItem<TItem>>(BytesOf(in request).ToArray(), [], default, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Streams structs in batches, as they arrive. This is the fastest way to receive them.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// Batches of at least one item, each valid until the next is requested. If the stream fails, enumerating them
    /// throws <see cref="PluginException"/> after the items that arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method isn't a stream of this kind.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public IAsyncEnumerable<ReadOnlyMemory<TItem>> StreamRawBatchesAsync<TRequest, TItem>(
        in TRequest request, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TItem : unmanaged
    {
        try
        {
            CheckKind(gives: true, takes: false);
            VerifyOnce<TRequest, TItem>();
            return Items<ReadOnlyMemory<TItem>, StructBatch<TItem>>(
                BytesOf(in request).ToArray(), [], default, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Streams items as bytes in this method's encoding, with their objects.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">The method isn't a stream of this kind.</exception>
    public IAsyncEnumerable<StreamItem> StreamRawBytesAsync(
        ReadOnlySpan<byte> request, CallOptions? options = null, CancellationToken cancellationToken = default)
    {
        try
        {
            CheckKind(gives: true, takes: false);
            return Items<StreamItem, RawItem>(request.ToArray(), [], default, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Sends objects as JSON, and returns the response to all of them.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">
    /// The items, enumerated as fast as the plugin consumes them. If enumerating them throws, the call is cancelled,
    /// and awaiting it throws that exception. If the plugin responds earlier, the token with which they are enumerated
    /// is cancelled.
    /// </param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="itemType">
    /// The serialization metadata of the items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method accepts no items.
    /// </exception>
    public ValueTask<TResponse> SendAsync<TRequest, TItem, TResponse>(
        TRequest request,
        IAsyncEnumerable<TItem> items,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            ArgumentNullException.ThrowIfNull(itemType);
            CheckKind(gives: false, takes: true);
            CheckJson();
            (byte[] utf8, PluginObject[] lent) = Written(null, request, requestType, options);
            return Sent<TResponse, JsonAnswer<TResponse>>(
                utf8, lent, new(responseType), Pumps.Json(items, itemType, _bufferLimit), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>
    /// Like the overload with <see cref="IAsyncEnumerable{T}"/>, for items that exist already or are created on demand.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="itemType">
    /// The serialization metadata of the items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method accepts no items.
    /// </exception>
    public ValueTask<TResponse> SendAsync<TRequest, TItem, TResponse>(
        TRequest request,
        IEnumerable<TItem> items,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default) =>
        SendAsync(request, Pumps.Of(items), requestType, itemType, responseType, options, cancellationToken);

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items.</param>
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
    public ValueTask<TResponse> SendAsync<TRequest, TItem, TResponse>(
        TRequest request,
        IAsyncEnumerable<TItem> items,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        SendAsync(
            request,
            items,
            Reflected.Type<TRequest>(jsonOptions, options),
            Reflected.Type<TItem>(jsonOptions, options),
            Reflected.Type<TResponse>(jsonOptions, options),
            options,
            cancellationToken);

    /// <summary>
    /// Sends structs, and returns the response to all of them as a struct. Items that are available are sent together.
    /// </summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items, enumerated as fast as the plugin consumes them.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method accepts no items.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public ValueTask<TResponse> SendRawAsync<TRequest, TItem, TResponse>(
        in TRequest request, IAsyncEnumerable<TItem> items, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TItem : unmanaged
        where TResponse : unmanaged
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            CheckKind(gives: false, takes: true);
            VerifyOnce<TRequest, TResponse>();
            return Sent<TResponse, StructAnswer<TResponse>>(
                BytesOf(in request).ToArray(), [], default, Pumps.Structs(items), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>
    /// Like the overload with <see cref="IAsyncEnumerable{T}"/>, for items that exist already or are created on demand.
    /// </summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>The response. If the call fails, awaiting it throws <see cref="PluginException"/>.</returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method accepts no items.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public ValueTask<TResponse> SendRawAsync<TRequest, TItem, TResponse>(
        in TRequest request, IEnumerable<TItem> items, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TItem : unmanaged
        where TResponse : unmanaged =>
        SendRawAsync<TRequest, TItem, TResponse>(in request, Pumps.Of(items), options, cancellationToken);

    /// <summary>Sends items as bytes in this method's encoding, and returns the response to all of them.</summary>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">
    /// The items, enumerated as fast as the plugin consumes them. Don't write to an item until the next is requested.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, as a new array. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="InvalidOperationException">The method accepts no items.</exception>
    public ValueTask<byte[]> SendRawBytesAsync(
        ReadOnlySpan<byte> request,
        IAsyncEnumerable<ReadOnlyMemory<byte>> items,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            CheckKind(gives: false, takes: true);
            return Sent<byte[], BytesAnswer>(request.ToArray(), [], default, Pumps.Bytes(items), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Sends objects as JSON and, at the same time, streams the objects that the plugin sends back.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TItem">The type of the received items.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">
    /// The items, enumerated as fast as the plugin consumes them. If enumerating them throws, the stream is cancelled
    /// and throws that exception.
    /// </param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="sentType">
    /// The serialization metadata of the sent items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="itemType">
    /// The serialization metadata of the items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Json"/>, or the method isn't a bidirectional stream.
    /// </exception>
    public IAsyncEnumerable<TItem> ExchangeAsync<TRequest, TSent, TItem>(
        TRequest request,
        IAsyncEnumerable<TSent> items,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TSent> sentType,
        JsonTypeInfo<TItem> itemType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            ArgumentNullException.ThrowIfNull(sentType);
            CheckKind(gives: true, takes: true);
            return Items<TRequest, TItem>(
                null, request, requestType, itemType, Pumps.Json(items, sentType, _bufferLimit), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TItem">The type of the received items.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public IAsyncEnumerable<TItem> ExchangeAsync<TRequest, TSent, TItem>(
        TRequest request,
        IAsyncEnumerable<TSent> items,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        ExchangeAsync(
            request,
            items,
            Reflected.Type<TRequest>(jsonOptions, options),
            Reflected.Type<TSent>(jsonOptions, options),
            Reflected.Type<TItem>(jsonOptions, options),
            options,
            cancellationToken);

    /// <summary>Sends structs and streams the structs that the plugin sends back.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TSent">The struct of the sent items, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The struct of the received items, with the layout that the plugin describes.</typeparam>
    /// <param name="request">The request, which is sent before the items.</param>
    /// <param name="items">The items, enumerated as fast as the plugin consumes them.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Pod"/>, or the method isn't a bidirectional stream.
    /// </exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public IAsyncEnumerable<TItem> ExchangeRawAsync<TRequest, TSent, TItem>(
        in TRequest request, IAsyncEnumerable<TSent> items, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TSent : unmanaged
        where TItem : unmanaged
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            CheckKind(gives: true, takes: true);
            VerifyOnce<TRequest, TItem>();
            return Items<TItem, StructItem<TItem>>(
                BytesOf(in request).ToArray(), [], default, Pumps.Structs(items), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    internal IAsyncEnumerable<TItem> Items<TRequest, TItem>(
        PluginObject? receiver,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        Func<StreamOperation, CancellationToken, Task>? pump,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(itemType);
        CheckJson();
        (byte[] utf8, PluginObject[] lent) = Written(receiver, request, requestType, options);
        return Items<TItem, JsonItem<TItem>>(utf8, lent, new(itemType), pump, options, cancellationToken);
    }

    /// <summary>Throws unless it's a call of a kind.</summary>
    internal void CheckKind(bool gives, bool takes)
    {
        if (gives != IsStreamOut || takes != IsStreamIn)
        {
            Throw.WrongKind(this);
        }
    }

    private ItemStream<T, TReader> Items<T, TReader>(
        byte[] request,
        PluginObject[] lent,
        TReader reader,
        Func<StreamOperation, CancellationToken, Task>? pump,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TReader : struct, IItemReader<T> => new()
        {
            Method = this,
            Request = request,
            Lent = lent.Length == 0 ? [.. options?.Objects ?? []] : lent,
            Reader = reader,
            Options = options ?? CallOptions.Default,
            CancellationToken = cancellationToken,
            Pump = pump,
        };

    /// <summary>Encodes a request that is kept, with the objects to which it refers.</summary>
    private (byte[] Utf8, PluginObject[] Lent) Written<TRequest>(
        PluginObject? receiver, TRequest request, JsonTypeInfo<TRequest> requestType, CallOptions? options)
    {
        ArgumentNullException.ThrowIfNull(requestType);
        using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
        using JsonWriter writer = JsonWriter.Take(requestType.Options, _bufferLimit);
        byte[] utf8 = writer.Write(request, requestType).ToArray();
        return (utf8, lent.ToArray());
    }

    /// <summary>Starts a call that accepts items, at once.</summary>
    private ValueTask<T> Sent<T, TAnswer>(
        byte[] request,
        PluginObject[] lent,
        TAnswer answer,
        Func<StreamOperation, CancellationToken, Task> pump,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TAnswer : struct, IAnswer<T>
    {
        CancellationToken token = cancellationToken.CanBeCanceled ? cancellationToken : options?.CancellationToken ?? default;
        if (token.IsCancellationRequested)
        {
            options?.Reply?.GiveUpHeaders();
            return ValueTask.FromCanceled<T>(token);
        }

        using LentObjects numbers = LentObjects.Begin(null, lent.Length == 0 ? options?.Objects : lent);
        StreamOperation stream = StreamOperation.Begin(this, 0, request, numbers.Numbers, options, 0, 0, options?.Reply, token, default);
        return ClientStreaming.Answer<T, TAnswer>(this, stream, answer, pump, options?.Reply is not null);
    }
}
