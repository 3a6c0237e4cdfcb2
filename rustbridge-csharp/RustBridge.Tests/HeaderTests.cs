using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Metadata that a plugin says before anything else of a call.</summary>
public sealed class HeaderTests
{
    private const string Hi = """{"text":"Hi"}""";

    /// <summary>Two pairs with one key, and one whose value is no text.</summary>
    private static readonly Metadata Sent = new() { { "served-by", "b7" }, { "raw-bin", new byte[] { 0, 255 } }, { "served-by", "b8" } };

    private static readonly string[] Said = ["served-by=6237", "raw-bin=00FF", "served-by=6238"];

    private static OperationMessages Json => OperationMessages.Default;

    [Theory]
    [InlineData("headers.now")]
    [InlineData("headers.soon")]
    [InlineData("headers.later")]
    public async Task They_come_with_the_answer_of_who_asks(string name)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method method = plugin.Method(name);
        string[] said = name == "headers.later" ? ["first=31", .. Said] : Said;
        foreach (CallOptions like in (CallOptions[])[CallOptions.Default, new() { Offload = true }, new() { Timeout = Waiting.Long }])
        {
            (CallReply reply, CallOptions options) = Asking(like);
            Assert.Equal(Hi, await method.CallAsync(Hi, options));
            Assert.Equal(said, Pairs(reply.Headers));
            Assert.Empty(reply.Trailers);
            Assert.Same(reply.Headers, await reply.HeadersAsync.WaitAsync(Waiting.Long));
            (reply, options) = Asking(like);
            Assert.Equal(Hi, method.Call(Hi, options));
            Assert.Equal(said, Pairs(reply.Headers));
            Assert.Same(reply.Headers, await reply.HeadersAsync.WaitAsync(Waiting.Long));
        }

