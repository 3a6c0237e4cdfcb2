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
/// Streams: items that come, items that are sent, or both. They begin when they are enumerated, and leaving the loop early ends them in the plugin. A
/// plugin never sends more than was asked for: see <see cref="CallOptions.WindowItems"/>.
/// </content>
public sealed unsafe partial class Method
{
    /// <summary>Streams objects, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type, which may hold objects of the plugin's.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="requestType">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="itemType">How to read items, likewise.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>, or it's no such stream.</exception>
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

    /// <summary>As the overload with <see cref="JsonTypeInfo{T}"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="jsonOptions">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(
        TRequest request,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        StreamAsync(
            request, Reflected.Type<TRequest>(jsonOptions, options), Reflected.Type<TItem>(jsonOptions, options), options, cancellationToken);

    /// <summary>Streams structs. Nothing is allocated for an item.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, likewise.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>, or it's no such stream.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
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

    /// <summary>Streams structs as they come, many at once: the quickest way to take them.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, likewise.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>
    /// Some items each time, at least one, valid until the next are asked for. Enumerating them throws <see cref="PluginException"/> after those that came, if
    /// the stream has failed.
    /// </returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>, or it's no such stream.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
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
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    /// <exception cref="InvalidOperationException">It's no such stream.</exception>
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

    /// <summary>Sends objects, and gives the answer to all of them, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">
    /// The items, taken as fast as the plugin takes them. What enumerating them throws ends the call and is thrown by awaiting it. If the plugin answers
    /// earlier, the token that they are enumerated with is cancelled.
    /// </param>
    /// <param name="requestType">How to write the request, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="itemType">How to write items, likewise.</param>
    /// <param name="responseType">How to read the answer, likewise.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>, or it accepts no items.</exception>
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

    /// <summary>As the overload with <see cref="IAsyncEnumerable{T}"/>, with items that are there already, or are made as they're asked for.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items.</param>
    /// <param name="requestType">How to write the request, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="itemType">How to write items, likewise.</param>
    /// <param name="responseType">How to read the answer, likewise.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>, or it accepts no items.</exception>
    public ValueTask<TResponse> SendAsync<TRequest, TItem, TResponse>(
        TRequest request,
        IEnumerable<TItem> items,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default) =>
        SendAsync(request, Pumps.Of(items), requestType, itemType, responseType, options, cancellationToken);

    /// <summary>As the overload with <see cref="JsonTypeInfo{T}"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="jsonOptions">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
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

    /// <summary>Sends structs, and gives the struct that answers all of them. Those that are there go together.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, likewise.</typeparam>
    /// <typeparam name="TResponse">The answer's struct, likewise.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items, taken as fast as the plugin takes them.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>, or it accepts no items.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
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

    /// <summary>As the overload with <see cref="IAsyncEnumerable{T}"/>, with items that are there already, or are made as they're asked for.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TItem">The items' struct, likewise.</typeparam>
    /// <typeparam name="TResponse">The answer's struct, likewise.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>, or it accepts no items.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
    public ValueTask<TResponse> SendRawAsync<TRequest, TItem, TResponse>(
        in TRequest request, IEnumerable<TItem> items, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TItem : unmanaged
        where TResponse : unmanaged =>
        SendRawAsync<TRequest, TItem, TResponse>(in request, Pumps.Of(items), options, cancellationToken);

    /// <summary>Sends items as bytes in this method's encoding, and gives the answer to all of them.</summary>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items, taken as fast as the plugin takes them. Nobody writes to one before the next is asked for.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer, a new array. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="InvalidOperationException">It accepts no items.</exception>
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

    /// <summary>Sends objects and streams those that come back, by JSON: both at the same time.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TItem">The type of those that come.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items, taken as fast as the plugin takes them. What enumerating them throws ends the stream and is thrown by it.</param>
    /// <param name="requestType">How to write the request, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="sentType">How to write items, likewise.</param>
    /// <param name="itemType">How to read items, likewise.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Json"/>, or it doesn't go both ways.</exception>
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

    /// <summary>As the overload with <see cref="JsonTypeInfo{T}"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TItem">The type of those that come.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="jsonOptions">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
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

    /// <summary>Sends structs and streams those that come back.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TSent">The struct of the items that are sent, likewise.</typeparam>
    /// <typeparam name="TItem">The struct of those that come, likewise.</typeparam>
    /// <param name="request">The request that comes before them.</param>
    /// <param name="items">The items, taken as fast as the plugin takes them.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed.</returns>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Pod"/>, or it doesn't go both ways.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
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
        if (gives != GivesItems || takes != TakesItems)
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

    /// <summary>Writes a request that is kept, with the objects that it speaks of.</summary>
    private (byte[] Utf8, PluginObject[] Lent) Written<TRequest>(
        PluginObject? receiver, TRequest request, JsonTypeInfo<TRequest> requestType, CallOptions? options)
    {
        ArgumentNullException.ThrowIfNull(requestType);
        using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
        using JsonWriter writer = JsonWriter.Take(requestType.Options, _bufferLimit);
        byte[] utf8 = writer.Write(request, requestType).ToArray();
        return (utf8, lent.ToArray());
    }

    /// <summary>Begins a call that takes items, at once.</summary>
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
        return Sending.Answer<T, TAnswer>(this, stream, answer, pump, options?.Reply is not null);
    }
}
