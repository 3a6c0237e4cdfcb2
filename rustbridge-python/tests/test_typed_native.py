"""What the extension writes and reads of typed messages is what Python does, and it's the extension that does it."""

from __future__ import annotations

import array
import enum
import functools
import gc
import json
import math
import mmap
import os
import random
import sys
import weakref
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import rustbridge
from rustbridge import typed
from tests.children import SOAK
from tests.clients import types_client as t
from tests.plugins import BACKENDS, plugin_path
from tests.test_typed import ECHOES

if "native" not in BACKENDS:
    pytest.skip("the extension isn't under test", allow_module_level=True)

from rustbridge import _native, _native_backend
from rustbridge._native_backend import codec as native_codec
from rustbridge._wire_plan import Nodes
from rustbridge._wire_types import UnfitError
from rustbridge._wire_write import Writers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Coders = tuple[Callable[[Any], bytes], Callable[[bytes], Any]]

#: How many random values and how many spoiled messages each method gets; in a soak 100 times as many.
VALUES = 10 * SOAK
SPOILED = 20


class LeftToPythonError(Exception):
    """The extension has left a value to Python."""


def refuse(_: Any) -> Any:
    raise LeftToPythonError


@pytest.fixture
def types() -> Iterator[t.Types]:
    with t.Types.load(plugin_path("types-plugin"), backend="native") as types:
        yield types


def alone(method: str) -> Coders:
    """Give what writes and reads a method's types in the extension, which refuses what it would leave to Python."""
    client_schema = t._CLIENT_SCHEMA
    request, response = client_schema._types(method)
    codec = native_codec(client_schema.sizes, [request, response])
    assert codec is not None
    made = codec.typed((request, response), refuse, refuse)
    return made.encode, made.decode


@pytest.mark.parametrize("method", ECHOES)
def test_values_are_written_and_read_by_the_extension_as_python_does(types: t.Types, method: str) -> None:
    python_encode, python_decode = t._CLIENT_SCHEMA.codec(method)
    encode, decode = alone(method)
    for seed in range(VALUES):
        message = types.random(t.Random(method, seed))
        value = decode(message)
        assert value == python_decode(message), (method, seed)
        assert repr(value) == repr(python_decode(message)), (method, seed)
        assert encode(value) == python_encode(value) == message, (method, seed)


@pytest.mark.parametrize("method", ECHOES)
def test_the_extension_reads_nothing_that_python_refuses(types: t.Types, method: str) -> None:
    _, python_decode = t._CLIENT_SCHEMA.codec(method)
    _, decode = alone(method)
    for seed in range(VALUES):
        message = bytes(types.random(t.Random(method, seed)))
        chance = random.Random(seed)
        for spoiled in spoil(message, chance):
            try:
                value = decode(spoiled)
            except LeftToPythonError:
                with pytest.raises(rustbridge.InternalError, match="doesn't match its type"):
                    python_decode(spoiled)
            else:
                assert repr(value) == repr(python_decode(spoiled)), (method, seed, spoiled)


def spoil(message: bytes, chance: random.Random) -> Iterator[bytes]:
    """Give messages that are cut, grown or changed somewhere."""
    yield message + b"\0"
    for _ in range(SPOILED if message else 0):
        at = chance.randrange(len(message))
        byte = chance.choice([0, 1, 2, 127, 128, 255, chance.randrange(256)])
        yield message[:at]
        yield message[:at] + bytes([byte]) + message[at + 1 :]


def test_what_is_not_common_is_left_to_python(types: t.Types) -> None:
    class Age(enum.IntEnum):
        YOUNG = 7

    class Name(str):
        __slots__ = ()

    class Someone(t.Person):
        __slots__ = ()

    encode, _ = alone("person")
    for unusual in (t.Person("A", Age.YOUNG), t.Person(Name("A"), 7), Someone("A", 7)):
        with pytest.raises(LeftToPythonError):
            encode(unusual)
        assert types.person(unusual) == t.Person("A", 7)
    # The other way round: what Python refuses, the extension leaves to it.
    for wrong in (None, t.Person("A", -1), t.Person("A", 2**32), t.Person("\ud800", 1), t.Point(1.0, 2.0)):
        with pytest.raises(LeftToPythonError):
            encode(wrong)
        with pytest.raises((TypeError, ValueError), match=r"^person: request"):
            types.person(wrong)  # type: ignore[arg-type]


