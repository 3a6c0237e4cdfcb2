using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>Makes services of an interface's methods.</summary>
[RequiresUnreferencedCode(Reflected.Unreferenced)]
[RequiresDynamicCode(Reflected.Dynamic)]
internal static class InterfaceServices
{
    private const string Async = "Async";

    internal static IReadOnlyList<PluginService> Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] T>(
        T implementation, string? prefix)
        where T : class
    {
        if (!typeof(T).IsInterface)
        {
            throw new ArgumentException($"{typeof(T)} isn't an interface: pass an interface whose methods are the services");
        }

        string name = typeof(T).Name is ['I', (>= 'A' and <= 'Z'), ..] named ? named[1..] : typeof(T).Name;
        prefix ??= Snake(name);
        var services = new List<PluginService>();
        foreach (MethodInfo method in typeof(T).GetMethods())
        {
            services.Add(Of(implementation, method, $"{prefix}.{Snake(Bare(method.Name))}"));
        }

        return services;
    }

    private static PluginService Of(object implementation, MethodInfo method, string name)
    {
        ParameterInfo[] parameters = method.GetParameters();
        bool wantsCall = parameters.Length != 0 && parameters[^1].ParameterType == typeof(ServiceCall);
        int requests = parameters.Length - (wantsCall ? 1 : 0);
        if (requests > 1 || method.ReturnType == typeof(void) || method.ReturnType == typeof(Task) || method.IsGenericMethod)
        {
            throw new ArgumentException(
                $"{method.DeclaringType}.{method.Name} can't be a service: expected at most one parameter, then optionally a ServiceCall, "
                + "and a return value. "
                + "An interface of a typed client isn't registered here: pass its implementation to the client's Load, "
                + "or register it in the container and add the client by AddRustBridgeClient");
        }

        Type request = requests == 1 ? parameters[0].ParameterType : typeof(JsonElement);
        Type? wrapper = method.ReturnType.IsGenericType ? method.ReturnType.GetGenericTypeDefinition() : null;
        bool isLater = wrapper == typeof(Task<>) || wrapper == typeof(ValueTask<>);
        Type answer = isLater ? method.ReturnType.GetGenericArguments()[0] : method.ReturnType;
        string maker = isLater ? wrapper == typeof(Task<>) ? nameof(OfTask) : nameof(OfValueTask) : nameof(OfFunction);
        var invoke = (object? request, ServiceCall call) =>
            Invoke(implementation, method, (requests, wantsCall) switch
            {
                (0, false) => [],
                (0, true) => [call],
                (_, false) => [request],
                _ => [request, call],
            });
        return (PluginService)typeof(InterfaceServices)
            .GetMethod(maker, BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(request, answer)
            .Invoke(null, [name, invoke])!;
    }

    private static object? Invoke(object implementation, MethodInfo method, object?[] arguments) =>
        method.Invoke(implementation, BindingFlags.DoNotWrapExceptions, null, arguments, null);

    private static PluginService OfFunction<TRequest, TResponse>(string name, Func<object?, ServiceCall, object?> invoke) =>
        PluginService.Json(
            name,
            (TRequest request, ServiceCall call) => (TResponse)invoke(request, call)!,
            Reflected.Type<TRequest>(null),
            Reflected.Type<TResponse>(null));

    private static PluginService OfTask<TRequest, TResponse>(string name, Func<object?, ServiceCall, object?> invoke) =>
        PluginService.JsonAsync<TRequest, TResponse>(
            name, (request, call) => new ValueTask<TResponse>((Task<TResponse>)invoke(request, call)!));

    private static PluginService OfValueTask<TRequest, TResponse>(string name, Func<object?, ServiceCall, object?> invoke) =>
        PluginService.JsonAsync<TRequest, TResponse>(name, (request, call) => (ValueTask<TResponse>)invoke(request, call)!);

    private static string Bare(string name) => name.Length > Async.Length && name.EndsWith(Async, StringComparison.Ordinal) ? name[..^Async.Length] : name;

    private static string Snake(string name) => JsonNamingPolicy.SnakeCaseLower.ConvertName(name);
}
