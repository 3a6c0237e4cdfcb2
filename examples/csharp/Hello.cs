using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using RustBridge;

namespace Example;

/// <summary>Whom to greet: the first of the messages that hello-plugin understands.</summary>
internal sealed record Greet(string Name);

internal sealed record Greeted(string Greeting);

internal record struct Add(long A, long B);

internal record struct Sum(long Result);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Greet))]
[JsonSerializable(typeof(Greeted))]
internal sealed partial class Json : JsonSerializerContext;

/// <summary>Loads hello-plugin and calls it in each of the ways C# has. Argument: the plugin's path.</summary>
internal static class Hello
{
    internal static void Main(string[] arguments)
    {
        using var hello = Plugin.Load(arguments[0], new PluginConfig
        {
            Json = """{"first_user":100}""",
            LogLevel = PluginLogLevel.Debug,
            Log = record => Console.WriteLine($"{record.Level} {record.Message} {record.FieldsJson}"),
        });
        Console.WriteLine(hello.Call("greet", new Greet("Ada"), Json.Default.Greet, Json.Default.Greeted).Greeting);
        Console.WriteLine(hello.Call("echo", """{"message":"Hi"}"""));

        Method add = hello.Method("math.add", PluginEncoding.Pod);
        Console.WriteLine(add.CallRaw<Add, Sum>(new Add(40, 2)).Result);

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
