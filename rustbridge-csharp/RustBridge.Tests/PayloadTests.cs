using System;
using System.Text;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What only a plugin that isn't in Rust, or is broken, sends.</summary>
public sealed class PayloadTests
{
    [Fact]
    public void A_response_that_is_no_utf8_is_lost_data()
    {
        foreach (byte[] bytes in new byte[][] { [0xff], [(byte)'a', 0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80] })
        {
            Assert.Equal(Status.DataLoss, Assert.Throws<PluginException>(() => Utf8Text.Decode(bytes)).Status);
        }

        Assert.Equal("", Utf8Text.Decode([]));
        Assert.Equal("größer 🦀", Utf8Text.Decode("größer 🦀"u8));
    }

    [Fact]
    public void An_error_without_a_payload_tells_its_status()
    {
        PluginException error = Failures.Of(14, []);
        Assert.Equal((Status.Unavailable, "", ""), (error.Status, error.Type, string.Concat(error.Details.Keys)));
        Assert.Equal("the call failed with status Unavailable and no message", error.Message);
    }

    [Theory]
    [InlineData("no JSON", "no JSON")]
    [InlineData("[1]", "[1]")]
    [InlineData("""{"message":7}""", """{"message":7}""")]
    [InlineData("""{"message":"m","type":1,"details":null,"backtrace":{}}""", "m")]
    [InlineData("""{"message":"m","message":"n"}""", "n")]
    [InlineData("""{"message":"m"}  """, "m")]
    [InlineData("""{"message":"m"} x""", """{"message":"m"} x""")]
    [InlineData("""{"mess\u0061ge":"\u006d"}""", "m")]
    [InlineData("""{"code":"ABORTED","code":"ABORTED","message":"m"}""", "m")]
    [InlineData("""{"code":7,"message":"m"}""", "m")]
    public void A_payload_of_another_shape_is_shown_as_far_as_it_goes(string payload, string message)
    {
        PluginException error = Failures.Of(3, Encoding.UTF8.GetBytes(payload));
        Assert.Equal((Status.InvalidArgument, message, ""), (error.Status, error.Message, error.Type));
        Assert.Empty(error.Details);
        Assert.Null(error.Backtrace);
    }

    [Theory]
    [InlineData(17)]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    public void A_status_that_nobody_knows_is_unknown(int status) => Assert.Equal(Status.Unknown, Failures.Known(status));

    [Fact]
    public void A_description_is_read_as_far_as_it_is_understood()
    {
        PluginDescription description = Descriptions.Read(
            """
            {"abi":"1.9","name":"n","later":{},"methods":[7,{"name":"m","id":-1,"entries":[
            {"encoding":"later"},{"encoding":"pod","leaf":true,"request":{"layout":{"size":"8","fields":[{}]}}}]}]}
            """);
        Assert.Equal(("1.9", "n", ""), (description.Abi, description.Name, description.Version));
        EntryDescription entry = Assert.Single(description.Method("m")!.Entries);
        Assert.Equal((PluginEncoding.Pod, true, false), (entry.Encoding, entry.IsLeaf, entry.IsAsync));
        Assert.Equal(0, entry.Request.Layout!.Size);
        Assert.Null(entry.Response.Layout);
        Assert.Equal(Status.DataLoss, Assert.Throws<PluginException>(() => Descriptions.Read("[]")).Status);
    }
}
