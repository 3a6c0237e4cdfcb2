using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>A plugin's configuration as a section of the host's.</summary>
public sealed class ConfigurationTests
{
    private const string Schema =
        """
        {
          "type": "object",
          "properties": {
            "text": { "type": "string" },
            "number": { "type": "number" },
            "flag": { "type": "boolean" },
            "maybe": { "type": ["integer", "null"] },
            "perhaps": { "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }] },
            "list": { "type": "array", "items": { "type": "string" } },
            "pair": { "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }] },
            "map": { "type": "object", "additionalProperties": { "type": "integer" } },
            "mode": { "enum": ["fast", "safe"] },
            "level": { "const": 3 },
            "any": true
          },
          "$defs": {
            "Place": { "allOf": [{ "properties": { "x": { "type": "integer" }, "name": { "type": "string" } } }], "type": "object" },
            "Loop": { "$ref": "#/$defs/Loop" }
          }
        }
        """;

    [Theory]
    [InlineData("""{"text":"123"}""", """{"text":"123"}""")]
    [InlineData("""{"text":"True"}""", """{"text":"True"}""")]
    [InlineData("""{"text":""}""", """{"text":""}""")]
    [InlineData("""{"number":1.50}""", """{"number":1.50}""")]
    [InlineData("""{"number":"12345678901234567890123"}""", """{"number":12345678901234567890123}""")]
    [InlineData("""{"number":"many"}""", """{"number":"many"}""")]
    [InlineData("""{"flag":true}""", """{"flag":true}""")]
    [InlineData("""{"flag":"FALSE"}""", """{"flag":false}""")]
    [InlineData("""{"maybe":null}""", """{"maybe":null}""")]
    [InlineData("""{"maybe":7}""", """{"maybe":7}""")]
    [InlineData("""{"perhaps":{"X":"1","Name":"2"}}""", """{"perhaps":{"name":"2","x":1}}""")]
    [InlineData("""{"list":["1","true"]}""", """{"list":["1","true"]}""")]
    [InlineData("""{"list":[]}""", """{"list":[]}""")]
    [InlineData("""{"list":{"0":"a","2":"c"}}""", """{"list":["a","c"]}""")]
    [InlineData("""{"pair":[1,2]}""", """{"pair":[1,"2"]}""")]
    [InlineData("""{"map":{"0":1,"1":2}}""", """{"map":{"0":1,"1":2}}""")]
    [InlineData("""{"map":{}}""", """{"map":{}}""")]
    [InlineData("""{"mode":"fast"}""", """{"mode":"fast"}""")]
    [InlineData("""{"level":"3"}""", """{"level":3}""")]
    [InlineData("""{"any":["1",true,"text",{"a":"007"}]}""", """{"any":[1,true,"text",{"a":"007"}]}""")]
    [InlineData("""{"other":{"1":"x"}}""", """{"other":{"1":"x"}}""")]
    public void The_schema_says_what_texts_are(string configured, string expected)
    {
        using JsonDocument schema = JsonDocument.Parse(Schema);
        Assert.Equal(expected, ConfigurationJson.Of(Section(configured), schema.RootElement));
    }

    [Theory]
    [InlineData("""{"a":1,"b":"2.5e3","c":"True","d":"false","e":"x","f":"007","g":"","h":"null","i":"1 2"}""",
        """{"a":1,"b":2.5e3,"c":true,"d":false,"e":"x","f":"007","g":"","h":"null","i":"1 2"}""")]
    [InlineData("""{"list":[1,{"a":[]}]}""", null)]
    public void Without_a_schema_texts_are_what_they_look_like(string configured, string? expected)
    {
        foreach (string schema in new[] { "true", "{}", "null", "7", """{"$ref":"#/$defs/None"}""", """{"$ref":"#"}""", """{"type":7,"enum":8}""" })
        {
            using JsonDocument parsed = JsonDocument.Parse(schema);
            string json = ConfigurationJson.Of(Section(configured), parsed.RootElement);
            Assert.Equal(expected ?? json, json);
        }

        Assert.NotEqual("", ConfigurationJson.Of(Section(configured), default));
    }

