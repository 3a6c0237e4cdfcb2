using System;
using System.Linq;
using System.Text;
using System.Text.Unicode;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Requests in memory that another thread writes to during the call: safe code, so nothing undefined may come of it.</summary>
public sealed class SharedTests
{
    private const int Length = 21_000;

    [Fact]
    public async Task A_request_that_changes_during_the_call_is_one_or_the_other_to_the_plugin() => await ChildProcess.Succeeds<Torn>();

    [Fact]
    public void A_request_that_nobody_writes_to_goes_as_it_is()
    {
        using Plugin hello = TestPlugins.LoadHello();
        using Plugin conformance = TestPlugins.LoadConformance();
        Method echo = hello.Method("echo");
        byte[] storage = new byte[100];
        int length = echo.CallUnshared("""{"message":"x"}"""u8, storage);
        Assert.Equal("""{"message":"x","length":1}"""u8, storage.AsSpan(0, length));
        Assert.Equal("""{"message":"x","length":1}"""u8, echo.CallUnshared("""{"message":"x"}"""u8));
        Assert.Throws<InvalidOperationException>(() => conformance.Method("raw.echo", PluginEncoding.Raw).CallUnshared("{}"u8));
        Assert.Equal(new Sum(3), hello.Method("math.add", PluginEncoding.Pod).CallRawUnshared<Add, Sum>(new Add(1, 2)));
        Method raw = conformance.Method("raw.echo", PluginEncoding.Raw);
        byte[] request = [.. Enumerable.Range(0, 70_000).Select(number => (byte)number)];
        Assert.Equal(request, raw.CallRawBytesUnshared(request));
        using RawResponse lease = raw.CallRawZeroCopyUnshared(request);
        Assert.True(lease.Span.SequenceEqual(request));
        byte[] whole = new byte[request.Length];
        Assert.Equal(request.Length, raw.CallRawUnshared(request, whole));
        Assert.Equal(request, whole);
        // Copied first, since the plugin may read it while it writes.
        Assert.Equal(request.Length, raw.CallRawUnshared(request, request));
        Assert.Equal(whole, request);
    }

    internal sealed class Torn : IScenario
    {
        private static readonly TimeSpan Time = TimeSpan.FromSeconds(1.5);

        public async Task Run()
        {
            using Plugin hello = TestPlugins.LoadHello();
            Method echo = hello.Method("echo");
            byte[] request = Encoding.UTF8.GetBytes($$"""{"message":"{{new string('x', Length)}}"}""");
            using var stop = new CancellationTokenSource(Time);
            Task<bool> writer = Waiting.OnThread(() =>
            {
                // Each is valid UTF-8 as a whole, and what is between the two isn't.
                byte[][] texts = [Encoding.UTF8.GetBytes(new string('界', Length / 3)), Encoding.UTF8.GetBytes(new string('x', Length))];
                for (int round = 0; !stop.IsCancellationRequested; round++)
                {
                    texts[round % 2].CopyTo(request.AsSpan("{'message':'".Length));
                }

                return true;
            });
            byte[] storage = new byte[2 * request.Length];
            int answered = 0, refused = 0;
            var ways = new Func<ReadOnlyMemory<byte>>[]
            {
                () => echo.Call(request),
                () => storage.AsMemory(0, echo.Call(request, storage)),
                () => Copied(echo.CallRawZeroCopy(request)),
                () => hello.Call("echo", request),
            };
            for (int round = 0; !stop.IsCancellationRequested; round++)
            {
                try
                {
                    ReadOnlyMemory<byte> response = ways[round % ways.Length]();
                    Assert.True(Utf8.IsValid(response.Span), "the plugin has answered what isn't UTF-8");
                    answered++;
                }
                catch (PluginException error)
                {
                    Assert.Equal(Status.InvalidArgument, error.Status);
                    refused++;
                }
            }

            Assert.True(await writer);
            Console.WriteLine($"{answered} answered, {refused} refused");
            Assert.NotEqual(0, refused);
        }

        private static byte[] Copied(RawResponse response)
        {
            using (response)
            {
                return response.ToArray();
            }
        }
    }
}
