using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Log sinks that do what they shouldn't: no call suffers, and nothing crosses native frames.</summary>
public sealed class SinkTests
{
    public static readonly TheoryData<string> Exceptions = ["ordinary", "out of memory", "without a message", "cancelled", "of the plugin's"];

    [Theory]
    [MemberData(nameof(Exceptions))]
    public void Whatever_a_sink_throws_costs_its_record_alone(string kind)
    {
        int seen = 0;
        using Plugin plugin = Listening(_ =>
        {
            if (Interlocked.Increment(ref seen) != 3)
            {
                throw Odd(kind);
            }
        });
        Flood(plugin, 5);
        plugin.FlushLogs(Waiting.Long);
        Assert.Equal(5, seen);
        Assert.Equal("""{"n":1}""", plugin.Call("count", "null"));
        Assert.Equal(PluginState.Active, plugin.State);
    }

    [Fact]
    public void A_sink_that_blocks_holds_no_call_up()
    {
        using var gate = new ManualResetEventSlim();
        int seen = 0;
        Plugin plugin = Listening(_ =>
        {
            Interlocked.Increment(ref seen);
            gate.Wait();
        });
        for (int number = 1; number <= 100; number++)
        {
            Flood(plugin, 1);
            Assert.Equal($$"""{"n":{{number}}}""", plugin.Call("count", "null"));
        }

        Assert.InRange(Volatile.Read(ref seen), 0, 1);
        TimeSpan brief = TimeSpan.FromMilliseconds(5);
        Assert.Equal(Status.DeadlineExceeded, Assert.Throws<PluginException>(() => plugin.FlushLogs(brief)).Status);
        Assert.Equal(Status.DeadlineExceeded, Assert.Throws<PluginException>(() => plugin.Close(brief)).Status);
        Assert.Equal(PluginState.Closing, plugin.State);
        gate.Set();
        plugin.Close(Waiting.Long);
        Assert.Equal(100, seen);
        Assert.Equal(PluginState.Closed, plugin.State);
    }

    [Fact]
    public void A_sink_that_blocks_holds_no_other_instance_up()
    {
        using var gate = new ManualResetEventSlim();
        int seen = 0;
        using Plugin stuck = Listening(_ => gate.Wait());
        using Plugin free = Listening(_ => Interlocked.Increment(ref seen));
        Flood(stuck, 3);
        Flood(free, 3);
        free.FlushLogs(Waiting.Long);
        Assert.Equal(3, seen);
        gate.Set();
    }

    [Fact]
    public void A_sink_may_call_its_plugin_and_change_its_logging()
    {
        Plugin? self = null;
        var answers = new ConcurrentQueue<string>();
        using var done = new ManualResetEventSlim();
        using Plugin plugin = Listening(_ =>
        {
            Plugin own = Volatile.Read(ref self)!;
            answers.Enqueue(own.Call("count", "null"));
            answers.Enqueue(Failure(() => own.Call("error.call", """{"message":"inside","bytes":5}""")));
            using (RawResponse lease = own.CallRawZeroCopy("raw.echo", new byte[10_000]))
            {
                answers.Enqueue($"{lease.Length}");
            }

            own.LogLevel = PluginLogLevel.Off;
            own.SetLogSink(_ => answers.Enqueue("another"));
            done.Set();
        });
        Volatile.Write(ref self, plugin);
        Flood(plugin, 1);
        Assert.True(done.Wait(Waiting.Long));
        Assert.Equal(["""{"n":1}""", "inside", "10000"], answers);
        Assert.Equal(PluginLogLevel.Off, plugin.LogLevel);
        plugin.LogLevel = PluginLogLevel.Info;
        Flood(plugin, 1);
        plugin.FlushLogs(Waiting.Long);
        Assert.Equal("another", answers.Last());
    }

    [Fact]
    public void A_sink_may_load_and_close_other_plugins()
    {
        var answers = new ConcurrentQueue<string>();
        using Plugin plugin = Listening(_ =>
        {
            using Plugin inner = TestPlugins.LoadHello();
            answers.Enqueue(inner.Call("math.add", """{"a":1,"b":2}"""));
        });
        Flood(plugin, 2);
        plugin.FlushLogs(Waiting.Long);
        Assert.Equal(["""{"result":3}""", """{"result":3}"""], answers);
    }

