"""The scenarios of rpclib's comparison."""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane


@scenario("get_answer", single=True)
def answer(lane: Lane) -> Work:
    """Ask with 23, get 64."""
    call, floor = lane.bench.method("get_answer", "pod").call_raw, lane.floor("answer")
    number = struct.Struct("=i")
    pack, unpack = number.pack, number.unpack

    def ours(value: int) -> int:
        (result,) = unpack(call(pack(value)))
        return result  # type: ignore[no-any-return]

    return Work(ours, floor, (23,))


def blob(size: int, lane: Lane) -> Work:
    """Get bytes as new bytes."""
    call, floor = lane.bench.method("get_blob", "raw").call_raw, lane.floor("blob" if size == 1 << 10 else "blob_large")
    pack = struct.Struct("<I").pack

    def ours(size: int) -> bytes:
        return call(pack(size))

    return Work(ours, floor, (size,))


def lease(size: int, lane: Lane) -> Work:
    """Get bytes, read one of them where it lies, and give them back."""
    lease_of = lane.bench.method("get_blob", "raw").lease
    pack = struct.Struct("<I").pack

    def ours(size: int) -> int:
        with lease_of(pack(size)) as lease:
            return lease.view[-1]

    return Work(ours, None, (size,))


for name, size in {"1 KB": 1 << 10, "64 KB": 1 << 16, "1 MB": 1 << 20, "16 MB": 1 << 24}.items():
    scenario(f"get_blob {name}", single=True)(partial(blob, size))
    scenario(f"get_blob {name}, lease", floor=False)(partial(lease, size))


@scenario("get_structs", floor=False, single=True)
def structs(lane: Lane) -> Work:
    """Get 34 students as dicts, lists and texts."""
    call = lane.bench.method("get_structs").call

    def ours() -> Any:
        return call({})["students"]

    students = ours()
    if (len(students), len(students[0]["schools"]), students[0]["home"]["number"] > 0) != (34, 34, True):
        raise ValueError("these aren't the students")
    return Work(ours)
