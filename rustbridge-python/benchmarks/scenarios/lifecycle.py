"""What happens besides calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.scenario import Work, scenario
from benchmarks.scenarios.tables import ECHO

if TYPE_CHECKING:
    from benchmarks.lane import Lane


@scenario("load, call, close: mapped before", floor=False)
def life(lane: Lane) -> Work:
    """Load, echo, close; another instance stays, so that the library is mapped."""
    lane.hello.call_json("echo", ECHO)

    def live() -> str:
        with lane.load() as plugin:
            return plugin.call_json("echo", ECHO)

    return Work(live)
