using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Interfaces of the typed client's, which the plugin calls.</summary>
public sealed class TypedServiceTests
{
    private static readonly Person Ada = new("Ada", 36);

    /// <summary>Knows one.</summary>
    private class OnlyAda : IDirectory
    {
        public virtual Person? Find(string request) => request == "Ada" ? Ada : null;

        public virtual Person Fetch(string request) => request switch
        {
            "Ada" => Ada,
            "" => throw new IOException("the line is dead"),
            _ => throw new PluginException(Status.NotFound, $"nobody is {request}", "Nobody"),
        };

        public ulong Count() => ulong.MaxValue;
    }

    private sealed class Counting(Func<Person[], Dictionary<string, uint>> of) : IAges
    {
        public Dictionary<string, uint> Of(Person[] request) => of(request);
    }

    /// <summary>Answers when the test does.</summary>
    private sealed class Slow : OnlyAda, IDirectory
    {
        internal TaskCompletionSource<CancellationToken> Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource<Person> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<Person> FetchAsync(string request, CancellationToken cancellationToken)
        {
            Asked.SetResult(cancellationToken);
            return await Answer.Task;
        }
    }

    /// <summary>Implements only asynchronous methods, and not all of them.</summary>
    private sealed class OnlyAsync : IDirectory
    {
        public async ValueTask<Person?> FindAsync(string name, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return name == "Ada" ? Ada : null;
        }
    }

    private sealed class Wrong : OnlyAda
    {
        public override Person? Find(string request) => new("Ada", 1, "\ud800");

        public override Person Fetch(string request) => null!;
    }

    private static Types Load(IDirectory? directory, IAges? ages = null) =>
        Types.Load(TestPlugins.Types, directory: directory, ages: ages);

    [Fact]
    public async Task Implementations_answer()
    {
        using Types types = Load(new OnlyAda(), new Counting(people => people.ToDictionary(one => one.Name, one => one.Age)));
        Assert.Equal(Ada, types.Ask("Ada"));
        Assert.Null(types.Ask("Eve"));
        Assert.Equal(Ada, types.AskLater("Ada"));
        Assert.Equal(Ada, await types.AskLaterAsync("Ada"));
        Assert.Equal(ulong.MaxValue, types.AskCount());
        Assert.Equal(new Dictionary<string, uint> { ["Ada"] = 36 }, types.AskAges([Ada]));
        Assert.Empty(types.AskAges([]));
    }

