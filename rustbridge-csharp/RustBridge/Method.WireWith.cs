using System;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Typed calls with a call context: options, borrowed objects, and the receiver.</content>
public sealed unsafe partial class Method
{
    /// <summary>
    /// Like <see cref="CallWire{TRequest, TRequestCodec, TResponse, TResponseCodec}(TRequest)"/>, with options and
    /// objects. For generated clients.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">
    /// The call has failed; with <see cref="Status.Internal"/> if the response doesn't have the expected type.
    /// </exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="ArgumentException">The request can't be encoded; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method is a stream.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public TResponse CallWire<TRequest, TRequestCodec, TResponse, TResponseCodec>(
        PluginObject? receiver, TRequest request, CallOptions? options)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        try
        {
            CheckWire();
            using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
            byte* memory = stackalloc byte[Storage.Stack];
            var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
            try
            {
                TRequestCodec.Write(ref writer, request);
                return CallLending<TResponse, WireAnswer<TResponse, TResponseCodec>>(Unshared, writer.Written, default, lent.Numbers, options);
            }
            finally
            {
                writer.Dispose();
            }
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>
    /// Starts an asynchronous call with a typed value and objects, and returns a typed value. For generated clients.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="receiver">The object on which the method is called; null if it's not an object's method.</param>
    /// <param name="request">The request.</param>
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
    /// The encoding isn't <see cref="PluginEncoding.Wire"/>, or the method is a stream.
    /// </exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<TResponse> CallWireAsync<TRequest, TRequestCodec, TResponse, TResponseCodec>(
        PluginObject? receiver, TRequest request, CallOptions? options, CancellationToken cancellationToken)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        try
        {
            CheckWire();
            using LentObjects lent = LentObjects.Begin(receiver, options?.Objects);
            byte* memory = stackalloc byte[Storage.Stack];
            var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
            try
            {
                TRequestCodec.Write(ref writer, request);
                return BeginLending<TResponse, WireAnswer<TResponse, TResponseCodec>>(
                    Unshared, writer.Written, default, lent.Numbers, options, cancellationToken);
            }
            finally
            {
                writer.Dispose();
            }
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }
}
