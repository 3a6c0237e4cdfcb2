using System;
using System.Collections.Generic;
using RustBridge.Tests.Clients.Fixtures;
using Xunit;

namespace RustBridge.Tests.Clients.Gallery;

/// <summary>Types of two plugins: the client of the gallery uses the types of the client of the fixtures.</summary>
public sealed class TypedSharedTests : IDisposable
{
    private readonly Fixtures.Fixtures _fixtures = Clients.Fixtures.Fixtures.Load(TestPlugins.Fixtures);
    private readonly Gallery _gallery = Gallery.Load(TestPlugins.Gallery);

    public void Dispose()
    {
        _gallery.Dispose();
        _fixtures.Dispose();
    }

    private static Frame Framed(double x) => new(
        (new Spot(x, 2), new Spot(3, 4)),
        new Outline.Polygon([new Spot(1, 2)]),
        new Dictionary<string, Colour> { ["top"] = Colour.DeepBlue },
        "The sea");

    [Fact]
    public void Values_of_one_plugin_are_passed_to_another()
    {
        Spot corner = _gallery.Hang(_fixtures.TurnedFrame(Framed(1)));
        Assert.Equal(new Spot(3, 4), corner);
        Frame hung = Assert.Single(_gallery.WithColour(Colour.DeepBlue));
        Assert.Equal(Framed(1), _fixtures.TurnedFrame(hung));
        Assert.Equal(new Outline.Circle(corner, 1), _gallery.Around([corner]));
        Assert.Equal(new Bill(1000), _gallery.Bill(2));
    }

    [Fact]
    public void Exceptions_of_one_plugin_are_those_of_another()
    {
        SpriteException failed = Assert.Throws<SpriteException>(() => _gallery.Hang(Framed(-1)));
        Assert.Equal(new SpriteError.Outside(-1, 2), failed.Error);
        Assert.Equal(Status.OutOfRange, failed.Status);

        // The host throws an exception of one plugin to the other, which returns it.
        SpriteException thrown = Assert.Throws<SpriteException>(() => _gallery.Visit(new Person("Ada", 36), new Spot(1, 1), (person, to) =>
        {
            Assert.Equal(36u, person.Age);
            using var sprite = new Sprite(_fixtures, "");
            return to;
        }));
        Assert.Equal(new SpriteError.Unnamed(), thrown.Error);
        Assert.Equal(Status.InvalidArgument, thrown.Status);
    }
}
