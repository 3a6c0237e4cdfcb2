"""JSON from text to text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.scenario import Work, scenario

if TYPE_CHECKING:
    from benchmarks.lane import Lane

HELLO = '{"message":"Hello, World!"}'


@scenario("json echo 13 B", single=True, threads=(1, 2, 4, 8))
def hello(lane: Lane) -> Work:
    """Echo a short text."""
    return Work(lane.hello.method("echo").call_json, lane.floor("echo_json"), (HELLO,))


def echo(length: int, lane: Lane) -> Work:
    """Echo a text of that length."""
    text = '{"message":"' + "x" * length + '"}'
    floor = lane.floor("echo_json" if length == 900 else "echo_json_large")
    return Work(lane.hello.method("echo").call_json, floor, (text,))


for size, length in {"1 KB": 900, "100 KB": 100_000, "16 MB": 16 << 20}.items():
    scenario(f"json echo {size}")(partial(echo, length))


@scenario("json bench.small")
def small(lane: Lane) -> Work:
    """Look a key up, in JSON."""
    text = '{"key":"bench_key","flags":1}'
    return Work(lane.hello.method("bench.small").call_json, lane.floor("small_json"), (text,))
