using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>A service of one instance, which the core calls on the plugin's threads.</summary>
internal sealed unsafe class ServiceTarget(PluginService service, FailureLog log) : UpcallTarget
{
    private readonly object _gate = new();
    private readonly Dictionary<ulong, CancellationTokenSource> _pending = [];

    /// <summary>Gives what the core takes. It must be handed over, or this is kept for good.</summary>
    /// <param name="name">The service's name, which stays where it is until it was handed over.</param>
    internal RbService ToNative(RbText name) => new()
    {
        Size = (uint)sizeof(RbService),
        Encoding = (uint)service.Encoding,
        Name = name,
        Call = &OnCall,
        Cancel = &OnCancel,
        UserData = Upcalls.Open(this),
        Drop = Upcalls.Drop,
        Flags = service.IsShort ? Rb.ServiceShort : 0,
    };

    internal override void OnFailed(Exception error) => Plugin.OnLogFailed(error);

    /// <summary>Answers with bytes.</summary>
    internal static int Respond(RbResponse* response, ReadOnlySpan<byte> bytes)
    {
        if ((nuint)bytes.Length <= response->Capacity)
        {
            bytes.CopyTo(new Span<byte>(response->Data, bytes.Length));
            response->Len = (nuint)bytes.Length;
            return 0;
        }

        fixed (byte* data = bytes)
        {
            return Native.Respond(response, data, (nuint)bytes.Length);
        }
    }

    /// <summary>Answers when a task has ended, at once if it has.</summary>
    internal int Answer(RbServiceCall* call, RbResponse* response, ValueTask<byte[]> task, CancellationTokenSource cancellation)
    {
        if (task.IsCompleted)
        {
            cancellation.Dispose();
            return Respond(response, task.GetAwaiter().GetResult());
        }

        ulong number;
        int status;
        // So that a cancellation that comes at once finds it.
        lock (_gate)
        {
            // What can fail here fails before the core waits for a reply.
            _pending.EnsureCapacity(_pending.Count + 1);
            status = Native.ServiceDefer(call, &number, response);
            if (status == 0)
            {
                _pending.Add(number, cancellation);
            }
        }

        if (status != 0)
        {
            Cancel(cancellation);
            return status;
        }

        _ = ServiceReplies.Send(this, number, task);
        return Rb.Pending;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnCall(void* userData, RbServiceCall* call, RbResponse* response)
    {
        ServiceTarget? target = null;
        try
        {
            target = Upcalls.Find(userData) as ServiceTarget;
            return target?.Answer(call, response) ?? (int)Status.Unavailable;
        }
        catch (Exception problem)
        {
            target?.Tell(problem);
            return Refuse(response, problem);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnCancel(void* userData, ulong number)
    {
        if (Upcalls.Find(userData) is ServiceTarget target && target.Take(number) is { } cancellation)
        {
            Cancel(cancellation);
        }
    }

    /// <summary>Has the instance's log told of an exception.</summary>
    internal void Tell(Exception problem) => log.Tell(service.Name, problem);

    private static int Refuse(RbResponse* response, Exception problem)
    {
        (int status, byte[] payload) = ErrorPayload.Of(problem);
        _ = Respond(response, payload);
        return status;
    }

    /// <summary>On the pool: what listens to the token is the user's, and this thread the plugin's.</summary>
    private static void Cancel(CancellationTokenSource cancellation) =>
        ThreadPool.UnsafeQueueUserWorkItem(Cancellations.Cancel, cancellation, preferLocal: false);

    /// <summary>Answers a call that's answered later.</summary>
    internal void Reply(ulong number, int status, byte[] payload)
    {
        Take(number)?.Dispose();
        fixed (byte* data = payload)
        {
            // Nobody may wait any more, and then it's refused.
            _ = Native.ServiceReply(number, status, data, (nuint)payload.Length, null);
        }
    }

    private int Answer(RbServiceCall* call, RbResponse* response)
    {
        LentObjects? outer = LentObjects.Suspend();
        try
        {
            ulong number = call->CallContext == null ? 0 : call->CallContext->Op;
            var run = new Run { Target = this, Call = call, Response = response };
            if (CallContext.Of(number) is { } context)
            {
                ExecutionContext.Run(context, static run => ((Run)run!).Answer(), run);
            }
            else
            {
                run.Answer();
            }

            return run.Status;
        }
        finally
        {
            LentObjects.Resume(outer);
        }
    }

    private int Answer(Run run) => service.Answer(this, run.Call, run.Response);

    private CancellationTokenSource? Take(ulong number)
    {
        lock (_gate)
        {
            return _pending.Remove(number, out CancellationTokenSource? cancellation) ? cancellation : null;
        }
    }

    /// <summary>One call of the service's function, for <see cref="ExecutionContext.Run"/>.</summary>
    private sealed class Run
    {
        internal required ServiceTarget Target { get; init; }

        internal required RbServiceCall* Call { get; init; }

        internal required RbResponse* Response { get; init; }

        internal int Status { get; private set; }

        internal void Answer() => Status = Target.Answer(this);
    }
}

/// <summary>Waits for answers that come later.</summary>
internal static class ServiceReplies
{
    /// <summary>Answers a call when a task has ended.</summary>
    internal static async Task Send(ServiceTarget target, ulong number, ValueTask<byte[]> task)
    {
        int status = 0;
        byte[] payload;
        try
        {
            // Null is no answer that a function may give, and without a reply the plugin would wait for good.
            payload = await task.ConfigureAwait(false) ?? [];
        }
        catch (Exception problem)
        {
            target.Tell(problem);
            (status, payload) = ErrorPayload.Of(problem);
        }

        target.Reply(number, status, payload);
    }
}
