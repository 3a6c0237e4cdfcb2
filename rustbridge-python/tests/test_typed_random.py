"""Of random types, values fit and unfit, and spoiled messages, the extension makes nothing else than Python does."""

from __future__ import annotations

import array
import collections
import contextlib
import enum
import math
import random
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

import rustbridge
from rustbridge import typed
from tests.children import SOAK
from tests.clients import types_client as t
from tests.plugins import BACKENDS

if "native" not in BACKENDS:
    pytest.skip("the extension isn't under test", allow_module_level=True)

from rustbridge._native_backend import codec as native_codec
from rustbridge._wire_read import Readers
from rustbridge._wire_types import NUMBERS, UnfitError
from rustbridge._wire_write import Writers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: How many types are tried; for each, so many values and so many spoiled messages of each.
TYPES = 60 * SOAK
VALUES = 12
SPOILED = 12

SIZES = t._CLIENT_SCHEMA.sizes
REFS = [number for number in range(len(SIZES.definitions)) if not SIZES.has_objects({"ref": number})]
LEAVES = ["unit", "bool", "char", "string", "bytes", "any", "u128", "i128", "timestamp", "duration", "uuid"]
LEAVES += [*NUMBERS, "f32", "f64"] * 2
KEYS = ["string", "bool", "char", "uuid", "u128", *NUMBERS]


class Age(enum.IntEnum):
    """Numbers that aren't exactly that."""

    YOUNG = 7


class Name(str):
    """Text that isn't exactly that."""

    __slots__ = ()


class Index:
    """What can be taken for a number."""

    def __index__(self) -> int:
        return 5


class LeftToPythonError(Exception):
    """The extension has left it to Python."""


def refuse(_: Any) -> Any:
    raise LeftToPythonError


def random_type(chance: random.Random, depth: int = 0) -> Any:  # noqa: PLR0911
    kind = chance.choice(
        ["leaf", "leaf", "list", "list", "array", "map", "option", "tuple", "ref"] if depth < 4 else ["leaf"]
    )
    if kind == "ref":
        return {"ref": chance.choice(REFS)}
    if kind == "list":
        item = random_type(chance, depth + 1)
        return {"list": item if SIZES.size(item)[0] else "string"}
    if kind == "array":
        return {"array": [random_type(chance, depth + 1), chance.randrange(4)]}
    if kind == "map":
        return {"map": [chance.choice(KEYS), random_type(chance, depth + 1)]}
    if kind == "option":
        item = random_type(chance, depth + 1)
        return item if isinstance(item, dict) and "option" in item else {"option": item}
    if kind == "tuple":
        return {"tuple": [random_type(chance, depth + 1) for _ in range(chance.randrange(4))]}
    return chance.choice(LEAVES)


def strange(chance: random.Random) -> Any:
    """Give what may fit nowhere, or where nobody expects it."""
    return chance.choice(
        [
            None, True, False, 0, 1, -1, 255, 256, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64,
            -(2**63), -(2**63) - 1,
            2**127, 2**128, 2**2000, 0.0, -0.0, 1.5, math.nan, -math.nan, math.inf, -math.inf, 1e39, 2.0**128,
            "", "a", "\0", "ab", "\ud800", "a\udfff", "\U0010ffff", "ä€😀", Name("n"), Name("name"), Age.YOUNG, Index(),
            b"", b"bytes", bytearray(b"12345678"), memoryview(b"12345678"), memoryview(b"1234")[::2],
            array.array("d", [1.0, -0.0]), array.array("q", [1, -1]), array.array("B", b"12"), array.array("f", [1.5]),
            array.array("l", [1]), memoryview(array.array("i", [1, 2])), memoryview(bytes(8)).cast("B", [2, 4]),
            [], (), {}, [1], [None], (1,), (1.0, 2.0), [True], {"a": 1}, {1: 2}, {Name("n"): 1}, {"\ud800": 1},
            collections.OrderedDict(a=1), collections.deque([1, 2]), range(3), {1, 2}, object, object(), iter([1]),
            typed.DEFAULT, Ellipsis, t.Point(1.0, 2.0), *list(t.Color)[:1], t.ExprNumber(1.0), t.ExprNumber,
            datetime(2020, 1, 1), datetime(1, 1, 1, tzinfo=timezone.utc), timedelta(-1), timedelta.max, UUID(int=5),
        ]
    )  # fmt: skip


def values(chance: random.Random, ty: Any, depth: int = 0) -> Any:  # noqa: PLR0911
    """Give a value of a type, or now and then anything."""
    if chance.random() < 0.02:
        return strange(chance)
    if isinstance(ty, str):
        return leaf(chance, ty, depth)
    ((kind, of),) = ty.items()
    few = chance.choice([0, 1, 1, 2, 3]) if depth < 6 else 0
    if kind in {"list", "array"}:
        item, count = (of, few) if kind == "list" else of
        items = [values(chance, item, depth + 1) for _ in range(count + (chance.random() < 0.02))]
        if item == "f64" and chance.random() < 0.3 and all(type(one) is float for one in items):
            return array.array("d", items)
        return tuple(items) if chance.random() < 0.2 else items
    if kind == "map":
        names = [name for name in (values(chance, of[0], depth) for _ in range(few)) if is_key(name)]
        if chance.random() < 0.05:
            names.append(chance.choice([True, Age.YOUNG, Name("n"), "\ud800", -1, 2**64, 1.0, None, UUID(int=1), (1,)]))
        return {name: values(chance, of[1], depth + 1) for name in names}
    if kind == "option":
        return None if depth > 6 or chance.random() < 0.4 else values(chance, of, depth + 1)
    if kind == "tuple":
        return tuple(values(chance, item, depth + 1) for item in of)
    return named(chance, of, depth)


