"""Typed clients' methods that take several parameters."""

from __future__ import annotations

import array
import asyncio
import gc
import inspect
import json
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import typed
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

ADA = t.Person("Ada", 36, "ada@example.org")


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def test_each_is_an_argument_by_place_or_by_name(types: t.Types) -> None:
    assert types.part("Erdős Pál", 6, 2) == "Pá"
    assert types.part("Erdős Pál", 6) == "Pál"
    assert types.part("Erdős Pál", 6, None) == "Pál"
    assert types.part("Erdős Pál", start=0, count=5) == "Erdős"
    assert types.part(start=0, count=1, text="x") == "x"
    every: list[Any] = [ADA, ["A", "ä"], [0.5, -1.0], t.Color.GREEN, b"\0\1", {"a": [1, None]}]
    assert types.several(*every) == tuple(every)
    assert types.several(ADA, (), array.array("d", [1.5]), t.Color.RED, b"", None) == (  # type: ignore[arg-type]
        ADA,
        [],
        [1.5],
        t.Color.RED,
        b"",
        None,
    )


def test_options_go_beside_them(types: t.Types) -> None:
    reply = rustbridge.Reply()
    options = rustbridge.CallOptions(timeout=30, reply=reply)
    assert types.part("abc", 1, 1, options=options) == "b"
    assert types.part("abc", 1, options=options) == "bc"
    assert types.aged(ADA, 1, options=options).age == 37


def test_options_are_accepted_by_name_only(types: t.Types) -> None:
    # So that a later version of the plugin can have another parameter in that place.
    anything: Any = types
    options = rustbridge.CallOptions(timeout=30)
    calls: list[Callable[[], Any]] = [
        lambda: anything.part("abc", 1, 1, options),
        lambda: anything.person(ADA, options),
        lambda: anything.counter(1, options),
        lambda: anything.repeat(t.Repeat(ADA, 1), options),
        lambda: anything.collect([ADA], 0, options),
        lambda: asyncio.run(anything.later_async(ADA, options)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="positional argument"):
            call()


def test_bytes_go_beside_other_values_from_any_memory(types: t.Types) -> None:
    for data in (b"abc", bytearray(b"abc"), memoryview(b"_abc_")[1:4], memoryview(b"a_b_c")[::2]):
        piece, back = types.cut(t.Cut(skip=1, times=2), data)
        assert (piece, back) == (t.Piece(4, ord("b")), b"bcbc")
        assert type(back) is bytes
    assert types.cut(t.Cut(0, 0), b"") == (t.Piece(0, None), b"")
    large = bytes(range(256)) * 20_000
    assert types.cut(t.Cut(skip=1, times=1), memoryview(large))[1] == large[1:]
    with pytest.raises(rustbridge.OutOfRangeError, match="2 bytes, and 3 are skipped"):
        types.cut(t.Cut(3, 1), b"ab")
    with pytest.raises(TypeError, match=r"cut: request\.data"):
        types.cut(t.Cut(0, 1), "ab")  # type: ignore[arg-type]

    async def later() -> tuple[t.Piece, bytes]:
        return await types.cut_later_async(t.Cut(1, 2), memoryview(b"abc"))

    assert asyncio.run(later()) == (t.Piece(4, ord("b")), b"bcbc")


def test_bytes_and_text_alone_go_as_they_are(types: t.Types) -> None:
    for data in (b"\x00\xff", bytearray(b"\x00\xff"), memoryview(b"_\x00\xff_")[1:3]):
        assert types.hex(data) == types.hex(data=data) == "00ff"
        assert types.nonzero(data) == 1
    large = bytes(range(256)) * 20_000
    assert types.unhex(types.hex(large)) == large
    assert types.hex(b"") == ""
    assert types.unhex("") == b""
    assert types.magic() == b"\x89PNG"
    assert types.hex(b"a", options=rustbridge.CallOptions(timeout=60)) == "61"
    with pytest.raises(rustbridge.InvalidArgumentError, match="two hexadecimal digits"):
        types.unhex("abc")
    with pytest.raises(TypeError, match=r"hex: request: bytes is expected, not str"):
        types.hex("ab")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"unhex: request: a str is expected, not bytes"):
        types.unhex(b"ab")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"unhex: request: character 0 is half of a surrogate pair"):
        types.unhex("\ud800")

    async def later() -> str:
        return await types.hex_later_async(memoryview(b"abc"))

    assert asyncio.run(later()) == types.hex_later(b"abc") == "616263"


