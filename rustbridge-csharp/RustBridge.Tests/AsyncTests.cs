// What nobody should do with a ValueTask, and waiting where others would await, is what some of these are about.
#pragma warning disable CA2012, xUnit1030, xUnit1031
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

public sealed record Note(string Text);

public record struct Number(ulong Value);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Note))]
[JsonSerializable(typeof(long))]
[JsonSerializable(typeof(ulong))]
[JsonSerializable(typeof(Number))]
[JsonSerializable(typeof(PluginObject))]
[JsonSerializable(typeof(List<PluginObject>))]
[JsonSerializable(typeof(long[]))]
internal sealed partial class OperationMessages : JsonSerializerContext;

/// <summary>Calls that are awaited: how they end, by themselves and otherwise.</summary>
public sealed class AsyncTests
{
    private const string Nothing = "null";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("async.now")]
    [InlineData("async.later")]
    public async Task An_answer_comes_in_every_form(string name)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method method = plugin.Method(name);
        Assert.Equal("""{"text":"ä"}""", await method.CallAsync("""{"text":"ä"}"""));
        Assert.Equal(new Note("b"), await method.CallAsync(new Note("b"), OperationMessages.Default.Note, OperationMessages.Default.Note));
        Assert.Equal(new Note("c"), await method.CallAsync<Note, Note>(new Note("c")));
        Assert.Equal(new Note("d"), await plugin.CallAsync<Note, Note>(name, new Note("d")));
        Assert.Equal("""{"text":"e"}"""u8.ToArray(), await method.CallRawBytesAsync("""{"text":"e"}"""u8));
        using RawResponse lease = await method.CallRawZeroCopyAsync("""{"text":"f"}"""u8);
        Assert.Equal("""{"text":"f"}"""u8.ToArray(), lease.ToArray());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(255)]
    [InlineData(257)]
    [InlineData(20_000)]
    [InlineData(300_000)]
    [InlineData(5_000_000)]
    public async Task An_answer_of_any_size_comes_whole(int size)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        byte[] request = Encoding.UTF8.GetBytes($"{size}");
        byte[] answer = await plugin.CallRawBytesAsync("async.fill", request);
        Assert.Equal(size, answer.Length);
        Assert.Equal(-1, answer.AsSpan().IndexOfAnyExcept((byte)'x'));
        using RawResponse lease = await plugin.Method("async.fill", PluginEncoding.Raw).CallRawZeroCopyAsync(request);
        Assert.Equal(size, lease.Length);
    }

    [Fact]
    public async Task Calls_without_number_are_pending_at_once()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method method = plugin.Method("async.later");
        for (int round = 0; round < 3; round++)
        {
            Task<Note>[] all = [.. Enumerable.Range(0, 1000).Select(i => method.CallAsync<Note, Note>(new Note($"{i}")).AsTask())];
            Note[] answers = await Task.WhenAll(all).WaitAsync(Limit);
            Assert.Equal(Enumerable.Range(0, 1000).Select(i => new Note($"{i}")), answers);
        }
    }

    [Theory]
    [InlineData("async.fail", Status.DataLoss)]
    [InlineData("async.panic_now", Status.Internal)]
    [InlineData("async.panic_later", Status.Internal)]
    public async Task A_failure_is_thrown_where_it_is_awaited(string name, Status status)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        ValueTask<string> call = plugin.CallAsync(name, """{"text":"why"}""");
        PluginException error = await Assert.ThrowsAsync<PluginException>(async () => await call);
        Assert.Equal(status, error.Status);
        Assert.Contains("why", error.Message, StringComparison.Ordinal);
        Task<string> task = plugin.CallAsync(name, """{"text":"why"}""").AsTask();
        await Assert.ThrowsAsync<PluginException>(() => task);
        Assert.True(task.IsFaulted);
    }

    [Fact]
    public async Task A_token_cancels_the_handler()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        Task<string> call = plugin.CallAsync("async.never", Nothing, source.Token).AsTask();
        Assert.False(call.IsCompleted);
        await source.CancelAsync();
        OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Limit));
        Assert.Equal(source.Token, cancelled.CancellationToken);
        Assert.True(call.IsCanceled);
        Assert.Equal("1", plugin.Call("async.dropped", Nothing));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await plugin.CallAsync("async.never", Nothing, source.Token));
        Assert.Equal("1", plugin.Call("async.dropped", Nothing));
    }

    [Fact]
    public async Task An_answer_that_was_first_wins_over_a_token()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        ValueTask<string> call = plugin.CallAsync("call.cleanup", Nothing, source.Token);
        await source.CancelAsync();
        Assert.Equal("""{"text":"cleaned up"}""", await call.AsTask().WaitAsync(Limit));
    }

    [Fact]
    public async Task A_deadline_ends_a_call()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var options = new CallOptions { Timeout = TimeSpan.FromMilliseconds(5) };
        PluginException error = await Assert.ThrowsAsync<PluginException>(
            () => plugin.CallAsync("async.never", Nothing, options).AsTask().WaitAsync(Limit));
        Assert.Equal(Status.DeadlineExceeded, error.Status);
        error = Assert.Throws<PluginException>(() => plugin.Call("async.never", Nothing, options));
        Assert.Equal(Status.DeadlineExceeded, error.Status);
        Assert.Throws<ArgumentOutOfRangeException>(() => new CallOptions { Timeout = TimeSpan.FromTicks(-1) });
    }

    [Fact]
    public async Task A_blocking_call_is_cancelled_from_another_thread()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        for (int delay = 0; delay < 5; delay++)
        {
            using var source = new CancellationTokenSource();
            var options = new CallOptions { CancellationToken = source.Token };
            Task<string> call = Task.Run(() => plugin.Call("call.sleep", """{"ms":600000}""", options));
            await Task.Delay(delay);
            await source.CancelAsync();
            OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Limit));
            Assert.Equal(source.Token, cancelled.CancellationToken);
        }
    }

    [Fact]
    public async Task A_call_carries_metadata_and_trace_and_gets_trailers()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var trace = new ActivityContext(
            ActivityTraceId.CreateFromString("0102030405060708090a0b0c0d0e0f10"),
            ActivitySpanId.CreateFromString("0102030405060708"),
            ActivityTraceFlags.Recorded,
            "a=b");
        foreach (string name in (string[])["call.carried", "call.carried_later"])
        {
            for (int way = 0; way < 2; way++)
            {
                var reply = new CallReply();
                var options = new CallOptions
                {
                    Metadata = new Metadata { { "user", "ada" }, { "user", "bob" }, { "empty", "" } },
                    Trace = trace,
                    Timeout = TimeSpan.FromMinutes(1),
                    Reply = reply,
                };
                string answer = way == 0 ? plugin.Call(name, Nothing, options) : await plugin.CallAsync(name, Nothing, options);
                JsonElement carried = JsonDocument.Parse(answer).RootElement;
                Assert.True(carried.GetProperty("has_deadline").GetBoolean());
                Assert.Equal("""[["user","ada"],["user","bob"],["empty",""]]""", carried.GetProperty("metadata").GetRawText());
                Assert.Equal("00-0102030405060708090a0b0c0d0e0f10-0102030405060708-01", carried.GetProperty("trace").GetString());
                Assert.Equal("a=b", carried.GetProperty("state").GetString());
                Assert.Equal(["user", "user", "empty"], reply.Trailers.Select(pair => pair.Key));
                Assert.Equal("ada", reply.Trailers.GetText("user"));
                Assert.Null(reply.Trailers.Get("none"));
            }
        }
    }

    [Fact]
    public async Task The_current_activity_is_passed_on()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var activity = new Activity("test");
        activity.SetIdFormat(ActivityIdFormat.W3C).Start();
        string asynchronous = await plugin.CallAsync("call.carried_later", Nothing);
        string blocking = plugin.Call("call.carried", Nothing, CallOptions.Default);
        string plain = plugin.Call("call.carried", Nothing);
        activity.Stop();
        Assert.Contains(activity.Id!, asynchronous, StringComparison.Ordinal);
        Assert.Contains(activity.Id!, blocking, StringComparison.Ordinal);
        Assert.DoesNotContain(activity.Id!, plain, StringComparison.Ordinal);
        Assert.DoesNotContain(activity.Id!, await plugin.CallAsync("call.carried_later", Nothing), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Trailers_come_with_a_failure()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var reply = new CallReply();
        var options = new CallOptions { Reply = reply };
        Assert.Throws<PluginException>(() => plugin.Call("call.fail", Nothing, options));
        Assert.Equal("because", reply.Trailers.GetText("why"));
        reply = new CallReply();
        await Assert.ThrowsAsync<PluginException>(
            async () => await plugin.CallAsync("call.fail", Nothing, new CallOptions { Reply = reply, Offload = true }));
        Assert.Equal("because", reply.Trailers.GetText("why"));
    }

    [Fact]
    public async Task A_plain_method_can_run_elsewhere()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        var options = new CallOptions { Offload = true, CancellationToken = source.Token };
        Task<string> call = plugin.CallAsync("call.sleep", """{"ms":600000}""", options).AsTask();
        Assert.False(call.IsCompleted);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Limit));
    }

    [Fact]
    public async Task Closing_waits_for_what_is_pending_or_cancels_it()
    {
        Plugin plugin = TestPlugins.LoadOperations();
        Task<string> later = plugin.CallAsync("async.later", """{"text":"x"}""").AsTask();
        plugin.Close(Limit);
        Assert.Equal("""{"text":"x"}""", await later.WaitAsync(Limit));
        PluginException closed = await Assert.ThrowsAsync<PluginException>(async () => await plugin.Method("async.later").CallAsync("null"));
        Assert.Equal(Status.Unavailable, closed.Status);

        plugin = TestPlugins.LoadOperations();
        Task<string> never = plugin.CallAsync("async.never", Nothing).AsTask();
        PluginException late = Assert.Throws<PluginException>(() => plugin.Close(TimeSpan.FromMilliseconds(5)));
        Assert.Equal(Status.DeadlineExceeded, late.Status);
        Assert.Contains("async.never", late.Message, StringComparison.Ordinal);
        plugin.Close(Limit, cancelAfter: TimeSpan.FromMilliseconds(1));
        PluginException cancelled = await Assert.ThrowsAsync<PluginException>(() => never.WaitAsync(Limit));
        Assert.Equal(Status.Cancelled, cancelled.Status);
    }

    [Fact]
    public async Task An_inline_answer_and_a_pooled_one_allocate_nothing()
    {
        using Plugin plugin = TestPlugins.LoadHello();
        Method add = plugin.Method("math.add", PluginEncoding.Pod);
        long sum = 0;
        for (int i = 0; i < 1000; i++)
        {
            sum += (await add.CallRawAsync<Pair, Sum>(new Pair(i, 1))).Value;
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            ValueTask<Sum> call = add.CallRawAsync<Pair, Sum>(new Pair(i, 1));
            Assert.True(call.IsCompletedSuccessfully);
            sum += call.GetAwaiter().GetResult().Value;
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.NotEqual(0, sum);
    }

    [Fact]
    public async Task A_ValueTask_cannot_be_got_too_early_or_twice()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        ValueTask<string> call = plugin.CallAsync("async.never", Nothing, source.Token);
        Assert.Throws<InvalidOperationException>(() => call.GetAwaiter().GetResult());
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await call);
        Assert.Throws<InvalidOperationException>(() => call.GetAwaiter().GetResult());
    }

    [Fact]
    public async Task The_thread_of_the_queue_has_a_name()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        await plugin.CallAsync("async.later", """{"text":"x"}""");
        if (OperatingSystem.IsLinux())
        {
            // Linux keeps fifteen characters.
            Assert.Contains("rustbridge-queu", Directory.GetDirectories("/proc/self/task").Select(NameOf));
        }
    }

    private static string NameOf(string thread)
    {
        try
        {
            return File.ReadAllText(Path.Combine(thread, "comm")).Trim();
        }
        catch (IOException)
        {
            return "a thread that has ended";
        }
    }

    [Fact]
    public async Task Continuations_do_not_run_on_the_drainer()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        await plugin.CallAsync("async.later", """{"text":"x"}""").ConfigureAwait(false);
        Assert.NotEqual("rustbridge-queue", Thread.CurrentThread.Name);
        // One that blocks holds up nobody.
        string other = plugin.CallAsync("async.later", """{"text":"y"}""").AsTask().GetAwaiter().GetResult();
        Assert.Equal("""{"text":"y"}""", other);
    }

    [Fact]
    public void Streams_are_not_called()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Assert.Throws<InvalidOperationException>(() => _ = plugin.CallAsync("stream.numbers", "{}"));
        Assert.Throws<InvalidOperationException>(() => plugin.Call("items.sum", "{}", CallOptions.Default));
    }

    public record struct Pair(long A, long B);

    public record struct Sum(long Value);
}
