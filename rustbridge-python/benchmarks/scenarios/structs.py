"""Structs of a fixed layout as bytes, and the empty call."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane

PAIR = struct.pack("=ii", 40, 2)
SHAPE = struct.pack("=6iQ", 1, 2, 3, 4, 5, 6, 7)
SUMMANDS = struct.pack("=qq", 123_456_789, 987_654_321)
SMALL = struct.pack("=B3x64sII", 1, b"bench_key", 9, 1)


@scenario("empty call", single=True)
def empty(lane: Lane) -> Work:
    """Ask for nothing."""
    return Work(lane.bench.method("void", "raw").call_raw, lane.floor("empty"), (b"",))


@scenario("pod 8/8")
def pod8(lane: Lane) -> Work:
    """Add two numbers."""
    return Work(lane.conformance.method("pod.add32", "pod").call_raw, lane.floor("pod8"), (PAIR,))


@scenario("pod 8/8, into a buffer")
def pod8_into(lane: Lane) -> Work:
    """Fill the caller's buffer."""
    call, room = lane.conformance.method("pod.add32", "pod").call_raw, bytearray(8)

    def into() -> int:
        return call(PAIR, room)

    return Work(into, lane.floor_into("pod8", PAIR, bytearray(8)))


@scenario("pod 268/272")
def pod272(lane: Lane) -> Work:
    """Add a tag to many numbers."""
    return Work(lane.conformance.method("pod.big", "pod").call_raw, lane.floor("big"), (bytes(range(256)) + bytes(12),))


@scenario("pod 32/32, ordinary")
def nested(lane: Lane) -> Work:
    """Call a method that isn't a leaf."""
    return Work(lane.conformance.method("pod.nested", "pod").call_raw, lane.floor("nested"), (SHAPE,))


@scenario("bench.small 76/80", single=True, threads=(1, 2, 4, 8))
def small(lane: Lane) -> Work:
    """Look a key up."""
    return Work(lane.hello.method(1, "pod").call_raw, lane.floor("small"), (SMALL,))


@scenario("bench.small 76/80, request built inside")
def small_built(lane: Lane) -> Work:
    """Look a key up, and pack the request before."""
    ours, floor = lane.hello.method(1, "pod").call_raw, lane.floor("small")
    pack = struct.Struct("=B3x64sII").pack

    def call() -> Any:
        return ours(pack(1, b"bench_key", 9, 1))

    def by_hand() -> Any:
        return floor(pack(1, b"bench_key", 9, 1))

    return Work(call, by_hand)


@scenario("math.add 16/8")
def add(lane: Lane) -> Work:
    """Add with a check."""
    return Work(lane.hello.method("math.add", "pod").call_raw, lane.floor("add16"), (SUMMANDS,))