    [Theory]
    [InlineData("Information", PluginLogLevel.Info)]
    [InlineData("warning", PluginLogLevel.Warn)]
    [InlineData("Critical", PluginLogLevel.Error)]
    [InlineData("None", PluginLogLevel.Off)]
    [InlineData("Warn", PluginLogLevel.Warn)]
    [InlineData("trace", PluginLogLevel.Trace)]
    [InlineData("4", PluginLogLevel.Debug)]
    public void A_level_has_its_own_name_or_that_of_dotnet(string name, PluginLogLevel expected)
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?> { ["Path"] = "libkit.so", ["LogLevel"] = name })
            .Build();
        Assert.Equal(expected, configuration.Get<RustBridgePluginOptions>()!.LogLevel);
    }

    [Fact]
    public void A_level_that_is_none_is_refused_by_its_name()
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?> { ["LogLevel"] = "Chatty" })
            .Build();
        Exception error = Assert.Throws<InvalidOperationException>(() => configuration.Get<RustBridgePluginOptions>());
        Assert.Contains("`Chatty` isn't a level", $"{error}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_schema_that_is_made_of_itself_many_times_over_is_read_to_an_end()
    {
        using JsonDocument schema = JsonDocument.Parse(
            """{"properties":{"a":{"type":"string"}},"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}""");
        Task<string> json = Task.Run(() => ConfigurationJson.Of(Section("""{"A":"1"}"""), schema.RootElement));
        Assert.Equal("""{"a":"1"}""", await json.WaitAsync(Waiting.Long));
    }

    [Fact]
    public async Task A_section_configures_a_plugin_and_what_overrides_it_reaches_into_it()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        const string Settings =
            """
            {"Plugins":{"Users":{"CloseTimeout":"00:00:03","Config":{"Label":"12345","limit":7,"tags":["1","two"],"mode":"safe"}}}}
            """;
        builder.Configuration.AddJsonStream(new MemoryStream(Encoding.UTF8.GetBytes(Settings)));
        // As environment variables and user secrets come: flat, all texts, in a case of their own.
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["PLUGINS:USERS:CONFIG:LIMIT"] = "8",
            ["PLUGINS:USERS:CONFIG:TAGS:1"] = "2",
        });
        builder.Services.AddKeyedRustBridgePlugin("users", TestPlugins.Conformance).BindConfiguration("Plugins:Users");
        using IHost host = builder.Build();
        await host.StartAsync();
        Plugin users = host.Services.GetRequiredKeyedService<Plugin>("users");
        Assert.Equal("""{"label":"12345","limit":8,"tags":["1","2"],"mode":"safe"}""", users.Call("state.config", "null"));
        await host.StopAsync();
    }

    [Fact]
    public void A_section_configures_a_plugin_from_bytes_too()
    {
        var services = new ServiceCollection();
        services.AddRustBridgePlugin(configure: options =>
        {
            options.Image = File.ReadAllBytes(TestPlugins.Conformance);
            options.Config = Section("""{"LABEL":"7"}""");
        });
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Contains("\"label\":\"7\"", provider.GetRequiredService<Plugin>().Call("state.config", "null"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_configuration_that_the_plugin_refuses_is_told_by_the_plugin()
    {
        var services = new ServiceCollection();
        services.AddRustBridgePlugin(TestPlugins.Conformance, options => options.Config = Section("""{"label":"a","limit":"many"}"""));
        using ServiceProvider provider = services.BuildServiceProvider();
        PluginException refused = Assert.Throws<PluginException>(() => provider.GetRequiredService<Plugin>());
        Assert.Equal(Status.InvalidArgument, refused.Status);
        Assert.Contains("limit", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Errors_name_the_plugin_and_its_section()
    {
        const string Json = """
            {"Plugins":{
                "Empty":{"Lazy":true},
                "Moved":{"Path":"/no/such/plugin.so"},
                "Refused":{"Config":{"label":"a","limit":"many"}}}}
            """;
        using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(Json));
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(new ConfigurationBuilder().AddJsonStream(bytes).Build());
        services.AddKeyedRustBridgePlugin("missing").BindConfiguration("Plugins:Mising");
        services.AddKeyedRustBridgePlugin("empty").BindConfiguration("Plugins:Empty");
        services.AddKeyedRustBridgePlugin("moved").BindConfiguration("Plugins:Moved");
        services.AddKeyedRustBridgePlugin("refused", TestPlugins.Conformance).BindConfiguration("Plugins:Refused");
        using ServiceProvider provider = services.BuildServiceProvider();
        string Message<T>(string key)
            where T : Exception => Assert.Throws<T>(() => provider.GetRequiredKeyedService<Plugin>(key)).Message;

        string missing = Message<OptionsValidationException>("missing");
        Assert.StartsWith("the plugin `missing` has neither the Path nor the Image", missing, StringComparison.Ordinal);
        Assert.Contains("doesn't exist, or is empty: check the path passed to BindConfiguration", missing, StringComparison.Ordinal);
        string empty = Message<OptionsValidationException>("empty");
        Assert.Equal(
            "the plugin `empty`, configured by the section Plugins:Empty, has neither the Path nor the Image of its library: set one of them",
            empty);
        string moved = Message<PluginException>("moved");
        Assert.StartsWith(
            "the plugin `moved`, configured by the section Plugins:Moved, can't be loaded: ", moved, StringComparison.Ordinal);
        Assert.Contains("/no/such/plugin.so", moved, StringComparison.Ordinal);
        string refused = Message<PluginException>("refused");
        Assert.StartsWith(
            "the plugin `refused`, configured by the section Plugins:Refused, can't be loaded: ", refused, StringComparison.Ordinal);
        Assert.Contains("limit", refused, StringComparison.Ordinal);
    }

    [Fact]
    public void A_configuration_in_both_ways_is_refused_and_an_empty_section_is_none()
    {
        var services = new ServiceCollection();
        services.AddKeyedRustBridgePlugin("both", TestPlugins.Conformance, options =>
            (options.Json, options.Config) = ("""{"label":"text"}""", Section("""{"label":"section"}""")));
        services.AddKeyedRustBridgePlugin("text", TestPlugins.Conformance, options =>
            (options.Json, options.Config) = ("""{"label":"text"}""", Section("{}")));
        using ServiceProvider provider = services.BuildServiceProvider();
        OptionsValidationException error =
            Assert.Throws<OptionsValidationException>(() => provider.GetRequiredKeyedService<Plugin>("both"));
        Assert.Contains("the plugin `both`, configured by the section Config, has its configuration twice", error.Message, StringComparison.Ordinal);
        Plugin text = provider.GetRequiredKeyedService<Plugin>("text");
        Assert.Contains("\"label\":\"text\"", text.Call("state.config", "null"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_level_that_is_none_is_refused_before_anything_is_loaded()
    {
        var services = new ServiceCollection();
        services.AddKeyedRustBridgePlugin("loud", TestPlugins.Hello, options => options.LogLevel = (PluginLogLevel)99);
        using ServiceProvider provider = services.BuildServiceProvider();
        OptionsValidationException error =
            Assert.Throws<OptionsValidationException>(() => provider.GetRequiredKeyedService<Plugin>("loud"));
        Assert.Contains("`loud` has the LogLevel 99", error.Message, StringComparison.Ordinal);
    }

    private static IConfigurationSection Section(string json)
    {
        var bytes = new MemoryStream(Encoding.UTF8.GetBytes($$"""{"Config":{{json}}}"""));
        return new ConfigurationBuilder().AddJsonStream(bytes).Build().GetSection("Config");
    }
}
