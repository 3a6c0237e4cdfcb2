using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What goes along with calls: pairs of metadata, and no context of the caller's.</summary>
public sealed class ContextTests
{
    [Fact]
    public void Metadata_keeps_pairs_in_order()
    {
        var metadata = new Metadata();
        Assert.Empty(metadata);
        Assert.True(metadata.Encoded.IsEmpty);
        metadata.Add("user", "ada");
        metadata.Add("bytes", (ReadOnlySpan<byte>)[0, 255]);
        metadata.Add("user", "größer");
        metadata.Add("empty", "");
        Assert.Equal(4, metadata.Count);
        Assert.Equal(["user", "bytes", "user", "empty"], metadata.Select(pair => pair.Key));
        Assert.Equal("ada", metadata.GetText("user"));
        Assert.Equal("größer", Encoding.UTF8.GetString(metadata.Last(pair => pair.Key == "user").Value.Span));
        Assert.Equal([0, 255], metadata.Get("bytes")!.Value.ToArray());
        Assert.Equal("", metadata.GetText("empty"));
        Assert.Null(metadata.GetText("none"));
        Assert.Equal("Metadata { user, bytes, user, empty }", $"{metadata}");
        Assert.DoesNotContain("größer", $"{new CallOptions { Metadata = metadata }}", StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => metadata.Add("", "x"));
    }

    [Theory]
    [InlineData("Capital")]
    [InlineData("with space")]
    [InlineData("größer")]
    public async Task A_key_that_cannot_be_is_refused_by_the_core(string key)
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var options = new CallOptions { Metadata = new() { { key, "x" } } };
        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("call.carried", "null", options));
        Assert.Equal((Status.InvalidArgument, "rustbridge.InvalidContext"), (error.Status, error.Type));
        error = await Assert.ThrowsAsync<PluginException>(async () => await plugin.CallAsync("call.carried_later", "null", options));
        Assert.Equal((Status.InvalidArgument, "rustbridge.InvalidContext"), (error.Status, error.Type));
    }

    [Fact]
    public async Task No_context_of_the_caller_is_captured()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var context = new Counting();
        Task[] all = await Waiting.OnThread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(context);
            OperationMessages json = OperationMessages.Default;
            IAsyncEnumerator<ulong> ticks = plugin.Method("stream.ticks").StreamAsync<object, ulong>(new { to = 3 }).GetAsyncEnumerator();
            return (Task[])
            [
                plugin.CallAsync("async.later", """{"text":"x"}""").AsTask(),
                ticks.MoveNextAsync().AsTask(),
                plugin.Method("items.sum").SendAsync(
                    new Number(1), Enumerable.Repeat(new Number(1), 200), json.Number, json.Number, json.Number).AsTask(),
            ];
        });
        await Task.WhenAll(all).WaitAsync(Waiting.Long);
        Assert.Equal(0, context.Posted);
    }

    private sealed class Counting : SynchronizationContext
    {
        internal int Posted;

        public override void Post(SendOrPostCallback d, object? state)
        {
            Interlocked.Increment(ref Posted);
            base.Post(d, state);
        }
    }
}
