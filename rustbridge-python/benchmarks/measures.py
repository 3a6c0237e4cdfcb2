"""What a run writes: the measures that tools/bench-report/src/results.rs describes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

MOST_SAMPLES = 100


def quantile(values: Iterable[float], share: float) -> float:
    """Give the value below which that share of the values lies, between two of them if need be."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def thinned(values: Sequence[float]) -> list[float]:
    """Give at most a hundred values that lie as the values do."""
    if len(values) <= MOST_SAMPLES:
        return list(values)
    return [quantile(values, number / (MOST_SAMPLES - 1)) for number in range(MOST_SAMPLES)]


@dataclass(frozen=True)
class Single:
    """Percentiles of single operations, in nanoseconds, with the clock's own time in them."""

    count: int
    p50: float
    p90: float
    p99: float
    p999: float
    clock: float

    @classmethod
    def of(cls, times: Sequence[int], clock: float) -> Single:
        """Summarise operations that were timed one by one."""
        p50, p90, p99, p999 = (quantile(times, share) for share in (0.5, 0.9, 0.99, 0.999))
        return cls(len(times), p50, p90, p99, p999, clock)


@dataclass
class Measure:
    """One subject in one scenario, over all rounds."""

    scenario: str
    transport: str
    subject: str
    threads: int
    ns: list[float] = field(default_factory=list)
    single: Single | None = None

    def to_json(self) -> dict[str, Any]:
        """Give it in the words of the results."""
        words: dict[str, Any] = {
            "scenario": self.scenario,
            "host": "python",
            "transport": self.transport,
            "subject": self.subject,
            "threads": self.threads,
            "ns": [round(value, 3) for value in thinned(self.ns)],
            "harness": "pytest-benchmark",
        }
        if self.single is not None:
            words["single"] = {name: round(value, 1) for name, value in vars(self.single).items()}
        return words


#: Everything measured so far, in the order of the scenarios: by scenario, transport, subject, and threads.
MEASURES: dict[tuple[str, str, str, int], Measure] = {}


def write(measures: Iterable[Measure], file: Path) -> None:
    """Write measures as one JSON array."""
    text = json.dumps([measure.to_json() for measure in measures], indent=1)
    file.write_text(text + "\n", encoding="utf-8")
