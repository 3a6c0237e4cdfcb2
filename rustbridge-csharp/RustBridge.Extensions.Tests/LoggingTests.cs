using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Threading;
using Microsoft.Extensions.Logging;
using RustBridge.Extensions.Logging;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

public sealed class LoggingTests : IDisposable
{
    private static readonly TimeSpan Enough = TimeSpan.FromSeconds(20);

    private readonly RecordingLoggers _logged = new();
    private readonly ILoggerFactory _factory;

    public LoggingTests()
    {
        _factory = Factory(LogLevel.Trace);
    }

    public void Dispose() => _factory.Dispose();

    [Fact]
    public void A_record_arrives_with_its_fields()
    {
        using Plugin plugin = Load(new PluginConfig { Name = "logger" });
        plugin.Call("log.emit", """{"level":"WARN","message":"grüß {n} }","count":2}""");
        plugin.FlushLogs(Enough);
        Logged[] records = [.. _logged.All.Where(logged => logged.Category == "RustBridge.logger.conformance.cases")];
        Assert.Equal([0L, 1L], records.Select(record => record.Values["n"]));
        Logged first = records[0];
        Assert.Equal(LogLevel.Warning, first.Level);
        Assert.Equal("grüß {n} } flag=True n=0 text=größer 🦀", first.Text);
        Assert.Equal("grüß {{n}} }}", first.Values["{OriginalFormat}"]);
        Assert.Equal(true, first.Values["flag"]);
        Assert.Equal("größer 🦀", first.Values["text"]);
        Assert.EndsWith(".rs", Assert.IsType<string>(first.Values["SourceFile"]), StringComparison.Ordinal);
        Assert.True(Assert.IsType<int>(first.Values["SourceLine"]) > 0);
        Assert.InRange(Assert.IsType<DateTimeOffset>(first.Values["Time"]), DateTimeOffset.UtcNow.AddMinutes(-1), DateTimeOffset.UtcNow);
        Assert.DoesNotContain("Duration", first.Values.Keys);
        Assert.Empty(first.Scopes);
    }

