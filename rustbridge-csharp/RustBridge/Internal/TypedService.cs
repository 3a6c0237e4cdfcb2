using System;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>A function with types.</summary>
internal abstract class TypedService(string name, string clientSchema) : PluginService(name, PluginEncoding.Wire)
{
    /// <summary>What the client was written from: it names what's wrong.</summary>
    internal string ClientSchema { get; } = clientSchema;
}

/// <summary>A function with these types.</summary>
internal sealed class TypedService<TRequest, TRequestCodec, TResponse, TResponseCodec>(
    string name, string clientSchema, Func<TRequest, CancellationToken, ValueTask<TResponse>> function) : TypedService(name, clientSchema)
    where TRequestCodec : struct, IWireCodec<TRequest>
    where TResponseCodec : struct, IWireCodec<TResponse>
{
    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        TRequest request = Read(Request(call));
        var cancellation = new CancellationTokenSource();
        ValueTask<TResponse> answer;
        _ = ServiceCall.Enter(call, cancellation.Token);
        using (NoContext.Begin())
        {
            answer = function(request, cancellation.Token);
        }

        if (answer.IsCompleted)
        {
            cancellation.Dispose();
            return ServiceTarget.Respond(response, Written(answer.GetAwaiter().GetResult()));
        }

        return target.Answer(call, response, Later(answer), cancellation);
    }

    private TRequest Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new WireReader(this, bytes);
        TRequest value = TRequestCodec.Read(ref reader);
        reader.End();
        return value;
    }

    private unsafe byte[] Written(TResponse answer)
    {
        byte* memory = stackalloc byte[Storage.Stack];
        var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
        try
        {
            TResponseCodec.Write(ref writer, answer);
            return writer.Written.ToArray();
        }
        finally
        {
            writer.Dispose();
        }
    }

    private async ValueTask<byte[]> Later(ValueTask<TResponse> answer) => Written(await answer.ConfigureAwait(false));
}
