using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using Xunit;
using Xunit.Sdk;

namespace RustBridge.Tests.Conformance;

/// <summary>The judge is judged first: a comparison that accepts everything would prove nothing.</summary>
public sealed class ComparisonTests
{
    private const string Sample = """{"list":[{"name":"a"},{"name":"b"}],"text":"é🦀","n":7,"half":0.5,"none":null}""";

    [Theory]
    [InlineData("1", "1")]
    [InlineData("1.0", "1")]
    [InlineData("0", "-0.0")]
    [InlineData("18446744073709551615", "18446744073709551615")]
    [InlineData("1e2", "100.0")]
    [InlineData("[1,[2,null]]", "[1,[2,null]]")]
    [InlineData("""{"a":1,"b":true}""", """{"b":true,"a":1}""")]
    [InlineData("\"\\u00e9\"", "\"é\"")]
    public void Equal_values_are_the_same(string found, string expected) => Assert.True(Comparison.Same(Json(found), Json(expected)));

    [Theory]
    [InlineData("1", "2")]
    [InlineData("9007199254740993", "9007199254740992")]
    [InlineData("18446744073709551615", "18446744073709551614")]
    [InlineData("1.5", "1.25")]
    [InlineData("true", "1")]
    [InlineData("true", "false")]
    [InlineData("null", "0")]
    [InlineData("\"1\"", "1")]
    [InlineData("[1]", "[1,1]")]
    [InlineData("[1,2]", "[2,1]")]
    [InlineData("""{"a":1}""", """{"a":1,"b":2}""")]
    [InlineData("""{"a":1,"b":2}""", """{"a":1}""")]
    [InlineData("""{"a":1}""", """{"b":1}""")]
    [InlineData("""{"a":null}""", "{}")]
    [InlineData("[]", "{}")]
    public void Other_values_are_not(string found, string expected) => Assert.False(Comparison.Same(Json(found), Json(expected)));

    [Theory]
    [InlineData("""{"path":""}""")]
    [InlineData("""{"path":"list.1.name","equals":"b"}""")]
    [InlineData("""{"path":"list","length":2}""")]
    [InlineData("""{"path":"text","length":2}""")]
    [InlineData("""{"path":"text","type":"string"}""")]
    [InlineData("""{"path":"n","type":"integer"}""")]
    [InlineData("""{"path":"half","type":"number"}""")]
    [InlineData("""{"path":"n","min":7}""")]
    [InlineData("""{"path":"text","contains":"é"}""")]
    [InlineData("""{"path":"list.2","absent":true}""")]
    [InlineData("""{"path":"nothing.here","absent":true}""")]
    [InlineData("""{"path":"none","type":"null"}""")]
    public void A_check_that_holds_passes(string rule) => Comparison.Check(Json(Sample), Json(rule));

    [Theory]
    [InlineData("""{"path":"list.1.name","equals":"a"}""")]
    [InlineData("""{"path":"list","length":3}""")]
    [InlineData("""{"path":"n","length":0}""")]
    [InlineData("""{"path":"text","length":3}""")]
    [InlineData("""{"path":"text","type":"number"}""")]
    [InlineData("""{"path":"half","type":"integer"}""")]
    [InlineData("""{"path":"n","type":"boolean"}""")]
    [InlineData("""{"path":"n","min":8}""")]
    [InlineData("""{"path":"text","min":0}""")]
    [InlineData("""{"path":"text","contains":"x"}""")]
    [InlineData("""{"path":"none","absent":true}""")]
    [InlineData("""{"path":"gone"}""")]
    [InlineData("""{"path":"gone","equals":null}""")]
    public void A_check_that_does_not_hold_fails(string rule) => Differs(() => Comparison.Check(Json(Sample), Json(rule)));

    [Fact]
    public void A_check_that_nobody_knows_is_an_error()
    {
        Assert.Throws<InvalidOperationException>(() => Comparison.Check(Json(Sample), Json("""{"path":"n","roughly":7}""")));
    }

