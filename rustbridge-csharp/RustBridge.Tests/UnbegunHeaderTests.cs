using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Who waits for the headers of a call that throws before it has begun is told why, whatever way it was called.</summary>
public sealed class UnbegunHeaderTests : IDisposable
{
    private const string Hi = """{"text":"Hi"}""";
    private static readonly double[] Unwritable = [double.NaN];
    private static readonly Version Unknown = new(1, 0);

    private readonly Plugin _plugin = TestPlugins.LoadOperations();

    private Method Now => _plugin.Method("headers.now");

    private Method Items => _plugin.Method("headers.items");

    private Method Sum => _plugin.Method("headers.sum");

    private Method Double => _plugin.Method("headers.double");

    private static IAsyncEnumerable<Number> Some => Each(new Number(1));

    public void Dispose() => _plugin.Dispose();

    [Fact]
    public Task A_request_that_can_not_be_written() => Fail<ArgumentException>(
        with => Now.CallAsync<double[], object>(Unwritable, with).AsTask(),
        with => Task.FromResult(Now.Call<double[], object>(Unwritable, with)),
        with => All(Items.StreamAsync<double[], ulong>(Unwritable, with)),
        with => Sum.SendAsync<double[], Number, Number>(Unwritable, Some, with).AsTask(),
        with => All(Double.ExchangeAsync<double[], Number, Number>(Unwritable, Some, with)));

    [Fact]
    public Task Text_that_is_not_Unicode() => Fail<PluginException>(
        with => Now.CallAsync("\ud800", with).AsTask(),
        with => Now.CallAsync("\ud800" + new string('x', 100_000), with).AsTask(),
        with => Task.FromResult(Now.Call("\ud800", with)));

    [Fact]
    public async Task An_object_that_was_disposed_of()
    {
        PluginObject counter = await _plugin.CallAsync<int, PluginObject>("counter.open", 1);
        var lending = new CallOptions { Objects = [counter] };
        // This one is asked for while the object is there, and begun when it isn't.
        (CallReply reply, CallOptions options) = Asking(lending);
        IAsyncEnumerable<ulong> items = Items.StreamAsync<object, ulong>(new { from = 0, to = 3 }, options);
        counter.Dispose();
        ObjectDisposedException thrown = await Assert.ThrowsAsync<ObjectDisposedException>(() => All(items));
        Assert.Same(thrown, await Assert.ThrowsAsync<ObjectDisposedException>(() => reply.HeadersAsync.WaitAsync(Waiting.Long)));
        await Fail<ObjectDisposedException>(
            lending,
            with => Now.CallAsync(Hi, with).AsTask(),
            with => Now.CallAsync<Note, Note>(new Note("Hi"), with).AsTask(),
            with => Now.CallRawBytesAsync("{}"u8, with).AsTask(),
            with => Now.CallRawZeroCopyAsync("{}"u8, with).AsTask(),
            with => Task.FromResult(Now.Call(Hi, with)),
            with => Task.FromResult(Now.Call<Note, Note>(new Note("Hi"), with)),
            with => Task.FromResult(Now.Call("{}"u8, with)),
            with => Task.FromResult(Now.CallRawBytes("{}"u8, with)),
            with => Task.FromResult(Now.CallRawZeroCopy("{}"u8, with)),
            with => All(Items.StreamRawBytesAsync("{}"u8, with)),
            with => Sum.SendRawBytesAsync("1"u8, Each(ReadOnlyMemory<byte>.Empty), with).AsTask());
        await Fail<ObjectDisposedException>(
            with => counter.CallAsync("Counter.get", "null", with).AsTask(),
            with => counter.CallAsync<object?, long>("Counter.get", null, with).AsTask(),
            with => Task.FromResult(counter.Call("Counter.get", "null", with)),
            with => Task.FromResult(counter.Call<object?, long>("Counter.get", null, with)),
            with => All(counter.StreamAsync("Counter.upto", 3L, OperationMessages.Default.Int64, OperationMessages.Default.Int64, with)));
    }

