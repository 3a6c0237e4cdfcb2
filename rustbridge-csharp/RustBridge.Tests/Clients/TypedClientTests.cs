using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Wire;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Typed clients as `rustbridge gen` writes them: every type there is, to the plugin and back.</summary>
public sealed class TypedClientTests : IDisposable
{
    /// <summary>How many random values each method gets.</summary>
    private static readonly ulong Values = 100ul * (ulong)ChildProcess.Soak;

    private readonly Types _types = Types.Load(TestPlugins.Types);

    public static TheoryData<string> Names => [.. Echo.All.Keys];

    /// <summary>Those that the next version gives back as they are: what it makes of open enums is known to it alone.</summary>
    public static TheoryData<string> NamesInNext => [.. Echo.All.Keys.Except(["mood", "events"])];

    public static TheoryData<string> Vectors => [.. ReadVectors().Select(vector => vector.GetProperty("name").GetString()!)];

    public void Dispose() => _types.Dispose();

    [Theory]
    [MemberData(nameof(Names))]
    public void Random_values_come_back_as_they_were(string method)
    {
        for (ulong seed = 0; seed < Values; seed++)
        {
            byte[] message = _types.Random(new Random(method, seed));
            Echo.All[method].Same(_types, message);
            // The same as JSON, called without types, where JSON has a form for it.
            if (_types.AsJson(method, message) is { } text)
            {
                string answer = _types.Plugin.Method(method).Call(text);
                Echo.All[method].Equal(message, _types.AsMessage(method, text));
                Echo.All[method].Equal(message, _types.AsMessage(method, answer));
            }
        }
    }

