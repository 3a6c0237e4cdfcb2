"""JSON for ``call(name, obj)``: orjson or msgspec where installed, else the standard library.

All three refuse what has no JSON form with a ``TypeError`` or ``ValueError``. The two fast ones write NaN and the
infinities as null, which the standard library refuses here rather than write text no JSON parser accepts.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Codec(NamedTuple):
    """A way to write and read JSON as UTF-8 bytes."""

    name: str
    dumps: Callable[[Any], bytes]
    loads: Callable[[bytes], Any]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form: pass dicts, lists, text, numbers, booleans or None")


def _standard() -> Codec:
    # `json.dumps` with options builds an encoder at each call; one kept is twice as fast.
    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_plain).encode

    def dumps(value: Any) -> bytes:
        return encode(value).encode()

    return Codec("json", dumps, json.loads)


def _orjson() -> Codec:
    module = importlib.import_module("orjson")
    return Codec("orjson", module.dumps, module.loads)


def _msgspec() -> Codec:
    module = importlib.import_module("msgspec.json")
    return Codec("msgspec", module.Encoder().encode, module.Decoder().decode)


_MAKERS = {"orjson": _orjson, "msgspec": _msgspec, "json": _standard}


def choose(name: str | None = None) -> Codec:
    """Give the codec of that name, or of ``RUSTBRIDGE_JSON``, or the fastest that is installed."""
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
