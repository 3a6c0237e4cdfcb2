using System;
using System.Linq;
using System.Text;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Arguments that no one should pass, and payloads that no plugin should send.</summary>
public sealed class ArgumentTests : IDisposable
{
    private readonly Plugin _hello = TestPlugins.LoadHello();

    public void Dispose() => _hello.Dispose();

    [Theory]
    [InlineData(-2)]
    [InlineData(7)]
    [InlineData(int.MaxValue)]
    public void Numbers_that_are_no_encoding_are_refused(int number)
    {
        Assert.Throws<ArgumentOutOfRangeException>("encoding", () => _hello.Method("echo", (PluginEncoding)number));
        Assert.Throws<ArgumentOutOfRangeException>("encoding", () => _hello.Method(1, (PluginEncoding)number));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(6)]
    [InlineData(99)]
    public void Numbers_that_are_no_level_are_refused(int number)
    {
        Assert.Throws<ArgumentOutOfRangeException>("value", () => _hello.LogLevel = (PluginLogLevel)number);
        Assert.Equal(PluginLogLevel.Off, _hello.LogLevel);
        var config = new PluginConfig { LogLevel = (PluginLogLevel)number };
        Assert.Throws<ArgumentOutOfRangeException>("config", () => TestPlugins.LoadHello(config).Dispose());
    }

    [Fact]
    public void An_image_without_bytes_is_refused()
    {
        Assert.Throws<ArgumentException>("image", () => Plugin.Load([]));
        Assert.Throws<ArgumentException>("image", () => PluginDescription.Of([]));
        Assert.Throws<ArgumentException>("path", () => PluginDescription.Of(""));
    }

    [Fact]
    public void A_configuration_is_not_shown_where_its_record_is()
    {
        byte[] utf8 = """{"password":"swordfish"}"""u8.ToArray();
        foreach (PluginConfig config in new PluginConfig[] { new() { Json = """{"password":"swordfish"}""" }, new() { Utf8Json = utf8 } })
        {
            string shown = (config with { Name = "users", LogLevel = PluginLogLevel.Warn }).ToString();
            Assert.DoesNotContain("swordfish", shown, StringComparison.Ordinal);
            Assert.Contains("Json = ..., Name = users, LogLevel = Warn", shown, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Unpaired_surrogates_are_refused_wherever_text_goes()
    {
        const string Unpaired = "x\udc00";
        foreach (PluginConfig config in new[] { new PluginConfig { Name = Unpaired }, new PluginConfig { Json = Unpaired } })
        {
            Assert.Equal(Status.InvalidArgument, Refused(() => TestPlugins.LoadHello(config).Dispose()).Status);
        }

        Assert.Equal(Status.InvalidArgument, Refused(() => Plugin.Load(Unpaired).Dispose()).Status);
        PluginException name = Refused(() => _hello.CallRawBytes(Unpaired, []));
        Assert.Equal((Status.InvalidArgument, "rustbridge.InvalidRequest"), (name.Status, name.Type));
    }

    [Fact]
    public void Names_may_be_empty_long_or_odd()
    {
        foreach (string name in new[] { "", "\0", "größer 🦀", new string('n', 1_000_000) })
        {
            Assert.Equal(Status.NotFound, Refused(() => _hello.Method(name)).Status);
            Assert.Equal(Status.NotFound, Refused(() => _hello.Call(name, "{}")).Status);
        }

        using Plugin named = TestPlugins.LoadHello(new PluginConfig { Name = "größer 🦀" });
        Assert.Equal("größer 🦀", named.Name);
        using Plugin unnamed = TestPlugins.LoadHello(new PluginConfig { Name = "" });
        Assert.Equal("hello", unnamed.Name);
    }

    [Fact]
    public void The_longest_timeouts_are_no_overflow()
    {
        using Plugin plugin = TestPlugins.LoadHello();
        plugin.FlushLogs(TimeSpan.MaxValue);
        plugin.Close(TimeSpan.MaxValue);
        Assert.Equal(PluginState.Closed, plugin.State);
    }

    [Fact]
    public void Details_may_be_nested_as_deeply_as_a_plugin_likes()
    {
        string deep = string.Concat(Enumerable.Repeat("[", 200)) + string.Concat(Enumerable.Repeat("]", 200));
        PluginException error = Failed($$$"""{"code":"ABORTED","message":"deep","type":"T","details":{"d":{{{deep}}}}}""");
        Assert.Equal(("deep", "T", deep), (error.Message, error.Type, error.Details["d"].GetRawText()));
    }

    [Theory]
    [InlineData("[1,2]")]
    [InlineData("7")]
    [InlineData("\"text\"")]
    [InlineData("false")]
    public void Details_that_are_no_object_are_kept(string details)
    {
        PluginException error = Failed($$"""{"code":"ABORTED","message":"m","details":{{details}}}""");
        Assert.Equal(details, Assert.Single(error.Details, detail => detail.Key == "details").Value.GetRawText());
        Assert.Empty(Failed("""{"code":"ABORTED","message":"m","details":null}""").Details);
    }

    [Theory]
    [InlineData("""{"message":"\ud800"}""")]
    [InlineData("""{"message":"m","type":"\udc00"}""")]
    [InlineData("""{"message":"m","details":{"\ud800":1}}""")]
    [InlineData("""{"message":"m","backtrace":"\ud800"}""")]
    [InlineData("""{"message":"m","\ud800":1}""")]
    [InlineData("""{"message":"m","type\ud800":1}""")]
    [InlineData("""{"message":"m","details":[1]}""")]
    [InlineData("""{"message":7,"type":7,"details":7,"backtrace":7}""")]
    [InlineData("""["message"]""")]
    [InlineData("""{"message":"m",""")]
    [InlineData("\0")]
    public void A_payload_that_is_not_as_it_should_be_is_a_failure_of_the_call_all_the_same(string payload)
    {
        PluginException error = Failed(payload);
        Assert.NotEqual("", error.Message);
        Assert.Equal(Status.Aborted, error.Status);
    }

    [Theory]
    [InlineData("message")]
    [InlineData("type")]
    [InlineData("backtrace")]
    public void A_payload_whose_text_is_not_utf_8_is_a_failure_of_the_call_all_the_same(string member)
    {
        PluginException error = Failures.Of(
            (int)Status.Aborted, [.. Encoding.UTF8.GetBytes($"{{\"{member}\":\""), 0xff, .. "\"}"u8]);
        Assert.Equal(Status.Aborted, error.Status);
        Assert.StartsWith($"{{\"{member}\":", error.Message, StringComparison.Ordinal);
    }

    private static PluginException Failed(string payload) =>
        Failures.Of((int)Status.Aborted, Encoding.UTF8.GetBytes(payload));

    private static PluginException Refused(Action act) => Assert.Throws<PluginException>(act);
}
