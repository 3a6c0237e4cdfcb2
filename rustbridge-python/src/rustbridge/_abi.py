"""The host ABI for ctypes. Only this module declares native functions.

`include/rustbridge.h` specifies them.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_int32,
    c_size_t,
    c_ssize_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


ctypes.pythonapi.PyInterpreterState_Get.restype = c_void_p
ctypes.pythonapi.PyInterpreterState_GetID.restype = ctypes.c_int64
if ctypes.pythonapi.PyInterpreterState_GetID(c_void_p(ctypes.pythonapi.PyInterpreterState_Get())):
    # The callbacks of ctypes enter the main one, whoever made them.
    raise ImportError(
        "rustbridge works only in the main interpreter of a process, but this is another one: load plugins there "
        "(under mod_wsgi by `WSGIApplicationGroup %{GLOBAL}`)"
    )


class Text(Structure):
    """``rb_text``."""

    _fields_ = (("data", c_char_p), ("len", c_size_t))


class TextView(Structure):
    """``rb_text`` with the address left alone: a ``c_char_p`` would be read up to a NUL that isn't there."""

    _fields_ = (("data", c_void_p), ("len", c_size_t))


class Response(Structure):
    """``rb_response``."""

    _fields_ = (
        ("data", c_void_p),
        ("capacity", c_size_t),
        ("len", c_size_t),
        ("release", c_void_p),
        ("owner", c_void_p),
    )


class CallArgs(Structure):
    """``rb_call_args``."""

    _fields_ = (
        ("instance", c_uint64),
        ("entry", c_uint32),
        ("status", c_int32),
        ("request", c_void_p),
        ("request_len", c_size_t),
        ("response", Response),
    )


#: Where the fields of a `CallArgs` are when it is seen as an array of 64-bit words.
REQUEST, REQUEST_LEN, DATA, CAPACITY, LEN, RELEASE = 2, 3, 4, 5, 6, 7


class LogRecord(Structure):
    """``rb_log_record``."""

    _fields_ = (
        ("size", c_uint32),
        ("level", c_uint32),
        ("kind", c_uint32),
        ("line", c_uint32),
        ("time_unix_ns", c_uint64),
        ("duration_ns", c_uint64),
        ("target", TextView),
        ("message", TextView),
        ("fields", TextView),
        ("spans", TextView),
        ("file", TextView),
        ("thread", TextView),
        ("instance", TextView),
        ("trace_id", c_uint8 * 16),
        ("span_id", c_uint8 * 8),
        ("parent_span_id", c_uint8 * 8),
        ("instance_number", c_uint64),
        ("generation", c_uint64),
    )


LOG_FUNCTION = CFUNCTYPE(None, c_void_p, POINTER(LogRecord))
DROP_FUNCTION = CFUNCTYPE(None, c_void_p)


class LogSink(Structure):
    """``rb_log_sink``."""

    _fields_ = (
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("log", LOG_FUNCTION),
        ("user_data", c_void_p),
        ("drop", DROP_FUNCTION),
    )


class Service(Structure):
    """``rb_service``."""

    _fields_ = (
        ("size", c_uint32),
        ("encoding", c_uint32),
        ("name", Text),
        ("call", c_void_p),
        ("cancel", c_void_p),
        ("user_data", c_void_p),
        ("drop", c_void_p),
        ("queue", c_uint64),
    )


class LoadOptions(Structure):
    """``rb_load_options``."""

    _fields_ = (
        ("size", c_uint32),
        ("flags", c_uint32),
        ("path", Text),
        ("image", c_char_p),
        ("image_len", c_size_t),
        ("config", c_char_p),
        ("config_len", c_size_t),
        ("name", Text),
        ("log_level", c_uint32),
        ("log_capacity", c_uint32),
        ("log", POINTER(LogSink)),
        ("services", POINTER(Service)),
        ("service_count", c_size_t),
        ("client_schema", Text),
        ("threads", c_uint32),
        ("reserved", c_uint32),
        ("runtime", Text),
    )


