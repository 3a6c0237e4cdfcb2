"""The scenarios: what there is to measure, for the list and for the run alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.lane import Lane


@dataclass(frozen=True)
class Work:
    """What one subject after the other does: ours, and where there is one the hand-written call."""

    ours: Callable[..., Any]
    floor: Callable[..., Any] | None = None
    #: What both are called with: one value at most.
    arguments: tuple[Any, ...] = ()
    #: How many operations one call of them is.
    operations: int = 1


@dataclass(frozen=True)
class Scenario:
    """A scenario as the catalogue names it."""

    name: str
    make: Callable[[Lane], Work]
    floor: bool
    single: bool
    threads: tuple[int, ...]

    def subjects(self) -> Iterator[tuple[str, int]]:
        """Give what is measured of it, the floor right before ours: the subject and the number of threads."""
        for threads in self.threads:
            if self.floor:
                yield "floor", threads
            yield "ours", threads


REGISTERED: list[Scenario] = []


def scenario(
    name: str, *, floor: bool = True, single: bool = False, threads: tuple[int, ...] = (1,)
) -> Callable[[Callable[[Lane], Work]], Callable[[Lane], Work]]:
    """Register a function that makes a scenario's work in a lane.

    With `single`, operations are also timed one by one.
    """

    def register(make: Callable[[Lane], Work]) -> Callable[[Lane], Work]:
        REGISTERED.append(Scenario(name, make, floor, single, threads))
        return make

    return register
