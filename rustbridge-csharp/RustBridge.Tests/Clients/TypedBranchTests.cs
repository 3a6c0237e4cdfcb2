using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests.Clients.Fixtures;

/// <summary>Functions of callbacks that accept and return objects.</summary>
public sealed class TypedBranchTests : IDisposable
{
    private readonly Fixtures _fixtures = Fixtures.Load(TestPlugins.Fixtures);

    private int Held => _fixtures.c_branch.Hosts!.Count;

    public void Dispose()
    {
        Assert.True(SpinWait.SpinUntil(() => Held == 0, Waiting.Long));
        _fixtures.Dispose();
    }

    [Fact]
    public void Branches_of_both_sides_grow_from_one_another()
    {
        Twig leaf = new("leaf"), root = new("root");
        using var limb = (Branch)_fixtures.Limb("limb");
        _fixtures.Grow(leaf, limb);
        _fixtures.Grow(limb, root);
        Assert.Equal(["leaf", "limb", "root"], _fixtures.Path(leaf));

        // The very objects come back: the host's as itself, and the plugin's as a reference to the same object.
        Assert.Same(root, _fixtures.Trunk(leaf));
        using (Branch above = Assert.IsType<Branch>(leaf.Above))
        {
            Assert.Equal("limb", above.Name());
            _fixtures.Grow(leaf, null);
        }

        // The plugin's implementation is called in the same way.
        Assert.Same(root, limb.Parent());
        limb.SetParent(null);
        Assert.Equal(["leaf"], _fixtures.Path(leaf));
        Assert.Equal(["limb"], _fixtures.Path(limb));
    }

    [Fact]
    public void Objects_of_other_types_are_accepted_and_returned()
    {
        var at = new Spot(2, 0);
        using var far = new Sprite(_fixtures, "far", at);
        using var near = new Sprite(_fixtures, "near", at);
        using var limb = (Branch)_fixtures.Limb("limb");
        Sprite[] sprites = [far, near];
        using (Sprite chosen = _fixtures.Chosen(new Twig("near"), sprites, at))
        {
            Assert.Equal("near", chosen.Name);
        }

        using (Sprite chosen = _fixtures.Chosen(limb, sprites, at))
        {
            Assert.Equal("far", chosen.Name);
        }

        ChoiceException none = Assert.Throws<ChoiceException>(() => _fixtures.Chosen(new Twig("none"), sprites, at));
        Assert.Equal(new ChoiceError.Nothing(at), none.Error);
        Assert.Equal(Status.NotFound, none.Status);
        PluginException wrong = Assert.Throws<PluginException>(() => _fixtures.Chosen(new Twig("null"), sprites, at));
        Assert.Contains("Branch.choose:return", wrong.Message, StringComparison.Ordinal);

        Label back = _fixtures.Labelled(new Twig("any"), [new Label("one", far), new Label("two", near)]);
        Assert.Equal("two", back.Name);
        using (back.Sprite)
        {
            Assert.Equal("near", back.Sprite.Name);
        }

        PluginException empty = Assert.Throws<PluginException>(() => _fixtures.Labelled(new Twig("any"), []));
        Assert.Equal(Status.NotFound, empty.Status);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_function_may_return_an_object_later(bool later)
    {
        IBranch one = later ? new Slow("one") : new Twig("one");
        IBranch other = later ? new Slow("other") : new Twig("other");
        Assert.Same(other, _fixtures.Preferred(one, other));
        Assert.Same(other, await _fixtures.PreferredAsync(one, other));
        using var limb = (Branch)_fixtures.Limb("limb");
        Assert.Same(one, await _fixtures.PreferredAsync(limb, one));
        using var preferred = (Branch)await _fixtures.PreferredAsync(one, limb);
        Assert.Equal("limb", preferred.Name());
        PluginException shy = await Assert.ThrowsAsync<PluginException>(
            async () => await _fixtures.PreferredAsync(new Slow("shy"), other));
        Assert.Equal(Status.Aborted, shy.Status);
    }

    [Fact]
    public void A_function_that_fails_keeps_nothing()
    {
        foreach (string name in new[] { "stiff", "rotten" })
        {
            PluginException failed = Assert.Throws<PluginException>(() => _fixtures.Grow(new Twig(name), new Twig("parent")));
            Assert.Contains("it's " + name, failed.ToString(), StringComparison.Ordinal);
        }

        Assert.True(SpinWait.SpinUntil(() => Held == 0, Waiting.Long));

        // The plugin's branch refers to the host's until it lets go of it.
        using var limb = (Branch)_fixtures.Limb("limb");
        _fixtures.Grow(limb, new Twig("parent"));
        Assert.Equal(1, Held);
        _fixtures.Grow(limb, null);
    }

    [Fact]
    public void A_client_of_a_loaded_plugin_receives_branches_of_the_plugin_alone()
    {
        using Plugin plugin = Plugin.Load(TestPlugins.Fixtures);
        using var client = new Fixtures(plugin);
        using var limb = (Branch)client.Limb("limb");
        using var other = (Branch)client.Limb("other");
        client.Grow(limb, other);
        Assert.Equal(["limb", "other"], client.Path(limb));
        PluginException refused = Assert.Throws<PluginException>(() => client.Grow(new Twig("leaf"), null));
        Assert.Equal(Status.FailedPrecondition, refused.Status);
        client.Grow(limb, null);
    }

    [Fact]
    public void Another_client_of_the_instance_may_come_and_go()
    {
        Another(_fixtures.Plugin);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var leaf = new Twig("leaf");
        _fixtures.Grow(leaf, new Twig("root"));
        Assert.Equal(["leaf", "root"], _fixtures.Path(leaf));

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static void Another(Plugin plugin) => Assert.Equal(["limb"], new Fixtures(plugin).Path(new Twig("limb")));
    }

    /// <summary>A branch of the host.</summary>
    private class Twig(string called) : IBranch
    {
        public IBranch? Above { get; private set; }

        protected string Called => called;

        public string Name() => called;

        public void SetParent(IBranch? parent)
        {
            Above = called switch
            {
                "stiff" => throw new PluginException(Status.FailedPrecondition, "it's stiff"),
                "rotten" => throw new InvalidOperationException("it's rotten"),
                _ => parent,
            };
        }

        public IBranch? Parent() => Above;

        public Sprite Choose(Sprite[] sprites, Spot near) => called == "null"
            ? null!
            : sprites.FirstOrDefault(sprite => sprite.Name == called)
                ?? throw new ChoiceException(new ChoiceError.Nothing(near));

        public Label Label(Label[] labels) =>
            labels.Length > 0 ? labels[^1] : throw new PluginException(Status.NotFound, "no labels");

        public virtual IBranch Meet(IBranch other) => other;
    }

    /// <summary>Prefers one later.</summary>
    private sealed class Slow(string called) : Twig(called), IBranch
    {
        async ValueTask<IBranch> IBranch.MeetAsync(IBranch other, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return Called == "shy" ? throw new PluginException(Status.Aborted, "it's shy") : other;
        }
    }
}
