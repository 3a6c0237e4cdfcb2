using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// A reference to an object that stays in a plugin. Disposing of the reference releases the object, so the plugin can
/// drop it.
/// </summary>
/// <remarks>
/// <para>
/// Requests and responses contain objects as members of this type: <c>record Opened(PluginObject Counter)</c>. The
/// caller owns the objects of a response and must dispose of them. An object that a call borrows still belongs to the
/// caller. It may be disposed of during the call: the plugin drops it when the call has completed.
/// </para>
/// <para>
/// An object ends with its instance at the latest. If it's dropped without being disposed of, the garbage collector
/// releases it eventually, and <see cref="Leaked"/> reports it. Any number of threads may use an object.
/// </para>
/// </remarks>
[JsonConverter(typeof(PluginObjectConverter))]
public sealed class PluginObject : IDisposable, IAsyncDisposable
{
    private ulong _number;

    internal PluginObject(Plugin plugin, ulong number)
    {
        Plugin = plugin;
        _number = number;
    }

    /// <summary>Releases an object that was dropped.</summary>
    ~PluginObject()
    {
        // Its destructor in the plugin may take long, and this thread is everyone's.
        if (_number != 0 && IsTemporary)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static number => _ = Native.ObjectRelease(number), _number, preferLocal: false);
        }
        else if (_number != 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(ReleaseDropped, (_number, Plugin.Name), preferLocal: false);
        }
    }

    /// <summary>
    /// Raised for each object that was dropped without <see cref="Dispose"/>, on a thread of the thread pool. The
    /// object is released nevertheless.
    /// </summary>
    public static event Action<string>? Leaked;

    /// <summary>The instance to which the object belongs.</summary>
    public Plugin Plugin { get; }

    /// <summary>The object's number in the host ABI, for code that calls the native library directly.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public ulong Number
    {
        get
        {
            ulong number = Volatile.Read(ref _number);
            ObjectDisposedException.ThrowIf(number == 0, this);
            return number;
        }
    }

    /// <summary>
    /// Whether the object was created for one call: it stands for an object of the host, and the application doesn't know it.
    /// </summary>
    internal bool IsTemporary { get; set; }

    /// <summary>Whether the object was disposed of.</summary>
    internal bool IsReleased => Volatile.Read(ref _number) == 0;

    /// <summary>Calls a method of the object with JSON text.</summary>
    /// <param name="method">The method's name, e.g. <c>Counter.add</c>.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public string Call(string method, string json, CallOptions? options = null) =>
        Plugin.Json(method, options).Call(this, json, options);

    /// <summary>Calls a method of the object with an object as JSON, and returns the response as an object.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.add</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public TResponse Call<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null) =>
        Plugin.Json(method, options).Call(this, request, requestType, responseType, options);

    /// <summary>
    /// Like
    /// <see cref="Call{TRequest, TResponse}(string, TRequest, JsonTypeInfo{TRequest}, JsonTypeInfo{TResponse}, CallOptions)"/>,
    /// but inspects the types by reflection.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.add</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(string method, TRequest request, CallOptions? options = null) =>
        Call(method, request, Reflected.Type<TRequest>(null, options), Reflected.Type<TResponse>(null, options), options);

    /// <summary>
    /// Calls a method of the object with a struct, and returns the response as a struct. Allocates nothing.
    /// </summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="method">The method, prepared for structs.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public TResponse CallRaw<TRequest, TResponse>(Method method, in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        ArgumentNullException.ThrowIfNull(method);
        return method.CallRaw<TRequest, TResponse>(this, in request);
    }

    /// <summary>Starts an asynchronous call of a method of the object with JSON text.</summary>
    /// <param name="method">The method's name, e.g. <c>Counter.add_later</c>.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public ValueTask<string> CallAsync(string method, string json, CallOptions? options = null) =>
        Plugin.Json(method, options).CallAsync(this, json, options);

    /// <summary>
    /// Starts an asynchronous call of a method of the object with an object as JSON, and returns the response as an
    /// object.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.add_later</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null) =>
        Plugin.Json(method, options).CallAsync(this, request, requestType, responseType, options);

    /// <summary>
    /// Like
    /// <see cref="CallAsync{TRequest, TResponse}(string, TRequest, JsonTypeInfo{TRequest}, JsonTypeInfo{TResponse}, CallOptions)"/>,
    /// but inspects the types by reflection.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.add_later</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(string method, TRequest request, CallOptions? options = null) =>
        CallAsync(method, request, Reflected.Type<TRequest>(null, options), Reflected.Type<TResponse>(null, options), options);

    /// <summary>Streams objects as JSON from a method of the object.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TItem">The items' type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.upto</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="itemType">
    /// The serialization metadata of the items' type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <param name="cancellationToken">
    /// Cancels the stream. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The items. If the stream fails, enumerating them throws <see cref="PluginException"/> after the items that
    /// arrived.
    /// </returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TItem> itemType,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        try
        {
            Method stream = Plugin.Json(method, options);
            stream.CheckKind(gives: true, takes: false);
            return stream.Items(this, request, requestType, itemType, null, options, cancellationToken);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    /// <summary>Releases the object, so the plugin can drop it. Further calls do nothing.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Disposes like <see cref="Dispose"/>, but on a thread of the thread pool, for destructors that take long.
    /// </summary>
    /// <returns>A task that completes when the disposal is done.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Volatile.Read(ref _number) != 0)
        {
            await Task.Run(Dispose).ConfigureAwait(false);
        }

        GC.SuppressFinalize(this);
    }

    /// <summary>Sets the object's number, which must not be set yet.</summary>
    internal void Hold(ulong number) => _number = number;

    /// <summary>Releases the object.</summary>
    /// <returns>The core's status.</returns>
    internal int Release()
    {
        ulong number = Interlocked.Exchange(ref _number, 0);
        return number == 0 ? 0 : Native.ObjectRelease(number);
    }

    private static void ReleaseDropped((ulong Number, string Plugin) dropped)
    {
        // One of a closed instance has gone with that, and nothing has leaked.
        if (Native.ObjectRelease(dropped.Number) == 0)
        {
            Listeners.Tell(Leaked, $"an object of {dropped.Plugin} was dropped without Dispose; it's released now");
        }
    }
}
