"""Types of two plugins: the client of ``gallery-plugin`` uses the types of the client of ``fixtures-plugin``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import rustbridge
from tests.clients import fixtures_client as f
from tests.clients import gallery_client as g
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAME = f.Frame(
    (f.Spot(1.0, 2.0), f.Spot(3.0, 4.0)),
    f.OutlinePolygon([f.Spot(1.0, 2.0)]),
    {"top": f.Colour.DEEP_BLUE},
    "The sea",
)


@pytest.fixture
def fixtures(backend: str) -> Iterator[f.Fixtures]:
    with f.Fixtures.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend) as client:
        yield client


@pytest.fixture
def gallery(backend: str) -> Iterator[g.Gallery]:
    with g.Gallery.load(plugin_path("gallery-plugin"), log_level=rustbridge.OFF, backend=backend) as client:
        yield client


def test_the_classes_are_the_same_if_the_types_are() -> None:
    assert g.Frame is f.Frame
    assert g.SpriteException is f.SpriteException
    assert g.Bill is not f.Bill  # type: ignore[comparison-overlap]


def test_values_of_one_plugin_are_passed_to_another(fixtures: f.Fixtures, gallery: g.Gallery) -> None:
    corner = gallery.hang(fixtures.turned_frame(FRAME))
    assert corner == f.Spot(3.0, 4.0)
    (hung,) = gallery.with_colour(f.Colour.DEEP_BLUE)
    assert fixtures.turned_frame(hung) == FRAME
    assert gallery.around([corner]) == g.OutlineCircle(corner, 1.0)
    assert gallery.bill(2) == g.Bill(1000)


def test_exceptions_of_one_plugin_are_those_of_another(fixtures: f.Fixtures, gallery: g.Gallery) -> None:
    outside = f.Frame((f.Spot(-1.0, 2.0), f.Spot(3.0, 4.0)), f.OutlineOpen(), {})
    with pytest.raises(f.SpriteOutsideException) as caught:
        gallery.hang(outside)
    assert caught.value.error == f.SpriteErrorOutside(-1.0, 2.0)

    def guard(person: g.Person, to: g.Spot) -> g.Spot:
        assert person.age == 36
        f.Sprite(fixtures, "")
        return to

    # The host raises an exception of one plugin to the other, which returns it.
    with pytest.raises(g.SpriteUnnamedException) as unnamed:
        gallery.visit(f.Person("Ada", 36), f.Spot(1.0, 1.0), guard)
    assert unnamed.value.status == rustbridge.Status.INVALID_ARGUMENT
    assert unnamed.value.error == f.SpriteErrorUnnamed()
