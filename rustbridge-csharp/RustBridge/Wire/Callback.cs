using System;
using System.Collections.Generic;
using System.ComponentModel;
using RustBridge.Internal;

namespace RustBridge.Wire;

/// <summary>
/// Passes implementations of a callback to a plugin, and receives them. The plugin has an object for each implementation of
/// the host, which refers to it by its number. For generated clients.
/// </summary>
/// <typeparam name="T">The callback's interface.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class Callback<T>
    where T : class
{
    private readonly string _name;
    private readonly ulong _instance;
    private readonly Method _create;
    private readonly Method _number;

    /// <summary>Keeps the methods for functions, which the plugin's services don't.</summary>
    private readonly List<Crossing> _crossings = [];

    /// <summary>Prepares a callback.</summary>
    /// <param name="plugin">The instance.</param>
    /// <param name="name">The callback's name in the plugin.</param>
    /// <param name="create">The fingerprint of the method that creates the plugin's object.</param>
    /// <param name="number">The fingerprint of the method that returns the number of the host's object.</param>
    /// <param name="clientSchema">The client schema.</param>
    /// <exception cref="PluginException">The plugin doesn't match the client: the message names the differences.</exception>
    public Callback(Plugin plugin, string name, string create, string number, string clientSchema)
    {
        ArgumentNullException.ThrowIfNull(plugin);
        _name = name;
        _instance = plugin.Handle;
        _create = plugin.TypedMethod(name + ":new", create, clientSchema);
        _number = plugin.TypedMethod(name + ":number", number, clientSchema);
        Hosts = plugin.Hosts<T>(name + ":release");
    }

    /// <summary>
    /// The host's objects to which the plugin refers; null if the plugin was loaded without the callback's services.
    /// </summary>
    internal HostObjects<T>? Hosts { get; }

    /// <summary>Sets the methods by which the arguments and the result of a function cross.</summary>
    /// <param name="function">The function's name in the plugin.</param>
    /// <param name="arguments">The method that returns the arguments of a call; null if the function has none.</param>
    /// <param name="result">The method that accepts the result; null if the service's response is the result.</param>
    public void Cross(string function, Method? arguments, Method? result)
    {
        var crossing = new Crossing(arguments, result);
        _crossings.Add(crossing);
        Hosts?.Cross(_instance, function, crossing);
    }

    /// <summary>
    /// Returns the host's implementation for which an object of the plugin stands, and releases the object.
    /// </summary>
    /// <param name="received">The object.</param>
    /// <returns>The implementation; null if it's the plugin's own.</returns>
    /// <exception cref="PluginException">The call of the plugin has failed.</exception>
    public T? Host(PluginObject received)
    {
        ArgumentNullException.ThrowIfNull(received);
        if (Hosts?.Find(_number.NumberOf(received)) is not { } found)
        {
            return null;
        }

        received.Dispose();
        return found;
    }

    /// <summary>Creates an object of the plugin that stands for an implementation of the host.</summary>
    internal PluginObject Create(T value)
    {
        if (Hosts is not { } hosts)
        {
            throw new PluginException(
                Status.FailedPrecondition,
                $"callback {_name}: the plugin was loaded without the services by which it calls the host's objects: load it by the generated client's Load",
                "rustbridge.NoServices");
        }

        ulong number = hosts.Add(value, _instance);
        try
        {
            return _create.CreateObject(number);
        }
        catch
        {
            hosts.Remove(number);
            throw;
        }
    }
}