        (CallReply cancellable, CallOptions may) = Asking(new() { CancellationToken = new CancellationTokenSource().Token });
        Assert.Equal(Hi, method.Call(Hi, may));
        Assert.Equal(said, Pairs(cancellable.Headers));
        // In every form of a call.
        (cancellable, may) = Asking();
        Assert.Equal(new Note("Hi"), await method.CallAsync(new Note("Hi"), Json.Note, Json.Note, may));
        Assert.Equal(said, Pairs(cancellable.Headers));
        (cancellable, may) = Asking();
        using RawResponse lease = method.CallRawZeroCopy(Encoding.UTF8.GetBytes(Hi), may);
        Assert.Equal(said, Pairs(cancellable.Headers));
    }

    [Theory]
    [InlineData("headers.now")]
    [InlineData("headers.soon")]
    [InlineData("headers.later")]
    public async Task Who_did_not_ask_gets_none(string name)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var reply = new CallReply();
        var options = new CallOptions { Metadata = Sent, Reply = reply };
        Assert.False(reply.IncludeHeaders);
        Assert.Equal(Hi, await plugin.CallAsync(name, Hi, options));
        Assert.Equal(Hi, plugin.Call(name, Hi, options));
        Assert.Equal(Hi, plugin.Call(name, Hi, options with { Reply = null }));
        Assert.Equal(Hi, plugin.Call(name, Hi));
        Assert.Empty(reply.Headers);
        Assert.True(reply.HeadersAsync.IsCompletedSuccessfully);
        Assert.Empty(await reply.HeadersAsync);
    }

    [Theory]
    [InlineData("headers.now")]
    [InlineData("async.now")]
    [InlineData("async.later")]
    public async Task There_are_none_if_none_are_said(string name)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        for (int way = 0; way < 2; way++)
        {
            var reply = new CallReply { IncludeHeaders = true };
            var options = new CallOptions { Reply = reply };
            Task<Metadata> headers = reply.HeadersAsync;
            Assert.False(headers.IsCompleted);
            Assert.Equal(Hi, way == 0 ? plugin.Call(name, Hi, options) : await plugin.CallAsync(name, Hi, options));
            Assert.Empty(await headers.WaitAsync(Waiting.Long));
            Assert.Empty(reply.Headers);
        }
    }

    [Fact]
    public async Task They_come_with_an_error()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        const string Refusal = """{"status":7,"why":"no"}""";
        (CallReply reply, CallOptions options) = Asking();
        Assert.Equal(Status.PermissionDenied, Assert.Throws<PluginException>(() => plugin.Call("headers.refuse", Refusal, options)).Status);
        Assert.Equal(Said, Pairs(reply.Headers));
        (reply, options) = Asking();
        Task<string> call = plugin.CallAsync("headers.refuse", Refusal, options).AsTask();
        Assert.Equal(Said, Pairs(await reply.HeadersAsync.WaitAsync(Waiting.Long)));
        Assert.Equal("no", (await Assert.ThrowsAsync<PluginException>(() => call.WaitAsync(Waiting.Long))).Message);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(600)]
    public async Task A_stream_has_them_before_its_first_item_and_where_there_is_none(int count)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        (CallReply reply, CallOptions options) = Asking();
        Task<Metadata> headers = reply.HeadersAsync;
        await using IAsyncEnumerator<ulong> items = Stream(plugin, "headers.items", count, options).GetAsyncEnumerator(CancellationToken.None);
        ValueTask<bool> first = items.MoveNextAsync();
        Assert.Equal(Said, Pairs(await headers.WaitAsync(Waiting.Long)));
        ulong seen = 0;
        for (bool there = await first; there; there = await items.MoveNextAsync())
        {
            Assert.Equal(Said, Pairs(reply.Headers));
            Assert.Equal(seen++, items.Current);
        }

        Assert.Equal((ulong)count, seen);
        Assert.Equal(Said, Pairs(reply.Headers));
        // And to those who don't ask come the items.
        Assert.Equal(seen, (ulong)await Stream(plugin, "headers.items", count, new() { Metadata = Sent }).CountAsync());
    }

    [Fact]
    public async Task A_stream_that_says_none_tells_so()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        foreach ((string name, int count) in new[] { ("stream.numbers", 0), ("stream.numbers", 3), ("stream.ticks", 3) })
        {
            (CallReply reply, CallOptions options) = Asking();
            Assert.Equal(count, await Stream(plugin, name, count, options).CountAsync());
            Assert.Empty(await reply.HeadersAsync.WaitAsync(Waiting.Long));
        }

        (CallReply sums, CallOptions sending) = Asking();
        Number sum = await plugin.Method("items.sum").SendAsync(
            new Number(1), [new Number(2), new Number(3)], Json.Number, Json.Number, Json.Number, sending);
        Assert.Equal(6ul, sum.Value);
        Assert.Empty(await sums.HeadersAsync.WaitAsync(Waiting.Long));
    }

    [Fact]
    public async Task Who_gives_a_call_up_does_not_wait_for_them()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        (CallReply reply, CallOptions options) = Asking(new() { CancellationToken = source.Token });
        Task<string> never = plugin.CallAsync("async.never", "null", options).AsTask();
        Assert.False(reply.HeadersAsync.IsCompleted);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => never.WaitAsync(Waiting.Long));
        Assert.Empty(await reply.HeadersAsync.WaitAsync(Waiting.Long));
        // What is cancelled before it begins.
        foreach (Func<CallOptions, Task> call in (Func<CallOptions, Task>[])
        [
            with => Task.Run(() => plugin.Call("headers.now", Hi, with)),
            with => plugin.CallAsync("headers.now", Hi, with).AsTask(),
            async with => await Stream(plugin, "headers.items", 1, with).CountAsync(),
        ])
        {
            (reply, options) = Asking(options);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call(options));
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reply.HeadersAsync.WaitAsync(Waiting.Long));
        }

        // A stream that nobody enumerates any more.
        (reply, options) = Asking();
        IAsyncEnumerator<ulong> pending = Stream(plugin, "headers.items", 1_000_000, options).GetAsyncEnumerator(CancellationToken.None);
        Assert.True(await pending.MoveNextAsync());
        await pending.DisposeAsync();
        Assert.Equal(Said, Pairs(reply.Headers));
    }

    [Fact]
    public async Task A_closed_plugin_has_none()
    {
        Plugin plugin = TestPlugins.LoadOperations();
        Method now = plugin.Method("headers.now");
        Method items = plugin.Method("headers.items");
        (CallReply pending, CallOptions waiting) = Asking();
        Task<string> never = plugin.CallAsync("async.never", "null", waiting).AsTask();
        plugin.Close(Waiting.Long, TimeSpan.Zero);
        await Assert.ThrowsAsync<PluginException>(() => never.WaitAsync(Waiting.Long));
        Assert.Empty(await pending.HeadersAsync.WaitAsync(Waiting.Long));
        foreach (Func<CallOptions, Task> call in (Func<CallOptions, Task>[])
        [
            with => Task.Run(() => now.Call(Hi, with)),
            with => now.CallAsync(Hi, with).AsTask(),
            async with => await items.StreamAsync<object, ulong>(new { from = 0, to = 1 }, with).CountAsync(),
        ])
        {
            (CallReply reply, CallOptions options) = Asking();
            Assert.Equal(Status.Unavailable, (await Assert.ThrowsAsync<PluginException>(() => call(options))).Status);
            Assert.Empty(await reply.HeadersAsync.WaitAsync(Waiting.Long));
        }
    }

    [Fact]
    public async Task They_have_the_limit_that_all_metadata_has()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        // What is sent is as long as may be; with another header before it it's too long.
        string value = new('x', 65536 - 4 - 8 - "long".Length);
        var metadata = new Metadata { { "long", value } };
        foreach (string name in (string[])["headers.now", "headers.soon"])
        {
            (CallReply reply, CallOptions options) = Asking(new() { Metadata = metadata });
            await plugin.CallAsync(name, Hi, options);
            Assert.Equal(value, reply.Headers.GetText("long"));
            (reply, options) = Asking(new() { Metadata = metadata });
            plugin.Call(name, Hi, options);
            Assert.Equal(value, reply.Headers.GetText("long"));
        }

        (CallReply half, CallOptions tooLong) = Asking(new() { Metadata = metadata });
        PluginException refused = await Assert.ThrowsAsync<PluginException>(async () => await plugin.CallAsync("headers.later", Hi, tooLong));
        Assert.Equal(Status.ResourceExhausted, refused.Status);
        Assert.Equal(["first=31"], Pairs(half.Headers));
    }

    [Fact]
    public async Task Each_of_many_calls_has_its_own()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method later = plugin.Method("headers.later");
        var calls = new List<(CallReply Reply, Task Call)>();
        for (int number = 0; number < 2_000; number++)
        {
            (CallReply reply, CallOptions options) = Asking(new() { Metadata = new() { { "number", $"{number}" } } });
            calls.Add((reply, later.CallAsync(Hi, options).AsTask()));
        }

        for (int number = 0; number < calls.Count; number++)
        {
            Assert.Equal($"{number}", (await calls[number].Reply.HeadersAsync.WaitAsync(Waiting.Long)).GetText("number"));
            await calls[number].Call.WaitAsync(Waiting.Long);
        }
    }

    private static (CallReply Reply, CallOptions Options) Asking(CallOptions? like = null)
    {
        var reply = new CallReply { IncludeHeaders = true };
        like ??= CallOptions.Default;
        return (reply, like with { Metadata = like.Metadata ?? Sent, Reply = reply });
    }

    private static string[] Pairs(Metadata metadata) => [.. metadata.Select(pair => $"{pair.Key}={Convert.ToHexString(pair.Value.Span)}")];

    private static IAsyncEnumerable<ulong> Stream(Plugin plugin, string name, int count, CallOptions options) =>
        plugin.Method(name).StreamAsync<object, ulong>(new { from = 0, to = count }, options);
}

/// <summary>What .NET 8 doesn't have.</summary>
internal static class Counting
{
    internal static async Task<int> CountAsync(this IAsyncEnumerable<ulong> items)
    {
        int count = 0;
        await foreach (ulong _ in items)
        {
            count++;
        }

        return count;
    }
}
