"""The contexts (:mod:`contextvars`) of calls, for the services that plugins call.

A call of an instance with services keeps a copy of its caller's context under a number, and the call carries the
number. The core passes the number to each service that the plugin calls meanwhile. The service's function runs in a
copy of that context. Calls of other instances have no such overhead.
"""

from __future__ import annotations

import contextvars
import itertools
import weakref
from asyncio import _get_running_loop as _running
from typing import TYPE_CHECKING, Any

from . import _threads
from ._backend import METHOD_SERVED
from ._constants import METHOD_ASYNC, METHOD_LEAF

if TYPE_CHECKING:
    import asyncio

    from ._method import Method

#: The instances that have services, by their handles, and whether a service of theirs is an ``async def``.
_serving: dict[int, bool] = {}

#: The contexts of the calls that haven't ended; those of streams are kept by their streams. Numbers aren't used again.
_kept: dict[int, contextvars.Context | weakref.ref[contextvars.Context]] = {}
_numbers = itertools.count(1)

#: The loops whose threads wait for blocking calls, by the calls' numbers.
_waiting: dict[int, asyncio.AbstractEventLoop] = {}


def serve(handle: int, has_async: bool) -> None:
    """Note that an instance has services."""
    _serving[handle] = has_async


def forget_instance(handle: int) -> None:
    """Forget an instance that has ended."""
    _serving.pop(handle, None)


def flag(handle: int, flags: int) -> int:
    """Return a method's flags, with `METHOD_SERVED` if services may be called for it."""
    return flags | METHOD_SERVED if handle in _serving and not flags & METHOD_LEAF else flags


def is_needed(method: Method) -> bool:
    """Report whether a service that a blocking call asks may run on another thread than the caller's."""
    return bool(
        method._backend.NAME != "native"
        or method._flags & METHOD_ASYNC
        or _serving.get(method._handle)
        or _running() is not None
        or _threads.may_switch()
    )


def keep(method: Method) -> int:
    """Keep the caller's context for a call that begins, and return its number; 0 if there is nothing to keep."""
    if not method._flags & METHOD_SERVED:
        return 0
    context = contextvars.copy_context()
    if not context:
        return 0
    number = next(_numbers)
    _kept[number] = context
    return number


def keep_waiting(method: Method) -> int:
    """Do the same for a blocking call, and note its thread's loop, which can't answer meanwhile."""
    number = keep(method)
    loop = _running()
    if loop is not None:
        if not number:
            number = next(_numbers)
            _kept[number] = contextvars.Context()
        _waiting[number] = loop
    return number


def waits(loop: asyncio.AbstractEventLoop, header: Any) -> bool:
    """Report whether a loop waits for the call that a service belongs to, or for any call of the current thread."""
    if header is not None and _waiting.get(header[4]) is loop:
        return True
    return _running() is loop and loop in list(_waiting.values())


def keep_for(method: Method) -> tuple[int, contextvars.Context | None]:
    """Do the same, but leave it to the caller to keep the context.

    A stream does so: one that is dropped is collected even if its own context refers to it, and is given up then.
    """
    number = keep(method)
    context = _kept.get(number)
    if context is None or isinstance(context, weakref.ref):
        return number, None
    _kept[number] = weakref.ref(context)
    return number, context


def forget(number: int) -> None:
    """Forget the context of a call that has ended."""
    if number:
        _kept.pop(number, None)
        _waiting.pop(number, None)


def of_service(header: Any) -> contextvars.Context:
    """Return the context that a service's function runs in: a copy, as several may run for one call at once."""
    found = None if header is None else _kept.get(header[4])
    if isinstance(found, weakref.ref):
        found = found()
    return contextvars.Context() if found is None else found.copy()


def forget_all() -> None:
    """Forget the parent's calls, in a forked child."""
    _kept.clear()
    _waiting.clear()
