using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using Microsoft.Extensions.Logging;

namespace RustBridge.Extensions.Logging;

/// <summary>
/// Passes records to loggers. An exception of a logger reaches the caller, which passes it to
/// <see cref="Plugin.LogFailed"/>.
/// </summary>
internal sealed class LoggerSink(ILoggerFactory factory)
{
    /// <summary>The maximum number of cached loggers, since a plugin can create any number of targets.</summary>
    internal const int MaxLoggers = 1024;

    /// <summary>
    /// The maximum number of scopes. A plugin can nest spans without limit, but the usual scope provider traverses
    /// scopes recursively.
    /// </summary>
    internal const int MaxScopes = 256;

    private readonly ConcurrentDictionary<(string Instance, string Target), ILogger> _loggers = new();

    internal int Kept => _loggers.Count;

    internal static string Category(string? instance, string target)
    {
        string category = string.IsNullOrEmpty(instance) ? "RustBridge" : $"RustBridge.{instance}";
        return target.Length == 0 ? category : $"{category}.{target.Replace("::", ".", StringComparison.Ordinal)}";
    }

    internal void Take(LogRecord record)
    {
        ILogger logger = Logger(record.Instance, record.Target);
        LogLevel level = Levels.Of(record.Level);
        if (!logger.IsEnabled(level))
        {
            return;
        }

        if (record.Spans.Count == 0)
        {
            Log(logger, level, new RecordState(record));
            return;
        }

        // The thread is the core's and goes on: a scope that stays open would be around every later record.
        int first = Math.Max(0, record.Spans.Count - MaxScopes);
        var scopes = new Stack<IDisposable>(record.Spans.Count - first);
        try
        {
            for (int i = first; i < record.Spans.Count; i++)
            {
                if (logger.BeginScope(new SpanState(record.Spans[i])) is { } scope)
                {
                    scopes.Push(scope);
                }
            }

            Log(logger, level, new RecordState(record));
        }
        finally
        {
            Close(scopes);
        }
    }

    private static void Log(ILogger logger, LogLevel level, RecordState record) =>
        logger.Log(level, default, record, record.Exception, static (state, _) => state.ToString());

    private static void Close(Stack<IDisposable> scopes)
    {
        while (scopes.TryPop(out IDisposable? scope))
        {
            try
            {
                scope.Dispose();
            }
            finally
            {
                // Whatever this one has thrown, those around it are closed, too.
                Close(scopes);
            }
        }
    }

    private ILogger Logger(string instance, string target)
    {
        if (_loggers.TryGetValue((instance, target), out ILogger? logger))
        {
            return logger;
        }

        if (_loggers.Count >= MaxLoggers)
        {
            _loggers.Clear();
        }

        return _loggers[(instance, target)] = factory.CreateLogger(Category(instance, target));
    }
}
