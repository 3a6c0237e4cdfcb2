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

    [Fact]
    public void Types_are_looked_into_where_nothing_was_generated_for_them()
    {
        var web = new JsonSerializerOptions(JsonSerializerDefaults.Web);
        Assert.Equal(new Echoed("Ada", 3), _hello.Call<Echo, Echoed>("echo", new Echo("Ada")));
        Assert.Equal(new Echoed("Ada", 3), _hello.Method("echo").Call<Echo, Echoed>(new Echo("Ada"), web));
        Assert.Equal("Ada", _hello.Call<Camel, Camel>("echo", new Camel("Ada")).Message);
        using Plugin configured = TestPlugins.LoadHello(PluginConfig.Of(new HelloConfig(255)));
        Assert.Contains("user-000000ff", configured.Call("user.create", """{"username":"a","email":"b"}"""), StringComparison.Ordinal);
    }

    [Fact]
    public void A_number_that_json_does_not_have_is_an_error_that_names_its_field()
    {
        using Plugin conformance = TestPlugins.LoadConformance();
        foreach (double number in new[] { double.NaN, double.PositiveInfinity, double.NegativeInfinity })
        {
            var series = new Series("s", [new Sample(1, 2), new Sample(3, number)], new Sample(0, 0));
            ArgumentException error = Assert.Throws<ArgumentException>(
                () => conformance.Call("types.value", series, OtherJson.Default.Series, OtherJson.Default.Series));
            Assert.Contains("$.Samples[1].Y isn't a number that JSON can represent", error.Message, StringComparison.Ordinal);
            error = Assert.Throws<ArgumentException>(() => conformance.Call<Series, Series>("types.value", series));
            Assert.Contains("$.samples[1].y isn't a number that JSON can represent", error.Message, StringComparison.Ordinal);
            error = Assert.Throws<ArgumentException>(() => conformance.Call<double[], double[]>("types.value", [1, 2, number]));
            Assert.Contains("$[2] isn't", error.Message, StringComparison.Ordinal);
        }

        Series whole = conformance.Call<Series, Series>("types.value", new Series("s", [], new Sample(1, 2)));
        Assert.Equal(new Sample(1, 2), whole.Last);
        var named = new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        };
        Assert.True(double.IsNaN(conformance.Call<Sample, Sample>("types.value", new Sample(1, double.NaN), named).Y));
    }

    [Fact]
    public void A_number_that_a_response_does_not_have_is_an_error_that_names_its_field()
    {
        using Plugin conformance = TestPlugins.LoadConformance();
        // What Rust writes for NaN.
        using JsonDocument request = JsonDocument.Parse("""{"Name":"s","Samples":[{"X":1,"Y":null}],"Last":{"X":1,"Y":1}}""");
        JsonException error = Assert.Throws<JsonException>(
            () => conformance.Call("types.value", request.RootElement, OtherJson.Default.JsonElement, OtherJson.Default.Series));
        Assert.Equal("$.Samples[0].Y", error.Path);
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

    internal sealed record Camel(string Message);

    internal sealed record Sample(double X, double Y);

    internal sealed record Series(string Name, Sample[] Samples, Sample Last);

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
[JsonSerializable(typeof(TypedTests.Series))]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(int))]
internal sealed partial class OtherJson : JsonSerializerContext;
