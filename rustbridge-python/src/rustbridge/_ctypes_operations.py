"""Asynchronous calls, and calls with a header, through ctypes.

As in :mod:`._ctypes_method`, blocks of memory are prepared once and kept in a list. Their fields are read and written
as words of a ``memoryview``. The functions belong to the backend; `_backend.py` documents them.
"""

from __future__ import annotations

import ctypes
import struct
from ctypes import addressof, byref
from typing import TYPE_CHECKING, Any

from . import _abi
from ._abi import BYTES_AT
from ._constants import CONTEXT_HEADERS, CONTEXT_TIMEOUT, CONTEXT_TRACE
from ._ctypes_buffers import check, take
from ._errors import error_from_payload
from ._queues import DEMAND, DONE, HEADERS, ITEMS, SERVICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._options import Header

#: What most answers fit in.
_STORAGE = 4096

#: How many events are fetched at once, and how many bytes of payloads go with them; larger ones are handed over.
_EVENTS = 64
_ARENA = 32768

#: Packs the number of an object.
_number = struct.Struct("=Q").pack

#: Where fields of a submission are when it's seen as 64-bit words.
_INSTANCE, _ENTRY, _HEADER, _REQUEST, _LENGTH, _DATA, _CAPACITY, _LEN, _RELEASE = 1, 2, 3, 4, 5, 6, 7, 8, 9
_ITEMS, _BYTES, _OP = 12, 13, 14
_PENDING = 2**32 - 1

#: The same of an event, and how many words it has.
_KIND, _NUMBER, _USER_DATA, _STATUS, _FLAGS = 0, 1, 2, 3, 4
_PAYLOAD, _TRAILERS, _OBJECTS, _MAY_SEND, _MAY_SEND_BYTES = 5, 10, 15, 20, 21
_WORDS = ctypes.sizeof(_abi.Event) // 8
#: Where the bytes of a response lie within it.
_RESPONSE_LEN, _RESPONSE_RELEASE = 2, 3

_SubmissionBlock = tuple[_abi.Submission, "memoryview[int]", Any, int, Any]
_EventBlock = tuple[Any, "memoryview[int]", int, Any, int, Any]

_submissions: list[_SubmissionBlock] = []
_fetches: list[_EventBlock] = []


def _new_submission() -> _SubmissionBlock:
    storage = _abi.storage_type(_STORAGE)()
    args = _abi.Submission(size=ctypes.sizeof(_abi.Submission))
    return args, memoryview(args).cast("B").cast("Q"), storage, addressof(storage), byref(args)


def _new_fetch() -> _EventBlock:
    events = (_abi.Event * _EVENTS)()
    events[0].size = ctypes.sizeof(_abi.Event)
    arena = _abi.storage_type(_ARENA)()
    return events, memoryview(events).cast("B").cast("Q"), addressof(events), arena, addressof(arena), ctypes.c_size_t()


class _CallData:
    """A call context, and memory for the parts of a response besides its payload."""

    __slots__ = ("_headers", "_keep", "header", "reply")

    def __init__(self, given: Header) -> None:
        flags, timeout_ns, trace, state, metadata, objects, number = given
        self._headers = None
        if flags & CONTEXT_HEADERS:
            place = _abi.ReplyHeaders()
            self.reply, self._headers = place.reply, place.headers
        else:
            self.reply = _abi.Reply()
        self._keep = given
        header = self.header = _abi.CallContext(
            size=ctypes.sizeof(_abi.CallContext),
            flags=flags,
            timeout_ns=timeout_ns,
            op=number,
            trace_state=_abi.Text(state, len(state)),
            metadata=metadata or None,
            metadata_len=len(metadata),
            object_count=len(objects) // 8,
            objects=objects or None,
            reply=ctypes.pointer(self.reply),
        )
        if trace:
            ctypes.memmove(header.trace_id, trace, 16)
            ctypes.memmove(header.span_id, trace[16:], 8)
            header.trace_flags = struct.unpack_from("=I", trace, 24)[0]

    def answer(self, status: int, payload: bytes) -> Any:
        trailers, objects = take(self.reply.trailers), take(self.reply.objects)
        headers = b"" if self._headers is None else take(self._headers)
        if not (status or trailers or objects or headers):
            return payload
        return status, payload, trailers or None, _numbers(objects), headers or None


