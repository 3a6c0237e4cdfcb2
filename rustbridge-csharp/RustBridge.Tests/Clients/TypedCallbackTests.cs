using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Fixtures;

/// <summary>Callbacks of typed clients: implementations of the host that the plugin calls.</summary>
public sealed class TypedCallbackTests : IDisposable
{
    private static readonly Person Ada = new("Ada", 36);
    private static readonly Person Alan = new("Alan", 41);

    private readonly Fixtures _fixtures = Fixtures.Load(TestPlugins.Fixtures);

    private int Listeners => _fixtures.c_listener.Hosts!.Count;

    public void Dispose()
    {
        Assert.Equal(0, _fixtures.c_progress.Hosts!.Count);
        Assert.Equal(0, _fixtures.c_node.Hosts!.Count);
        _fixtures.Dispose();
        Assert.Equal(0, Listeners);
    }

    [Fact]
    public void Progress_is_a_function_or_an_object()
    {
        var seen = new List<(uint, uint)>();
        uint steps = _fixtures.Work(3, (done, total) =>
        {
            seen.Add((done, total));
            return true;
        });
        Assert.Equal(3u, steps);
        Assert.Equal([(1, 3), (2, 3), (3, 3)], seen);

        var meter = new Meter(most: 10);
        Assert.Equal(4u, _fixtures.Work(4, meter));
        Assert.Equal([1, 2, 3, 4], meter.Done);

        Assert.Equal(2u, _fixtures.Work(100, (done, _) => done < 2));
        var elsewhere = new Meter(most: 1000);
        Assert.Equal(1000u, _fixtures.WorkElsewhere(1000, elsewhere));
        Assert.Equal(1000, elsewhere.Done.Count);
        Assert.Equal(5u, _fixtures.WorkElsewhere(9, (done, _) => done < 5, new CallOptions { Timeout = Waiting.Long }));
    }

    [Fact]
    public void A_function_may_answer_later()
    {
        IProgress later = IProgress.Of(async (done, _, _) =>
        {
            await Task.Yield();
            return done < 3;
        });
        Assert.Equal(3u, _fixtures.Work(10, later));
        Assert.Equal(3u, _fixtures.WorkElsewhere(10, later));
    }

    [Fact]
    public void Exceptions_of_callbacks_arrive_as_errors()
    {
        foreach (Func<uint, IProgress, CallOptions?, uint> work in new Func<uint, IProgress, CallOptions?, uint>[] { _fixtures.Work, _fixtures.WorkElsewhere })
        {
            var tired = new InvalidOperationException("tired");
            PluginException error = Assert.Throws<PluginException>(() => work(3, IProgress.Of((_, _) => throw tired), null));
            Assert.Equal(Status.Internal, error.Status);
            Assert.Same(tired, error.InnerException);
            IProgress enough = IProgress.Of((_, _) => throw new PluginException(Status.Aborted, "enough"));
            error = Assert.Throws<PluginException>(() => work(3, enough, null));
            Assert.Equal(Status.Aborted, error.Status);
            Assert.Contains("enough", error.Message, StringComparison.Ordinal);
            error = Assert.Throws<PluginException>(() => work(3, new Nothing(), null));
            Assert.Equal(Status.Unimplemented, error.Status);
        }
    }

