"""The backend that uses :mod:`ctypes`. It needs no extension, and costs a few hundred nanoseconds per call."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING

from . import _abi, _constants, _ctypes_log, _ctypes_method
from ._ctypes_buffers import check, take
from ._ctypes_operations import (
    call_lending,
    call_with,
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
    set_service_answer,
    submit,
)
from ._ctypes_upcall import await_releases
from ._ctypes_upcall import cut_off as cut_off_upcalls
from ._ctypes_upcall import end as end_upcalls
from ._ctypes_upcall import forget as forget_upcalls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ._method import Method
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

NAME = "ctypes"


def load(
    path: bytes | None,
    image: bytes | None,
    config: bytes,
    name: str,
    flags: int,
    level: int,
    capacity: int,
    log: Callable[..., None],
    services: tuple[tuple[str, int, int, int], ...],
    client_schema: str,
    threads: int,
    /,
) -> int:
    """Load a plugin, create an instance, and return its handle."""
    path_bytes = path or b""
    name_bytes = name.encode()
    client_schema_bytes = client_schema.encode()
    offered = (_abi.Service * max(len(services), 1))()
    names = []
    for place, (service, encoding, queue, number) in zip(offered, services, strict=False):
        text = service.encode()
        names.append(text)
        place.size = ctypes.sizeof(_abi.Service)
        place.encoding = encoding
        place.name = _abi.Text(text, len(text))
        place.queue = queue
        place.user_data = number
    options = _abi.LoadOptions(
        size=ctypes.sizeof(_abi.LoadOptions),
        flags=flags,
        path=_abi.Text(path_bytes, len(path_bytes)),
        image=image,
        image_len=0 if image is None else len(image),
        config=config or None,
        config_len=len(config),
        name=_abi.Text(name_bytes, len(name_bytes)),
        log_level=level,
        log_capacity=capacity,
        log=ctypes.pointer(_ctypes_log.sink(log)),
        services=offered if services else None,
        service_count=len(services),
        client_schema=_abi.Text(client_schema_bytes, len(client_schema_bytes)),
        threads=threads,
    )
    instance = ctypes.c_uint64()
    error = _abi.Response()
    check(_abi.load(byref(options), byref(instance), byref(error)), error)
    return instance.value


def name(handle: int, /) -> bytes:
    """Return the instance's name in UTF-8."""
    response = _abi.Response()
    check(_abi.name(handle, byref(response)), response)
    return take(response)


def describe(handle: int, /) -> bytes:
    """Return the plugin's description as JSON."""
    response = _abi.Response()
    check(_abi.describe(handle, byref(response)), response)
    return take(response)


def state(handle: int, /) -> int:
    """Return the instance's state as a number."""
    number = ctypes.c_uint32()
    error = _abi.Response()
    check(_abi.state(handle, byref(number), byref(error)), error)
    return number.value


def close(handle: int, timeout_ms: int, cancel_after_ms: int | None, /) -> None:
    """Wait for pending calls, then destroy the instance.

    ``cancel_after_ms`` is the time after which calls that are still pending are cancelled; None never cancels them.
    """
    report = _abi.Response()
    options = _abi.CloseOptions(
        size=ctypes.sizeof(_abi.CloseOptions),
        flags=0 if cancel_after_ms is None else _constants.CLOSE_CANCEL,
        timeout_ms=timeout_ms,
        cancel_after_ms=cancel_after_ms or 0,
    )
    check(_abi.close_with(handle, byref(options), byref(report)), report)
    _abi.response_release(byref(report))


def set_log_level(handle: int, level: int, /) -> None:
    """Set the log level, one of the ABI's numbers."""
    error = _abi.Response()
    check(_abi.log_set_level(handle, level, byref(error)), error)


def set_log_sink(handle: int, log: Callable[..., None] | None, timeout_ms: int, /) -> None:
    """Replace the log sink, and wait until the running calls of the old one have returned."""
    error = _abi.Response()
    sink = None if log is None else byref(_ctypes_log.sink(log))
    check(_abi.log_set_sink(handle, sink, timeout_ms, byref(error)), error)


def flush_logs(handle: int, timeout_ms: int, /) -> None:
    """Wait until all records that were logged before this call have been delivered."""
    error = _abi.Response()
    check(_abi.log_flush(handle, timeout_ms, byref(error)), error)


def inspect() -> bytes:
    """Return the registry of mappings and instances as JSON."""
    response = _abi.Response()
    check(_abi.inspect(byref(response)), response)
    return take(response)


def version() -> str:
    """Return the version of the native library."""
    return _abi.version().decode()  # type: ignore[no-any-return]


def method(plugin: Plugin | None, handle: int, name: str | int, encoding: int, /) -> Method:
    """Resolve a method."""
    prepared = _abi.PreparedMethod(size=ctypes.sizeof(_abi.PreparedMethod))
    error = _abi.Response()
    if isinstance(name, int):
        status = _abi.prepare_id(handle, name, encoding, byref(prepared), byref(error))
    else:
        # Whatever a subclass makes of `encode`: the length must be that of the bytes.
        text = str.encode(name)
        status = _abi.prepare(handle, _abi.Text(text, len(text)), encoding, byref(prepared), byref(error))
    check(status, error)
    return _ctypes_method.make(plugin, handle, name, prepared)


def typed_method(plugin: Plugin | None, handle: int, name: str, fingerprint: str, client_schema: str, /) -> Method:
    """Resolve a method in the wire format, if the client's types are compatible with the plugin's."""
    prepared = _abi.PreparedMethod(size=ctypes.sizeof(_abi.PreparedMethod))
    error = _abi.Response()
    texts = [str.encode(text) for text in (name, fingerprint, client_schema)]
    sides = [_abi.Text(text, len(text)) for text in texts]
    check(_abi.prepare_typed(handle, *sides, byref(prepared), byref(error)), error)
    return _ctypes_method.make(plugin, handle, name, prepared)


def codec(sizes: Sizes, types: Iterable[Any], /) -> None:
    """Return None: types are encoded and decoded in Python."""