def _numbers(objects: bytes) -> tuple[int, ...] | None:
    return struct.unpack(f"={len(objects) // 8}Q", objects) if objects else None


def submit(
    queue: int, handle: int, entry: int, request: bytes, flags: int, header: Header | None, items: int, most: int, /
) -> Any:
    """Submit an asynchronous call. Return its ID, or the result of `call_with` if it has completed."""
    try:
        block = _submissions.pop()
    except IndexError:
        block = _new_submission()
    args, words, storage, at, reference = block
    words[_INSTANCE] = handle
    words[_ENTRY] = entry | flags << 32
    words[_REQUEST] = id(request) + BYTES_AT
    words[_LENGTH] = len(request)
    words[_DATA] = at
    words[_CAPACITY] = _STORAGE
    words[_LEN] = words[_RELEASE] = 0
    words[_ITEMS] = items
    words[_BYTES] = most
    carried = None
    if header is None:
        words[_HEADER] = 0
    else:
        carried = _CallData(header)
        words[_HEADER] = addressof(carried.header)
    if _abi.submit(queue, reference, 1):
        raise RuntimeError("rustbridge couldn't begin a call")
    status = words[0] >> 32
    if status == _PENDING:
        op = words[_OP]
        _submissions.append(block)
        return op
    size = words[_LEN]
    payload = take(args.response) if words[_RELEASE] or size > _STORAGE else storage[:size]
    _submissions.append(block)
    if carried is not None:
        return carried.answer(status, payload)
    return (status, payload, None, None, None) if status else payload


def call_with(handle: int, entry: int, request: bytes, header: Header | None, /) -> Any:
    """Call a method. Return bytes, or status, payload, trailing metadata, objects and initial metadata."""
    response = _abi.Response()
    carried = None if header is None else _CallData(header)
    place = None if carried is None else byref(carried.header)
    status = _abi.call_with(handle, entry, place, None, request, len(request), byref(response))
    payload = take(response)
    if carried is not None:
        return carried.answer(status, payload)
    return (status, payload, None, None, None) if status else payload


def call_lending(handle: int, entry: int, request: bytes, number: int, /) -> Any:
    """Call a method with one borrowed object. Return the same as `call_with`."""
    return call_with(handle, entry, request, (0, 0, b"", b"", b"", _number(number), 0))


def queue_poll(queue: int, timeout_ms: int, /) -> tuple[tuple[Any, ...], ...]:
    """Return events, after waiting for the first one."""
    try:
        block = _fetches.pop()
    except IndexError:
        block = _new_fetch()
    events, words, at, _, arena, count = block
    error = _abi.Response()
    fetch = _abi.queue_poll if timeout_ms else _abi.queue_poll_keeping_gil
    status = fetch(queue, at, _EVENTS, arena, _ARENA, timeout_ms, byref(count), byref(error))
    try:
        if status:
            raise error_from_payload(status, take(error))
        return tuple([_event(events[index], words, index * _WORDS) for index in range(count.value)])
    finally:
        events[0].size = ctypes.sizeof(_abi.Event)
        _fetches.append(block)


def _event(event: _abi.Event, words: memoryview[int], at: int) -> tuple[Any, ...]:
    kind = words[at + _KIND] >> 32
    number = words[at + _NUMBER]
    if kind == DONE:
        status = words[at + _STATUS] & 0xFFFFFFFF
        trailers = _taken(event.reply.trailers, words, at + _TRAILERS)
        objects = _taken(event.reply.objects, words, at + _OBJECTS)
        payload = _taken(event.response, words, at + _PAYLOAD)
        return kind, number, status, payload, trailers or None, _numbers(objects)
    if kind == ITEMS:
        payload = _taken(event.response, words, at + _PAYLOAD)
        objects = _taken(event.reply.objects, words, at + _OBJECTS)
        return kind, number, words[at + _STATUS] >> 32, words[at + _FLAGS] & 0xFFFFFFFF, payload, _numbers(objects)
    if kind == HEADERS:
        return kind, number, _taken(event.response, words, at + _PAYLOAD)
    if kind == DEMAND:
        return kind, number, words[at + _MAY_SEND], words[at + _MAY_SEND_BYTES]
    if kind == SERVICE:
        # Before the request, with which its memory goes.
        beside = _beside(event.call_context)
        return kind, number, words[at + _USER_DATA], beside, _taken(event.response, words, at + _PAYLOAD)
    return kind, number, words[at + _USER_DATA]