    [Fact]
    public void A_stored_listener_is_called_and_comes_back_as_itself()
    {
        Audience one = new(), other = new();
        _fixtures.Subscribe("one", one);
        _fixtures.SubscribeAll([new Subscription("other", other), new Subscription("third", other)]);
        Assert.Equal(4ul, _fixtures.Join(Ada, ["a", "b"]));
        Assert.Equal([Ada], one.Seen);
        Assert.Equal(["a", "b"], one.Tags);
        Assert.Equal([Ada, Ada], other.Seen);
        Assert.Equal<Person?[]>([Alan, Alan, Alan], _fixtures.Favourites([Ada, Alan]));
        Assert.Equal<Person?[]>([null, null, null], _fixtures.Favourites([]));

        Assert.Same(one, _fixtures.Listener("one"));
        Assert.Null(_fixtures.Listener("none"));
        Subscription[] all = _fixtures.Subscriptions();
        Assert.Equal([new Subscription("one", one), new Subscription("other", other), new Subscription("third", other)], all);
        Assert.Same(other, all[2].Listener);

        // What came back is passed on.
        _fixtures.Subscribe("again", all[0].Listener);
        Assert.Same(one, _fixtures.Listener("again"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_listener_is_released_when_the_plugin_drops_it(bool elsewhere)
    {
        _fixtures.Subscribe("one", new Audience());
        for (int i = 0; i < 3; i++)
        {
            _fixtures.Join(Ada, []);
            Assert.NotNull(_fixtures.Listener("one"));
            Assert.Equal(1, Listeners);
        }

        // The one that is replaced is released.
        _fixtures.Subscribe("one", new Audience());
        Assert.Equal(1, Listeners);
        Assert.True(_fixtures.Unsubscribe("one", elsewhere));
        Assert.Equal(0, Listeners);
        Assert.False(_fixtures.Unsubscribe("one", elsewhere));
    }

    [Fact]
    public async Task Several_are_passed_at_once()
    {
        await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Waiting.OnThread(() =>
        {
            for (int i = 0; i < 50; i++)
            {
                var meter = new Meter((uint)worker + 1);
                uint steps = worker % 2 == 0 ? _fixtures.Work(100, meter) : _fixtures.WorkElsewhere(100, meter);
                Assert.Equal(worker + 1, (int)steps);
                Assert.Equal(worker + 1, meter.Done.Count);
            }

            return true;
        })));

        // A callback calls the plugin with another one.
        var inner = new Meter(most: 2);
        uint outer = _fixtures.Work(3, (done, _) =>
        {
            Assert.Equal(2u, _fixtures.Work(5, inner));
            return done < 2;
        });
        Assert.Equal(2u, outer);
        Assert.Equal([1, 2, 1, 2], inner.Done);
    }

    [Fact]
    public void Nodes_are_the_hosts_or_the_plugins()
    {
        Node leaf = Assert.IsType<Node>(_fixtures.Leaf("leaf", 2.5));
        Assert.Equal("leaf", leaf.Name());
        Assert.Equal(2.5, ((INode)leaf).Weight());
        var pebble = new Stone("pebble", 0.5);
        (double weight, string[] names) = _fixtures.Weigh([new Stone("rock", 7), leaf, pebble, pebble, leaf]);
        Assert.Equal(13, weight);
        Assert.Equal(["rock", "leaf", "pebble", "pebble", "leaf"], names);
        Assert.Same(pebble, _fixtures.Heavier(pebble, new Stone("dust", 0)));
        using (Node back = Assert.IsType<Node>(_fixtures.Heavier(leaf, pebble)))
        {
            Assert.Equal(2.5, back.Weight());
        }

        Assert.False(_fixtures.IsThere());
        Assert.False(_fixtures.IsThere(null));
        Assert.True(_fixtures.IsThere(pebble));
        Assert.True(_fixtures.IsThere(leaf));
        using Fixtures another = Fixtures.Load(TestPlugins.Fixtures);
        using var foreign = (Node)another.Leaf("foreign", 1);
        Unfit(() => _fixtures.IsThere(foreign), "is_there: request: it's an object of another instance");
        leaf.Dispose();
        Assert.Throws<ObjectDisposedException>(() => leaf.Name());
        Assert.Throws<ObjectDisposedException>(() => _fixtures.Weigh([pebble, leaf]));
    }

    [Fact]
    public async Task An_async_callback_is_awaited_and_cancelled()
    {
        var patient = new Patient();
        _fixtures.Subscribe("one", patient);
        Assert.True(await _fixtures.ConfirmAsync("sure?"));
        Assert.False(await _fixtures.ConfirmAsync("sure"));
        Assert.True(_fixtures.Confirm("really?"));

        using var cancel = new CancellationTokenSource();
        ValueTask<bool> confirmed = _fixtures.ConfirmAsync("wait", cancel.Token);
        await patient.Called.Task.WaitAsync(Waiting.Long);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => confirmed.AsTask());
        await patient.Ended.Task.WaitAsync(Waiting.Long);
    }

