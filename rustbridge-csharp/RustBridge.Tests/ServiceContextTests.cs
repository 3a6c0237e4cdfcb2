using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Tests.Clients.Types;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Services run in the execution context of the call that they are asked for.</summary>
public sealed class ServiceContextTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private static readonly AsyncLocal<string?> User = new();

    private static readonly AsyncLocal<object?> Streams = new();

    private static OperationMessages Json => OperationMessages.Default;

    [Theory]
    [InlineData("service.one", false)]
    [InlineData("service.one", true)]
    [InlineData("service.quote", false)]
    [InlineData("service.quote", true)]
    public async Task An_awaited_call_has_its_context_in_its_services(string method, bool offload)
    {
        var users = new ConcurrentDictionary<long, (string? Before, string? After)>();
        using Plugin plugin = Load(users);
        var options = new CallOptions { Offload = offload };
        async Task Call(long id)
        {
            User.Value = $"user {id}";
            Assert.Equal($"{id}", await plugin.CallAsync(method, $"{id}", options).AsTask().WaitAsync(Limit));
        }

        var calls = new List<Task>();
        for (long id = 0; id < 50; id++)
        {
            calls.Add(Call(id));
        }

        await Task.WhenAll(calls);
        for (long id = 0; id < 50; id++)
        {
            Assert.Equal(($"user {id}", $"user {id}"), users[id]);
        }
    }

    [Theory]
    [InlineData("service.one")]
    [InlineData("service.quote")]
    public void A_blocking_call_has_its_context_in_its_services(string method)
    {
        var users = new ConcurrentDictionary<long, (string? Before, string? After)>();
        using Plugin plugin = Load(users);
        User.Value = "ada";
        Assert.Equal("1", plugin.Call(method, "1"));
        Assert.Equal(("ada", "ada"), users[1]);
        User.Value = "bob";
        Assert.Equal("2", plugin.Call(method, "2", CallOptions.Default));
        Assert.Equal(("bob", "bob"), users[2]);
        using var source = new CancellationTokenSource();
        Assert.Equal("3", plugin.Call(method, "3", new CallOptions { CancellationToken = source.Token, Timeout = Limit }));
        Assert.Equal(("bob", "bob"), users[3]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_has_the_context_of_its_reader_in_its_services(bool offload)
    {
        var users = new ConcurrentDictionary<long, (string? Before, string? After)>();
        using Plugin plugin = Load(users);
        User.Value = "ada";
        var came = new List<long>();
        using var limit = new CancellationTokenSource(Limit);
        await foreach (long price in plugin.Method("service.prices").StreamAsync(
            new long[] { 1, 2, 3 }, Json.Int64Array, Json.Int64, new CallOptions { Offload = offload, WindowItems = 1 }, limit.Token))
        {
            came.Add(price);
        }

        Assert.Equal([1, 2, 3], came);
        Assert.All(came, id => Assert.Equal(("ada", "ada"), users[id]));
    }

    [Fact]
    public async Task A_dropped_stream_whose_own_context_refers_to_it_is_given_up()
    {
        var users = new ConcurrentDictionary<long, (string? Before, string? After)>();
        using Plugin plugin = Load(users);
        int told = 0;
        void Tell(string message) => told += message.Contains("service.prices", StringComparison.Ordinal) ? 1 : 0;
        Plugin.StreamDropped += Tell;
        try
        {
            await Task.Run(() => Drop(plugin)).WaitAsync(Limit);
            // Otherwise this may run on the stack of the stream's last continuation, which refers to it.
            await Task.Yield();
            Waiting.For("the stream's end", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Volatile.Read(ref told) == 1;
            });
        }
        finally
        {
            Plugin.StreamDropped -= Tell;
        }
    }

    /// <summary>Receives one item of a stream, and drops the rest. The context in which it began refers to it.</summary>
    private static async Task Drop(Plugin plugin)
    {
        var own = new object?[1];
        Streams.Value = own;
        IAsyncEnumerator<long> prices = plugin.Method("service.prices").StreamAsync(
            new long[] { 1, 2, 3, 4, 5, 6, 7, 8 }, Json.Int64Array, Json.Int64, new CallOptions { WindowItems = 1 }).GetAsyncEnumerator();
        own[0] = prices;
        Assert.True(await prices.MoveNextAsync());
    }

    [Fact]
    public async Task A_suppressed_flow_is_not_captured()
    {
        var users = new ConcurrentDictionary<long, (string? Before, string? After)>();
        using Plugin plugin = Load(users);
        User.Value = "ada";
        Task<string> awaited;
        using (ExecutionContext.SuppressFlow())
        {
            awaited = plugin.CallAsync("service.quote", "1", new CallOptions { Offload = true }).AsTask();
            Assert.Equal("2", plugin.Call("service.quote", "2"));
            Assert.Equal("3", plugin.Call("service.one", "3"));
        }

        Assert.Equal("1", await awaited.WaitAsync(Limit));
        Assert.Equal((null, null), users[1]);
        Assert.Equal((null, null), users[2]);
        Assert.Equal((null, null), users[3]);
    }

    [Fact]
    public async Task A_service_changes_nothing_of_its_callers_context()
    {
        using Plugin plugin = TestPlugins.LoadOperations(new PluginConfig
        {
            Services =
            [
                PluginService.Json("prices.get", (long id) =>
                {
                    User.Value = "eve";
                    return id;
                }, Json.Int64, Json.Int64),
            ],
        });
        User.Value = "ada";
        Assert.Equal("1", plugin.Call("service.one", "1"));
        Assert.Equal("ada", User.Value);
        Assert.Equal("1", await plugin.CallAsync("service.one", "1").AsTask().WaitAsync(Limit));
        Assert.Equal("ada", User.Value);
        Assert.Null(ServiceCall.Current);
    }

    [Fact]
    public async Task The_current_activity_is_the_callers()
    {
        Activity? seen = null;
        using Plugin plugin = TestPlugins.LoadOperations(new PluginConfig
        {
            Services =
            [
                PluginService.JsonAsync("prices.quote", async (long id, ServiceCall _) =>
                {
                    await Task.Yield();
                    seen = Activity.Current;
                    return id;
                }, Json.Int64, Json.Int64),
            ],
        });
        using Activity activity = new Activity("request").Start();
        Assert.Equal("1", await plugin.CallAsync("service.quote", "1", new CallOptions { Offload = true }).AsTask().WaitAsync(Limit));
        Assert.Same(activity, seen);
        seen = null;
        Assert.Equal("1", plugin.Call("service.quote", "1"));
        Assert.Same(activity, seen);
        seen = null;
        // With options the trace goes along, and this one has no state.
        Assert.Null(activity.TraceStateString);
        Assert.Equal("1", plugin.Call("service.quote", "1", CallOptions.Default));
        Assert.Same(activity, seen);
    }

    [Fact]
    public void Responses_and_errors_of_calls_with_a_context_are_as_those_without()
    {
        using Plugin plugin = TestPlugins.LoadOperations(new PluginConfig
        {
            Services =
            [
                PluginService.Raw("prices.upper", (request, _) => Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(request).ToUpperInvariant())),
                PluginService.Json<long, long>("prices.get", id => throw new PluginException(Status.NotFound, $"no {id}", "PriceError.Unknown")),
            ],
        });
        User.Value = "ada";
        foreach (int length in (int[])[0, 1, 100, 5_000, 100_000, 3_000_000])
        {
            byte[] text = Encoding.UTF8.GetBytes(new string('x', length)), upper = Encoding.UTF8.GetBytes(new string('X', length));
            for (int turn = 0; turn < 3; turn++)
            {
                Assert.Equal(upper, plugin.CallRawBytes("service.upper", text));
                using RawResponse lease = plugin.Method("service.upper", PluginEncoding.Raw).CallRawZeroCopy(text);
                Assert.Equal(upper, lease.Span.ToArray());
            }
        }

        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("service.one", "7"));
        Assert.Equal((Status.NotFound, "PriceError.Unknown", "no 7"), (error.Status, error.Type, error.Message));
        Assert.Throws<PluginException>(() => plugin.Method("service.upper", PluginEncoding.Raw).CallRawZeroCopy([255]));
    }

    [Fact]
    public async Task A_typed_service_has_the_context_and_the_call_that_it_is_asked_for()
    {
        var directory = new Watching();
        using Types types = Types.Load(TestPlugins.Types, directory: directory);
        var options = new CallOptions { Timeout = TimeSpan.FromMinutes(5), Metadata = new() { { "user", "ada" } } };
        User.Value = "ada";
        foreach (bool offload in (bool[])[false, true])
        {
            await types.AskLaterAsync("Ada", options with { Offload = offload }).AsTask().WaitAsync(Limit);
            Assert.Equal(("ada", "ada"), directory.Users);
            Assert.Equal("ada", directory.Call!.Metadata.GetText("user"));
            Assert.InRange(directory.Call.TimeLeft!.Value, TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(5));
            Assert.Equal(types.Plugin.Handle, directory.Call.Instance);
            directory.Clear();
        }

        types.AskLater("Ada", options);
        Assert.Equal(("ada", "ada"), directory.Users);
        Assert.Equal("ada", directory.Call!.Metadata.GetText("user"));
        directory.Clear();
        types.AskLater("Ada");
        Assert.Equal(("ada", "ada"), directory.Users);
        Assert.Null(directory.Call!.TimeLeft);
        directory.Clear();
        types.Ask("Ada", options);
        Assert.Equal("ada", directory.Users.Before);
        Assert.Equal("ada", directory.Call!.Metadata.GetText("user"));
        Assert.Null(ServiceCall.Current);
    }

    [Fact]
    public Task No_context_is_kept_after_its_call() => ChildProcess.Succeeds<ContextsEnd>();

    private static Plugin Load(ConcurrentDictionary<long, (string? Before, string? After)> users) =>
        TestPlugins.LoadOperations(new PluginConfig
        {
            Services =
            [
                PluginService.Json(
                    "prices.get",
                    (long id) =>
                    {
                        users[id] = (User.Value, User.Value);
                        return id;
                    },
                    Json.Int64,
                    Json.Int64),
                PluginService.JsonAsync(
                    "prices.quote",
                    async (long id, ServiceCall _) =>
                    {
                        string? before = User.Value;
                        await Task.Delay(1);
                        users[id] = (before, User.Value);
                        return id;
                    },
                    Json.Int64,
                    Json.Int64),
            ],
        });

    /// <summary>Notes what its functions see.</summary>
    private sealed class Watching : IDirectory
    {
        internal (string? Before, string? After) Users { get; private set; }

        internal ServiceCall? Call { get; private set; }

        public Person? Find(string request)
        {
            (Users, Call) = ((User.Value, null), ServiceCall.Current);
            return null;
        }

        public Person Fetch(string request) => throw new NotSupportedException();

        public async ValueTask<Person> FetchAsync(string request, CancellationToken cancellationToken)
        {
            string? before = User.Value;
            await Task.Delay(1, cancellationToken);
            (Users, Call) = ((before, User.Value), ServiceCall.Current);
            return new Person("Ada", 36);
        }

        public ulong Count() => 0;

        internal void Clear() => (Users, Call) = ((null, null), null);
    }

    /// <summary>In a process of its own, since there's one table of contexts for a process.</summary>
    internal sealed class ContextsEnd : IScenario
    {
        public async Task Run()
        {
            User.Value = "ada";
            int most = 0;
            long Watch(long id)
            {
                most = Math.Max(most, CallContext.Count);
                return id == 404 ? throw new FormatException("no") : id;
            }

            using Plugin plugin = TestPlugins.LoadOperations(new PluginConfig
            {
                Services = [PluginService.Json("prices.get", (long id) => Watch(id), Json.Int64, Json.Int64)],
            });
            using Plugin without = TestPlugins.LoadOperations();
            foreach (string id in (string[])["1", "404", "\"wrong\""])
            {
                foreach (CallOptions? options in (CallOptions?[])[null, new(), new() { Offload = true }, new() { Metadata = new() { { "a", "b" } } }])
                {
                    Ends(() => _ = options is { Offload: false } ? plugin.Call("service.one", id, options) : plugin.Call("service.one", id));
                    await Ends(() => options is null ? plugin.CallAsync("service.one", id) : plugin.CallAsync("service.one", id, options));
                    await Ends(async () =>
                    {
                        await foreach (long price in plugin.Method("service.prices").StreamAsync([1, 404], Json.Int64Array, Json.Int64, options))
                        {
                            if (id != "404")
                            {
                                break;
                            }
                        }

                        return "";
                    });
                    await Ends(() => without.CallAsync("service.one", id));
                    Waiting.For("the end of all contexts", () => CallContext.Count == 0);
                }
            }

            // A call that isn't begun at all.
            using var cancelled = new CancellationTokenSource();
            await cancelled.CancelAsync();
            await Ends(() => plugin.CallAsync("service.one", "1", cancelled.Token));
            Ends(() => plugin.Call("service.one", "1", new CallOptions { CancellationToken = cancelled.Token }));
            plugin.Close(Limit);
            Ends(() => plugin.Call("service.one", "1"));
            await Ends(() => plugin.CallAsync("service.one", "1"));
            Assert.Equal(0, CallContext.Count);
            Assert.Equal(1, most);
        }

        private static void Ends(Action call)
        {
            try
            {
                call();
            }
            catch (Exception failed) when (failed is PluginException or OperationCanceledException or InvalidOperationException)
            {
                // How it ends doesn't matter here.
            }
        }

        private static async Task Ends(Func<ValueTask<string>> call)
        {
            try
            {
                await call().AsTask().WaitAsync(Limit);
            }
            catch (Exception failed) when (failed is PluginException or OperationCanceledException or InvalidOperationException)
            {
                // How it ends doesn't matter here.
            }
        }
    }
}
