using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Objects of typed clients: their methods, and messages that have them inside.</summary>
public sealed class TypedObjectTests : IDisposable
{
    private readonly Types _types = Types.Load(TestPlugins.Types);

    public void Dispose() => _types.Dispose();

    [Fact]
    public async Task An_object_has_methods_of_its_own()
    {
        using Counter counter = _types.Counter(40);
        Assert.Equal(42, counter.Add(2));
        Assert.Equal(42, counter.Get());
        Assert.Equal([42, 43, 44], await All(counter.UptoAsync(45)));
        Assert.Equal(45, await counter.AdmitAsync([new Person("Ada", 36), new Person("Bob", 3), new Person("Cy", 0)]));
        Assert.Same(_types.Plugin, counter.Untyped.Plugin);
        PluginException error = Assert.Throws<PluginException>(() => counter.Add(long.MaxValue));
        Assert.Equal(Status.OutOfRange, error.Status);
        Assert.Equal(45, counter.Add(0, new CallOptions { Timeout = Waiting.Long }));
        var over = new CallOptions { Timeout = TimeSpan.Zero };
        Assert.Equal(Status.DeadlineExceeded, Assert.Throws<PluginException>(() => counter.Add(1, over)).Status);
        Assert.Equal(
            Status.DeadlineExceeded,
            (await Assert.ThrowsAsync<PluginException>(() => counter.AddLaterAsync(1, over).AsTask())).Status);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => counter.AddLaterAsync(1, new CancellationToken(canceled: true)).AsTask());
    }

    [Fact]
    public void An_answer_inside_another_has_none_of_its_objects()
    {
        using Counter counter = _types.Counter(1);
        Method method = _types.Plugin.Method("counter", PluginEncoding.Wire);
        string wrong = CameObjects.Read<string, Outer>(method, default, [], [counter.Untyped], kept: true);
        Assert.Equal("object 0 is missing: 0 objects accompany the message, and positions count from 0", wrong);
    }

    [Fact]
    public async Task Methods_of_an_object_are_awaited()
    {
        await using Counter counter = _types.Counter(0);
        await Task.WhenAll(Enumerable.Range(0, 100).Select(number => counter.AddLaterAsync(number).AsTask()));
        Assert.Equal(4950, counter.Get());
    }

    [Fact]
    public async Task One_that_was_disposed_of_is_refused_before_anything_is_sent()
    {
        Counter closed = _types.Counter(1);
        closed.Dispose();
        closed.Dispose();
        await closed.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => closed.Get());
        Assert.Throws<ObjectDisposedException>(() => closed.Add(1));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.AddLaterAsync(1).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => All(closed.UptoAsync(3)));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.AdmitAsync([new Person("Ada", 36)]).AsTask());
        using Counter open = _types.Counter(5);
        ObjectDisposedException error =
            Assert.Throws<ObjectDisposedException>(() => _types.Total(new Counters(null, [open, closed], "")));
        Assert.Contains("total: request.others[1]: it was disposed of", error.Message, StringComparison.Ordinal);
        Assert.Equal(5, _types.Total(new Counters(open, [], "")));
    }

    [Fact]
    public void Objects_are_lent_alone_and_in_messages()
    {
        using Counter one = _types.Counter(1);
        using Counter other = _types.Counter(20);
        using Counter third = _types.Counter(300);
        Assert.Equal(21, one.Absorb(other));
        Assert.Equal(42, one.Absorb(one));
        Assert.Equal(362, _types.Total(new Counters(one, [other, third], "some")));
        Assert.Equal(60, _types.Total(new Counters(other, [other, other], "")));
        Assert.Equal(0, _types.Total(new Counters(null, [], "")));
        Assert.Equal(362, _types.Total(new Counters(one, [other, third], "some"), new CallOptions { Timeout = Waiting.Long }));
    }

    [Fact]
    public void None_and_those_of_another_instance_are_refused()
    {
        using Counter own = _types.Counter(1);
        using Types another = Types.Load(TestPlugins.Types);
        using Counter foreign = another.Counter(2);
        Unfit(() => _types.Total(new Counters(own, [foreign], "")), "total: request.others[0]: it's an object of another instance");
        Unfit(() => own.Absorb(foreign), "Counter.absorb: request: it's an object of another instance");
        Unfit(() => _types.Total(new Counters(null, [own, null!], "")), "total: request.others[1]: null");
        Unfit(() => own.Absorb(null!), "Counter.absorb: request: null");
        Unfit(() => _types.Total(null!), "total: request: null");
        Assert.Equal(2, foreign.Get());
    }

    [Fact]
    public void Objects_come_in_messages()
    {
        Counters counters = _types.Counters([1, 20, 300]);
        Assert.NotNull(counters.First);
        Assert.Equal([20, 300], counters.Others.Select(one => one.Get()));
        Assert.Equal(321, _types.Total(counters));
        Assert.Equal(counters, counters with { Others = [.. counters.Others] });
        Assert.NotEqual(counters, counters with { Others = [counters.First, counters.Others[1]] });
        Assert.Equal(1, counters.First.Get());
        foreach (Counter one in counters.Others.Append(counters.First))
        {
            one.Dispose();
        }

        Assert.Equal(new Counters(null, [], "all"), _types.Counters([]));
    }

    [Theory]
    [InlineData("0100000002000000", "object 2 is missing: 2 objects accompany the message")]
    [InlineData("020000000000000000000000", "object 0 occurs twice in the message")]
    [InlineData("0100000000", "items, but only")]
    public void An_answer_with_wrong_positions_releases_its_objects(string message, string why)
    {
        Counter[] came = [_types.Counter(0), _types.Counter(1)];
        PluginException error = Assert.Throws<PluginException>(() => Taken(came, message));
        Assert.Equal(Status.Internal, error.Status);
        Assert.Contains(why, error.Message, StringComparison.Ordinal);
        Assert.All(came, one => Assert.Throws<ObjectDisposedException>(() => one.Get()));
    }

    [Fact]
    public void What_an_answer_does_not_speak_of_is_released()
    {
        Counter[] came = [_types.Counter(7), _types.Counter(8)];
        Counter taken = Assert.Single(Taken(came, "0100000001000000"));
        Assert.Throws<ObjectDisposedException>(() => came[0].Get());
        Assert.Equal(8, taken.Get());
        taken.Dispose();
    }

    [Fact]
    public void One_that_is_dropped_is_told_of()
    {
        using Types leaky = Types.Load(TestPlugins.Types, new PluginConfig { Name = "leaky counters" });
        int told = 0;
        void Tell(string message) => Interlocked.Add(ref told, message.Contains("leaky counters", StringComparison.Ordinal) ? 1 : 0);
        PluginObject.Leaked += Tell;
        try
        {
            Drop(leaky);
            Waiting.For("its release", () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return Volatile.Read(ref told) == 1;
            });
        }
        finally
        {
            PluginObject.Leaked -= Tell;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(Types types) => types.Counter(1).Add(1);

    private static void Unfit(Action call, string why) =>
        Assert.Contains(why, Assert.Throws<ArgumentException>(call).Message, StringComparison.Ordinal);

    private static async Task<List<T>> All<T>(IAsyncEnumerable<T> items)
    {
        var all = new List<T>();
        await foreach (T item in items)
        {
            all.Add(item);
        }

        return all;
    }

    /// <summary>Reads a list of counters with which these came.</summary>
    private Counter[] Taken(Counter[] came, string message)
    {
        var method = new Method(_types.Plugin, "counters", null, default) { ClientSchema = TypesClientSchema.Text, Client = _types };
        PluginObject[] objects = [.. came.Select(one => one.Untyped)];
        return CameObjects.Read<Counter[], WireAnswer<Counter[], ListCodec<Counter, CounterCodec>>>(
            method, default, Convert.FromHexString(message), objects, kept: false);
    }

    /// <summary>Reads another answer while it's read, and says what that had to say.</summary>
    private readonly struct Outer : IAnswer<string>
    {
        public bool TakesObjects => true;

        public string Read(Method method, ReadOnlySpan<byte> bytes) => CameObjects.Read<string, Inner>(method, default, bytes, [], kept: true);
    }

    private readonly struct Inner : IAnswer<string>
    {
        public bool TakesObjects => true;

        public string Read(Method method, ReadOnlySpan<byte> bytes)
        {
            Assert.Null(CameObjects.Take(0, out string wrong));
            return wrong;
        }
    }
}
