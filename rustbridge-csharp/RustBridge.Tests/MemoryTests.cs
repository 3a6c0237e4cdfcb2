using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What would fill a process's memory, in a process of its own with a small heap, so that what grows isn't .NET's.</summary>
public sealed class MemoryTests
{
    private static readonly Dictionary<string, string?> SmallHeap = new()
    {
        ["DOTNET_gcConcurrent"] = "0",
        ["DOTNET_GCgen0size"] = "400000",
        ["DOTNET_GCConserveMemory"] = "9",
        // Code compiled once more in the midst of a measurement would count.
        ["DOTNET_TieredCompilation"] = "0",
        // The arenas of glibc grow apart.
        ["MALLOC_ARENA_MAX"] = "2",
    };

    [FactOnLinux]
    public async Task Loads_and_closes_leave_nothing() => await ChildProcess.Succeeds<Loads>(SmallHeap);

    [FactOnLinux]
    public async Task Calls_leave_nothing() => await ChildProcess.Succeeds<Calls>(SmallHeap);

    [FactOnLinux]
    public async Task Records_and_failed_loads_leave_nothing() => await ChildProcess.Succeeds<Records>(SmallHeap);

    [FactOnLinux]
    public async Task What_is_dropped_leaves_nothing() => await ChildProcess.Succeeds<Drops>(SmallHeap);

    [FactOnLinux]
    public async Task Leases_that_are_forgotten_are_collected_before_memory_is_full() => await ChildProcess.Succeeds<ForgottenLeases>();

    [FactOnLinux]
    public async Task Leases_that_are_forgotten_by_threads_of_a_short_life_are_collected_too() =>
        await ChildProcess.Succeeds<ForgottenByThreads>();

    /// <summary>Warms up, measures resident memory, does more of the same, and measures again.</summary>
    private static void GrowsNot(string what, int warmUp, int rounds, Action<int> work)
    {
        // What allocators and the runtime take now and then.
        const long Tolerance = 8_000;
        work(warmUp);
        long before = Resident();
        // The collector gives memory back when it likes, so one growth proves nothing: a leak grows each time.
        var measured = new List<long> { before };
        for (int attempt = 0; attempt < 4; attempt++)
        {
            work(rounds);
            measured.Add(Resident());
            Console.WriteLine($"{what}: {measured[^2]} kB, then {measured[^1]} kB");
            if (measured[^1] - measured[^2] < Tolerance)
            {
                return;
            }
        }

        Assert.Fail($"{what} grew each time, in kB: {string.Join(", ", measured)}");
    }

