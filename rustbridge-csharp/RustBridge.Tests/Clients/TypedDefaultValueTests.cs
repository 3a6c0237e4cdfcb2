using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Fixtures;

/// <summary>Fields and parameters with default values.</summary>
public sealed class TypedDefaultValueTests : IDisposable
{
    private readonly Fixtures _client = Fixtures.Load(TestPlugins.Fixtures);

    public void Dispose() => _client.Dispose();

    [Fact]
    public void A_record_has_the_default_values()
    {
        var layout = new Layout("A");
        Assert.Equal((ushort)80, layout.Width);
        Assert.Equal((-1L, ulong.MaxValue), (layout.Offset, layout.Most));
        Assert.Equal((1.5, 0.25f, true, "en"), (layout.Spacing, layout.Zoom, layout.Numbered, layout.Language));
        Assert.Equal((Colour.DeepBlue, new Target.Screen()), (layout.Colour, layout.Target));
        Assert.Empty(layout.Tags);
        Assert.Empty(layout.Margins);
        Assert.Empty(layout.Notes);
        Assert.Empty(layout.Picture);
        Assert.Null(layout.Author);
        Assert.Equal(0u, layout.Copies);
        Assert.True(new Target.File("a.txt").Overwrite);
    }

    [Fact]
    public void A_record_is_sent_with_no_some_and_all_values()
    {
        // C# has no constant of a character, so the plugin's default applies.
        Layout received = _client.Layout(new Layout("A"));
        Assert.Equal(new Layout("A", Bullet: new Rune('-')), received);
        var some = new Layout("A", Language: "de", Target: new Target.File("a.txt"), Bullet: new Rune('+'));
        Assert.Equal(some, _client.Layout(some));
        var all = new Layout(
            "A",
            Width: 1,
            Offset: 2,
            Most: 3,
            Spacing: 4.5,
            Zoom: 0.5f,
            Numbered: false,
            Language: "",
            Bullet: new Rune('*'),
            Colour: Colour.Red,
            Target: new Target.File("a.txt", Overwrite: false),
            Tags: ["a"],
            Margins: [1, 2],
            Notes: new Dictionary<string, uint> { ["a"] = 1 },
            Picture: [1],
            Author: "Ada",
            Copies: 9);
        Assert.Equal(all, _client.Layout(all));
    }

    [Fact]
    public void Parameters_have_the_default_values()
    {
        Assert.Equal("abcde... Green [] screen ", _client.Cut("abcdefgh"));
        Assert.Equal("ab... Green [] screen ", _client.Cut("abcdefgh", 2));
        Assert.Equal("abcde! Green [] screen ", _client.Cut("abcdefgh", end: "!"));
        string all = _client.Cut(
            "abcdefgh", 3, "!", Colour.Red, ["a", "b"], new Target.File("a.txt"), "note", new CallOptions { Timeout = Waiting.Long });
        Assert.Equal("abc! Red [a b] a.txt true note", all);
        Assert.Equal([3u, 2u, 1u], _client.Countdown());
        Assert.Equal([1u], _client.Countdown(1));
        Assert.Equal([2u, 1u], _client.Countdown(2, new CallOptions { Timeout = Waiting.Long }));
    }

    [Fact]
    public void Null_is_refused_where_no_default_value_is_null()
    {
        var unfit = Assert.ThrowsAny<ArgumentException>(() => _client.Cut("abc", end: null!));
        Assert.Contains("end", unfit.Message, StringComparison.Ordinal);
        var field = Assert.ThrowsAny<ArgumentException>(() => _client.Layout(new Layout("A", Language: null!)));
        Assert.Contains("language", field.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Parameters_of_asynchronous_methods_and_streams_have_the_default_values()
    {
        Assert.Equal("abab", await _client.RepeatAsync("ab"));
        Assert.Equal("ababab", await _client.RepeatAsync("ab", 3));
        var launched = new List<uint>();
        await foreach (uint one in _client.LaunchAsync())
        {
            launched.Add(one);
        }
        Assert.Equal([3u, 2u, 1u], launched);
    }

    [Fact]
    public void An_objects_functions_have_the_default_values()
    {
        using var brush = new Brush(_client);
        using var wide = new Brush(_client, 7);
        Assert.Equal((4u, 7u, 8u), (brush.Wider(), brush.Wider(4), wide.Wider()));
        Assert.Equal(4u, Brush.Strokes(_client, 10));
        Assert.Equal(2u, Brush.Strokes(_client, 10, 5));
    }
}
