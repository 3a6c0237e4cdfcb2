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

#: How long a handler may take to return from the record that it's in. Longer, because one that hasn't goes on while the
#: interpreter ends, and is stopped there when it wants the GIL; with ctypes, up to Python 3.13,
#: the whole process is.
_RETURN_MS = 5000

#: Every instance not yet closed. Weak, because an instance that nobody refers to ends at once.
live: weakref.WeakSet[Plugin] = weakref.WeakSet()


def _done(step: Callable[..., None], *arguments: int | None) -> bool:
    try:
        step(*arguments)
    except PluginError:
        # What can't be done in time, or is done already, must not hold off the rest.
        return False
    return True


def _close_all() -> None:
    """End what the program left open, while callbacks into Python are still possible."""
    plugins = list(live)
    for plugin in plugins:
        _done(plugin._backend.flush_logs, plugin._handle, _TIMEOUT_MS)
    for backend in _backend.loaded():
        backend.end_upcalls(_TIMEOUT_MS)
    for plugin in plugins:
        backend, handle = plugin._backend, plugin._handle
        # Records don't reach Python any more, so all that can keep them from being delivered is a handler that hasn't
        # returned. To take the sink away would wait for that one for good.
        if _done(backend.flush_logs, handle, _RETURN_MS):
            _done(backend.set_log_sink, handle, None)
        _done(backend.close, handle, _TIMEOUT_MS)
        plugin._end()


def _forget_all() -> None:
    """Leave the parent's instances alone in a forked child: their threads and locks exist only there."""
    for plugin in list(live):
        plugin._end()
    for backend in _backend.loaded():
        backend.forget_upcalls()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