class PreparedMethod(Structure):
    """``rb_method``."""

    _fields_ = (
        ("size", c_uint32),
        ("entry", c_uint32),
        ("flags", c_uint32),
        ("encoding", c_uint32),
        ("request_size", c_uint64),
        ("response_size", c_uint64),
        ("leaf_limit", c_uint32),
        ("buffer_size", c_uint32),
        ("buffer_limit", c_uint64),
    )


class Reply(Structure):
    """``rb_reply``."""

    _fields_ = (("trailers", Response), ("objects", Response))


class ReplyHeaders(Structure):
    """``rb_reply_headers``."""

    _fields_ = (("reply", Reply), ("headers", Response))


class CallContext(Structure):
    """``rb_call_context``."""

    _fields_ = (
        ("size", c_uint32),
        ("flags", c_uint32),
        ("timeout_ns", c_uint64),
        ("op", c_uint64),
        ("cancelled", c_void_p),
        ("trace_id", c_uint8 * 16),
        ("span_id", c_uint8 * 8),
        ("trace_flags", c_uint32),
        ("object_count", c_uint32),
        ("trace_state", Text),
        ("metadata", c_char_p),
        ("metadata_len", c_size_t),
        ("objects", c_char_p),
        ("reply", POINTER(Reply)),
    )


class Submission(Structure):
    """``rb_submission``."""

    _fields_ = (
        ("size", c_uint32),
        ("status", c_int32),
        ("instance", c_uint64),
        ("entry", c_uint32),
        ("flags", c_uint32),
        ("call_context", c_void_p),
        ("request", c_void_p),
        ("request_len", c_size_t),
        ("response", Response),
        ("user_data", c_uint64),
        ("demand_items", c_uint64),
        ("demand_bytes", c_uint64),
        ("op", c_uint64),
    )


