using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>The typed services that a plugin may call. For generated clients.</summary>
/// <param name="config">The plugin's configuration and the instance's options; null for the defaults.</param>
/// <param name="clientSchema">
/// The client schema: the description from which the client was generated. Its types are compared with those that the
/// plugin uses.
/// </param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TypedServices(PluginConfig? config, string clientSchema)
{
    private readonly PluginConfig _config = config ?? new PluginConfig();
    private readonly List<PluginService> _services = [];

    /// <summary>The configuration with all services that were added.</summary>
    public PluginConfig Config =>
        _services.Count == 0 ? _config : _config with { Services = [.. _config.Services, .. _services], ClientSchema = clientSchema };

    /// <summary>Returns the container's implementation of a service that the plugin requires.</summary>
    /// <typeparam name="T">The generated interface.</typeparam>
    /// <param name="services">The container.</param>
    /// <returns>The implementation.</returns>
    /// <exception cref="InvalidOperationException">The container has no implementation.</exception>
    public static T Required<T>(IServiceProvider services)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(services);
        return (T?)services.GetService(typeof(T)) ?? throw new InvalidOperationException(
            $"the container has no {typeof(T)}, which the plugin requires: register one with AddSingleton<{typeof(T).Name}, ...>()");
    }

    /// <summary>Creates the exception of a service function that the application hasn't implemented.</summary>
    /// <param name="service">The function's name in the plugin.</param>
    /// <param name="method">The blocking method that implements it.</param>
    /// <param name="asyncMethod">The asynchronous method that implements it.</param>
    /// <returns>The exception.</returns>
    public static PluginException Missing(string service, string method, string asyncMethod) =>
        new(Status.Unimplemented, $"the host's service {service} isn't implemented: implement {method} or {asyncMethod}");

    /// <summary>Adds the service by which the plugin releases the host's implementations of a callback.</summary>
    /// <typeparam name="T">The callback's interface.</typeparam>
    /// <param name="callback">The callback's name in the plugin.</param>
    /// <param name="release">The name by which the plugin calls the service.</param>
    /// <returns>The implementations, for the callback's other services.</returns>
    public HostObjects<T> AddCallback<T>(string callback, string release)
        where T : class
    {
        var hosts = new HostObjects<T>(callback);
        _services.Add(new ReleaseService(release, hosts));
        return hosts;
    }

    /// <summary>Adds a service.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">The request's codec.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">The response's codec.</typeparam>
    /// <param name="name">The name by which the plugin calls the service.</param>
    /// <param name="function">
    /// The function. Its token is cancelled when the plugin no longer waits for the response.
    /// </param>
    /// <param name="thrown">Writes the errors that the plugin distinguishes; null if it distinguishes none.</param>
    public void Add<TRequest, TRequestCodec, TResponse, TResponseCodec>(
        string name, Func<TRequest, CancellationToken, ValueTask<TResponse>> function, WireThrow? thrown = null)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        ArgumentNullException.ThrowIfNull(function);
        _services.Add(new TypedService<TRequest, TRequestCodec, TResponse, TResponseCodec>(name, clientSchema, function, thrown));
    }

    /// <summary>Adds a function of a callback with objects among its arguments, which a method of the plugin returns.</summary>
    /// <typeparam name="T">The callback's interface.</typeparam>
    /// <typeparam name="TGiven">The type of the arguments: of the only one, or a tuple.</typeparam>
    /// <typeparam name="TGivenCodec">The codec of the arguments.</typeparam>
    /// <typeparam name="TResult">The result's type.</typeparam>
    /// <typeparam name="TResultCodec">The result's codec.</typeparam>
    /// <param name="hosts">The host's implementations.</param>
    /// <param name="name">The name by which the plugin calls the function.</param>
    /// <param name="function">The function.</param>
    /// <param name="thrown">Writes the errors that the plugin distinguishes; null if it distinguishes none.</param>
    public void AddTaking<T, TGiven, TGivenCodec, TResult, TResultCodec>(
        HostObjects<T> hosts,
        string name,
        Func<T, TGiven, CancellationToken, ValueTask<TResult>> function,
        WireThrow? thrown = null)
        where T : class
        where TGivenCodec : struct, IWireCodec<TGiven>
        where TResultCodec : struct, IWireCodec<TResult>
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(function);
        Add<(ulong, ulong), TupleCodec<ulong, PlainCodec<ulong>, ulong, PlainCodec<ulong>>, TResult, TResultCodec>(
            name,
            async (request, cancellationToken) =>
            {
                (T host, Crossing crossing) = hosts.Get(request.Item1, name);
                TGiven given = Given<TGiven, TGivenCodec>(crossing, request.Item2);
                return await function(host, given, cancellationToken).ConfigureAwait(false);
            },
            thrown);
    }

    /// <summary>
    /// Adds a function of a callback with objects in its result, which a method of the plugin accepts. Another one returns the
    /// arguments, if there are any.
    /// </summary>
    /// <typeparam name="T">The callback's interface.</typeparam>
    /// <typeparam name="TGiven">The type of the arguments: of the only one, or a tuple.</typeparam>
    /// <typeparam name="TGivenCodec">The codec of the arguments.</typeparam>
    /// <typeparam name="TResult">The result's type.</typeparam>
    /// <typeparam name="TResultCodec">The result's codec.</typeparam>
    /// <param name="hosts">The host's implementations.</param>
    /// <param name="name">The name by which the plugin calls the function.</param>
    /// <param name="function">The function.</param>
    /// <param name="thrown">Writes the errors that the plugin distinguishes; null if it distinguishes none.</param>
    public void AddReturning<T, TGiven, TGivenCodec, TResult, TResultCodec>(
        HostObjects<T> hosts,
        string name,
        Func<T, TGiven, CancellationToken, ValueTask<TResult>> function,
        WireThrow? thrown = null)
        where T : class
        where TGivenCodec : struct, IWireCodec<TGiven>
        where TResultCodec : struct, IWireCodec<TResult>
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(function);
        Add<(ulong, ulong), TupleCodec<ulong, PlainCodec<ulong>, ulong, PlainCodec<ulong>>, ValueTuple, UnitCodec>(
            name,
            async (request, cancellationToken) =>
            {
                (T host, Crossing crossing) = hosts.Get(request.Item1, name);
                TGiven given = Given<TGiven, TGivenCodec>(crossing, request.Item2);
                TResult result = await function(host, given, cancellationToken).ConfigureAwait(false);
                return crossing.Result!
                    .CallWire<(ulong, TResult), TupleCodec<ulong, PlainCodec<ulong>, TResult, TResultCodec>, ValueTuple, UnitCodec>(
                        null, (request.Item2, result), null);
            },
            thrown);
    }

    private static TGiven Given<TGiven, TGivenCodec>(Crossing crossing, ulong call)
        where TGivenCodec : struct, IWireCodec<TGiven> =>
        crossing.Arguments is { } arguments
            ? arguments.CallWire<ulong, PlainCodec<ulong>, TGiven, TGivenCodec>(null, call, null)
            : default!;
}
