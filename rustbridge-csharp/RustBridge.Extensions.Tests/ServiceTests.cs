using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

public sealed class ServiceTests
{
    private const string Ada = """{"username":"ada","email":"ada@example.com"}""";

    [Fact]
    public async Task A_host_loads_at_its_start_and_closes_at_its_end()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        // Added before the plugin, so started before it by order alone, and stopped after it.
        builder.Services.AddSingleton<Caller>();
        builder.Services.AddHostedService(provider => provider.GetRequiredService<Caller>());
        builder.Services.AddRustBridgePlugin(TestPlugins.Hello, options => options.Json = """{"first_user":255}""");
        using IHost host = builder.Build();
        await host.StartAsync();
        Plugin hello = host.Services.GetRequiredService<Plugin>();
        Caller caller = host.Services.GetRequiredService<Caller>();
        Assert.Contains("user-000000ff", caller.AtStart, StringComparison.Ordinal);
        Assert.Equal(PluginState.Active, hello.State);
        await host.StopAsync();
        Assert.Contains("user-00000100", caller.AtStop, StringComparison.Ordinal);
        Assert.Equal(PluginState.Closed, hello.State);
    }

    [Fact]
    public async Task A_host_whose_plugin_cannot_be_loaded_does_not_start()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddRustBridgePlugin("/no/such/plugin.so");
        using IHost host = builder.Build();
        PluginException error = await Assert.ThrowsAsync<PluginException>(() => host.StartAsync());
        Assert.Equal(Status.NotFound, error.Status);
    }

    [Fact]
    public async Task A_host_that_fails_to_start_closes_what_was_loaded()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddRustBridgePlugin(TestPlugins.Hello);
        builder.Services.AddKeyedRustBridgePlugin("absent", "/no/such/plugin.so");
        IHost host = builder.Build();
        await Assert.ThrowsAsync<PluginException>(() => host.StartAsync());
        Plugin hello = host.Services.GetRequiredService<Plugin>();
        Assert.Equal(PluginState.Active, hello.State);
        host.Dispose();
        Assert.Equal(PluginState.Closed, hello.State);
    }

    [Fact]
    public void Keys_keep_plugins_apart()
    {
        var services = new ServiceCollection();
        services.AddRustBridgePlugin(TestPlugins.Hello);
        services.AddKeyedRustBridgePlugin("one", TestPlugins.Hello);
        services.AddKeyedRustBridgePlugin("two", configure: options =>
        {
            options.Image = File.ReadAllBytes(TestPlugins.Hello);
            options.Name = "second";
        });
        using ServiceProvider provider = services.BuildServiceProvider();
        Plugin[] plugins =
        [
            provider.GetRequiredService<Plugin>(),
            provider.GetRequiredKeyedService<Plugin>("one"),
            provider.GetRequiredKeyedService<Plugin>("two"),
        ];
        Assert.Equal(["hello", "one", "second"], plugins.Select(plugin => plugin.Name));
        Assert.Same(plugins[1], provider.GetRequiredKeyedService<Plugin>("one"));
        provider.Dispose();
        Assert.All(plugins, plugin => Assert.Equal(PluginState.Closed, plugin.State));
    }

    [Fact]
    public void Adding_it_again_configures_it_further()
    {
        var services = new ServiceCollection();
        services.AddRustBridgePlugin(TestPlugins.Hello);
        services.AddRustBridgePlugin(configure: options => options.Name = "renamed");
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Equal("renamed", provider.GetRequiredService<Plugin>().Name);
        Assert.Single(provider.GetServices<IHostedService>());
    }

    [Fact]
    public async Task A_lazy_plugin_is_loaded_when_it_is_asked_for()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddKeyedRustBridgePlugin("lazy one", TestPlugins.Hello, options => options.Lazy = true);
        using IHost host = builder.Build();
        await host.StartAsync();
        Assert.DoesNotContain("lazy one", Plugin.Inspect(), StringComparison.Ordinal);
        Plugin[] loaded = await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => Task.Run(() => host.Services.GetRequiredKeyedService<Plugin>("lazy one"))));
        Assert.Single(loaded.Distinct());
        Assert.Contains("lazy one", Plugin.Inspect(), StringComparison.Ordinal);
        await host.StopAsync();
        Assert.Equal(PluginState.Closed, loaded[0].State);
    }

    [Fact]
    public async Task A_lazy_plugin_that_nobody_asked_for_is_not_loaded_after_the_end()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddRustBridgePlugin(TestPlugins.Hello, options => options.Lazy = true);
        using IHost host = builder.Build();
        await host.StartAsync();
        await host.StopAsync();
        Assert.Throws<ObjectDisposedException>(() => host.Services.GetRequiredService<Plugin>());
    }

    [Fact]
    public async Task Closing_waits_for_calls_as_long_as_the_options_say_and_hides_nothing()
    {
        var recorded = new RecordingLoggers();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(recorded);
        builder.Services.AddHostedService<FailingToStop>();
        builder.Services.AddRustBridgePlugin(
            TestPlugins.Hello, options => (options.Name, options.CloseTimeout) = ("slow to end", TimeSpan.FromMilliseconds(20)));
        using IHost host = builder.Build();
        await host.StartAsync();
        Plugin hello = host.Services.GetRequiredService<Plugin>();
        Task<string> call = Task.Factory.StartNew(
            () => hello.Call("test.sleep", """{"duration_ms":1000}"""),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Waiting.For("the call", () => Plugin.Inspect().Contains("\"in_flight\":1", StringComparison.Ordinal) || call.IsCompleted);
        // A host that has more than one failure to tell of throws them all as one; the plugin's own isn't among them.
        InvalidOperationException other = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StopAsync());
        Assert.Equal("the one that matters", other.Message);
        Assert.Equal(PluginState.Closing, hello.State);
        Assert.Single(recorded.Of("the plugin slow to end isn't closed"));
        // The container's end comes after it, and neither waits nor tells once more.
        host.Dispose();
        Assert.Single(recorded.Of("the plugin slow to end isn't closed"));
        Assert.Equal("""{"slept_ms":1000}""", await call);
        hello.Close();
        Assert.Equal(PluginState.Closed, hello.State);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_container_that_ends_during_calls_waits_as_long_and_disposes_of_all(bool asynchronous)
    {
        var recorded = new RecordingLoggers();
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddProvider(recorded));
        services.AddSingleton<Disposed>();
        services.AddRustBridgePlugin(TestPlugins.Hello, options => options.CloseTimeout = TimeSpan.FromMilliseconds(20));
        ServiceProvider provider = services.BuildServiceProvider();
        Disposed disposed = provider.GetRequiredService<Disposed>();
        Plugin hello = provider.GetRequiredService<Plugin>();
        Task<string> call = Task.Factory.StartNew(
            () => hello.Call("test.sleep", """{"duration_ms":3000}"""),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Waiting.For("the call", () => Plugin.Inspect().Contains("\"in_flight\":1", StringComparison.Ordinal) || call.IsCompleted);
        if (asynchronous)
        {
            await provider.DisposeAsync();
        }
        else
        {
            provider.Dispose();
        }

        Assert.False(call.IsCompleted);
        Assert.True(disposed.Yes);
        Assert.Equal(PluginState.Closing, hello.State);
        Assert.Single(recorded.Of("the plugin hello isn't closed"));
        Assert.Equal("""{"slept_ms":3000}""", await call);
        hello.Close();
        Assert.Equal(PluginState.Closed, hello.State);
    }

    [Fact]
    public void Options_that_name_no_library_are_refused()
    {
        var services = new ServiceCollection();
        services.AddKeyedRustBridgePlugin("none");
        using ServiceProvider provider = services.BuildServiceProvider();
        OptionsValidationException error =
            Assert.Throws<OptionsValidationException>(() => provider.GetRequiredKeyedService<Plugin>("none"));
        Assert.Contains("`none`", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_negative_time_to_close_is_refused_before_anything_is_loaded()
    {
        var services = new ServiceCollection();
        services.AddKeyedRustBridgePlugin("late", TestPlugins.Hello)
            .Configure(options => options.CloseTimeout = TimeSpan.FromSeconds(-2));
        using ServiceProvider provider = services.BuildServiceProvider();
        OptionsValidationException error =
            Assert.Throws<OptionsValidationException>(() => provider.GetRequiredKeyedService<Plugin>("late"));
        Assert.Contains("CloseTimeout", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Configuration_fills_the_options_and_its_changes_change_the_level()
    {
        var settings = new Dictionary<string, string?>
        {
            ["Plugins:Hello:Path"] = TestPlugins.Hello,
            ["Plugins:Hello:Json"] = """{"first_user":255}""",
            ["Logging:LogLevel:RustBridge.hello"] = "Warning",
        };
        var recorded = new RecordingLoggers();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings);
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddProvider(recorded);
        builder.Services.AddRustBridgePlugin().BindConfiguration("Plugins:Hello");
        using IHost host = builder.Build();
        await host.StartAsync();
        Plugin hello = host.Services.GetRequiredService<Plugin>();
        Assert.Equal(PluginLogLevel.Warn, hello.LogLevel);
        Assert.Contains("user-000000ff", hello.Call("user.create", Ada), StringComparison.Ordinal);

        IConfigurationRoot configuration = (IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>();
        configuration["Logging:LogLevel:RustBridge.hello"] = "Debug";
        configuration.Reload();
        Waiting.For("the level", () => hello.LogLevel == PluginLogLevel.Debug);
        hello.Call("user.create", Ada);
        hello.FlushLogs(TimeSpan.FromSeconds(20));
        Logged created = Assert.Single(recorded.Of("user created"));
        Assert.Equal(("RustBridge.hello.hello_plugin.hello", "user-00000100"), (created.Category, created.Values["user_id"]));

        configuration["Plugins:Hello:LogLevel"] = "Error";
        configuration.Reload();
        Waiting.For("the level", () => hello.LogLevel == PluginLogLevel.Error);
        await host.StopAsync();
        configuration["Plugins:Hello:LogLevel"] = "Info";
        configuration.Reload();
    }

    [Fact]
    public async Task What_cannot_be_closed_is_told_where_there_are_no_loggers()
    {
        var told = new List<PluginException>();
        void Tell(PluginException error)
        {
            lock (told)
            {
                told.Add(error);
            }
        }

        Plugin.DisposeFailed += Tell;
        try
        {
            var services = new ServiceCollection();
            services.AddOptions();
            services.AddRustBridgePlugin(
                TestPlugins.Hello, options => (options.Name, options.CloseTimeout) = ("nobody logs", TimeSpan.FromMilliseconds(20)));
            ServiceProvider provider = services.BuildServiceProvider();
            Plugin hello = provider.GetRequiredService<Plugin>();
            Task<string> call = Task.Factory.StartNew(
                () => hello.Call("test.sleep", """{"duration_ms":1000}"""),
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            Waiting.For("the call", () => Plugin.Inspect().Contains("\"in_flight\":1", StringComparison.Ordinal) || call.IsCompleted);
            await provider.DisposeAsync();
            await call;
            hello.Close();
            PluginException late = Assert.Single(told, error => error.Message.Contains("nobody logs", StringComparison.Ordinal));
            Assert.Equal(Status.DeadlineExceeded, late.Status);
        }
        finally
        {
            Plugin.DisposeFailed -= Tell;
        }
    }

    private sealed class FailingToStop : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => throw new InvalidOperationException("the one that matters");
    }

    private sealed class Disposed : IDisposable
    {
        internal bool Yes { get; private set; }

        public void Dispose() => Yes = true;
    }

    private sealed class Caller(Plugin hello) : IHostedService
    {
        internal string AtStart { get; private set; } = "";

        internal string AtStop { get; private set; } = "";

        public Task StartAsync(CancellationToken cancellationToken)
        {
            AtStart = hello.Call("user.create", Ada);
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken)
        {
            AtStop = hello.Call("user.create", Ada);
            return Task.CompletedTask;
        }
    }
}
