"""Calls with options, and calls that don't block.

Plain synchronous calls don't use this module, so that their path stays short.
"""

from __future__ import annotations

import sys
import weakref
from asyncio import _get_running_loop as _running
from typing import TYPE_CHECKING, Any

from . import _contexts, _objects, _options, _queues
from ._backend import METHOD_BESIDE, METHOD_CARRIES, METHOD_SERVED
from ._constants import SUBMIT_OFFLOAD, SUBMIT_OFFLOAD_PLAIN
from ._errors import error_from_payload
from ._json import codec
from ._options import NONE, CallOptions
from ._queues import _here
from ._status import Encoding

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from ._backend import Backend
    from ._method import Method
    from ._objects import Object
    from ._options import Header, Reply
    from ._plugin import Plugin

_modules = sys.modules

#: What objects are usually given in.
_LISTS = (list, tuple)


def encode(
    method: Method, request: Any, options: CallOptions, receiver: Object | None, is_json: bool
) -> tuple[bytes, Header | None]:
    """Return a request's bytes and its header."""
    lent: list[Object] = [] if receiver is None else [receiver]
    lent += options.objects
    if is_json:
        try:
            data = codec.dumps(request)
        except TypeError:
            data = _objects.lend(request, lent)
    else:
        data = request if type(request) is bytes else memoryview(request).tobytes()
    reply = options.reply
    if reply is not None:
        reply._begin()
    needed = bool(method._flags & METHOD_BESIDE) or reply is not None
    takes_headers = reply is not None and reply._takes_headers
    return data, _options.header(options.timeout, options.metadata, options.trace, lent, needed, takes_headers)


def check_json(method: Method, function: str) -> None:
    """Raise an error if a method wasn't prepared for JSON."""
    if method.encoding is not Encoding.JSON:
        method._refuse_json(function)


def finish(plugin: Plugin | None, method: Method, answer: Any, options: CallOptions, is_json: bool) -> Any:
    """Convert the result of a call to the caller's value, or raise its error.

    The result is either bytes, or a tuple of status, payload, trailers and objects. A call that completed at once also
    has its headers there.
    """
    reply = options.reply
    if type(answer) is bytes:
        if reply is not None:
            reply._take(None)
        return codec.loads(answer) if is_json else answer
    status, payload, trailers, objects, *headers = answer
    if reply is not None:
        reply._take(trailers)
        if headers:
            reply._take_headers(headers[0])
    if status:
        release(method._backend, objects)
        raise error_from_payload(status, payload)
    if not objects:
        return codec.loads(payload) if is_json else payload
    if plugin is None:
        release(method._backend, objects)
        raise TypeError(f"{method.name!r} returns objects: use Plugin.call, or a Method from Plugin.method")
    try:
        value = codec.loads(payload) if is_json else payload
    except ValueError:
        release(method._backend, objects)
        raise
    return _objects.place(plugin, method, value, objects, reply, is_json)


def release(backend: Backend, objects: tuple[int, ...] | None) -> None:
    """Release objects that no one receives."""
    for number in objects or ():
        backend.object_release(number)


def _only(options: CallOptions) -> Object | None:
    """Return the only borrowed object if the options contain nothing else. This is the most frequent case."""
    objects = options.objects
    if (
        type(objects) not in _LISTS
        or len(objects) != 1
        or options.reply is not None
        or options.timeout is not None
        or options.metadata is not None
        or options.trace is not None
        or options.interruptible
    ):
        return None
    return objects[0]


def call(
    plugin: Plugin | None,
    method: Method,
    request: Any,
    options: CallOptions | None,
    receiver: Object | None = None,
    is_json: bool = True,
) -> Any:
    """Call with options, and wait."""
    options = options or NONE
    if method._flags & METHOD_SERVED and (options.interruptible or _contexts.is_needed(method)):
        number = _contexts.keep_waiting(method)
        try:
            return _call(plugin, method, request, options, receiver, is_json, number)
        finally:
            _contexts.forget(number)
    return _call(plugin, method, request, options, receiver, is_json, 0)


def _call(
    plugin: Plugin | None,
    method: Method,
    request: Any,
    options: CallOptions,
    receiver: Object | None,
    is_json: bool,
    number: int,
) -> Any:
    """Call and wait, with the number of the caller's context, or 0."""
    one = _only(options) if receiver is None else receiver if options is NONE else None
    if one is not None and not number and "opentelemetry.trace" not in _modules:
        try:
            if is_json:
                data = codec.dumps(request)
            else:
                data = request if type(request) is bytes else memoryview(request).tobytes()
        except TypeError:
            # More objects, say.
            pass
        else:
            answer = method._backend.call_lending(method._handle, method._entry, data, one._lend())
            if type(answer) is bytes:
                return codec.loads(answer) if is_json else answer
            return finish(plugin, method, answer, options, is_json)
    data, header = encode(method, request, options, receiver, is_json)
    header = _options.numbered(header, number)
    if options.interruptible:
        answer = _call_interruptible(method, data, header, options.reply)
    else:
        answer = method._backend.call_with(method._handle, method._entry, data, header)
    return finish(plugin, method, answer, options, is_json)


