using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Functions of the host's that a plugin calls.</summary>
public sealed class HostServiceTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    public interface IPrices
    {
        long Get(long id);

        ValueTask<long> QuoteAsync(long id, ServiceCall call);
    }

    private static OperationMessages Json => OperationMessages.Default;

    [Fact]
    public void A_delegate_answers()
    {
        using Plugin plugin = Load(PluginService.Json("prices.get", (long id) => id * 100, Json.Int64, Json.Int64));
        Assert.Equal("600", plugin.Call("service.total", "[1,2,3]"));
        Assert.Equal("500", plugin.Call("service.task", "5"));
    }

    [Fact]
    public void What_a_service_answers_is_no_part_of_the_request_around_it()
    {
        PluginObject? counter = null;
        using Plugin plugin = Load(PluginService.Json("prices.get", (long _) => counter!, Json.Int64, Json.PluginObject));
        using (counter = plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default))
        {
            // An object can't be answered; it would have been lent to the call that is running, and its position the answer.
            PluginException error = Assert.Throws<PluginException>(
                () => plugin.Call("service.total", [1L], Json.Int64Array, Json.Int64, CallOptions.Default));
            Assert.Contains("PluginObject", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_async_delegate_answers_later()
    {
        using Plugin plugin = Load(
            PluginService.JsonAsync(
                "prices.get",
                async (long id, ServiceCall _) =>
                {
                    await Task.Delay(1);
                    return id * 100;
                },
                Json.Int64,
                Json.Int64),
            PluginService.JsonAsync<long, long>("prices.quote", (id, _) => new ValueTask<long>(id + 1)));
        Assert.Equal("600", plugin.Call("service.total", "[1,2,3]"));
        Assert.Equal("6", await plugin.CallAsync("service.quote", "5").AsTask().WaitAsync(Limit));
        Assert.Equal("500", await plugin.CallAsync("service.task", "5").AsTask().WaitAsync(Limit));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_delegate_that_blocks_keeps_no_thread_that_calls_asynchronously(bool offload)
    {
        using var inside = new SemaphoreSlim(0);
        using var released = new SemaphoreSlim(0);
        int here = Environment.CurrentManagedThreadId, there = 0;
        long Blocks(long id)
        {
            there = Environment.CurrentManagedThreadId;
            inside.Release();
            return released.Wait(Limit) ? id : -1;
        }

        using Plugin plugin = Load(PluginService.Json<long, long>("prices.quote", Blocks, Json.Int64, Json.Int64));
        Task<string> quote = plugin.CallAsync("service.quote", "5", new CallOptions { Offload = offload }).AsTask();
        // The call has returned, and the delegate hasn't.
        Assert.False(quote.IsCompleted);
        Assert.True(await inside.WaitAsync(Limit));
        Assert.NotEqual(here, there);
        released.Release();
        Assert.Equal("5", await quote.WaitAsync(Limit));
    }

    [Fact]
    public void Bytes_are_answered_with_bytes()
    {
        using Plugin plugin = Load(PluginService.Raw(
            "prices.upper", (request, _) => Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(request).ToUpperInvariant())));
        string large = new('x', 100_000);
        Assert.Equal(large.ToUpperInvariant(), Encoding.UTF8.GetString(plugin.CallRawBytes("service.upper", Encoding.UTF8.GetBytes(large))));
        Assert.Empty(plugin.CallRawBytes("service.upper", ""u8));
    }

    [Fact]
    public async Task An_interface_is_one_service_for_each_method()
    {
        var prices = new Prices();
        using Plugin plugin = Load([.. PluginService.Of<IPrices>(prices)]);
        Assert.Equal("30", plugin.Call("service.total", "[1,2]"));
        Assert.Equal("15", await plugin.CallAsync("service.quote", "5").AsTask().WaitAsync(Limit));
        Assert.NotNull(prices.Last);
        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("service.one", "99"));
        Assert.Equal((Status.Internal, nameof(FormatException)), (error.Status, error.Type));
        Assert.Throws<ArgumentException>(() => PluginService.Of<IDisposable>(new CancellationTokenSource()));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_thrown_reaches_the_plugin(bool isLater)
    {
        var details = new Dictionary<string, JsonElement> { ["id"] = JsonDocument.Parse("7").RootElement };
        long Fail(long id) => id switch
        {
            7 => throw new PluginException(Status.NotFound, "no such article", "PriceError.Unknown", details),
            8 => throw new OperationCanceledException("no more"),
            _ => throw new FormatException("what's that?"),
        };
        using Plugin plugin = Load(isLater
            ? PluginService.JsonAsync<long, long>("prices.get", async (id, _) =>
                {
                    await Task.Yield();
                    return Fail(id);
                })
            : PluginService.Json<long, long>("prices.get", Fail));
        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("service.one", "7"));
        Assert.Equal((Status.NotFound, "PriceError.Unknown", "no such article"), (error.Status, error.Type, error.Message));
        Assert.Equal(7, error.Details["id"].GetInt32());
        Assert.Equal(Status.Cancelled, Assert.Throws<PluginException>(() => plugin.Call("service.one", "8")).Status);
        error = Assert.Throws<PluginException>(() => plugin.Call("service.one", "9"));
        Assert.Equal((Status.Internal, nameof(FormatException)), (error.Status, error.Type));
        Assert.Contains("what's that?", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_is_thrown_and_cannot_be_told_of_fails_the_call_alone(bool isLater)
    {
        long Fail(long id)
        {
            using JsonDocument disposed = JsonDocument.Parse("[7]");
            throw id switch
            {
                7 => new PluginException(Status.NotFound, "x", "X", new Dictionary<string, JsonElement> { ["id"] = default }),
                8 => new PluginException(Status.NotFound, "x", "X", new Dictionary<string, JsonElement> { ["id"] = disposed.RootElement }),
                9 => new Untold(),
                _ => new PluginException(
                    Status.NotFound, "x", "X", new Dictionary<string, JsonElement> { ["\ud800"] = JsonDocument.Parse("1").RootElement }),
            };
        }

        using Plugin plugin = Load(isLater
            ? PluginService.JsonAsync<long, long>("prices.quote", async (id, _) =>
                {
                    await Task.Yield();
                    return Fail(id);
                })
            : PluginService.Json<long, long>("prices.get", Fail));
        string method = isLater ? "service.quote" : "service.task";
        for (int id = 7; id <= 9; id++)
        {
            PluginException error = await Assert.ThrowsAsync<PluginException>(() => plugin.CallAsync(method, $"{id}").AsTask().WaitAsync(Limit));
            Assert.Equal(Status.Internal, error.Status);
        }

        PluginException told = await Assert.ThrowsAsync<PluginException>(() => plugin.CallAsync(method, "10").AsTask().WaitAsync(Limit));
        Assert.Equal((Status.NotFound, 1), (told.Status, told.Details["\ufffd"].GetInt32()));
    }

    [Fact]
    public async Task What_listens_to_a_cancellation_may_throw()
    {
        var came = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        using Plugin plugin = Load(PluginService.JsonAsync<long, long>("prices.quote", async (_, call) =>
        {
            call.CancellationToken.Register(() => throw new FormatException("what a service's listener throws"));
            came.SetResult();
            return await never.Task;
        }));
        await Tells("what a service's listener throws", async () =>
        {
            using var source = new CancellationTokenSource();
            Task<string> call = plugin.CallAsync("service.quote", "5", new CallOptions { CancellationToken = source.Token }).AsTask();
            await came.Task.WaitAsync(Limit);
            await source.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Limit));
        });
        never.SetResult(1);
    }

    [Fact]
    public async Task A_context_that_takes_nothing_costs_its_call_alone()
    {
        var answer = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        using Plugin plugin = Load(PluginService.JsonAsync<long, long>("prices.quote", async (_, _) => await answer.Task));
        await Tells("what a context throws", async () =>
        {
            await Waiting.OnThread(() =>
            {
                SynchronizationContext.SetSynchronizationContext(new Refusing());
                // It never ends, as what comes after its await has nowhere to run.
                async Task Await() => await plugin.CallAsync("service.quote", "5");
                return (object)Await();
            });
            answer.SetResult(1);
        });
        Assert.Equal("1", await plugin.CallAsync("service.quote", "5").AsTask().WaitAsync(Limit));
    }

    [Fact]
    public async Task An_async_service_does_not_wait_for_the_context_of_a_thread_that_waits_for_it()
    {
        using Plugin plugin = Load(
            PluginService.JsonAsync<long, long>("prices.get", async (id, _) =>
            {
                await Task.Yield();
                return id;
            }),
            PluginService.RawAsync("prices.upper", async (_, _) =>
            {
                await Task.Yield();
                return null!;
            }));
        Task<(string Sum, byte[] Upper, bool IsKept)> all = Waiting.OnThread(() =>
        {
            var context = new Refusing();
            SynchronizationContext.SetSynchronizationContext(context);
            return (
                plugin.Call("service.total", "[1,2]"),
                plugin.CallRawBytes("service.upper", "x"u8),
                SynchronizationContext.Current == context);
        });
        (string sum, byte[] upper, bool isKept) = await all.WaitAsync(Limit);
        Assert.Equal(("3", true), (sum, isKept));
        Assert.Empty(upper);
    }

    [Fact]
    public async Task A_service_learns_what_comes_with_a_call_and_that_nobody_waits_any_more()
    {
        var came = new TaskCompletionSource<ServiceCall>(TaskCreationOptions.RunContinuationsAsynchronously);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using Plugin plugin = Load(PluginService.JsonAsync<long, long>("prices.quote", async (id, call) =>
        {
            came.SetResult(call);
            try
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, call.CancellationToken);
            }
            finally
            {
                cancelled.SetResult();
            }

            return id;
        }));
        using var source = new CancellationTokenSource();
        var options = new CallOptions { Timeout = TimeSpan.FromMinutes(5), CancellationToken = source.Token };
        Task<string> call = plugin.CallAsync("service.quote", "5", options).AsTask();
        ServiceCall seen = await came.Task.WaitAsync(Limit);
        Assert.Equal(plugin.Handle, seen.Instance);
        Assert.InRange(seen.TimeLeft!.Value, TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(5));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Limit));
        await cancelled.Task.WaitAsync(Limit);
    }

    [Fact]
    public Task Services_may_call_the_plugin_and_are_let_go_of_when_it_closes() => ChildProcess.Succeeds<ServicesEnd>();

    /// <summary>Does something, and waits until a message was told because of it.</summary>
    private static async Task Tells(string message, Func<Task> does)
    {
        var told = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void Listen(Exception problem)
        {
            if (problem.ToString().Contains(message, StringComparison.Ordinal))
            {
                told.TrySetResult();
            }
        }

        Plugin.LogFailed += Listen;
        try
        {
            await does();
            await told.Task.WaitAsync(Limit);
        }
        finally
        {
            Plugin.LogFailed -= Listen;
        }
    }

    private static Plugin Load(params PluginService[] services) =>
        TestPlugins.LoadOperations(new PluginConfig { Services = services });

    private sealed class Untold : Exception
    {
        public override string Message => throw new FormatException("no message");
    }

    private sealed class Refusing : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => throw new FormatException("what a context throws");
    }

    private sealed class Prices : IPrices
    {
        internal ServiceCall? Last { get; private set; }

        public long Get(long id) => id == 99 ? throw new FormatException("unknown") : id * 10;

        public async ValueTask<long> QuoteAsync(long id, ServiceCall call)
        {
            await Task.Yield();
            Last = call;
            return id + 10;
        }
    }

    /// <summary>In a process of its own, where nobody else has services.</summary>
    internal sealed class ServicesEnd : IScenario
    {
        public Task Run()
        {
            Plugin? plugin = null;
            plugin = Load(PluginService.Json<long, long>("prices.get", id => id == 0 ? 1 : long.Parse(plugin!.Call("service.one", $"{id - 1}"), null) + 1));
            Assert.Equal("11", plugin.Call("service.one", "10"));
            Assert.Equal(1, Upcalls.Count);
            plugin.Close(Limit);
            Assert.Equal(0, Upcalls.Count);
            Assert.Throws<PluginException>(() => Plugin.Load("no such file", new PluginConfig
            {
                Services = [PluginService.Json<long, long>("prices.get", id => id)],
            }));
            Assert.Equal(0, Upcalls.Count);
            return Task.CompletedTask;
        }
    }
}