    [Fact]
    public void A_sink_may_close_its_own_plugin_in_every_way()
    {
        for (int round = 0; round < 60; round++)
        {
            Plugin? self = null;
            Exception? wrong = null;
            int way = round % 3;
            using var set = new ManualResetEventSlim();
            using var done = new ManualResetEventSlim();
            Plugin plugin = Listening(_ =>
            {
                if (done.IsSet)
                {
                    return;
                }

                try
                {
                    set.Wait();
                    CloseIn(way, self!);
                }
                catch (PluginException problem)
                {
                    wrong = problem;
                }

                done.Set();
            });
            self = plugin;
            Flood(plugin, 3);
            set.Set();
            Assert.True(done.Wait(Waiting.Long));
            Assert.Null(wrong);
            Waiting.For("the end", () => plugin.State == PluginState.Closed);
            plugin.Dispose();
        }
    }

    [Fact]
    public async Task Sinks_are_replaced_while_records_come()
    {
        var tags = new ConcurrentBag<int>();
        using Plugin plugin = Listening(_ => tags.Add(-1));
        Task<bool> logging = Waiting.OnThread(() =>
        {
            for (int round = 0; round < 300; round++)
            {
                Flood(plugin, 10);
            }

            return true;
        });
        for (int tag = 0; tag < 300; tag++)
        {
            int current = tag;
            plugin.SetLogSink(_ => tags.Add(current));
            // The old one isn't called any more when it returns, so nothing of before may come now.
            tags.Clear();
            Thread.Yield();
            Assert.DoesNotContain(tags, other => other != current);
        }

        await logging;
    }

    [Fact]
    public void A_sink_of_create_may_throw_too()
    {
        var messages = new ConcurrentQueue<string>();
        using Plugin plugin = Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig
        {
            Json = """{"log":true}""",
            Log = record =>
            {
                messages.Enqueue($"{record.Instance}: {record.Message}");
                throw new InvalidOperationException("in create");
            },
        });
        plugin.FlushLogs(Waiting.Long);
        Assert.Equal(["fault: in create"], messages);
    }

    [Fact]
    public async Task A_sink_that_is_too_slow_costs_records_and_no_call()
    {
        using var gate = new ManualResetEventSlim();
        var messages = new ConcurrentQueue<string>();
        using Plugin plugin = Listening(record =>
        {
            messages.Enqueue(record.Message);
            gate.Wait();
        });
        Flood(plugin, 10_000);
        await Task.Run(() => plugin.Call("count", "null"));
        gate.Set();
        plugin.FlushLogs(Waiting.Long);
        Assert.Contains(messages, message => message != "flood");
        Assert.InRange(messages.Count, 4_000, 5_000);
    }

    [Fact]
    public void A_log_keeps_as_many_records_as_it_was_told_to()
    {
        using var taken = new ManualResetEventSlim();
        using var gate = new ManualResetEventSlim();
        var messages = new ConcurrentQueue<string>();
        var config = new PluginConfig
        {
            LogCapacity = 16,
            Log = record =>
            {
                messages.Enqueue(record.Message);
                taken.Set();
                gate.Wait();
            },
        };
        using Plugin plugin = Plugin.Load(TestPlugins.File("fault_plugin"), config);
        Flood(plugin, 1);
        Assert.True(taken.Wait(Waiting.Long));
        Flood(plugin, 1_000);
        gate.Set();
        plugin.FlushLogs(Waiting.Long);
        Assert.Equal(17, messages.Count(message => message == "flood"));
        Assert.Contains(messages, message => message.Contains("984", StringComparison.Ordinal));
        Assert.Throws<ArgumentOutOfRangeException>(() => Plugin.Load(TestPlugins.Hello, new PluginConfig { LogCapacity = -1 }));
    }

    private static void CloseIn(int way, Plugin plugin)
    {
        switch (way)
        {
            case 0:
                plugin.Close();
                break;
            case 1:
                plugin.Dispose();
                break;
            default:
                // It waits for this sink, so nobody may wait for it here.
                _ = plugin.DisposeAsync().AsTask();
                break;
        }
    }

    private static string Failure(Action act) => Assert.Throws<PluginException>(act).Message;

    private static Plugin Listening(Action<LogRecord> sink) =>
        Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig { Log = sink });

    private static void Flood(Plugin plugin, int count) => plugin.Call("log.flood", $$"""{"n":{{count}}}""");

    private static Exception Odd(string kind) => kind switch
    {
        "ordinary" => new InvalidOperationException("a bad sink"),
        "out of memory" => new InsufficientMemoryException("made up"),
        "without a message" => new SilentException(),
        "cancelled" => new OperationCanceledException(),
        "of the plugin's" => new PluginException(Status.Ok, "not so"),
        _ => throw new KeyNotFoundException(kind),
    };

    private sealed class SilentException : Exception
    {
        public override string Message => throw new InvalidOperationException("even the message fails");
    }
}
