using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls by name that are asynchronous or have options.</content>
public sealed partial class Plugin
{
    /// <summary>Calls a method with JSON text and options.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    public string Call(string method, string json, CallOptions options) => Json(method, options).Call(json, options);

    /// <summary>
    /// Calls a method with an object as JSON and with options, and returns the response as an object. Both may contain
    /// the plugin's objects.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    public TResponse Call<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions options) =>
        Json(method, options).Call(request, requestType, responseType, options);

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="OperationCanceledException">The options' token has cancelled the call.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(
        string method, TRequest request, CallOptions options, JsonSerializerOptions? jsonOptions = null) =>
        Json(method, options).Call<TRequest, TResponse>(request, options, jsonOptions);

    /// <summary>Starts an asynchronous call of a method with JSON text.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="json">The request.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<string> CallAsync(string method, string json, CancellationToken cancellationToken = default) =>
        Json(method).CallAsync(json, cancellationToken);

    /// <summary>Starts an asynchronous call of a method with JSON text and options.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="json">The request.</param>
    /// <param name="options">The call's options.</param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<string> CallAsync(string method, string json, CallOptions options) => Json(method, options).CallAsync(json, options);

    /// <summary>
    /// Starts an asynchronous call of a method with an object as JSON, and returns the response as an object.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CancellationToken cancellationToken = default) =>
        Json(method).CallAsync(request, requestType, responseType, cancellationToken);

    /// <summary>
    /// Starts an asynchronous call of a method with an object as JSON and with options, and returns the response as an
    /// object.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="options">The call's options.</param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType,
        CallOptions options) =>
        Json(method, options).CallAsync(request, requestType, responseType, options);

    /// <summary>Like the overload with <see cref="JsonTypeInfo{T}"/>, but inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="jsonOptions">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        string method,
        TRequest request,
        CallOptions? options = null,
        JsonSerializerOptions? jsonOptions = null,
        CancellationToken cancellationToken = default) =>
        Json(method, options).CallAsync<TRequest, TResponse>(request, options, jsonOptions, cancellationToken);

    /// <summary>Starts an asynchronous call of a method with a struct, and returns the response as a struct.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<TResponse> CallRawAsync<TRequest, TResponse>(
        string method, in TRequest request, CallOptions? options = null, CancellationToken cancellationToken = default)
        where TRequest : unmanaged
        where TResponse : unmanaged =>
        Pod(method, options).CallRawAsync<TRequest, TResponse>(in request, options, cancellationToken);

    /// <summary>
    /// Starts an asynchronous call of a method with bytes, in the encoding raw if the method has it, otherwise pod.
    /// </summary>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request, which is borrowed until the function returns.</param>
    /// <param name="options">The call's options; null for the defaults.</param>
    /// <param name="cancellationToken">
    /// Cancels the call. Without it, the token of the options is used.
    /// </param>
    /// <returns>
    /// The response, to be awaited once. If the call fails, awaiting it throws <see cref="PluginException"/>.
    /// </returns>
    /// <exception cref="PluginException">The plugin has no such method.</exception>
    public ValueTask<byte[]> CallRawBytesAsync(
        string method, ReadOnlySpan<byte> request, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        Bytes(method, options).CallRawBytesAsync(request, options, cancellationToken);
}
