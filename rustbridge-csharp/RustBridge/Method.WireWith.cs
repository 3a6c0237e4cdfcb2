using System;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>Calls with types that carry something beside their request: options, objects, the object that the method is of.</content>
public sealed unsafe partial class Method
{
    /// <summary>As <see cref="CallWire{TRequest, TRequestCodec, TResponse, TResponseCodec}(TRequest)"/>, with options and objects. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">What reads it.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed; <see cref="Status.Internal"/> if the response isn't of its type.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled it.</exception>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's a stream.</exception>
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

    /// <summary>Begins a call with a value that gives a value, in the wire form, with objects. For generated clients.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What writes it.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">What reads it.</typeparam>
    /// <param name="receiver">The object that the method is of, if it's of one.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>
    /// The answer. Awaiting it throws <see cref="PluginException"/> when the call has failed, with <see cref="Status.Internal"/> if the answer isn't of its type.
    /// </returns>
    /// <exception cref="ArgumentException">The request can't be written; the message names the field.</exception>
    /// <exception cref="ObjectDisposedException">An object was disposed of.</exception>
    /// <exception cref="InvalidOperationException">The encoding isn't <see cref="PluginEncoding.Wire"/>, or it's a stream.</exception>
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
