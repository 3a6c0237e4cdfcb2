using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using Xunit;

namespace RustBridge.Tests;

public sealed class LogTests
{
    private static readonly TimeSpan Enough = TimeSpan.FromSeconds(20);

    private readonly ConcurrentQueue<LogRecord> _records = new();

    [Fact]
    public void Records_arrive_in_order_with_their_fields()
    {
        DateTimeOffset start = DateTimeOffset.UtcNow.AddSeconds(-1);
        using Plugin plugin = TestPlugins.LoadConformance(
            new PluginConfig { Log = _records.Enqueue, LogLevel = PluginLogLevel.Debug, Name = "logger" });
        plugin.Call("log.emit", """{"level":"WARN","message":"grüß","count":3}""");
        plugin.FlushLogs(Enough);
        LogRecord[] records = [.. _records.Where(record => record.Target == "conformance::cases")];
        Assert.Equal([0, 1, 2], records.Select(record => record.Fields["n"].GetInt32()));
        LogRecord first = records[0];
        Assert.Equal((PluginLogLevel.Warn, "grüß", "logger", false), (first.Level, first.Message, first.Instance, first.IsSpan));
        Assert.True(first.Fields["flag"].GetBoolean());
        Assert.Equal("größer 🦀", first.Fields["text"].GetString());
        Assert.Equal(["flag", "n", "text"], first.Fields.Keys);
        Assert.Equal("""{"flag":true,"n":0,"text":"größer 🦀"}""", first.FieldsJson);
        Assert.InRange(first.Time, start, DateTimeOffset.UtcNow.AddSeconds(1));
        Assert.Equal(TimeSpan.Zero, first.Duration);
        Assert.EndsWith(".rs", first.File, StringComparison.Ordinal);
        Assert.True(first.Line > 0);
        Assert.Contains("Warn logger conformance::cases: grüß {", first.ToString(), StringComparison.Ordinal);
        Assert.Empty(first.Spans);
    }

    [Fact]
    public void What_create_logs_waits_for_nothing_and_has_the_instances_name()
    {
        var threads = new ConcurrentQueue<(string Instance, int Thread)>();
        var config = new PluginConfig
        {
            Json = """{"log":true}""",
            Log = record => threads.Enqueue((record.Instance, Environment.CurrentManagedThreadId)),
        };
        string fault = TestPlugins.File("fault_plugin");
        using (Plugin plugin = Plugin.Load(fault, config))
        {
            plugin.FlushLogs(Enough);
        }

        Assert.Throws<PluginException>(() => Plugin.Load(fault, config with { Json = """{"log":true,"create":"error"}""" }));
        Assert.True(threads.Count >= 2);
        Assert.All(threads, record => Assert.Equal("fault", record.Instance));
        Assert.DoesNotContain(Environment.CurrentManagedThreadId, threads.Select(record => record.Thread));
    }

