"""Measures every scenario: the hand-written call right before ours, in several rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.measures import MEASURES, Measure
from benchmarks.timing import Crew, plain_runner, singles

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from pytest_benchmark.fixture import BenchmarkFixture

    from benchmarks.lane import Lane
    from benchmarks.scenario import Scenario, Work

CREW_TIME = 0.05


def test_scenario(
    backend: str,
    scenario: Scenario,
    subject: str,
    threads: int,
    number: int,
    lanes: dict[str, Lane],
    benchmark: BenchmarkFixture,
    request: pytest.FixtureRequest,
) -> None:
    lane = lanes[backend]
    work = scenario.make(lane)
    function = chosen(work, subject)
    check(scenario, work)
    operations = work.operations
    if threads == 1:
        vars(benchmark)["_make_runner"] = plain_runner
        benchmark(function, *work.arguments)
    else:
        # One instance of ours for all; what is written by hand knows of one thread only.
        several = [function] * threads
        if subject == "floor":
            several = [chosen(scenario.make(lane), subject) for _ in range(threads)]
        quick = request.config.getoption("--quick")
        with Crew(several, work.arguments) as crew:
            crew.calibrate(CREW_TIME / 3 if quick else CREW_TIME)
            operations *= crew.calls
            benchmark.pedantic(crew.run, rounds=3 if quick else 5, iterations=1)  # type: ignore[no-untyped-call]
    if benchmark.stats is None:
        # Nothing is timed with --benchmark-disable.
        return
    key = (scenario.name, backend, subject, threads)
    measure = MEASURES.setdefault(key, Measure(scenario.name, backend, subject, threads))
    measure.ns += [seconds * 1e9 / operations for seconds in benchmark.stats.stats.data]
    benchmark.extra_info.update(scenario=scenario.name, subject=subject, transport=backend, threads=threads)
    if scenario.single and threads == 1 and number == 0:
        shortened = 0.1 if request.config.getoption("--quick") else 1.0
        measure.single = singles(function, work.arguments, shortened)


def chosen(work: Work, subject: str) -> Callable[..., Any]:
    """Give the subject's function."""
    function = work.ours if subject == "ours" else work.floor
    if function is None:
        raise LookupError(f"a scenario without {subject} was listed with it")
    return function


def check(scenario: Scenario, work: Work) -> None:
    """Refuse to measure what answers wrongly: a floor that does other work would be none."""
    if scenario.floor != (work.floor is not None):
        raise LookupError(f"{scenario.name} is registered with the wrong floor")
    if work.floor is not None and work.ours(*work.arguments) != work.floor(*work.arguments):
        raise ValueError(f"{scenario.name}: ours and the floor answer differently")
