using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Objects of a plugin's: how they come, are used, and go.</summary>
public sealed class ObjectTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private static OperationMessages Json => OperationMessages.Default;

    [Fact]
    public async Task An_answer_is_an_object_whose_methods_are_called()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        using PluginObject counter = plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default);
        await using PluginObject other = await plugin.CallAsync("counter.open_later", 2L, Json.Int64, Json.PluginObject);
        Assert.Equal(42, counter.Call("Counter.add", 2L, Json.Int64, Json.Int64));
        Assert.Equal(43, counter.Call<long, long>("Counter.add", 1));
        Assert.Equal("44", counter.Call("Counter.add", "1"));
        Assert.Equal(45, await counter.CallAsync("Counter.add_later", 1L, Json.Int64, Json.Int64));
        Assert.Equal("46", await counter.CallAsync("Counter.add_later", "1"));
        Assert.Equal(48, counter.Call("Counter.absorb", other, Json.PluginObject, Json.Int64));
        Assert.Equal(96, counter.Call("Counter.absorb", counter, Json.PluginObject, Json.Int64));
        var numbers = new List<long>();
        await foreach (long number in counter.StreamAsync("Counter.upto", 99L, Json.Int64, Json.Int64))
        {
            numbers.Add(number);
        }

        Assert.Equal([96, 97, 98], numbers);
        Assert.Equal("2", plugin.Call("counter.alive", "null"));
    }

    [Fact]
    public void An_object_ends_with_its_plugin_and_may_be_disposed_of_after_it()
    {
        Plugin plugin = TestPlugins.LoadOperations();
        PluginObject counter = plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default);
        plugin.Close();
        PluginException ended = Assert.Throws<PluginException>(() => counter.Call("Counter.get", "null"));
        Assert.Equal(Status.Unavailable, ended.Status);
        counter.Dispose();
    }

    [Fact]
    public async Task Lists_of_objects_come_and_go()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        List<PluginObject> counters = plugin.Call(
            "counter.list", [7, 8, 9], Json.Int64Array, Json.ListPluginObject, CallOptions.Default);
        Assert.Equal(3, counters.Count);
        Assert.Equal(8, counters[1].Call<object?, long>("Counter.get", null));
        Assert.Equal(24, plugin.Call("counter.total", counters, Json.ListPluginObject, Json.Int64, CallOptions.Default));
        Assert.Equal(24, await plugin.CallAsync("counter.total", counters, Json.ListPluginObject, Json.Int64));
        counters.ForEach(one => one.Dispose());
        Assert.Equal("0", plugin.Call("counter.alive", "null"));
        var reply = new CallReply();
        Assert.Equal("[0,1]", plugin.Call("counter.list", "[1,2]", new CallOptions { Reply = reply }));
        Assert.Equal(2, reply.Objects.Count);
        Assert.Equal("3", plugin.Call("counter.total", "[1,0]", new CallOptions { Objects = reply.Objects }));
        Assert.Equal("2", plugin.Call("counter.alive", "null"));
    }

    [Fact]
    public async Task A_stream_gives_objects_and_lets_go_of_those_that_nobody_takes()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        var counters = new List<PluginObject>();
        await foreach (PluginObject counter in plugin.Method("counter.stream").StreamAsync(100L, Json.Int64, Json.PluginObject))
        {
            counters.Add(counter);
            if (counters.Count == 3)
            {
                break;
            }
        }

        Waiting.For("the others to go", () => plugin.Call("counter.alive", "null") == "3");
        Assert.Equal([0, 1, 2], counters.Select(counter => counter.Call<object?, long>("Counter.get", null)));
        await foreach (StreamItem item in plugin.Method("counter.stream").StreamRawBytesAsync("2"u8))
        {
            Assert.Equal("0"u8.ToArray(), item.Bytes.ToArray());
            Assert.Single(item.Objects).Dispose();
        }

        counters.ForEach(one => one.Dispose());
        Assert.Equal("0", plugin.Call("counter.alive", "null"));
    }

    [Fact]
    public void After_Dispose_it_cannot_be_used()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        PluginObject counter = plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default);
        counter.Dispose();
        counter.Dispose();
        Assert.Equal("0", plugin.Call("counter.alive", "null"));
        Assert.Throws<ObjectDisposedException>(() => counter.Call("Counter.add", "1"));
        Assert.Throws<ObjectDisposedException>(() => counter.Number);
        // What couldn't be lent leaves no call behind that others would be lent to.
        Assert.Throws<ObjectDisposedException>(() => plugin.Call("counter.alive", "null", new CallOptions { Objects = [counter] }));
        Assert.Throws<InvalidOperationException>(() => LentObjects.Position(counter));
    }

    [Fact]
    public void It_ends_with_its_instance()
    {
        Plugin plugin = TestPlugins.LoadOperations();
        PluginObject counter = plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default);
        plugin.Close(Limit);
        PluginException error = Assert.Throws<PluginException>(() => counter.Call("Counter.add", "1"));
        Assert.Equal(Status.Unavailable, error.Status);
        counter.Dispose();
    }

    [Fact]
    public void What_nobody_takes_is_released()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        // The answer is the objects' positions, read as numbers.
        Assert.Equal([0, 1], plugin.Call("counter.list", [1, 2], Json.Int64Array, Json.Int64Array, CallOptions.Default));
        Assert.Equal("0", plugin.Call("counter.alive", "null"));
        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("counter.open", "1"));
        Assert.NotEqual(Status.Ok, error.Status);
        Assert.Throws<InvalidOperationException>(() => System.Text.Json.JsonSerializer.Serialize(
            plugin.Call("counter.open", 1L, Json.Int64, Json.PluginObject, CallOptions.Default), Json.PluginObject));
    }

    [Fact]
    public void One_that_is_dropped_is_told_of_and_released()
    {
        using Plugin plugin = TestPlugins.LoadOperations(new PluginConfig { Name = "leaky" });
        int told = 0;
        void Tell(string message) => Interlocked.Add(ref told, message.Contains("leaky", StringComparison.Ordinal) ? 1 : 0);
        PluginObject.Leaked += Tell;
        try
        {
            Drop(plugin);
            Waiting.For("its release", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Volatile.Read(ref told) == 1 && plugin.Call("counter.alive", "null") == "0";
            });
        }
        finally
        {
            PluginObject.Leaked -= Tell;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(Plugin plugin) =>
        plugin.Call("counter.open", 40L, Json.Int64, Json.PluginObject, CallOptions.Default).Call("Counter.add", "1");
}
