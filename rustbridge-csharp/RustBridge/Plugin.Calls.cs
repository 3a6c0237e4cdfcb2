using System;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace RustBridge;

/// <content>Calls by name. Each prepares its method the first time and finds it again later.</content>
public sealed unsafe partial class Plugin
{
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
    /// <exception cref="JsonException">The response isn't a <typeparamref name="TResponse"/>.</exception>
    public TResponse Call<TRequest, TResponse>(
        string method, TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType) =>
        Json(method).Call(request, requestType, responseType);

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
        Raw(method).CallRaw(request, response);

    /// <summary>
    /// Calls a method with bytes. The encoding is <see cref="PluginEncoding.Raw"/> where the method has it, else
    /// <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, a new array.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public byte[] CallRawBytes(string method, ReadOnlySpan<byte> request) => Raw(method).CallRawBytes(request);

    /// <summary>
    /// Calls a method with bytes and leaves the response where the plugin has put it. The encoding is
    /// <see cref="PluginEncoding.Raw"/> where the method has it, else <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    /// <param name="method">Its name.</param>
    /// <param name="request">The request.</param>
    /// <returns>The response, to be disposed of.</returns>
    /// <exception cref="PluginException">The call has failed.</exception>
    public RawResponse CallRawZeroCopy(string method, ReadOnlySpan<byte> request) => Raw(method).CallRawZeroCopy(request);

    private Method Json(string name) =>
        _json.TryGetValue(name, out Method? method)
            ? method
            : _json.GetOrAdd(name, static (key, plugin) => plugin.Method(key), this);

    private Method Pod(string name) =>
        _pod.TryGetValue(name, out Method? method)
            ? method
            : _pod.GetOrAdd(name, static (key, plugin) => plugin.Method(key, PluginEncoding.Pod), this);

    private Method Raw(string name) =>
        _raw.TryGetValue(name, out Method? method)
            ? method
            : _raw.GetOrAdd(name, static (key, plugin) => plugin.RawOrPod(key), this);

    private Method RawOrPod(string name)
    {
        try
        {
            return Method(name, PluginEncoding.Raw);
        }
        catch (PluginException raw) when (raw.Status == Status.Unimplemented)
        {
            try
            {
                return Method(name, PluginEncoding.Pod);
            }
            catch (PluginException pod) when (pod.Status == Status.Unimplemented)
            {
                throw new PluginException(
                    raw.Status,
                    $"{raw.Message}; bytes go as Raw or Pod unless Method(name, encoding) says otherwise, text and objects by Call",
                    raw.Type);
            }
        }
    }
}
