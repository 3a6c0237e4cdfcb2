using System;
using System.Text;
using Xunit;

namespace RustBridge.Tests;

public sealed class CallTests : IDisposable
{
    private readonly Plugin _hello = TestPlugins.LoadHello();
    private readonly Plugin _conformance = TestPlugins.LoadConformance();

    public void Dispose()
    {
        _hello.Dispose();
        _conformance.Dispose();
    }

    [Fact]
    public void Text_goes_in_and_text_comes_out()
    {
        const string expected = """{"greeting":"Hello, Ada! Welcome to rustbridge."}""";
        Assert.Equal(expected, _hello.Call("greet", """{"name":"Ada"}"""));
        Assert.Equal(expected, _hello.Method("greet").Call("""{"name":"Ada"}"""));
    }

    [Fact]
    public void Utf8_goes_into_the_callers_memory_or_a_new_array()
    {
        Span<byte> response = stackalloc byte[64];
        int length = _hello.Call("echo", """{"message":"héllo"}"""u8, response);
        Assert.Equal("""{"message":"héllo","length":6}"""u8, response[..length]);
        Assert.Equal("""{"message":"héllo","length":6}"""u8, _hello.Call("echo", """{"message":"héllo"}"""u8));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(300)]
    [InlineData(341)]
    [InlineData(1_000)]
    [InlineData(5_000)]
    [InlineData(300_000)]
    [InlineData(2_000_000)]
    public void Text_of_any_length_comes_back(int length)
    {
        // Each time more than once: a method learns how much storage its responses need.
        foreach (string piece in new[] { "a", "ö", "界", "🦀" })
        {
            string message = new StringBuilder().Insert(0, piece, length / piece.Length).ToString();
            string response = _hello.Call("echo", $$"""{"message":"{{message}}"}""");
            Assert.Equal($$"""{"message":"{{message}}","length":{{Encoding.UTF8.GetByteCount(message)}}}""", response);
        }
    }

    [Theory]
    [InlineData(10)]
    [InlineData(4_000)]
    [InlineData(70_000)]
    public void Leaf_methods_take_text_of_any_length_too(int length)
    {
        Method small = _hello.Method("bench.small");
        Assert.True(small.IsLeaf);
        string key = new('k', length);
        string expected = $$"""{"value":"value_for_{{key}}","ttl_seconds":3600,"cache_hit":true}""";
        Assert.Equal(expected, small.Call($$"""{"key":"{{key}}","flags":1}"""));
        Assert.Equal(expected, small.Call($$"""{"key":"{{key}}","flags":1}"""));
    }

    [Fact]
    public void Utf8_responses_of_any_length_are_right()
    {
        foreach (int length in new[] { 0, 900, 1_200, 70_000 })
        {
            string request = $$"""{"message":"{{new string('x', length)}}"}""";
            string expected = $$"""{"message":"{{new string('x', length)}}","length":{{length}}}""";
            Assert.Equal(expected, Encoding.UTF8.GetString(_hello.Call("echo", Encoding.UTF8.GetBytes(request))));
        }
    }

    [Theory]
    [InlineData(0xd800)]
    [InlineData(0xdbff)]
    [InlineData(0xdc00)]
    public void Unpaired_surrogates_are_refused(int surrogate)
    {
        string unpaired = $"ö{(char)surrogate}x";
        foreach (string message in new[] { unpaired, unpaired + new string('x', 2_000), unpaired + new string('x', 400_000) })
        {
            PluginException error = Assert.Throws<PluginException>(() => _hello.Call("echo", $$"""{"message":"{{message}}"}"""));
            Assert.Equal(Status.InvalidArgument, error.Status);
            Assert.Contains("surrogate", error.Message, StringComparison.Ordinal);
        }

        Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => _hello.Method(unpaired)).Status);
    }

    [Fact]
    public void Methods_are_found_by_name_id_and_encoding()
    {
        Method byId = _hello.Method(1, PluginEncoding.Pod);
        Assert.Equal(("1", PluginEncoding.Pod, true, false, 76, 80), Facts(byId));
        Assert.Equal(("math.add", PluginEncoding.Pod, true, false, 16, 8), Facts(_hello.Method("math.add", PluginEncoding.Pod)));
        Assert.Equal(("test.sleep", PluginEncoding.Json, false, true, 0, 0), Facts(_hello.Method("test.sleep")));
        Assert.Same(_hello, byId.Plugin);
        Assert.Equal("math.add (Pod, leaf)", _hello.Method("math.add", PluginEncoding.Pod).ToString());
        Assert.Equal("""{"value":-1}""", _conformance.Call("name.größe 🦀", """{"value":-1}"""));
        Assert.Equal("""{"value":7}""", _conformance.Method(uint.MaxValue).Call("""{"value":7}"""));
    }

    [Fact]
    public void What_a_plugin_does_not_have_is_an_error()
    {
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => _hello.Call("no.such", "{}")).Status);
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => _hello.Method(77)).Status);
        Assert.Equal(Status.Unimplemented, Assert.Throws<PluginException>(() => _hello.Method("greet", PluginEncoding.Pod)).Status);
        Assert.Equal(Status.Unimplemented, Assert.Throws<PluginException>(() => _hello.CallRawBytes("greet", [])).Status);
    }

    [Fact]
    public void A_call_that_needs_another_encoding_says_which()
    {
        Method pod = _hello.Method("math.add", PluginEncoding.Pod);
        string message = Assert.Throws<InvalidOperationException>(() => pod.Call("{}")).Message;
        Assert.Equal(
            "math.add (Pod, leaf) was prepared with the encoding Pod, but this call requires Json: prepare it with PluginEncoding.Json",
            message);
        Method json = _hello.Method("math.add");
        Assert.Throws<InvalidOperationException>(() => json.CallRaw<Add, Sum>(new Add(1, 2)));
    }

    [Fact]
    public void Bytes_of_any_encoding_go_through_raw_calls()
    {
        Method json = _hello.Method("math.add");
        Assert.Equal("""{"result":3}"""u8, json.CallRawBytes("""{"a":1,"b":2}"""u8));
    }

    [Fact]
    public void Nothing_is_no_argument()
    {
        Assert.Throws<ArgumentNullException>(() => _hello.Call(null!, "{}"));
        Assert.Throws<ArgumentNullException>(() => _hello.Call("echo", (string)null!));
        Assert.Throws<ArgumentNullException>(() => _hello.Method(null!));
        Assert.Throws<ArgumentNullException>(() => Plugin.Load((string)null!));
        Assert.Throws<ArgumentException>(() => Plugin.Load(""));
    }

    [Fact]
    public void Calls_from_many_threads_are_independent()
    {
        Method echo = _hello.Method("echo");
        System.Threading.Tasks.Parallel.For(0, 2_000, number =>
            Assert.Equal(
                $$"""{"message":"{{number}}","length":{{$"{number}".Length}}}""", echo.Call($$"""{"message":"{{number}}"}""")));
    }

    private static (string Name, PluginEncoding Encoding, bool IsLeaf, bool IsAsync, int RequestSize, int ResponseSize) Facts(Method method) =>
        (method.Name, method.Encoding, method.IsLeaf, method.IsAsync, method.RequestSize, method.ResponseSize);
}