def test_several_parameters_are_written_without_python(types: t.Types) -> None:
    # What is usual never comes back to the class, what isn't does, and so with all there is.
    asked: list[Any] = []

    def ask(*arguments: Any, **named: Any) -> str:
        asked.append((arguments, named))
        return "asked"

    request, response = t._CLIENT_SCHEMA._types("part")
    whole = t._CLIENT_SCHEMA._types("person")
    codec = native_codec(t._CLIENT_SCHEMA.sizes, [request, response, *whole])
    assert codec is not None
    made = codec.typed((request, response), refuse, refuse, types.plugin.method("part", "wire"), ask)
    call: Any = made.call_several
    assert call("abc", 1, 1) == "b"
    assert call("abc", 1, None) == "bc"
    assert not asked
    options = rustbridge.CallOptions()
    unusual: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}),
        (("abc",), {}),
        (("abc", 1), {}),
        (("abc", -1, None), {}),
        (("abc", 1, 1, options), {}),
        (("abc", 1, None, None), {}),
        (("abc", 1, 1, None, None), {}),
        (("abc", 1, 1), {"options": None}),
        ((), {"text": "abc", "start": 1}),
    ]
    for arguments, named in unusual:
        assert call(*arguments, **named) == "asked"
    assert asked == unusual
    # Of no tuple, and of no method.
    person = codec.typed(whole, refuse, refuse, types.plugin.method("person", "wire"), ask)
    assert person.call_several("abc", 1, 1) == "asked"
    assert codec.typed((request, response), refuse, refuse, None, ask).call_several("abc", 1, 1) == "asked"


def test_a_ctrl_c_while_parameters_are_written_is_raised(types: t.Types) -> None:
    asked: list[Any] = []

    def stop(_: Any) -> bytes:
        raise Stop

    plan = _native.Plan((("other", stop, refuse, 12), ("tuple", (0, 0), None)), typed.DEFAULT)
    method: Any = types.plugin.method("part", "wire")
    with pytest.raises(Stop):
        _native.Typed(plan, 1, 1, refuse, refuse, method, asked.append).call_several(1, 2)
    assert not asked


def test_numbers_lie_in_lists_tuples_and_buffers(types: t.Types) -> None:
    encode, _ = alone("doubles")
    python_encode, _ = t._CLIENT_SCHEMA.codec("doubles")
    numbers = [1.0, -0.0, math.inf, 5.0]
    wanted = python_encode(numbers)
    alike: list[Any] = [numbers, tuple(numbers), array.array("d", numbers), memoryview(array.array("d", numbers))]
    for same in alike:
        assert encode(same) == wanted
    assert encode([1, -0.0, math.inf, 5]) == wanted
    others: list[Any] = [array.array("f", numbers), memoryview(array.array("d", numbers))[::-1], dict.fromkeys(numbers)]
    for other in [*others, b"12345678", "x", {1.0}, [True], [2**2000], None, 5]:
        with pytest.raises(LeftToPythonError):
            encode(other)
    single: Any = array.array("f", [1.5])
    assert types.doubles(single) == [1.5]
    assert types.doubles([True]) == [1.0]


def test_buffers_that_python_fills_in_itself_have_as_many_items_as_they_say() -> None:
    plan = _native.Plan((("u8",), ("list", 0, 1, False)), typed.DEFAULT)
    encode = _native.Typed(plan, 1, 1, refuse, refuse, None, None).encode
    with mmap.mmap(-1, 4096) as mapped:
        for buffer in (bytearray(b"abc"), bytearray(), mapped, memoryview(bytearray(b"abc"))):
            assert encode(buffer) == len(buffer).to_bytes(4, "little") + bytes(buffer)


def test_a_buffer_isnt_taken_for_longer_numbers_than_it_says(types: t.Types) -> None:
    testing = pytest.importorskip("_testbuffer")
    # Of four bytes each, though an "l" of this machine's may have eight.
    short = memoryview(testing.ndarray([1, 2, 3], shape=[3], format="<l"))
    square = memoryview(bytes(32)).cast("d", [2, 2])
    with pytest.raises(UnfitError, match="a list is expected"):
        Writers(t._CLIENT_SCHEMA.sizes).encoder({"list": "i64"})(short)
    with pytest.raises(TypeError, match="doubles: request: a list is expected"):
        types.doubles(square)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes in Python have no buffers")
