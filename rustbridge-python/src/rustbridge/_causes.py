"""Exceptions of this program that pass through a plugin.

A plugin receives an exception's status, and a name under which the exception is kept here. If the plugin fails with the
same error, it sends the name back. So the caller's error has the exception as its ``__cause__``.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
import time

#: How many exceptions are kept at most, and for how many seconds: a plugin may never send one back.
LIMIT = 256
SECONDS = 60.0

# Another binding in this process has names of its own.
_prefix = secrets.token_hex(8)
_numbers = itertools.count(1)
_kept: dict[str, tuple[float, BaseException]] = {}


def keep(error: BaseException) -> str:
    """Keep an exception; returns its name."""
    name = f"{_prefix}-{next(_numbers)}"
    now = time.monotonic()
    _kept[name] = now, error
    # Another thread may change the dict meanwhile, and then removes what is too much.
    with contextlib.suppress(RuntimeError, StopIteration, KeyError):
        while True:
            oldest = next(iter(_kept))
            if len(_kept) <= LIMIT and _kept[oldest][0] > now - SECONDS:
                break
            del _kept[oldest]
    return name


def take(name: object) -> BaseException | None:
    """Return the exception of a name, which is kept no longer; None if there is none."""
    kept = _kept.pop(name, None) if isinstance(name, str) else None
    return None if kept is None else kept[1]
