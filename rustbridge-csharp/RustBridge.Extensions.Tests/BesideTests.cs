using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RustBridge;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Extensions.Logging;
using RustBridge.Tests;
using Xunit;

// Outside of our namespaces, where a name of ours wins against an imported one.
namespace Application;

/// <summary>A source as an application has it: with our namespaces beside those that it has anyway. That it's compiled is the test.</summary>
public sealed class BesideTests
{
    [Fact]
    public void Levels_and_encodings_are_told_apart()
    {
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.SetMinimumLevel(LogLevel.None));
        using Plugin hello = Plugin.Load(TestPlugins.Hello, new PluginConfig { LogLevel = PluginLogLevel.Debug }.WithLogger(loggers));
        Method add = hello.Method("math.add", PluginEncoding.Json);
        Assert.Equal("""{"result":3}""", Encoding.UTF8.GetString(add.Call("""{"a":1,"b":2}"""u8)));
        Assert.Equal((PluginLogLevel.Debug, PluginState.Active), (hello.LogLevel, hello.State));
        Assert.DoesNotContain(Enum.GetValues<LogLevel>(), loggers.CreateLogger("any").IsEnabled);
    }
}
