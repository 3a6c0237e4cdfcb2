"""The three JSON libraries give the same answers."""

from __future__ import annotations

import dataclasses
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from rustbridge import _json
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    import rustbridge

    Script = Callable[..., subprocess.CompletedProcess[str]]

NAMES = ["orjson", "msgspec", "json"]


@dataclasses.dataclass
class Point:
    x: int
    y: float


@pytest.mark.parametrize("name", NAMES)
def test_values_survive_the_way_there_and_back(name: str) -> None:
    codec = _json.choose(name)
    assert codec.name == name
    for value in (None, True, 0, -(2**63), 2**63 - 1, 1.5, "", "größer 🦀\0\n", [], {}, [1, [2, {"a": None}]], {"": 0}):
        assert codec.loads(codec.dumps(value)) == value
    assert codec.loads(codec.dumps(Point(1, 2.5))) == {"x": 1, "y": 2.5}
    assert isinstance(codec.dumps({}), bytes)


@pytest.mark.parametrize("name", NAMES)
def test_what_has_no_json_form_is_refused(name: str) -> None:
    codec = _json.choose(name)
    cycle: list[Any] = []
    cycle.append(cycle)
    for value in (object(), Point, "\ud800", 1j):
        with pytest.raises((TypeError, ValueError)):
            codec.dumps(value)
    with pytest.raises((TypeError, ValueError, RecursionError)):
        codec.dumps(cycle)
    with pytest.raises(ValueError):
        codec.loads(b"{")


def test_a_decimal_number_is_told_how_it_is_passed() -> None:
    with pytest.raises(TypeError, match="pass its text"):
        _json.choose("json").dumps({"net": Decimal("1.50")})


@dataclasses.dataclass
class Series:
    points: list[Any]


@dataclasses.dataclass
class Bounded:
    limit: ClassVar[float] = math.inf
    value: float | None = None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_refused_by_its_place(name: str, number: float) -> None:
    codec = _json.choose(name)
    for value, place in (
        (number, "$"),
        ({"a": [1.5, None, {"b": number}]}, "$.a[2].b"),
        ((1, number), "$[1]"),
        (Series([Point(1, 0.5), Point(2, number)]), "$.points[1].y"),
    ):
        # A dataclass is a dict by the time that the standard library sees it.
        with pytest.raises(ValueError, match=re.escape(f"{place} is {number}")):
            codec.dumps(value)
    assert codec.loads(codec.dumps({"a": None, "b": "null", "c": 1e308})) == {"a": None, "b": "null", "c": 1e308}


@pytest.mark.parametrize("name", NAMES)
def test_what_belongs_to_a_class_is_not_looked_at(name: str) -> None:
    assert _json.choose(name).dumps(Bounded()) == b'{"value":null}'
    with pytest.raises(ValueError, match=re.escape("$[0].value is inf")):
        _json.choose(name).dumps([Bounded(math.inf)])


def test_such_a_number_reaches_no_plugin(conformance: rustbridge.Plugin) -> None:
    with pytest.raises(ValueError, match=re.escape("$.y is nan")):
        conformance.call("types.value", {"x": 1.0, "y": math.nan})
    assert conformance.call("types.value", {"x": 1.0, "y": None}) == {"x": 1.0, "y": None}


def test_an_unknown_library_is_named() -> None:
    with pytest.raises(ImportError, match="ujson"):
        _json.choose("ujson")


@pytest.mark.parametrize("name", NAMES)
def test_a_process_can_be_told_which_library_to_use(name: str, python: Script) -> None:
    result = python(
        f"""
        import os; os.environ["RUSTBRIDGE_JSON"] = {name!r}
        import rustbridge
        from rustbridge._json import codec
        with rustbridge.load({plugin_path("hello-plugin")!r}) as hello:
            assert hello.call("echo", {{"message": "é"}}) == {{"message": "é", "length": 2}}
        print(codec.name)
        """
    )
    assert result.stdout.strip() == name


def test_the_fastest_that_is_installed_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUSTBRIDGE_JSON", raising=False)
    assert _json.choose().name == "orjson"
    monkeypatch.setattr(_json, "_orjson", lambda: (_ for _ in ()).throw(ImportError()))
    assert _json.choose().name == "msgspec"
    monkeypatch.setattr(_json, "_msgspec", lambda: (_ for _ in ()).throw(ImportError()))
    assert _json.choose().name == "json"