def test_what_doesnt_fit_is_named(types: t.Types) -> None:
    for arguments, named in [
        (("x", -1), r"part: request\.start: an int from 0 to 4294967295 is expected, not -1"),
        (("\ud800", 1), r"part: request\.text: character 0 is half of a surrogate pair"),
    ]:
        with pytest.raises(ValueError, match=named):
            types.part(*arguments)
    with pytest.raises(TypeError, match=r"part: request\.text: a str is expected, not int"):
        types.part(1, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"several: request\.person\.age: an int is expected, not str"):
        types.several(t.Person("", "1"), [], [], t.Color.RED, b"")  # type: ignore[arg-type]
    for wrong in [(), ("x",), ("x", 1, 2, None, 3)]:
        with pytest.raises(TypeError, match="argument"):
            types.part(*wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nothing"):
        types.part("x", 1, nothing=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="multiple values"):
        types.part("x", 1, text="x")  # type: ignore[misc]
    with pytest.raises(rustbridge.PluginError, match="nobody gets so old"):
        types.aged(ADA, 2**32 - 1)
    assert types.part("x", 0) == "x"


def test_async_methods_streams_and_objects_take_several(types: t.Types) -> None:
    async def main() -> t.Person:
        return await types.aged_async(ADA, years=2)

    assert asyncio.run(main()).age == 38
    assert list(types.steps(1, 10, 4)) == [1, 5, 9]
    with pytest.raises(rustbridge.InvalidArgumentError, match="steps of 0"):
        list(types.steps(1, 10, 0))
    people = [t.Person(str(age), age) for age in range(50)]
    assert types.between(people, 10, 19) == people[10:20]

    async def send() -> list[t.Person]:
        return await types.between_async(people, youngest=48, oldest=100)

    assert asyncio.run(send()) == people[48:]
    with types.counter(10) as one, types.counter(1) as other:
        assert types.transfer(one, other, 4) == (6, 5)
        assert one.within(6, 6)
        assert not one.within(least=7, most=9)
        with pytest.raises(TypeError, match=r"transfer: request\.to: Counter is expected, not int"):
            types.transfer(one, 1, 4)  # type: ignore[arg-type]


def test_a_class_with_a_method_of_its_own_keeps_it(load: Load) -> None:
    class Louder(t.Types):
        def part(
            self, text: str, start: int, count: int | None = None, *, options: rustbridge.CallOptions | None = None
        ) -> str:
            return super().part(text, start, count, options=options).upper()

    assert Louder(load("types-plugin")).part("abc", 1) == "BC"


def test_clients_with_such_methods_go_when_nobody_uses_them(load: Load) -> None:
    plugin = load("types-plugin")

    def clients() -> int:
        gc.collect()
        return sum(isinstance(one, t.Types) for one in gc.get_objects())

    before = clients()
    kept = [t.Types(plugin) for _ in range(10)]
    assert [client.part("abc", 1) for client in kept] == ["bc"] * 10
    assert clients() == before + 10
    del kept
    assert clients() == before


def test_the_signature_is_the_methods() -> None:
    assert list(inspect.signature(t.Types.part).parameters) == ["self", "text", "start", "count", "options"]
    assert not hasattr(t, "PartParameters")


def test_a_record_with_defaults_isnt_taken_apart() -> None:
    fields = [{"name": "a", "type": "u8"}, {"name": "b", "type": "u8", "default": True}]
    text = json.dumps({"methods": [], "types": [{"name": "P", "record": fields}]})
    with pytest.raises(TypeError, match="P has fields with unknown defaults"):
        typed.ClientSchema(text, [tuple])