def _taken(response: _abi.Response, words: memoryview[int], at: int) -> bytes:
    if words[at + _RESPONSE_RELEASE]:
        return take(response)
    size = words[at + _RESPONSE_LEN]
    return _abi.bytes_from(words[at], size) if size else b""


def _beside(pointer: Any) -> tuple[int | None, bytes | None, bytes, bytes, int] | None:
    if not pointer:
        return None
    header = pointer.contents
    trace = None
    if header.flags & CONTEXT_TRACE:
        trace = bytes(header.trace_id) + bytes(header.span_id) + struct.pack("=I", header.trace_flags)
    at = addressof(header)
    state = _view(at + _abi.CallContext.trace_state.offset)
    metadata = _view(at + _abi.CallContext.metadata.offset)
    return header.timeout_ns if header.flags & CONTEXT_TIMEOUT else None, trace, state, metadata, header.op


def _view(at: int) -> bytes:
    """Copy the bytes that consecutive fields for an address and a length describe."""
    view = _abi.TextView.from_address(at)
    return ctypes.string_at(view.data, view.len) if view.len else b""


def queue_new() -> int:
    """Create a completion queue, and return its number."""
    queue = ctypes.c_uint64()
    error = _abi.Response()
    check(_abi.queue_new(byref(queue), byref(error)), error)
    return queue.value


def queue_fd(queue: int, /) -> int:
    """Return the wakeup that an event loop can watch: a descriptor, or on Windows an event handle."""
    descriptor = ctypes.c_ssize_t()
    error = _abi.Response()
    check(_abi.queue_fd(queue, byref(descriptor), byref(error)), error)
    return descriptor.value


def queue_close(queue: int, /) -> None:
    """Close a completion queue. Its pending calls are abandoned."""
    error = _abi.Response()
    check(_abi.queue_close(queue, byref(error)), error)


def queue_wake(queue: int, /) -> None:
    """Make a poller that waits for events return without one."""
    error = _abi.Response()
    check(_abi.queue_wake(queue, byref(error)), error)


def op_cancel(op: int, /) -> None:
    """Request the cancellation of a call."""
    error = _abi.Response()
    check(_abi.op_cancel(op, byref(error)), error)


def op_detach(op: int, /) -> None:
    """Abandon a call."""
    error = _abi.Response()
    check(_abi.op_detach(op, byref(error)), error)


def op_demand(op: int, items: int, most: int, /) -> None:
    """Increase the credit for items from the plugin, by a number of items and of bytes."""
    error = _abi.Response()
    check(_abi.op_demand(op, items, most, byref(error)), error)


def op_write(op: int, data: bytes, count: int, flags: int, /) -> None:
    """Send items to the plugin."""
    error = _abi.Response()
    batch = _abi.Batch(size=ctypes.sizeof(_abi.Batch), flags=flags, data=data, len=len(data), count=count)
    check(_abi.op_write(op, byref(batch), byref(error)), error)


def op_end(op: int, status: int, payload: bytes, /) -> None:
    """End the input stream, with a status."""
    error = _abi.Response()
    check(_abi.op_end(op, status, payload, len(payload), byref(error)), error)


def service_reply(number: int, status: int, payload: bytes, /) -> None:
    """Send the response to a service call."""
    error = _abi.Response()
    check(_abi.service_reply(number, status, payload, len(payload), byref(error)), error)


def object_release(number: int, /) -> int:
    """Release an object, and return the status."""
    return _abi.object_release(number)  # type: ignore[no-any-return]


def set_service_answer(_: Callable[[int, Any, bytes], tuple[int, bytes] | None], /) -> None:
    """Do nothing: a callback of ctypes acquires the GIL on any thread, so all service calls go to queues."""