    private static long Resident()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive);
        return FromStatus("VmRSS:");
    }

    /// <summary>A number of kB that Linux tells of this process.</summary>
    private static long FromStatus(string name)
    {
        string line = File.ReadLines("/proc/self/status").Single(line => line.StartsWith(name, StringComparison.Ordinal));
        return long.Parse(line.AsSpan(name.Length, line.Length - name.Length - 3), CultureInfo.InvariantCulture);
    }

    private sealed class FactOnLinuxAttribute : FactAttribute
    {
        public FactOnLinuxAttribute()
        {
            if (!OperatingSystem.IsLinux())
            {
                const string Reason = "there is no /proc, so resident memory can't be measured";
                Skip = Reason;
            }
        }
    }

    internal sealed class Loads : IScenario
    {
        public Task Run()
        {
            GrowsNot("loads", 1_000, 1_000 * ChildProcess.Soak, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    using Plugin plugin = TestPlugins.LoadHello();
                    if (round % 100 == 0)
                    {
                        Assert.Equal("""{"result":3}""", plugin.Call("math.add", """{"a":1,"b":2}"""));
                    }
                }
            });
            Assert.Contains("\"instances\":[]", Plugin.Inspect(), StringComparison.Ordinal);
            return Task.CompletedTask;
        }
    }

    internal sealed class Calls : IScenario
    {
        public Task Run()
        {
            using Plugin plugin = TestPlugins.LoadConformance();
            using Plugin hello = TestPlugins.LoadHello();
            Method echo = plugin.Method("raw.echo", PluginEncoding.Raw);
            Method value = plugin.Method("types.value");
            Method add = hello.Method("math.add", PluginEncoding.Pod);
            byte[] small = new byte[16], large = new byte[50_000], storage = new byte[50_000];
            string text = $"\"{string.Concat(Enumerable.Repeat("größer 🦀", 3_000))}\"";
            GrowsNot("bytes", 2_000, 20_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    echo.CallRawBytes(small);
                    echo.CallRawBytes(large);
                    echo.CallRaw(large, storage);
                    echo.CallRaw(large, large);
                    add.CallRaw<Add, Sum>(new Add(1, 2));
                }
            });
            GrowsNot("texts", 500, 5_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    value.Call("\"x\"");
                    value.Call(text);
                    plugin.Call("types.value", text);
                }
            });
            GrowsNot("leases", 2_000, 20_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    using RawResponse response = echo.CallRawZeroCopy(large);
                    Assert.Equal(large.Length, response.Memory.Length);
                }
            });
            GrowsNot("errors", 500, 4_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    Assert.Throws<PluginException>(() => value.Call("{"));
                    Assert.Throws<PluginException>(() => add.CallRawBytes(large));
                    Assert.Throws<PluginException>(() => plugin.Method("none"));
                    Assert.Throws<ResponseTooLargeException>(() => echo.CallRaw(large, new byte[3]));
                }
            });
            return Task.CompletedTask;
        }
    }

    internal sealed class Records : IScenario
    {
        public Task Run()
        {
            int records = 0;
            var config = new PluginConfig
            {
                Json = """{"log":true}""",
                Log = _ => Interlocked.Increment(ref records),
                LogLevel = PluginLogLevel.Trace,
            };
            string fault = TestPlugins.File("fault_plugin");
            GrowsNot("loads with a log", 500, 3_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    using (Plugin plugin = Plugin.Load(fault, config))
                    {
                        plugin.Call("count", "null");
                        plugin.SetLogSink(_ => { });
                        plugin.SetLogSink(null);
                    }

                    Assert.Throws<PluginException>(() => Plugin.Load(fault, config with { Json = """{"create":"error"}""" }));
                }
            });
            using Plugin logging = Plugin.Load(fault, config);
            GrowsNot("records", 500, 5_000, count =>
            {
                for (int round = 0; round < count; round++)
                {
                    logging.Call("log.flood", """{"n":20}""");
                }

                logging.FlushLogs(Waiting.Long);
            });
            Assert.True(records > 10_000, $"{records} records");
            return Task.CompletedTask;
        }
    }

    /// <summary>Finalisers do late what <c>Dispose</c> would have done.</summary>
    internal sealed class Drops : IScenario
    {
        public Task Run()
        {
            int plugins = 0, leases = 0;
            Plugin.Dropped += _ => Interlocked.Increment(ref plugins);
            RawResponse.Leaked += _ => Interlocked.Increment(ref leases);
            using Plugin conformance = TestPlugins.LoadConformance();
            Method echo = conformance.Method("raw.echo", PluginEncoding.Raw);
            var large = new byte[50_000];
            int expected = 0;
            GrowsNot("dropped plugins and leases", 500, 5_000, count =>
            {
                expected += count;
                for (int round = 0; round < count; round++)
                {
                    TestPlugins.LoadHello().Call("echo", """{"message":""}""");
                    _ = echo.CallRawZeroCopy(large);
                    if (round % 50 == 0)
                    {
                        GC.Collect();
                        GC.WaitForPendingFinalizers();
                    }
                }

                Waiting.For("the closing of what was dropped", () =>
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    return Volatile.Read(ref plugins) >= expected - 1 && Volatile.Read(ref leases) >= expected - 1;
                });
            });
            return Task.CompletedTask;
        }
    }

    /// <summary>Ten gigabytes in all. To the collector it's ten thousand small objects, for which it needn't run once.</summary>
    internal sealed class ForgottenLeases : IScenario
    {
        private const int Rounds = 10_000;
        private const long MostKilobytes = 4 * 1024 * 1024;

        public Task Run()
        {
            int leaked = 0;
            RawResponse.Leaked += _ => Interlocked.Increment(ref leaked);
            using Plugin conformance = TestPlugins.LoadConformance();
            Method fill = conformance.Method("raw.fill", PluginEncoding.Raw);
            byte[] size = "1048576"u8.ToArray();
            for (int round = 0; round < Rounds; round++)
            {
                _ = fill.CallRawZeroCopy(size);
                // Looked at now and then, as a failure takes all of the machine's memory; seldom, as looking makes garbage for which
                // the collector runs.
                if (round % 250 == 0)
                {
                    Assert.InRange(FromStatus("VmHWM:"), 0, MostKilobytes);
                }
            }

            Console.WriteLine($"{FromStatus("VmHWM:")} kB at most, {leaked} of {Rounds} collected meanwhile");
            return Task.CompletedTask;
        }
    }

    /// <summary>Three gigabytes in all, of which each thread sees a megabyte.</summary>
    internal sealed class ForgottenByThreads : IScenario
    {
        private const int Threads = 3_000;
        private const long MostKilobytes = 2 * 1024 * 1024;

        public Task Run()
        {
            using Plugin conformance = TestPlugins.LoadConformance();
            Method fill = conformance.Method("raw.fill", PluginEncoding.Raw);
            byte[] size = "1048576"u8.ToArray();
            for (int round = 0; round < Threads; round++)
            {
                var thread = new Thread(() => fill.CallRawZeroCopy(size));
                thread.Start();
                thread.Join();
                if (round % 250 == 0)
                {
                    Assert.InRange(FromStatus("VmHWM:"), 0, MostKilobytes);
                }
            }

            long most = FromStatus("VmHWM:");
            Console.WriteLine($"{most} kB at most");
            Assert.InRange(most, 0, MostKilobytes);
            return Task.CompletedTask;
        }
    }
}