class _Headers(_queues.Listener):
    """Takes the headers of a call."""

    __slots__ = ("_reply",)

    def __init__(self, reply: Reply | None) -> None:
        self._reply = reply

    def told(self, event: _queues.Event) -> None:
        if event[0] == _queues.HEADERS and self._reply is not None:
            self._reply._take_headers(event[2])


class _WaitingCall(_Headers):
    """Keeps the end of a call as well."""

    __slots__ = ("event",)

    def __init__(self, reply: Reply | None) -> None:
        super().__init__(reply)
        self.event: _queues.Event | None = None

    def told(self, event: _queues.Event) -> None:
        super().told(event)
        if event[0] == _queues.DONE:
            self.event = event


def _call_interruptible(method: Method, data: bytes, header: Header | None, reply: Reply | None) -> Any:
    queue = _queues.take(method._backend)
    try:
        # On another thread, or the handler would keep this one from seeing the signal.
        op = method._backend.submit(
            queue.number, method._handle, method._entry, data, SUBMIT_OFFLOAD, header or _options.EMPTY, 0, 0
        )
        if type(op) is not int:
            return op
        waiting = _WaitingCall(reply)
        queue.listeners[op] = waiting
        try:
            while waiting.event is None:
                queue.wait()
        except BaseException:
            queue.detach(op)
            if waiting.event is not None:
                _queues.forget(method._backend, waiting.event)
            raise
        return waiting.event[2:]
    finally:
        _queues.give_back(queue)


def queue_of_loop(plugin: Plugin | None, backend: Backend) -> _queues.LoopQueue:
    """Return the queue of the running loop. The plugin's ``async def`` services run on this loop from now on."""
    queue = _queues.of_running_loop(backend)
    if plugin is not None and plugin._services:
        plugin._loop = weakref.ref(queue.loop)
    return queue


def call_async(
    plugin: Plugin | None,
    method: Method,
    request: Any,
    options: CallOptions,
    receiver: Object | None = None,
    is_json: bool = True,
) -> Coroutine[Any, Any, Any]:
    """Call without blocking the loop. If the task is cancelled, the call is cancelled."""
    if options is NONE and receiver is None and not method._flags & METHOD_CARRIES:
        return call_plain(plugin, method, request, is_json)
    return _call_carrying(plugin, method, request, options, receiver, is_json)


async def call_plain(plugin: Plugin | None, method: Method, request: Any, is_json: bool) -> Any:
    """Call with a request only. This is the most frequent case, so it's written out for speed."""
    if is_json:
        try:
            data = codec.dumps(request)
        except TypeError:
            # Objects, say.
            return await _call_carrying(plugin, method, request, NONE, None, True)
    else:
        data = request if type(request) is bytes else memoryview(request).tobytes()
    backend = method._backend
    queue = _here.queue
    if (
        queue is None
        or queue.loop is not _running()
        or queue.backend is not backend
        or queue.fd < 0
        or (plugin is not None and plugin._services)
    ):
        queue = queue_of_loop(plugin, backend)
    header = _options.header(None, None, None, (), False) if "opentelemetry.trace" in _modules else None
    op = backend.submit(queue.number, method._handle, method._entry, data, SUBMIT_OFFLOAD_PLAIN, header, 0, 0)
    if type(op) is int:
        op = await _end(queue, op)
    if type(op) is bytes:
        return codec.loads(op) if is_json else op
    return finish(plugin, method, op, NONE, is_json)


async def _call_carrying(
    plugin: Plugin | None,
    method: Method,
    request: Any,
    options: CallOptions,
    receiver: Object | None,
    is_json: bool,
) -> Any:
    backend = method._backend
    queue = queue_of_loop(plugin, backend)
    data, header = encode(method, request, options, receiver, is_json)
    flags = options._submit_flags
    number = _contexts.keep(method)
    try:
        header = _options.numbered(header, number)
        answer = backend.submit(queue.number, method._handle, method._entry, data, flags, header, 0, 0)
        if options.objects:
            _objects.release_passed(options.objects)
        if type(answer) is int:
            if options.reply is None:
                answer = await _end(queue, answer)
            else:
                answer = await _end_with_headers(queue, answer, options.reply)
    finally:
        _contexts.forget(number)
    return finish(plugin, method, answer, options, is_json)


async def _end_with_headers(queue: _queues.LoopQueue, op: int, reply: Reply) -> Any:
    """Wait for the headers and the end of a call."""
    queue.listeners[op] = _Headers(reply)
    try:
        return await _end(queue, op)
    finally:
        queue.listeners.pop(op, None)


async def _end(queue: _queues.LoopQueue, op: int) -> Any:
    """Wait for the end of a call, and return the same as `call_with`."""
    future = queue.calls[op] = queue.loop.create_future()
    try:
        event = await future
    except BaseException:
        if future.done() and not future.cancelled():
            # It has ended in the same turn of the loop in which its task was cancelled.
            _queues.forget(queue.backend, future.result())
        else:
            queue.detach(op)
        raise
    _, _, status, payload, trailers, objects = event
    return event[2:] if status or trailers or objects else payload