    [Fact]
    public void An_implementation_may_have_only_asynchronous_methods()
    {
        using Types types = Load(new OnlyAsync());
        Assert.Equal(Ada, types.Ask("Ada"));
        Assert.Null(types.Ask("Eve"));
        PluginException missing = Assert.Throws<PluginException>(() => types.AskCount());
        Assert.Equal(Status.Unimplemented, missing.Status);
        Assert.Contains("directory.count isn't implemented: implement Count or CountAsync", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_client_is_loaded_from_bytes_with_its_services()
    {
        using Types types = Types.Load(File.ReadAllBytes(TestPlugins.Types), directory: new OnlyAda());
        Assert.Equal(Ada, types.Ask("Ada"));
        Assert.Throws<ArgumentException>(() => Types.Load([], directory: new OnlyAda()));
    }

    [Fact]
    public void A_required_service_that_a_container_lacks_is_named()
    {
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => TypedServices.Required<IDirectory>(new Nothing()));
        Assert.Contains($"the container has no {typeof(IDirectory)}", error.Message, StringComparison.Ordinal);
    }

    private sealed class Nothing : IServiceProvider
    {
        public object? GetService(Type serviceType) => null;
    }

    [Fact]
    public void What_is_thrown_becomes_a_status()
    {
        using Types types = Load(new OnlyAda());
        PluginException nobody = Assert.Throws<PluginException>(() => types.AskLater("Eve"));
        Assert.Equal(Status.NotFound, nobody.Status);
        Assert.Equal("Nobody", nobody.Type);
        PluginException dead = Assert.Throws<PluginException>(() => types.AskLater(""));
        Assert.Equal(Status.Internal, dead.Status);
        Assert.Equal("IOException", dead.Type);
        Assert.Contains("the line is dead", dead.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_answer_that_does_not_fit_says_where()
    {
        using Types types = Load(new Wrong(), new Counting(_ => new() { ["\udc00"] = 1 }));
        PluginException email = Assert.Throws<PluginException>(() => types.Ask("Ada"));
        Assert.Equal(Status.Internal, email.Status);
        Assert.Contains("directory.find: response.email: ", email.Message, StringComparison.Ordinal);
        PluginException missing = Assert.Throws<PluginException>(() => types.AskLater("Ada"));
        Assert.Equal(Status.Internal, missing.Status);
        Assert.Contains("directory.fetch: response: null", missing.Message, StringComparison.Ordinal);
        PluginException key = Assert.Throws<PluginException>(() => types.AskAges([]));
        Assert.Contains("ages.of: response", key.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_not_given_is_not_there()
    {
        using (Types types = Load(new OnlyAda()))
        {
            Assert.Equal(Ada, types.Ask("Ada"));
            PluginException absent = Assert.Throws<PluginException>(() => types.AskAges([]));
            Assert.Equal(Status.NotFound, absent.Status);
            Assert.Contains("ages.of", absent.Message, StringComparison.Ordinal);
        }

        using Types alone = Load(null);
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => alone.Ask("Ada")).Status);
    }

    [Fact]
    public async Task Answers_may_come_later()
    {
        var slow = new Slow();
        using (Types types = Load(slow))
        {
            Task<Person> asked = types.AskLaterAsync("Ada").AsTask();
            await slow.Asked.Task.WaitAsync(Waiting.Long);
            slow.Answer.SetResult(Ada);
            Assert.Equal(Ada, await asked.WaitAsync(Waiting.Long));
        }

        var failing = new Slow();
        using (Types types = Load(failing))
        {
            Task<Person> asked = types.AskLaterAsync("Ada").AsTask();
            await failing.Asked.Task.WaitAsync(Waiting.Long);
            failing.Answer.SetException(new InvalidOperationException("later"));
            PluginException failed = await Assert.ThrowsAsync<PluginException>(() => asked.WaitAsync(Waiting.Long));
            Assert.Equal("InvalidOperationException", failed.Type);
        }

        var unfit = new Slow();
        using (Types types = Load(unfit))
        {
            Task<Person> asked = types.AskLaterAsync("Ada").AsTask();
            await unfit.Asked.Task.WaitAsync(Waiting.Long);
            unfit.Answer.SetResult(new Person("\ud800", 1));
            PluginException failed = await Assert.ThrowsAsync<PluginException>(() => asked.WaitAsync(Waiting.Long));
            Assert.Contains("directory.fetch: response.name: ", failed.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_answer_that_nobody_waits_for_is_cancelled()
    {
        var slow = new Slow();
        using Types types = Load(slow);
        using var cancellation = new CancellationTokenSource();
        Task<Person> asked = types.AskLaterAsync("Ada", cancellationToken: cancellation.Token).AsTask();
        CancellationToken token = await slow.Asked.Task.WaitAsync(Waiting.Long);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked.WaitAsync(Waiting.Long));
        Waiting.For("the cancellation", () => token.IsCancellationRequested);
        slow.Answer.SetResult(Ada);
    }

    private static string Described(string name, string response) => string.Create(
        CultureInfo.InvariantCulture, $$$"""{"name":"{{{name}}}","encoding":"wire","request":{},"response":{"type":"{{{response}}}"}}""");

    /// <summary>How a client would load that was written from this.</summary>
    private static Types Written(params string[] services)
    {
        var all = new TypedServices(null, $$"""{"name":"types","services":[{{string.Join(",", services)}}],"types":[]}""");
        all.Add<ValueTuple, UnitCodec, ulong, PlainCodec<ulong>>("directory.count", (_, _) => new(7));
        return Types.Load(TestPlugins.Types, all.Config);
    }

    [Fact]
    public void Services_of_other_types_are_refused_when_the_plugin_is_loaded()
    {
        PluginException refused = Assert.Throws<PluginException>(() => Written(Described("directory.count", "string")));
        Assert.Equal(Status.FailedPrecondition, refused.Status);
        Assert.Equal("rustbridge.TypesDiffer", refused.Type);
        Assert.Contains("`directory.count`", refused.Message, StringComparison.Ordinal);
        Assert.Contains("the client has String, and the plugin u64", refused.Message, StringComparison.Ordinal);
        // Nothing is registered under the other name.
        using Types types = Written(Described("directory.count", "u64"), Described("directory.fetch", "string"));
        Assert.Equal(7u, types.AskCount());
    }

    [Fact]
    public void A_request_that_is_not_of_its_type_is_refused_with_its_path()
    {
        var all = new TypedServices(null, $$"""{"name":"types","services":[{{Described("directory.gone", "u64")}}],"types":[]}""");
        all.Add<uint, PlainCodec<uint>, ulong, PlainCodec<ulong>>("directory.count", (_, _) => new(7));
        using Types types = Types.Load(TestPlugins.Types, all.Config);
        PluginException refused = Assert.Throws<PluginException>(() => types.AskCount());
        Assert.Equal(Status.InvalidArgument, refused.Status);
        Assert.Equal("rustbridge.InvalidRequest", refused.Type);
        Assert.Contains("directory.count: the plugin's request doesn't match its type: byte 0", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_decimal_number_is_passed_on_the_way_to_what_is_wrong()
    {
        var service = new TypedService<ValueTuple, UnitCodec, ValueTuple, UnitCodec>(
            "pay",
            """{"services":[{"name":"pay","request":{"type":{"tuple":["decimal","string"]}}}],"types":[]}""",
            (_, _) => new(default(ValueTuple)),
            null);
        byte[] before = [3, 0, 0, 0, (byte)'1', (byte)'.', (byte)'5'];
        Assert.EndsWith("byte 7: wrong (request.1)", WirePath.Told(service, before, "wrong"), StringComparison.Ordinal);
    }
}
