using System;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

public sealed class HealthTests
{
    [Fact]
    public async Task Health_is_the_state_of_the_plugin()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddRustBridgePlugin(TestPlugins.Conformance, Poisonable);
        services.AddKeyedRustBridgePlugin("second", TestPlugins.Conformance, Poisonable);
        services.AddHealthChecks()
            .AddRustBridgePlugin(tags: ["plugins"])
            .AddRustBridgePlugin("second", failureStatus: HealthStatus.Degraded);
        await using ServiceProvider provider = services.BuildServiceProvider();
        HealthCheckService checks = provider.GetRequiredService<HealthCheckService>();

        HealthReport report = await checks.CheckHealthAsync();
        Assert.Equal(["rustbridge", "rustbridge.second"], report.Entries.Keys);
        Assert.Equal(HealthStatus.Healthy, report.Status);
        Assert.Equal("the plugin isn't loaded yet, because nothing has used it", report.Entries["rustbridge"].Description);
        Assert.Equal(["plugins"], report.Entries["rustbridge"].Tags);

        Plugin first = provider.GetRequiredService<Plugin>();
        Plugin second = provider.GetRequiredKeyedService<Plugin>("second");
        HealthReportEntry active = (await checks.CheckHealthAsync()).Entries["rustbridge"];
        Assert.Equal((HealthStatus.Healthy, "conformance: it accepts calls"), (active.Status, active.Description));
        Assert.Equal(("conformance", "Active"), (active.Data["instance"], active.Data["state"]));

        Assert.Throws<PluginException>(() => second.Call("panic.now", """{"message":"oh"}"""));
        report = await checks.CheckHealthAsync();
        Assert.Equal(HealthStatus.Healthy, report.Entries["rustbridge"].Status);
        Assert.Equal(HealthStatus.Degraded, report.Entries["rustbridge.second"].Status);
        Assert.Equal("second: it refuses calls, because a panic has poisoned it", report.Entries["rustbridge.second"].Description);

        first.Close();
        report = await checks.CheckHealthAsync();
        Assert.Equal(HealthStatus.Unhealthy, report.Entries["rustbridge"].Status);
        Assert.Equal("Closed", report.Entries["rustbridge"].Data["state"]);
    }

    [Fact]
    public async Task A_plugin_that_could_not_be_loaded_is_unhealthy()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        string path = TestPlugins.Hello + ".absent";
        services.AddRustBridgePlugin().Configure(options => options.Path = path);
        services.AddHealthChecks().AddRustBridgePlugin(name: "absent");
        await using ServiceProvider provider = services.BuildServiceProvider();
        HealthCheckService checks = provider.GetRequiredService<HealthCheckService>();
        PluginException error = Assert.Throws<PluginException>(() => provider.GetRequiredService<Plugin>());
        HealthReportEntry absent = (await checks.CheckHealthAsync()).Entries["absent"];
        Assert.Equal((HealthStatus.Unhealthy, "the plugin can't be loaded"), (absent.Status, absent.Description));
        Assert.Same(error, absent.Exception);
    }

    private static void Poisonable(RustBridgePluginOptions options)
    {
        options.Json = """{"label":"tests"}""";
        options.PoisonOnPanic = true;
    }
}
