using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Events as the drainer takes them, with what no plugin sends.</summary>
public sealed class EventTests
{
    // What native code calls has no place for an instance.
    private static int _released;

    [Fact]
    public async Task What_an_event_brings_is_given_back_if_it_cannot_be_taken()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Task<string> answer = TakeTooMany(plugin.Method("async.later"));
        await Assert.ThrowsAsync<OverflowException>(() => answer.WaitAsync(Waiting.Long));
        Assert.Equal(3, _released);
    }

    /// <summary>Ends a call with a response, trailers, and more objects than an array can hold.</summary>
    private static unsafe Task<string> TakeTooMany(Method method)
    {
        var call = PendingCall<string, TextAnswer>.Rent(method, default, null, CancellationToken.None);
        Task<string> answer = call.Pend(0).AsTask();
        RbEvent told = new() { Size = (uint)sizeof(RbEvent), Kind = Rb.EventDone };
        told.Response = told.Reply.Trailers = HandedOver(4);
        told.Reply.Objects = HandedOver(nuint.MaxValue / 2);
        call.Take(&told);
        return answer;
    }

    private static unsafe RbResponse HandedOver(nuint length)
    {
        delegate* unmanaged[Cdecl]<RbResponse*, void> release = &Release;
        return new RbResponse { Data = (byte*)Unsafe.AsPointer(ref _released), Len = length, Release = release };
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static unsafe void Release(RbResponse* response) => Interlocked.Increment(ref _released);
}
