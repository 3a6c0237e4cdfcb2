"""Delivery of log records to a Python callable, by ctypes."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from . import _abi, _ctypes_upcall

if TYPE_CHECKING:
    from collections.abc import Callable


def _text(view: _abi.TextView) -> str:
    # What isn't UTF-8 is replaced: a log must not fail for it.
    return ctypes.string_at(view.data, view.len).decode("utf-8", "replace") if view.len else ""


def _fields(record: _abi.LogRecord) -> tuple[Any, ...]:
    return (
        record.level,
        record.kind,
        record.line,
        record.time_unix_ns,
        record.duration_ns,
        _text(record.target),
        _text(record.message),
        _text(record.fields),
        _text(record.spans),
        _text(record.file),
        _text(record.thread),
        _text(record.instance),
    )


def _log(number: int, pointer: Any) -> None:
    _ctypes_upcall.call(number, lambda: _fields(pointer.contents))


# Kept for good, see `_ctypes_upcall.RELEASE`.
_LOG = _abi.LOG_FUNCTION(_log)


def sink(log: Callable[..., None]) -> _abi.LogSink:
    """Return a sink that passes the fields of each record to ``log``, in the order of ``_logging.Record``."""
    return _abi.LogSink(
        size=ctypes.sizeof(_abi.LogSink),
        log=_LOG,
        user_data=_ctypes_upcall.register(log),
        drop=_ctypes_upcall.RELEASE,
    )
