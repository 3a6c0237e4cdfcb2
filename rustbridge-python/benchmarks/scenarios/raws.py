"""Bytes that nobody decodes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane


def echo(size: int, lane: Lane) -> Work:
    """Echo bytes into new bytes."""
    request = bytes(range(256)) * (size // 256)
    return Work(lane.bench.method("echo_bytes", "raw").call_raw, lane.floor("raw_echo_large"), (request,))


def into(size: int, lane: Lane) -> Work:
    """Echo bytes into the caller's buffer."""
    request, room = bytes(range(256)) * (size // 256), bytearray(size)
    call = lane.bench.method("echo_bytes", "raw").call_raw

    def ours() -> int:
        return call(request, room)

    return Work(ours, lane.floor_into("raw_echo", request, bytearray(size)))


def lease(size: int, lane: Lane) -> Work:
    """Echo bytes, read one of them where it lies, and give them back."""
    request = bytes(range(256)) * (size // 256)
    method = lane.bench.method("echo_bytes", "raw")

    def ours() -> int:
        with method.lease(request) as lease:
            return lease.view[-1]

    return Work(ours)


for name, size in {"raw 100 KB": 100 << 10, "raw 16 MB": 16 << 20}.items():
    scenario(name)(partial(echo, size))
    scenario(f"{name}, into a buffer")(partial(into, size))
    scenario(f"{name}, lease", floor=False)(partial(lease, size))
