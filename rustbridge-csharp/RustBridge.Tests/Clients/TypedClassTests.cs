using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Fixtures;

/// <summary>Constructors, static methods and properties of the classes of objects.</summary>
public sealed class TypedClassTests : IDisposable
{
    private readonly Fixtures _client = Fixtures.Load(TestPlugins.Fixtures);

    public void Dispose() => _client.Dispose();

    [Fact]
    public void A_constructor_creates_an_object()
    {
        using var ada = new Sprite(_client, "Ada");
        Assert.Equal("Ada", ada.Name);
        Assert.Equal(new Spot(0, 0), ada.Spot);
        using var bob = new Sprite(_client, "Bob", new Spot(3, 4), new CallOptions { Timeout = Waiting.Long });
        Assert.Equal(new Spot(3, 4), bob.Spot);
        Assert.Equal(new Spot(4, 5), bob.MoveBy(new Spot(1, 1)));
    }

    [Fact]
    public void A_constructor_fails_with_the_typed_error()
    {
        SpriteException unnamed = Assert.Throws<SpriteException>(() => new Sprite(_client, ""));
        Assert.Equal(new SpriteError.Unnamed(), unnamed.Error);
        Assert.Equal(Status.InvalidArgument, unnamed.Status);
        Assert.Throws<ArgumentException>(() => new Sprite(_client, null!));
    }

    [Fact]
    public void An_error_has_the_typed_error_that_caused_it()
    {
        var here = new Spot(1, 2);
        Assert.Equal(3u, _client.Print("Ada", here, "3"));
        PrintException outside = Assert.Throws<PrintException>(() => _client.Print("Ada", new Spot(-1, 2), "3"));
        Assert.Equal(new PrintError.Sprite("Ada", new SpriteError.Outside(-1, 2)), outside.Error);
        Assert.Equal(Status.FailedPrecondition, outside.Status);
        PrintException many = Assert.Throws<PrintException>(() => _client.Print("Ada", here, "many"));
        Assert.Equal(new PrintError.Copies("many", "invalid digit found in string"), many.Error);
    }

    [Fact]
    public async Task The_error_of_a_stream_is_the_typed_one()
    {
        var seen = new List<uint>();
        async Task All(IAsyncEnumerable<uint> pages)
        {
            await foreach (uint page in pages)
            {
                seen.Add(page);
            }
        }

        TurnException last = await Assert.ThrowsAsync<TurnException>(() => All(_client.BrowseAsync(8, 1)));
        Assert.Equal((TurnError.Last, Status.OutOfRange), (last.Error, last.Status));
        await Assert.ThrowsAsync<TurnException>(() => All(_client.BrowseAsync(11, 1)));
        TurnException first = await Assert.ThrowsAsync<TurnException>(() => All(_client.FollowAsync(2, [3, -9])));
        Assert.Equal(TurnError.First, first.Error);
        Assert.Equal([9, 10, 5], seen);
    }

    [Fact]
    public void Decimal_numbers_keep_their_digits()
    {
        Bill bill = _client.Bill(99.90m, 19);
        Assert.Equal(new Bill(99.90m, 18.98m, 118.88m), bill);
        Assert.Equal("99.90", bill.Net.ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(decimal.MinValue, _client.Bill(decimal.MinValue, 0).Gross);
    }

    [Fact]
    public void What_is_wrong_behind_a_decimal_number_is_told_by_its_own_path()
    {
        Method method = _client.Plugin.TypedMethod("bill", Types.TypedClientTests.FingerprintOf("bill", "Fixtures"), FixturesClientSchema.Text);
        byte[] message = Types.TypedClientTests.Written<Bill, BillCodec>(new Bill(1, 2, 3));
        message[^1] = (byte)'x';
        PluginException problem = Assert.Throws<PluginException>(() => method.ReadWire<Bill, BillCodec>(message));
        Assert.EndsWith("(response.gross)", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_constructor_is_a_static_method()
    {
        using var ada = new Sprite(_client, "Ada", new Spot(1, 2));
        using Sprite bob = Sprite.NewRelativeTo(_client, ada, "Bob", new Spot(3, 4));
        Assert.Equal("Bob", bob.Name);
        Assert.Equal(new Spot(4, 6), bob.Spot);
        SpriteException outside = Assert.Throws<SpriteException>(
            () => Sprite.NewRelativeTo(_client, ada, "Cyd", new Spot(-5, 0)));
        Assert.Equal(new SpriteError.Outside(-4, 2), outside.Error);
    }

    [Fact]
    public async Task A_constructor_may_be_awaited()
    {
        await using Sprite ada = await Sprite.LoadAsync(_client, "Ada");
        Assert.Equal("Ada", ada.Name);
        await using Sprite bob = await Sprite.LoadAsync(_client, "Bob", new CallOptions { Timeout = Waiting.Long });
        Assert.Equal("Bob", bob.Name);
        using Sprite cyd = Sprite.Load(_client, "Cyd");
        Assert.Equal("Cyd", cyd.Name);
        SpriteException unnamed = await Assert.ThrowsAsync<SpriteException>(
            async () => await Sprite.LoadAsync(_client, ""));
        Assert.Equal(new SpriteError.Unnamed(), unnamed.Error);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Sprite.LoadAsync(_client, "Eve", new CancellationToken(canceled: true)));
    }

    [Fact]
    public void Associated_functions_are_static_methods()
    {
        Assert.Equal(new Spot(16, 32), Sprite.Size(_client));
        Assert.Equal(new Spot(16, 32), Sprite.Size(_client, new CallOptions { Timeout = Waiting.Long }));
        Assert.Equal(5, Sprite.Distance(_client, new Spot(1, 2), new Spot(4, 6)));
    }

    [Fact]
    public void Properties_are_read_and_written()
    {
        using var ada = new Sprite(_client, "Ada") { Spot = new Spot(7, 8) };
        Assert.Equal(new Spot(7, 8), ada.Spot);
        SpriteException outside = Assert.Throws<SpriteException>(() => ada.Spot = new Spot(-1, 2));
        Assert.Equal(new SpriteError.Outside(-1, 2), outside.Error);
        Assert.Equal(Status.OutOfRange, outside.Status);
        Assert.Equal(new Spot(7, 8), ada.Spot);
        Assert.False(typeof(Sprite).GetProperty(nameof(Sprite.Name))!.CanWrite);
    }

    [Fact]
    public void An_object_is_released()
    {
        var ada = new Sprite(_client, "Ada");
        ada.Dispose();
        Assert.ThrowsAny<Exception>(() => ada.Name);
        using var bob = new Sprite(_client, "Bob");
        Assert.Equal("Bob", bob.Name);
    }
}
