using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RustBridge.Extensions.DependencyInjection;
using RustBridge.Extensions.Logging;
using RustBridge.Tests;
using RustBridge.Tests.Clients.Types;
using Xunit;

namespace RustBridge.Extensions.Tests;

/// <summary>The snippets of docs/guide/csharp.md. Each stands between two comments.</summary>
public sealed partial class GuideTests
{
    private static string library => TestPlugins.Hello;

    [Fact]
    public void Load()
    {
        // guide
        using (Plugin hello = Plugin.Load(library))
        {
            string answer = hello.Call("greet", """{"name":"Ada"}""");
            Console.WriteLine(answer); // {"greeting":"Hello, Ada! Welcome to rustbridge."}
        }
        // end
        // guide
        var config = new PluginConfig
        {
            Json = """{"first_user":100}""",
            Name = "users",
            LogLevel = PluginLogLevel.Debug,
            PoisonOnPanic = true,
        };
        Plugin users = Plugin.Load(library, config);
        // end
        using (users)
        {
            Assert.Contains("user-00000064", users.Call("user.create", """{"username":"a","email":"b"}"""), StringComparison.Ordinal);
        }

        // guide
        Plugin fromBytes = Plugin.Load(File.ReadAllBytes(library));
        // end
        fromBytes.Dispose();
    }

    [Fact]
    public void Objects()
    {
        using Plugin hello = Plugin.Load(library);
        // guide
        Greeted greeted = hello.Call("greet", new Greet("Ada"), Messages.Default.Greet, Messages.Default.Greeted);
        // end
        Assert.Equal("Hello, Ada! Welcome to rustbridge.", greeted.Greeting);
        // guide
        Greeted again = hello.Call<Greet, Greeted>("greet", new Greet("Ada"));
        // end
        Assert.Equal(greeted, again);
    }

    [Fact]
    public void Prepared()
    {
        string[] requests = ["""{"message":"a"}""", """{"message":"b"}"""];
        using Plugin hello = Plugin.Load(library);
        // guide
        Method echo = hello.Method("echo");
        foreach (string request in requests)
        {
            string answer = echo.Call(request);
            // end
            Assert.StartsWith("""{"message":""", answer, StringComparison.Ordinal);
            // guide
        }
        // end
    }

    [Fact]
    public void Utf8()
    {
        using Plugin hello = Plugin.Load(library);
        Method echo = hello.Method("echo");
        // guide
        Span<byte> answer = stackalloc byte[256];
        int length = echo.Call("""{"message":"Hi"}"""u8, answer);
        ReadOnlySpan<byte> json = answer[..length]; // {"message":"Hi","length":2}
        // end
        Assert.Equal("""{"message":"Hi","length":2}"""u8, json);
        // guide
        byte[] unchanged = echo.CallUnshared("""{"message":"Hi"}"""u8); // no code can write to a literal
        // end
        Assert.Equal(json, unchanged);
    }

    [Fact]
    public void Structs()
    {
        using Plugin hello = Plugin.Load(library);
        // guide
        Method add = hello.Method("math.add", PluginEncoding.Pod);
        Sum sum = add.CallRaw<Add, Sum>(new Add(40, 2));
        // end
        Assert.Equal(42, sum.Result);
        // guide
        StructDescription layout = hello.Describe().Method("math.add")!.Entry(PluginEncoding.Pod)!.Request.Layout!;
        foreach (FieldDescription field in layout.Fields)
        {
            Console.WriteLine($"{field.Name}: {field.Type} at {field.Offset}");
        }
        // end
        Assert.Equal(["a", "b"], layout.Fields.Select(field => field.Name));
    }

    [Fact]
    public async Task Raw()
    {
        string conformance = TestPlugins.Conformance;
        // guide
        using Plugin plugin = Plugin.Load(conformance, new PluginConfig { Json = """{"label":"guide"}""" });
        byte[] request = "100000"u8.ToArray();
        byte[] storage = new byte[4096];
        try
        {
            int length = plugin.CallRaw("raw.fill", request, storage);
            // end
            Assert.Fail($"{length} bytes fitted");
            // guide
        }
        catch (ResponseTooLargeException tooLarge)
        {
            ReadOnlyMemory<byte> whole = tooLarge.Response; // the call has completed: this is its response
            // end
            Assert.Equal(100_000, whole.Length);
            // guide
        }
        // end
        using var file = new MemoryStream();
        // guide
        using (RawResponse response = plugin.CallRawZeroCopy("raw.fill", request))
        {
            await file.WriteAsync(response.Memory);
        }
        // end
        Assert.Equal(100_000, file.Length);
    }

    [Fact]
    public void Errors()
    {
        using Plugin hello = Plugin.Load(library);
        // guide
        try
        {
            hello.Call("math.add", """{"a":9223372036854775807,"b":1}""");
        }
        catch (PluginException error) when (error.Status == Status.OutOfRange)
        {
            Console.WriteLine($"{error.Type}: {error.Details["a"]} is too large");
        }
        // end
    }

    [Fact]
    public void Logging()
    {
        var lines = new ConcurrentQueue<string>();
        // guide
        var config = new PluginConfig
        {
            LogLevel = PluginLogLevel.Debug,
            Log = record => lines.Enqueue($"{record.Message} {record.Fields["username"]}"),
        };
        // end
        using Plugin hello = Plugin.Load(library, config);
        hello.Call("user.create", """{"username":"ada","email":"b"}""");
        // guide
        hello.FlushLogs(TimeSpan.FromSeconds(1)); // waits until all earlier records are delivered
        hello.LogLevel = PluginLogLevel.Warn; // takes effect at once
        // end
        Assert.Equal("user created ada", Assert.Single(lines));
        Assert.Equal(PluginLogLevel.Warn, hello.LogLevel);
    }

