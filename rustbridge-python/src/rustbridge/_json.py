"""JSON for ``call(name, obj)``: orjson or msgspec if installed, otherwise the standard library.

All three raise ``TypeError`` or ``ValueError`` for values without a JSON form. These include NaN and the infinities.
orjson and msgspec alone would write them as null, which a plugin would read as a missing field. To send null in their
place, write the text yourself and use ``call_json``.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Codec(NamedTuple):
    """A way to write and read JSON as UTF-8 bytes."""

    name: str
    dumps: Callable[[Any], bytes]
    loads: Callable[[bytes], Any]
    #: As `dumps`, with a function that gives something else for what has no JSON form.
    dumps_with: Callable[[Any, Callable[[Any], Any]], bytes]
    #: What is given for such values otherwise: a `TypeError`, but for those that the codec has a form of.
    plain: Callable[[Any], Any]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    from decimal import Decimal  # noqa: PLC0415  # Only an error needs it.

    if isinstance(value, Decimal):
        raise TypeError('a Decimal can\'t be written as JSON: pass its text, format(value, "f")')
    raise TypeError(
        f"{type(value).__name__} can't be written as JSON: pass dicts, lists, text, numbers, booleans or None"
    )


def _not_numbers(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of floats that JSON can't represent, in all containers that one of the codecs supports."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield f"{path} is {value}"
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _not_numbers(one, f"{path}.{name}")
    elif isinstance(value, (list, tuple, set, frozenset)):
        for index, one in enumerate(value):
            yield from _not_numbers(one, f"{path}[{index}]")
    elif isinstance(value, enum.Enum):
        yield from _not_numbers(value.value, path)
    elif not isinstance(value, (str, int, bytes, type(None))):
        # Dataclasses, without what belongs to the class, attrs' classes, and msgspec's structs.
        kind = type(value)
        fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else getattr(kind, "__attrs_attrs__", ())
        for name in getattr(kind, "__struct_fields__", None) or [field.name for field in fields]:
            yield from _not_numbers(getattr(value, name, None), f"{path}.{name}")


def _refuse_not_numbers(value: Any) -> None:
    for found in _not_numbers(value, "$"):
        raise ValueError(
            f"{found}, which JSON can't represent: leave the field out, pass None, or write the text for call_json"
        )


def _strict(
    name: str,
    encode: Callable[[Any], bytes],
    loads: Callable[[bytes], Any],
    encode_with: Callable[[Any, Callable[[Any], Any]], bytes],
) -> Codec:
    """Refuse values that an encoder writes as null, such as NaN. Only a text that contains a null is checked."""

    def dumps(value: Any) -> bytes:
        text = encode(value)
        if b"null" in text and value is not None:
            _refuse_not_numbers(value)
        return text

    def dumps_with(value: Any, default: Callable[[Any], Any]) -> bytes:
        text = encode_with(value, default)
        if b"null" in text:
            _refuse_not_numbers(value)
        return text

    return Codec(name, dumps, loads, dumps_with, _plain)


def _standard() -> Codec:
    # `json.dumps` with options builds an encoder at each call; one kept is twice as fast.
    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_plain).encode

    def dumps(value: Any) -> bytes:
        try:
            return encode(value).encode()
        except ValueError as error:
            # Says which. A circle, which has no end, and a lone surrogate are the encoder's to tell of.
            if "float" in str(error):
                _refuse_not_numbers(value)
            raise

    def dumps_with(value: Any, default: Callable[[Any], Any]) -> bytes:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=default).encode()

    return Codec("json", dumps, json.loads, dumps_with, _plain)


def _orjson() -> Codec:
    # By a statement, as those below: what makes a program of one file finds modules by these.
    import orjson  # noqa: PLC0415

    def dumps_with(value: Any, default: Callable[[Any], Any]) -> bytes:
        try:
            return orjson.dumps(value, default=default)
        except TypeError as error:
            # It hides what the function has raised.
            raise error.__cause__ or error from None

    return _strict("orjson", orjson.dumps, orjson.loads, dumps_with)


def _msgspec() -> Codec:
    from msgspec import json as module  # noqa: PLC0415

    def dumps_with(value: Any, default: Callable[[Any], Any]) -> bytes:
        return module.Encoder(enc_hook=default).encode(value)

    return _strict("msgspec", module.Encoder().encode, module.Decoder().decode, dumps_with)


_MAKERS = {"orjson": _orjson, "msgspec": _msgspec, "json": _standard}


def choose(name: str | None = None) -> Codec:
    """Return the codec of that name, or that ``RUSTBRIDGE_JSON`` names, or the fastest that is installed."""
    name = name or os.environ.get("RUSTBRIDGE_JSON") or None
    if name is not None:
        if name not in _MAKERS:
            raise ImportError(f"RUSTBRIDGE_JSON is {name!r}: expected one of {', '.join(_MAKERS)}")
        return _MAKERS[name]()
    for maker in (_orjson, _msgspec):
        try:
            return maker()
        except ImportError:
            continue
    return _standard()


codec = choose()
