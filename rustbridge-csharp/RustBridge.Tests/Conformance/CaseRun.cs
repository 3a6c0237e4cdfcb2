using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Text.Json;
using Xunit;

namespace RustBridge.Tests.Conformance;

/// <summary>Runs one case in one way, on instances of its own.</summary>
internal sealed class CaseRun(JsonElement one, Way way)
{
    private const string CallStage = "call";
    private const string PrepareStage = "prepare";

    private readonly Dictionary<string, Plugin> _instances = [];
    private readonly Dictionary<string, ConcurrentQueue<LogRecord>> _records = [];
    private readonly Dictionary<string, Method> _methods = [];

    internal void Run()
    {
        if (one.TryGetProperty("load", out JsonElement load))
        {
            Comparison.Failure(Assert.Throws<PluginException>(() => Load("a").Dispose()), load);
            return;
        }

        try
        {
            foreach (string name in Names())
            {
                _instances[name] = Load(name);
            }

            foreach (JsonElement step in Cases.Steps(one))
            {
                Step(step);
            }

            if (one.TryGetProperty("logs", out JsonElement logs))
            {
                foreach (JsonProperty instance in logs.EnumerateObject())
                {
                    CompareLogs(instance.Name, instance.Value.GetProperty("records"));
                }
            }
        }
        finally
        {
            foreach (Plugin plugin in _instances.Values)
            {
                plugin.Dispose();
            }
        }
    }

    private string[] Names() =>
        one.TryGetProperty("instances", out JsonElement instances)
            ? [.. instances.EnumerateObject().Select(instance => instance.Name)]
            : ["a"];

    private Plugin Load(string instance)
    {
        var config = new PluginConfig
        {
            PoisonOnPanic = one.TryGetProperty("on_panic", out JsonElement panic) && panic.GetString() == "poison",
            LogLevel = PluginLogLevel.Off,
        };
        if (one.TryGetProperty("logs", out JsonElement logs) && logs.TryGetProperty(instance, out JsonElement wanted))
        {
            var kept = new ConcurrentQueue<LogRecord>();
            _records[instance] = kept;
            config = config with { LogLevel = Level(wanted.GetProperty("level")), Log = kept.Enqueue };
        }

        if (one.TryGetProperty("config_bytes", out JsonElement bytes))
        {
            config = config with { Utf8Json = Payloads.Bytes(bytes) };
        }
        else if (one.TryGetProperty("instances", out JsonElement instances))
        {
            config = config with { Json = instances.GetProperty(instance).GetRawText() };
        }
        else if (one.TryGetProperty("config", out JsonElement json))
        {
            config = config with { Json = json.GetRawText() };
        }

        return Plugin.Load(TestPlugins.File(one.GetProperty("plugin").GetString() + "_plugin"), config);
    }

    private void Step(JsonElement step)
    {
        Plugin plugin = _instances[Optional(step, "instance")?.GetString() ?? "a"];
        string operation = Optional(step, "op")?.GetString() ?? CallStage;
        switch (operation)
        {
            case "state":
                string? state = step.GetProperty("expect").GetProperty("state").GetString();
                Assert.Equal(state, JsonNamingPolicy.SnakeCaseLower.ConvertName($"{plugin.State}"));
                break;
            case "log_level":
                plugin.LogLevel = Level(step.GetProperty("level"));
                break;
            case "close":
                Attempt(step.GetProperty("expect"), CallStage, () => Closed(plugin), out _);
                break;
            case CallStage:
                Call(plugin, step);
                break;
            default:
                throw new InvalidOperationException($"unknown step: {step}");
        }
    }

    private void Call(Plugin plugin, JsonElement step)
    {
        JsonElement expect = step.GetProperty("expect");
        PluginEncoding encoding = Enum.Parse<PluginEncoding>(step.GetProperty("encoding").GetString()!, ignoreCase: true);
        JsonElement? id = Optional(step, "method_id");
        string key = $"{plugin.Handle} {id} {Optional(step, "method")} {encoding}";
        if (!_methods.TryGetValue(key, out Method? method))
        {
            if (!Attempt(expect, PrepareStage, () => Prepare(plugin, step, id, encoding), out method))
            {
                return;
            }

            _methods[key] = method;
        }

        byte[] request = Payloads.Bytes(Optional(step, "request"));
        foreach (int offset in way.CanMisalign() ? Numbers(step, "misalign", 0) : [0])
        {
            foreach (int capacity in way.HasStorage() ? Numbers(step, "capacity", Ways.Ordinary) : [-1])
            {
                if (Attempt(expect, CallStage, () => way.Call(method, request, capacity, offset), out byte[]? response))
                {
                    Comparison.Response(response, Optional(expect, "response"));
                }
            }
        }
    }

    private static Method Prepare(Plugin plugin, JsonElement step, JsonElement? id, PluginEncoding encoding) =>
        id is { } number
            ? plugin.Method(number.GetUInt32(), encoding)
            : plugin.Method(step.GetProperty("method").GetString()!, encoding);

    private static string Closed(Plugin plugin)
    {
        plugin.Close(TimeSpan.FromSeconds(10));
        return "closed";
    }

    private static int[] Numbers(JsonElement step, string name, int otherwise)
    {
        int[] numbers = [.. Cases.Elements(step, name).Select(number => number.GetInt32())];
        return numbers.Length == 0 ? [otherwise] : numbers;
    }

    /// <summary>Does it; false when it failed as expected.</summary>
    private static bool Attempt<T>(JsonElement expect, string stage, Func<T> act, [NotNullWhen(true)] out T? result)
        where T : class
    {
        string status = expect.GetProperty("status").GetString()!;
        try
        {
            result = act();
        }
        catch (PluginException failure)
        {
            Assert.True(status != "OK", failure.ToString());
            Assert.Equal(Optional(expect, "stage")?.GetString() ?? CallStage, stage);
            Comparison.Failure(failure, expect);
            result = null;
            return false;
        }

        if (stage == CallStage || Optional(expect, "stage")?.GetString() == PrepareStage)
        {
            Assert.True(status == "OK", $"it succeeded instead of failing with {status}");
        }

        return true;
    }

    private void CompareLogs(string instance, JsonElement expected)
    {
        Plugin plugin = _instances[instance];
        if (plugin.State != PluginState.Closed)
        {
            plugin.FlushLogs(TimeSpan.FromSeconds(10));
        }

        LogRecord[] found = [.. _records[instance].Where(record => !record.IsSpan)];
        Assert.Equal(
            expected.EnumerateArray().Select(record => record.GetProperty("message").GetString()),
            found.Select(record => record.Message));
        foreach ((LogRecord record, JsonElement wanted) in found.Zip(expected.EnumerateArray()))
        {
            Assert.Equal(Level(wanted.GetProperty("level")), record.Level);
            if (Optional(wanted, "target") is { } target)
            {
                Assert.Equal(target.GetString(), record.Target);
            }

            if (Optional(wanted, "fields") is { } fields)
            {
                JsonElement own = JsonSerializer.SerializeToElement(record.Fields);
                Assert.True(Comparison.Same(own, fields), $"{own} isn't {fields}");
            }

            if (Optional(wanted, "spans") is { } spans)
            {
                Assert.Equal(spans.EnumerateArray().Select(span => span.GetString()), record.Spans.Select(span => span.Name));
            }
        }
    }

    private static PluginLogLevel Level(JsonElement name) => Enum.Parse<PluginLogLevel>(name.GetString()!, ignoreCase: true);

    private static JsonElement? Optional(JsonElement from, string name) =>
        from.TryGetProperty(name, out JsonElement value) ? value : null;
}