def test_what_a_buffers_length_raises_is_raised() -> None:
    asked: list[int] = []

    class Row:
        def __len__(self) -> int:
            raise Stop

        def __buffer__(self, flags: int) -> memoryview:
            asked.append(flags)
            return memoryview(array.array("d", [1.0]))

    encode, _ = alone("doubles")
    with pytest.raises(Stop):
        encode(Row())
    assert not asked


@pytest.mark.skipif(SOAK == 1, reason="takes 5 GB of memory")
def test_no_message_has_more_bytes_than_there_may_be() -> None:
    plan = _native.Plan((("bytes",), ("list", 0, 4, False)), typed.DEFAULT)
    encode = _native.Typed(plan, 1, 1, refuse, refuse, None, None).encode
    # The first leaves room for twice as many.
    long, short = bytes(1100 << 20), bytes(250 << 20)
    with pytest.raises(LeftToPythonError):
        encode([long, *[short] * 4])


def test_depth_is_counted(types: t.Types) -> None:
    def nested(depth: int) -> t.Expr:
        value: t.Expr = t.ExprNumber(1.0)
        for _ in range(depth - 1):
            value = t.ExprNegated(value)
        return value

    encode, decode = alone("expr")
    deepest = encode(nested(128))
    assert decode(deepest) == nested(128)
    with pytest.raises(LeftToPythonError):
        encode(nested(129))
    negated = encode(nested(2))[:2]
    with pytest.raises(LeftToPythonError):
        decode(negated + deepest)
    with pytest.raises(ValueError, match="nested deeper than 128 levels"):
        types.expr(nested(129))
    encode, decode = alone("any")
    listed: list[Any] = []
    for _ in range(127):
        listed = [listed]
    assert decode(encode(listed)) == listed
    with pytest.raises(LeftToPythonError):
        encode([listed])
    listed[0] = listed
    with pytest.raises(LeftToPythonError):
        encode(listed)


def test_a_list_that_changes_while_it_is_written_is_refused(types: t.Types) -> None:
    codec = native_codec(t._CLIENT_SCHEMA.sizes, [{"list": "timestamp"}, {"map": ["string", "timestamp"]}])
    assert codec is not None
    now = datetime.now(timezone.utc)
    listed: list[Any] = []
    mapped: dict[str, Any] = {}

    class Clock(datetime):
        def __sub__(self, other: Any) -> Any:
            if listed:
                listed.clear()
            mapped.clear()
            return super().__sub__(other)

    clock = Clock.fromtimestamp(now.timestamp(), timezone.utc)
    listed.extend([clock, now, now])
    encode = codec.typed(({"list": "timestamp"},) * 2, refuse, refuse).encode
    with pytest.raises(LeftToPythonError):
        encode(listed)
    mapped.update(a=clock, b=now)
    encode = codec.typed(({"map": ["string", "timestamp"]},) * 2, refuse, refuse).encode
    with pytest.raises(LeftToPythonError):
        encode(mapped)
    assert types.timestamp(now) == now


class Stop(BaseException):
    """What isn't to be swallowed, as a Ctrl-C."""


def test_what_is_no_plain_exception_is_raised() -> None:
    class Clock(datetime):
        def __sub__(self, other: Any) -> Any:
            raise Stop

    encode, _ = alone("timestamp")
    with pytest.raises(Stop):
        encode(Clock.now(timezone.utc))


def test_a_client_that_is_dropped_is_collected() -> None:
    plugin = rustbridge.load(plugin_path("types-plugin"), backend="native")

    class Client(t.Types):
        __slots__ = ("__weakref__",)

    client = Client(plugin)
    assert client.celsius(t.Celsius(1.0)) == 1.0
    dropped = weakref.ref(client)
    del client
    gc.collect()
    assert dropped() is None
    plugin.close()


