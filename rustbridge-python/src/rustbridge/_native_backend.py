"""The backend over the extension `rustbridge._native`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from ._backend import METHOD_LEAF
from ._errors import error_from_payload
from ._lease import LEASED_FREELY, relieve
from ._method import Method
from ._native import (
    close,
    describe,
    end_upcalls,
    flush_logs,
    forget_upcalls,
    inspect,
    load,
    set_log_level,
    set_log_sink,
    state,
    version,
)
from ._status import Encoding

if TYPE_CHECKING:
    from ._plugin import Plugin

__all__ = [
    "NAME",
    "close",
    "cut_off_upcalls",
    "describe",
    "end_upcalls",
    "flush_logs",
    "forget_upcalls",
    "inspect",
    "load",
    "method",
    "set_log_level",
    "set_log_sink",
    "state",
    "version",
]

NAME = "native"

_native.set_error_factory(error_from_payload)
_native.set_relief(lambda: relieve(_native.leased), LEASED_FREELY)


class NativeMethod(_native.Method, Method):
    """A prepared method of the extension: `call_json` and `call_raw` are its own, without Python in between."""

    __slots__ = ("encoding", "leaf", "name", "plugin", "request_size", "response_size")


def cut_off_upcalls() -> None:
    """Do nothing: the extension stops a thread when it wants the GIL too late."""


def method(plugin: Plugin | None, handle: int, name: str | int, encoding: int, /) -> Method:
    """Resolve a method."""
    entry, flags, number, request_size, response_size, *limits = _native.prepare(handle, name, encoding)
    made = NativeMethod(handle, entry, number, response_size, *limits)
    made.plugin = plugin
    made.name = name
    made.encoding = Encoding(number)
    made.leaf = bool(flags & METHOD_LEAF)
    made.request_size = request_size
    made.response_size = response_size
    return made
