using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>The functions with types that a plugin may call. For generated clients.</summary>
/// <param name="config">How the plugin is loaded; null for the defaults.</param>
/// <param name="contract">The description that the client was written from, to be compared with what the plugin calls.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TypedServices(PluginConfig? config, string contract)
{
    private readonly PluginConfig _config = config ?? new PluginConfig();
    private readonly List<PluginService> _services = [];

    /// <summary>How the plugin is loaded with all of them.</summary>
    public PluginConfig Config =>
        _services.Count == 0 ? _config : _config with { Services = [.. _config.Services, .. _services], Contract = contract };

    /// <summary>Returns the implementation that a container has of what the plugin needs.</summary>
    /// <typeparam name="T">The generated interface.</typeparam>
    /// <param name="services">The container.</param>
    /// <returns>The implementation.</returns>
    /// <exception cref="InvalidOperationException">The container has none.</exception>
    public static T Required<T>(IServiceProvider services)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(services);
        return (T?)services.GetService(typeof(T)) ?? throw new InvalidOperationException(
            $"the container has no {typeof(T)}, which the plugin asks for: register an implementation, AddSingleton<{typeof(T).Name}, ...>()");
    }

    /// <summary>Creates the exception with which a function fails that the application hasn't implemented.</summary>
    /// <param name="service">The function's name in the plugin.</param>
    /// <param name="method">The blocking method that implements it.</param>
    /// <param name="asyncMethod">The asynchronous method that implements it.</param>
    /// <returns>The exception.</returns>
    public static PluginException Missing(string service, string method, string asyncMethod) =>
        new(Status.Unimplemented, $"the host's service {service} isn't implemented: implement {method} or {asyncMethod}");

    /// <summary>Adds a function.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TRequestCodec">What reads it.</typeparam>
    /// <typeparam name="TResponse">The response's type.</typeparam>
    /// <typeparam name="TResponseCodec">What writes it.</typeparam>
    /// <param name="name">What the plugin asks for.</param>
    /// <param name="function">The function. Its token is cancelled when nobody waits any more.</param>
    public void Add<TRequest, TRequestCodec, TResponse, TResponseCodec>(
        string name, Func<TRequest, CancellationToken, ValueTask<TResponse>> function)
        where TRequestCodec : struct, IWireCodec<TRequest>
        where TResponseCodec : struct, IWireCodec<TResponse>
    {
        ArgumentNullException.ThrowIfNull(function);
        _services.Add(new TypedService<TRequest, TRequestCodec, TResponse, TResponseCodec>(name, contract, function));
    }
}
