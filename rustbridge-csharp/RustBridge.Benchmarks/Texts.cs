using System;
using System.Text;
using BenchmarkDotNet.Attributes;

namespace RustBridge.Benchmarks;

/// <summary>JSON of growing size, as UTF-8 and as text. The short text is measured with <see cref="Threads"/>.</summary>
public class Texts
{
    private Plugin _hello = null!;
    private Method _echo = null!;
    private string _text = "";
    private byte[] _utf8 = [];
    private byte[] _response = [];
    private byte[] _scratch = [];

    /// <summary>How long the message is.</summary>
    [Params("1 KB", "100 KB", "16 MB")]
    public string Size { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        int length = Size switch
        {
            "1 KB" => 900,
            "100 KB" => 100_000,
            "16 MB" => 16 << 20,
            _ => throw new InvalidOperationException(Size),
        };
        _text = $$"""{"message":"{{new string('x', length)}}"}""";
        _utf8 = Encoding.UTF8.GetBytes(_text);
        _response = new byte[_utf8.Length + 64];
        _scratch = new byte[_response.Length];
        _hello = Libraries.Hello();
        _echo = _hello.Method("echo");
        if (_echo.IsLeaf)
        {
            throw new InvalidOperationException("the floor doesn't call as the plugin's method does");
        }

        Answers.Agree(Text(), TextFloor());
        byte[] floor = _response.AsSpan(0, SpanFloor()).ToArray();
        _response.AsSpan().Clear();
        Answers.Agree(_response.AsSpan(0, Span()), floor);
        WarmUp.Once(this);
    }

    [GlobalCleanup]
    public void Cleanup() => _hello.Dispose();

    [Benchmark, Floor("json echo {Size}, span")]
    public int SpanFloor() => Echo.Bytes(_utf8, _response);

    [Benchmark, Ours("json echo {Size}, span")]
    public int Span() => _echo.Call(_utf8, _response);

    [Benchmark, Floor("json echo {Size}")]
    public string TextFloor() =>
        _text.Length <= Echo.Short ? Echo.Text(_text) : Echo.Text(_text, _scratch, _response);

    [Benchmark, Ours("json echo {Size}")]
    public string Text() => _echo.Call(_text);
}
