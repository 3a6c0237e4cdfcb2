"""Typed clients as `rustbridge gen` writes them: every type there is, to the plugin and back."""

from __future__ import annotations

import array
import json
import math
import re
import sys
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import typed
from tests.children import SOAK
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

#: How many random values each method gets; all of them together 1,000, and in a soak 100,000.
VALUES = 40 * SOAK

#: Each method that gives back what it gets.
ECHOES = [
    "every",
    "numbers",
    "texts",
    "times",
    "lists",
    "pairs",
    "foreign",
    "person",
    "people",
    "shape",
    "color",
    "tagged",
    "untagged",
    "expr",
    "tree",
    "samples",
    "point",
    "celsius",
    "bounded",
    "unit",
    "defaults",
    "renamed",
    "any",
    "doubles",
    "map",
    "maybe",
    "tuple",
    "duration",
    "timestamp",
    "mood",
    "events",
]


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def codec(method: str) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    return t._CLIENT_SCHEMA.codec(method)


def echo(types: t.Types, method: str, value: Any) -> Any:
    return getattr(types, f"{method}_" if method == "tuple" else method)(value)


@pytest.mark.parametrize("method", ECHOES)
def test_random_values_come_back_as_they_were(types: t.Types, method: str) -> None:
    encode, decode = codec(method)
    for seed in range(VALUES):
        message = types.random(t.Random(method, seed))
        value = decode(message)
        assert encode(value) == message, (method, seed)
        assert echo(types, method, value) == value, (method, seed)
        # The same as JSON, called without types, where JSON has a form for it.
        text = types.as_json(method, message)
        if text is not None:
            answer = types.plugin.method(method, encoding="json").call_json(text)
            for json in (text, answer):
                assert decode(types.as_message(method, json)) == value, (method, seed)


def test_each_method_that_gives_back_what_it_gets_is_walked(types: t.Types) -> None:
    assert sorted(types.echoes()) == sorted(ECHOES)


def test_values_are_what_they_are_in_python(types: t.Types) -> None:
    person = types.person(t.Person("Ada 😀", 36))
    assert person == t.Person("Ada 😀", 36, None)
    assert types.person(t.Person("", 0, "a@b")).email == "a@b"
    assert types.color(t.Color.DARK_BLUE) is t.Color.DARK_BLUE
    assert types.shape(t.ShapeNothing()) == t.ShapeNothing()
    polygon = types.shape(t.ShapePolygon([t.Point(0.0, 0.0), t.Point(1.0, 0.0), t.Point(0.0, 1.0)]))
    assert polygon == t.ShapePolygon([t.Point(0.0, 0.0), t.Point(1.0, 0.0), t.Point(0.0, 1.0)])
    assert types.area(polygon) == 0.5
    assert types.celsius(t.Celsius(-273.15)) == -273.15
    assert types.maybe(None) is None
    assert types.tuple_((255, "x", None)) == (255, "x", None)
    assert types.map({"a": t.Person("A", 1), "b": t.Person("B", 2)}) == {"a": t.Person("A", 1), "b": t.Person("B", 2)}
    assert types.length("größe") == 5
    oldest = types.oldest(t.PagePerson([t.Person("A", 1), t.Person("B", 2)], 2))
    assert oldest == t.Person("B", 2)
    assert types.oldest(t.PagePerson([], 0)) is None
    deep = t.ExprNegated(t.ExprSum(t.ExprNumber(1.0), t.ExprCall("f", [t.ExprNumber(2.0)])))
    assert types.expr(deep) == deep


