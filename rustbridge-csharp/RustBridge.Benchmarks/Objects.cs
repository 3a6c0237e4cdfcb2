using System;
using System.Text.Json;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The request of <c>echo</c>.</summary>
/// <param name="Message">What is echoed.</param>
public sealed record EchoRequest([property: JsonPropertyName("message")] string Message);

/// <summary>The response of <c>echo</c>.</summary>
/// <param name="Message">What was sent.</param>
/// <param name="Length">Its bytes.</param>
public sealed record EchoAnswer(
    [property: JsonPropertyName("message")] string Message, [property: JsonPropertyName("length")] int Length);

/// <summary>Short JSON: UTF-8, and objects by System.Text.Json beside each part of that work.</summary>
public class Objects
{
    private readonly EchoRequest _request = new("Hello, World!");
    private readonly byte[] _utf8 = System.Text.Encoding.UTF8.GetBytes(Echo.Hello);
    private readonly byte[] _response = new byte[256];
    private byte[] _answer = [];
    private Plugin _hello = null!;
    private Method _echo = null!;

    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        _echo = _hello.Method("echo");
        _answer = _response.AsSpan(0, SpanFloor()).ToArray();
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, Span()), _answer);
        Answers.Agree(_utf8, Serialise());
        Answers.Agree(Whole(), Deserialise());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _hello.Dispose();

    [Benchmark, Floor("json echo 13 B, span")]
    public int SpanFloor() => Echo.Bytes(_utf8, _response);

    [Benchmark, Ours("json echo 13 B, span")]
    public int Span() => _echo.Call(_utf8, _response);

    [Benchmark, Part("serialise", "json echo 13 B, object to object")]
    public byte[] Serialise() => JsonSerializer.SerializeToUtf8Bytes(_request, EchoJson.Default.EchoRequest);

    [Benchmark, Part("call", "json echo 13 B, object to object")]
    public int Call() => Echo.Bytes(_utf8, _response);

    [Benchmark, Part("deserialise", "json echo 13 B, object to object")]
    public EchoAnswer Deserialise() => JsonSerializer.Deserialize(_answer, EchoJson.Default.EchoAnswer)!;

    [Benchmark, Ours("json echo 13 B, object to object")]
    public EchoAnswer Whole() => _echo.Call(_request, EchoJson.Default.EchoRequest, EchoJson.Default.EchoAnswer);
}

/// <summary>How to read and write them.</summary>
[JsonSerializable(typeof(EchoRequest))]
[JsonSerializable(typeof(EchoAnswer))]
internal sealed partial class EchoJson : JsonSerializerContext;
