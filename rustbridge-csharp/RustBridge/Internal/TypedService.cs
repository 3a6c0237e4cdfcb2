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
    string name, string clientSchema, Func<TRequest, CancellationToken, ValueTask<TResponse>> function, WireThrow? thrown)
    : TypedService(name, clientSchema)
    where TRequestCodec : struct, IWireCodec<TRequest>
    where TResponseCodec : struct, IWireCodec<TResponse>
{
    internal override unsafe int Answer(ServiceTarget target, RbServiceCall* call, RbResponse* response)
    {
        TRequest request = Read(Request(call));
        var cancellation = new CancellationTokenSource();
        ValueTask<TResponse> answer;
        _ = ServiceCall.Enter(call, cancellation.Token);
        try
        {
            using (NoContext.Begin())
            {
                answer = function(request, cancellation.Token);
            }

            if (answer.IsCompleted)
            {
                cancellation.Dispose();
                return ServiceTarget.Respond(response, Written(answer.GetAwaiter().GetResult()));
            }
        }
        catch (PluginException problem) when (thrown is not null)
        {
            throw Typed(problem);
        }

        return target.Answer(call, response, Later(answer), cancellation);
    }

    /// <summary>Returns the exception with its type, if that's the one that the plugin distinguishes.</summary>
    private unsafe PluginException Typed(PluginException problem)
    {
        byte* memory = stackalloc byte[Storage.Stack];
        var writer = new WireWriter(this, new Span<byte>(memory, Storage.Stack));
        try
        {
            return thrown!(problem, ref writer)
                ? new ThrownException(problem, ErrorPayload.OfValue(problem.Message, writer.Written))
                : problem;
        }
        finally
        {
            writer.Dispose();
        }
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

    private async ValueTask<byte[]> Later(ValueTask<TResponse> answer)
    {
        try
        {
            return Written(await answer.ConfigureAwait(false));
        }
        catch (PluginException problem) when (thrown is not null)
        {
            throw Typed(problem);
        }
    }
}