def test_times_have_zones_and_microseconds(types: t.Types) -> None:
    east = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone(timedelta(hours=2)))
    assert types.timestamp(east) == east
    assert types.timestamp(east).tzinfo is timezone.utc
    # The clock of Windows begins in 1601.
    first = datetime(1601, 1, 1) if sys.platform == "win32" else datetime.min
    for edge in (first, datetime.max, datetime(1969, 12, 31, 23, 59, 59, 999999)):
        assert types.timestamp(edge.replace(tzinfo=timezone.utc)) == edge.replace(tzinfo=timezone.utc)
    for span in (timedelta(), timedelta(microseconds=1), timedelta.max):
        assert types.duration(span) == span
    with pytest.raises(ValueError, match="time zone"):
        types.timestamp(datetime(2026, 1, 2))
    with pytest.raises(ValueError, match="a duration of zero or more is expected"):
        types.duration(timedelta(seconds=-1))


def test_dynamic_values_are_pythons_own(types: t.Types) -> None:
    values: list[Any] = [None, True, False, 0, -(2**63), 2**63, 2**64 - 1, 1.5, "", "x", [], {}, [1, [{"a": 2.0}]]]
    for value in values:
        back = types.any(value)
        assert back == value
        assert type(back) is type(value)
    refused: list[tuple[Any, str]] = [
        (2**64, "64 bits"),
        ({1: 2}, "a str is expected"),
        (object(), "None, a bool"),
        ([["\ud800"]], r"request\[0\]\[0\]"),
    ]
    for value, why in refused:
        with pytest.raises((TypeError, ValueError), match=why):
            types.any(value)
    # The plugin keeps them as JSON, which has neither.
    for value in (b"x", math.nan):
        with pytest.raises(rustbridge.InvalidArgumentError):
            types.any(value)


def test_lists_are_taken_from_buffers_and_give_lists(types: t.Types) -> None:
    numbers = [0.0, -1.5, math.inf]
    assert types.doubles(numbers) == numbers
    assert types.doubles(tuple(numbers)) == numbers  # type: ignore[arg-type]
    assert types.doubles(array.array("d", numbers)) == numbers  # type: ignore[arg-type]
    assert types.doubles(memoryview(array.array("d", [1.0, 2.0, 3.0]))[::2]) == [1.0, 3.0]  # type: ignore[arg-type]
    assert types.doubles(array.array("f", [0.5])) == [0.5]  # type: ignore[arg-type]
    assert types.doubles([1, True]) == [1.0, 1.0]
    assert types.doubles([]) == []


def test_what_is_left_to_the_plugin_has_its_default(types: t.Types) -> None:
    full = types.defaults(t.Defaults())
    assert full == t.Defaults(count=7, name="nobody", list_=b"\1\2\3", maybe=9)
    assert types.defaults(t.Defaults(count=1, maybe=None)) == replace(full, count=1, maybe=None)
    assert repr(t.Defaults().count) == "DEFAULT"
    assert t.Defaults().count is typed.DEFAULT


@pytest.mark.parametrize(
    ("method", "value", "kind", "why"),
    [
        ("person", None, TypeError, "person: request: Person is expected, not NoneType"),
        ("person", {"name": "A"}, TypeError, "Person is expected, not dict"),
        ("person", t.Person(1, 2), TypeError, "request.name: a str is expected, not int"),  # type: ignore[arg-type]
        ("person", t.Person("\ud800", 2), ValueError, "request.name: character 0 is half of a surrogate pair"),
        ("person", t.Person("A", -1), ValueError, "request.age: an int from 0 to 4294967295 is expected, not -1"),
        ("person", t.Person("A", 2**32), ValueError, "from 0 to 4294967295"),
        ("person", t.Person("A", 1.0), TypeError, "an int is expected, not float"),  # type: ignore[arg-type]
        ("person", t.Person("A", "1"), TypeError, "an int is expected, not str"),  # type: ignore[arg-type]
        ("people", t.PagePerson([t.Person("A", 1), 5], 0), TypeError, r"request.items\[1\]: Person"),  # type: ignore[list-item]
        ("people", t.PagePerson("AB", 0), TypeError, "a list is expected, not str"),  # type: ignore[arg-type]
        ("people", t.PagePerson(iter([]), 0), TypeError, "a list is expected"),  # type: ignore[arg-type]
        ("color", "red", TypeError, "Color is expected, not str"),
        ("shape", t.Point(1.0, 2.0), TypeError, "a variant of Shape is expected, not Point"),
        ("shape", t.ShapeCircle("1"), TypeError, "request.radius: a float is expected"),  # type: ignore[arg-type]
        ("map", {1: t.Person("A", 1)}, TypeError, r"request\[1\]: a str is expected"),
        ("map", [], TypeError, "a dict is expected, not list"),
        ("tuple", (1, "x"), TypeError, "a tuple of 3 is expected"),
        ("tuple", (1, "x", 1), TypeError, r"request\[2\]: a bool is expected"),
        ("doubles", ["x"], TypeError, r"request\[0\]: a float"),
        ("doubles", b"12345678", TypeError, "a list is expected, not bytes"),
        ("timestamp", 5, TypeError, "a datetime is expected"),
        ("duration", 5, TypeError, "a timedelta is expected"),
        ("length", 5, TypeError, "a str is expected"),
    ],
)
def test_a_value_that_isnt_of_its_type_is_refused_with_its_path(
    types: t.Types, method: str, value: Any, kind: type[Exception], why: str
) -> None:
    with pytest.raises(kind, match=why):
        echo(types, method, value)


