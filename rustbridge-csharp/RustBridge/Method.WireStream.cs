using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Streams with types: what generated clients call.</content>
public sealed unsafe partial class Method
{
    /// <summary>Streams values in the wire form. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TItemCodec">What reads them.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>
    /// The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed, with
    /// <see cref="Status.Internal"/> if one isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's no such stream.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public IAsyncEnumerable<TItem> StreamWireAsync<TRequest, TRequestCodec, TItem, TItemCodec>(
        PluginObject? receiver, TRequest request, CallOptions? options, CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TItemCodec : struct, IWireCodec<TItem>
    {
        try
        {
            CheckWire();
            CheckKind(gives: true, takes: false);
            (byte[] message, PluginObject[] lent) = WrittenWire<TRequest, TRequestCodec>(receiver, request, options);
            return Items<TItem, WireItem<TItem, TItemCodec>>(message, lent, default, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Sends values, and gives the answer to all of them, in the wire form. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">What writes them.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">What reads it.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">
    /// The items, taken as fast as the plugin takes them. What enumerating them throws ends the call and is thrown by it, as the
    /// <see cref="ArgumentException"/> of one that can't be written.
    /// </param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>
    /// The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed, with <see cref="Status.Internal"/> if the answer isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's no such stream.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<TResponse> SendWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TResponse, TResponseCodec>(
        PluginObject? receiver,
        TRequest request,
        IAsyncEnumerable<TSent> items,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TSentCodec : struct, IWireCodec<TSent>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            CheckWire();
            CheckKind(gives: false, takes: true);
            (byte[] message, PluginObject[] lent) = WrittenWire<TRequest, TRequestCodec>(receiver, request, options);
            return Sent<TResponse, WireAnswer<TResponse, TResponseCodec>>(
                message, lent, default, Pumps.Wire<TSent, TSentCodec>(items, this), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>As the overload with <see cref="IAsyncEnumerable{T}"/>, with items that are there already, or are made as they're asked for.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">What writes them.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">What reads it.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>
    /// The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed, with <see cref="Status.Internal"/> if the answer isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's no such stream.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<TResponse> SendWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TResponse, TResponseCodec>(
        PluginObject? receiver,
        TRequest request,
        IEnumerable<TSent> items,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TSentCodec : struct, IWireCodec<TSent>
        where TResponseCodec : struct, IWireCodec<TResponse> =>
        SendWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TResponse, TResponseCodec>(
            receiver, request, Pumps.Of(items), options, cancellationToken);

    /// <summary>Sends values and streams those that come back, in the wire form: both at the same time. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">What writes them.</typeparam>
    /// <typeparam name="TItem">The type of those that come.</typeparam>
    /// <typeparam name="TItemCodec">What reads them.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">
    /// The items, taken as fast as the plugin takes them. What enumerating them throws ends the call and is thrown by it, as the
    /// <see cref="ArgumentException"/> of one that can't be written.
    /// </param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>
    /// The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed, with
    /// <see cref="Status.Internal"/> if one isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's no such stream.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public IAsyncEnumerable<TItem> ExchangeWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TItem, TItemCodec>(
        PluginObject? receiver,
        TRequest request,
        IAsyncEnumerable<TSent> items,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TSentCodec : struct, IWireCodec<TSent>
        where TItemCodec : struct, IWireCodec<TItem>
    {
        try
        {
            ArgumentNullException.ThrowIfNull(items);
            CheckWire();
            CheckKind(gives: true, takes: true);
            (byte[] message, PluginObject[] lent) = WrittenWire<TRequest, TRequestCodec>(receiver, request, options);
            return Items<TItem, WireItem<TItem, TItemCodec>>(
                message, lent, default, Pumps.Wire<TSent, TSentCodec>(items, this), options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>As the overload with <see cref="IAsyncEnumerable{T}"/>, with items that are there already, or are made as they're asked for.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">What writes them.</typeparam>
    /// <typeparam name="TItem">The type of those that come.</typeparam>
    /// <typeparam name="TItemCodec">What reads them.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Ends the stream early; that of the options if it's none.</param>
    /// <returns>
    /// The items. Enumerating them throws <see cref="PluginException"/> after those that came, if the stream has failed, with
    /// <see cref="Status.Internal"/> if one isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's no such stream.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public IAsyncEnumerable<TItem> ExchangeWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TItem, TItemCodec>(
        PluginObject? receiver,
        TRequest request,
        IEnumerable<TSent> items,
        CallOptions? options,
        CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TSentCodec : struct, IWireCodec<TSent>
        where TItemCodec : struct, IWireCodec<TItem> =>
        ExchangeWireAsync<TRequest, TRequestCodec, TSent, TSentCodec, TItem, TItemCodec>(
            receiver, request, Pumps.Of(items), options, cancellationToken);

    /// <summary>Writes a request that is kept, with the objects that it speaks of.</summary>
    private (byte[] Message, PluginObject[] Lent) WrittenWire<TRequest, TRequestCodec>(
        PluginObject? receiver, TRequest request, CallOptions? options)
        where TRequestCodec : struct, IWireCodec<TRequest>
    {
        using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
        byte* memory = stackalloc byte[Storage.Stack];
        var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
        try
        {
            TRequestCodec.Write(ref writer, request);
            return (writer.Written.ToArray(), lent.ToArray());
        }
        finally
        {
            writer.Dispose();
        }
    }
}
