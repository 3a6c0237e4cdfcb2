"""Closes open plugins when the interpreter ends, and abandons them in the child of a fork."""

from __future__ import annotations

import atexit
import logging
import os
import time
import weakref
from typing import TYPE_CHECKING, Any

from . import _backend, _queues, _services
from ._errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._plugin import Plugin

#: The time limit of each step of ending, for all instances together, in seconds. It suffices to deliver pending records
#: without delaying the program's end for long.
_TIMEOUT = 1.0

#: How long log handlers may take to return, in seconds. It's longer because a handler that hasn't returned by then is
#: interrupted.
_RETURN = 5.0

#: How long functions of services may take to return, in seconds. No one uses their results any more.
_BUSY = 0.5

#: How long to wait for handlers between checks for signals, in milliseconds.
_SLICE = 100

#: How long to wait for a handler's lock, which a thread that logs may hold, in seconds.
_LOCK = 0.1

#: Every instance that isn't closed yet. The references are weak, because an unreferenced instance ends immediately.
live: weakref.WeakSet[Plugin] = weakref.WeakSet()

#: Instances that are gone but couldn't be closed in time. Their log records may still arrive.
dropped: list[tuple[_backend.Backend, int]] = []


class _End:
    """Runs the steps of ending, several of which share a time limit.

    If a step raises an exception, such as a Ctrl-C, the later steps still run, because callbacks could otherwise arrive
    after Python's end. They no longer wait, and the exception is raised after the last step.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self.raised: BaseException | None = None

    def allow(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def ms(self) -> int:
        return 0 if self.raised else max(0, int((self._until - time.monotonic()) * 1000))

    def run(self, step: Callable[..., Any], *arguments: float | None) -> Any:
        try:
            return step(*arguments)
        except PluginError:
            # A step that runs out of time, or was done already, must not prevent the others.
            return None
        except BaseException as error:
            self.raised = self.raised or error
            return None


def _close_all() -> None:
    """Close the open plugins and queues while callbacks into Python are still possible. Each step has a time limit."""
    end = _End()
    plugins = list(live)
    instances = [(plugin._backend, plugin._handle) for plugin in plugins] + dropped
    end.allow(_TIMEOUT)
    for backend, handle in instances:
        end.run(backend.flush_logs, handle, end.ms())
    # Pending calls are abandoned and services no longer called, so that the steps below have nothing to wait for.
    ending, busy = end.run(_services.close_all) or ((), ())
    ending = [*ending, *(end.run(_queues.close_all) or ())]
    # Closing may have used up the time. A thread that acquires the GIL after Python's end could end the process.
    for threads, seconds in ((ending, _RETURN), (busy, _BUSY)):
        end.allow(seconds)
        for thread in threads:
            end.run(thread.join, end.ms() / 1000)
    end.allow(_RETURN)
    stuck = [backend for backend in _backend.loaded() if not _returned(end, backend)]
    for backend in stuck:
        end.run(backend.cut_off_upcalls)
    if stuck:
        end.run(_give_up_handlers)
    end.allow(_TIMEOUT)
    for backend, handle in instances:
        # The sink isn't called from here on, even if a call hasn't returned.
        end.run(backend.set_log_sink, handle, None, end.ms())
    end.allow(_TIMEOUT)
    for backend, handle in instances:
        end.run(backend.close, handle, end.ms(), 0)
    end.allow(_TIMEOUT)
    for backend in _backend.loaded():
        end.run(backend.await_releases, end.ms() / 1000)
    for plugin in plugins:
        plugin._end()
    if end.raised is not None:
        raise end.raised


def _returned(end: _End, backend: _backend.Backend) -> bool:
    # In slices, because the extension notices a Ctrl-C only when it returns.
    while not end.run(backend.end_upcalls, min(end.ms(), _SLICE)):
        if not end.ms():
            # Once more, because a Ctrl-C may have arrived before the call had any effect.
            return bool(end.run(backend.end_upcalls, 0))
    return True


def _give_up_handlers() -> None:
    """Remove handlers that never return, because `logging.shutdown`, which comes next, would wait for their locks."""
    references: list[Any] = getattr(logging, "_handlerList", [])
    for reference in list(references):
        lock = getattr(reference(), "lock", None)
        if lock is None:
            continue
        if lock.acquire(timeout=_LOCK):
            lock.release()
        else:
            references.remove(reference)


def _forget_all() -> None:
    """Abandon the parent's instances in the child of a fork: their threads and locks exist only in the parent."""
    for plugin in list(live):
        plugin._end()
    dropped.clear()
    _queues.forget_all()
    _services.forget_all()
    for backend in _backend.loaded():
        backend.forget_upcalls()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
