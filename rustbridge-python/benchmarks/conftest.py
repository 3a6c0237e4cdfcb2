"""One way to measure, and the plugins and floors to measure."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from benchmarks import floors
from benchmarks.plugins import BACKENDS, PLUGINS, plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_benchmark.fixture import BenchmarkFixture


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def hello(backend: Any) -> Iterator[rustbridge.Plugin]:
    with rustbridge.load(plugin_path("hello_plugin"), backend=backend, log_level="off") as plugin:
        yield plugin


@pytest.fixture
def conformance(backend: Any) -> Iterator[rustbridge.Plugin]:
    config = {"label": "bench"}
    with rustbridge.load(plugin_path("conformance_plugin"), config, backend=backend, log_level="off") as plugin:
        yield plugin


@pytest.fixture(scope="session")
def floor_library() -> Any:
    return floors.library(PLUGINS)


@pytest.fixture(scope="session")
def all_floors(floor_library: Any) -> dict[str, Any]:
    extension = floors.extension(floor_library)
    return {"native": extension, "ctypes": floors.by_hand(floor_library, extension.__file__)}


@pytest.fixture
def floor(backend: str, all_floors: dict[str, Any]) -> Any:
    """Give the hand-written calls of the same kind as the backend."""
    return all_floors[backend]


def plain_runner(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Make a loop around the bare call.

    pytest-benchmark's own calls with `*args, **kwargs`, which costs more than the fastest call measured here.
    """
    if len(arguments) > 1 or named:
        raise TypeError("a benchmark takes one argument at most")

    def run(loops: Any, timer: Callable[[], float] | None = None) -> Any:
        clock = timer or time.perf_counter
        enabled = gc.isenabled()
        gc.disable()
        try:
            if not loops:
                begin = clock()
                result = function(*arguments)
                return clock() - begin, result
            if arguments:
                (argument,) = arguments
                begin = clock()
                for _ in loops:
                    function(argument)
            else:
                begin = clock()
                for _ in loops:
                    function()
            return clock() - begin
        finally:
            if enabled:
                gc.enable()

    return run


@pytest.fixture
def measure(benchmark: BenchmarkFixture, backend: str) -> Callable[..., None]:
    """Measure ours as `measure(scenario, function, argument)`, a floor with `floor=True`."""

    def run(scenario: str, function: Callable[..., Any], *arguments: Any, floor: bool = False) -> None:
        benchmark.extra_info.update(
            {"scenario": scenario, "transport": "floor", "for": backend}
            if floor
            else {"scenario": scenario, "transport": backend}
        )
        vars(benchmark)["_make_runner"] = plain_runner
        benchmark(function, *arguments)

    return run
