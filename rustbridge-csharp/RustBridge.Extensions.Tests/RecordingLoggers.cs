using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Tests;

/// <summary>What a logger was given.</summary>
internal sealed record Logged(
    string Category,
    LogLevel Level,
    string Text,
    IReadOnlyDictionary<string, object?> Values,
    IReadOnlyList<object?> Scopes);

/// <summary>Loggers that remember, and that fail where a test wants it.</summary>
internal sealed class RecordingLoggers : ILoggerProvider, ISupportExternalScope
{
    private readonly ConcurrentQueue<Logged> _all = new();
    private IExternalScopeProvider _scopes = new LoggerExternalScopeProvider();

    internal IReadOnlyList<Logged> All => [.. _all];

    internal Action<Logged>? OnLogged { get; set; }

    internal Func<object?, IDisposable?>? OnScope { get; set; }

    public ILogger CreateLogger(string categoryName) => new Recorder(this, categoryName);

    public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _scopes = scopeProvider;

    public void Dispose()
    {
    }

    internal IEnumerable<Logged> Of(string text) => _all.Where(logged => logged.Text.StartsWith(text, StringComparison.Ordinal));

    private sealed class Recorder(RecordingLoggers owner, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => owner.OnScope?.Invoke(state) ?? owner._scopes.Push(state);

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            var scopes = new List<object?>();
            owner._scopes.ForEachScope(static (scope, list) => list.Add(scope), scopes);
            var values = (state as IEnumerable<KeyValuePair<string, object?>> ?? []).ToDictionary(pair => pair.Key, pair => pair.Value);
            var logged = new Logged(category, logLevel, formatter(state, exception), values, scopes);
            owner._all.Enqueue(logged);
            owner.OnLogged?.Invoke(logged);
        }
    }
}
