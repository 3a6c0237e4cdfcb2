using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>Handles a service call with bytes.</summary>
/// <param name="request">The request, valid until the function returns.</param>
/// <param name="call">The call's context.</param>
/// <returns>The response.</returns>
public delegate byte[] RawServiceFunction(ReadOnlySpan<byte> request, ServiceCall call);

/// <summary>
/// A function of the host that a plugin calls. Services are registered when the plugin is loaded:
/// <see cref="PluginConfig.Services"/>.
/// </summary>
/// <remarks>
/// <para>
/// Any number of calls run at the same time. If the plugin blocks until the response, the function runs on the plugin's
/// calling thread. If the plugin awaits the response, it runs on a thread of the library. So a function may block. If
/// it waits long, prefer an asynchronous function: it occupies no thread after its first <c>await</c>.
/// </para>
/// <para>
/// A function may call the plugin, but not close it. Its exceptions reach the plugin: a <see cref="PluginException"/>
/// with its status, type and details, another exception as <see cref="Status.Internal"/> with its type's name.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// PluginService.Json("prices.of", (string article) => article == "bread" ? 250L : 0, Types.Default.String, Types.Default.Int64)
/// </code>
/// </example>
public abstract class PluginService
{
    private protected PluginService(string name, PluginEncoding encoding)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Throw.IfNoEncoding(encoding);
        Name = name;
        Encoding = encoding;
    }

    /// <summary>The name by which the plugin calls the service.</summary>
    public string Name { get; }

    /// <summary>The encoding of requests and responses.</summary>
    public PluginEncoding Encoding { get; }

    /// <summary>
    /// Whether the function is so short that it always runs on the thread from which the plugin calls.
    /// </summary>
    internal virtual bool IsShort => false;

    /// <summary>Creates a service from a function with JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <returns>The service.</returns>
    public static PluginService Json<TRequest, TResponse>(
        string name, Func<TRequest, TResponse> function, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new JsonService<TRequest, TResponse>(name, function, null, requestType, responseType);
    }

    /// <summary>Creates a service from a function with JSON that also accepts the call's context.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <returns>The service.</returns>
    public static PluginService Json<TRequest, TResponse>(
        string name,
        Func<TRequest, ServiceCall, TResponse> function,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new JsonService<TRequest, TResponse>(name, null, function, requestType, responseType);
    }

    /// <summary>Creates a service from a function with JSON. Inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <returns>The service.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginService Json<TRequest, TResponse>(string name, Func<TRequest, TResponse> function) =>
        Json(name, function, Reflected.Type<TRequest>(null), Reflected.Type<TResponse>(null));

    /// <summary>Creates a service from an asynchronous function with JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">
    /// The function. The token of its <see cref="ServiceCall"/> is cancelled when the plugin no longer waits for the
    /// response.
    /// </param>
    /// <param name="requestType">
    /// The serialization metadata of the request's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <param name="responseType">
    /// The serialization metadata of the response's type, from a <c>JsonSerializerContext</c>.
    /// </param>
    /// <returns>The service.</returns>
    public static PluginService JsonAsync<TRequest, TResponse>(
        string name,
        Func<TRequest, ServiceCall, ValueTask<TResponse>> function,
        JsonTypeInfo<TRequest> requestType,
        JsonTypeInfo<TResponse> responseType)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new JsonAsyncService<TRequest, TResponse>(name, function, requestType, responseType);
    }

    /// <summary>Creates a service from an asynchronous function with JSON. Inspects the types by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">
    /// The function. The token of its <see cref="ServiceCall"/> is cancelled when the plugin no longer waits for the
    /// response.
    /// </param>
    /// <returns>The service.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginService JsonAsync<TRequest, TResponse>(
        string name, Func<TRequest, ServiceCall, ValueTask<TResponse>> function) =>
        JsonAsync(name, function, Reflected.Type<TRequest>(null), Reflected.Type<TResponse>(null));

    /// <summary>Creates a service from a function with bytes.</summary>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="encoding">The encoding of the bytes.</param>
    /// <returns>The service.</returns>
    public static PluginService Raw(string name, RawServiceFunction function, PluginEncoding encoding = PluginEncoding.Raw)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new RawService(name, function, encoding);
    }

    /// <summary>Creates a service from an asynchronous function with bytes.</summary>
    /// <param name="name">The name by which the plugin calls the service, e.g. <c>prices.of</c>.</param>
    /// <param name="function">
    /// The function. The token of its <see cref="ServiceCall"/> is cancelled when the plugin no longer waits for the
    /// response.
    /// </param>
    /// <param name="encoding">The encoding of the bytes.</param>
    /// <returns>The service.</returns>
    public static PluginService RawAsync(
        string name, Func<ReadOnlyMemory<byte>, ServiceCall, ValueTask<byte[]>> function, PluginEncoding encoding = PluginEncoding.Raw)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new RawAsyncService(name, function, encoding);
    }

    /// <summary>
    /// Creates services from the methods of an interface, with JSON. Inspects the types by reflection.
    /// </summary>
    /// <remarks>
    /// Each method has one parameter, the request, or none, and optionally a <see cref="ServiceCall"/> after it. It
    /// returns the response, or a <see cref="Task{TResult}"/> or <see cref="ValueTask{TResult}"/> of it. The plugin
    /// calls <c>GetPrice</c> and <c>GetPriceAsync</c> by the name <c>get_price</c>.
    /// </remarks>
    /// <typeparam name="T">The interface.</typeparam>
    /// <param name="implementation">The implementation.</param>
    /// <param name="prefix">
    /// The prefix of the services' names, which is followed by a dot and the method's name. Null means the interface's
    /// name without its <c>I</c>, in snake case.
    /// </param>
    /// <returns>The services, one for each method.</returns>
    /// <exception cref="ArgumentException">
    /// The type isn't an interface, or one of its methods has another signature.
    /// </exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static IReadOnlyList<PluginService> Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] T>(
        T implementation, string? prefix = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        return InterfaceServices.Of(implementation, prefix);
    }

    /// <summary>Returns the name and encoding as text.</summary>
    /// <returns>For example <c>prices.of (Json)</c>.</returns>
    public override string ToString() => $"{Name} ({Encoding})";

    /// <summary>Handles a call.</summary>
    /// <param name="target">The object by which the core identifies the service.</param>
    /// <param name="call">The call.</param>
    /// <param name="response">Receives the response.</param>
    /// <returns>A status, or the value for a response that follows later.</returns>
    internal abstract unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response);

    /// <summary>The request's bytes.</summary>
    private protected static unsafe ReadOnlySpan<byte> Request(RbServiceCall* call) =>
        new(call->Request, checked((int)call->RequestLen));
}