    [Fact]
    public void A_record_of_a_call_with_a_trace_has_its_IDs()
    {
        const string TraceId = "4bf92f3577b34da6a3ce929d0e0e4736";
        const string SpanId = "00f067aa0ba902b7";
        var records = new ConcurrentQueue<LogRecord>();
        var options = new CallOptions { Trace = ActivityContext.Parse($"00-{TraceId}-{SpanId}-01", null) };
        var sink = new LoggerSink(_factory);
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig
        {
            LogLevel = PluginLogLevel.Trace,
            Log = record =>
            {
                records.Enqueue(record);
                sink.Take(record);
            },
        });
        plugin.Call("log.emit", """{"level":"INFO","message":"traced","count":1}""", options);
        Emit(plugin, "alone");
        plugin.Call("log.spans", """{"outer":"o","inner":7}""", options);
        plugin.FlushLogs(Enough);
        LogRecord traced = records.Single(record => record.Message == "traced");
        Assert.Equal((TraceId, SpanId), (traced.TraceId.ToHexString(), traced.SpanId.ToHexString()));
        Assert.Equal(default, traced.ParentSpanId);
        IReadOnlyDictionary<string, object?> values = Assert.Single(_logged.Of("traced")).Values;
        Assert.Equal((TraceId, SpanId), (values["TraceId"], values["SpanId"]));
        Assert.DoesNotContain("ParentId", values.Keys);
        LogRecord alone = records.Single(record => record.Message == "alone");
        Assert.Equal((default, default), (alone.TraceId, alone.SpanId));
        Assert.DoesNotContain("TraceId", Assert.Single(_logged.Of("alone")).Values.Keys);
        LogRecord outer = records.Single(record => record.IsSpan && record.Message == "outer");
        Assert.Equal(TraceId, outer.TraceId.ToHexString());
        Assert.Equal(SpanId, outer.ParentSpanId.ToHexString());
        Assert.Equal(SpanId, Assert.Single(_logged.Of("outer")).Values["ParentId"]);
    }

    [Theory]
    [InlineData("ERROR", LogLevel.Error)]
    [InlineData("WARN", LogLevel.Warning)]
    [InlineData("INFO", LogLevel.Information)]
    [InlineData("DEBUG", LogLevel.Debug)]
    [InlineData("TRACE", LogLevel.Trace)]
    public void Levels_are_mapped(string level, LogLevel expected)
    {
        using Plugin plugin = Load();
        plugin.Call("log.emit", $$"""{"level":"{{level}}","message":"at {{level}}","count":1}""");
        plugin.FlushLogs(Enough);
        Assert.Equal(expected, Assert.Single(_logged.Of($"at {level}")).Level);
    }

    [Fact]
    public void Spans_are_scopes_outermost_first_and_end_with_the_record()
    {
        using Plugin plugin = Load();
        plugin.Call("log.spans", """{"outer":"o","inner":7}""");
        plugin.Call("log.emit", """{"level":"INFO","message":"afterwards","count":1}""");
        plugin.FlushLogs(Enough);
        IReadOnlyList<object?> scopes = Assert.Single(_logged.Of("innermost")).Scopes;
        Assert.Equal(["outer name=o", "inner number=7"], scopes.Select(scope => $"{scope}"));
        var inner = Assert.IsAssignableFrom<IReadOnlyList<KeyValuePair<string, object?>>>(scopes[1]);
        Assert.Equal([new("number", 7L), new("Span", "inner")], inner);
        Assert.Empty(Assert.Single(_logged.Of("afterwards")).Scopes);
    }

    [Theory]
    [InlineData(LogLevel.Trace, PluginLogLevel.Trace)]
    [InlineData(LogLevel.Warning, PluginLogLevel.Warn)]
    [InlineData(LogLevel.Critical, PluginLogLevel.Off)]
    [InlineData(LogLevel.None, PluginLogLevel.Off)]
    public void The_filter_at_load_is_the_level(LogLevel minimum, PluginLogLevel expected)
    {
        using ILoggerFactory factory = Factory(minimum);
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig().WithLogger(factory));
        Assert.Equal(expected, plugin.LogLevel);
    }

    [Fact]
    public void A_level_that_is_asked_for_is_kept_and_can_be_changed()
    {
        using Plugin plugin = Load(new PluginConfig { LogLevel = PluginLogLevel.Error });
        Assert.Equal(PluginLogLevel.Error, plugin.LogLevel);
        Emit(plugin, "before");
        plugin.LogLevel = PluginLogLevel.Info;
        Emit(plugin, "between");
        plugin.LogLevel = PluginLogLevel.Error;
        Emit(plugin, "after");
        plugin.FlushLogs(Enough);
        Logged only = Assert.Single(_logged.All, logged => logged.Text.Contains("n=0", StringComparison.Ordinal));
        Assert.Equal("between", only.Values["{OriginalFormat}"]);
    }

    [Fact]
    public void A_filter_of_the_instance_is_followed_when_its_name_is_known()
    {
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder
            .AddProvider(_logged).SetMinimumLevel(LogLevel.Error).AddFilter("RustBridge.conformance", LogLevel.Debug));
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig().WithLogger(factory));
        Assert.Equal(PluginLogLevel.Error, plugin.LogLevel);
        plugin.FollowLogger(factory);
        Assert.Equal(PluginLogLevel.Debug, plugin.LogLevel);
        using Plugin named = TestPlugins.LoadConformance(new PluginConfig { Name = "conformance" }.WithLogger(factory));
        Assert.Equal(PluginLogLevel.Debug, named.LogLevel);
    }

    [Fact]
    public void A_filter_of_a_target_holds_back_its_records()
    {
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder
            .AddProvider(_logged)
            .SetMinimumLevel(LogLevel.Trace)
            .AddFilter("RustBridge.conformance.conformance.cases", LogLevel.Error));
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig().WithLogger(factory));
        Emit(plugin, "held back");
        plugin.FlushLogs(Enough);
        Assert.Empty(_logged.Of("held back"));
    }

    [Fact]
    public void A_logger_that_throws_loses_its_record_and_nothing_else()
    {
        var failures = new ConcurrentQueue<Exception>();
        Plugin.LogFailed += failures.Enqueue;
        try
        {
            _logged.OnLogged = logged => throw new InvalidOperationException($"no room for {logged.Text}");
            using Plugin plugin = Load();
            Emit(plugin, "one");
            Emit(plugin, "two");
            plugin.FlushLogs(Enough);
            Assert.Single(_logged.Of("one"));
            Assert.Single(_logged.Of("two"));
            Assert.Contains(failures, failure => failure.ToString().Contains("no room for two", StringComparison.Ordinal));
        }
        finally
        {
            Plugin.LogFailed -= failures.Enqueue;
        }
    }

    [Fact]
    public void A_scope_that_fails_leaves_no_other_open()
    {
        int open = 0;
        _logged.OnScope = scope => new Scope(() => open--, $"{scope}".StartsWith("outer", StringComparison.Ordinal), () => open++);
        using Plugin plugin = Load();
        plugin.Call("log.spans", """{"outer":"o","inner":7}""");
        plugin.FlushLogs(Enough);
        Assert.Equal(0, open);
        _logged.OnScope = scope => $"{scope}".StartsWith("inner", StringComparison.Ordinal)
            ? throw new InvalidOperationException("no scopes here")
            : new Scope(() => open--, fails: false, () => open++);
        plugin.Call("log.spans", """{"outer":"o","inner":8}""");
        plugin.FlushLogs(Enough);
        Assert.Equal(0, open);
    }

    [Fact]
    public void Spans_may_be_nested_as_deeply_as_a_plugin_likes()
    {
        const int Depth = 50_000;
        IEnumerable<string> spans = Enumerable.Range(0, Depth).Select(n => $$$"""{"name":"s","fields":{"n":{{{n}}}}}""");
        LogRecord record = Recorded("", $"[{string.Join(',', spans)}]");
        // As large a stack as the core's threads have.
        var thread = new Thread(() => new LoggerSink(_factory).Take(record), 2 * 1024 * 1024);
        thread.Start();
        thread.Join();
        IReadOnlyList<object?> scopes = Assert.Single(_logged.All).Scopes;
        Assert.Equal((LoggerSink.MaxScopes, $"s n={Depth - 1}"), (scopes.Count, $"{scopes[^1]}"));
    }

    [Fact]
    public void A_field_that_is_no_text_because_of_a_surrogate_stays_json()
    {
        new LoggerSink(_factory).Take(Recorded("""{"odd":"\ud800","even":"e"}""", ""));
        Logged logged = Assert.Single(_logged.All);
        Assert.Equal((""" "\ud800" """.Trim(), "e"), (logged.Values["odd"], logged.Values["even"]));
    }

    [Fact]
    public void Fields_that_are_called_as_values_of_ours_stay_apart_from_them()
    {
        const string Fields = """{"{OriginalFormat}":1,"Time":2,"Thread":3,"Thread_":4,"SourceFile":5,"SourceLine":6,"Duration":7,"n":8}""";
        new LoggerSink(_factory).Take(Recorded(Fields, """[{"name":"s","fields":{"Span":9}}]"""));
        // That each name comes once is what a dictionary asks for.
        Logged logged = Assert.Single(_logged.All);
        Assert.Equal(
            [("{OriginalFormat}_", 1L), ("Time_", 2L), ("Thread__", 3L), ("Thread_", 4L), ("SourceFile_", 5L), ("SourceLine_", 6L), ("Duration_", 7L), ("n", 8L)],
            logged.Values.Where(value => value.Value is long).Select(value => (value.Key, (long)value.Value!)));
        Assert.IsType<DateTimeOffset>(logged.Values["Time"]);
        var span = Assert.IsAssignableFrom<IReadOnlyList<KeyValuePair<string, object?>>>(Assert.Single(logged.Scopes));
        Assert.Equal([new("Span_", 9L), new("Span", "s")], span);
    }

    [Fact]
    public void Loggers_of_made_up_targets_come_to_an_end()
    {
        var sink = new LoggerSink(_factory);
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = sink.Take });
        Emit(plugin, "kept");
        plugin.FlushLogs(Enough);
        Assert.InRange(sink.Kept, 1, LoggerSink.MaxLoggers);
        Assert.Equal("RustBridge", LoggerSink.Category(null, ""));
        Assert.Equal("RustBridge.a", LoggerSink.Category("a", ""));
        Assert.Equal("RustBridge.a.b.c", LoggerSink.Category("a", "b::c"));
    }

    /// <summary>A record with fields and spans that no plugin of the tests makes.</summary>
    private static LogRecord Recorded(string fields, string spans)
    {
        var record = (LogRecord)Activator.CreateInstance(
            typeof(LogRecord), BindingFlags.Instance | BindingFlags.NonPublic, null, [fields, spans], null)!;
        typeof(LogRecord).GetProperty(nameof(LogRecord.Level))!.SetValue(record, PluginLogLevel.Info);
        return record;
    }

    private static void Emit(Plugin plugin, string message) =>
        plugin.Call("log.emit", $$"""{"level":"INFO","message":"{{message}}","count":1}""");

    private Plugin Load(PluginConfig? config = null) =>
        TestPlugins.LoadConformance((config ?? new PluginConfig()).WithLogger(_factory));

    private ILoggerFactory Factory(LogLevel minimum) =>
        LoggerFactory.Create(builder => builder.AddProvider(_logged).SetMinimumLevel(minimum));

    private sealed class Scope : IDisposable
    {
        private readonly Action _end;
        private readonly bool _fails;

        internal Scope(Action end, bool fails, Action begin)
        {
            _end = end;
            _fails = fails;
            begin();
        }

        public void Dispose()
        {
            _end();
            if (_fails)
            {
                throw new InvalidOperationException("the scope fails");
            }
        }
    }
}
