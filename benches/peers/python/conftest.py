"""The options of a run, and what it writes. How calls are timed is `rustbridge-python/benchmarks`' own."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "rustbridge-python"))

from benchmarks import measures
from benchmarks.timing import ROUNDS, choose_lengths
from peers.every import PEERS, cases
from peers.peer import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from peers.peer import Peer


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what this suite knows."""
    group = parser.getgroup("peers")
    group.addoption("--quick", action="store_true", help="one short round: enough for a look, not for a claim")
    group.addoption("--peer", action="append", default=[], metavar="NAME", help="measure only this one")
    group.addoption(
        "--scenario",
        action="append",
        default=[],
        metavar="TEXT",
        help="measure only scenarios whose name contains this; may be given several times",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the lengths of samples and rounds that our own lanes have."""
    choose_lengths(config.option)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of every peer, scenario and round."""
    config = metafunc.config
    chosen = list(cases(config.getoption("--peer"), config.getoption("--scenario")))
    rounds = 1 if config.getoption("--quick") else ROUNDS
    params = [
        pytest.param(subject, name, id=f"{subject} {SCENARIOS[name]} #{number}")
        for number in range(rounds)
        for subject, name in chosen
    ]
    metafunc.parametrize(("subject", "name"), params)


@pytest.fixture(scope="session")
def loaded() -> Iterator[Callable[[str], Peer]]:
    """Give peers, each loaded once."""
    made: dict[str, Peer] = {}

    def give(subject: str) -> Peer:
        if subject not in made:
            peer = PEERS[subject]()
            peer.load()
            made[subject] = peer
            gc.collect()
            # pytest's own objects would otherwise be walked through whenever a scenario makes the collector run.
            gc.freeze()
        return made[subject]

    yield give
    for peer in made.values():
        peer.close()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what was measured, a file for every peer."""
    folder: Any = os.environ.get("RUSTBRIDGE_BENCH_ROWS")
    if not folder or session.config.option.collectonly:
        return
    for subject in PEERS:
        found = [measure for measure in measures.MEASURES.values() if measure.subject == subject]
        if found:
            measures.write(found, Path(folder) / f"peers-python-{subject.replace(' ', '-')}.json")
