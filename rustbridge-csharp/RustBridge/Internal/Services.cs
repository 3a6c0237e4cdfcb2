using System;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>A function of objects.</summary>
internal sealed class JsonService<TRequest, TResponse>(
    string name,
    Func<TRequest, TResponse>? plain,
    Func<TRequest, ServiceCall, TResponse>? function,
    JsonTypeInfo<TRequest> requestType,
    JsonTypeInfo<TResponse> responseType) : PluginService(name, PluginEncoding.Json)
{
    /// <summary>What's written for one answer is kept for the next up to here.</summary>
    internal const int Kept = 64 * 1024;

    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        TRequest request = JsonSerializer.Deserialize(Request(call), requestType)!;
        ServiceCall current = ServiceCall.Enter(call, CancellationToken.None);
        TResponse answer = plain is not null ? plain(request) : function!(request, current);
        using JsonWriter writer = JsonWriter.Take(responseType.Options, Kept);
        return ServiceTarget.Respond(response, writer.Write(answer, responseType));
    }
}

/// <summary>An asynchronous function of objects.</summary>
internal sealed class JsonAsyncService<TRequest, TResponse>(
    string name,
    Func<TRequest, ServiceCall, ValueTask<TResponse>> function,
    JsonTypeInfo<TRequest> requestType,
    JsonTypeInfo<TResponse> responseType) : PluginService(name, PluginEncoding.Json)
{
    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        TRequest request = JsonSerializer.Deserialize(Request(call), requestType)!;
        var cancellation = new CancellationTokenSource();
        ValueTask<byte[]> answer;
        using (NoContext.Begin())
        {
            answer = ServiceAnswers.Written(function(request, ServiceCall.Enter(call, cancellation.Token)), responseType);
        }

        return target.Answer(call, response, answer, cancellation);
    }
}

/// <summary>A function of bytes.</summary>
internal sealed class RawService(string name, RawServiceFunction function, PluginEncoding encoding) : PluginService(name, encoding)
{
    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response) =>
        ServiceTarget.Respond(response, function(Request(call), ServiceCall.Enter(call, CancellationToken.None)));
}

/// <summary>An asynchronous function of bytes.</summary>
internal sealed class RawAsyncService(
    string name, Func<ReadOnlyMemory<byte>, ServiceCall, ValueTask<byte[]>> function, PluginEncoding encoding)
    : PluginService(name, encoding)
{
    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        var cancellation = new CancellationTokenSource();
        ValueTask<byte[]> answer;
        using (NoContext.Begin())
        {
            answer = function(Request(call).ToArray(), ServiceCall.Enter(call, cancellation.Token));
        }

        return target.Answer(call, response, answer, cancellation);
    }
}

/// <summary>Writes answers that come later.</summary>
internal static class ServiceAnswers
{
    internal static async ValueTask<byte[]> Written<T>(ValueTask<T> answer, JsonTypeInfo<T> type) =>
        JsonSerializer.SerializeToUtf8Bytes(await answer.ConfigureAwait(false), type);
}
