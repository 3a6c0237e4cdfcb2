// Sources are enumerated by the library, on whatever thread: they aren't the tests'.
#pragma warning disable xUnit1030
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Streams out of a plugin, into it, and both ways.</summary>
public sealed class StreamTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private static OperationMessages Json => OperationMessages.Default;

    [Theory]
    [InlineData("stream.numbers")]
    [InlineData("stream.ticks")]
    public async Task Items_come_in_order_and_then_the_end(string name)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var limit = new CancellationTokenSource(Limit);
        var numbers = new List<ulong>();
        await foreach (ulong number in plugin.Method(name).StreamAsync<object, ulong>(new { from = 3, to = 8 }, cancellationToken: limit.Token))
        {
            numbers.Add(number);
        }

        Assert.Equal([3, 4, 5, 6, 7], numbers);
    }

    [Theory]
    [InlineData("stream.numbers", "fail_at", Status.DataLoss)]
    [InlineData("stream.ticks", "fail_at", Status.DataLoss)]
    [InlineData("stream.numbers", "panic_at", Status.Internal)]
    [InlineData("stream.ticks", "panic_at", Status.Internal)]
    public async Task A_failure_comes_after_the_items(string name, string where, Status status)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var request = new Dictionary<string, int> { ["to"] = 9, [where] = 2 };
        var numbers = new List<ulong>();
        PluginException error = await Assert.ThrowsAsync<PluginException>(async () =>
        {
            await foreach (ulong number in plugin.Method(name).StreamAsync<Dictionary<string, int>, ulong>(request))
            {
                numbers.Add(number);
            }
        });
        Assert.Equal(status, error.Status);
        Assert.Equal([0, 1], numbers);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1_000_000)]
    [InlineData(256, 8)]
    [InlineData(1000, 1_000_000)]
    public async Task Any_window_gives_every_item(int items, int bytes)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var options = new CallOptions { WindowItems = items, WindowBytes = bytes };
        ulong sum = 0;
        await foreach (Number number in plugin.Method("stream.pods", PluginEncoding.Pod).StreamRawAsync<Number, Number>(new Number(5000), options))
        {
            sum += number.Value;
        }

        Assert.Equal(5000UL * 4999 / 2, sum);
        sum = 0;
        await foreach (ReadOnlyMemory<Number> batch in plugin.Method("stream.pods", PluginEncoding.Pod)
            .StreamRawBatchesAsync<Number, Number>(new Number(5000), options))
        {
            Assert.InRange(batch.Length, 1, 5000);
            foreach (Number number in batch.ToArray())
            {
                sum += number.Value;
            }
        }

        Assert.Equal(5000UL * 4999 / 2, sum);
        int length = 0;
        await foreach (StreamItem item in plugin.Method("stream.texts", PluginEncoding.Raw).StreamRawBytesAsync("1000"u8, options))
        {
            Assert.Equal(++length, item.Bytes.Length);
            Assert.Equal(-1, item.Bytes.Span.IndexOfAnyExcept((byte)'x'));
        }

        Assert.Equal(1000, length);
    }

    [Fact]
    public async Task Leaving_the_loop_ends_the_stream()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        for (int round = 1; round <= 3; round++)
        {
            await foreach (ulong number in plugin.Method("stream.ticks").StreamAsync<object, ulong>(new { to = 1_000_000_000 }))
            {
                if (number == 3)
                {
                    break;
                }
            }

            Waiting.For("the stream's end", () => plugin.Call("async.dropped", "null") == $"{round}");
        }
    }

    [Fact]
    public async Task A_token_ends_the_stream()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        for (int way = 0; way < 3; way++)
        {
            using var source = new CancellationTokenSource();
            CancellationToken none = default;
            IAsyncEnumerable<ulong> ticks = plugin.Method("stream.ticks").StreamAsync<object, ulong>(
                new { to = 1_000_000_000 },
                new CallOptions { CancellationToken = way == 0 ? source.Token : none },
                cancellationToken: way == 1 ? source.Token : none);
            int seen = 0;
            OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            {
                await foreach (ulong _ in ticks.WithCancellation(way == 2 ? source.Token : none))
                {
                    if (++seen == 2)
                    {
                        source.CancelAfter(1);
                    }
                }
            });
            Assert.Equal(source.Token, cancelled.CancellationToken);
            int ended = way + 1;
            Waiting.For("the stream's end", () => plugin.Call("async.dropped", "null") == $"{ended}");
        }
    }

    [Fact]
    public async Task Closing_ends_a_stream_after_what_was_sent()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        await using IAsyncEnumerator<ulong> ticks = plugin.Method("stream.ticks")
            .StreamAsync<object, ulong>(new { to = 1_000_000_000 }).GetAsyncEnumerator();
        Assert.True(await ticks.MoveNextAsync());
        plugin.Close(Limit);
        PluginException error = await Assert.ThrowsAsync<PluginException>(async () =>
        {
            while (await ticks.MoveNextAsync())
            {
            }
        });
        Assert.Equal(Status.Unavailable, error.Status);
        Assert.False(await ticks.MoveNextAsync());
    }

    [Fact]
    public async Task A_stream_that_is_dropped_is_told_of_and_ended()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        int told = 0;
        void Tell(string message) => told += message.Contains("stream.ticks", StringComparison.Ordinal) ? 1 : 0;
        Plugin.StreamDropped += Tell;
        try
        {
            await Drop(plugin);
            Waiting.For("the stream's end", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Volatile.Read(ref told) == 1 && plugin.Call("async.dropped", "null") == "1";
            });
        }
        finally
        {
            Plugin.StreamDropped -= Tell;
        }
    }

    [Fact]
    public async Task Structs_are_sent_and_answered()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method sum = plugin.Method("items.sum", PluginEncoding.Pod);
        Assert.Equal(
            new Number(10 + (5000UL * 4999 / 2)),
            await sum.SendRawAsync<Number, Number, Number>(new Number(10), Numbers(5000)).AsTask().WaitAsync(Limit));
        Number[] many = [.. Enumerable.Range(0, 5000).Select(i => new Number((ulong)i))];
        Assert.Equal(
            new Number(10 + (5000UL * 4999 / 2)),
            await sum.SendRawAsync<Number, Number, Number>(new Number(10), many).AsTask().WaitAsync(Limit));
    }

    [Fact]
    public async Task Items_are_sent_and_answered()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Method sum = plugin.Method("items.sum");
        Assert.Equal(
            new Number(10 + 4950),
            await sum.SendAsync(new Number(10), Numbers(100), Json.Number, Json.Number, Json.Number).AsTask().WaitAsync(Limit));
        Assert.Equal(
            new Number(10 + 4950),
            await sum.SendAsync(
                new Number(10), Enumerable.Range(0, 100).Select(i => new Number((ulong)i)), Json.Number, Json.Number, Json.Number)
                .AsTask().WaitAsync(Limit));
        Assert.Equal(new Number(1), await sum.SendAsync<Number, Number, Number>(new Number(1), Numbers(0)));
        byte[] answer = await sum.SendRawBytesAsync("""{"value":5}"""u8, Texts("""{"value":6}""", """{"value":7}""")).AsTask().WaitAsync(Limit);
        Assert.Equal("""{"value":18}""", Encoding.UTF8.GetString(answer));
    }

    [Fact]
    public async Task An_answer_that_comes_early_ends_the_sending()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        bool isEnded = false;
        async IAsyncEnumerable<Number> Endless([EnumeratorCancellation] CancellationToken token = default)
        {
            try
            {
                for (ulong i = 7; ; i++)
                {
                    yield return new Number(i);
                    await Task.Delay(1, token).ConfigureAwait(false);
                }
            }
            finally
            {
                isEnded = true;
            }
        }

        Number first = await plugin.Method("items.first")
            .SendAsync<string, Number, Number>(null!, Endless()).AsTask().WaitAsync(Limit);
        Assert.Equal(new Number(7), first);
        Waiting.For("the source's end", () => Volatile.Read(ref isEnded));
    }

    [Fact]
    public async Task What_the_source_throws_is_thrown()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        static async IAsyncEnumerable<Number> Broken()
        {
            yield return new Number(1);
            await Task.Yield();
            throw new FormatException("broken");
        }

        await Assert.ThrowsAsync<FormatException>(
            () => plugin.Method("items.sum").SendAsync<Number, Number, Number>(new Number(1), Broken()).AsTask().WaitAsync(Limit));
        await Assert.ThrowsAsync<FormatException>(async () =>
        {
            await foreach (Number _ in plugin.Method("items.double").ExchangeAsync<object?, Number, Number>(null, Broken()))
            {
            }
        });
        plugin.Close(Limit);
    }

    [Fact]
    public async Task What_listens_in_the_source_may_throw_when_the_stream_is_over()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        static async IAsyncEnumerable<Number> Listening([EnumeratorCancellation] CancellationToken token = default)
        {
            token.Register(() => throw new FormatException("what a source's listener throws"));
            yield return new Number(7);
            await Task.Delay(Timeout.InfiniteTimeSpan, token).ConfigureAwait(false);
        }

        int told = 0;
        void Listen(Exception problem) =>
            Interlocked.Add(ref told, problem.ToString().Contains("what a source's listener throws", StringComparison.Ordinal) ? 1 : 0);
        Plugin.LogFailed += Listen;
        try
        {
            Number first = await plugin.Method("items.first")
                .SendAsync<string, Number, Number>(null!, Listening()).AsTask().WaitAsync(Limit);
            Assert.Equal(new Number(7), first);
            await foreach (Number number in plugin.Method("items.double").ExchangeAsync<object?, Number, Number>(null, Listening()))
            {
                Assert.Equal(new Number(14), number);
                break;
            }

            Assert.Equal(2, Volatile.Read(ref told));
        }
        finally
        {
            Plugin.LogFailed -= Listen;
        }
    }

    [Fact]
    public async Task Disposing_of_a_stream_ends_who_waits_for_its_next_item()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var channel = Channel.CreateUnbounded<Number>();
        IAsyncEnumerator<Number> doubled = plugin.Method("items.double")
            .ExchangeAsync<object?, Number, Number>(null, channel.Reader.ReadAllAsync()).GetAsyncEnumerator();
        Task<bool> next = doubled.MoveNextAsync().AsTask();
        await doubled.DisposeAsync();
        Assert.False(await next.WaitAsync(Limit));
    }

    [Fact]
    public async Task Sending_is_cancelled()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using var source = new CancellationTokenSource();
        var channel = Channel.CreateUnbounded<Number>();
        Task<Number> sum = plugin.Method("items.sum").SendAsync<Number, Number, Number>(
            new Number(1), channel.Reader.ReadAllAsync(), cancellationToken: source.Token).AsTask();
        channel.Writer.TryWrite(new Number(1));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sum.WaitAsync(Limit));
    }

    [Fact]
    public async Task Items_go_both_ways()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var doubled = new List<ulong>();
        await foreach (Number number in plugin.Method("items.double").ExchangeAsync(
            null!, Numbers(2000), Json.Note, Json.Number, Json.Number))
        {
            doubled.Add(number.Value);
        }

        Assert.Equal(Enumerable.Range(0, 2000).Select(i => 2 * (ulong)i), doubled);

        // One at a time: each is answered before the next is sent.
        var channel = Channel.CreateUnbounded<Number>();
        channel.Writer.TryWrite(new Number(1));
        ulong last = 0;
        await foreach (Number number in plugin.Method("items.double").ExchangeAsync<object?, Number, Number>(
            null, channel.Reader.ReadAllAsync(), new CallOptions { WindowItems = 1 }))
        {
            last = number.Value;
            if (last > 1000)
            {
                channel.Writer.Complete();
            }
            else
            {
                channel.Writer.TryWrite(number);
            }
        }

        Assert.Equal(1024UL, last);
    }

    [Fact]
    public async Task Nothing_is_left_behind()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        for (int i = 0; i < 50; i++)
        {
            await foreach (ulong _ in plugin.Method("stream.ticks").StreamAsync<object, ulong>(new { to = 3 }))
            {
                if (i % 2 == 0)
                {
                    break;
                }
            }
        }

        plugin.Close(Limit);
        Assert.Contains("closed", $"{plugin.State}", StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Only_streams_are_streamed()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        Assert.Throws<InvalidOperationException>(() => plugin.Method("async.now").StreamAsync<Note, Note>(new Note("")));
        Assert.Throws<InvalidOperationException>(() => plugin.Method("items.double").StreamAsync<Note, Note>(new Note("")));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task Drop(Plugin plugin)
    {
        IAsyncEnumerator<ulong> ticks = plugin.Method("stream.ticks")
            .StreamAsync<object, ulong>(new { to = 1_000_000_000 }).GetAsyncEnumerator();
        Assert.True(await ticks.MoveNextAsync());
    }

    private static async IAsyncEnumerable<Number> Numbers(int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (i % 7 == 0)
            {
                await Task.Yield();
            }

            yield return new Number((ulong)i);
        }
    }

    private static async IAsyncEnumerable<ReadOnlyMemory<byte>> Texts(params string[] texts)
    {
        foreach (string text in texts)
        {
            await Task.Yield();
            yield return Encoding.UTF8.GetBytes(text);
        }
    }
}
