"""Upcalls: calls from the native library into Python, by ctypes.

Before any code of this package runs, ctypes acquires the GIL, on a thread state that it creates if the thread has none.
Afterwards it reports an exception by :func:`sys.unraisablehook`, so that no exception crosses the boundary.

ctypes can't prevent upcalls when Python ends. Up to 3.13, Python then ends a thread that wants the GIL by unwinding its
stack. The stack contains the library's frames, so this ends the process. Three rules prevent it:

* Code that passes a callback to the library removes it before the interpreter ends.
* The library receives numbers instead of addresses of objects, so a late number finds nothing.
* A target that hasn't returned by then is left by an exception.
"""

from __future__ import annotations

import ctypes
import itertools
import time
from typing import TYPE_CHECKING, Any

from . import _abi
from ._threads import get_ident

if TYPE_CHECKING:
    from collections.abc import Callable

_targets: dict[int, Callable[..., object]] = {}
_numbers = itertools.count(1)


def register(target: Callable[..., object]) -> int:
    """Register a target, and return its number: the ``user_data`` for a callback and for `RELEASE`."""
    number = next(_numbers)
    _targets[number] = target
    _held.add(number)
    return number


class _Ending(BaseException):
    """Raised in a target that hasn't returned when Python ends; no `except Exception` of a handler catches it."""


#: How many calls of targets are running on each thread, by the thread's number. Each thread changes only its own.
_inside: dict[int, int] = {}

#: The interval for checking whether targets have returned, and how long to wait for a target that an exception ends, in
#: seconds. That suffices for running code; blocked code never acquires the GIL again.
_LOOK = 0.001
_LEAVE = 0.5


def call(number: int, fields: Callable[[], tuple[Any, ...]]) -> None:
    """Call the target of a number with the result of ``fields``. Do nothing if the number has been released."""
    target = _targets.get(number)
    if target is None:
        return
    thread = get_ident()
    _inside[thread] = _inside.get(thread, 0) + 1
    try:
        target(*fields())
    except _Ending:
        pass
    finally:
        left = _inside.pop(thread) - 1
        if left:
            _inside[thread] = left


#: The numbers that the library hasn't released yet, including those whose targets are no longer called.
_held: set[int] = set()


def _release(number: int) -> None:
    _targets.pop(number, None)
    _held.discard(number)


#: What the library calls when it doesn't use a number any more. Kept for good, as every callback must be: the library
#: may hold its address as long as the process lives.
RELEASE: Any = _abi.DROP_FUNCTION(_release)


def _others() -> list[int]:
    return [thread for thread in list(_inside) if thread != get_ident()]


def _wait(seconds: float) -> bool:
    end = time.monotonic() + seconds
    while _others():
        if time.monotonic() >= end:
            return False
        time.sleep(_LOOK)
    return True


def end(timeout_ms: int, /) -> bool:
    """Unregister all targets, wait for the running ones, and return whether all of them have returned."""
    _targets.clear()
    return _wait(timeout_ms / 1000)


def cut_off() -> None:
    """Raise an exception in the targets that haven't returned. It takes effect at their next line of Python."""
    # Also if a Ctrl-C interrupted `end` before it did this: the next record would enter a target again.
    _targets.clear()
    for thread in _others():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Ending))
    _wait(_LEAVE)


def await_releases(seconds: float) -> None:
    """Wait until the library has released every number, for which it calls into Python."""
    end = time.monotonic() + seconds
    while _held and time.monotonic() < end:
        time.sleep(_LOOK)
    # The last one's callback is on its way out of Python.
    time.sleep(_LOOK)


def forget() -> None:
    """Forget the parent's threads, in a forked child."""
    _held.clear()
    thread = get_ident()
    own = _inside.get(thread)
    _inside.clear()
    if own:
        _inside[thread] = own
