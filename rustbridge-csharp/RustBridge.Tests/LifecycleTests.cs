using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

public sealed class LifecycleTests
{
    [Fact]
    public void A_plugin_is_loaded_from_a_file_or_from_bytes()
    {
        using Plugin file = Plugin.Load(TestPlugins.Hello);
        using Plugin bytes = Plugin.Load(File.ReadAllBytes(TestPlugins.Hello), new PluginConfig { Name = "from bytes" });
        Assert.Equal(("hello", "from bytes"), (file.Name, bytes.Name));
        Assert.NotEqual(file.Handle, bytes.Handle);
        Assert.Equal(file.Call("echo", """{"message":""}"""), bytes.Call("echo", """{"message":""}"""));
        Assert.Equal("hello (Active)", file.ToString());
    }

    [Fact]
    public void Configuration_reaches_the_plugin_as_text_or_object()
    {
        using Plugin text = TestPlugins.LoadHello(new PluginConfig { Json = """{"first_user":255}""" });
        using Plugin typed = TestPlugins.LoadHello(PluginConfig.Of(new HelloConfig(255), TestJson.Default.HelloConfig));
        using Plugin bytes = TestPlugins.LoadHello(new PluginConfig { Utf8Json = """{"first_user":255}"""u8.ToArray() });
        foreach (Plugin plugin in new[] { text, typed, bytes })
        {
            Assert.Contains("user-000000ff", plugin.Call("user.create", """{"username":"a","email":"b"}"""), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_description_says_what_there_is()
    {
        using Plugin hello = TestPlugins.LoadHello();
        PluginDescription description = hello.Describe();
        Assert.Equal("hello", description.Name);
        Assert.Same(description, hello.Describe());
        EntryDescription add = description.Method("math.add")!.Entry(PluginEncoding.Pod)!;
        Assert.True(add.IsLeaf);
        Assert.Equal(("Add", 16L, 8L), (add.Request.Layout!.Type, add.Request.Layout.Size, add.Request.Layout.Align));
        Assert.Equal(new FieldDescription("b", "i64", 8, 8), add.Request.Layout.Fields[1]);
        Assert.Equal(1u, description.Methods.Single(method => method.Id == 1).Id);
        Assert.NotNull(description.Method("greet")!.Entry(PluginEncoding.Json)!.Request.Schema);
        Assert.Null(description.Method("greet")!.Entry(PluginEncoding.Pod));
        Assert.Null(description.Method("no.such"));
        Assert.Equal(description.Json, hello.DescribeJson());
    }

    [Fact]
    public void The_ledger_and_the_version_can_be_read()
    {
        using Plugin hello = TestPlugins.LoadHello(new PluginConfig { Name = "in the ledger" });
        Assert.Contains("in the ledger", Plugin.Inspect(), StringComparison.Ordinal);
        using JsonDocument ledger = JsonDocument.Parse(Plugin.Inspect());
        Assert.Equal(3, Plugin.NativeVersion.Split('.').Length);
    }

    [Fact]
    public void A_closed_plugin_refuses_everything_but_closing()
    {
        Plugin hello = TestPlugins.LoadHello();
        Method add = hello.Method("math.add", PluginEncoding.Pod);
        Method echo = hello.Method("echo");
        add.CallRaw<Add, Sum>(new Add(1, 2));
        hello.Dispose();
        hello.Dispose();
        hello.Close();
        hello.Close(TimeSpan.Zero);
        Assert.Equal(PluginState.Closed, hello.State);
        Assert.Equal("hello (Closed)", hello.ToString());
        Action[] uses =
        [
            () => add.CallRaw<Add, Sum>(new Add(1, 2)),
            () => echo.Call("{}"),
            () => echo.Call("{}"u8),
            () => hello.Call("greet", "{}"),
            () => hello.CallRawZeroCopy("math.add", new byte[16]),
            () => hello.Method("echo"),
            () => hello.DescribeJson(),
            () => hello.LogLevel = PluginLogLevel.Debug,
            () => hello.SetLogSink(null),
            () => hello.SetLogSink(_ => { }),
            () => hello.FlushLogs(TimeSpan.Zero),
        ];
        foreach (Action use in uses)
        {
            Assert.Equal(Status.Unavailable, Assert.Throws<PluginException>(use).Status);
        }
    }

    [Fact]
    public async Task Disposing_of_it_asynchronously_closes_it_too()
    {
        Plugin hello = TestPlugins.LoadHello();
        await using (hello)
        {
            Assert.Equal(PluginState.Active, hello.State);
        }

        await hello.DisposeAsync();
        Assert.Equal(PluginState.Closed, hello.State);
    }

    [Fact]
    public async Task Closing_waits_for_the_calls_that_run()
    {
        Plugin hello = TestPlugins.LoadHello(new PluginConfig { Name = "waited for" });
        Task<string>[] calls = [.. Enumerable.Range(0, 5).Select(_ => Waiting.OnThread(() => hello.Call("test.sleep", """{"duration_ms":300}""")))];
        WaitForCalls(hello, 5);
        PluginException late = Assert.Throws<PluginException>(() => hello.Close(TimeSpan.FromMilliseconds(1)));
        Assert.Equal(Status.DeadlineExceeded, late.Status);
        Assert.Equal(PluginState.Closing, hello.State);
        Assert.Equal(Status.Unavailable, Assert.Throws<PluginException>(() => hello.Call("echo", "{}")).Status);
        hello.Dispose();
        Assert.Equal(PluginState.Closed, hello.State);
        foreach (Task<string> call in calls)
        {
            Assert.Equal("""{"slept_ms":300}""", await call);
        }
    }

    [Fact]
    public async Task Disposing_while_five_threads_call_ends_each_call_one_way_or_the_other()
    {
        for (int round = 0; round < 20; round++)
        {
            Plugin hello = TestPlugins.LoadHello();
            Method add = hello.Method("math.add", PluginEncoding.Pod);
            Method echo = hello.Method("echo");
            using var started = new CountdownEvent(5);
            Task<long>[] callers =
                [.. Enumerable.Range(0, 5).Select(number => Waiting.OnThread(() => CallUntilClosed(add, echo, number, started)))];
            Assert.True(started.Wait(Waiting.Long));
            Parallel.Invoke(hello.Dispose, hello.Dispose);
            foreach (Task<long> caller in callers)
            {
                Assert.True(await caller > 0);
            }
        }
    }

    [Fact]
    public async Task A_thousand_plugins_are_disposed_of_under_the_hands_of_five_callers()
    {
        var current = new Shared(TestPlugins.LoadHello());
        using var stop = new CancellationTokenSource();
        Task<long>[] callers =
            [.. Enumerable.Range(0, 5).Select(number => Waiting.OnThread(() => CallWhateverIsThere(() => Volatile.Read(ref current), number, stop.Token)))];
        for (int round = 0; round < 1_000; round++)
        {
            Shared old = current;
            var spin = default(SpinWait);
            while (Volatile.Read(ref old.Calls) < 5)
            {
                Assert.DoesNotContain(callers, caller => caller.IsCompleted);
                spin.SpinOnce(sleep1Threshold: -1);
            }

            if (round % 2 == 0)
            {
                old.Plugin.Dispose();
            }
            else
            {
                await old.Plugin.DisposeAsync();
            }

            Assert.Equal(PluginState.Closed, old.Plugin.State);
            Volatile.Write(ref current, new Shared(TestPlugins.LoadHello()));
        }

        stop.Cancel();
        long calls = 0;
        foreach (Task<long> caller in callers)
        {
            calls += await caller;
        }

        current.Plugin.Dispose();
        Assert.True(calls >= 5_000, $"{calls} calls");
    }

    [Fact]
    public void A_plugin_that_is_dropped_is_closed_and_reported()
    {
        var reports = new ConcurrentQueue<string>();
        void Report(string report) => reports.Enqueue(report);
        Plugin.Dropped += Report;
        try
        {
            Drop("dropped by a test");
            Waiting.For("the report of the drop", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return reports.Any(report => report.Contains("dropped by a test", StringComparison.Ordinal));
            });
            Assert.DoesNotContain("dropped by a test", Plugin.Inspect(), StringComparison.Ordinal);
        }
        finally
        {
            Plugin.Dropped -= Report;
        }
    }

    [Fact]
    public async Task A_method_keeps_its_plugin_alive()
    {
        Method echo = EchoOfLostPlugin();
        using var stop = new CancellationTokenSource();
        Task collector = Waiting.OnThread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }

            return 0;
        });
        for (int i = 0; i < 2_000; i++)
        {
            echo.Call("""{"message":""}""");
        }