    [Fact]
    public void Null_is_refused_and_nothing_is_left()
    {
        Unfit(() => _fixtures.Work(1, null!), "work: request.progress: null isn't allowed here");
        Assert.Throws<ArgumentNullException>(() => _fixtures.Work(1, (Func<uint, uint, bool>)null!));
        Assert.Throws<ArgumentNullException>(() => IProgress.Of((Func<uint, uint, CancellationToken, ValueTask<bool>>)null!));
        Unfit(
            () => _fixtures.SubscribeAll([new Subscription("one", new Audience()), new Subscription("other", null!)]),
            "subscribe_all: request[1].listener: null isn't allowed here");
        Assert.Equal(0, Listeners);
        var over = new CallOptions { CancellationToken = new CancellationToken(canceled: true) };
        Assert.ThrowsAny<OperationCanceledException>(() => _fixtures.Subscribe("one", new Audience(), over));
        Assert.Equal(0, Listeners);
    }

    [Fact]
    public void Closing_forgets_the_listeners()
    {
        Fixtures fixtures = Fixtures.Load(TestPlugins.Fixtures);
        fixtures.Subscribe("one", new Audience());
        fixtures.Subscribe("other", new Audience());
        Assert.Equal(2, fixtures.c_listener.Hosts!.Count);
        fixtures.Dispose();
        Assert.Equal(0, fixtures.c_listener.Hosts!.Count);
        PluginException error = Assert.Throws<PluginException>(() => fixtures.Work(1, new Meter(1)));
        Assert.Equal(Status.Unavailable, error.Status);
        Assert.Equal(0, fixtures.c_progress.Hosts!.Count);
    }

