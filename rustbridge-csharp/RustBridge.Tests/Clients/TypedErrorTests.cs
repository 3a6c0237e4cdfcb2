using System;
using System.Text;
using System.Threading.Tasks;
using RustBridge.Internal;
using RustBridge.Wire;
using Xunit;

namespace RustBridge.Tests.Clients.Types;

/// <summary>Exceptions of typed clients: one for each type of error, with the error in it.</summary>
public sealed class TypedErrorTests : IDisposable
{
    private static readonly Person Ada = new("Ada", 36);
    private static readonly Person Alan = new("Alan", 41);
    private static readonly Person Eve = new("Eve", 7);

    private static readonly CallOptions Options = new() { Timeout = Waiting.Long };

    private readonly Types _types = Types.Load(TestPlugins.Types);

    public void Dispose() => _types.Dispose();

    [Fact]
    public void An_error_has_its_fields()
    {
        Person[] people = [Ada, Alan, Eve];
        foreach (SearchException thrown in new[]
        {
            Assert.Throws<SearchException>(() => _types.Search("Ann", people)),
            Assert.Throws<SearchException>(() => _types.Search("Ann", people, Options)),
        })
        {
            SearchError.Nobody nobody = Assert.IsType<SearchError.Nobody>(thrown.Error);
            Assert.Equal("Ann", nobody.Name);
            Assert.Equal([Ada, Alan], nobody.Similar);
            Assert.Equal(Status.NotFound, thrown.Status);
            Assert.Equal("SearchError.Nobody", thrown.Type);
            Assert.Equal("nobody is called \"Ann\"", thrown.Message);
            Assert.Contains(nameof(An_error_has_its_fields), thrown.StackTrace, StringComparison.Ordinal);
        }

        Assert.Equal(Eve, _types.Search("Eve", people));
    }

    [Fact]
    public void Variants_and_records_of_every_shape_come()
    {
        Assert.IsType<SearchError.Hidden>(Assert.Throws<SearchException>(() => _types.Search("", [])).Error);
        SearchError crowd = Assert.Throws<SearchException>(() => _types.Search("Ada", [Ada, Eve, Ada])).Error;
        Assert.Equal(new SearchError.Crowd(2, [36, 7, 36]), crowd);
        RefusedException refused = Assert.Throws<RefusedException>(() => _types.Paint(Color.Red, Color.Green));
        Assert.Equal(new Refused(Color.Red, Color.Green), refused.Error);
        Assert.Null(Assert.Throws<RefusedException>(() => _types.Paint(Color.Red)).Error.Better);
        Assert.Equal(PowerError.Out, Assert.Throws<PowerException>(() => _types.Power(false)).Error);
        _types.Power(true);
    }

    [Fact]
    public void A_fake_throws_as_the_plugin_does()
    {
        SearchException real = Assert.Throws<SearchException>(() => _types.Search("", []));
        var fake = new SearchException(new SearchError.Hidden(), "they hide");
        Assert.Equal((real.Error, real.Status, real.Type, real.Message), (fake.Error, fake.Status, fake.Type, fake.Message));
        var crowd = new SearchException(new SearchError.Crowd(2, []));
        Assert.Equal(
            (Status.ResourceExhausted, "SearchError.Crowd", "SearchError.Crowd"), (crowd.Status, crowd.Type, crowd.Message));
        RefusedException refused = Assert.Throws<RefusedException>(() => _types.Paint(Color.Red));
        var refusedFake = new RefusedException(new Refused(Color.Red));
        Assert.Equal((refused.Status, refused.Type), (refusedFake.Status, refusedFake.Type));
        PowerException power = Assert.Throws<PowerException>(() => _types.Power(false));
        var powerFake = new PowerException(PowerError.Out);
        Assert.Equal((power.Status, power.Type), (powerFake.Status, powerFake.Type));
    }

    [Fact]
    public async Task What_is_awaited_and_what_objects_do_fails_the_same_way()
    {
        Assert.Equal(Eve, await _types.SearchLaterAsync("Eve", [Eve]));
        SearchException hidden = await Assert.ThrowsAsync<SearchException>(async () => await _types.SearchLaterAsync("", []));
        Assert.IsType<SearchError.Hidden>(hidden.Error);
        hidden = await Assert.ThrowsAsync<SearchException>(async () => await _types.SearchLaterAsync("", [], Options));
        Assert.Equal(Status.PermissionDenied, hidden.Status);
        using Counter counter = _types.Counter(7);
        Assert.Equal(new Odd(7), Assert.Throws<OddException>(() => counter.Half()).Error);
        counter.Add(1);
        Assert.Equal(4, counter.Half());
    }

    [Fact]
    public void Other_errors_stay_as_they_are()
    {
        PluginException old = Assert.Throws<PluginException>(() => _types.Aged(Ada, uint.MaxValue));
        Assert.Equal("nobody gets so old", old.Message);
        PluginException untyped = Assert.Throws<PluginException>(
            () => _types.Plugin.Method("power", PluginEncoding.Wire).CallRawBytes(new byte[1]));
        Assert.Equal(("it's dark", "PowerError.Out"), (untyped.Message, untyped.Type));
        _types.Plugin.Dispose();
        Assert.Equal(Status.Unavailable, Assert.Throws<PluginException>(() => _types.Power(false)).Status);
    }

    [Fact]
    public void A_payload_that_is_cut_off_still_says_something()
    {
        byte[] whole = [1, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, (byte)'h', (byte)'i', 1, 0, 0, 0, (byte)'A', 0, 0, 0, 0, 0];
        PluginException read = Failures.Of(5, whole);
        Assert.Equal(("hi", "A"), (read.Message, read.Type));
        for (int length = 1; length < 19; length++)
        {
            PluginException thrown = Failures.Of(5, whole.AsSpan(0, length));
            Assert.Equal(Status.NotFound, thrown.Status);
            Assert.Equal(Encoding.UTF8.GetString(whole, 0, length), thrown.Message);
        }

        byte[] claiming = [.. whole];
        claiming[11] = 0xff;
        Assert.Equal("", Failures.Of(5, claiming).Type);
    }

    [Fact]
    public void An_error_that_isnt_of_its_type_keeps_status_and_message()
    {
        Method power = _types.Plugin.TypedMethod(
            "power",
            TypedClientTests.FingerprintOf("power"),
            TypesClientSchema.Text,
            raise: static (PluginException failed, ref WireReader _) => new PluginException(failed.Message));
        PluginException thrown = Assert.Throws<PluginException>(() => power.CallWire<bool, BoolCodec, bool, BoolCodec>(false));
        Assert.Equal((Status.Unavailable, "PowerError.Out"), (thrown.Status, thrown.Type));
        Assert.StartsWith("it's dark", thrown.Message, StringComparison.Ordinal);
    }
}
