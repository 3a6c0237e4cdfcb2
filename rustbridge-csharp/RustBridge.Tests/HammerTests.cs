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
    /// <summary>What one caller calls in a round; all of them together 10,000 times, and in a soak a million times.</summary>
    private const int Calls = 625;

    private const int Callers = 4;

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    private static int Rounds => 4 * ChildProcess.Soak;

    [Fact]
    public async Task Every_call_ends_once()
    {
        var random = new Random(5);
        for (int round = 0; round < Rounds; round++)
        {
            Plugin plugin = TestPlugins.LoadOperations();
            var ended = new int[5];
            int seed = random.Next();
            Task[] callers = [.. Enumerable.Range(0, Callers).Select(caller => Task.Run(() => Hammer(plugin, seed + caller, ended)))];
            if (round % 2 == 1)
            {
                await Task.Delay(random.Next(50));
                plugin.Close(Limit, cancelAfter: TimeSpan.FromMilliseconds(1));
            }

            await Task.WhenAll(callers).WaitAsync(Limit);
            Assert.Equal(Callers * Calls, ended.Sum());
            plugin.Close(Limit, cancelAfter: TimeSpan.Zero);
        }
    }

    [Fact]
    public Task Calls_that_are_over_leave_nothing() => ChildProcess.Succeeds<LeavesNothing>();

    private static async Task Hammer(Plugin plugin, int seed, int[] ended)
    {
        var random = new Random(seed);
        var calls = new List<Task>();
        for (int i = 0; i < Calls; i++)
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
            for (int i = 0; i < 1000 * ChildProcess.Soak; i++)
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

            // A call that's answered before it could pend, as on a busy machine one may be, is kept by its thread with its number, for the next.
            Waiting.For("a table of what threads keep", () => Operation.Count < 50);
            plugin.Close(TimeSpan.FromSeconds(60));
        }
    }

    /// <summary>Begins calls that are answered at once on threads that end then.</summary>
    internal sealed class ThreadsLeaveNothing : IScenario
    {
        public Task Run()
        {
            using Plugin plugin = TestPlugins.LoadOperations();
            Method now = plugin.Method("async.now");
            for (int i = 0; i < 40; i++)
            {
                var thread = new Thread(() => Assert.True(now.CallAsync("""{"text":"x"}""").AsTask().IsCompletedSuccessfully));
                thread.Start();
                Assert.True(thread.Join(Waiting.Long));
            }

            Assert.NotEqual(0, Operation.Count);
            Waiting.For("an empty table", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Operation.Count == 0;
            });
            return Task.CompletedTask;
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
    public Task Threads_that_are_gone_leave_nothing() => ChildProcess.Succeeds<ThreadsLeaveNothing>();

    [Fact]
    public Task A_process_ends_while_calls_are_pending() => ChildProcess.Succeeds<EndsWhilePending>();
}
