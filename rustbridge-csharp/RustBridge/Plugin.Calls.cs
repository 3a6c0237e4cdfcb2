using System;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Calls by name. Each prepares its method the first time and finds it again later.</content>
public sealed partial class Plugin
{
    private readonly ConcurrentDictionary<string, Method> _json = new();
    private readonly ConcurrentDictionary<string, Method> _bytes = new();
    private readonly ConcurrentDictionary<string, Method> _pod = new();

    /// <summary>Calls a method with JSON text.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="json">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public string Call(string method, string json) => Json(method).Call(json);

    /// <summary>Calls a method with JSON in UTF-8, the response going into memory of the caller's.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="utf8Json">The request.</param>
    /// <param name="response">Where the response goes, from its start; may overlap the request.</param>
    /// <returns>The response's length.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">The response doesn't fit; the exception holds it.</exception>
    public int Call(string method, ReadOnlySpan<byte> utf8Json, Span<byte> response) =>
        Json(method).Call(utf8Json, response);

    /// <summary>Calls a method with JSON in UTF-8.</summary>
    /// <param name="method">Its name.</param>
    /// <param name="utf8Json">The request.</param>
    /// <returns>The response in UTF-8, a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] Call(string method, ReadOnlySpan<byte> utf8Json) => Json(method).Call(utf8Json);

    /// <summary>Calls a method with an object and gives an object, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestType">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to read the response, likewise.</param>
    /// <returns>The response; null only if the plugin answers null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">The request has a number that JSON doesn't have; the message names the field.</exception>
    /// <exception cref="JsonException">The response isn't a <typeparamref name="TResponse"/>.</exception>
    public TResponse Call<TRequest, TResponse>(
        string method, TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType) =>
        Json(method).Call(request, requestType, responseType);

    /// <summary>Calls a method with an object and gives an object, by JSON, of types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">How to write and read; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <returns>The response; null only if the plugin answers null.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">The request has a number that JSON doesn't have; the message names the field.</exception>
    /// <exception cref="JsonException">The response isn't a <typeparamref name="TResponse"/>.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public TResponse Call<TRequest, TResponse>(string method, TRequest request, JsonSerializerOptions? options = null) =>
        Json(method).Call<TRequest, TResponse>(request, options);

    /// <summary>Calls a method with a struct and gives a struct.</summary>
    /// <typeparam name="TRequest">The request's struct, with the layout that the plugin describes.</typeparam>
    /// <typeparam name="TResponse">The response's struct, likewise.</typeparam>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ArgumentException">Size or layout of a struct isn't the plugin's.</exception>
    public TResponse CallRaw<TRequest, TResponse>(string method, in TRequest request)
        where TRequest : unmanaged
        where TResponse : unmanaged =>
        Pod(method).CallRaw<TRequest, TResponse>(in request);

    /// <summary>
    /// Calls a method with bytes, the response going into memory of the caller's. The encoding is
    /// <see cref="PluginEncoding.Raw"/> where the method has it, else <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="response">Where the response goes, from its start; may overlap the request.</param>
    /// <returns>The response's length.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    /// <exception cref="ResponseTooLargeException">The response doesn't fit; the exception holds it.</exception>
    public int CallRaw(string method, ReadOnlySpan<byte> request, Span<byte> response) =>
        Bytes(method).CallRaw(request, response);

    /// <summary>
    /// Calls a method with bytes. The encoding is <see cref="PluginEncoding.Raw"/> where the method has it, else
    /// <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] CallRawBytes(string method, ReadOnlySpan<byte> request) => Bytes(method).CallRawBytes(request);

    /// <summary>
    /// Calls a method with bytes and leaves the response where the plugin has put it. The encoding is
    /// <see cref="PluginEncoding.Raw"/> where the method has it, else <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, to be disposed of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public RawResponse CallRawZeroCopy(string method, ReadOnlySpan<byte> request) => Bytes(method).CallRawZeroCopy(request);

    internal Method Json(string name, CallOptions? options) => Prepared(_json, name, (uint)PluginEncoding.Json, options);

    internal Method Pod(string name, CallOptions? options) => Prepared(_pod, name, (uint)PluginEncoding.Pod, options);

    internal Method Bytes(string name, CallOptions? options) => Prepared(_bytes, name, RbMethod.BytesEncoding, options);

    internal Method Json(string name) => Prepared(_json, name, (uint)PluginEncoding.Json);

    internal Method Pod(string name) => Prepared(_pod, name, (uint)PluginEncoding.Pod);

    internal Method Bytes(string name) => Prepared(_bytes, name, RbMethod.BytesEncoding);

    /// <summary>For a call, whose headers never come if there's no such method.</summary>
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