    [Fact]
    public void Loggers()
    {
        using ILoggerFactory loggers = LoggerFactory.Create(builder =>
            builder.AddProvider(new RecordingLoggers()).AddFilter("RustBridge.users", LogLevel.Debug));
        // guide
        Plugin users = Plugin.Load(library, new PluginConfig { Name = "users" }.WithLogger(loggers));
        // end
        Assert.Equal(PluginLogLevel.Debug, users.LogLevel);
        users.LogLevel = PluginLogLevel.Off;
        // guide
        users.FollowLogger(loggers);
        // end
        Assert.Equal(PluginLogLevel.Debug, users.LogLevel);
        users.Dispose();
    }

    [Fact]
    public async Task Hosts()
    {
        // guide
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Services.AddRustBridgePlugin(library, options => options.CloseTimeout = TimeSpan.FromSeconds(5));
        builder.Services.AddKeyedRustBridgePlugin("users").BindConfiguration("Plugins:Users");
        builder.Services.AddHealthChecks().AddRustBridgePlugin().AddRustBridgePlugin("users");
        builder.Services.AddSingleton<Greeter>();
        // end
        string settings = Assert.Single(Repository.Fences("docs/guide/csharp.md", "json"));
        builder.Configuration.AddJsonStream(new MemoryStream(Encoding.UTF8.GetBytes(settings)));
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Plugins:Users:Path"] = library,
            ["Plugins:Users:Config:FIRST_USER"] = "255",
        });
        builder.Logging.ClearProviders();
        using IHost application = builder.Build();
        await application.StartAsync();
        string greetings = application.Services.GetRequiredService<Greeter>().Greet();
        Assert.Contains("Hello, Ada!", greetings, StringComparison.Ordinal);
        Assert.Contains("Hello, Bob!", greetings, StringComparison.Ordinal);
        Plugin users = application.Services.GetRequiredKeyedService<Plugin>("users");
        Assert.Contains("user-000000ff", users.Call("user.create", """{"username":"a","email":"b"}"""), StringComparison.Ordinal);
        await application.StopAsync();
    }

    [Fact]
    public async Task Closing()
    {
        Plugin plugin = Plugin.Load(library);
        Method sleep = plugin.Method("test.sleep");
        Task<string> busy = Task.Factory.StartNew(
            () => sleep.Call("""{"duration_ms":600}"""), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.Delay(200);
        // guide
        try
        {
            plugin.Close(TimeSpan.FromMilliseconds(50));
        }
        catch (PluginException late) when (late.Status == Status.DeadlineExceeded)
        {
            // Calls still run. New ones are refused, and another close continues to wait.
            plugin.Close(TimeSpan.FromMinutes(1));
        }
        // end
        Assert.Equal(PluginState.Closed, plugin.State);
        await busy;
    }

    private sealed class Directory : IDirectory
    {
        public Person? Find(string request) => new(request, 36);

        public Person Fetch(string request) => new(request, 36);

        public ulong Count() => 1;
    }

    [Fact]
    public void Typed_clients_of_a_container()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Plugins:Types:Path", TestPlugins.Types)]);
        // guide
        builder.Services.AddSingleton<IDirectory, Directory>(); // a service that the plugin calls
        builder.Services.AddRustBridgeClient<ITypes, Types>().BindConfiguration("Plugins:Types");
        builder.Services.AddHealthChecks().AddRustBridgeClient<Types>();
        // end
        using IHost host = builder.Build();
        Assert.Equal("Ada", host.Services.GetRequiredService<ITypes>().Ask("Ada")!.Name);
    }

    [Fact]
    public void Json_of_a_typed_client()
    {
        using Types types = Types.Load(TestPlugins.Types);
        // guide
        string person = types.Plugin.Call("person", """{"name":"Ada","age":36}"""); // {"name":"Ada","age":36,"email":null}
        // end
        Assert.Equal("""{"name":"Ada","age":36,"email":null}""", person);
    }

    [Fact]
    public void Every_snippet_of_the_guide_is_here()
    {
        List<string> shown = Repository.Fences("docs/guide/csharp.md", "csharp");
        List<string> tested =
        [
            .. Repository.Snippets("rustbridge-csharp/RustBridge.Extensions.Tests/GuideTests.cs"),
            .. Repository.Snippets("rustbridge-csharp/RustBridge.Extensions.Tests/AwaitingGuideTests.cs"),
        ];
        Assert.NotEmpty(shown);
        Assert.Equal(shown.Order(StringComparer.Ordinal), tested.Order(StringComparer.Ordinal));
    }

    // guide
    public sealed record Greet(string Name);

    public sealed record Greeted(string Greeting);

    [JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
    [JsonSerializable(typeof(Greet))]
    [JsonSerializable(typeof(Greeted))]
    public sealed partial class Messages : JsonSerializerContext;
    // end

    // guide
    public record struct Add(long A, long B);

    public record struct Sum(long Result);
    // end

    // guide
    public sealed class Greeter(Plugin hello, [FromKeyedServices("users")] Plugin users)
    {
        public string Greet() => hello.Call("greet", """{"name":"Ada"}""") + users.Call("greet", """{"name":"Bob"}""");
    }
    // end
}