    [Fact]
    public void A_released_listener_is_not_found()
    {
        _fixtures.Subscribe("one", new Audience());
        _fixtures.c_listener.Hosts!.Remove(1);
        PluginException error = Assert.Throws<PluginException>(() => _fixtures.Join(Ada, []));
        Assert.Equal(Status.NotFound, error.Status);
        Assert.Contains("callback Listener: the host has no object 1: it was released", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_plugin_without_the_services_accepts_no_objects_of_the_host()
    {
        using Plugin plugin = Plugin.Load(TestPlugins.Fixtures);
        using var fixtures = new Fixtures(plugin);
        PluginException error = Assert.Throws<PluginException>(() => fixtures.Work(1, new Meter(1)));
        Assert.Equal(Status.FailedPrecondition, error.Status);
        Assert.Contains("callback Progress: the plugin was loaded without the services", error.Message, StringComparison.Ordinal);
        using var leaf = (Node)fixtures.Leaf("leaf", 2);
        Assert.True(fixtures.IsThere(leaf));
    }

    [Fact]
    public void A_second_client_of_an_instance_has_the_same_objects()
    {
        using var second = new Fixtures(_fixtures.Plugin);
        var one = new Audience();
        second.Subscribe("one", one);
        Assert.Same(one, _fixtures.Listener("one"));
        Assert.Same(one, second.Listener("one"));
    }

    [Fact]
    public void A_container_may_load_several_instances_with_the_same_services()
    {
        PluginConfig config = Serving<Fixtures>();
        using Plugin onePlugin = Plugin.Load(TestPlugins.Fixtures, config);
        using Plugin otherPlugin = Plugin.Load(TestPlugins.Fixtures, config);
        using Fixtures one = Of<Fixtures>(onePlugin), other = Of<Fixtures>(otherPlugin);
        Audience first = new(), second = new();
        one.Subscribe("one", first);
        other.Subscribe("one", second);
        Assert.Same(first, one.Listener("one"));
        onePlugin.Close();
        Assert.Equal(1, other.c_listener.Hosts!.Count);
        Assert.Same(second, other.Listener("one"));
    }

    [Fact]
    public void A_service_has_several_parameters()
    {
        Unfound(() => _fixtures.LookUp("A"));
        using Fixtures fixtures = Fixtures.Load(TestPlugins.Fixtures, directory: new People());
        Assert.Equal([Ada, Alan], fixtures.LookUp("A"));
        Assert.Equal([Ada], fixtures.LookUp("A", 1));
        Assert.Equal("Bob", Assert.Single(fixtures.LookUp("B", limit: 9)).Name);
    }

    private static void Unfit(Action call, string why) =>
        Assert.Contains(why, Assert.Throws<ArgumentException>(call).Message, StringComparison.Ordinal);

    private static void Unfound(Action call) => Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(call).Status);

    private static PluginConfig Serving<T>()
        where T : class, ITypedClient<T> => T.Serving(new PluginConfig(), new Empty());

    private static T Of<T>(Plugin plugin)
        where T : class, ITypedClient<T> => T.Of(plugin);

    /// <summary>A container without anything.</summary>
    private sealed class Empty : IServiceProvider
    {
        public object? GetService(Type serviceType) => null;
    }

    /// <summary>A progress that stops.</summary>
    private sealed class Meter(uint most) : IProgress
    {
        internal List<int> Done { get; } = [];

        public bool Report(uint done, uint total)
        {
            Done.Add((int)done);
            return done < most && done <= total;
        }
    }

    /// <summary>Implements none of the methods.</summary>
    private sealed class Nothing : IProgress
    {
    }

    private sealed class Audience : IListener
    {
        internal List<Person> Seen { get; } = [];

        internal List<string> Tags { get; } = [];

        public void Joined(Person person, string[] tags)
        {
            Seen.Add(person);
            Tags.AddRange(tags);
        }

        public ulong Count() => (ulong)Seen.Count;

        public Person? Favourite(Person[] among) => among.LastOrDefault();
    }

    /// <summary>A listener that confirms later, or never.</summary>
    private sealed class Patient : IListener
    {
        internal TaskCompletionSource Called { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<bool> ConfirmAsync(string question, uint patience, CancellationToken cancellationToken)
        {
            await Task.Yield();
            if (question != "wait")
            {
                return patience == 5 && question.EndsWith('?');
            }

            Called.SetResult();
            try
            {
                await Task.Delay(Timeout.Infinite, cancellationToken);
                return true;
            }
            finally
            {
                Ended.SetResult();
            }
        }
    }

    private sealed class Stone(string name, double weight) : INode
    {
        public string Name() => name;

        public double Weight() => weight;
    }

    private sealed class People : IDirectory
    {
        public Person[] Find(string prefix, uint oldest, uint? limit)
        {
            Person[] all = [Ada, Alan, new("Abel", 100), new("Bob", 3)];
            IEnumerable<Person> found = all.Where(one => one.Name.StartsWith(prefix, StringComparison.Ordinal) && one.Age <= oldest);
            return [.. found.Take((int)(limit ?? int.MaxValue))];
        }
    }

    [Fact]
    public async Task The_plugin_distinguishes_the_errors_of_the_host()
    {
        var strict = new Strict();
        using Fixtures fixtures = Fixtures.Load(TestPlugins.Fixtures, register: strict);
        foreach ((string name, string verdict) in new[]
        {
            ("Ada", "9 marks"), ("Eve", "no Eve"), ("out", "busy for 6 min at 0.5, 1.5"), ("untyped", "no untyped"),
        })
        {
            Assert.Equal(verdict, fixtures.Verdict(name, strict));
            Assert.Equal(verdict, await fixtures.VerdictLaterAsync(name, strict));
            Assert.Equal(verdict, fixtures.Registered(name));
        }

        VerdictException closed = Assert.Throws<VerdictException>(() => fixtures.Verdict("closed", strict));
        Assert.IsType<VerdictError.Closed>(closed.Error);
        Assert.Equal(Status.FailedPrecondition, closed.Status);
        PluginException other = Assert.Throws<PluginException>(() => fixtures.Registered("other"));
        Assert.Equal((Status.InvalidArgument, "of another type"), (other.Status, other.Message));
        PluginException unfit = Assert.Throws<PluginException>(() => fixtures.Registered("unfit"));
        Assert.Equal(Status.Internal, unfit.Status);
    }

    /// <summary>Fails with what it's asked for.</summary>
    private sealed class Strict : IJudge, IRegister
    {
        public uint Marks(string name) => name switch
        {
            "Eve" => throw new VerdictException(new VerdictError.Stranger(name)),
            "out" => throw new VerdictException(new VerdictError.Busy(6, new Spot(0.5, 1.5)), "come back later"),
            "closed" => throw new VerdictException(new VerdictError.Closed()),
            "untyped" => throw new PluginException(
                Status.NotFound, "no marks", "VerdictError.Stranger", new Dictionary<string, JsonElement> { ["name"] = JsonSerializer.SerializeToElement(name) }),
            "other" => throw new SpriteException(new SpriteError.Unnamed(), "of another type"),
            "unfit" => throw new VerdictException(new VerdictError.Stranger(null!)),
            _ => 9,
        };

        public async ValueTask<uint> MarksLaterAsync(string name, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return Marks(name);
        }

        public uint Age(string name) => Marks(name);
    }
}