@pytest.mark.parametrize(
    "nodes",
    [
        None,
        [("u8",)],
        (("u7",),),
        ((),),
        (("option",),),
        (("option", 1),),
        (("option", -1),),
        (("option", 2**80),),
        (("option", 0),),
        (("option", 1), ("option", 0)),
        (("record", int, (), (), ()),),
        (("record", t.Person, (t.Person.__init__,), (0,), (False,)),),
        (("record", t.Person, (vars(t.Person)["name"],), (), ()),),
        (("tuple", (0,), t.Person),),
        (("enum", 5, ()),),
        (*(("option", place + 1) for place in range(100)), ("u8",)),
    ],
)
def test_what_is_no_plan_is_refused(nodes: Any) -> None:
    with pytest.raises(TypeError, match="wasn't created by this version"):
        _native.Plan(nodes, typed.DEFAULT)


def test_types_beyond_a_plan_are_left_to_python_from_the_start() -> None:
    deep: Any = "u8"
    value: Any = 7
    for _ in range(70):
        deep, value = {"tuple": [deep]}, (value,)
    entry = {"kind": "unary", "request": {"type": deep}, "response": {"type": deep}, "items": None, "receiver": None}
    described = {"methods": [{"name": "deep", "entries": [entry]}], "types": []}
    client_schema = typed.ClientSchema(json.dumps(described), [])
    backend: Any = _native_backend
    assert client_schema._codec(backend) is None
    encode, decode = client_schema._coders(backend, deep)
    assert encode(value) == b"\7"
    assert decode(b"\7") == value


def test_places_and_arguments_are_checked() -> None:
    plan = _native.Plan((("u8",),), typed.DEFAULT)
    for place in (-1, 1, 2**62):
        with pytest.raises(TypeError, match="two places"):
            _native.Typed(plan, 0, place, refuse, refuse, None, None)
    with pytest.raises(TypeError, match="takes a plan"):
        _native.Typed(object(), 0, 0, refuse, refuse, None, None)  # type: ignore[arg-type]
    made = _native.Typed(plan, 0, 0, refuse, refuse, None, refuse)
    # Without a method there's nothing to be called but what Python has.
    with pytest.raises(LeftToPythonError):
        made.call(5)
    with pytest.raises(TypeError):
        made.call()  # type: ignore[call-arg]
    assert made.decode(made.encode(200)) == 200


@pytest.mark.parametrize(
    "node",
    [
        ("record", _native.Typed, (), (), ()),
        ("record", _native.Plan, (), (), ()),
        ("record", functools.partial, (), (), ()),
        ("variants", ((functools.partial, (), (), ()),)),
        ("tuple", (), os.stat_result),
    ],
)
def test_classes_that_are_made_in_c_are_refused(node: Any) -> None:
    # Their objects would lack what only their own `__new__` puts in, and end the process when they're used or dropped.
    with pytest.raises(TypeError, match="wasn't created by this version"):
        _native.Plan((node,), typed.DEFAULT)


class Boasting(type):
    """Says of its classes that their objects are larger than they are."""

    @property
    def __basicsize__(cls) -> int:
        return 1 << 40


def test_a_class_that_says_itself_how_large_its_objects_are_is_refused() -> None:
    """Where its slots lie is looked for in an object of it, and not beyond."""

    class Slotted(metaclass=Boasting):
        __slots__ = ("one",)

    with pytest.raises(TypeError, match="wasn't created by this version"):
        _native.Plan((("u8",), ("record", Slotted, (Slotted.__dict__["one"],), (0,), (False,))), typed.DEFAULT)


def test_what_a_class_calls_as_a_types_attribute_is_no_matter() -> None:
    """The size of its objects is asked of the type."""

    class Slotted:
        __slots__ = ("one", "two")
        __basicsize__ = 1 << 40

    descriptors = tuple(Slotted.__dict__[name] for name in Slotted.__slots__)
    plan = _native.Plan((("u8",), ("record", Slotted, descriptors, (0, 0), (False, False))), typed.DEFAULT)
    value = _native.Typed(plan, 1, 1, refuse, refuse, None, None).decode(b"\x07\x08")
    assert (value.one, value.two) == (7, 8)
    assert _native.Typed(plan, 1, 1, refuse, refuse, None, None).encode(value) == b"\x07\x08"


