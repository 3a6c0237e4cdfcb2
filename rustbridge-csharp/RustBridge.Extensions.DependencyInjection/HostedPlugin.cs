using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using RustBridge.Extensions.Logging;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>The lifecycle of a plugin in a container.</summary>
/// <remarks>
/// The plugin is loaded in <see cref="StartingAsync"/> and closed in <see cref="StoppedAsync"/>: before any of the
/// host's services starts, and after all have stopped, in whatever order they were added.
/// </remarks>
internal sealed partial class HostedPlugin(
    string name,
    IOptionsMonitor<RustBridgePluginOptions> options,
    ILoggerFactory? loggers,
    IOptionsMonitor<LoggerFilterOptions>? filters) : IHostedLifecycleService, IDisposable, IAsyncDisposable
{
    private readonly object _gate = new();
    private Plugin? _plugin;
    private IDisposable? _optionsChanges;
    private IDisposable? _filterChanges;
    private TimeSpan _closeTimeout;
    private bool _ended;
    private int _waited;

    /// <summary>The plugin; it's loaded if it isn't loaded yet.</summary>
    internal Plugin Plugin
    {
        get
        {
            if (Loaded is { } plugin)
            {
                return plugin;
            }

            lock (_gate)
            {
                ObjectDisposedException.ThrowIf(_ended && _plugin is null, typeof(Plugin));
                try
                {
                    return _plugin ?? Load();
                }
                catch (Exception error)
                {
                    Failure = error;
                    throw;
                }
            }
        }
    }

    /// <summary>The plugin if it's loaded.</summary>
    internal Plugin? Loaded => Volatile.Read(ref _plugin);

    /// <summary>The exception of the last attempt to load the plugin; meaningless once it's loaded.</summary>
    internal Exception? Failure { get; private set; }

    public Task StartingAsync(CancellationToken cancellationToken) =>
        options.Get(name).Lazy ? Task.CompletedTask : Task.Run(() => _ = Plugin, cancellationToken);

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) =>
        Task.Run(Close, CancellationToken.None).WaitAsync(cancellationToken);

    /// <summary>Closes the plugin of a host that wasn't stopped, e.g. because it couldn't start.</summary>
    public void Dispose() => Close();

    public async ValueTask DisposeAsync() => await Task.Run(Dispose).ConfigureAwait(false);

    [LoggerMessage(EventName = "NotClosed", Level = LogLevel.Error, Message = "the plugin {Plugin} isn't closed")]
    private static partial void NotClosed(ILogger logger, string plugin, Exception error);

    private Plugin Load()
    {
        RustBridgePluginOptions wanted = options.Get(name);
        try
        {
            return Load(wanted);
        }
        catch (PluginException error) when (error.GetType() == typeof(PluginException))
        {
            throw new PluginException(
                error.Status,
                $"{OptionsValidation.Named(name, wanted)} can't be loaded: {error.Message}",
                error.Type,
                error.Details,
                error.Backtrace,
                error);
        }
    }

    private Plugin Load(RustBridgePluginOptions wanted)
    {
        var config = new PluginConfig
        {
            Json = Json(wanted),
            Name = wanted.Name ?? (name.Length == 0 || wanted.IsNamedByPlugin ? null : name),
            LogLevel = wanted.LogLevel,
            LogCapacity = wanted.LogCapacity,
            Threads = wanted.Threads,
            PoisonOnPanic = wanted.PoisonOnPanic,
            Backtraces = wanted.Backtraces,
            OwnCopy = wanted.OwnCopy,
            Services = [.. wanted.Services],
        };
        config = wanted.TypedServices?.Invoke(config) ?? config;
        if (loggers is not null)
        {
            config = config.WithLogger(loggers);
        }

        Plugin plugin = string.IsNullOrEmpty(wanted.Path)
            ? RustBridge.Plugin.Load(wanted.Image.Span, config)
            : RustBridge.Plugin.Load(wanted.Path, config);
        _closeTimeout = wanted.CloseTimeout;
        plugin.Owner = this;
        Volatile.Write(ref _plugin, plugin);
        SetLevel(wanted);
        _optionsChanges = options.OnChange((changed, changedName) =>
        {
            if (changedName == name)
            {
                SetLevel(changed);
            }
        });
        _filterChanges = filters?.OnChange(_ => SetLevel(options.Get(name)));
        return plugin;
    }

    /// <summary>
    /// Returns the plugin's configuration as JSON. Reads the schema only if it's needed, since that maps the library.
    /// </summary>
    private static string? Json(RustBridgePluginOptions wanted)
    {
        if (wanted.Config is not { } section || !section.Exists())
        {
            return wanted.Json;
        }

        PluginDescription description = string.IsNullOrEmpty(wanted.Path)
            ? PluginDescription.Of(wanted.Image.Span)
            : PluginDescription.Of(wanted.Path);
        return ConfigurationJson.Of(section, description.Config);
    }

    private void SetLevel(RustBridgePluginOptions wanted)
    {
        try
        {
            if (wanted.LogLevel is { } level)
            {
                _plugin!.LogLevel = level;
            }
            else if (loggers is not null)
            {
                _plugin!.FollowLogger(loggers);
            }
        }
        catch (PluginException closed) when (closed.Status == Status.Unavailable)
        {
            // It needs no level any more.
        }
    }

    /// <summary>
    /// Closes the plugin. The host calls this when it ends, and the container calls it for each service that this
    /// object is. Waiting for calls once, and reporting them once, is enough. If calls still run after the timeout,
    /// that is logged and not thrown: an exception would stop the host's shutdown, keep the container from disposing of
    /// its other services, and hide earlier errors.
    /// </summary>
    private void Close()
    {
        lock (_gate)
        {
            _ended = true;
        }

        _optionsChanges?.Dispose();
        _filterChanges?.Dispose();
        bool first = Interlocked.Exchange(ref _waited, 1) == 0;
        try
        {
            Loaded?.Close(first ? _closeTimeout : TimeSpan.Zero);
        }
        catch (PluginException error)
        {
            if (!first && error.Status == Status.DeadlineExceeded)
            {
                return;
            }

            if (loggers?.CreateLogger("RustBridge") is { } logger)
            {
                NotClosed(logger, Loaded!.Name, error);
            }
            else
            {
                RustBridge.Plugin.OnDisposeFailed(error);
            }
        }
    }
}