    [Fact]
    public void Each_method_that_gives_back_what_it_gets_is_walked() =>
        Assert.Equal(_types.Echoes().Order(StringComparer.Ordinal), Echo.All.Keys.Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(NamesInNext))]
    public void Random_values_come_back_from_the_next_version(string method)
    {
        using Types next = Types.Load(TestPlugins.File("types_plugin_next"));
        for (ulong seed = 0; seed < 10; seed++)
        {
            Echo.All[method].Same(next, _types.Random(new Random(method, seed)));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void An_answer_that_is_cut_or_too_long_is_refused(string method)
    {
        byte[] message = _types.Random(new Random(method, 3));
        for (int length = 0; length < message.Length; length++)
        {
            Refused(method, message[..length], "the plugin's response doesn't match its type: byte");
        }

        Refused(method, [.. message, 0], "1 bytes are left after the value");
    }

    [Theory]
    [InlineData("maybe", "02", "expected 0 or 1")]
    [InlineData("color", "0300", "byte 0: there's no variant 3")]
    [InlineData("shape", "0300", "byte 0: there's no variant 3")]
    [InlineData("doubles", "01000000 00000001 0000000000000000", "byte 7: padding isn't zero")]
    [InlineData("doubles", "ffffffff 00000000", "expected 4294967295 items, but only")]
    [InlineData("map", "02000000 01000000 61 00000000 00000000 00 01000000 61 00000000 00000000 00", "duplicate key in a map")]
    [InlineData("person", "01000000 ff 00000000 00", "byte 4: text isn't UTF-8")]
    [InlineData("person", "03000000 eda080 00000000 00", "text isn't UTF-8")]
    [InlineData("timestamp", "0000000000000000 00ca9a3b", "byte 8: expected less than 1000000000 nanoseconds, found 1000000000")]
    [InlineData("timestamp", "ffffffffffffff7f 00000000", "outside the years 1 to 9999")]
    [InlineData("duration", "0000000000000000 00ca9a3b", "expected less than 1000000000 nanoseconds")]
    [InlineData("duration", "ffffffffffffffff 00000000", "outside the range of a TimeSpan")]
    [InlineData("any", "0a", "unknown kind of dynamic value: 10")]
    [InlineData("any", "04 0000000000000000", "fits an i64, but is encoded as a u64")]
    [InlineData("any", "09 02000000 01000000 61 00 01000000 61 00", "duplicate key in a map")]
    [InlineData("any", "08 ffffffff", "items, but only")]
    public void An_answer_that_is_wrong_is_refused(string method, string message, string why) =>
        Refused(method, Convert.FromHexString(message.Replace(" ", "", StringComparison.Ordinal)), why);

    [Theory]
    [MemberData(nameof(Vectors))]
    public void Bytes_of_the_wire_form_s_page_are_read_and_written(string name)
    {
        JsonElement vector = ReadVectors().Single(one => one.GetProperty("name").GetString() == name);
        string method = vector.GetProperty("method").GetString()!;
        byte[] message = Convert.FromHexString(vector.GetProperty("wire").GetString()!);
        if (vector.TryGetProperty("refused", out _))
        {
            Refused(method, message, "byte");
        }
        else
        {
            Echo.All[method].Same(_types, message, isFilled: vector.TryGetProperty("filled", out _));
        }
    }

    [Fact]
    public void References_are_no_bytes_of_a_message_whatever_a_codec_says()
    {
        Method length = _types.Plugin.TypedMethod("length", FingerprintOf("length"), TypesClientSchema.Text);
        Assert.Equal(5ul, length.CallWire<string, LyingCodec, ulong, PlainCodec<ulong>>("größe"));
    }

    [Fact]
    public void Characters_and_bools_of_an_answer_are_checked()
    {
        Numbers good = Read<Numbers, NumbersCodec>(_types.Random(new Random("numbers", 1))) with { Bool = true, Char = new Rune(0x10ffff) };
        byte[] message = Written<Numbers, NumbersCodec>(good);
        int at = message.AsSpan().IndexOf<byte>([1, 0xff, 0xff, 0x10, 0]);
        foreach ((int place, byte value, string why) in new[] { (at, (byte)2, "0 or 1"), (at + 3, (byte)0x11, "isn't a character") })
        {
            byte[] wrong = [.. message];
            wrong[place] = value;
            Refused("numbers", wrong, why);
        }
    }

    [Fact]
    public void Values_are_what_they_are_in_csharp()
    {
        Assert.Equal(new Person("Ada 😀", 36, null), _types.Person(new Person("Ada 😀", 36)));
        Assert.Equal("a@b", _types.Person(new Person("", 0, "a@b")).Email);
        Assert.Equal(Color.DarkBlue, _types.Color(Color.DarkBlue));
        Assert.Equal(new Shape.Nothing(), _types.Shape(new Shape.Nothing()));
        var polygon = new Shape.Polygon([new Point(0, 0), new Point(1, 0), new Point(0, 1)]);
        Assert.Equal(polygon, _types.Shape(polygon));
        Assert.Equal(polygon.GetHashCode(), _types.Shape(polygon).GetHashCode());
        Assert.NotEqual<Shape>(polygon, new Shape.Polygon([]));
        Assert.Equal(0.5, _types.Area(polygon));
        Assert.Equal(new Celsius(-273.15), _types.Celsius(new Celsius(-273.15)));
        Assert.True(double.IsNaN(_types.Celsius(new Celsius(double.NaN)).Value));
        Assert.Null(_types.Maybe(null));
        Assert.Equal(((byte)255, "x", null), _types.Tuple((255, "x", null)));
        var people = new Dictionary<string, Person> { ["a"] = new("A", 1), ["größe"] = new("B", uint.MaxValue) };
        Assert.Equal(people, _types.Map(people));
        Assert.Equal(5ul, _types.Length("größe"));
        Assert.Equal(new Person("B", 2), _types.Oldest(new PagePerson([new("A", 1), new("B", 2)], 2)));
        Assert.Null(_types.Oldest(new PagePerson([], 0)));
        Assert.Equal(default, _types.Unit(default));
        var sample = new Sample(1, 2, 3, new SampleFlags([4, 5]));
        Assert.Equal([4, 5], _types.Samples(new Samples("x", sample, [sample], [new(1, 2), new(3, 4)])).All[0].Flags.ToArray());
        Expr deep = new Expr.Negated(new Expr.Sum(new Expr.Number(1), new Expr.Call("f", [new Expr.Number(2)])));
        Assert.Equal(deep, _types.Expr(deep));
        double[] many = [.. Enumerable.Range(0, 100_000).Select(number => (double)number)];
        Assert.Equal(many, _types.Doubles(many));
        Assert.Equal(many, _types.Doubles(many));
        Assert.Equal(500_000ul, _types.Length(new string('x', 500_000)));
    }

    [Fact]
    public void Times_have_ticks_of_100_nanoseconds()
    {
        var east = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2));
        Assert.Equal(east, _types.Timestamp(east));
        Assert.Equal(TimeSpan.Zero, _types.Timestamp(east).Offset);
        // The clock of Windows begins in 1601.
        DateTimeOffset first = OperatingSystem.IsWindows() ? DateTimeOffset.FromFileTime(0) : DateTimeOffset.MinValue;
        foreach (DateTimeOffset edge in new[] { first, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch.AddTicks(-1) })
        {
            Assert.Equal(edge, _types.Timestamp(edge));
        }

        foreach (TimeSpan span in new[] { TimeSpan.Zero, new TimeSpan(1), TimeSpan.MaxValue })
        {
            Assert.Equal(span, _types.Duration(span));
        }

        Unfit(() => _types.Duration(TimeSpan.FromTicks(-1)), "duration: request: a duration of zero or more is expected");
        byte[] nanos = [0, 0, 0, 0, 0, 0, 0, 0, 199, 0, 0, 0];
        Assert.Equal(new TimeSpan(1), Read<TimeSpan, DurationCodec>(nanos));
    }

    [Fact]
    public void Uuids_are_in_the_order_in_which_theyre_printed()
    {
        var id = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal("00112233445566778899AABBCCDDEEFF", Convert.ToHexString(Written<Guid, UuidCodec>(id)));
        Assert.Equal(id, Read<Guid, UuidCodec>(Written<Guid, UuidCodec>(id)));
    }

    [Fact]
    public void Dynamic_values_are_what_they_were_made_of()
    {
        DynamicValue[] values =
        [
            default, true, false, 0, long.MinValue, long.MaxValue, 1ul << 63, ulong.MaxValue, 1.5, "", "x", Array.Empty<DynamicValue>(),
            new Dictionary<string, DynamicValue>(),
            new DynamicValue[] { 1, new DynamicValue[] { new Dictionary<string, DynamicValue> { ["a"] = 2.0 } } },
        ];
        foreach (DynamicValue value in values)
        {
            DynamicValue back = _types.Any(value);
            Assert.Equal(value, back);
            Assert.Equal(value.GetHashCode(), back.GetHashCode());
            Assert.Equal(value.Kind, back.Kind);
        }

        Assert.Equal(DynamicKind.Integer, new DynamicValue(5ul).Kind);
        Assert.Throws<InvalidOperationException>(() => new DynamicValue(5).AsText());
        // The plugin keeps them as JSON, which has neither.
        foreach (DynamicValue value in new DynamicValue[] { new byte[] { 1 }, double.NaN })
        {
            Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => _types.Any(value)).Status);
        }
    }

    [Fact]
    public void What_is_left_to_the_plugin_has_its_default()
    {
        Defaults full = _types.Defaults(new Defaults());
        Assert.Equal(new Defaults(7, "nobody", new byte[] { 1, 2, 3 }, 9ul), full);
        Assert.Equal(full with { Count = 1u, Maybe = null as ulong? }, _types.Defaults(new Defaults(Count: 1u, Maybe: null as ulong?)));
        Assert.False(new Defaults().Count.HasValue);
        Assert.Throws<InvalidOperationException>(() => new Defaults().Count.Value);
    }

    [Fact]
    public void What_cant_be_sent_is_refused_by_the_path_of_its_field()
    {
        Unfit(() => _types.Person(null!), "person: request: null isn't allowed here");
        Unfit(() => _types.Person(new Person(null!, 1)), "person: request.name: null isn't allowed here");
        Unfit(() => _types.Person(new Person("a\ud800", 1)), "person: request.name: character 1 is half of a surrogate pair");
        Unfit(() => _types.Person(new Person("A", 1, "\udc00")), "request.email: character 0");
        Unfit(() => _types.People(new PagePerson([new("A", 1), null!], 1)), "people: request.items[1]: null");
        Unfit(() => _types.People(new PagePerson([new("A", 1), new("\ud800", 1)], 1)), "request.items[1].name: character 0");
        Unfit(() => _types.People(new PagePerson(null!, 1)), "request.items: null");
        Unfit(() => _types.Color((Color)3), "color: request: there's no variant 3");
        Unfit(() => _types.Shape(null!), "shape: request: null");
        Unfit(() => _types.Shape(new Shape.Polygon(null!)), "shape: request.Polygon: null");
        Unfit(() => _types.Map(new() { ["b"] = null! }), "map: request[b]: null");
        Unfit(() => _types.Doubles(null!), "doubles: request: null");
        Unfit(() => _types.Tuple((1, null!, null)), "tuple: request.1: null");
        Unfit(() => _types.Any(new DynamicValue[] { 1, new Dictionary<string, DynamicValue> { ["a"] = "\ud800" } }), "any: request[1][a]: character 0");
        Unfit(() => _types.Samples(new Samples("x", default, [default], [default])), "samples: request.pair: 2 items");
        Unfit(() => _types.Expr(new Expr.Sum(new Expr.Number(1), new Expr.Call("f", [null!]))), "expr: request.Sum.1.Call.arguments[0]: null");
        Unfit(() => _types.Defaults(new Defaults(Count: 1u, List: null!)), "defaults: request.list: null");
        Unfit(() => _types.Pairs(new([], [], [], new() { [Color.Red] = null! }, [], [])), "pairs: request.by_color[0]: null");
        Lists lists = Read<Lists, ListsCodec>(_types.Random(new Random("lists", 1)));
        Unfit(() => _types.Lists(lists with { Fixed = [1] }), "lists: request.fixed: 3 items are expected, not 1");
        Unfit(() => _types.Lists(lists with { Names = ["a", null!] }), "lists: request.names[1]: null");
    }

    [Fact]
    public void What_is_wrong_in_an_answer_is_told_by_the_path_of_its_field()
    {
        Method method = _types.Plugin.TypedMethod("people", FingerprintOf("people"), TypesClientSchema.Text);
        byte[] message = Written<PagePerson, PagePersonCodec>(new PagePerson([new("A", 1), new("B", 2, "b")], 2));
        message[^9] = 0xff;
        PluginException problem = Assert.Throws<PluginException>(() => method.ReadWire<PagePerson, PagePersonCodec>(message));
        Assert.Equal(
            "people: the plugin's response doesn't match its type: byte 28: text isn't UTF-8 (response.items[1].email)", problem.Message);
        problem = Assert.Throws<PluginException>(() => method.ReadWire<PagePerson, PagePersonCodec>([.. message[..^9], (byte)'b', 0, 0]));
        Assert.Contains("expected 8 bytes, but only 2 are left (response.total)", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_nested_too_deep_is_neither_written_nor_read()
    {
        static Expr Chain(int length)
        {
            Expr expr = new Expr.Number(1);
            for (int i = 1; i < length; i++)
            {
                expr = new Expr.Negated(expr);
            }

            return expr;
        }

        Assert.Equal(Chain(128), _types.Expr(Chain(128)));
        Unfit(() => _types.Expr(Chain(129)), "deeper than 128 levels");
        Refused("expr", [.. Enumerable.Repeat(new byte[] { 1, 0 }, 10_000).SelectMany(one => one)], "deeper than 128 levels");
        DynamicValue nested = default;
        for (int i = 0; i < 129; i++)
        {
            nested = new[] { nested };
        }

        Unfit(() => _types.Any(nested), "deeper than 128 levels");
        Refused("any", [.. Enumerable.Repeat(new byte[] { 8, 1, 0, 0, 0 }, 10_000).SelectMany(one => one)], "deeper than 128 levels");
    }

    [Fact]
    public void Errors_of_the_plugins_are_thrown_as_ever()
    {
        PluginException problem = Assert.Throws<PluginException>(() => _types.Area(new Shape.Nothing()));
        Assert.Equal((Status.InvalidArgument, "nothing has no area"), (problem.Status, problem.Message));
        problem = Assert.Throws<PluginException>(() => _types.Bounded(new Bounded(101, [])));
        Assert.Contains("at most 100", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async System.Threading.Tasks.Task Typed_calls_can_be_awaited()
    {
        Method method = _types.Plugin.TypedMethod("person", FingerprintOf("person"), TypesClientSchema.Text);
        Assert.Equal(new Person("A", 1), await method.CallWireAsync<Person, PersonCodec, Person, PersonCodec>(new Person("A", 1)));
        Assert.Throws<ArgumentException>(() => { _ = method.CallWireAsync<Person, PersonCodec, Person, PersonCodec>(null!).AsTask(); });
        Method json = _types.Plugin.Method("person");
        Assert.Throws<InvalidOperationException>(() => json.CallWire<Person, PersonCodec, Person, PersonCodec>(new Person("A", 1)));
    }

    [Fact]
    public void A_client_of_other_types_is_refused_when_its_made()
    {
        string other = TypesClientSchema.Text.Replace(
            """{"name":"age","type":"u32"}""", """{"name":"age","type":"string"}""", StringComparison.Ordinal);
        Assert.NotEqual(TypesClientSchema.Text, other);
        PluginException problem = Assert.Throws<PluginException>(() => _types.Plugin.TypedMethod("person", new string('0', 32), other));
        Assert.Equal(Status.FailedPrecondition, problem.Status);
        Assert.Contains("request.age", problem.Message, StringComparison.Ordinal);
        Assert.Equal(Status.InvalidArgument, Assert.Throws<PluginException>(() => _types.Plugin.TypedMethod("person", "", "{")).Status);
        using Plugin hello = TestPlugins.LoadHello();
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => new Types(hello)).Status);
        Assert.Equal(PluginState.Active, hello.State);
        Assert.Equal(Status.NotFound, Assert.Throws<PluginException>(() => Types.Load(TestPlugins.Hello)).Status);
        Assert.Throws<ArgumentNullException>(() => new Types(null!));
    }

    [Fact]
    public async System.Threading.Tasks.Task A_client_closes_what_it_has_loaded_and_nothing_else()
    {
        var loaded = Types.Load(TestPlugins.Types);
        Assert.Equal(3ul, loaded.Length("abc"));
        loaded.Dispose();
        Assert.Equal(Status.Unavailable, Assert.Throws<PluginException>(() => loaded.Length("abc")).Status);
        loaded = Types.Load(TestPlugins.Types);
        await loaded.DisposeAsync();
        Assert.Equal(Status.Unavailable, Assert.Throws<PluginException>(() => loaded.Length("abc")).Status);
        var lent = new Types(_types.Plugin);
        lent.Dispose();
        await lent.DisposeAsync();
        Assert.Equal(3ul, _types.Length("abc"));
    }

    internal static byte[] Written<T, TCodec>(T value)
        where TCodec : struct, IWireCodec<T>
    {
        var writer = new WireWriter(method: null, default);
        try
        {
            TCodec.Write(ref writer, value);
            return writer.Written.ToArray();
        }
        finally
        {
            writer.Dispose();
        }
    }

    internal static T Read<T, TCodec>(byte[] message)
        where TCodec : struct, IWireCodec<T>
    {
        var reader = new WireReader(null, message);
        T value = TCodec.Read(ref reader);
        reader.End();
        return value;
    }

    private static JsonElement.ArrayEnumerator ReadVectors()
    {
        byte[] file = System.IO.File.ReadAllBytes(System.IO.Path.Combine(TestPlugins.Repository, "conformance/wire/vectors.json"));
        return JsonDocument.Parse(file).RootElement.GetProperty("vectors").EnumerateArray();
    }

    internal static string FingerprintOf(string method, string client = "Types")
    {
        string source = System.IO.File.ReadAllText(
            System.IO.Path.Combine(TestPlugins.Repository, $"rustbridge-csharp/RustBridge.Tests/Clients/{client}/{client}.cs"));
        int at = source.IndexOf($"TypedMethod(\"{method}\", \"", StringComparison.Ordinal) + $"TypedMethod(\"{method}\", \"".Length;
        return source.Substring(at, 32);
    }

    private static void Unfit(Action call, string why)
    {
        ArgumentException problem = Assert.Throws<ArgumentException>(call);
        Assert.Contains(why, problem.Message, StringComparison.Ordinal);
        Assert.Equal("request", problem.ParamName);
    }

    private static void Refused(string method, byte[] message, string why)
    {
        PluginException problem = Assert.Throws<PluginException>(() => Echo.All[method].Read(message));
        Assert.Equal((Status.Internal, "rustbridge.InvalidResponse"), (problem.Status, problem.Type));
        Assert.Contains(why, problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AsyncHandlersAreAwaitedAndCancelled()
    {
        var ada = new Person("Ada", 36, "ada@example.org");
        Assert.Equal(ada, _types.Later(ada));
        Task<Person>[] all = [.. Enumerable.Range(0, 200).Select(age => _types.LaterAsync(new Person("x", (uint)age)).AsTask())];
        Person[] came = await Task.WhenAll(all);
        Assert.Equal(Enumerable.Range(0, 200).Select(age => new Person("x", (uint)age)), came);
        PluginException refused = await Assert.ThrowsAsync<PluginException>(() => _types.LaterAsync(new Person("", 1)).AsTask());
        Assert.Equal(Status.InvalidArgument, refused.Status);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _types.LaterAsync(ada, new CancellationToken(canceled: true)).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => _types.LaterAsync(new Person("\ud800", 1)).AsTask());
    }


    /// <summary>A method that gives back what it gets.</summary>
    private readonly struct LyingCodec : IWireCodec<string>
    {
        public static long Least => 4;

        public static bool IsPlain => true;

        public static void Write(ref WireWriter writer, string value) => writer.WriteText(value);

        public static string Read(ref WireReader reader) => reader.ReadText();
    }

    private abstract class Echo
    {
        internal static Dictionary<string, Echo> All { get; } = new()
        {
            ["every"] = new Echo<Every, EveryCodec>((types, value) => types.Every(value)),
            ["numbers"] = new Echo<Numbers, NumbersCodec>((types, value) => types.Numbers(value)),
            ["texts"] = new Echo<Texts, TextsCodec>((types, value) => types.Texts(value)),
            ["times"] = new Echo<Times, TimesCodec>((types, value) => types.Times(value)),
            ["lists"] = new Echo<Lists, ListsCodec>((types, value) => types.Lists(value)),
            ["pairs"] = new Echo<Pairs, PairsCodec>((types, value) => types.Pairs(value)),
            ["foreign"] = new Echo<Foreign, ForeignCodec>((types, value) => types.Foreign(value)),
            ["person"] = new Echo<Person, PersonCodec>((types, value) => types.Person(value)),
            ["people"] = new Echo<PagePerson, PagePersonCodec>((types, value) => types.People(value)),
            ["shape"] = new Echo<Shape, ShapeCodec>((types, value) => types.Shape(value)),
            ["color"] = new Echo<Color, ColorCodec>((types, value) => types.Color(value)),
            ["tagged"] = new Echo<Tagged, TaggedCodec>((types, value) => types.Tagged(value)),
            ["untagged"] = new Echo<Untagged, UntaggedCodec>((types, value) => types.Untagged(value)),
            ["expr"] = new Echo<Expr, ExprCodec>((types, value) => types.Expr(value)),
            ["tree"] = new Echo<Tree, TreeCodec>((types, value) => types.Tree(value)),
            ["samples"] = new Echo<Samples, SamplesCodec>((types, value) => types.Samples(value)),
            ["point"] = new Echo<Point, PlainCodec<Point>>((types, value) => types.Point(value)),
            ["celsius"] = new Echo<Celsius, CelsiusCodec>((types, value) => types.Celsius(value)),
            ["bounded"] = new Echo<Bounded, BoundedCodec>((types, value) => types.Bounded(value)),
            ["unit"] = new Echo<Unit, UnitCodec_>((types, value) => types.Unit(value)),
            ["defaults"] = new Echo<Defaults, DefaultsCodec>((types, value) => types.Defaults(value)),
            ["renamed"] = new Echo<RenamedRecord, RenamedRecordCodec>((types, value) => types.Renamed(value)),
            ["any"] = new Echo<DynamicValue, DynamicCodec>((types, value) => types.Any(value)),
            ["doubles"] = new Echo<double[], PlainListCodec<double>>((types, value) => types.Doubles(value)),
            ["map"] = new Echo<Dictionary<string, Person>, MapCodec<string, TextCodec, Person, PersonCodec>>((types, value) => types.Map(value)),
            ["maybe"] = new Echo<Person?, OptionCodec<Person, PersonCodec>>((types, value) => types.Maybe(value)),
            ["tuple"] = new Echo<(byte, string, bool?), TupleCodec<byte, PlainCodec<byte>, string, TextCodec, bool?, NullableCodec<bool, BoolCodec>>>(
                (types, value) => types.Tuple(value)),
            ["duration"] = new Echo<TimeSpan, DurationCodec>((types, value) => types.Duration(value)),
            ["timestamp"] = new Echo<DateTimeOffset, TimestampCodec>((types, value) => types.Timestamp(value)),
            ["mood"] = new Echo<Mood, MoodCodec>((types, value) => types.Mood(value)),
            ["events"] = new Echo<Event[], ListCodec<Event, EventCodec>>((types, value) => types.Events(value)),
        };

        /// <summary>Reads a message as an answer of the method.</summary>
        internal abstract void Read(byte[] message);

        /// <summary>Takes a message through the client and the plugin.</summary>
        /// <param name="types">The client.</param>
        /// <param name="message">The message.</param>
        /// <param name="isFilled">Whether the plugin fills in what is absent.</param>
        internal abstract void Same(Types types, byte[] message, bool isFilled = false);

        /// <summary>Compares two messages by what they say: maps have no order.</summary>
        /// <param name="message">The message.</param>
        /// <param name="other">Another.</param>
        internal abstract void Equal(byte[] message, byte[] other);
    }

    private sealed class Echo<T, TCodec>(Func<Types, T, T> call) : Echo
        where TCodec : struct, IWireCodec<T>
    {
        internal override void Read(byte[] message) => Read<T, TCodec>(message);

        internal override void Equal(byte[] message, byte[] other) =>
            Assert.True(TCodec.Equal(Read<T, TCodec>(message), Read<T, TCodec>(other)));

        internal override void Same(Types types, byte[] message, bool isFilled)
        {
            T value = Read<T, TCodec>(message);
            Assert.Equal(message, Written<T, TCodec>(value));
            T back = call(types, value);
            Assert.Equal(!isFilled, TCodec.Equal(value, back));
            Assert.Equal(!isFilled, TCodec.Hash(value) == TCodec.Hash(back));
            Assert.True(message.Length >= TCodec.Least);
        }
    }
}
