"""Measures every peer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.measures import MEASURES, Measure
from benchmarks.timing import plain_runner
from peers.peer import OPERATIONS, SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from peers.peer import Peer


def test_peer(subject: str, name: str, loaded: Callable[[str], Peer], benchmark: BenchmarkFixture) -> None:
    """Measure one scenario of one peer."""
    call = loaded(subject).prepare(name)
    vars(benchmark)["_make_runner"] = plain_runner
    benchmark(call)
    if benchmark.stats is None:
        # Nothing is timed with --benchmark-disable.
        return
    scenario = SCENARIOS[name]
    key = (scenario, "", subject, 1)
    measure = MEASURES.setdefault(key, Measure(scenario, "", subject, 1))
    measure.ns += [seconds * 1e9 / OPERATIONS.get(name, 1) for seconds in benchmark.stats.stats.data]
    benchmark.extra_info.update(scenario=scenario, subject=subject)