def test_wide_numbers_and_characters_are_refused_where_they_dont_fit(types: t.Types) -> None:
    _, decode = codec("numbers")
    good = decode(types.random(t.Random("numbers", 1)))
    for field, value, why in (
        ("u128", 2**128, "128 bits"),
        ("u128", -1, "128 bits"),
        ("i128", 2**127, "128 bits"),
        ("u128", 1.0, "an int"),
        ("f32", 1e39, "outside the range"),
        ("bool_", 1, "a bool"),
        ("char", "", "one character"),
        ("char", "ab", "one character"),
        ("char", "\udc00", "surrogate"),
        ("unit", 1, "None"),
    ):
        with pytest.raises((TypeError, ValueError), match=f"request.{field}: .*{why}"):
            types.numbers(replace(good, **{field: value}))


@pytest.mark.parametrize("method", [method for method in ECHOES if method != "unit"])
def test_an_answer_that_is_cut_or_too_long_is_refused(types: t.Types, method: str) -> None:
    _, decode = codec(method)
    message = types.random(t.Random(method, 3))
    for length in range(len(message)):
        with pytest.raises(rustbridge.InternalError, match="doesn't match its type: byte"):
            decode(message[:length])
    with pytest.raises(rustbridge.InternalError, match="left after the value"):
        decode(message + b"\0")


@pytest.mark.parametrize(
    ("method", "message", "why"),
    [
        ("maybe", "02", "expected 0 or 1"),
        ("color", "0300", "Color has no variant 3"),
        ("shape", "0300", "Shape has no variant 3"),
        ("doubles", "01000000 00000001 0000000000000000", "padding isn't zero"),
        ("doubles", "ffffffff 00000000", "expected 4294967295 items, but only"),
        ("map", "02000000 01000000 61 00000000 00000000 00 01000000 61 00000000 00000000 00", "duplicate key in a map"),
        ("person", "01000000 ff 00000000 00", "byte 4: text isn't UTF-8"),
        ("timestamp", "0000000000000000 00ca9a3b", "expected less than 1000000000 nanoseconds"),
        ("timestamp", "ffffffffffffff7f 00000000", "outside the years 1 to 9999"),
        ("duration", "ffffffffffffffff 00000000", "outside the range of a timedelta"),
        ("any", "0a", "unknown kind of dynamic value: 10"),
        ("any", "04 0000000000000000", "fits an i64, but is encoded as a u64"),
        ("any", "09 02000000 01000000 61 00 01000000 61 00", "duplicate key in a map"),
        ("any", "08 ffffffff", "items, but only"),
    ],
)
def test_an_answer_that_is_wrong_is_refused(method: str, message: str, why: str) -> None:
    _, decode = codec(method)
    with pytest.raises(rustbridge.InternalError, match=why):
        decode(bytes.fromhex(message))