def test_what_lies_deep_in_each_other_is_dropped_without_a_deep_stack() -> None:
    plan = _native.Plan((("unit",),), typed.DEFAULT)
    made: Any = None
    for _ in range(200_000):
        made = _native.Typed(plan, 0, 0, made, refuse, None, None)
    del made
    for _ in range(200_000):
        plan = _native.Plan((("unit",),), plan)
    del plan
    gc.collect()


def test_a_cycle_through_a_plan_and_a_method_is_collected() -> None:
    class Cell:
        made: Any

        def __call__(self, value: Any) -> Any:
            return value

    cell = Cell()
    cell.made = _native.Typed(_native.Plan((("unit",),), cell), 0, 0, cell, refuse, None, None)
    dropped = weakref.ref(cell)
    del cell
    gc.collect()
    assert dropped() is None


def test_nobody_finds_a_list_that_lacks_items() -> None:
    encode, decode = alone("any")
    # More than there is room for at once; the collector runs on account of the lists in it.
    value = [[number, "text"] for number in range(1500)]
    message = encode(value)
    seen = 0

    def look(*_: Any) -> None:
        nonlocal seen
        # Python itself ends where an item lacks.
        seen += sum(len(tuple(map(id, found))) for found in gc.get_objects() if type(found) is list)

    thresholds = gc.get_threshold()
    gc.callbacks.append(look)
    gc.set_threshold(100)
    try:
        read = decode(message)
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(look)
    assert seen > 0
    assert read == value
    assert gc.is_tracked(read)
    assert all(map(gc.is_tracked, read))


class Pair(NamedTuple):
    """A tuple with a class of its own."""

    left: int
    right: int


def test_a_tuple_of_a_class_is_as_whole_as_python_makes_it() -> None:
    plan = _native.Plan((("u8",), ("tuple", (0, 0), Pair), ("tuple", (0, 0), None)), typed.DEFAULT)
    for place, kind in ((1, Pair), (2, tuple)):
        value = _native.Typed(plan, place, place, refuse, refuse, None, None).decode(b"\x01\x02")
        assert type(value) is kind
        # Its hash, too, which newer versions of Python keep inside of it.
        assert value in {Pair(1, 2)}
        assert hash(value) == hash((1, 2))


def test_objects_have_no_place() -> None:
    with pytest.raises(TypeError, match="doesn't know"):
        Nodes(t._CLIENT_SCHEMA.sizes).place({"object": "Counter"})


def test_a_method_is_the_extensions_unless_a_class_has_its_own(types: t.Types) -> None:
    point = t.Point(1.0, 2.0)
    call: Any = types.point
    assert isinstance(call.__self__, _native.Typed)
    options = rustbridge.CallOptions(timeout=60.0)
    assert call(point) == call(request=point) == call(point, options=options) == point
    assert call(request=point, options=options) == call(options=None, request=point) == point
    wrong: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}),
        ((point, options), {}),
        ((point, None), {}),
        ((point, None, None), {}),
        ((point,), {"request": point}),
        ((point,), {"no": 1}),
    ]
    for arguments, named in wrong:
        with pytest.raises(TypeError):
            call(*arguments, **named)

    class Mine(t.Types):
        def point(self, request: t.Point, *, options: rustbridge.CallOptions | None = None) -> t.Point:
            assert options is None
            return super().point(t.Point(request.y, request.x))

    mine = Mine(types.plugin)
    assert mine.point(point) == t.Point(2.0, 1.0)
    assert mine.celsius(t.Celsius(1.0)) == 1.0


def test_a_method_that_takes_nothing_is_given_nothing() -> None:
    given: list[Any] = []

    def keep(*arguments: Any, **named: Any) -> str:
        given.append((arguments, named))
        return "kept"

    plan = _native.Plan((("unit",),), typed.DEFAULT)
    made = _native.Typed(plan, 0, 0, refuse, refuse, None, keep)
    options = rustbridge.CallOptions()
    assert made.call_bare() == made.call_bare(options=options) == "kept"
    assert given == [((), {}), ((), {"options": options})]
    with rustbridge.load(plugin_path("types-plugin"), backend="native") as plugin:
        empty = plugin.method("unit", "json")
        made = _native.Typed(plan, 0, 0, refuse, len, empty, refuse)  # type: ignore[arg-type]
        with pytest.raises(rustbridge.PluginError):
            made.call_bare()