    [Fact]
    public Task A_method_of_another_kind_or_encoding() => Fail<InvalidOperationException>(
        with => Items.CallAsync(Hi, with).AsTask(),
        with => Items.CallAsync<Note, Note>(new Note("Hi"), with).AsTask(),
        with => Items.CallRawBytesAsync("{}"u8, with).AsTask(),
        with => Items.CallRawZeroCopyAsync("{}"u8, with).AsTask(),
        with => Task.FromResult(Items.Call(Hi, with)),
        with => Task.FromResult(Items.Call<Note, Note>(new Note("Hi"), with)),
        with => Task.FromResult(Items.CallRawBytes("{}"u8, with)),
        with => Task.FromResult(Items.CallRawZeroCopy("{}"u8, with)),
        with => All(Now.StreamAsync<Note, Note>(new Note("Hi"), with)),
        with => All(Now.StreamRawBytesAsync("{}"u8, with)),
        with => Now.SendAsync<Note, Number, Note>(new Note("Hi"), Some, with).AsTask(),
        with => Now.SendRawBytesAsync("{}"u8, Each(ReadOnlyMemory<byte>.Empty), with).AsTask(),
        with => All(Now.ExchangeAsync<Note, Number, Note>(new Note("Hi"), Some, with)),
        with => Now.CallRawAsync<Number, Number>(default, with).AsTask(),
        with => Task.FromResult(Now.CallRaw<Number, Number>(default, with)),
        with => Task.FromResult(_plugin.Method("items.sum", PluginEncoding.Pod).Call("{}"u8, with)),
        with => All(Items.StreamRawAsync<Number, Number>(default, with)),
        with => All(Items.StreamRawBatchesAsync<Number, Number>(default, with)),
        with => Sum.SendRawAsync<Number, Number, Number>(default, Some, with).AsTask(),
        with => All(Double.ExchangeRawAsync<Number, Number, Number>(default, Some, with)));

    [Fact]
    public Task A_method_that_is_not_there() => Fail<PluginException>(
        with => _plugin.CallAsync("no.such", Hi, with).AsTask(),
        with => _plugin.CallAsync<Note, Note>("no.such", new Note("Hi"), with).AsTask(),
        with => _plugin.CallRawAsync<Number, Number>("no.such", default, with).AsTask(),
        with => _plugin.CallRawBytesAsync("no.such", "{}"u8, with).AsTask(),
        with => Task.FromResult(_plugin.Call("no.such", Hi, with)),
        with => Task.FromResult(_plugin.Call<Note, Note>("no.such", new Note("Hi"), with)));

    [Fact]
    public async Task Arguments_that_no_call_can_have()
    {
        await Fail<ArgumentNullException>(
            with => Now.CallAsync(null!, with).AsTask(),
            with => Task.FromResult(Now.Call((string)null!, with)),
            with => Sum.SendAsync<Number, Number, Number>(default, null!, with).AsTask(),
            with => Sum.SendAsync(
                default,
                (IEnumerable<Number>)null!,
                OperationMessages.Default.Number,
                OperationMessages.Default.Number,
                OperationMessages.Default.Number,
                with).AsTask(),
            with => _plugin.Method("items.sum", PluginEncoding.Pod).SendRawAsync<Number, Number, Number>(
                default, (IEnumerable<Number>)null!, with).AsTask());
        var known = new JsonSerializerOptions { TypeInfoResolver = OperationMessages.Default };
        await Fail<NotSupportedException>(
            with => Now.CallAsync<Version, Note>(Unknown, with, known).AsTask(),
            with => Task.FromResult(Now.Call<Version, Note>(Unknown, with, known)),
            with => All(Items.StreamAsync<Version, Note>(Unknown, with, known)),
            with => Sum.SendAsync<Version, Number, Number>(Unknown, Some, with, known).AsTask(),
            with => All(Double.ExchangeAsync<Version, Number, Number>(Unknown, Some, with, known)));
    }

    [Fact]
    public async Task A_stream_that_was_never_begun_is_given_up()
    {
        (CallReply reply, CallOptions options) = Asking(CallOptions.Default);
        IAsyncEnumerable<ulong> items = Items.StreamAsync<object, ulong>(new { from = 0, to = 3 }, options);
        await items.GetAsyncEnumerator(CancellationToken.None).DisposeAsync();
        Assert.True(reply.HeadersAsync.IsCanceled);
    }

    private static Task Fail<T>(params Func<CallOptions, Task>[] calls)
        where T : Exception => Fail<T>(CallOptions.Default, calls);

    /// <summary>Makes calls that throw, and looks at their headers.</summary>
    private static async Task Fail<T>(CallOptions like, params Func<CallOptions, Task>[] calls)
        where T : Exception
    {
        for (int number = 0; number < calls.Length; number++)
        {
            (CallReply reply, CallOptions options) = Asking(like);
            T thrown = await Assert.ThrowsAnyAsync<T>(() => calls[number](options));
            Assert.True(reply.HeadersAsync.IsFaulted, $"the headers of call {number} are {reply.HeadersAsync.Status}");
            Assert.Same(thrown, await Assert.ThrowsAnyAsync<T>(() => reply.HeadersAsync));
        }
    }
    private static (CallReply Reply, CallOptions Options) Asking(CallOptions like)
    {
        var reply = new CallReply { IncludeHeaders = true };
        return (reply, like with { Reply = reply });
    }

    private static async Task All<T>(IAsyncEnumerable<T> items)
    {
        await foreach (T _ in items)
        {
            // Whatever comes.
        }
    }

    private static async IAsyncEnumerable<T> Each<T>(T item)
    {
        await Task.Yield();
        yield return item;
    }
}