    [Fact]
    public void A_response_is_compared_in_each_of_its_three_forms()
    {
        byte[] found = """{"a":1}"""u8.ToArray();
        Comparison.Response(found, null);
        Comparison.Response(found, Json("""{"text":"{\"a\":1}"}"""));
        Comparison.Response(found, Json("""{"json":{"a":1}}"""));
        Comparison.Response(found, Json("""{"checks":[{"path":"a"}]}"""));
        Differs(() => Comparison.Response(found, Json("""{"text":"{\"a\":1} "}""")));
        Differs(() => Comparison.Response(found, Json("""{"json":{"a":2}}""")));
        Differs(() => Comparison.Response(found, Json("""{"checks":[{"path":"b"}]}""")));
        Differs(() => Comparison.Response("""{"a":1,"a":1}"""u8.ToArray(), Json("""{"json":{"a":1}}""")));
        Assert.ThrowsAny<JsonException>(() => Comparison.Response([1], Json("""{"json":1}""")));
    }

    [Fact]
    public void A_failure_is_compared_by_everything_the_case_says()
    {
        var details = new Dictionary<string, JsonElement> { ["n"] = Json("7") };
        var found = new PluginException(Status.DataLoss, "all of it", "T", details);
        Comparison.Failure(found, Json("""{"status":"DATA_LOSS"}"""));
        Comparison.Failure(found, Lost("""{"type":"T","message":"all of it"}"""));
        Comparison.Failure(found, Lost("""{"details":{"n":7}}"""));
        Comparison.Failure(found, Lost("""{"checks":[{"path":"code","equals":"DATA_LOSS"}]}"""));
        Differs(() => Comparison.Failure(found, Json("""{"status":"INTERNAL"}""")));
        foreach (string wrong in new[]
        {
            """{"type":"t"}""",
            """{"message":"all"}""",
            """{"message_contains":["all","none"]}""",
            """{"details":{"n":7,"m":1}}""",
            """{"no_details":true}""",
            """{"checks":[{"path":"details.m"}]}""",
            """{"checks":[{"path":"backtrace"}]}""",
        })
        {
            Differs(() => Comparison.Failure(found, Lost(wrong)));
        }
    }

    [Fact]
    public void A_payload_stands_for_bytes()
    {
        Assert.Empty(Payloads.Bytes(null));
        Assert.Equal(
            [(byte)'x', 0xff, 0xff, 0xc3, 0xa9],
            Payloads.Bytes(Json("""{"concat":[{"text":"x"},{"repeat":{"hex":"ff"},"count":2},{"text":"é"}]}""")));
        foreach (string wrong in new[] { "{}", """{"txt":""}""", """{"text":"","hex":""}""", """{"text":"\ud800"}""" })
        {
            Assert.Throws<InvalidDataException>(() => Payloads.Bytes(Json(wrong)));
        }
    }

    [Fact]
    public void A_case_with_an_unknown_field_is_refused()
    {
        const string Common = "\"id\":\"x.y\",\"encoding\":\"json\",\"method\":\"m\"";
        Cases.Know(Json("{" + Common + ",\"expect\":{\"status\":\"OK\"}}"));
        foreach (string wrong in new[]
        {
            """ "expect":{"status":"OK"},"colour":1 """,
            """ "expect":{"status":"OK","within":1} """,
            """ "expect":{"status":"ABORTED","error":{"kind":1}} """,
            """ "needs":["time-travel"],"expect":{"status":"OK"} """,
        })
        {
            Assert.Throws<InvalidDataException>(() => Cases.Know(Json("{" + Common + "," + wrong + "}")));
        }
    }

    private static void Differs(Action comparison) => Assert.ThrowsAny<XunitException>(comparison);

    private static JsonElement Lost(string error) => Json("""{"status":"DATA_LOSS","error":""" + error + "}");

    private static JsonElement Json(string text) => Comparison.Parsed(System.Text.Encoding.UTF8.GetBytes(text));
}
