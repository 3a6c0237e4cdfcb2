using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What would end a process if we were wrong, in a process of its own.</summary>
public sealed class FaultTests
{
    [Fact]
    public async Task A_panic_in_every_place_leaves_the_process_alive() => await ChildProcess.Succeeds<PanicsEverywhere>();

    [Fact]
    public async Task The_end_of_a_using_block_hides_no_exception() => await ChildProcess.Succeeds<DisposesThatFail>();

    [Fact]
    public async Task Panics_on_many_threads_at_once_are_told_to_each() => await ChildProcess.Succeeds<PanicsOnManyThreads>();

    [Fact]
    public async Task Plugins_of_another_shape_are_refused_and_never_called() => await ChildProcess.Succeeds<WrongShapes>();

    [Fact]
    public async Task Statuses_and_answers_in_unusual_forms_break_nothing() => await ChildProcess.Succeeds<UnusualAnswers>();

    [Fact]
    public async Task A_create_that_hangs_holds_nobody_else_up() => await ChildProcess.Succeeds<HangingCreate>();

    [Fact]
    public async Task A_destructor_that_hangs_ends_in_its_own_time() => await ChildProcess.Succeeds<HangingDestructor>();

    [Fact]
    public async Task Threads_that_outlive_their_instance_do_no_harm() => await ChildProcess.Succeeds<ForgottenThreads>();

    [Fact]
    public async Task The_process_ends_with_plugins_open_and_calls_running() => await ChildProcess.Succeeds<LeftOpen>();

