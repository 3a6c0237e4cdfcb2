"""Typed clients' objects: their methods, and messages that have them inside."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def test_an_object_has_methods_of_its_own(types: t.Types) -> None:
    with types.counter(40) as counter:
        assert isinstance(counter, t.Counter)
        assert counter.add(2) == 42
        assert counter.get() == 42
        assert list(counter.upto(45)) == [42, 43, 44]
        assert counter.admit([t.Person("Ada", 36)] * 3) == 45
        assert repr(counter) == "<Counter open>"
        assert counter.untyped.kind == "Counter"
        with pytest.raises(rustbridge.OutOfRangeError, match="don't fit together"):
            counter.add(2**63 - 1)
        reply = rustbridge.Reply()
        assert counter.add(0, options=rustbridge.CallOptions(timeout=60, reply=reply)) == 45
        assert reply.trailers == []
        with pytest.raises(ValueError, match=r"Counter\.add: request: an int from"):
            counter.add(2**63)
    assert counter.closed
    for call in (counter.get, lambda: counter.add(1), lambda: list(counter.upto(3)), lambda: counter.admit([])):
        with pytest.raises(ValueError, match="has been closed"):
            call()
    counter.close()


def test_an_objects_methods_are_awaited(types: t.Types) -> None:
    async def main() -> None:
        with types.counter(0) as counter:
            await asyncio.gather(*(counter.add_later_async(number) for number in range(100)))
            assert counter.get() == 4950
            assert await counter.admit_async([t.Person("Ada", 36)] * 50) == 5000
            assert [number async for number in counter.upto(5003)] == [5000, 5001, 5002]

    asyncio.run(main())


def test_objects_are_lent_alone_and_in_messages(types: t.Types) -> None:
    with types.counter(1) as one, types.counter(20) as other, types.counter(300) as third:
        assert one.absorb(other) == 21
        assert one.absorb(one) == 42
        assert types.total(t.Counters(one, [other, third], "some")) == 362
        # The same one in several places is lent once.
        assert types.total(t.Counters(other, [other, other], "")) == 60
        assert types.total(t.Counters(None, [], "")) == 0
    with types.counter(0) as still_open:
        closed = t.Counters(None, [still_open, other], "")
        with pytest.raises(ValueError, match=r"total: request\.others\[1\]: the Counter has been closed"):
            types.total(closed)
    wrong: Any = t.Counters(None, [1], "")  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"total: request\.others\[0\]: Counter is expected, not int"):
        types.total(wrong)


def test_objects_come_in_messages(types: t.Types) -> None:
    counters = types.counters([1, 20, 300])
    assert counters.first is not None
    assert [counters.first.get(), *[one.get() for one in counters.others]] == [1, 20, 300]
    assert types.total(counters) == 321
    for one in (counters.first, *counters.others):
        one.close()
    assert types.counters([]) == t.Counters(None, [], "all")


def test_an_answer_with_wrong_positions_releases_its_objects(types: t.Types) -> None:
    taker = t._CLIENT_SCHEMA._readers.taker({"list": {"object": "Counter"}})
    for message, why in (
        (b"\1\0\0\0\2\0\0\0", "object 2 is missing: 2 objects accompany the message"),
        (b"\2\0\0\0\0\0\0\0\0\0\0\0", "object 0 occurs twice in the message"),
        (b"\1\0\0\0\0", "items, but only"),
    ):
        objects = [types.counter(0).untyped for _ in range(2)]
        with pytest.raises(rustbridge.InternalError, match=why):
            taker(message, types, objects)
        assert all(one.closed for one in objects)
    objects = [types.counter(0).untyped for _ in range(2)]
    (taken,) = taker(b"\1\0\0\0\1\0\0\0", types, objects)
    assert objects[0].closed, "nothing speaks of it"
    assert taken.get() == 0
    taken.close()


def drop(types: t.Types) -> None:
    types.counter(1)
    gc.collect()


def test_one_that_is_dropped_warns(types: t.Types) -> None:
    with pytest.warns(ResourceWarning, match="was dropped without close"):
        drop(types)
