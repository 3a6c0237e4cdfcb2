"""The classes of objects: constructors, associated functions and properties."""

from __future__ import annotations

import asyncio
import pickle
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

import rustbridge
from rustbridge import typed
from tests.clients import fixtures_client as f
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = rustbridge.CallOptions(timeout=30)
HERE, OUTSIDE = f.Spot(1.0, 2.0), f.Spot(-1.0, 2.0)


@pytest.fixture
def client(backend: str) -> Iterator[f.Fixtures]:
    with f.Fixtures.load(plugin_path("fixtures-plugin"), log_level=rustbridge.OFF, backend=backend) as loaded:
        yield loaded


def test_a_class_creates_objects(client: f.Fixtures) -> None:
    with f.Sprite(client, "Ada") as sprite:
        assert type(sprite) is f.Sprite
        assert (sprite.name, sprite.spot) == ("Ada", f.Spot(0.0, 0.0))
    assert sprite.closed
    with (
        f.Sprite(client, "Bob", HERE, options=OPTIONS) as sprite,
        f.Sprite(client, name="Eve", options=OPTIONS) as other,
    ):
        assert (sprite.spot, other.spot) == (HERE, f.Spot(0.0, 0.0))
        assert sprite.move_by(HERE) == f.Spot(2.0, 4.0)


def test_a_constructor_fails_with_the_typed_error(client: f.Fixtures) -> None:
    for options in (None, OPTIONS):
        with pytest.raises(f.SpriteException) as raised:
            f.Sprite(client, "", options=options)
        assert raised.value.error == f.SpriteErrorUnnamed()
        assert isinstance(raised.value, rustbridge.InvalidArgumentError)
        with pytest.raises(f.SpriteException, match="needs a name"):
            f.Sprite.load(client, "", options=options)


def test_an_error_has_the_typed_error_that_caused_it(client: f.Fixtures) -> None:
    assert client.print("Ada", HERE, "3") == 3
    with pytest.raises(f.PrintException, match="outside the picture") as raised:
        client.print("Ada", OUTSIDE, "3")
    assert raised.value.error == f.PrintErrorSprite("Ada", f.SpriteErrorOutside(-1.0, 2.0))
    assert isinstance(raised.value, rustbridge.FailedPreconditionError)
    with pytest.raises(f.PrintException) as raised:
        client.print("Ada", HERE, "many")
    assert raised.value.error == f.PrintErrorCopies("many", "invalid digit found in string")


def test_the_error_of_a_stream_is_the_typed_one(client: f.Fixtures) -> None:
    seen: list[int] = []
    with client.browse(8, 1) as pages, pytest.raises(f.TurnLastException) as last:
        seen.extend(pages)
    assert seen == [9, 10]
    assert last.value.error is f.TurnError.LAST
    with client.browse(11, 1) as pages, pytest.raises(f.TurnLastException):
        next(pages)
    with client.follow([3, -9], 2) as pages, pytest.raises(f.TurnFirstException) as first:
        seen.extend(pages)
    assert seen == [9, 10, 5]
    assert first.value.error is f.TurnError.FIRST

    async def follow() -> None:
        async with client.follow([-9], 2) as pages:
            seen.extend([page async for page in pages])

    with pytest.raises(f.TurnFirstException):
        asyncio.run(follow())


def test_decimal_numbers_keep_their_digits(client: f.Fixtures) -> None:
    bill = client.bill(Decimal("99.90"), Decimal(19))
    assert bill == f.Bill(Decimal("99.90"), Decimal("18.98"), Decimal("118.88"))
    assert str(client.bill(Decimal("-1E2"), Decimal("0.00")).net) == "-100"
    for number in ("NaN", "-Infinity", "1E9999", "1E-9999"):
        with pytest.raises(ValueError, match=r"bill: request\.net: a finite number of at most 1000 characters"):
            client.bill(Decimal(number), Decimal(1))
    with pytest.raises(
        TypeError, match=r'bill: request\.net: a Decimal such as Decimal\("1\.50"\) is expected, not float'
    ):
        client.bill(99.9, Decimal(19))  # type: ignore[arg-type]
    with pytest.raises(rustbridge.InvalidArgumentError, match="at most 28 digits"):
        client.bill(Decimal(10) ** 30, Decimal(1))


def test_a_variant_of_an_error_may_have_an_exception_of_its_own(client: f.Fixtures) -> None:
    with pytest.raises(f.SpriteUnnamedException) as unnamed:
        f.Sprite(client, "")
    assert isinstance(unnamed.value, (f.SpriteException, rustbridge.InvalidArgumentError))
    with f.Sprite(client, "Ada") as sprite, pytest.raises(f.SpriteOutsideException) as outside:
        sprite.spot = OUTSIDE
    assert (outside.value.error.x, outside.value.error.y) == (-1.0, 2.0)
    assert f.SpriteOutsideException.__doc__ == "The place is outside the picture."
    again = pickle.loads(pickle.dumps(outside.value))
    assert type(again) is type(outside.value)
    assert again.error == outside.value.error
    with pytest.raises(TypeError, match=r"SpriteOutsideException: .*\(SpriteErrorOutside\), not SpriteErrorUnnamed"):
        f.SpriteOutsideException(f.SpriteErrorUnnamed())


