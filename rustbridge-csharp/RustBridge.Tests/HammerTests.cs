using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Many calls at once that are cancelled, closed and collected at random: each ends exactly once, and nothing stays behind.</summary>
public sealed class HammerTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task Every_call_ends_once()
    {
        for (int round = 0; round < 4; round++)
        {
            Plugin plugin = TestPlugins.LoadOperations();
            var ended = new int[5];
            Task[] callers = [.. Enumerable.Range(0, 4).Select(caller => Task.Run(() => Hammer(plugin, (7 * caller) + round, ended)))];
            if (round == 3)
            {
                await Task.Delay(50);
                plugin.Close(Limit, cancelAfter: TimeSpan.FromMilliseconds(1));
            }

            await Task.WhenAll(callers).WaitAsync(Limit);
            Assert.Equal(4 * 2500, ended.Sum());
            plugin.Close(Limit, cancelAfter: TimeSpan.Zero);
        }

        await ChildProcess.Succeeds<LeavesNothing>();
    }

    private static async Task Hammer(Plugin plugin, int seed, int[] ended)
    {
        var random = new Random(seed);
        var calls = new List<Task>();
        for (int i = 0; i < 2500; i++)
        {
            calls.Add(One(plugin, random.Next(), ended));
            if (calls.Count == 64)
            {
                await Task.WhenAll(calls);
                calls.Clear();
            }

            if (i % 500 == 0)
            {
                GC.Collect();
            }
        }

        await Task.WhenAll(calls);
    }

    private static async Task One(Plugin plugin, int choice, int[] ended)
    {
        using var source = new CancellationTokenSource();
        bool isNever = choice % 5 == 0;
        try
        {
            ValueTask<string> call = isNever
                ? plugin.CallAsync("async.never", "null", source.Token)
                : plugin.CallAsync("async.later", $$"""{"text":"{{choice}}"}""", source.Token);
            if (isNever || choice % 3 == 0)
            {
                if (choice % 2 == 0)
                {
                    await Task.Yield();
                }

                await source.CancelAsync();
            }

            Assert.Equal($$"""{"text":"{{choice}}"}""", await call);
            Interlocked.Increment(ref ended[0]);
        }
        catch (OperationCanceledException cancelled)
        {
            Assert.Equal(source.Token, cancelled.CancellationToken);
            Interlocked.Increment(ref ended[1]);
        }
        catch (PluginException error)
        {
            Interlocked.Increment(ref ended[error.Status switch { Status.Unavailable => 2, Status.Cancelled => 3, _ => 4 }]);
        }
    }

    /// <summary>Looks at the table of operations, which other tests would have entries in.</summary>
    internal sealed class LeavesNothing : IScenario
    {
        public async Task Run()
        {
            using Plugin plugin = TestPlugins.LoadOperations();
            for (int i = 0; i < 1000; i++)
            {
                using var source = new CancellationTokenSource();
                ValueTask<string> call = plugin.CallAsync("async.never", "null", source.Token);
                await source.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await call);
                await foreach (ulong _ in plugin.Method("stream.ticks").StreamAsync<object, ulong>(new { to = 3 }))
                {
                    break;
                }

                // Nobody awaits it.
                _ = plugin.CallAsync("async.later", """{"text":"x"}""").AsTask();
            }

            Waiting.For("an empty table", () => Operation.Count == 0);
            plugin.Close(TimeSpan.FromSeconds(60));
        }
    }

    /// <summary>Ends with much that is pending, in every state.</summary>
    internal sealed class EndsWhilePending : IScenario
    {
        public async Task Run()
        {
            Plugin plugin = TestPlugins.LoadOperations(new PluginConfig
            {
                Services = [PluginService.JsonAsync<long, long>("prices.quote", async (id, _) =>
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan);
                    return id;
                })],
            });
            for (int i = 0; i < 100; i++)
            {
                _ = plugin.CallAsync("async.never", "null").AsTask();
                _ = plugin.CallAsync("async.later", """{"text":"x"}""").AsTask();
                _ = plugin.CallAsync("service.quote", "1").AsTask();
                IAsyncEnumerator<ulong> ticks = plugin.Method("stream.ticks")
                    .StreamAsync<object, ulong>(new { to = 1_000_000_000 }).GetAsyncEnumerator();
                await ticks.MoveNextAsync();
            }
        }
    }

    [Fact]
    public Task A_process_ends_while_calls_are_pending() => ChildProcess.Succeeds<EndsWhilePending>();
}