class Event(Structure):
    """``rb_event``."""

    _fields_ = (
        ("size", c_uint32),
        ("kind", c_uint32),
        ("op", c_uint64),
        ("user_data", c_uint64),
        ("status", c_int32),
        ("count", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("response", Response),
        ("reply", Reply),
        ("items", c_uint64),
        ("bytes", c_uint64),
        ("call_context", POINTER(CallContext)),
        ("instance", c_uint64),
    )


class Batch(Structure):
    """``rb_batch``."""

    _fields_ = (
        ("size", c_uint32),
        ("flags", c_uint32),
        ("data", c_char_p),
        ("len", c_size_t),
        ("count", c_uint32),
        ("object_count", c_uint32),
        ("objects", c_void_p),
    )


class CloseOptions(Structure):
    """``rb_close_options``."""

    _fields_ = (("size", c_uint32), ("flags", c_uint32), ("timeout_ms", c_uint64), ("cancel_after_ms", c_uint64))


#: What a submission's status says of a call that's pending.
PENDING = -1


class PyBuffer(Structure):
    """CPython's ``Py_buffer``, part of its stable ABI since 3.11 and the same in 3.10."""

    _fields_ = (
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", c_char_p),
        ("shape", c_void_p),
        ("strides", c_void_p),
        ("suboffsets", c_void_p),
        ("internal", c_void_p),
    )


PYBUF_SIMPLE = 0
PYBUF_WRITABLE = 1

_RESPONSE = POINTER(Response)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "rb_abi_version": (c_uint32, []),
    "rb_version": (c_char_p, []),
    "rb_load": (c_int32, [POINTER(LoadOptions), POINTER(c_uint64), _RESPONSE]),
    "rb_name": (c_int32, [c_uint64, _RESPONSE]),
    "rb_describe": (c_int32, [c_uint64, _RESPONSE]),
    "rb_prepare": (c_int32, [c_uint64, Text, c_uint32, POINTER(PreparedMethod), _RESPONSE]),
    "rb_prepare_typed": (c_int32, [c_uint64, Text, Text, Text, POINTER(PreparedMethod), _RESPONSE]),
    "rb_prepare_id": (c_int32, [c_uint64, c_uint32, c_uint32, POINTER(PreparedMethod), _RESPONSE]),
    "rb_call_block": (c_int32, [POINTER(CallArgs)]),
    "rb_state": (c_int32, [c_uint64, POINTER(c_uint32), _RESPONSE]),
    "rb_close_with": (c_int32, [c_uint64, POINTER(CloseOptions), _RESPONSE]),
    "rb_call_with": (c_int32, [c_uint64, c_uint32, c_void_p, c_void_p, c_char_p, c_size_t, _RESPONSE]),
    "rb_queue_new": (c_int32, [POINTER(c_uint64), _RESPONSE]),
    "rb_queue_close": (c_int32, [c_uint64, _RESPONSE]),
    "rb_queue_fd": (c_int32, [c_uint64, POINTER(c_ssize_t), _RESPONSE]),
    "rb_queue_wake": (c_int32, [c_uint64, _RESPONSE]),
    "rb_queue_poll": (
        c_int32,
        [c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, c_uint64, POINTER(c_size_t), _RESPONSE],
    ),
    "rb_submit": (c_int32, [c_uint64, c_void_p, c_size_t]),
    "rb_op_cancel": (c_int32, [c_uint64, _RESPONSE]),
    "rb_op_detach": (c_int32, [c_uint64, _RESPONSE]),
    "rb_op_demand": (c_int32, [c_uint64, c_uint64, c_uint64, _RESPONSE]),
    "rb_op_write": (c_int32, [c_uint64, POINTER(Batch), _RESPONSE]),
    "rb_op_end": (c_int32, [c_uint64, c_int32, c_char_p, c_size_t, _RESPONSE]),
    "rb_service_reply": (c_int32, [c_uint64, c_int32, c_char_p, c_size_t, _RESPONSE]),
    "rb_object_release": (c_int32, [c_uint64]),
    "rb_response_release": (None, [_RESPONSE]),
    "rb_log_set_level": (c_int32, [c_uint64, c_uint32, _RESPONSE]),
    "rb_log_set_sink": (c_int32, [c_uint64, POINTER(LogSink), c_uint64, _RESPONSE]),
    "rb_log_flush": (c_int32, [c_uint64, c_uint64, _RESPONSE]),
    "rb_inspect": (c_int32, [_RESPONSE]),
}


_SUFFIXES = (".so", ".pyd", ".dll", ".dylib")


def _candidates() -> Iterator[Path]:
    chosen = os.environ.get("RUSTBRIDGE_LIBRARY")
    if chosen:
        path = Path(chosen)
        yield path
        yield from (path / name for name in ("librustbridge.so", "rustbridge.dll", "librustbridge.dylib"))
        return
    folder = Path(__file__).parent
    # The extension exports the host ABI too. One file for both backends means one core in the process.
    for pattern in ("_native*", "librustbridge*", "rustbridge*"):
        yield from (path for path in sorted(folder.glob(pattern)) if path.suffix in _SUFFIXES)
    # Where the modules lie in an archive, the extension lies elsewhere.
    spec = importlib.util.find_spec("rustbridge._native")
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin)


def _find_library() -> str:
    for path in _candidates():
        if path.is_file():
            return str(path.absolute())
    chosen = os.environ.get("RUSTBRIDGE_LIBRARY")
    if chosen:
        raise ImportError(f"RUSTBRIDGE_LIBRARY is {chosen!r}: expected librustbridge, or the folder that it's in")
    raise ImportError(
        f"librustbridge not found in {Path(__file__).parent}: build the package from a checkout by "
        "`pip install ./rustbridge-python`, or name the library, or its folder, in RUSTBRIDGE_LIBRARY"
    )