def test_a_variant_without_data_may_have_an_exception_of_its_own(client: f.Fixtures) -> None:
    assert client.turn(3, -1) == 2
    for by, of, error in (
        (-3, f.TurnFirstException, f.TurnError.FIRST),
        (8, f.TurnLastException, f.TurnError.LAST),
    ):
        with pytest.raises(of) as raised:
            client.turn(3, by)
        assert raised.value.error is error
        assert isinstance(raised.value, f.TurnException)
    assert f.TurnLastException(f.TurnError.LAST).error is f.TurnError.LAST
    expected = r"\(TurnError\.LAST\), not TurnError\.FIRST: .* TurnLastException\(TurnError\.LAST"
    with pytest.raises(TypeError, match=expected):
        f.TurnLastException(f.TurnError.FIRST)


def test_other_constructors_are_class_methods(client: f.Fixtures) -> None:
    with f.Sprite(client, "Ada", HERE) as sprite:
        for options in (None, OPTIONS):
            with f.Sprite.new_relative_to(client, sprite, "Bob", HERE, options=options) as next_to_it:
                assert type(next_to_it) is f.Sprite
                assert (next_to_it.name, next_to_it.spot) == ("Bob", f.Spot(2.0, 4.0))
        with pytest.raises(f.SpriteException) as raised:
            f.Sprite.new_relative_to(client, sprite, "Bob", f.Spot(-3.0, 0.0))
        assert raised.value.error == f.SpriteErrorOutside(-2.0, 2.0)
    with f.Sprite.load(client, "Eve") as loaded:
        assert loaded.name == "Eve"


def test_an_asynchronous_constructor_is_awaited(client: f.Fixtures) -> None:
    async def load() -> None:
        with await f.Sprite.load_async(client, "Ada") as sprite:
            assert type(sprite) is f.Sprite
            assert sprite.name == "Ada"
        with pytest.raises(f.SpriteException) as raised:
            await f.Sprite.load_async(client, "", options=OPTIONS)
        assert raised.value.error == f.SpriteErrorUnnamed()

    asyncio.run(load())


def test_associated_functions_are_static(client: f.Fixtures) -> None:
    for options in (None, OPTIONS):
        assert f.Sprite.size(client, options=options) == f.Spot(16.0, 32.0)
        assert f.Sprite.distance(client, f.Spot(0.0, 0.0), to=f.Spot(3.0, 4.0), options=options) == 5.0
    assert not hasattr(client, "sprite_new")
    assert not hasattr(client, "sprite_size")


def test_properties_are_read_and_set(client: f.Fixtures) -> None:
    with f.Sprite(client, "Ada") as sprite:
        sprite.spot = HERE
        assert sprite.spot == HERE
        with pytest.raises(f.SpriteException) as raised:
            sprite.spot = OUTSIDE
        assert raised.value.error == f.SpriteErrorOutside(-1.0, 2.0)
        assert isinstance(raised.value, rustbridge.OutOfRangeError)
        assert sprite.spot == HERE
        with pytest.raises(AttributeError):
            sprite.name = "Bob"  # type: ignore[misc]
        with pytest.raises(TypeError, match="Spot"):
            sprite.spot = "here"  # type: ignore[assignment]
    with pytest.raises(ValueError, match="the object Sprite has been closed"):
        _ = sprite.spot


def test_a_subclass_has_the_constructors(client: f.Fixtures) -> None:
    class Hero(f.Sprite):
        __slots__ = ("strength",)

        def __init__(self, client: f.Fixtures, strength: int) -> None:
            super().__init__(client, "Hero", HERE)
            self.strength = strength

    with Hero(client, 7) as hero, Hero.load(client, "Bob") as loaded:
        assert (hero.name, hero.strength) == ("Hero", 7)
        assert isinstance(loaded, Hero)
        assert loaded.name == "Bob"
        with Hero.new_relative_to(client, hero, "Eve", HERE) as other:
            assert other.spot == f.Spot(2.0, 4.0)


def test_an_object_without_a_constructor_is_only_received(client: f.Fixtures) -> None:
    for of in (f.NodeObject, typed.Object):
        with pytest.raises(TypeError, match="has no constructor"):
            of(client)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        f.Sprite(client)  # type: ignore[call-arg]


def test_objects_that_are_dropped_are_released_with_a_warning(client: f.Fixtures) -> None:
    sprites = [f.Sprite(client, "Ada")]
    assert sprites[0].name == "Ada"
    with pytest.warns(ResourceWarning):
        sprites.clear()
