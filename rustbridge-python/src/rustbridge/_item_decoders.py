"""Decoders of the batches in which a stream's items arrive."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, TypeVar

from . import _calls, _objects
from ._constants import METHOD_OBJECTS
from ._json import codec

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._method import Method
    from ._plugin import Plugin

T = TypeVar("T")


def _split(payload: bytes, count: int, ends: tuple[int, ...] | None) -> list[bytes]:
    if ends is None:
        size = len(payload) // count
        return [payload[at : at + size] for at in range(0, len(payload), size)] if size else [b""] * count
    return [payload[start:end] for start, end in zip((0, *ends), ends, strict=False)]


def _bytes(payload: bytes, count: int, ends: tuple[int, ...] | None, objects: tuple[int, ...] | None) -> list[Any]:
    del objects
    return _split(payload, count, ends)


def _json(payload: bytes, count: int, ends: tuple[int, ...] | None, objects: tuple[int, ...] | None) -> list[Any]:
    del objects
    return [codec.loads(item) for item in _split(payload, count, ends)]


def of(plugin: Plugin | None, method: Method, into: type[Any] | None, is_json: bool) -> Any:
    """Return a function that converts a batch to values, by the method's encoding."""
    if into is not None:
        size = ctypes.sizeof(into)
        read = into.from_buffer_copy

        def structures(payload: bytes, count: int, ends: Any, objects: Any) -> list[Any]:
            _calls.release(method._backend, objects)
            items = len(payload) if ends is None else ends[-1]
            if items != count * size:
                raise ValueError(
                    f"items of {method.name!r} have {items // count} bytes, but {into.__name__} has {size}"
                )
            return [read(payload, at) for at in range(0, items, size)]

        return structures
    if not method._flags & METHOD_OBJECTS:
        return _json if is_json else _bytes

    def with_objects(payload: bytes, count: int, ends: Any, objects: Any) -> list[Any]:
        numbers = objects or ()
        each = len(numbers) // count
        try:
            items = _bytes(payload, count, ends, None)
            values = [codec.loads(item) for item in items] if is_json else items
        except BaseException:
            _calls.release(method._backend, numbers)
            raise
        if not each or plugin is None:
            _calls.release(method._backend, numbers)
            return values
        placed: list[Any] = []
        try:
            for value in values:
                beside = numbers[len(placed) * each :][:each]
                if is_json:
                    placed.append(_objects.place(plugin, method, value, beside, None, True))
                else:
                    placed.append((value, [_objects.Object(plugin, number, "") for number in beside]))
        except BaseException:
            # Those beside the value that has no place are released already.
            _objects.close_all(placed)
            _calls.release(method._backend, numbers[(len(placed) + 1) * each :])
            raise
        return placed

    return with_objects


def by(read: Callable[[bytes], T]) -> Any:
    """Return a function that converts a batch to values, each by `read`."""

    def decode(payload: bytes, count: int, ends: tuple[int, ...] | None, objects: tuple[int, ...] | None) -> list[T]:
        del objects
        return [read(item) for item in _split(payload, count, ends)]

    return decode
