using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

public sealed class CollectorTests
{
    [Fact]
    public async Task Memory_that_the_collector_would_move_stays_put_during_calls()
    {
        using Plugin conformance = TestPlugins.LoadConformance();
        Method leaf = conformance.Method("raw.leaf", PluginEncoding.Raw);
        Method ordinary = conformance.Method("raw.echo", PluginEncoding.Raw);
        Method big = conformance.Method("pod.big", PluginEncoding.Pod);
        Method json = conformance.Method("types.value");
        using var stop = new CancellationTokenSource();
        Task collector = Task.Factory.StartNew(
            () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    GC.Collect(1, GCCollectionMode.Forced, blocking: true, compacting: true);
                    Thread.Yield();
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        Parallel.For(0, 3_000, number =>
        {
            // New arrays each time, with garbage before them to be moved over.
            byte[] request = Garbage(number), response = Garbage(number);
            response.AsSpan().Clear();
            Method method = number % 2 == 0 ? leaf : ordinary;
            Assert.Equal(request.Length, method.CallRaw(request, response));
            Assert.True(request.AsSpan().SequenceEqual(response));
            Assert.True(request.AsSpan().SequenceEqual(method.CallRawBytes(request)));
            var holder = new Holder();
            holder.Request.Tag = (uint)number;
            BigAnswer answer = big.CallRaw<Big, BigAnswer>(in holder.Request);
            Assert.Equal(((uint)number, (uint)number), (answer.Tag, answer.Values[65]));
            Assert.Equal($"[{number}]", json.Call($"[{number}]"));
        });
        stop.Cancel();
        await collector;
    }

    private static byte[] Garbage(int number)
    {
        _ = Enumerable.Range(0, number % 7).Select(length => new byte[length * 100]).ToArray();
        var bytes = new byte[1 + (number % 500)];
        bytes.AsSpan().Fill((byte)number);
        return bytes;
    }

    /// <summary>Has a struct on the heap, so that a reference to it points into an object that moves.</summary>
    private sealed class Holder
    {
        internal Big Request;
    }
}
