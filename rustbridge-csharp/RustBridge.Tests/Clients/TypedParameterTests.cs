using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using RustBridge.Wire;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Methods of typed clients that take several parameters.</summary>
public sealed class TypedParameterTests : IDisposable
{
    private static readonly Person Ada = new("Ada", 36, "ada@example.org");

    private readonly Types _types = Types.Load(TestPlugins.Types);

    public void Dispose() => _types.Dispose();

    [Fact]
    public void Each_is_an_argument_by_place_or_by_name()
    {
        Assert.Equal("Pá", _types.Part("Erdős Pál", 6, 2));
        Assert.Equal("Pál", _types.Part("Erdős Pál", 6));
        Assert.Equal("Pál", _types.Part(start: 6, text: "Erdős Pál"));
        Assert.Equal("Pál", _types.Part("Erdős Pál", 6, null, new CallOptions { Timeout = Waiting.Long }));
        (Person person, string[] names, double[] numbers, Color type, byte[] bytes, DynamicValue? any) =
            _types.Several(Ada, ["A", "ä"], [0.5, -1], Color.Green, @class: new byte[] { 0, 1 }, self: "x");
        Assert.Equal(Ada, person);
        Assert.Equal(["A", "ä"], names);
        Assert.Equal([0.5, -1], numbers);
        Assert.Equal(Color.Green, type);
        Assert.Equal([0, 1], bytes);
        Assert.Equal("x", any);
        Assert.Null(_types.Several(Ada, [], [], Color.Red, default).Item6);
    }

    [Fact]
    public async Task Bytes_go_beside_other_values_from_any_memory()
    {
        byte[] data = [.. "_abc_"u8];
        (Piece piece, byte[] back) = _types.Cut(new Cut(Skip: 1, Times: 2), data.AsMemory(1, 3));
        Assert.Equal(new Piece(4, (byte)'b'), piece);
        Assert.Equal("bcbc"u8.ToArray(), back);
        Assert.Equal(data, _types.Cut(new Cut(0, 1), data).Item2);
        Assert.Equal(new Piece(0, null), _types.Cut(new Cut(0, 0), default).Item1);
        byte[] large = [.. Enumerable.Range(0, 5_000_000).Select(number => (byte)number)];
        Assert.True(_types.Cut(new Cut(1, 1), large).Item2.AsSpan().SequenceEqual(large.AsSpan(1)));
        PluginException error = Assert.Throws<PluginException>(() => _types.Cut(new Cut(6, 1), data));
        Assert.Equal(Status.OutOfRange, error.Status);
        (piece, back) = await _types.CutLaterAsync(new Cut(1, 2), data.AsMemory(1, 3));
        Assert.Equal(new Piece(4, (byte)'b'), piece);
        Assert.Equal("bcbc"u8.ToArray(), back);
    }

    [Fact]
    public async Task Bytes_and_text_alone_go_as_they_are()
    {
        byte[] data = [9, 0, 255, 9];
        Assert.Equal("00ff", _types.Hex(data.AsMemory(1, 2)));
        Assert.Equal(3UL, _types.Nonzero(data));
        Assert.Equal(data, _types.Unhex("0900ff09"));
        Assert.Equal("", _types.Hex(default));
        Assert.Empty(_types.Unhex(digits: ""));
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], _types.Magic());
        byte[] large = [.. Enumerable.Range(0, 1_000_000).Select(number => (byte)number)];
        Assert.True(_types.Unhex(_types.Hex(large)).AsSpan().SequenceEqual(large));
        Assert.Equal("0900ff09", await _types.HexLaterAsync(data));
        PluginException odd = Assert.Throws<PluginException>(() => _types.Unhex("abc"));
        Assert.Equal(Status.InvalidArgument, odd.Status);
        Assert.ThrowsAny<ArgumentException>(() => _types.Unhex("\ud800"));
        Assert.ThrowsAny<ArgumentException>(() => _types.Unhex(null!));
    }

    [Fact]
    public void What_doesnt_fit_is_named()
    {
        ArgumentException error = Assert.ThrowsAny<ArgumentException>(() => _types.Part("\ud800", 1));
        Assert.Contains("request.text", error.Message, StringComparison.Ordinal);
        error = Assert.ThrowsAny<ArgumentException>(() => _types.Part(null!, 1));
        Assert.Contains("request.text", error.Message, StringComparison.Ordinal);
        error = Assert.ThrowsAny<ArgumentException>(() => _types.Several(Ada, ["", null!], [], Color.Red, default));
        Assert.Contains("request.nick_names[1]", error.Message, StringComparison.Ordinal);
        Assert.Equal(Status.OutOfRange, Assert.Throws<PluginException>(() => _types.Aged(Ada, uint.MaxValue)).Status);
        Assert.Equal("x", _types.Part("x", 0));
    }

    [Fact]
    public async Task Async_methods_streams_and_objects_take_several()
    {
        Assert.Equal(38u, (await _types.AgedAsync(Ada, 2)).Age);
        var steps = new List<long>();
        await foreach (long step in _types.StepsAsync(1, 10, 4))
        {
            steps.Add(step);
        }

        Assert.Equal([1, 5, 9], steps);
        Person[] people = [.. Enumerable.Range(0, 50).Select(age => new Person($"{age}", (uint)age))];
        Assert.Equal(people[10..20], await _types.BetweenAsync(10, 19, people));

        using Counter one = _types.Counter(10);
        using Counter other = _types.Counter(1);
        Assert.Equal((6, 5), _types.Transfer(one, other, 4));
        Assert.True(one.Within(6, 6));
        Assert.False(one.Within(least: 7, most: 9));
        ArgumentException error = Assert.ThrowsAny<ArgumentException>(() => _types.Transfer(one, null!, 4));
        Assert.Contains("request.to", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Nobody_sees_a_record()
    {
        Assert.Null(typeof(Types).Assembly.GetType($"{typeof(Types).Namespace}.PartParameters"));
        MethodInfo? part = typeof(Types).GetMethod("Part", [typeof(string), typeof(uint), typeof(uint?)]);
        Assert.True(part?.GetParameters()[2].HasDefaultValue);
    }
}
