"""Functions of callbacks that accept and return objects."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import fixtures_client as f
from tests.plugins import plugin_path
from tests.test_callbacks import held, load, until

if TYPE_CHECKING:
    from collections.abc import Iterator


class Twig:
    """A branch of this program."""

    def __init__(self, called: str) -> None:
        self.called = called
        self.above: f.Branch | None = None

    def name(self) -> str:
        return self.called

    def set_parent(self, parent: f.Branch | None) -> None:
        if self.called == "stiff":
            raise rustbridge.FailedPreconditionError("it's stiff")
        if self.called == "rotten":
            raise KeyError("it's rotten")
        self.above = parent

    def parent(self) -> f.Branch | None:
        return "a text" if self.called == "odd" else self.above  # type: ignore[return-value]

    def choose(self, sprites: list[f.Sprite], near: f.Spot) -> f.Sprite:
        for sprite in sprites:
            if sprite.name == self.called:
                return sprite
        raise f.ChoiceException(f.ChoiceErrorNothing(near))

    def label(self, labels: list[f.Label]) -> f.Label:
        if not labels:
            raise rustbridge.NotFoundError("no labels")
        return labels[-1]

    def meet(self, other: f.Branch) -> f.Branch:
        return other


class Slow(Twig):
    """Prefers one later."""

    async def meet(self, other: f.Branch) -> f.Branch:  # type: ignore[override]
        await asyncio.sleep(0)
        if self.called == "shy":
            raise rustbridge.AbortedError("it's shy")
        return other


def limb_of(client: f.Fixtures, name: str = "limb") -> f.BranchObject:
    """Return a branch of the plugin."""
    limb = client.limb(name)
    assert isinstance(limb, f.BranchObject)
    return limb


@pytest.fixture
def fixtures(backend: str) -> Iterator[f.Fixtures]:
    with load(backend) as client:
        yield client
        gc.collect()
        until(lambda: held(client) == 0)


def test_branches_of_both_sides_grow_from_one_another(fixtures: f.Fixtures) -> None:
    leaf, root = Twig("leaf"), Twig("root")
    with limb_of(fixtures) as limb:
        fixtures.grow(leaf, limb)
        fixtures.grow(limb, root)
        assert fixtures.path(leaf) == ["leaf", "limb", "root"]
        # The very objects come back: the host's as itself, and the plugin's as a reference to the same object.
        assert fixtures.trunk(leaf) is root
        above = leaf.above
        assert isinstance(above, f.BranchObject)
        assert above.name() == "limb"
        # The plugin's implementation is called in the same way.
        assert limb.parent() is root
        limb.set_parent(None)
        fixtures.grow(leaf, None)
        above.close()
        assert fixtures.path(leaf) == ["leaf"]
        assert fixtures.path(limb) == ["limb"]


def test_objects_of_other_types_are_accepted_and_returned(fixtures: f.Fixtures) -> None:
    sprites = [f.Sprite(fixtures, name, f.Spot(2.0, 0.0)) for name in ("far", "near")]
    with fixtures.chosen(Twig("near"), sprites, f.Spot(1.0, 0.0)) as chosen:
        assert chosen.name == "near"
    with limb_of(fixtures) as limb, fixtures.chosen(limb, sprites, f.Spot(1.0, 0.0)) as chosen:
        assert chosen.name == "far"
    with pytest.raises(f.ChoiceException) as failed:
        fixtures.chosen(Twig("none"), sprites, f.Spot(7.0, 0.0))
    assert failed.value.error == f.ChoiceErrorNothing(f.Spot(7.0, 0.0))
    assert isinstance(failed.value, rustbridge.NotFoundError)
    labels = [f.Label(str(place), sprite) for place, sprite in enumerate(sprites)]
    back = fixtures.labelled(Twig("any"), labels)
    assert back.name == "1"
    assert back.sprite.name == "near"
    back.sprite.close()
    with pytest.raises(rustbridge.NotFoundError, match="no labels"):
        fixtures.labelled(Twig("any"), [])
    for sprite in sprites:
        sprite.close()


def test_an_async_def_returns_an_object(backend: str) -> None:
    async def main() -> None:
        async with load(backend) as client:
            for kind in (Twig, Slow):
                one, other = kind("one"), kind("other")
                assert await client.preferred_async(one, other) is other
                limb = limb_of(client)
                assert await client.preferred_async(limb, one) is one
                preferred: Any = await client.preferred_async(one, limb)
                assert isinstance(preferred, f.BranchObject)
                assert preferred.name() == "limb"
                preferred.close()
                limb.close()
            with pytest.raises(rustbridge.AbortedError, match="it's shy"):
                await client.preferred_async(Slow("shy"), Slow("other"))
            gc.collect()
            until(lambda: held(client) == 0)

    asyncio.run(main())


def test_a_function_that_fails_keeps_nothing(fixtures: f.Fixtures) -> None:
    for name in ("stiff", "rotten"):
        with pytest.raises(rustbridge.PluginError, match=f"it's {name}"):
            fixtures.grow(Twig(name), Twig("parent"))
    with pytest.raises(rustbridge.PluginError, match="Branch"):
        fixtures.trunk(Twig("odd"))
    gc.collect()
    until(lambda: held(fixtures) == 0)
    # The plugin's branch refers to the host's until it lets go of it.
    with limb_of(fixtures) as limb:
        fixtures.grow(limb, Twig("parent"))
        assert held(fixtures) == 1
        fixtures.grow(limb, None)


def test_the_services_do_not_keep_the_client(backend: str) -> None:
    client = load(backend)
    client.grow(Twig("leaf"), None)
    client.close()
    gone = weakref.ref(client._passing["Branch"])
    del client
    gc.collect()
    assert gone() is None


def test_a_client_of_a_loaded_plugin_receives_branches_of_the_plugin_alone(backend: Any) -> None:
    with rustbridge.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend) as plugin:
        client = f.Fixtures(plugin)
        with limb_of(client) as limb, limb_of(client, "other") as other:
            client.grow(limb, other)
            assert client.path(limb) == ["limb", "other"]
            with pytest.raises(rustbridge.FailedPreconditionError):
                client.grow(Twig("leaf"), None)
            client.grow(limb, None)