    [Fact]
    public async Task An_exit_in_the_midst_of_calls_is_an_exit()
    {
        for (int round = 0; round < 5; round++)
        {
            Assert.Contains("in the handler", await ChildProcess.Succeeds<ExitInTheMidst>(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_unhandled_exception_while_plugins_log_ends_the_process_as_any_would()
    {
        (string output, int exitCode) = await ChildProcess.Run([], "scenario", typeof(UnhandledException).FullName!);
        Assert.NotEqual(0, exitCode);
        Assert.Contains("nobody catches this", output, StringComparison.Ordinal);
        Assert.DoesNotContain("SIGSEGV", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Made_up_handles_are_refused() => await ChildProcess.Succeeds<MadeUpHandles>();

    private static Plugin Fault(string json) => Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig { Json = json });

    private static PluginException Fails(Status status, Action act)
    {
        PluginException failure = Assert.Throws<PluginException>(act);
        Assert.Equal(status, failure.Status);
        return failure;
    }

    internal sealed class PanicsEverywhere : IScenario
    {
        private static readonly (string Name, Status Status)[] Places =
        [
            ("panic.call", Status.Internal),
            ("panic.leaf", Status.Internal),
            ("panic.lock", Status.Internal),
            ("panic.async", Status.Internal),
            ("panic.task", Status.Aborted),
            ("panic.thread", Status.Aborted),
        ];

        public Task Run()
        {
            PluginException created = Fails(Status.Internal, () => Fault("""{"create":"panic"}"""));
            Assert.Equal("create was told to panic", created.Message);
            PluginException refused = Fails(Status.Unavailable, () => Fault("""{"create":"error"}"""));
            Assert.Equal(7, refused.Details["code"].GetInt32());
            Plugin plugin = Fault("""{"destroy":"panic"}""");
            for (int round = 0; round < 20; round++)
            {
                foreach ((string name, Status status) in Places)
                {
                    PluginException failure = Fails(status, () => plugin.Call(name, """{"message":"größer 🦀"}"""));
                    Assert.True(status == Status.Aborted || failure.Message == "größer 🦀", failure.Message);
                }

                Fails(Status.Internal, () => plugin.Call("panic.bomb", "null"));
            }

            Assert.Equal("""{"n":1}""", plugin.Call("count", "null"));
            Fails(Status.Internal, plugin.Close);
            Assert.Equal(PluginState.Closed, plugin.State);
            plugin.Dispose();
            return Task.CompletedTask;
        }
    }

    /// <summary>Listens to an event of the process, so it has one for itself.</summary>
    internal sealed class DisposesThatFail : IScenario
    {
        public async Task Run()
        {
            var told = new ConcurrentQueue<PluginException>();
            Plugin.DisposeFailed += told.Enqueue;
            Plugin.DisposeFailed += _ => throw new InvalidOperationException("the listener fails, too");
            Assert.Equal("the one that matters", Assert.Throws<InvalidOperationException>(FailInUsing).Message);
            await Fault("""{"destroy":"panic"}""").DisposeAsync();
            Assert.Equal([Status.Internal, Status.Internal], told.Select(error => error.Status));

            // On its own log thread.
            Plugin? self = null;
            using Plugin logging = Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig { Log = _ => self!.Dispose() });
            self = logging;
            logging.Call("log.flood", """{"n":1}""");
            Waiting.For("the end", () => logging.State == PluginState.Closed);
            Assert.Equal(2, told.Count);
        }

        private static void FailInUsing()
        {
            using Plugin plugin = Fault("""{"destroy":"panic"}""");
            throw new InvalidOperationException("the one that matters");
        }
    }

    internal sealed class PanicsOnManyThreads : IScenario
    {
        public async Task Run()
        {
            int records = 0;
            using (Plugin plugin = Plugin.Load(
                TestPlugins.File("fault_plugin"),
                new PluginConfig { Backtraces = true, Log = _ => Interlocked.Increment(ref records) }))
            {
                await Task.WhenAll(Enumerable.Range(0, 4).Select(number => Waiting.OnThread(() =>
                {
                    string name = number % 2 == 0 ? "panic.call" : "panic.leaf";
                    for (int round = 0; round < 50; round++)
                    {
                        PluginException failure = Fails(Status.Internal, () => plugin.Call(name, """{"message":"x"}"""));
                        Assert.Equal("panic", failure.Type);
                        Assert.False(string.IsNullOrEmpty(failure.Backtrace));
                    }

                    return true;
                })));
            }

            Assert.True(records >= 200, $"{records} records");
        }
    }

    /// <summary>Whatever a host mustn't call in these libraries ends the process.</summary>
    internal sealed class WrongShapes : IScenario
    {
        public Task Run()
        {
            string[] variants = ["abi_major", "short_table", "null_table", "null_function", "no_symbol", "describe"];
            foreach (string variant in variants)
            {
                for (int round = 0; round < 3; round++)
                {
                    string message = Assert.Throws<PluginException>(() => Plugin.Load(TestPlugins.File($"fault_{variant}"))).Message;
                    Assert.True(message.Length > 10, message);
                }
            }

            using Plugin hello = TestPlugins.LoadHello();
            Assert.Equal("""{"result":3}""", hello.Call("math.add", """{"a":1,"b":2}"""));
            return Task.CompletedTask;
        }
    }

    internal sealed class UnusualAnswers : IScenario
    {
        public Task Run()
        {
            using Plugin plugin = Plugin.Load(TestPlugins.File("fault_status"));
            byte[][] requests = [[], [1, 2, 3, 4], new byte[64]];
            for (int round = 0; round < 50; round++)
            {
                foreach (MethodDescription described in plugin.Describe().Methods)
                {
                    Method method = plugin.Method(described.Name, PluginEncoding.Raw);
                    foreach (byte[] request in requests)
                    {
                        Attempt(() => method.CallRawBytes(request));
                        Attempt(() => method.CallRaw(request, new byte[4_096]));
                        Attempt(() => method.CallRaw(request, []));
                        Attempt(() =>
                        {
                            using RawResponse response = method.CallRawZeroCopy(request);
                            response.ToArray();
                        });
                    }
                }
            }

            return Task.CompletedTask;
        }

        private static void Attempt(Action act)
        {
            try
            {
                act();
            }
            catch (PluginException failure)
            {
                Assert.NotEqual(Status.Ok, failure.Status);
                Assert.True(Enum.IsDefined(failure.Status), $"{failure.Status}");
            }
            catch (ResponseTooLargeException tooLarge)
            {
                Assert.NotEqual(0, tooLarge.Response.Length);
            }
        }
    }

    internal sealed class HangingCreate : IScenario
    {
        public async Task Run()
        {
            Task<Plugin> slow = Waiting.OnThread(() => Fault("""{"create":"hang","hang_ms":500}"""));
            using (Plugin other = Fault("{}"))
            {
                Assert.Equal("""{"n":1}""", other.Call("count", "null"));
            }

            (await slow).Dispose();
        }
    }

    internal sealed class HangingDestructor : IScenario
    {
        public Task Run()
        {
            for (int round = 0; round < 3; round++)
            {
                Plugin plugin = Fault("""{"destroy":"hang","hang_ms":100}""");
                // Whether the wait is cut short or not, it ends closed.
                try
                {
                    plugin.Close(TimeSpan.FromMilliseconds(5));
                }
                catch (PluginException failure)
                {
                    Assert.Equal(Status.DeadlineExceeded, failure.Status);
                    Assert.Equal(PluginState.Closing, plugin.State);
                    Fails(Status.Unavailable, () => plugin.Call("count", "null"));
                }

                plugin.Dispose();
                Assert.Equal(PluginState.Closed, plugin.State);
            }

            return Task.CompletedTask;
        }
    }

    internal sealed class ForgottenThreads : IScenario
    {
        public async Task Run()
        {
            for (int round = 0; round < 5; round++)
            {
                int delivered = 0;
                using (Plugin plugin = Plugin.Load(
                    TestPlugins.File("fault_plugin"),
                    new PluginConfig { Log = _ => Interlocked.Increment(ref delivered), LogLevel = PluginLogLevel.Trace }))
                {
                    plugin.Call("leak.thread", """{"n":200}""");
                    plugin.Call("leak.task", "null");
                }

                int atTheEnd = Volatile.Read(ref delivered);
                GC.Collect();
                GC.WaitForPendingFinalizers();
                await Task.Delay(20);
                Assert.Equal(atTheEnd, Volatile.Read(ref delivered));
            }
        }
    }

    internal sealed class LeftOpen : IScenario
    {
        public Task Run()
        {
            Plugin plugin = Plugin.Load(
                TestPlugins.File("fault_plugin"), new PluginConfig { Log = _ => Thread.Sleep(Timeout.Infinite) });
            plugin.Call("log.flood", """{"n":200}""");
            plugin.Call("leak.thread", """{"n":100000}""");
            plugin.CallRawZeroCopy("raw.echo", new byte[10_000]);
            for (int count = 0; count < 4; count++)
            {
                new Thread(() => plugin.Call("hang.until", "null")) { IsBackground = true }.Start();
            }

            plugin.Call("hang.await", """{"n":4}""");
            return Task.CompletedTask;
        }
    }

    internal sealed class ExitInTheMidst : IScenario
    {
        public Task Run()
        {
            Plugin plugin = Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig { Log = _ => { } });
            for (int count = 0; count < 4; count++)
            {
                new Thread(() => CallForEver(plugin)) { IsBackground = true }.Start();
            }

            AppDomain.CurrentDomain.ProcessExit += (_, _) =>
            {
                plugin.Call("count", "null");
                Console.WriteLine("in the handler");
                plugin.Dispose();
            };
            Thread.Sleep(50);
            Console.WriteLine(Scenarios.Done);
            Environment.Exit(0);
            return Task.CompletedTask;
        }

        private static void CallForEver(Plugin plugin)
        {
            try
            {
                while (true)
                {
                    plugin.Call("log.flood", """{"n":10}""");
                    plugin.CallRawBytes("raw.echo", new byte[10_000]);
                }
            }
            catch (PluginException closed) when (closed.Status == Status.Unavailable)
            {
                // As the handler of the exit has closed it.
            }
        }
    }

    internal sealed class UnhandledException : IScenario
    {
        public Task Run()
        {
            Plugin plugin = Plugin.Load(TestPlugins.File("fault_plugin"), new PluginConfig { Log = _ => { } });
            plugin.Call("leak.thread", """{"n":100000}""");
            new Thread(() => throw new InvalidOperationException("nobody catches this")).Start();
            Thread.Sleep(Timeout.Infinite);
            return Task.CompletedTask;
        }
    }

    internal sealed unsafe class MadeUpHandles : IScenario
    {
        public Task Run()
        {
            using Plugin plugin = TestPlugins.LoadHello();
            Plugin closed = TestPlugins.LoadHello();
            Method echo = plugin.Method("echo");
            closed.Dispose();
            const int Refused = (int)Status.InvalidArgument;
            foreach (ulong handle in new ulong[] { 0, 1, ulong.MaxValue, 1ul << 63, 0xdeadbeef, plugin.Handle + (1ul << 40), plugin.Handle ^ 1 })
            {
                uint state;
                RbResponse response = default;
                Assert.Equal(Refused, Native.State(handle, &state, &response));
                Assert.NotEqual(0u, response.Len);
                Native.ResponseRelease(&response);
                Assert.Equal(Refused, Native.Describe(handle, &response));
                Native.ResponseRelease(&response);
                Assert.Equal(Refused, Native.Close(handle, 0, &response));
                Native.ResponseRelease(&response);
                Assert.Equal(Refused, Native.LogSetLevel(handle, 3, null));
                Assert.Equal(Refused, Native.LogSetSink(handle, null, 0, null));
                Assert.Equal(Refused, Native.LogFlush(handle, 0, null));
                Assert.Equal(Refused, Called(handle, leaf: false));
                Assert.Equal(Refused, Called(handle, leaf: true));
            }

            Assert.Equal((int)Status.Unavailable, Called(closed.Handle, leaf: false));
            Assert.Equal((int)Status.Unavailable, Called(closed.Handle, leaf: true));
            Fails(Status.NotFound, () => MadeUp(plugin).CallRawBytes([]));
            Assert.Equal("""{"message":"","length":0}""", echo.Call("""{"message":""}"""));
            return Task.CompletedTask;
        }

        private static Method MadeUp(Plugin plugin) =>
            new(plugin, "made up", null, new RbMethod { Entry = 0xffffff, Encoding = (uint)PluginEncoding.Raw });

        private static int Called(ulong handle, bool leaf)
        {
            byte* storage = stackalloc byte[16];
            long result = leaf ? Native.CallIntoLeaf(handle, Rb.EntryLeaf, null, 0, storage, 16) : Native.CallInto(handle, 0, null, 0, storage, 16);
            Assert.True(result < 0);
            int status = Outcome.Of(result)->Status;
            Native.OutcomeRelease(Outcome.Of(result));
            return status;
        }
    }
}
