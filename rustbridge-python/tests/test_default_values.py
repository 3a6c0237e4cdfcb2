"""Fields and parameters with default values."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import fixtures_client as f
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = rustbridge.CallOptions(timeout=30)

ALL = f.Layout(
    "A",
    "Ada",
    width=1,
    offset=2,
    most=3,
    spacing=4.5,
    zoom=0.5,
    numbered=False,
    language="de",
    bullet="*",
    colour=f.Colour.RED,
    target=f.TargetFile("a.txt", overwrite=False),
    tags=["a"],
    margins=[1.0, 2.0],
    notes={"a": 1},
    picture=b"p",
    copies=9,
)


@pytest.fixture
def client(backend: str) -> Iterator[f.Fixtures]:
    with f.Fixtures.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend) as loaded:
        yield loaded


def test_a_record_has_the_default_values() -> None:
    layout = f.Layout("A")
    assert (layout.width, layout.offset, layout.most, layout.spacing, layout.zoom) == (80, -1, 2**64 - 1, 1.5, 0.25)
    assert (layout.numbered, layout.language, layout.bullet) == (True, "en", "-")
    assert (layout.colour, layout.target) == (f.Colour.DEEP_BLUE, f.TargetScreen())
    assert (layout.tags, layout.margins, layout.notes, layout.picture) == ([], [], {}, b"")
    assert (layout.author, layout.copies) == (None, 0)
    assert f.TargetFile("a.txt").overwrite


def test_a_default_list_is_not_shared() -> None:
    one, other = f.Layout("A"), f.Layout("B")
    one.tags.append("a")
    one.notes["a"] = 1
    assert (other.tags, other.notes) == ([], {})


def test_a_record_is_sent_with_no_some_and_all_values(client: f.Fixtures) -> None:
    for layout in (f.Layout("A"), f.Layout("A", language="de", tags=["a"]), ALL):
        assert client.layout(layout) == client.layout(layout=layout) == layout


def test_parameters_have_the_default_values(client: f.Fixtures) -> None:
    assert client.cut("abcdefgh") == "abcde... Green [] screen "
    assert client.cut("abcdefgh", 2) == "ab... Green [] screen "
    assert client.cut("abcdefgh", end="!", options=OPTIONS) == "abcde! Green [] screen "
    target = f.TargetFile("a.txt")
    everything = client.cut("abcdefgh", 3, "!", f.Colour.RED, ["a", "b"], target, "note", options=OPTIONS)
    assert everything == "abc! Red [a b] a.txt true note"
    assert client.countdown() == [3, 2, 1]
    assert client.countdown(1) == [1]
    assert client.countdown(options=OPTIONS) == [3, 2, 1]
    assert list(client.launch()) == [3, 2, 1]
    assert list(client.launch(2)) == [2, 1]
    assert asyncio.run(client.repeat_async("ab")) == "abab"
    assert client.repeat("ab", 3) == "ababab"


def test_the_signature_shows_the_values() -> None:
    parameters = inspect.signature(f.Fixtures.cut).parameters
    assert (parameters["limit"].default, parameters["limit"].annotation) == (5, "int")
    assert (parameters["end"].default, parameters["colour"].default) == ("...", f.Colour.GREEN)
    fields = {field.name: field for field in dataclasses.fields(f.Layout)}
    assert (fields["width"].default, fields["width"].type) == (80, "int")


def test_an_object_s_functions_have_the_default_values(client: f.Fixtures) -> None:
    with f.Brush(client) as brush, f.Brush(client, 7) as wide:
        assert (brush.wider(), brush.wider(4), wide.wider()) == (4, 7, 8)
    assert f.Brush.strokes(client, 10) == 4
    assert f.Brush.strokes(client, 10, 5) == 2


def test_a_value_of_another_type_is_refused(client: f.Fixtures) -> None:
    with pytest.raises(ValueError, match="limit"):
        client.cut("abc", -1)
    with pytest.raises(ValueError, match="width"):
        client.layout(dataclasses.replace(ALL, width=2**16))


def test_none_is_refused_for_a_parameter_that_is_no_option(client: f.Fixtures) -> None:
    nothing: Any = None
    for call in (
        lambda: client.cut("abc", nothing),
        lambda: client.cut("abc", limit=nothing, options=OPTIONS),
        lambda: client.countdown(nothing),
        lambda: client.launch(nothing),
        lambda: asyncio.run(client.repeat_async("ab", nothing)),
        lambda: f.Brush(client, nothing),
        lambda: f.Brush.strokes(client, 10, nothing),
    ):
        with pytest.raises(TypeError, match=r"(limit|from|times|width): an int is expected, not NoneType"):
            call()
    for name, expected in (("end", "a str"), ("colour", "Colour"), ("target", "a variant of Target")):
        with pytest.raises(TypeError, match=rf"{name}: {expected} is expected, not NoneType"):
            client.cut("abc", **{name: nothing})
    assert client.cut("abc", tags=None, note=None) == "abc... Green [] screen "
    with pytest.raises(TypeError, match="width: an int is expected, not NoneType"):
        client.layout(dataclasses.replace(ALL, width=nothing))
