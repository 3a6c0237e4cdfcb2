"""What is still open when the interpreter ends, or when the process forks."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING

from . import _backend
from ._errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._plugin import Plugin

#: What each step of ending may take: enough for records on their way, and little for a program that wants to end.
_TIMEOUT_MS = 1000

#: Every instance not yet closed. Weak, because an instance that nobody refers to ends at once.
live: weakref.WeakSet[Plugin] = weakref.WeakSet()


def _close_all() -> None:
    """End what the program left open, while callbacks into Python are still possible."""
    for plugin in list(live):
        backend, handle = plugin._backend, plugin._handle
        steps: tuple[tuple[Callable[..., None], int | None], ...] = (
            (backend.flush_logs, _TIMEOUT_MS),
            (backend.set_log_sink, None),
            (backend.close, _TIMEOUT_MS),
        )
        for step, argument in steps:
            try:
                step(handle, argument)
            except PluginError:
                # What can't be done in time, or is done already, must not hold off the rest.
                pass
        plugin._end()
    for backend in _backend.loaded():
        backend.end_upcalls(_TIMEOUT_MS)


def _forget_all() -> None:
    """Leave the parent's instances alone in a forked child: their threads and locks exist only there."""
    for plugin in list(live):
        plugin._end()
    for backend in _backend.loaded():
        backend.forget_upcalls()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
