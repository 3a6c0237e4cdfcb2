using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Tests;
using RustBridge.Tests.Clients.Types;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>Typed clients of a container.</summary>
public sealed class ClientTests
{
    private static readonly Person Ada = new("Ada", 36);

    private sealed class OnlyAda : IDirectory
    {
        public Person? Find(string request) => request == "Ada" ? Ada : null;

        public Person Fetch(string request) => Ada;

        public ulong Count() => 1;
    }

    /// <summary>What an application has: it knows the interface alone.</summary>
    private sealed class Application(ITypes types)
    {
        internal ITypes Types => types;
    }

    [Fact]
    public async Task A_client_has_the_containers_services_and_lives_as_long_as_the_host()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Plugins:Types:Path"] = TestPlugins.Types, ["Plugins:Types:Name"] = "kinds" });
        builder.Services.AddSingleton<IDirectory, OnlyAda>();
        builder.Services.AddRustBridgeClient<ITypes, Types>().BindConfiguration("Plugins:Types");
        builder.Services.AddHealthChecks().AddRustBridgeClient<Types>();
        builder.Services.AddSingleton<Application>();
        using IHost host = builder.Build();
        await host.StartAsync();
        Application application = host.Services.GetRequiredService<Application>();
        Types types = host.Services.GetRequiredService<Types>();
        Assert.Same(types, application.Types);
        Assert.Equal("kinds", types.Plugin.Name);
        Assert.Equal(Ada, application.Types.Ask("Ada"));
        Assert.Equal(Ada, await application.Types.AskLaterAsync("Ada"));
        HealthCheckService checks = host.Services.GetRequiredService<HealthCheckService>();
        HealthReport healthy = await checks.CheckHealthAsync();
        Assert.Equal(HealthStatus.Healthy, healthy.Entries["rustbridge.Types"].Status);
        await host.StopAsync();
        Assert.Equal(PluginState.Closed, types.Plugin.State);
        Assert.Equal(HealthStatus.Unhealthy, (await checks.CheckHealthAsync()).Status);
    }

    [Fact]
    public void Clients_without_a_key_and_with_keys_are_apart()
    {
        var services = new ServiceCollection();
        services.AddRustBridgeClient<Types>(TestPlugins.Types);
        services.AddKeyedRustBridgeClient<ITypes, Types>("one", configure: options => options.Image = File.ReadAllBytes(TestPlugins.Types));
        services.AddRustBridgePlugin(TestPlugins.Hello);
        using ServiceProvider provider = services.BuildServiceProvider();
        Types types = provider.GetRequiredService<Types>();
        Types one = provider.GetRequiredKeyedService<Types>("one");
        Assert.NotSame(types, one);
        Assert.Same(one, provider.GetRequiredKeyedService<ITypes>("one"));
        Assert.Equal("types", types.Plugin.Name);
        Assert.Equal("one", one.Plugin.Name);
        Assert.Equal("hello", provider.GetRequiredService<Plugin>().Name);
        Assert.Null(provider.GetService<ITypes>());
    }

    [Fact]
    public void An_interface_of_a_typed_client_is_no_service_by_json()
    {
        ArgumentException error = Assert.Throws<ArgumentException>(() => PluginService.Of<IDirectory>(new OnlyAda()));
        Assert.Contains("AddRustBridgeClient", error.Message, StringComparison.Ordinal);
    }
}
