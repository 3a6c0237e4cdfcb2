"""The traits of objects: their text, equality, hash, order, length and items."""

from __future__ import annotations

import asyncio
import gc
import warnings
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import fixtures_client as f
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOOKS = ["Emma", "Ivanhoe", "Ulysses"]


def loaded(backend: str) -> f.Fixtures:
    return f.Fixtures.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend)


@pytest.fixture
def client(backend: str) -> Iterator[f.Fixtures]:
    with loaded(backend) as client:
        yield client


@pytest.fixture
def shelf(client: f.Fixtures) -> Iterator[Callable[..., f.Shelf]]:
    with ExitStack() as stack:
        yield lambda label="novels", books=BOOKS: stack.enter_context(f.Shelf(client, label, books))


def test_the_texts_are_those_of_the_plugin(shelf: Callable[..., f.Shelf]) -> None:
    one = shelf()
    assert str(one) == "novels: Emma, Ivanhoe, Ulysses"
    assert f"{one}" == str(one)
    assert repr(one) == 'Shelf { label: "novels", books: ["Emma", "Ivanhoe", "Ulysses"] }'


def test_a_text_that_fails_states_the_error(shelf: Callable[..., f.Shelf]) -> None:
    smudged = shelf("smudged", [])
    assert str(smudged).startswith("<Shelf: INTERNAL")
    assert str(smudged).endswith(": the object has no text: its `Display::fmt` returned an error>")
    assert repr(smudged) == 'Shelf { label: "smudged", books: [] }'
    smudged.close()
    assert str(smudged) == repr(smudged) == "<Shelf: the object Shelf has been closed>"


def test_handles_are_equal_if_their_objects_are(client: f.Fixtures, shelf: Callable[..., f.Shelf]) -> None:
    one, equal, other = shelf(), shelf(), shelf("poems")
    with f.Shelf.again(client, one) as again:
        assert one == again
        assert one <= again
    assert one == equal
    assert one != other
    assert one != "novels: Emma, Ivanhoe, Ulysses"
    with f.Mark(client, 1.0) as mark:
        assert one != mark


def test_objects_of_another_instance_are_unequal_and_have_no_order(backend: str, shelf: Callable[..., f.Shelf]) -> None:
    one = shelf()
    with loaded(backend) as another, f.Shelf(another, "novels", BOOKS) as foreign:
        assert one != foreign
        assert hash(one) == hash(foreign)
        with pytest.raises(ValueError, match="different instances have no order"):
            assert one < foreign


def test_a_closed_object_equals_itself_alone(shelf: Callable[..., f.Shelf]) -> None:
    one, closed = shelf(), shelf()
    closed.close()
    assert closed == closed  # noqa: PLR0124
    operations: list[Callable[[], Any]] = [
        lambda: one == closed,
        lambda: closed == one,
        lambda: closed < one,
        lambda: hash(closed),
        lambda: len(closed),
        lambda: list(closed),
    ]
    for operation in operations:
        with pytest.raises(ValueError, match="has been closed"):
            operation()


def test_objects_are_keys_of_dictionaries(client: f.Fixtures, shelf: Callable[..., f.Shelf]) -> None:
    one, other = shelf(), shelf("poems")
    places = {one: 1, other: 2}
    with f.Shelf.again(client, one) as again:
        assert places[again] == 1
        assert {one, again, other, shelf()} == {one, other}
    assert shelf("plays") not in places


def test_objects_without_a_hash_are_unhashable(client: f.Fixtures) -> None:
    with f.Mark(client, 1.0) as one, f.Mark(client, 1.0) as equal, f.Mark(client, float("nan")) as nowhere:
        assert one == equal
        assert one != nowhere
        assert nowhere == nowhere  # noqa: PLR0124
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
        assert repr(one) == "<Mark open>"


def test_objects_are_sorted(shelf: Callable[..., f.Shelf]) -> None:
    labels = ["c", "a", "d", "b"]
    assert [one.label for one in sorted(map(shelf, labels))] == ["a", "b", "c", "d"]
    fewer, more = shelf(books=["Emma"]), shelf(books=["Emma", "Ivanhoe"])
    assert fewer < more
    assert fewer <= more
    assert more > fewer
    assert more >= fewer
    assert fewer <= shelf(books=["Emma"])
    with pytest.raises(TypeError):
        assert fewer < 1


def test_objects_have_a_length_and_items(shelf: Callable[..., f.Shelf]) -> None:
    one = shelf()
    assert len(one) == one.len() == 3
    assert [*one] == [*one] == BOOKS
    assert "Emma" in one
    empty = shelf(books=[])
    assert len(empty) == 0
    assert not [*empty]


def test_a_loop_that_is_left_early_cancels_its_call(client: f.Fixtures, shelf: Callable[..., f.Shelf]) -> None:
    one = shelf(books=[f"volume {number}" for number in range(5000)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for book in one:
            assert book == "volume 0"
            break
        gc.collect()
    client.close()


def test_items_are_awaited(shelf: Callable[..., f.Shelf]) -> None:
    async def read() -> list[str]:
        return [book async for book in shelf()]

    assert asyncio.run(read()) == BOOKS
