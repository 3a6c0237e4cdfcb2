"""Typed clients' asynchronous calls and streams."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    Load = Callable[..., rustbridge.Plugin]

ADA = t.Person("Ada", 36, "ada@example.org")
SHAPES: list[t.Shape] = [
    t.ShapeNothing(),
    t.ShapeCircle(2.5),
    t.ShapePolygon([t.Point(0.0, 1.0), t.Point(2.0, 3.0)]),
]


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def people(count: int) -> Iterator[t.Person]:
    return (t.Person(f"person {number}", number) for number in range(count))


async def one_by_one(items: Any) -> AsyncIterator[Any]:
    for item in items:
        await asyncio.sleep(0)
        yield item


def test_an_async_handler_is_called_and_awaited(types: t.Types) -> None:
    assert types.later(ADA) == ADA

    async def main() -> list[t.Person]:
        return await asyncio.gather(*(types.later_async(person) for person in people(50)))

    assert asyncio.run(main()) == list(people(50))

    async def refused() -> None:
        with pytest.raises(rustbridge.InvalidArgumentError, match="nobody can't be told apart"):
            await types.later_async(t.Person("", 1))
        with pytest.raises(TypeError, match=r"later: request\.age: an int is expected, not str"):
            await types.later_async(t.Person("Ada", "old"))  # type: ignore[arg-type]

    asyncio.run(refused())


def test_a_stream_gives_values_to_both_kinds_of_loops(types: t.Types) -> None:
    expected = [t.Person("Ada", 36 + years, "ada@example.org") for years in range(1000)]
    assert list(types.repeat(t.Repeat(ADA, 1000))) == expected
    assert list(types.repeat(t.Repeat(ADA, 0))) == []

    async def main() -> list[t.Person]:
        return [person async for person in types.repeat(t.Repeat(ADA, 1000))]

    assert asyncio.run(main()) == expected
    with types.repeat(t.Repeat(ADA, 1000)) as stream:
        assert next(stream) == expected[0]
    batches = [batch for batch in types.repeat(t.Repeat(ADA, 1000)).batches()]  # noqa: C416
    assert [person for batch in batches for person in batch] == expected


def test_a_stream_that_breaks_off_gives_its_items_first(types: t.Types) -> None:
    stream = types.repeat(t.Repeat(t.Person("Ada", 2**32 - 3), 10))
    assert [next(stream).age for _ in range(3)] == [2**32 - 3, 2**32 - 2, 2**32 - 1]
    with pytest.raises(rustbridge.OutOfRangeError, match="nobody gets so old"):
        next(stream)


def test_a_request_of_a_stream_is_checked_before_it_begins(types: t.Types) -> None:
    with pytest.raises(ValueError, match=r"repeat: request\.times: an int from 0 to 4294967295 is expected, not -1"):
        types.repeat(t.Repeat(ADA, -1))


def test_items_are_sent_and_answered(types: t.Types) -> None:
    assert types.collect(people(1000), 5) == t.PagePerson(list(people(1000)), 1005)
    assert types.collect([], 0) == t.PagePerson([], 0)

    async def main() -> None:
        for items in (people(100), one_by_one(people(100))):
            assert await types.collect_async(items, 1) == t.PagePerson(list(people(100)), 101)

    asyncio.run(main())


def test_an_item_that_doesnt_fit_is_told_and_ends_the_stream(types: t.Types) -> None:
    wrong: Any = [ADA, t.Person("Ada", -1)]
    with pytest.raises(ValueError, match=r"collect: items\[1\]\.age: an int from 0 to 4294967295"):
        types.collect(wrong, 0)

    async def main() -> None:
        for items in (wrong, one_by_one(wrong)):
            with pytest.raises(ValueError, match=r"collect: items\[1\]\.age"):
                await types.collect_async(items, 0)

    asyncio.run(main())
    with pytest.raises(TypeError, match=r"collect: request: an int is expected, not str"):
        types.collect([ADA], "none")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not iterable"):
        types.collect(ADA, 0)  # type: ignore[arg-type]
    assert types.collect([ADA], 0).total == 1


def test_items_go_both_ways(types: t.Types) -> None:
    assert list(types.reshape(SHAPES * 100)) == SHAPES * 100

    async def main() -> None:
        for items in (SHAPES * 100, one_by_one(SHAPES * 100)):
            assert [shape async for shape in types.reshape(items)] == SHAPES * 100

    asyncio.run(main())
    wrong: Any = [t.ShapeCircle(1.0), ADA]
    with pytest.raises(TypeError, match=r"reshape: items\[1\]: a variant of Shape is expected, not Person"):
        list(types.reshape(wrong))
    # What has ended that way is closed, so nobody is warned of it.
    gc.collect()


def test_options_go_along(types: t.Types) -> None:
    soon, over = rustbridge.CallOptions(timeout=60), rustbridge.CallOptions(timeout=0)
    assert types.person(ADA, options=soon) == ADA
    assert list(types.repeat(t.Repeat(ADA, 1), options=soon)) == [ADA]
    assert types.collect([ADA], 0, options=soon).total == 1
    assert list(types.reshape(SHAPES, options=soon)) == SHAPES
    for call in (
        lambda: types.later(ADA, options=over),
        lambda: asyncio.run(later(types, over)),
        lambda: types.collect([ADA], 0, options=over),
        lambda: list(types.repeat(t.Repeat(ADA, 1), options=over)),
        lambda: list(types.reshape(SHAPES, options=over)),
    ):
        with pytest.raises(rustbridge.DeadlineExceededError):
            call()


async def later(types: t.Types, options: rustbridge.CallOptions) -> t.Person:
    return await types.later_async(ADA, options=options)
