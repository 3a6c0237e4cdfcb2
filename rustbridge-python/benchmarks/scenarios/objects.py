"""JSON from object to object, by the codec that the package has chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane


def objects(method: str, floor: str, request: dict[str, Any], lane: Lane) -> Work:
    """Call with a dict and get one; by hand that's the same codec around a bare call."""
    call, dumps, loads = lane.floor(floor), lane.dumps, lane.loads

    def by_hand(request: dict[str, Any]) -> Any:
        return loads(call(dumps(request)))

    return Work(lane.hello.method(method).call, by_hand, (request,))


scenario("json echo 13 B, object to object")(partial(objects, "echo", "echo_utf8", {"message": "Hello, World!"}))
scenario("json bench.small, object to object")(
    partial(objects, "bench.small", "small_utf8", {"key": "bench_key", "flags": 1})
)