    [Fact]
    public void Spans_are_told_of()
    {
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _records.Enqueue });
        plugin.Call("log.spans", """{"outer":"o","inner":7}""");
        plugin.FlushLogs(Enough);
        LogRecord innermost = _records.Single(record => record.Message == "innermost");
        Assert.Equal(["outer", "inner"], innermost.Spans.Select(span => span.Name));
        Assert.Equal("o", innermost.Spans[0].Fields["name"].GetString());
        Assert.Equal(7, innermost.Spans[1].Fields["number"].GetInt32());
        Assert.Equal("conformance", innermost.Instance);
    }

    [Fact]
    public void Levels_decide_what_is_made()
    {
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _records.Enqueue });
        Assert.Equal(PluginLogLevel.Info, plugin.LogLevel);
        Assert.Equal("""{"ERROR":true,"WARN":true,"INFO":true,"DEBUG":false,"TRACE":false}""", plugin.Call("log.enabled", "null"));
        plugin.LogLevel = PluginLogLevel.Trace;
        Assert.Equal(PluginLogLevel.Trace, plugin.LogLevel);
        Assert.Equal("""{"ERROR":true,"WARN":true,"INFO":true,"DEBUG":true,"TRACE":true}""", plugin.Call("log.enabled", "null"));
        plugin.LogLevel = PluginLogLevel.Off;
        Assert.Equal("""{"ERROR":false,"WARN":false,"INFO":false,"DEBUG":false,"TRACE":false}""", plugin.Call("log.enabled", "null"));
        using Plugin quiet = TestPlugins.LoadConformance();
        Assert.Equal(PluginLogLevel.Off, quiet.LogLevel);
    }

    [Fact]
    public void A_replaced_sink_gets_nothing_any_more()
    {
        var later = new ConcurrentQueue<LogRecord>();
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _records.Enqueue });
        Emit(plugin, "first");
        plugin.FlushLogs(Enough);
        plugin.SetLogSink(later.Enqueue);
        Emit(plugin, "second");
        plugin.FlushLogs(Enough);
        plugin.SetLogSink(null);
        Emit(plugin, "third");
        plugin.FlushLogs(Enough);
        Assert.DoesNotContain(_records, record => record.Message is "second" or "third");
        Assert.Equal(["second"], later.Select(record => record.Message).Where(message => message is "first" or "second" or "third"));
    }

    [Fact]
    public void A_sink_that_throws_gets_the_next_record_all_the_same()
    {
        var failures = new ConcurrentQueue<Exception>();
        void Report(Exception error)
        {
            failures.Enqueue(error);
            throw new InvalidOperationException("the listener fails, too");
        }

        Plugin.LogFailed += Report;
        try
        {
            using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig
            {
                Log = record =>
                {
                    _records.Enqueue(record);
                    throw new InvalidOperationException("the sink fails");
                },
            });
            Emit(plugin, "one");
            Emit(plugin, "two");
            plugin.FlushLogs(Enough);
            Assert.Equal(["one", "two"], _records.Select(record => record.Message).Where(message => message is "one" or "two"));
            Assert.Contains(failures, failure => failure.Message == "the sink fails");
        }
        finally
        {
            Plugin.LogFailed -= Report;
        }
    }

    [Fact]
    public void A_sink_may_call_the_plugin_that_logs()
    {
        Plugin? self = null;
        using var answered = new ManualResetEventSlim();
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig
        {
            Log = record =>
            {
                if (record.Message == "now" && Volatile.Read(ref self) is { } logging)
                {
                    Assert.Equal("""{"value":1}""", logging.Call("number.i64", """{"value":1}"""));
                    Assert.Equal(Status.DeadlineExceeded, Assert.Throws<PluginException>(() => logging.FlushLogs(Enough)).Status);
                    answered.Set();
                }
            },
        });
        Volatile.Write(ref self, plugin);
        Emit(plugin, "now");
        Assert.True(answered.Wait(Enough));
    }

    [Fact]
    public void A_sink_may_close_the_plugin_that_logs()
    {
        Plugin? self = null;
        using var closed = new ManualResetEventSlim();
        Plugin plugin = TestPlugins.LoadConformance(new PluginConfig
        {
            Log = record =>
            {
                if (record.Message == "now")
                {
                    Volatile.Read(ref self)!.Close();
                    closed.Set();
                }
            },
        });
        Volatile.Write(ref self, plugin);
        Emit(plugin, "now");
        Assert.True(closed.Wait(Enough));
        plugin.Dispose();
        Assert.Equal(PluginState.Closed, plugin.State);
    }

    [Fact]
    public void Closing_delivers_what_was_logged()
    {
        using (Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _records.Enqueue }))
        {
            plugin.Call("log.emit", """{"level":"ERROR","message":"m","count":500}""");
        }

        Assert.Equal(500, _records.Count(record => record.Message == "m"));
    }

    [Fact]
    public void A_sink_is_forgotten_when_its_plugin_is_closed()
    {
        WeakReference sink = LogOnceAndClose();
        for (int i = 0; sink.IsAlive && i < 100; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(5);
        }

        Assert.False(sink.IsAlive);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference LogOnceAndClose()
    {
        var records = new ConcurrentQueue<LogRecord>();
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = records.Enqueue });
        Emit(plugin, "once");
        return new WeakReference(records);
    }

    private static void Emit(Plugin plugin, string message) =>
        plugin.Call("log.emit", $$"""{"level":"INFO","message":"{{message}}","count":1}""");
}
