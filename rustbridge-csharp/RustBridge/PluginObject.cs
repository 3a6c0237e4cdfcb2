using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>A value that stays in a plugin, and that this is a hold of. Disposing of it lets the plugin drop it.</summary>
/// <remarks>
/// <para>
/// Answers and requests hold objects as members of this type: <c>record Opened(PluginObject Counter)</c>. What an answer has is the caller's
/// to dispose of; what is lent to a call stays the caller's, and may be disposed of meanwhile: the plugin drops it when the call is over.
/// </para>
/// <para>
/// It ends with its instance at the latest. One that is dropped without being disposed of is released by the garbage collector some time,
/// and <see cref="Leaked"/> tells. It may be used by any number of threads.
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

    /// <summary>Releases one that was dropped.</summary>
    ~PluginObject()
    {
        // Its destructor in the plugin may take long, and this thread is everyone's.
        if (_number != 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(ReleaseDropped, (_number, Plugin.Name), preferLocal: false);
        }
    }

    /// <summary>Told of each object that was dropped without <see cref="Dispose"/>, on a thread of the pool. It's released all the same.</summary>
    public static event Action<string>? Leaked;

    /// <summary>The instance that it belongs to.</summary>
    public Plugin Plugin { get; }

    /// <summary>Its number in the host ABI, for code that calls the native library itself.</summary>
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

    /// <summary>Whether it was disposed of.</summary>
    internal bool IsReleased => Volatile.Read(ref _number) == 0;

    /// <summary>Calls a method of it with JSON text.</summary>
    /// <param name="method">The method's name, e.g. <c>Counter.add</c>.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public string Call(string method, string json, CallOptions? options = null) =>
        Plugin.Json(method, options).Call(this, json, options);

    /// <summary>Calls a method of it with an object and gives an object, by JSON.</summary>
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

    /// <summary>As <see cref="Call{TRequest, TResponse}(string, TRequest, JsonTypeInfo{TRequest}, JsonTypeInfo{TResponse}, CallOptions)"/>, for types that are looked into by reflection.</summary>
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

    /// <summary>Calls a method of it with a struct and gives a struct. Nothing is allocated.</summary>
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

    /// <summary>Begins a call of a method of it with JSON text.</summary>
    /// <param name="method">The method's name, e.g. <c>Counter.add_later</c>.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The answer, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public ValueTask<string> CallAsync(string method, string json, CallOptions? options = null) =>
        Plugin.Json(method, options).CallAsync(this, json, options);

    /// <summary>Begins a call of a method of it with an object that gives an object, by JSON.</summary>
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
    /// <returns>The answer, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions? options = null) =>
        Plugin.Json(method, options).CallAsync(this, request, requestType, responseType, options);

    /// <summary>As <see cref="CallAsync{TRequest, TResponse}(string, TRequest, JsonTypeInfo{TRequest}, JsonTypeInfo{TResponse}, CallOptions)"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name, e.g. <c>Counter.add_later</c>.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The answer, to be awaited once.</returns>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(string method, TRequest request, CallOptions? options = null) =>
        CallAsync(method, request, Reflected.Type<TRequest>(null, options), Reflected.Type<TResponse>(null, options), options);

    /// <summary>Streams objects by a method of it, by JSON.</summary>
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

    /// <summary>Lets the plugin drop it. Does nothing the second time.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    /// <summary>Does what <see cref="Dispose"/> does on a thread of the pool, for destructors that take long.</summary>
    /// <returns>A task that completes when the disposal is done.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Volatile.Read(ref _number) != 0)
        {
            await Task.Run(Dispose).ConfigureAwait(false);
        }

        GC.SuppressFinalize(this);
    }

    /// <summary>Takes hold of the one of that number; it has none yet.</summary>
    internal void Hold(ulong number) => _number = number;

    /// <summary>Releases it.</summary>
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
