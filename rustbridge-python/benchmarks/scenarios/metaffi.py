"""The scenarios of MetaFFI's comparison that today's features allow: from Python's values to Python's values."""

from __future__ import annotations

import struct
from array import array
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario
from rustbridge import CallOptions, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.lane import Lane
    from rustbridge import Object


@scenario("M primitive", single=True)
def primitive(lane: Lane) -> Work:
    """Divide two integers, which are packed within the timing."""
    call, floor = lane.bench.method("div", "pod").call_raw, lane.floor("div")
    pack, unpack = struct.Struct("=qq").pack, struct.Struct("=d").unpack

    def ours() -> float:
        (quotient,) = unpack(call(pack(10, 2)))
        return quotient  # type: ignore[no-any-return]

    def by_hand() -> float:
        return floor(10, 2)  # type: ignore[no-any-return]

    return Work(ours, by_hand)


@scenario("M string join", single=True)
def join(lane: Lane) -> Work:
    """Join a list of texts, as JSON that is made and read within the timing."""
    call, floor, dumps, loads = lane.bench.method("join").call, lane.floor("join_utf8"), lane.dumps, lane.loads

    def ours() -> Any:
        return call({"parts": ["hello", "world"]})["text"]

    def by_hand() -> Any:
        return loads(floor(dumps({"parts": ["hello", "world"]})))["text"]

    return Work(ours, by_hand)


def total(count: int, lane: Lane) -> Work:
    """Add up an `array('q')` that is lent, not copied."""
    call, floor = lane.bench.method("sum", "raw").call_raw, lane.floor("sum")
    unpack = struct.Struct("=q").unpack

    def ours(numbers: array[int]) -> int:
        (result,) = unpack(call(numbers))
        return result  # type: ignore[no-any-return]

    return Work(ours, floor, (array("q", range(1, count + 1)),))


for count in (10, 100, 1000, 10_000):
    scenario(f"M sum {count}", single=True)(partial(total, count))


def echo(size: int, lane: Lane) -> Work:
    """Echo bytes into new bytes."""
    return Work(lane.bench.method("echo_bytes", "raw").call_raw, lane.floor("raw_echo"), (b"x" * size,))


for size in (10, 100, 1000, 10_000):
    scenario(f"M echo {size} B", single=True)(partial(echo, size))


@scenario("M return 10000", single=True)
def numbers(lane: Lane) -> Work:
    """Get numbers as an `array('q')`."""
    call, floor = lane.bench.method("numbers", "raw").call_raw, lane.floor("numbers")
    pack = struct.Struct("<I").pack

    def ours() -> array[int]:
        return array("q", call(pack(10_000)))

    def by_hand() -> array[int]:
        return array("q", floor(10_000))

    return Work(ours, by_hand)


@scenario("error, message read", single=True)
def error(lane: Lane) -> Work:
    """Fail, and read why."""
    call, floor, kind = lane.conformance.method("raw.fail", "raw").call_raw, lane.floor("raw_fail"), lane.error

    def ours() -> str:
        try:
            call(b"Error")
        except kind as error:
            return error.message
        return ""

    def by_hand() -> str:
        try:
            floor(b"Error")
        except ValueError as error:
            return str(error)
        return ""

    return Work(ours, by_hand)


def dynamic(count: int, lane: Lane) -> Work:
    """Echo a list of values of different types, converted both ways."""
    call, values = lane.bench.method("any").call, ([1, "two", 3.0] * (count // 3 + 1))[:count]

    def ours() -> Any:
        return call({"values": values})["values"]

    if ours() != values:
        raise ValueError("the values have changed on their way")
    return Work(ours)


for count in (100, 10_000):
    scenario(f"M any {count}", floor=False, single=True)(partial(dynamic, count))


def greeter(lane: Lane) -> Callable[[], Object]:
    """Give what makes MetaFFI's object. What it costs by hand the scenarios of operations say."""
    make = lane.bench.method("some_class", "raw").call_with

    def made() -> Object:
        reply = Reply()
        make(b"bench", CallOptions(reply=reply))
        return reply.objects[0]

    return made


@scenario("M object method", floor=False, single=True)
def object_method(lane: Lane) -> Work:
    """Make it, call it and give it back."""
    made, greet = greeter(lane), lane.bench.method("SomeClass.greet", "raw").call_with

    def ours() -> str:
        with made() as one:
            return greet(b"", CallOptions(objects=[one])).decode()

    return Work(ours)


@scenario("M method on an existing object", floor=False, single=True)
def existing(lane: Lane) -> Work:
    """Call one that exists."""
    greet, options = lane.bench.method("SomeClass.greet", "raw").call_with, CallOptions(objects=[lane.greeter])

    def ours() -> str:
        return greet(b"", options).decode()

    return Work(ours)


@scenario("M create and drop", floor=False, single=True)
def create_and_drop(lane: Lane) -> Work:
    """Make it and give it back."""
    made = greeter(lane)

    def ours() -> None:
        made().close()

    return Work(ours)


@scenario("M callback", floor=False, single=True)
def callback(lane: Lane) -> Work:
    """Have the plugin have 1 and 2 added."""
    call, unpack = lane.asking.method("callback", "pod").call_raw, struct.Struct("=q").unpack

    def ours() -> int:
        (total,) = unpack(call(b""))
        return total  # type: ignore[no-any-return]

    return Work(ours)
