using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Xunit;

namespace RustBridge.Tests;

public sealed class ErrorTests : IDisposable
{
    private readonly Plugin _conformance = TestPlugins.LoadConformance();

    public void Dispose() => _conformance.Dispose();

    [Fact]
    public void Every_status_arrives_as_itself()
    {
        foreach (Status status in Enum.GetValues<Status>().Where(status => status != Status.Ok))
        {
            string name = JsonNamingPolicy.SnakeCaseUpper.ConvertName($"{status}");
            PluginException error = Assert.Throws<PluginException>(
                () => _conformance.Call("status.fail", $$"""{"status":"{{name}}","message":"because"}"""));
            Assert.Equal((status, "because"), (error.Status, error.Message));
        }

        Assert.Equal(17, Enum.GetValues<Status>().Length);
        Assert.Equal(Status.Unauthenticated, (Status)16);
    }

    [Fact]
    public void Type_and_details_come_along()
    {
        PluginException error = Assert.Throws<PluginException>(() => _conformance.Call("error.typed", """{"kind":"not_found"}"""));
        Assert.Equal((Status.NotFound, "CaseError.NotFound"), (error.Status, error.Type));
        Assert.Equal("user 42 (ada) does not exist", error.Message);
        Assert.Equal(42ul, error.Details["user_id"].GetUInt64());
        Assert.Equal("ada", error.Details["name"].GetString());
        Assert.Null(error.Backtrace);
        Assert.StartsWith(
            "RustBridge.PluginException: NotFound (CaseError.NotFound): user 42 (ada) does not exist",
            error.ToString(),
            StringComparison.Ordinal);

        PluginException retry = Assert.Throws<PluginException>(
            () => _conformance.Call("error.details", """{"retry_after_ms":250}"""));
        Assert.Equal((Status.Unavailable, "Retry", "größer"), (retry.Status, retry.Type, retry.Details["hint"].GetString()));
        Assert.Empty(Assert.Throws<PluginException>(() => _conformance.Call("error.typed", """{"kind":"busy"}""")).Details);
    }

    [Fact]
    public void A_struct_call_that_fails_says_why()
    {
        using Plugin hello = TestPlugins.LoadHello();
        PluginException error = Assert.Throws<PluginException>(
            () => hello.CallRaw<Add, Sum>("math.add", new Add(long.MaxValue, 1)));
        Assert.Equal((Status.OutOfRange, "MathError.Overflow"), (error.Status, error.Type));
        Assert.Equal(long.MaxValue, error.Details["a"].GetInt64());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(100_000)]
    public void An_error_is_whole_however_little_room_there_is(int capacity)
    {
        string message = new('m', 5_000);
        byte[] request = Encoding.UTF8.GetBytes(message);
        PluginException error = Assert.Throws<PluginException>(() => _conformance.CallRaw("raw.fail", request, new byte[capacity]));
        Assert.Equal((Status.Aborted, message), (error.Status, error.Message));
        Assert.Equal(message, Assert.Throws<PluginException>(() => _conformance.CallRawBytes("raw.fail", request)).Message);
        Assert.Equal(message, Assert.Throws<PluginException>(() => _conformance.CallRawZeroCopy("raw.fail", request)).Message);
    }

    [Fact]
    public void A_panic_is_an_error_and_the_instance_goes_on()
    {
        PluginException error = Assert.Throws<PluginException>(() => _conformance.Call("panic.now", """{"message":"oh"}"""));
        Assert.Equal((Status.Internal, "panic"), (error.Status, error.Type));
        Assert.Contains("oh", error.Message, StringComparison.Ordinal);
        Assert.Equal(Status.Internal, Assert.Throws<PluginException>(() => _conformance.Call("panic.leaf", """{"message":"oh"}""")).Status);
        Assert.Equal(PluginState.Active, _conformance.State);
    }

    [Fact]
    public void A_panic_has_a_backtrace_and_poisons_if_asked_to()
    {
        using Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { PoisonOnPanic = true, Backtraces = true });
        Method add = plugin.Method("pod.add32", PluginEncoding.Pod);
        PluginException error = Assert.Throws<PluginException>(() => plugin.Call("panic.now", """{"message":"oh"}"""));
        Assert.False(string.IsNullOrEmpty(error.Backtrace));
        Assert.Equal(PluginState.Poisoned, plugin.State);
        Assert.Equal(
            Status.FailedPrecondition, Assert.Throws<PluginException>(() => add.CallRaw<PairPod, SumXor>(default)).Status);
    }

    [Fact]
    public void What_cannot_be_loaded_says_why()
    {
        Assert.Equal(Status.NotFound, Refused(() => Plugin.Load("/no/such/plugin.so")).Status);
        Assert.Equal(Status.InvalidArgument, Refused(() => Plugin.Load("no library"u8)).Status);
        Assert.Equal(Status.InvalidArgument, Refused(() => Plugin.Load(TestPlugins.Conformance, new() { Json = "{" })).Status);
        Assert.Equal(Status.InvalidArgument, Refused(() => Plugin.Load(TestPlugins.Conformance)).Status);
        PluginException refused = Refused(() => Plugin.Load(TestPlugins.Conformance, new() { Json = """{"label":"refuse"}""" }));
        Assert.Equal((Status.PermissionDenied, "CreateError.Refused"), (refused.Status, refused.Type));
        Assert.Equal("refuse", refused.Details["label"].GetString());
    }

    [Fact]
    public void A_truncated_library_is_refused()
    {
        byte[] image = File.ReadAllBytes(TestPlugins.Hello);
        foreach (int length in new[] { 1, 64, 1_000, image.Length / 2 })
        {
            Assert.Equal(Status.InvalidArgument, Refused(() => Plugin.Load(image.AsSpan(0, length))).Status);
        }
    }

    private static PluginException Refused(Func<Plugin> load) => Assert.Throws<PluginException>(() => load().Dispose());
}
