using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls by name that are awaited, or carry something.</content>
public sealed partial class Plugin
{
    /// <summary>Calls a method with JSON text and options.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">What the call carries besides.</param>
    /// <returns>The answer.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled it.</exception>
    public string Call(string method, string json, CallOptions options) => Json(method, options).Call(json, options);

    /// <summary>Calls a method with an object and options and gives an object, by JSON. Both may hold objects of the plugin's.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to read the answer, likewise.</param>
    /// <param name="options">What the call carries besides.</param>
    /// <returns>The answer; null only if the plugin answers null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled it.</exception>
    /// <exception cref="JsonException">The answer isn't a <typeparamref name="TResponse"/>.</exception>
    public TResponse Call<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions options) =>
        Json(method, options).Call(request, requestType, responseType, options);

    /// <summary>As the overload with <see cref="JsonTypeInfo{T}"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides.</param>
    /// <param name="jsonOptions">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <returns>The answer; null only if the plugin answers null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled it.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(
        string method, TRequest request, CallOptions options, JsonSerializerOptions? jsonOptions = null) =>
        Json(method, options).Call<TRequest, TResponse>(request, options, jsonOptions);

    /// <summary>Begins a call of a method with JSON text.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="json">The request.</param>
    /// <param name="cancellationToken">Asks the call to end early.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<string> CallAsync(string method, string json, CancellationToken cancellationToken = default) =>
        Json(method).CallAsync(json, cancellationToken);

    /// <summary>Begins a call of a method with JSON text and options.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">What the call carries besides.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<string> CallAsync(string method, string json, CallOptions options) => Json(method, options).CallAsync(json, options);

    /// <summary>Begins a call of a method with an object that gives an object, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to read the answer, likewise.</param>
    /// <param name="cancellationToken">Asks the call to end early.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CancellationToken cancellationToken = default) =>
        Json(method).CallAsync(request, requestType, responseType, cancellationToken);

    /// <summary>Begins a call of a method with an object and options that gives an object, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to read the answer, likewise.</param>
    /// <param name="options">What the call carries besides.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions options) =>
        Json(method, options).CallAsync(request, requestType, responseType, options);

    /// <summary>As the overload with <see cref="JsonTypeInfo{T}"/>, for types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The answer's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="jsonOptions">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        Json(method, options).CallAsync<TRequest, TResponse>(request, options, jsonOptions, cancellationToken);

    /// <summary>Begins a call of a method with a struct that gives a struct.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The answer's struct, likewise.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<TResponse> CallRawAsync<TRequest, TResponse>(
        string method, in TRequest request, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TResponse : unmanaged =>
        Pod(method, options).CallRawAsync<TRequest, TResponse>(in request, options, cancellationToken);

    /// <summary>Begins a call of a method with bytes, as raw where it has that encoding, else as a struct.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request, borrowed until this returns.</param>
    /// <param name="options">What the call carries besides; null for nothing.</param>
    /// <param name="cancellationToken">Asks the call to end early; that of the options if it's none.</param>
    /// <returns>The answer, to be awaited once. Awaiting it throws <see cref="PluginException"/> when the call has failed.</returns>
    /// <exception cref="PluginException">There's no such method.</exception>
    public ValueTask<byte[]> CallRawBytesAsync(
        string method, ReadOnlySpan<byte> request, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        Bytes(method, options).CallRawBytesAsync(request, options, cancellationToken);
}
