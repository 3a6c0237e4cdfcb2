using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json.Serialization;
using System.Threading.Tasks;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>What the guides that go side by side show of C#: <c>cargo xtask tidy</c> looks for it here.</summary>
public sealed class SideBySideTests
{
    private static string library => TestPlugins.Hello;

    private static string operations => TestPlugins.Operations;

    [Fact]
    public void A_call_fails()
    {
        var said = new List<string>();
        using Plugin hello = Plugin.Load(library);
        try
        {
            hello.Call("math.add", """{"a":9223372036854775807,"b":1}""");
        }
        catch (PluginException error) when (error.Status == Status.OutOfRange)
        {
            said.Add($"{error.Type}: {error.Details["a"]} is too large");
        }

        Assert.Equal($"MathError.Overflow: {long.MaxValue} is too large", Assert.Single(said));
    }

    [Fact]
    public async Task A_stream_breaks()
    {
        using Plugin plugin = Plugin.Load(operations);
        var seen = new List<ulong>();
        string said = "";
        try
        {
            await foreach (ulong number in plugin.Method("stream.numbers").StreamAsync<Range, ulong>(new Range(0, 5, 3)))
            {
                seen.Add(number);
            }
        }
        catch (PluginException broken)
        {
            said = $"{string.Join(", ", seen)}, then {broken.Status}"; // 0, 1, 2, then DataLoss
        }

        Assert.Equal("0, 1, 2, then DataLoss", said);
    }

    [Fact]
    public async Task An_awaited_call_fails()
    {
        using Plugin plugin = Plugin.Load(operations);
        string said = "";
        try
        {
            await plugin.CallAsync("async.fail", """{"text":"gone"}""");
        }
        catch (PluginException failed) when (failed.Status == Status.DataLoss)
        {
            said = $"{failed.Message} {failed.Details["n"]}"; // gone 7
        }

        Assert.Equal("gone 7", said);
    }

    [Fact]
    public void Records_come_to_a_function()
    {
        var lines = new ConcurrentQueue<string>();
        using Plugin users = Plugin.Load(library, new PluginConfig
        {
            Name = "users",
            LogLevel = PluginLogLevel.Debug,
            Log = record => lines.Enqueue($"{record.Message} {record.FieldsJson}"),
        });
        users.Call("user.create", """{"username":"ada","email":"b"}""");
        users.FlushLogs(TimeSpan.FromSeconds(1)); // waits until all so far was delivered
        users.LogLevel = PluginLogLevel.Warn; // takes effect at once
        Assert.Contains("\"username\":\"ada\"", Assert.Single(lines), StringComparison.Ordinal);
        Assert.Equal(PluginLogLevel.Warn, users.LogLevel);
    }

    [Fact]
    public void A_trace_goes_along()
    {
        string traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        using Plugin plugin = Plugin.Load(operations);
        var options = new CallOptions
        {
            Metadata = new() { { "user", "ada" } },
            Trace = ActivityContext.Parse(traceparent, null),
        };
        string carried = plugin.Call("call.carried", "null", options);
        Assert.Contains(traceparent, carried, StringComparison.Ordinal);
        Assert.Contains("""["user","ada"]""", carried, StringComparison.Ordinal);
    }

    [Fact]
    public void Structs_and_bytes_go_without_copies()
    {
        using Plugin hello = Plugin.Load(library);
        using Plugin conformance = Plugin.Load(TestPlugins.Conformance, new PluginConfig { Json = """{"label":"copies"}""" });
        Method add = hello.Method("math.add", PluginEncoding.Pod);
        Sum sum = add.CallRaw<Add, Sum>(new Add(40, 2));
        Assert.Equal(42, sum.Result);

        Method fill = conformance.Method("raw.fill", PluginEncoding.Raw);
        byte[] storage = new byte[4096];
        int length = fill.CallRaw("1000"u8.ToArray(), storage);
        Assert.Equal(1000, length);
        Assert.Equal(999 % 251, storage[999]);

        byte[] last;
        using (RawResponse response = fill.CallRawZeroCopy("100000"u8.ToArray()))
        {
            last = response.Span[^10..].ToArray(); // a copy of ten bytes; the others stay in the plugin
        }

        Assert.Equal(Enumerable.Range(99_990, 10).Select(number => (byte)(number % 251)), last);
    }

    private sealed record Range(
        ulong From, ulong To, [property: JsonPropertyName("fail_at")] ulong FailAt);

    private record struct Add(long A, long B);

    private record struct Sum(long Result);
}
