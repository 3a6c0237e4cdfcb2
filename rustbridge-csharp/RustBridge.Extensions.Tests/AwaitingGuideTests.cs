using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Tests;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>The snippets of docs/guide/csharp.md about what ends later and goes the other way. Each stands between two comments.</summary>
public sealed class AwaitingGuideTests
{
    private static string library => TestPlugins.Hello;

    private static string operations => TestPlugins.File("operations_plugin");

    [Fact]
    public async Task Awaiting()
    {
        using Plugin hello = Plugin.Load(library);
        using var stopping = new CancellationTokenSource();
        CancellationToken cancellationToken = stopping.Token;
        // guide
        string slept = await hello.CallAsync("test.sleep", """{"duration_ms":10}""", cancellationToken);
        // end
        Assert.Equal("""{"slept_ms":10}""", slept);
        // guide
        Greeted greeted = await hello.CallAsync<Greet, Greeted>("greet", new Greet("Ada"), cancellationToken: cancellationToken);
        // end
        Assert.Equal("Hello, Ada! Welcome to rustbridge.", greeted.Greeting);
        // guide
        var reply = new CallReply { IncludeHeaders = true };
        var options = new CallOptions
        {
            Timeout = TimeSpan.FromSeconds(2),
            Metadata = new() { { "user", "ada" } },
            CancellationToken = cancellationToken,
            Reply = reply,
        };
        string answer = await hello.CallAsync("test.sleep", """{"duration_ms":10}""", options);
        string? servedBy = reply.Headers.GetText("served-by");
        string? cache = reply.Trailers.GetText("cache");
        // end
        Assert.Equal("""{"slept_ms":10}""", answer);
        Assert.Null(servedBy);
        Assert.Null(cache);
    }

    [Fact]
    public async Task Streaming()
    {
        using Plugin hello = Plugin.Load(library);
        CancellationToken cancellationToken = CancellationToken.None;
        // guide
        Method download = hello.Method("download");
        await foreach (Chunk chunk in download.StreamAsync<Download, Chunk>(new Download(1000, 100, 1), cancellationToken: cancellationToken))
        {
            Console.WriteLine($"{chunk.Received} of {chunk.Size}");
            if (chunk.Received >= 500)
            {
                break; // cancels the stream in the plugin
            }
        }
        // end
    }

    [Fact]
    public async Task Sending()
    {
        // guide
        using Plugin plugin = Plugin.Load(operations);
        Method total = plugin.Method("items.sum", PluginEncoding.Pod);
        Number sum = await total.SendRawAsync<Number, Number, Number>(new Number(0), Readings());
        // end
        Assert.Equal(new Number(42), sum);
        // guide
        Method twice = plugin.Method("items.double");
        await foreach (Number doubled in twice.ExchangeAsync<object?, Number, Number>(null, Readings()))
        {
            Console.WriteLine(doubled.Value);
        }
        // end
    }

    [Fact]
    public void Services()
    {
        // guide
        var config = new PluginConfig
        {
            Services =
            [
                PluginService.Json<Article, Price>("prices.get", asked => asked.Name switch
                {
                    "bread" => new Price(250),
                    _ => throw new PluginException(Status.NotFound, "no shop sells it"),
                }),
            ],
        };
        using Plugin shop = Plugin.Load(library, config);
        string total = shop.Call("checkout.total", """{"lines":[{"article":"bread","count":2}]}"""); // {"cents":500}
        // end
        Assert.Equal("""{"cents":500}""", total);
        PluginException error = Assert.Throws<PluginException>(
            () => shop.Call("checkout.total", """{"lines":[{"article":"gold","count":1}]}"""));
        Assert.Equal(Status.NotFound, error.Status);
        PluginService later =
            // guide
            PluginService.JsonAsync<Article, Price>("prices.get", async (asked, call) =>
                await Fetch(asked.Name, call.CancellationToken));
        // end
        using Plugin other = Plugin.Load(library, new PluginConfig { Services = [later] });
        Assert.Equal("""{"cents":5}""", other.Call("checkout.total", """{"lines":[{"article":"salt","count":1}]}"""));
    }

    [Fact]
    public async Task ServiceContexts()
    {
        string? audited = null;
        void Audit(string? user, string? tenant, TimeSpan? left) => audited = $"{user} of {tenant} {left is null}";
        // guide
        var user = new AsyncLocal<string>();
        var prices = PluginService.Json<Article, Price>("prices.get", asked =>
        {
            ServiceCall call = ServiceCall.Current!;
            Audit(user.Value, call.Metadata.GetText("tenant"), call.TimeLeft);
            return new Price(250);
        });
        // end
        using Plugin shop = Plugin.Load(library, new PluginConfig { Services = [prices] });
        user.Value = "ada";
        var options = new CallOptions { Metadata = new() { { "tenant", "blue" } }, Offload = true };
        await shop.CallAsync("checkout.total", """{"lines":[{"article":"bread","count":2}]}""", options);
        Assert.Equal("ada of blue True", audited);
    }

    [Fact]
    public async Task Interfaces()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        // guide
        builder.Services.AddSingleton<IPrices, PriceList>();
        builder.Services.AddRustBridgePlugin(library).WithService<IPrices>();
        // end
        builder.Services.AddKeyedRustBridgePlugin("own", library).WithService(
            _ => PluginService.Json<Article, Price>("prices.get", _ => new Price(1)));
        using IHost host = builder.Build();
        await host.StartAsync();
        string basket = """{"lines":[{"article":"bread","count":2}]}""";
        Assert.Equal("""{"cents":500}""", host.Services.GetRequiredService<Plugin>().Call("checkout.total", basket));
        Assert.Equal("""{"cents":2}""", host.Services.GetRequiredKeyedService<Plugin>("own").Call("checkout.total", basket));
        await host.StopAsync();
    }

    [Fact]
    public async Task Objects()
    {
        using Plugin hello = Plugin.Load(library);
        // guide
        using PluginObject counter = hello.Call<NewCounter, PluginObject>("counter.new", new NewCounter(40), CallOptions.Default);
        Count count = counter.Call<Step, Count>("Counter.add", new Step(2));
        count = await counter.CallAsync<Step, Count>("Counter.add", new Step(1));
        // end
        Assert.Equal(new Count(43), count);
    }

    private static async IAsyncEnumerable<Number> Readings()
    {
        yield return new Number(20);
        await Task.Yield();
        yield return new Number(22);
    }

    private static async ValueTask<Price> Fetch(string article, CancellationToken token)
    {
        await Task.Delay(1, token);
        return new Price(article == "salt" ? 5 : 0);
    }

    public sealed record Greet(string Name);

    public sealed record Greeted(string Greeting);

    public record struct Number(ulong Value);

    public sealed record Download(ulong Size, ulong Chunk, [property: System.Text.Json.Serialization.JsonPropertyName("pause_ms")] ulong PauseMs);

    public sealed record Chunk(ulong Received, ulong Size);

    // guide
    public interface IPrices
    {
        Price Get(Article article);
    }
    // end

    public sealed record Article([property: System.Text.Json.Serialization.JsonPropertyName("article")] string Name);

    public sealed record Price(long Cents);

    public sealed record NewCounter(long Start);

    public sealed record Step(long By);

    public sealed record Count([property: System.Text.Json.Serialization.JsonPropertyName("count")] long Value);

    internal sealed class PriceList : IPrices
    {
        public Price Get(Article article) => new(article.Name == "bread" ? 250 : 0);
    }
}
