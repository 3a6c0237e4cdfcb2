"""The backend that uses the extension `rustbridge._native`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from . import _contexts, _native
from ._backend import METHOD_SERVED
from ._constants import METHOD_LEAF
from ._errors import CLASSES_BY_CODE, error_from_payload
from ._lease import LEASED_FREELY, relieve
from ._method import Method
from ._native import (
    call_lending,
    call_with,
    close,
    describe,
    end_upcalls,
    flush_logs,
    forget_upcalls,
    inspect,
    load,
    name,
    object_release,
    op_cancel,
    op_demand,
    op_detach,
    op_end,
    op_write,
    queue_close,
    queue_fd,
    queue_new,
    queue_poll,
    queue_wake,
    service_reply,
    set_log_level,
    set_log_sink,
    set_service_answer,
    state,
    submit,
    version,
)
from ._served import Served
from ._status import Encoding
from ._wire_plan import Codec

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._backend import Backend
    from ._plugin import Plugin
    from ._wire_types import Sizes

__all__ = [
    "NAME",
    "await_releases",
    "call_lending",
    "call_with",
    "close",
    "codec",
    "cut_off_upcalls",
    "describe",
    "end_upcalls",
    "flush_logs",
    "forget_upcalls",
    "inspect",
    "load",
    "method",
    "name",
    "object_release",
    "op_cancel",
    "op_demand",
    "op_detach",
    "op_end",
    "op_write",
    "queue_close",
    "queue_fd",
    "queue_new",
    "queue_poll",
    "queue_wake",
    "service_reply",
    "set_log_level",
    "set_log_sink",
    "set_service_answer",
    "state",
    "submit",
    "version",
]

NAME = "native"

_HERE = cast("Backend", sys.modules[__name__])

_native.set_error_factory(error_from_payload, CLASSES_BY_CODE)
_native.set_relief(lambda: relieve(_native.leased), LEASED_FREELY)


class NativeMethod(_native.Method, Method):
    """A prepared method of the extension. `call_json` and `call_raw` are native, without Python code in between."""

    __slots__ = (
        "_backend",
        "_entry",
        "_flags",
        "_handle",
        "encoding",
        "leaf",
        "name",
        "plugin",
        "request_size",
        "response_size",
    )


class ServedMethod(Served, NativeMethod):
    """A prepared method of an instance that has services."""

    __slots__ = ()


def cut_off_upcalls() -> None:
    """Do nothing: the extension stops a thread that tries to acquire the GIL too late."""


def await_releases(seconds: float) -> None:
    """Do nothing: the extension also stops a thread that releases a reference too late."""


def method(plugin: Plugin | None, handle: int, name: str | int, encoding: int, /) -> Method:
    """Resolve a method."""
    return _made(plugin, handle, name, _native.prepare(handle, name, encoding))


def typed_method(plugin: Plugin | None, handle: int, name: str, fingerprint: str, client_schema: str, /) -> Method:
    """Resolve a method in the wire format, if the client's types are compatible with the plugin's."""
    return _made(plugin, handle, name, _native.prepare_typed(handle, name, fingerprint, client_schema))


def codec(sizes: Sizes, types: Iterable[Any], /) -> Codec | None:
    """Return the extension's codec for these types, or None if it doesn't support them."""
    try:
        return Codec(sizes, types)
    except TypeError:
        return None


def _made(plugin: Plugin | None, handle: int, name: str | int, prepared: tuple[int, ...]) -> Method:
    entry, flags, number, request_size, response_size, *limits = prepared
    flags = _contexts.flag(handle, flags)
    kind = ServedMethod if flags & METHOD_SERVED else NativeMethod
    made = kind(handle, entry, number, response_size, *limits)
    made.plugin = plugin
    made._backend = _HERE
    made._handle = handle
    made._entry = entry
    made._flags = flags
    made.name = name
    made.encoding = Encoding(number)
    made.leaf = bool(flags & METHOD_LEAF)
    made.request_size = request_size
    made.response_size = response_size
    return made
