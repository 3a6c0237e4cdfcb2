"""The Python rows of the tables that rustbridge is compared with."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from benchmarks.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL = {
    "echo": '{"message":"hello world from benchmark"}',
    "greet": '{"name":"BenchmarkUser"}',
    "math.add": '{"a":123456789,"b":987654321}',
}
PAYLOADS = {"medium": 900, "large": 100_000}
HUNDRED = 100


@pytest.mark.parametrize("name", SMALL)
def test_small(name: str, hello: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    text = SMALL[name]

    def call() -> str:
        return hello.call_json(name, text)

    measure(f"A small {name}", call)


@pytest.mark.parametrize("name", PAYLOADS)
def test_payload(name: str, hello: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    text = json.dumps({"message": "x" * PAYLOADS[name]})

    def call() -> str:
        return hello.call_json("echo", text)

    measure(f"A {name} echo", call)


def test_latency_with_the_payload_built_and_the_answer_read(
    hello: rustbridge.Plugin, measure: Callable[..., None]
) -> None:
    def call() -> Any:
        return hello.call("echo", {"message": "benchmark test"})

    measure("A json latency, object to object", call)


def test_sequential(hello: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    text = SMALL["echo"]

    def calls() -> None:
        for _ in range(HUNDRED):
            hello.call_json("echo", text)

    measure("A sequential 100", calls)


def test_concurrent_on_a_new_pool_of_ten_threads(hello: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    text = SMALL["echo"]

    def call(_: int) -> str:
        return hello.call_json("echo", text)

    def calls() -> int:
        with ThreadPoolExecutor(10) as pool:
            return sum(map(len, pool.map(call, range(HUNDRED))))

    measure("A concurrent 100, 10 threads", calls)


def test_the_same_pool_without_calls(measure: Callable[..., None]) -> None:
    def calls() -> int:
        with ThreadPoolExecutor(10) as pool:
            return sum(pool.map(int, range(HUNDRED)))

    measure("A concurrent 100, 10 threads", calls, floor=True)


def test_lifecycle(backend: Any, measure: Callable[..., None]) -> None:
    path = plugin_path("hello_plugin")
    text = SMALL["echo"]

    def live() -> str:
        with rustbridge.load(path, backend=backend, log_level="off") as plugin:
            return plugin.call_json("echo", text)

    measure("A lifecycle: load, echo, close", live)
