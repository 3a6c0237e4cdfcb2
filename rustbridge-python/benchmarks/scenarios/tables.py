"""The tables that rustbridge is compared with: calls by the method's name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario
from benchmarks.scenarios.structs import SMALL

if TYPE_CHECKING:
    from benchmarks.lane import Lane

ECHO = '{"message":"hello world from benchmark"}'
LATENCY = '{"message": "benchmark test"}'
TEXTS = {
    "small echo": ("echo", ECHO),
    "small greet": ("greet", '{"name":"BenchmarkUser"}'),
    "small math.add": ("math.add", '{"a":123456789,"b":987654321}'),
    "medium echo": ("echo", '{"message":"' + "x" * 900 + '"}'),
    "large echo": ("echo", '{"message":"' + "x" * 100_000 + '"}'),
}


def by_name(method: str, text: str, lane: Lane) -> Work:
    """Call with text."""
    plugin = lane.hello

    def call() -> str:
        return plugin.call_json(method, text)

    return Work(call)


scenario("A json latency", floor=False)(partial(by_name, "echo", LATENCY))


@scenario("A json latency, object to object", floor=False)
def latency_of_objects(lane: Lane) -> Work:
    """Make the request, call, and read the answer."""
    plugin = lane.hello

    def call() -> Any:
        return plugin.call("echo", {"message": "benchmark test"})

    return Work(call)


@scenario("A throughput json", floor=False)
def throughput_of_json(lane: Lane) -> Work:
    """Call a thousand times."""
    plugin = lane.hello

    def calls() -> None:
        for _ in range(1000):
            plugin.call_json("echo", LATENCY)

    return Work(calls, operations=1000)


@scenario("A throughput binary", floor=False)
def throughput_of_structs(lane: Lane) -> Work:
    """Call a thousand times."""
    plugin = lane.hello

    def calls() -> None:
        for _ in range(1000):
            plugin.call_raw(1, SMALL)

    return Work(calls, operations=1000)


for name, (method, text) in TEXTS.items():
    scenario(f"A {name}", floor=False)(partial(by_name, method, text))


@scenario("A sequential 100", floor=False)
def sequential(lane: Lane) -> Work:
    """Call a hundred times."""
    plugin = lane.hello

    def calls() -> None:
        for _ in range(100):
            plugin.call_json("echo", ECHO)

    return Work(calls)


@scenario("A concurrent 100, 10 threads")
def concurrent(lane: Lane) -> Work:
    """Call a hundred times on a new pool of ten threads; the floor is the pool."""
    plugin = lane.hello

    def call(_: int) -> str:
        return plugin.call_json("echo", ECHO)

    def calls() -> int:
        with ThreadPoolExecutor(10) as pool:
            return sum(1 for _ in pool.map(call, range(100)))

    def pool_alone() -> int:
        with ThreadPoolExecutor(10) as pool:
            return sum(1 for _ in pool.map(int, range(100)))

    return Work(calls, pool_alone)
