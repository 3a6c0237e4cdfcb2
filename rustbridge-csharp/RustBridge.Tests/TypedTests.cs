using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using Xunit;

namespace RustBridge.Tests;

public sealed class TypedTests : IDisposable
{
    private readonly Plugin _hello = TestPlugins.LoadHello();

    public void Dispose() => _hello.Dispose();

    [Fact]
    public void Objects_go_in_and_objects_come_out()
    {
        Echoed echoed = _hello.Call("echo", new Echo("Grüße 🦀"), TestJson.Default.Echo, TestJson.Default.Echoed);
        Assert.Equal(new Echoed("Grüße 🦀", 12), echoed);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(1_000)]
    public void Responses_of_any_size_are_read(int results)
    {
        // Twice: the second time there is storage for it.
        for (int i = 0; i < 2; i++)
        {
            LargeResponse response = _hello.Call(
                "bench.large", new LargeRequest("q", [], results), TestJson.Default.LargeRequest, TestJson.Default.LargeResponse);
            Assert.Equal(results, response.Results.Count);
            Assert.All(response.Results, result => Assert.StartsWith("result-", result.Id, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_long_request_is_written_and_a_short_one_after_it_too()
    {
        foreach (int length in new[] { 10, 1_000_000, 10 })
        {
            var echo = new Echo(new string('x', length));
            Assert.Equal(length, _hello.Call("echo", echo, TestJson.Default.Echo, TestJson.Default.Echoed).Length);
        }
    }

    [Fact]
    public void A_response_of_another_shape_is_an_exception_of_the_reader()
    {
        using JsonDocument request = JsonDocument.Parse("""{"name":"x"}""");
        Assert.Throws<JsonException>(
            () => _hello.Call("greet", request.RootElement, OtherJson.Default.JsonElement, OtherJson.Default.Int32));
    }

    [Fact]
    public void Errors_are_the_plugins()
    {
        PluginException error = Assert.Throws<PluginException>(
            () => _hello.Call("greet", new Echo("x"), TestJson.Default.Echo, TestJson.Default.Echoed));
        Assert.Equal(Status.InvalidArgument, error.Status);
    }

    [Fact]
    public void A_converter_that_throws_or_calls_a_plugin_itself_does_no_harm()
    {
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<InvalidOperationException>(
                () => _hello.Call("echo", new Calling(null), OtherJson.Default.Calling, TestJson.Default.Echoed));
            Echoed echoed = _hello.Call("echo", new Calling(_hello), OtherJson.Default.Calling, TestJson.Default.Echoed);
            Assert.Equal(new Echoed("inside", 6), echoed);
        }
    }

    [JsonConverter(typeof(CallingConverter))]
    internal sealed record Calling(Plugin? Plugin);

    internal sealed class CallingConverter : JsonConverter<Calling>
    {
        public override Calling Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, Calling value, JsonSerializerOptions options)
        {
            writer.WriteStartObject();
            if (value.Plugin is null)
            {
                throw new InvalidOperationException("nothing to call");
            }

            Echoed inner = value.Plugin.Call("echo", new Echo("inside"), TestJson.Default.Echo, TestJson.Default.Echoed);
            writer.WriteString("message", inner.Message);
            writer.WriteEndObject();
        }
    }
}

[JsonSerializable(typeof(TypedTests.Calling))]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(int))]
internal sealed partial class OtherJson : JsonSerializerContext;
