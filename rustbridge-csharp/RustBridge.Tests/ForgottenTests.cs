// Forgetting what should be awaited is what these are about.
#pragma warning disable CA2012
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;
using Json = RustBridge.Tests.OperationMessages;

namespace RustBridge.Tests;

/// <summary>What a program begins and forgets, while the collector runs all the time: in the end nothing of it is left.</summary>
public sealed class ForgottenTests
{
    /// <summary>A collection after each 256 KiB.</summary>
    private static readonly Dictionary<string, string?> SmallGeneration = new() { ["DOTNET_GCgen0size"] = "40000" };

    [Fact]
    public Task What_is_forgotten_leaves_nothing() => ChildProcess.Succeeds<Forgets>(SmallGeneration);

    internal sealed class Forgets : IScenario
    {
        public async Task Run()
        {
            using Plugin plugin = TestPlugins.LoadOperations();
            using var stop = new CancellationTokenSource();
            Task<bool> collector = Waiting.OnThread(() => Collect(stop.Token));
            // What is kept for a thread's next call goes with the thread.
            Task<bool> forgetting = Waiting.OnThread(() => ForgetAll(plugin));
            Assert.True(await forgetting.WaitAsync(Waiting.Long * ChildProcess.Soak));
            await stop.CancelAsync();
            Assert.True(await collector.WaitAsync(Waiting.Long));
            Waiting.For("an empty ledger", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Operation.Count == 0 && Ledger() == (0, 0) && plugin.Call("counter.alive", "null") == "0";
            });
            plugin.Close(Waiting.Long);
        }

        private static bool ForgetAll(Plugin plugin)
        {
            for (int i = 0; i < 1000 * ChildProcess.Soak; i++)
            {
                Forget(plugin, i);
                if (i % 64 == 0)
                {
                    // So that the finalizers keep up with what is forgotten.
                    Thread.Sleep(1);
                }
            }

            return true;
        }

        /// <summary>One thing of each kind; a call and a stream that would never end by themselves among them.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void Forget(Plugin plugin, int number)
        {
            _ = plugin.CallAsync("async.later", """{"text":"x"}""");
            _ = plugin.CallAsync("counter.open_later", (long)number, Json.Default.Int64, Json.Default.PluginObject);
            _ = plugin.Call("counter.open", (long)number, Json.Default.Int64, Json.Default.PluginObject, CallOptions.Default);
            _ = plugin.Method("async.fill", PluginEncoding.Raw).CallRawZeroCopyAsync(Encoding.ASCII.GetBytes("20000"));
            _ = plugin.Method("counter.stream").StreamAsync(10L, Json.Default.Int64, Json.Default.PluginObject).GetAsyncEnumerator().MoveNextAsync();
            _ = plugin.Method("stream.ticks").StreamAsync<object, ulong>(new { to = 1_000_000_000 }).GetAsyncEnumerator().MoveNextAsync();
            using var source = new CancellationTokenSource();
            _ = plugin.CallAsync("async.never", "null", source.Token);
            source.Cancel();
        }

        private static bool Collect(CancellationToken stop)
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect(1, GCCollectionMode.Forced, blocking: true, compacting: true);
                Thread.Sleep(1);
            }

            return true;
        }

        /// <summary>What the core has of the one instance: what runs, and how many objects there are.</summary>
        private static (int Running, int Objects) Ledger()
        {
            using JsonDocument ledger = JsonDocument.Parse(Plugin.Inspect());
            JsonElement instance = ledger.RootElement.GetProperty("instances").EnumerateArray().Single();
            return (instance.GetProperty("in_flight").GetInt32(), instance.GetProperty("objects").GetInt32());
        }
    }
}
