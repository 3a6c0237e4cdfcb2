using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading.Tasks;
using RustBridge;

namespace Example;

/// <summary>The request of greet: the first of hello-plugin's messages.</summary>
internal sealed record Greet(string Name);

internal sealed record Greeted(string Greeting);

internal sealed record Countdown(int From);

internal sealed record Left([property: JsonPropertyName("left")] int Seconds);

internal sealed record Article([property: JsonPropertyName("article")] string Name);

internal sealed record Price(long Cents);

internal sealed record NewCounter(long Start);

internal record struct Add(long A, long B);

internal record struct Sum(long Result);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Greet))]
[JsonSerializable(typeof(Greeted))]
[JsonSerializable(typeof(Countdown))]
[JsonSerializable(typeof(Left))]
[JsonSerializable(typeof(Article))]
[JsonSerializable(typeof(Price))]
[JsonSerializable(typeof(NewCounter))]
[JsonSerializable(typeof(PluginObject))]
internal sealed partial class Json : JsonSerializerContext;

/// <summary>
/// Loads hello-plugin, and shows calls, a stream, an object, a service and the log. The argument is the plugin's path.
/// </summary>
internal static class Hello
{
    internal static async Task Main(string[] arguments)
    {
        using var hello = Plugin.Load(arguments[0], new PluginConfig
        {
            Json = """{"first_user":100}""",
            LogLevel = PluginLogLevel.Debug,
            Services = [PluginService.Json("prices.get", (Article asked) => new Price(250), Json.Default.Article, Json.Default.Price)],
            Log = record => Console.WriteLine($"{record.Level} {record.Message} {record.FieldsJson}"),
        });
        Console.WriteLine(hello.Call("greet", new Greet("Ada"), Json.Default.Greet, Json.Default.Greeted).Greeting);
        Console.WriteLine(hello.Call("echo", """{"message":"Hi"}"""));

        Method add = hello.Method("math.add", PluginEncoding.Pod);
        Console.WriteLine(add.CallRaw<Add, Sum>(new Add(40, 2)).Result);

        Console.WriteLine(await hello.CallAsync("test.sleep", """{"duration_ms":1}"""));
        await foreach (Left left in hello.Method("countdown").StreamAsync(new Countdown(3), Json.Default.Countdown, Json.Default.Left))
        {
            Console.WriteLine(left.Seconds);
        }

        using (PluginObject counter = hello.Call(
            "counter.new", new NewCounter(40), Json.Default.NewCounter, Json.Default.PluginObject, CallOptions.Default))
        {
            Console.WriteLine(counter.Call("Counter.add", """{"by":2}"""));
        }

        Console.WriteLine(hello.Call("checkout.total", """{"lines":[{"article":"bread","count":2}]}"""));

        hello.Call("user.create", """{"username":"ada","email":"ada@example.com"}""");
        hello.FlushLogs(TimeSpan.FromSeconds(1));
        try
        {
            hello.Call("math.add", """{"a":9223372036854775807,"b":1}""");
        }
        catch (PluginException error)
        {
            Console.WriteLine($"{error.Status}: {error.Message} (a was {error.Details["a"]})");
        }
    }
}