        stop.Cancel();
        await collector;
        echo.Plugin.Dispose();
    }

    [Fact]
    public void Timeouts_are_not_negative()
    {
        using Plugin hello = TestPlugins.LoadHello();
        Assert.Throws<ArgumentOutOfRangeException>(() => hello.Close(TimeSpan.FromSeconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>(() => hello.FlushLogs(TimeSpan.FromTicks(-1)));
        hello.FlushLogs(Timeout.InfiniteTimeSpan);
        hello.Close(Timeout.InfiniteTimeSpan);
    }

    [Fact]
    public void Instances_share_nothing()
    {
        using Plugin one = TestPlugins.LoadConformance();
        using Plugin two = TestPlugins.LoadConformance(new PluginConfig { OwnCopy = true });
        Assert.Equal("""{"total":5}""", one.Call("state.add", """{"n":5}"""));
        Assert.Equal("""{"total":7}""", two.Call("state.add", """{"n":7}"""));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(string name) => TestPlugins.LoadHello(new PluginConfig { Name = name }).Call("echo", """{"message":""}""");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Method EchoOfLostPlugin() => TestPlugins.LoadHello().Method("echo");

    private static long CallUntilClosed(Method add, Method echo, int number, CountdownEvent started)
    {
        for (long calls = 0; ; calls++)
        {
            try
            {
                Assert.Equal(new Sum(number + calls), add.CallRaw<Add, Sum>(new Add(number, calls)));
                Assert.Equal("""{"message":"x","length":1}""", echo.Call("""{"message":"x"}"""));
            }
            catch (PluginException closed)
            {
                Assert.Equal(Status.Unavailable, closed.Status);
                return calls;
            }

            if (calls == 0)
            {
                started.Signal();
            }
        }
    }

    /// <summary>Calls the plugin of the moment in two ways until it's told to stop; a closed one is no news.</summary>
    private static long CallWhateverIsThere(Func<Shared> current, int number, CancellationToken stop)
    {
        long calls = 0;
        while (!stop.IsCancellationRequested)
        {
            Shared shared = current();
            try
            {
                Assert.Equal(new Sum(number + calls), shared.Add.CallRaw<Add, Sum>(new Add(number, calls)));
                Assert.Equal("""{"message":"x","length":1}""", shared.Echo.Call("""{"message":"x"}"""));
                calls++;
                Interlocked.Increment(ref shared.Calls);
            }
            catch (PluginException closed)
            {
                Assert.Equal(Status.Unavailable, closed.Status);
                Thread.Yield();
            }
        }

        return calls;
    }

    private static void WaitForCalls(Plugin plugin, int calls) =>
        Waiting.For($"{calls} running calls", () =>
        {
            using JsonDocument ledger = JsonDocument.Parse(Plugin.Inspect());
            return ledger.RootElement.GetProperty("instances").EnumerateArray()
                .Any(one => one.GetProperty("name").GetString() == plugin.Name && one.GetProperty("in_flight").GetInt32() == calls);
        });

    /// <summary>A plugin that several threads call, with the number of calls that it has answered.</summary>
    private sealed class Shared(Plugin plugin)
    {
        internal int Calls;

        internal Plugin Plugin { get; } = plugin;

        internal Method Add { get; } = plugin.Method("math.add", PluginEncoding.Pod);

        internal Method Echo { get; } = plugin.Method("echo");
    }
}
