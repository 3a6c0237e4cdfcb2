using System;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls by name. The first call of a method prepares it; later calls reuse it.</content>
public sealed partial class Plugin
{
    private readonly ConcurrentDictionary<string, Method> _json = new();
    private readonly ConcurrentDictionary<string, Method> _bytes = new();
    private readonly ConcurrentDictionary<string, Method> _pod = new();

    /// <summary>Calls a method with JSON text.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="json">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public string Call(string method, string json) => Json(method).Call(json);

    /// <summary>Calls a method with JSON in UTF-8, and writes the response to the caller's buffer.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="utf8Json">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    public int Call(string method, ReadOnlySpan<byte> utf8Json, Span<byte> response) =>
        Json(method).Call(utf8Json, response);

    /// <summary>Calls a method with JSON in UTF-8.</summary>
    /// <param name="method">The method's name.</param>
    /// <param name="utf8Json">The request.</param>
    /// <returns>The response in UTF-8, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] Call(string method, ReadOnlySpan<byte> utf8Json) => Json(method).Call(utf8Json);

    /// <summary>Calls a method with an object as JSON, and returns the response as an object.</summary>
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
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    public TResponse Call<TRequest, TResponse>(
        string method, TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType) =>
        Json(method).Call(request, requestType, responseType);

    /// <summary>
    /// Calls a method with an object as JSON, and returns the response as an object. Inspects the types by reflection.
    /// </summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">
    /// How to serialize and deserialize; null means <see cref="JsonSerializerDefaults.Web"/>.
    /// </param>
    /// <returns>The response; null only if the plugin returns null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">
    /// The request contains a number that JSON can't represent; the message names the field.
    /// </exception>
    /// <exception cref="JsonException">
    /// The response can't be deserialized to <typeparamref name="TResponse"/>.
    /// </exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(string method, TRequest request, JsonSerializerOptions? options = null) =>
        Json(method).Call<TRequest, TResponse>(request, options);

    /// <summary>Calls a method with a struct, and returns the response as a struct.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, with the layout that the plugin describes.</typeparam>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">The size or layout of a struct differs from the plugin's.</exception>
    public TResponse CallRaw<TRequest, TResponse>(string method, in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged =>
        Pod(method).CallRaw<TRequest, TResponse>(in request);

    /// <summary>
    /// Calls a method with bytes, and writes the response to the caller's buffer. The encoding is
    /// <see cref="PluginEncoding.Raw"/> if the method has it, otherwise <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="response">
    /// The buffer for the response, which is written from the start. It may overlap the request.
    /// </param>
    /// <returns>The response's length in bytes.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">
    /// The response doesn't fit into the buffer; the exception contains it.
    /// </exception>
    public int CallRaw(string method, ReadOnlySpan<byte> request, Span<byte> response) =>
        Bytes(method).CallRaw(request, response);

    /// <summary>
    /// Calls a method with bytes. The encoding is <see cref="PluginEncoding.Raw"/> if the method has it, otherwise
    /// <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, as a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] CallRawBytes(string method, ReadOnlySpan<byte> request) => Bytes(method).CallRawBytes(request);

    /// <summary>
    /// Calls a method with bytes, and leaves the response in the plugin's memory. The encoding is
    /// <see cref="PluginEncoding.Raw"/> if the method has it, otherwise <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">The method's name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public RawResponse CallRawZeroCopy(string method, ReadOnlySpan<byte> request) => Bytes(method).CallRawZeroCopy(request);

    internal Method Json(string name, CallOptions? options) => Prepared(_json, name, (uint)PluginEncoding.Json, options);

    internal Method Pod(string name, CallOptions? options) => Prepared(_pod, name, (uint)PluginEncoding.Pod, options);

    internal Method Bytes(string name, CallOptions? options) => Prepared(_bytes, name, Rb.EncodingBytes, options);

    internal Method Json(string name) => Prepared(_json, name, (uint)PluginEncoding.Json);

    internal Method Pod(string name) => Prepared(_pod, name, (uint)PluginEncoding.Pod);

    internal Method Bytes(string name) => Prepared(_bytes, name, Rb.EncodingBytes);

    /// <summary>Prepares the method of a call. If there is no such method, the call's initial metadata fails.</summary>
    private Method Prepared(ConcurrentDictionary<string, Method> known, string name, uint encoding, CallOptions? options)
    {
        try
        {
            return Prepared(known, name, encoding);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(options, problem);
            throw;
        }
    }

    private Method Prepared(ConcurrentDictionary<string, Method> known, string name, uint encoding) =>
        known.TryGetValue(name, out Method? method)
            ? method
            : known.GetOrAdd(name, static (key, one) => one.Plugin.Prepare(key, one.Encoding), (Plugin: this, Encoding: encoding));
}
