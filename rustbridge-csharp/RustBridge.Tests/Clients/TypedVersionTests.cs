using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Typed clients against other versions of their plugin: one that they are resolved for, and one that breaks them.</summary>
public sealed class TypedVersionTests : IDisposable
{
    private static readonly Person Ada = new("Ada", 36, "ada@example.org");
    private static readonly Person Emmy = new("Emmy", 53);

    private static readonly Shape[] Shapes =
        [new Shape.Circle(2.5), new Shape.Polygon([new Point(0, 1), new Point(2, 3)]), new Shape.Nothing()];

    private readonly Types _types = Types.Load(TestPlugins.File("types_plugin_next"));

    private sealed class Counting : IAges
    {
        public Dictionary<string, uint> Of(Person[] request) => request.ToDictionary(one => one.Name, one => one.Age);
    }

    /// <summary>Knows one, and answers later.</summary>
    private sealed class OnlyAda : IDirectory
    {
        public Person? Find(string request) => request == "Ada" ? Ada : null;

        public Person Fetch(string request) => throw new PluginException(Status.NotFound, $"nobody is {request}", "Nobody");

        public async ValueTask<Person> FetchAsync(string request, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return Find(request) ?? Fetch(request);
        }

        public ulong Count() => 1;
    }

    public void Dispose() => _types.Dispose();

    [Fact]
    public async Task What_an_older_plugin_lacks_fails_when_it_is_used()
    {
        using Types older = Types.Load(TestPlugins.File("types_plugin_older"));
        Assert.Equal(Emmy, older.Person(Emmy));
        Assert.Equal(3ul, (await older.CollectAsync(1, [Emmy, Emmy])).Total);
        PluginException lacking = Assert.Throws<PluginException>(() => older.Person(Ada));
        // An item that can't be sent ends the call, which would wait for more otherwise.
        PluginException refused = await Assert.ThrowsAsync<PluginException>(() => older.CollectAsync(1, [Emmy, Ada]).AsTask());
        foreach (PluginException failed in new[] { lacking, refused })
        {
            Assert.Equal(Status.Unimplemented, failed.Status);
            Assert.Equal("rustbridge.NotInPlugin", failed.Type);
            Assert.Contains("email", failed.Message);
        }

        PluginException absent = Assert.Throws<PluginException>(() => older.Celsius(new Celsius(1)));
        Assert.Equal(Status.Unimplemented, absent.Status);
    }

    [Fact]
    public void Records_lists_maps_and_enums_come_back_as_they_were()
    {
        Assert.Equal(Ada, _types.Person(Ada));
        var page = new PagePerson([Ada, Emmy], 1ul << 40);
        Assert.Equal(page, _types.People(page));
        Assert.Equal(Emmy, _types.Oldest(page));
        Dictionary<string, Person> map = new() { ["a"] = Ada, ["e"] = Emmy };
        Assert.Equal(map, _types.Map(map));
        Assert.Null(_types.Maybe(null));
        Assert.Equal(Color.DarkBlue, _types.Color(Color.DarkBlue));
        Assert.All(Shapes, shape => Assert.Equal(shape, _types.Shape(shape)));
        Assert.Equal(new Point(1, 2), _types.Point(new Point(1, 2)));
        // A type with a name that has none any more, and one that has got one.
        Assert.Equal(new Celsius(21.5), _types.Celsius(new Celsius(21.5)));
        Assert.Equal(5u, _types.Length("Grüße"));
        // A variant that the plugin has added to what it takes is nothing that this client sends.
        Assert.Equal(6, _types.Area(new Shape.Polygon([new Point(0, 0), new Point(4, 0), new Point(0, 3)])));
    }

    [Fact]
    public void Parameters_have_other_places_and_others_beside_them()
    {
        Assert.Equal("rüß", _types.Part("Grüße", 1, 3));
        Assert.Equal("rüße", _types.Part("Grüße", 1));
        // What was a record and is plain old data, and an answer with more in it.
        (Piece piece, byte[] bytes) = _types.Cut(new Cut(1, 2), new byte[] { 1, 2, 3 });
        Assert.Equal(new Piece(4, 2), piece);
        Assert.Equal([2, 3, 2, 3], bytes);
    }

    [Fact]
    public void Open_enums_have_a_variant_for_those_that_are_not_known()
    {
        Assert.Equal(Mood.Calm, _types.Mood(Mood.Calm));
        Assert.Equal(Mood.Unknown, _types.Mood(Mood.Glad));
        Event[] events = [new Event.Came(), new Event.Met([Ada], Mood.Glad), new Event.Said("hi")];
        Assert.Equal(
            [new Event.Came(), new Event.Met([Ada], Mood.Unknown), new Event.Said("hi"), new Event.Unknown()],
            _types.Events(events));
    }

    [Fact]
    public async Task Async_calls_are_resolved()
    {
        Assert.Equal(Ada, _types.Later(Ada));
        Assert.Equal(Ada, await _types.LaterAsync(Ada));
        Assert.Equal(Ada with { Age = 40 }, await _types.AgedAsync(Ada, 4));
        SearchException nobody = await Assert.ThrowsAsync<SearchException>(
            () => _types.SearchLaterAsync("Ann", [Ada, Emmy]).AsTask());
        Assert.Equal(new SearchError.Nobody("Ann", [Ada]), nobody.Error);
    }

