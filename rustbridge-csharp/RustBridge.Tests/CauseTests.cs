using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What an application throws comes back to it through a plugin.</summary>
public sealed class CauseTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private static OperationMessages Json => OperationMessages.Default;

    [Fact]
    public async Task What_a_service_throws_is_the_inner_exception_and_logged()
    {
        var records = new ConcurrentQueue<LogRecord>();
        using Plugin plugin = Load(records.Enqueue);
        foreach (string method in (string[])["service.one", "service.quote", "service.task"])
        {
            IsCause(Assert.Throws<PluginException>(() => plugin.Call(method, "7")), records);
            IsCause(await Assert.ThrowsAsync<PluginException>(() => plugin.CallAsync(method, "7").AsTask().WaitAsync(Limit)), records);
        }

        Assert.Equal(6, records.Count);
        PluginException known = Assert.Throws<PluginException>(() => plugin.Call("service.one", "404"));
        PluginException inner = Assert.IsType<PluginException>(known.InnerException);
        Assert.Equal((Status.NotFound, Status.NotFound, "none"), (known.Status, inner.Status, inner.Message));
        Assert.Equal(6, records.Count);
        plugin.LogLevel = PluginLogLevel.Off;
        Assert.Throws<PluginException>(() => plugin.Call("service.one", "7"));
        Assert.Equal(6, records.Count);
    }

    [Fact]
    public async Task What_a_source_throws_is_thrown()
    {
        using Plugin plugin = TestPlugins.LoadOperations();
        async IAsyncEnumerable<Number> Items()
        {
            yield return new Number(1);
            await Task.Delay(1);
            ThrowsHere(7);
        }

        OwnException failed = await Assert.ThrowsAsync<OwnException>(() => plugin.Method("items.sum")
            .SendAsync(new Number(1), Items(), Json.Number, Json.Number, Json.Number).AsTask().WaitAsync(Limit));
        Assert.Contains(nameof(ThrowsHere), failed.StackTrace!, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_those_that_no_plugin_sends_back_only_the_last_are_kept()
    {
        string[] names = [.. Enumerable.Range(0, 2 * Causes.Limit).Select(number => Causes.Keep(new OwnException($"no {number}")))];
        Assert.Null(Causes.Take(names[0]));
        Assert.Equal($"no {names.Length - 1}", Causes.Take(names[^1])!.Message);
        foreach (string? other in (string?[])[names[^1], null, "", "x-1", names[5][..^1] + "x"])
        {
            Assert.Null(Causes.Take(other));
        }

        Assert.InRange(names.Count(name => Causes.Take(name) is not null), 1, Causes.Limit - 1);
    }

    private static void IsCause(PluginException failed, ConcurrentQueue<LogRecord> records)
    {
        Assert.Equal((Status.Internal, nameof(OwnException), "no 7"), (failed.Status, failed.Type, failed.Message));
        Assert.Empty(failed.Details);
        OwnException cause = Assert.IsType<OwnException>(failed.InnerException);
        Assert.Contains(nameof(ThrowsHere), cause.StackTrace!, StringComparison.Ordinal);
        LogRecord record = Assert.Single(records, record => record.Exception == cause);
        Assert.Equal((PluginLogLevel.Error, "throwing", "rustbridge"), (record.Level, record.Instance, record.Target));
        Assert.Contains("prices.", record.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(ThrowsHere), record.ToString(), StringComparison.Ordinal);
    }

    private static long ThrowsHere(long id) =>
        throw (id == 404 ? new PluginException(Status.NotFound, "none") : new OwnException($"no {id}"));

    private static Plugin Load(Action<LogRecord> log) => TestPlugins.LoadOperations(new PluginConfig
    {
        Name = "throwing",
        Log = log,
        LogLevel = PluginLogLevel.Error,
        Services =
        [
            PluginService.Json("prices.get", (long id) => ThrowsHere(id), Json.Int64, Json.Int64),
            PluginService.JsonAsync(
                "prices.quote",
                async (long id, ServiceCall _) =>
                {
                    await Task.Delay(1);
                    return ThrowsHere(id);
                },
                Json.Int64,
                Json.Int64),
        ],
    });

    private sealed class OwnException(string message) : Exception(message);
}