def is_key(name: Any) -> bool:
    try:
        hash(name)
    except (TypeError, ValueError):
        return False
    return True


def named(chance: random.Random, number: int, depth: int) -> Any:
    definition, of = SIZES.definitions[number], SIZES.classes[number]
    fields = definition.get("record", definition.get("pod"))
    if fields is not None:
        return made(chance, of, fields, depth)
    if "newtype" in definition:
        return values(chance, definition["newtype"], depth + 1)
    if "tuple" in definition:
        items = [values(chance, item, depth + 1) for item in definition["tuple"]]
        make: Any = tuple if of is None or chance.random() < 0.3 else of._make
        return make(items)
    if isinstance(of, type):
        return chance.choice(list(of))  # type: ignore[call-overload]
    variants = definition["enum"]["variants"]
    at = chance.randrange(len(variants)) if depth < 6 else 0
    fields = [{"type": ty} for ty in variants[at].get("tuple") or ()] or variants[at].get("fields") or ()
    return made(chance, of[at], fields, depth)


def made(chance: random.Random, of: Any, fields: Any, depth: int) -> Any:
    value = object.__new__(of)
    for name, field in zip(of.__dataclass_fields__, fields, strict=True):
        if chance.random() < 0.003:
            continue
        is_absent = field.get("default") and chance.random() < 0.5
        object.__setattr__(value, name, typed.DEFAULT if is_absent else values(chance, field["type"], depth + 1))
    return value


def leaf(chance: random.Random, ty: str, depth: int) -> Any:
    if ty in NUMBERS:
        _, least, most = NUMBERS[ty]
        return chance.choice([least, most, 0, 1, chance.randint(least, most), chance.randint(0, 100)])
    if ty in {"f32", "f64"}:
        return chance.choice([0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 3, chance.random()])
    if ty in {"u128", "i128"}:
        return chance.choice([0, 2**127 - 1, chance.getrandbits(100)])
    if ty == "any":
        few = chance.choice([0, 1, 2]) if depth < 8 else 0
        makers: list[Callable[[], Any]] = [
            lambda: [leaf(chance, ty, depth + 2) for _ in range(few)],
            lambda: {str(at): leaf(chance, ty, depth + 2) for at in range(few)},
            lambda: strange(chance),
        ]
        return chance.choice(makers)()
    simple: dict[str, Callable[[], Any]] = {
        "unit": lambda: None,
        "bool": lambda: chance.random() < 0.5,
        "char": lambda: chance.choice("aä€😀\0\U0010ffff"),
        "string": lambda: chance.choice(["", "a", "ä€😀", "x" * 300, "\0", str(chance.random())]),
        "bytes": lambda: chance.randbytes(chance.randrange(10)),
        "timestamp": lambda: datetime.fromtimestamp(chance.randrange(2**31), timezone.utc),
        "duration": lambda: timedelta(microseconds=chance.randrange(2**40)),
        "uuid": lambda: UUID(int=chance.getrandbits(128)),
    }
    return simple[ty]()


def spoil(message: bytes, chance: random.Random) -> Iterator[bytes]:
    """Give the message itself, and such that are cut, grown, or changed in one place or in four."""
    yield message
    yield message + b"\0"
    yield chance.randbytes(chance.randrange(20))
    for _ in range(SPOILED if message else 0):
        at = chance.randrange(len(message))
        many = chance.choice([b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\1\0\0\0", b"\0\0\xc0\x7f", b"\1\0\xa0\x7f"])
        byte = bytes([chance.choice([0, 1, 2, 8, 9, 127, 128, 255, chance.randrange(256)])])
        yield message[:at]
        yield message[:at] + byte + message[at + 1 :]
        yield message[:at] + many + message[at + 4 :]
        yield message[:at] + message[at + 1 :]
        yield message[:at] + byte + message[at:]


def shown(value: Any) -> str:
    return f"{type(value)} {value!r}"


@pytest.mark.parametrize("part", range(6))
def test_the_extension_agrees_with_python_on_random_types(part: int) -> None:
    written = read = 0
    for seed in range(part * TYPES // 6, (part + 1) * TYPES // 6):
        chance = random.Random(seed)
        ty = random_type(chance)
        python_encode, python_decode = Writers(SIZES).encoder(ty), Readers(SIZES).decoder(ty)
        codec = native_codec(SIZES, [ty])
        assert codec is not None
        made = codec.typed((ty, ty), refuse, refuse)
        for _ in range(VALUES):
            value = values(chance, ty)
            try:
                message = made.encode(value)
            except LeftToPythonError:
                try:
                    message = python_encode(value)
                except (UnfitError, TypeError, ValueError, AttributeError, OverflowError, NotImplementedError):
                    continue
            else:
                written += 1
                assert message == python_encode(value), (seed, ty, value)
            for spoiled in spoil(message, chance):
                try:
                    answer = made.decode(spoiled)
                except LeftToPythonError:
                    # Variants that aren't known are so rare that Python alone reads them.
                    with contextlib.suppress(rustbridge.InternalError):
                        assert "unknown" in shown(python_decode(spoiled)).lower(), (seed, ty, spoiled)
                else:
                    read += 1
                    assert shown(answer) == shown(python_decode(spoiled)), (seed, ty, spoiled)
    assert written > VALUES * TYPES // 6 // 3
    assert read > written
