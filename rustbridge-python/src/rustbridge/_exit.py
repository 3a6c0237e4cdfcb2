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

#: What each step of ending may take, for all instances together: enough for records on their way, and little for a
#: program that wants to end.
_TIMEOUT = 1.0

#: How long handlers may take to return from the records that they're in. Longer, because one that hasn't is stopped in
#: the midst of what it does.
_RETURN = 5.0

#: How long services' functions may take to return, which have nobody to answer any more.
_BUSY = 0.5

#: How long the wait for handlers goes on without a look at signals, in milliseconds.
_SLICE = 100

#: How long a handler's lock is waited for that somebody may hold who only logs.
_LOCK = 0.1

#: Every instance not yet closed. Weak, because an instance that nobody refers to ends at once.
live: weakref.WeakSet[Plugin] = weakref.WeakSet()

#: What those were that are gone and couldn't be closed in time: their log may still come.
dropped: list[tuple[_backend.Backend, int]] = []


class _End:
    """Runs the steps of ending, within what's left of a time that several share.

    None is left out for what another raises: a Ctrl-C of somebody who is tired of waiting, which would let Python end
    with callbacks that still come. Nothing is waited for after that, and at the end it's raised.
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
            # What can't be done in time, or is done already, must not hold off the rest.
            return None
        except BaseException as error:
            self.raised = self.raised or error
            return None


def _close_all() -> None:
    """End what the program left open, while callbacks into Python are still possible. Each step has its limit."""
    end = _End()
    plugins = list(live)
    instances = [(plugin._backend, plugin._handle) for plugin in plugins] + dropped
    end.allow(_TIMEOUT)
    for backend, handle in instances:
        end.run(backend.flush_logs, handle, end.ms())
    # What's pending is given up, and no plugin asks any more: else there would be something to wait for below.
    ending, busy = end.run(_services.close_all) or ((), ())
    ending = [*ending, *(end.run(_queues.close_all) or ())]
    # Closing may have taken its time. One that still wants the GIL when Python is gone could end the process.
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
        # Not called any more from here on, also if it hasn't returned.
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
    # In slices, because the extension hears of a Ctrl-C only when it's back.
    while not end.run(backend.end_upcalls, min(end.ms(), _SLICE)):
        if not end.ms():
            # Once more, because a Ctrl-C may have come before it did anything.
            return bool(end.run(backend.end_upcalls, 0))
    return True


def _give_up_handlers() -> None:
    """Keep `logging.shutdown`, which comes next, from waiting for good for the lock of a handler that never returns."""
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
    """Leave the parent's instances alone in a forked child: their threads and locks exist only there."""
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