    [Fact]
    public void Errors_have_the_fields_that_are_known()
    {
        SearchException nobody = Assert.Throws<SearchException>(() => _types.Search("Ann", [Ada, Emmy]));
        Assert.Equal(new SearchError.Nobody("Ann", [Ada]), nobody.Error);
        Assert.Equal(Status.NotFound, nobody.Status);
        Assert.IsType<SearchError.Hidden>(Assert.Throws<SearchException>(() => _types.Search("", [])).Error);
        RefusedException refused = Assert.Throws<RefusedException>(() => _types.Paint(Color.Red, Color.Green));
        Assert.Equal(new Refused(Color.Red, Color.Green), refused.Error);
        // A variant that the plugin has added has no type here.
        PluginException nameless = Assert.Throws<PluginException>(() => _types.Search("?", []));
        Assert.Equal(Status.InvalidArgument, nameless.Status);
        Assert.Equal("SearchError.Nameless", nameless.Type);
    }

    [Fact]
    public async Task Items_are_resolved_both_ways()
    {
        // How many years there are between two has a default in the plugin.
        Person[] older = [.. Enumerable.Range(0, 1000).Select(time => Ada with { Age = 36 + (2 * (uint)time) })];
        Assert.Equal(older, await All(_types.RepeatAsync(new Repeat(Ada, 1000))));
        Assert.Equal(new PagePerson(older, 1005), await _types.CollectAsync(5, older));
        Assert.Equal(older[2..4], await _types.BetweenAsync(40, 43, older));
        Shape[] many = [.. Enumerable.Repeat(Shapes, 100).SelectMany(shapes => shapes)];
        Assert.Equal(many, await All(_types.ReshapeAsync(many)));
    }

    [Fact]
    public async Task Objects_keep_their_places_and_one_that_is_not_known_is_given_back()
    {
        using Counter one = _types.Counter(40);
        using Counter other = _types.Counter(2);
        Assert.True(one.Within(30, 50));
        Assert.Equal(43, await one.AdmitAsync([Ada, Ada, Ada]));
        Assert.Equal(new Odd(43), Assert.Throws<OddException>(() => one.Half()).Error);
        Assert.Equal([43, 44, 45], await All(one.UptoAsync(46)));
        Assert.Equal((40, 5), _types.Transfer(one, other, 3));
        Assert.Equal(50, _types.Total(new Counters(one, [other, other], "some")));
        Assert.Equal("2", _types.Plugin.Call("alive", "null"));
        Counters counters = _types.Counters([1, 20, 300]);
        Assert.Equal([20, 300], counters.Others.Select(counter => counter.Get()));
        // There's a fourth one in the answer.
        Assert.Equal("5", _types.Plugin.Call("alive", "null"));
        foreach (Counter counter in counters.Others.Append(counters.First!))
        {
            counter.Dispose();
        }

        Assert.Equal("2", _types.Plugin.Call("alive", "null"));
    }

    [Fact]
    public async Task Services_are_asked_and_answer_in_their_own_words()
    {
        using Types types = Types.Load(TestPlugins.File("types_plugin_next"), directory: new OnlyAda(), ages: new Counting());
        Assert.Equal(Ada, types.Ask("Ada"));
        Assert.Null(types.Ask("Eve"));
        Assert.Equal(Ada, await types.AskLaterAsync("Ada"));
        Assert.Equal("Nobody", Assert.Throws<PluginException>(() => types.AskLater("Eve")).Type);
        Assert.Equal(1ul, types.AskCount());
        Assert.Equal(new Dictionary<string, uint> { ["Ada"] = 36, ["Emmy"] = 53 }, types.AskAges([Ada, Emmy]));
    }

    [Fact]
    public void What_breaks_is_told_when_the_client_is_made()
    {
        string path = TestPlugins.File("types_plugin_broken");
        PluginException broken = Assert.Throws<PluginException>(() => Types.Load(path));
        Assert.Equal(Status.FailedPrecondition, broken.Status);
        Assert.Equal("rustbridge.TypesDiffer", broken.Type);
        Assert.Contains("the types of `every` are incompatible", broken.Message, StringComparison.Ordinal);
        Assert.Contains("`request.numbers`: the client has Numbers, and the plugin u32", broken.Message, StringComparison.Ordinal);
        PluginException served = Assert.Throws<PluginException>(() => Types.Load(path, ages: new Counting()));
        Assert.Equal("rustbridge.TypesDiffer", served.Type);
        Assert.Contains("`ages.of`", served.Message, StringComparison.Ordinal);
        Assert.Contains("the client has Person, and the plugin String", served.Message, StringComparison.Ordinal);
    }

    private static async Task<List<T>> All<T>(IAsyncEnumerable<T> items)
    {
        var all = new List<T>();
        await foreach (T item in items)
        {
            all.Add(item);
        }

        return all;
    }
}
