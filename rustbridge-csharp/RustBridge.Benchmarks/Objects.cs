using System;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>The request of <c>echo</c>.</summary>
/// <param name="Message">What is echoed.</param>
public sealed record EchoRequest(string Message);

/// <summary>The response of <c>echo</c>.</summary>
/// <param name="Message">What was sent.</param>
/// <param name="Length">Its bytes.</param>
public sealed record EchoAnswer(string Message, int Length);

/// <summary>The request of <c>bench.small</c> in JSON.</summary>
public sealed record KeyRequest(string Key, int Flags);

/// <summary>The response of <c>bench.small</c> in JSON.</summary>
public sealed record KeyAnswer(
    string Value, [property: JsonPropertyName("ttl_seconds")] int TtlSeconds, [property: JsonPropertyName("cache_hit")] bool CacheHit);

/// <summary>The request of <c>join</c>.</summary>
public sealed record Parts([property: JsonPropertyName("parts")] string[] All);

/// <summary>The response of <c>join</c>.</summary>
public sealed record Joined(string Text);

/// <summary>
/// Short JSON: UTF-8, and objects by System.Text.Json. The floor of the latter is the same library around a bare call.
/// </summary>
public unsafe class Objects
{
    private const string Key = """{"key":"bench_key","flags":1}""";

    private readonly EchoRequest _request = new("Hello, World!");
    private readonly KeyRequest _key = new("bench_key", 1);
    private readonly byte[] _utf8 = Encoding.UTF8.GetBytes(Echo.Hello);
    private readonly byte[] _response = new byte[256];
    private Plugin _hello = null!;
    private Plugin _bench = null!;
    private Method _echo = null!;
    private Method _small = null!;
    private Method _join = null!;

    [GlobalSetup]
    public void Setup()
    {
        _hello = Libraries.Hello();
        _bench = Libraries.Bench();
        _echo = _hello.Method("echo");
        _small = _hello.Method("bench.small");
        _join = _bench.Method("join");
        byte[] floor = _response.AsSpan(0, SpanFloor()).ToArray();
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, Span()), floor);
        Answers.Agree(Whole(), WholeFloor());
        Answers.Agree(SmallText(), SmallTextFloor());
        Answers.Agree(Small(), SmallFloor());
        Answers.Agree(Join(), JoinFloor());
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _hello.Dispose();
        _bench.Dispose();
    }

    [Benchmark, Floor("json echo 13 B, span")]
    public int SpanFloor() => Echo.Bytes(_utf8, _response);

    [Benchmark, Ours("json echo 13 B, span")]
    public int Span() => _echo.Call(_utf8, _response);

    [Benchmark, Floor("json bench.small")]
    public string SmallTextFloor()
    {
        byte* request = stackalloc byte[256];
        byte* response = stackalloc byte[256];
        nuint length;
        nuint written;
        fixed (char* chars = Key)
        {
            written = (nuint)Encoding.UTF8.GetBytes(chars, Key.Length, request, 256);
        }

        Floor.Check(Floor.SmallJson(null, 0, request, written, response, 256, &length));
        return Encoding.UTF8.GetString(response, (int)length);
    }

    [Benchmark, Ours("json bench.small")]
    public string SmallText() => _small.Call(Key);

    [Benchmark, Floor("json echo 13 B, object to object")]
    public EchoAnswer WholeFloor()
    {
        byte[] utf8 = JsonSerializer.SerializeToUtf8Bytes(_request, ObjectJson.Default.EchoRequest);
        return Read(Echo.Bytes(utf8, _response), ObjectJson.Default.EchoAnswer);
    }

    [Benchmark, Ours("json echo 13 B, object to object")]
    public EchoAnswer Whole() => _echo.Call(_request, ObjectJson.Default.EchoRequest, ObjectJson.Default.EchoAnswer);

    [Benchmark, Floor("json bench.small, object to object")]
    public KeyAnswer SmallFloor()
    {
        byte[] utf8 = JsonSerializer.SerializeToUtf8Bytes(_key, ObjectJson.Default.KeyRequest);
        nuint length;
        fixed (byte* request = utf8, response = _response)
        {
            Floor.Check(Floor.SmallJson(null, 0, request, (nuint)utf8.Length, response, (nuint)_response.Length, &length));
        }

        return Read((int)length, ObjectJson.Default.KeyAnswer);
    }

    [Benchmark, Ours("json bench.small, object to object")]
    public KeyAnswer Small() => _small.Call(_key, ObjectJson.Default.KeyRequest, ObjectJson.Default.KeyAnswer);

    [Benchmark, Floor("M string join", Single = true)]
    public string JoinFloor()
    {
        byte[] utf8 = JsonSerializer.SerializeToUtf8Bytes(new Parts(["hello", "world"]), ObjectJson.Default.Parts);
        nuint length;
        fixed (byte* request = utf8, response = _response)
        {
            Floor.Check(Floor.Join(null, 0, request, (nuint)utf8.Length, response, (nuint)_response.Length, &length));
        }

        return Read((int)length, ObjectJson.Default.Joined).Text;
    }

    [Benchmark, Ours("M string join", Single = true)]
    public string Join() =>
        _join.Call(new Parts(["hello", "world"]), ObjectJson.Default.Parts, ObjectJson.Default.Joined).Text;

    private T Read<T>(int length, JsonTypeInfo<T> type) => JsonSerializer.Deserialize(_response.AsSpan(0, length), type)!;
}

/// <summary>How to read and write them.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(EchoRequest))]
[JsonSerializable(typeof(EchoAnswer))]
[JsonSerializable(typeof(KeyRequest))]
[JsonSerializable(typeof(KeyAnswer))]
[JsonSerializable(typeof(Parts))]
[JsonSerializable(typeof(Joined))]
internal sealed partial class ObjectJson : JsonSerializerContext;