def declare(library: ctypes.CDLL, name: str) -> Any:
    """Return a function with its types declared. Without them, ctypes would silently cut 64-bit values to 32 bits."""
    result, arguments = _FUNCTIONS[name]
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


LIBRARY = ctypes.CDLL(_find_library())
#: The same library, called without releasing the GIL: with `ENTRY_LEAF` and not otherwise.
KEEPING_GIL = ctypes.PyDLL(LIBRARY._name)

load = declare(LIBRARY, "rb_load")
name = declare(LIBRARY, "rb_name")
describe = declare(LIBRARY, "rb_describe")
prepare = declare(LIBRARY, "rb_prepare")
prepare_id = declare(LIBRARY, "rb_prepare_id")
prepare_typed = declare(LIBRARY, "rb_prepare_typed")
call_block = declare(LIBRARY, "rb_call_block")
call_block_keeping_gil = declare(KEEPING_GIL, "rb_call_block")
#: `rb_call_block` for an argument that was made beforehand, by `byref`: such a one says itself what it is, so without
#: declared types ctypes has nothing left to check or convert.
call_prepared, call_prepared_keeping_gil = LIBRARY["rb_call_block"], KEEPING_GIL["rb_call_block"]
call_prepared.restype = call_prepared_keeping_gil.restype = c_int32
state = declare(LIBRARY, "rb_state")
close_with = declare(LIBRARY, "rb_close_with")
call_with = declare(LIBRARY, "rb_call_with")
queue_new = declare(LIBRARY, "rb_queue_new")
queue_close = declare(LIBRARY, "rb_queue_close")
queue_fd = declare(LIBRARY, "rb_queue_fd")
queue_wake = declare(LIBRARY, "rb_queue_wake")
queue_poll = declare(LIBRARY, "rb_queue_poll")
#: The same for those who don't wait: whoever completes holds the queue's lock for a few instructions.
queue_poll_keeping_gil = declare(KEEPING_GIL, "rb_queue_poll")
submit = declare(LIBRARY, "rb_submit")
op_cancel = declare(LIBRARY, "rb_op_cancel")
op_detach = declare(LIBRARY, "rb_op_detach")
op_demand = declare(LIBRARY, "rb_op_demand")
op_write = declare(LIBRARY, "rb_op_write")
op_end = declare(LIBRARY, "rb_op_end")
service_reply = declare(LIBRARY, "rb_service_reply")
object_release = declare(LIBRARY, "rb_object_release")
response_release = declare(LIBRARY, "rb_response_release")
log_set_level = declare(LIBRARY, "rb_log_set_level")
log_set_sink = declare(LIBRARY, "rb_log_set_sink")
log_flush = declare(LIBRARY, "rb_log_flush")
inspect = declare(LIBRARY, "rb_inspect")
version = declare(LIBRARY, "rb_version")

get_buffer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, POINTER(PyBuffer), ctypes.c_int)(
    ("PyObject_GetBuffer", ctypes.pythonapi)
)
release_buffer = ctypes.PYFUNCTYPE(None, POINTER(PyBuffer))(("PyBuffer_Release", ctypes.pythonapi))
decode_utf8 = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_ssize_t, c_char_p)(
    ("PyUnicode_DecodeUTF8", ctypes.pythonapi)
)
bytes_from = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_ssize_t)(("PyBytes_FromStringAndSize", ctypes.pythonapi))


def storage_type(size: int) -> type[ctypes.Array[c_char]]:
    """Return the type of a byte array of that size. The size is at least one, because an empty array has no address."""
    return c_char * max(size, 1)


#: Where the content of a bytes object begins, seen from the object's address, in every CPython.
BYTES_AT = bytes.__basicsize__ - 1
_PROBE = bytes(range(1, 9))
if ctypes.string_at(id(_PROBE) + BYTES_AT, len(_PROBE)) != _PROBE:
    raise ImportError("the ctypes backend needs CPython: this Python keeps the content of bytes elsewhere")
