"""Calls from the native library up into Python, by ctypes.

ctypes does the delicate part before any code of ours runs: it takes the GIL, on a thread state that it makes for the
call if the thread has none, and afterwards reports an exception by :func:`sys.unraisablehook` rather than let it cross.
What it can't do is to stay away once Python ends. So whatever hands a callback to the library takes it back before the
interpreter's end, and the library is given numbers, not addresses of objects: a number that's late finds nothing.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from . import _abi

if TYPE_CHECKING:
    from collections.abc import Callable

_targets: dict[int, Callable[..., object]] = {}
_numbers = itertools.count(1)


def register(target: Callable[..., object]) -> int:
    """Give the number by which callbacks find a target: the ``user_data`` that goes with a callback and `RELEASE`."""
    number = next(_numbers)
    _targets[number] = target
    return number


def find(number: int) -> Callable[..., object] | None:
    """Give the target of a number, or None once it's released."""
    return _targets.get(number)


def _release(number: int) -> None:
    _targets.pop(number, None)


#: What the library calls when it doesn't use a number any more. Kept for good, as every callback must be: the library
#: may hold its address as long as the process lives.
RELEASE: Any = _abi.DROP_FUNCTION(_release)


def end(_timeout_ms: int, /) -> None:
    """Let no callback find its target any more. None has to be waited for: without a target it touches nothing."""
    _targets.clear()


def forget() -> None:
    """Do nothing in a forked child: nobody counts who is inside."""
