using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Typed streams, which generated clients use.</content>
public sealed unsafe partial class Method
{
    /// <summary>Streams typed values. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <typeparam name="TItemCodec">The items' codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived, with <see cref="Status.Internal"/> if an item doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method isn't a stream of this kind.
    /// </exception>
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

    /// <summary>Sends typed values, and returns the response to all of them. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">The sent items' codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">
    /// The items, enumerated as fast as the plugin consumes them. If enumerating or encoding them throws, the call is
    /// cancelled and throws that exception. An item that can't be encoded throws <see cref="ArgumentException"/>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response. Awaiting it throws <see cref="PluginException"/> if the call fails, with
    /// <see cref="Status.Internal"/> if the response doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method isn't a stream of this kind.
    /// </exception>
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
            try
            {
                return Sent<TResponse, WireAnswer<TResponse, TResponseCodec>>(
                    message, lent, default, Pumps.Wire<TSent, TSentCodec>(items, this), options, cancellationToken);
            }
            finally
            {
                // The call has begun, and keeps what it borrows.
                LentObjects.Release(lent);
            }
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
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">The sent items' codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response. Awaiting it throws <see cref="PluginException"/> if the call fails, with
    /// <see cref="Status.Internal"/> if the response doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method isn't a stream of this kind.
    /// </exception>
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

    /// <summary>
    /// Sends typed values and, at the same time, streams the values that the plugin sends back. For generated clients.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">The sent items' codec.</typeparam>
    /// <typeparam name="TItem">The type of the received items.</typeparam>
    /// <typeparam name="TItemCodec">The items' codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">
    /// The items, enumerated as fast as the plugin consumes them. If enumerating or encoding them throws, the call is
    /// cancelled and throws that exception. An item that can't be encoded throws <see cref="ArgumentException"/>.
    /// </param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived, with <see cref="Status.Internal"/> if an item doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method isn't a stream of this kind.
    /// </exception>
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

    /// <summary>
    /// Like the overload with <see cref="IAsyncEnumerable{T}"/>, for items that exist already or are created on demand.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TSent">The type of the items that are sent.</typeparam>
    /// <typeparam name="TSentCodec">The sent items' codec.</typeparam>
    /// <typeparam name="TItem">The type of the received items.</typeparam>
    /// <typeparam name="TItemCodec">The items' codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="items">The items.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived, with <see cref="Status.Internal"/> if an item doesn't have the expected type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method isn't a stream of this kind.
    /// </exception>
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

    /// <summary>Encodes a request that is kept, with the objects to which it refers.</summary>
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
