using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Fixtures;

/// <summary>The traits of objects: their text, equality, hash, order, count and items.</summary>
public sealed class TypedTraitTests : IDisposable
{
    private static readonly string[] s_books = ["Emma", "Ivanhoe", "Ulysses"];

    private readonly Fixtures _client = Fixtures.Load(TestPlugins.Fixtures);
    private readonly List<Shelf> _shelves = [];

    public void Dispose()
    {
        _shelves.ForEach(shelf => shelf.Dispose());
        _client.Dispose();
    }

    [Fact]
    public void The_text_is_that_of_the_plugin()
    {
        Assert.Equal("novels: Emma, Ivanhoe, Ulysses", New("novels").ToString());
    }

    [Fact]
    public void A_text_that_fails_states_the_error()
    {
        Shelf smudged = New("smudged");
        Assert.Equal(
            "<Shelf: the object has no text: its `Display::fmt` returned an error>",
            smudged.ToString());
        smudged.Dispose();
        Assert.StartsWith("<Shelf: ", smudged.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Handles_are_equal_if_their_objects_are()
    {
        Shelf one = New("novels");
        using Shelf again = Again(one);
        Assert.True(one == again && one.Equals((object)again) && one == New("novels"));
        Assert.True(one != New("poems") && one != null && null != one);
        Assert.False(one.Equals("novels: Emma, Ivanhoe, Ulysses"));
        using var here = new Mark(_client, 1);
        using var alsoHere = new Mark(_client, 1);
        using var nowhere = new Mark(_client, double.NaN);
        Mark same = nowhere;
        Assert.True(here == alsoHere && here != nowhere && nowhere == same);
        Assert.Equal(here.GetHashCode(), nowhere.GetHashCode());
    }

    [Fact]
    public void Objects_of_another_instance_are_unequal_and_have_no_order()
    {
        using Fixtures another = Fixtures.Load(TestPlugins.Fixtures);
        using var foreign = new Shelf(another, "novels", s_books);
        Shelf one = New("novels");
        Assert.True(one != foreign);
        Assert.Equal(one.GetHashCode(), foreign.GetHashCode());
        Assert.Throws<ArgumentException>(() => one.CompareTo(foreign));
    }

    [Fact]
    public void A_disposed_object_equals_itself_alone()
    {
        Shelf one = New("novels");
        Shelf disposed = New("novels");
        Shelf same = disposed;
        disposed.Dispose();
        Assert.True(disposed == same);
        Assert.Throws<ObjectDisposedException>(() => one == disposed);
        Assert.Throws<ObjectDisposedException>(() => disposed == one);
        Assert.Throws<ObjectDisposedException>(() => disposed < one);
        Assert.Throws<ObjectDisposedException>(() => disposed.GetHashCode());
        Assert.Throws<ObjectDisposedException>(() => disposed.Count);
    }

    [Fact]
    public void Objects_are_keys_of_dictionaries_and_sorted()
    {
        Shelf[] all = [New("c"), New("a"), New("d"), New("b")];
        Dictionary<Shelf, int> places = all.Select((one, place) => (one, place)).ToDictionary();
        using Shelf again = Again(all[2]);
        Assert.Equal(2, places[again]);
        Assert.DoesNotContain(New("e"), (IDictionary<Shelf, int>)places);
        Array.Sort(all);
        Assert.Equal(["a", "b", "c", "d"], all.Select(one => one.Label));
        Shelf first = all[0];
        Shelf same = first;
        Assert.True(first < all[1] && all[1] <= all[2] && all[2] > first && first >= same && first > null && null < first);
    }

    [Fact]
    public async Task Objects_have_a_count_and_items()
    {
        Shelf one = New("novels");
        Assert.Equal(3, one.Count);
        Assert.Equal(3UL, one.Len());
        var books = new List<string>();
        await foreach (string book in one)
        {
            books.Add(book);
        }

        Assert.Equal(s_books, books);
        using var many = new Shelf(_client, "long", [.. Enumerable.Range(0, 5000).Select(number => $"volume {number}")]);
        await foreach (string book in many)
        {
            Assert.Equal("volume 0", book);
            break;
        }
    }

    private Shelf Again(Shelf shelf) => Shelf.Again(_client, shelf);

    private Shelf New(string label)
    {
        var shelf = new Shelf(_client, label, s_books);
        _shelves.Add(shelf);
        return shelf;
    }
}