def test_characters_and_bools_of_an_answer_are_checked(types: t.Types) -> None:
    encode, decode = codec("numbers")
    good = decode(types.random(t.Random("numbers", 1)))
    message = bytearray(encode(replace(good, bool_=True, char="\U0010ffff")))
    at = bytes(message).index(b"\x01\xff\xff\x10\x00")
    for place, value, why in ((at, 2, "expected 0 or 1"), (at + 3, 0x11, "isn't a character")):
        wrong = bytearray(message)
        wrong[place] = value
        with pytest.raises(rustbridge.InternalError, match=why):
            decode(bytes(wrong))


def test_what_is_nested_too_deep_is_neither_written_nor_read(types: t.Types) -> None:
    def chain(length: int) -> Any:
        expr: Any = t.ExprNumber(1.0)
        for _ in range(length - 1):
            expr = t.ExprNegated(expr)
        return expr

    assert types.expr(chain(128)) == chain(128)
    with pytest.raises(ValueError, match="nested deeper than 128 levels"):
        types.expr(chain(129))
    _, decode = codec("expr")
    with pytest.raises(rustbridge.InternalError, match="nested deeper than 128 levels"):
        decode(b"\1\0" * 10_000)
    nested: Any = None
    for _ in range(129):
        nested = [nested]
    with pytest.raises(ValueError, match="nested deeper than 128 levels"):
        types.any(nested)
    _, decode = codec("any")
    with pytest.raises(rustbridge.InternalError, match="nested deeper than 128 levels"):
        decode(b"\x08\1\0\0\0" * 10_000)


def test_errors_of_the_plugins_are_raised_as_ever(types: t.Types) -> None:
    with pytest.raises(rustbridge.InvalidArgumentError, match="nothing has no area"):
        types.area(t.ShapeNothing())
    with pytest.raises(rustbridge.InvalidArgumentError, match="at most 100"):
        types.bounded(t.Bounded(101, b""))


def test_a_client_of_other_types_is_refused_when_its_made(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = load("types-plugin")
    other = t._CLIENT_SCHEMA.text.replace('{"name":"age","type":"u32"}', '{"name":"age","type":"string"}')
    described = json.loads(other)
    client_schema = typed.ClientSchema(other, [None] * len(described["types"]))
    client = typed.Client(plugin)
    with pytest.raises(
        rustbridge.FailedPreconditionError, match=r"`request.age`: the client has String, and the plugin u32"
    ):
        client._prepare(client_schema, "person", "0" * 32)
    monkeypatch.setattr(t, "_CLIENT_SCHEMA", client_schema)
    hello = load("hello-plugin")
    with pytest.raises(rustbridge.NotFoundError, match="no method `every`"):
        t.Types(hello)
    for text in ("\ud800", "{"):
        with pytest.raises((UnicodeEncodeError, rustbridge.InvalidArgumentError)):
            plugin._typed("person", "0" * 32, text)


def test_a_client_that_has_loaded_the_plugin_closes_it(load: Load, backend: str) -> None:
    from tests.plugins import plugin_path

    with t.Types.load(plugin_path("types-plugin"), backend=backend) as types:
        assert types.length("abc") == 3
        assert types.plugin.state is rustbridge.State.ACTIVE
    with pytest.raises(rustbridge.UnavailableError):
        types.length("abc")
    lent = load("types-plugin")
    with t.Types(lent) as types:
        assert types.length("abc") == 3
    assert lent.state is rustbridge.State.ACTIVE
    with pytest.raises(rustbridge.NotFoundError, match="no method `every`"):
        t.Types.load(plugin_path("hello-plugin"), backend=backend)


def test_docs_of_the_plugin_are_docs_of_the_client() -> None:
    assert t.Types.oldest.__doc__ == "Who is the oldest of them."
    assert t.Person.__doc__ == "Somebody."
    assert re.search(r'age: int\n    """In years."""', Path(t.__file__).read_text("utf-8"))
