using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>Answers a service call in bytes.</summary>
/// <param name="request">The request, valid until this returns.</param>
/// <param name="call">What comes with it.</param>
/// <returns>The response.</returns>
public delegate byte[] RawServiceFunction(ReadOnlySpan<byte> request, ServiceCall call);

/// <summary>A function of the host's that a plugin calls, registered when it's loaded: <see cref="PluginConfig.Services"/>.</summary>
/// <remarks>
/// Any number run at once: on the plugin's thread that asks where that waits for the answer, and on one of the library's where the plugin
/// awaits it, so that one may block. It may call the plugin, but not close it. What it throws reaches the
/// plugin: a <see cref="PluginException"/> with its status, type and details, another exception as <see cref="Status.Internal"/> with its type's name.
/// One that waits for long is better asynchronous: it keeps no thread after its first <c>await</c>.
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

    /// <summary>What the plugin asks for.</summary>
    public string Name { get; }

    /// <summary>How requests and answers are laid out.</summary>
    public PluginEncoding Encoding { get; }

    /// <summary>Makes a service of a function, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="requestType">How to read requests, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to write answers, likewise.</param>
    /// <returns>The service.</returns>
    public static PluginService Json<TRequest, TResponse>(
        string name, Func<TRequest, TResponse> function, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TResponse> responseType)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new JsonService<TRequest, TResponse>(name, function, null, requestType, responseType);
    }

    /// <summary>Makes a service of a function that wants to know what comes with a call, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="requestType">How to read requests, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to write answers, likewise.</param>
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

    /// <summary>Makes a service of a function, by JSON of types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <returns>The service.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginService Json<TRequest, TResponse>(string name, Func<TRequest, TResponse> function) =>
        Json(name, function, Reflected.Type<TRequest>(null), Reflected.Type<TResponse>(null));

    /// <summary>Makes a service of an asynchronous function, by JSON.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function. Its call has the token that tells when nobody waits any more.</param>
    /// <param name="requestType">How to read requests, from a <c>JsonSerializerContext</c>.</param>
    /// <param name="responseType">How to write answers, likewise.</param>
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

    /// <summary>Makes a service of an asynchronous function, by JSON of types that are looked into by reflection.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function. Its call has the token that tells when nobody waits any more.</param>
    /// <returns>The service.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginService JsonAsync<TRequest, TResponse>(
        string name, Func<TRequest, ServiceCall, ValueTask<TResponse>> function) =>
        JsonAsync(name, function, Reflected.Type<TRequest>(null), Reflected.Type<TResponse>(null));

    /// <summary>Makes a service of a function of bytes.</summary>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function.</param>
    /// <param name="encoding">What the bytes are.</param>
    /// <returns>The service.</returns>
    public static PluginService Raw(string name, RawServiceFunction function, PluginEncoding encoding = PluginEncoding.Raw)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new RawService(name, function, encoding);
    }

    /// <summary>Makes a service of an asynchronous function of bytes.</summary>
    /// <param name="name">What the plugin asks for, e.g. <c>prices.of</c>.</param>
    /// <param name="function">The function. Its call has the token that tells when nobody waits any more.</param>
    /// <param name="encoding">What the bytes are.</param>
    /// <returns>The service.</returns>
    public static PluginService RawAsync(
        string name, Func<ReadOnlyMemory<byte>, ServiceCall, ValueTask<byte[]>> function, PluginEncoding encoding = PluginEncoding.Raw)
    {
        ArgumentNullException.ThrowIfNull(function);
        return new RawAsyncService(name, function, encoding);
    }

    /// <summary>Makes services of an interface's methods, by JSON of types that are looked into by reflection.</summary>
    /// <remarks>
    /// Each method has one parameter, the request, or none, and after it a <see cref="ServiceCall"/> if it likes. It gives the answer, or a <see cref="Task{TResult}"/> or
    /// <see cref="ValueTask{TResult}"/> of it. <c>GetPrice</c> and <c>GetPriceAsync</c> are <c>get_price</c> to the plugin.
    /// </remarks>
    /// <typeparam name="T">The interface.</typeparam>
    /// <param name="implementation">What implements it.</param>
    /// <param name="prefix">What stands before the methods' names, and a dot; null is the interface's name without its <c>I</c>.</param>
    /// <returns>The services, one for each method.</returns>
    /// <exception cref="ArgumentException">It's no interface, or a method of it is of another form.</exception>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static IReadOnlyList<PluginService> Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] T>(
        T implementation, string? prefix = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        return InterfaceServices.Of(implementation, prefix);
    }

    /// <summary>Returns the method's name and encoding as text.</summary>
    /// <returns>For example <c>prices.of (Json)</c>.</returns>
    public override string ToString() => $"{Name} ({Encoding})";

    /// <summary>Answers a call.</summary>
    /// <param name="target">What the core knows this by.</param>
    /// <param name="call">The call.</param>
    /// <param name="response">Where the answer goes.</param>
    /// <returns>A status, or that it's answered later.</returns>
    internal abstract unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response);

    /// <summary>The request's bytes.</summary>
    private protected static unsafe ReadOnlySpan<byte> Request(RbServiceCall* call) =>
        new(call->Request, checked((int)call->RequestLen));
}
