"""The options of a run, its lanes, and what it writes."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import measures
from benchmarks.lane import Lane
from benchmarks.plugins import BACKENDS
from benchmarks.scenarios import ALL
from benchmarks.timing import ROUNDS, choose_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rustbridge")
    group.addoption("--quick", action="store_true", help="one short round: enough for a look, not for a claim")
    group.addoption(
        "--scenario",
        action="append",
        default=[],
        metavar="TEXT",
        help="measure only scenarios whose name contains this; may be given several times",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    choose_lengths(config.option)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config = metafunc.config
    texts = [text.lower() for text in config.getoption("--scenario")]
    cases = [
        pytest.param(
            backend, scenario, subject, threads, number, id=f"{backend} {scenario.name} {subject} x{threads} #{number}"
        )
        for backend in BACKENDS
        for number in range(1 if config.getoption("--quick") else ROUNDS)
        for scenario in ALL
        if not texts or any(text in scenario.name.lower() for text in texts)
        for subject, threads in scenario.subjects()
    ]
    metafunc.parametrize(("backend", "scenario", "subject", "threads", "number"), cases)


@pytest.fixture(scope="session")
def lanes() -> Iterator[dict[str, Lane]]:
    """Give a lane for each backend."""
    made = {backend: Lane(backend) for backend in BACKENDS}
    gc.collect()
    # pytest's own objects would otherwise be walked through whenever a scenario's objects make the collector run.
    gc.freeze()
    yield made
    for lane in made.values():
        lane.close()


def pytest_sessionfinish(session: pytest.Session) -> None:
    folder = os.environ.get("RUSTBRIDGE_BENCH_ROWS")
    if not folder or session.config.option.collectonly:
        return
    for backend in BACKENDS:
        found = [measure for measure in measures.MEASURES.values() if measure.transport == backend]
        if found:
            measures.write(found, Path(folder) / f"pytest-{backend}.json")
