using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using RustBridge.Extensions.Logging;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>The life of a plugin in a container.</summary>
/// <remarks>
/// It's loaded in <see cref="StartingAsync"/> and closed in <see cref="StoppedAsync"/>: before any service of the host is
/// started, and after all have stopped, in whatever order they were added.
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
    private int _disposed;

    /// <summary>The plugin, which is loaded if it isn't yet.</summary>
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

    /// <summary>Why it couldn't be loaded when it was last tried; of no meaning once it's loaded.</summary>
    internal Exception? Failure { get; private set; }

    public Task StartingAsync(CancellationToken cancellationToken) =>
        options.Get(name).Lazy ? Task.CompletedTask : Task.Run(() => _ = Plugin, cancellationToken);

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) =>
        Task.Run(Close, CancellationToken.None).WaitAsync(cancellationToken);

    /// <summary>Closes the plugin of a host that hasn't been stopped, e.g. because it couldn't be started.</summary>
    /// <remarks>The container does it for each service that this is, and waiting for calls once is enough.</remarks>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        try
        {
            Close();
        }
        catch (PluginException error)
        {
            // The container stops disposing of its other services where one throws.
            if (loggers?.CreateLogger("RustBridge") is { } logger)
            {
                NotClosed(logger, Loaded!.Name, error);
            }
        }
    }

    public async ValueTask DisposeAsync() => await Task.Run(Dispose).ConfigureAwait(false);

    [LoggerMessage(EventName = "NotClosed", Level = LogLevel.Error, Message = "the plugin {Plugin} isn't closed")]
    private static partial void NotClosed(ILogger logger, string plugin, Exception error);

    private Plugin Load()
    {
        RustBridgePluginOptions wanted = options.Get(name);
        var config = new PluginConfig
        {
            Json = wanted.Json,
            Name = wanted.Name ?? (name.Length == 0 ? null : name),
            LogLevel = wanted.LogLevel,
            LogCapacity = wanted.LogCapacity,
            PoisonOnPanic = wanted.PoisonOnPanic,
            Backtraces = wanted.Backtraces,
            OwnCopy = wanted.OwnCopy,
        };
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

    /// <summary>Closes the plugin. If calls still run after its time, that's an error, and the next close goes on waiting.</summary>
    private void Close()
    {
        lock (_gate)
        {
            _ended = true;
        }

        _optionsChanges?.Dispose();
        _filterChanges?.Dispose();
        Loaded?.Close(_closeTimeout);
    }
}
