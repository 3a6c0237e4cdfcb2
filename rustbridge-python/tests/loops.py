"""The event loops that tests run on."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

#: Longer than anything here takes on a slow machine.
LIMIT = 60


class Unwatching(asyncio.SelectorEventLoop):
    """A loop that can't watch descriptors, like that of Windows."""

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:  # type: ignore[override]
        asyncio.AbstractEventLoop.add_reader(self, fd, callback, *args)

    def _add_reader(self, fd: Any, callback: Any, *args: Any) -> Any:
        # What the loop itself uses, for its own waking.
        return super()._add_reader(fd, callback, *args)  # type: ignore[misc]


def _uvloop() -> asyncio.AbstractEventLoop:
    import uvloop

    return uvloop.new_event_loop()


MAKERS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "unwatching": Unwatching,
}
if sys.platform != "win32":
    MAKERS["uvloop"] = _uvloop


def run(loop: str, main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on a loop of that kind, as `asyncio.run` does."""
    made = MAKERS[loop]()
    try:
        return made.run_until_complete(asyncio.wait_for(main, LIMIT))
    finally:
        made.run_until_complete(made.shutdown_asyncgens())
        made.run_until_complete(made.shutdown_default_executor())
        made.close()
