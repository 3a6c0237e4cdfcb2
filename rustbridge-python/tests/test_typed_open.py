"""Typed clients' open enums, which may get more variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _backend
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

UNKNOWN = b"\xff\xff"


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


@pytest.fixture
def read(backend: Any) -> Callable[[str, bytes], Any]:
    """Give what reads a message that a method answers with, as the backend does."""

    def read_one(method: str, message: bytes) -> Any:
        ty = t._CLIENT_SCHEMA._types(method)[1]
        _, decode = t._CLIENT_SCHEMA._coders(_backend.choose(backend), ty)
        return decode(message)

    return read_one


def test_known_variants_go_through(types: t.Types) -> None:
    events: list[t.Event] = [t.EventCame(), t.EventMet([t.Person("Ada", 36)], t.Mood.GLAD), t.EventSaid("hi")]
    assert types.mood(t.Mood.GLAD) is t.Mood.GLAD
    assert types.events(events) == events


def test_what_is_not_known_is_read(read: Callable[[str, bytes], Any]) -> None:
    assert read("mood", UNKNOWN) is t.Mood.UNKNOWN
    assert read("mood", b"\x01\x00") is t.Mood.GLAD
    assert read("events", b"\x02\x00\x00\x00" + UNKNOWN + b"\x00\x00") == [t.EventUnknown(), t.EventCame()]
    for wrong in (b"\x09\x00", b"\x02\x00", b"\xfe\xff"):
        with pytest.raises(rustbridge.InternalError, match="Mood has no variant"):
            read("mood", wrong)
    # Enums that aren't open have none.
    with pytest.raises(rustbridge.InternalError, match="Color has no variant 65535"):
        read("color", UNKNOWN)


def test_what_is_not_known_is_not_written(types: t.Types) -> None:
    with pytest.raises(ValueError, match="mood: request: an unknown variant"):
        types.mood(t.Mood.UNKNOWN)
    with pytest.raises(ValueError, match=r"events: request\[1\]: an unknown variant"):
        types.events([t.EventCame(), t.EventUnknown()])
    with pytest.raises(ValueError, match=r"events: request\[0\]\.mood: an unknown variant"):
        types.events([t.EventMet([], t.Mood.UNKNOWN)])
