"""The backend over :mod:`ctypes`: needs no extension, costs a few hundred nanoseconds a call.

What makes it as fast as ctypes can be: one block of memory per call in flight, prepared once, so that a call converts
one argument; small requests and responses copied by the ``raw`` of an array in the block, fields read as words of a
``memoryview``. Blocks are taken from a list and put back, which is atomic, so that threads and signal handlers never
share one.
"""

from __future__ import annotations

import ctypes
import itertools
import weakref
from ctypes import addressof, byref
from typing import TYPE_CHECKING, Any

from . import _abi
from ._abi import CAPACITY, DATA, LEN, RELEASE, REQUEST, REQUEST_LEN, CallArgs
from ._backend import METHOD_LEAF
from ._errors import PluginError, error_from_payload
from ._method import Method
from ._status import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._plugin import Plugin

NAME = "ctypes"

#: Requests and responses up to this size lie in a block; larger requests are borrowed, larger responses handed over.
_STORAGE = 4096


#: Everything one call in flight needs: its arguments, the same as 64-bit words, and room for request and response. The
#: words are there because an item of a memoryview is read in a quarter of the time of a structure's field; it's a plain
#: tuple because Python unpacks no other kind as fast.
_Block = tuple[CallArgs, "memoryview[int]", Any, Any]

#: What a response of no bytes may have for an address.
_NOTHING = ctypes.c_char()


def _decode(address: int, length: int) -> str:
    return _abi.decode_utf8(address, length, None)  # type: ignore[no-any-return]


def _take(response: _abi.Response) -> bytes:
    """Copy a response that was handed over, and release it."""
    try:
        return _abi.bytes_from(response.data, response.len) if response.len else b""
    finally:
        _abi.response_release(byref(response))


def _check(status: int, response: _abi.Response) -> None:
    if status:
        raise error_from_payload(status, _take(response))


_sinks: dict[int, Callable[..., None]] = {}
_sink_keys = itertools.count(1)


def _text(view: _abi.TextView) -> str:
    return ctypes.string_at(view.data, view.len).decode("utf-8", "replace") if view.len else ""


def _log(key: int, pointer: Any) -> None:
    sink = _sinks.get(key)
    if sink is None:
        return
    record = pointer.contents
    sink(
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
    )


def _drop(key: int) -> None:
    _sinks.pop(key, None)


# Kept for good: the core may hold their addresses as long as the process lives.
_LOG = _abi.LOG_FUNCTION(_log)
_DROP = _abi.DROP_FUNCTION(_drop)


def _sink(log: Callable[..., None]) -> _abi.LogSink:
    # The core is given a number, not a pointer to a Python object: nothing it does can touch a freed one.
    key = next(_sink_keys)
    _sinks[key] = log
    return _abi.LogSink(_LOG, key, _DROP)


def load(
    path: str | None, image: bytes | None, config: bytes, name: str, flags: int, level: int, log: Callable[..., None], /
) -> int:
    """Load a plugin and make an instance; gives its handle."""
    path_bytes = b"" if path is None else path.encode()
    name_bytes = name.encode()
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
        log_capacity=0,
        log=_sink(log),
    )
    instance = ctypes.c_uint64()
    error = _abi.Response()
    _check(_abi.load(byref(options), byref(instance), byref(error)), error)
    return instance.value


def describe(handle: int, /) -> bytes:
    """Give the plugin's description, JSON."""
    response = _abi.Response()
    _check(_abi.describe(handle, byref(response)), response)
    return _take(response)


def state(handle: int, /) -> int:
    """Give the number of the state, 0 for a handle that was never issued."""
    number = ctypes.c_uint32()
    _abi.state(handle, byref(number))
    return number.value


def close(handle: int, timeout_ms: int, /) -> None:
    """Drain and destroy."""
    report = _abi.Response()
    _check(_abi.close(handle, timeout_ms, byref(report)), report)
    _abi.response_release(byref(report))


def set_log_level(handle: int, level: int, /) -> int:
    """Change the level, one of the ABI's numbers; gives a status."""
    return _abi.log_set_level(handle, level)  # type: ignore[no-any-return]


def set_log_sink(handle: int, log: Callable[..., None] | None, /) -> int:
    """Change the sink; the old one isn't called any more when this returns. Gives a status."""
    return _abi.log_set_sink(handle, None if log is None else byref(_sink(log)))  # type: ignore[no-any-return]


def flush_logs(handle: int, timeout_ms: int, /) -> int:
    """Wait until what was logged so far has been delivered; gives a status."""
    return _abi.log_flush(handle, timeout_ms)  # type: ignore[no-any-return]


def inspect() -> bytes:
    """Give the ledger of mappings and instances, JSON."""
    response = _abi.Response()
    _check(_abi.inspect(byref(response)), response)
    return _take(response)


def version() -> str:
    """Give the version of the native library."""
    return _abi.version().decode()  # type: ignore[no-any-return]


def method(plugin: Plugin | None, handle: int, name: str | int, encoding: Encoding, /) -> Method:
    """Resolve a method."""
    prepared = _abi.PreparedMethod()
    error = _abi.Response()
    if isinstance(name, int):
        status = _abi.prepare_id(handle, name, encoding, byref(prepared), byref(error))
    else:
        text = name.encode()
        status = _abi.prepare(handle, _abi.Text(text, len(text)), encoding, byref(prepared), byref(error))
    _check(status, error)
    kind = _KINDS.get(encoding, CtypesMethod)
    return kind(plugin, handle, name, encoding, prepared)


class _Owner:
    """A response handed over, freed when nothing refers to its array any more."""

    __slots__ = ("_array",)

    def __init__(self, response: _abi.Response) -> None:
        size = response.len
        if size:
            array: Any = _abi.storage_type(size).from_address(response.data)
        else:
            array = _abi.storage_type(0)()
        # A view of the array keeps the array alive, so this runs after the last view is gone.
        weakref.finalize(array, _abi.response_release, byref(response)).atexit = False
        self._array: Any = (array, size)

    def view(self) -> memoryview:
        array, size = self._array
        return memoryview(array).cast("B")[:size].toreadonly()

    def release(self) -> None:
        array, size = self._array
        self._array = None
        alive = weakref.ref(array)
        del array
        array = alive()
        if array is not None:
            self._array = (array, size)
            raise BufferError("the lease can't be released: a view of it is still in use")


class _Borrowed:
    """A contiguous buffer of any object, held for the length of a call."""

    __slots__ = ("_buffer", "address", "len")

    def __init__(self, source: Any, flags: int = _abi.PYBUF_SIMPLE) -> None:
        self._buffer = _abi.PyBuffer()
        _abi.get_buffer(source, byref(self._buffer), flags)
        self.address: int = self._buffer.buf or 0
        self.len: int = self._buffer.len

    def release(self) -> None:
        _abi.release_buffer(byref(self._buffer))


class CtypesMethod(Method):
    """A prepared method called through ctypes."""

    __slots__ = (
        "_blocks",
        "_call",
        "_entry",
        "_handle",
        "_request_capacity",
        "_response_capacity",
        "encoding",
        "leaf",
        "name",
        "plugin",
        "request_size",
        "response_size",
    )

    def __init__(
        self, plugin: Plugin | None, handle: int, name: str | int, encoding: Encoding, prepared: _abi.PreparedMethod
    ) -> None:
        self.plugin = plugin
        self.name = name
        self.encoding = encoding
        self.leaf = bool(prepared.flags & METHOD_LEAF)
        self.request_size = prepared.request_size
        self.response_size = prepared.response_size
        self._handle = handle
        self._entry = prepared.entry
        self._call = _abi.call_block_leaf if self.leaf else _abi.call_block
        self._blocks: list[_Block] = []
        pod = encoding is Encoding.POD
        self._request_capacity = self.request_size if pod else _STORAGE
        self._response_capacity = self.response_size if pod else _STORAGE

    def _new_block(self) -> _Block:
        source = _abi.storage_type(self._request_capacity)()
        storage = _abi.storage_type(self._response_capacity)()
        args = CallArgs(instance=self._handle, entry=self._entry)
        args.request = addressof(source)
        args.request_len = self._request_capacity
        args.response.data = addressof(storage)
        args.response.capacity = self._response_capacity
        return args, memoryview(args).cast("B").cast("Q"), source, storage

    def call_json(self, text: str | bytes) -> str:  # noqa: ARG002
        self._refuse_json()

    def call_raw(self, request: Any, into: Any = None) -> Any:
        if into is not None:
            return self._call_into(request, into)
        if type(request) is not bytes:
            return self._call_buffer(request)
        size = len(request)
        if size > _STORAGE:
            return self._call_large(request, _abi.bytes_from)
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        args, words, source, storage = block
        source.raw = request
        words[REQUEST_LEN] = size
        if self._call(args):
            raise self._failure(block)
        answer = self._handed_over(block, _abi.bytes_from) if words[RELEASE] else storage[: words[LEN]]
        self._blocks.append(block)
        return answer

    def _call_large(self, request: bytes, convert: Any) -> Any:
        """Call with a request that is borrowed rather than copied into a block."""
        keep = ctypes.c_char_p(request)
        response = self._invoke(ctypes.cast(keep, ctypes.c_void_p).value or 0, len(request), 0, 0)
        try:
            return convert(response.data or addressof(_NOTHING), response.len)
        finally:
            _abi.response_release(byref(response))

    def _lease(self, request: Any) -> _Owner:
        borrowed = _Borrowed(request)
        try:
            return _Owner(self._invoke(borrowed.address, borrowed.len, 0, 0))
        finally:
            borrowed.release()

    def _failure(self, block: _Block) -> PluginError:
        """Make the exception of a failed call, and put its block back."""
        args, words, _, storage = block
        status = args.status
        payload = self._handed_over(block, _abi.bytes_from) if words[RELEASE] else storage[: words[LEN]]
        self._blocks.append(block)
        return error_from_payload(status, payload)

    def _handed_over(self, block: _Block, convert: Any) -> Any:
        """Convert a response that lies in the plugin's memory, release it, and give the block its storage back."""
        args, words, _, storage = block
        try:
            return convert(words[DATA], words[LEN])
        finally:
            _abi.response_release(byref(args.response))
            words[DATA] = addressof(storage)
            words[CAPACITY] = self._response_capacity

    def _invoke(self, request: int, request_len: int, data: int, capacity: int) -> _abi.Response:
        """Call with addresses. The response is the caller's to release."""
        args = CallArgs(instance=self._handle, entry=self._entry)
        words = memoryview(args).cast("B").cast("Q")
        words[REQUEST] = request
        words[REQUEST_LEN] = request_len
        words[DATA] = data
        words[CAPACITY] = capacity
        status = self._call(args)
        # A copy: the structure inside `args` would die with it.
        response = _abi.Response.from_buffer_copy(args.response)
        if status:
            payload = _take(response) if response.release else ctypes.string_at(response.data, response.len)
            raise error_from_payload(status, payload)
        return response

    def _call_buffer(self, request: Any) -> bytes:
        with memoryview(request) as view:
            if view.nbytes <= _STORAGE and view.c_contiguous and type(request) is not bytes:
                # A copy this small costs less than borrowing through ctypes.
                return self.call_raw(view.tobytes())  # type: ignore[no-any-return]
        source = _Borrowed(request)
        try:
            storage: Any = _abi.storage_type(self._response_capacity)()
            response = self._invoke(source.address, source.len, addressof(storage), self._response_capacity)
            return _take(response) if response.release else storage[: response.len]
        finally:
            source.release()

    def _fill(self, request: Any, target: Any) -> int | bytes:
        source = _Borrowed(request)
        try:
            place = _Borrowed(target, _abi.PYBUF_WRITABLE)
            try:
                response = self._invoke(source.address, source.len, place.address, place.len)
                size = int(response.len)
                if response.release:
                    if size > place.len:
                        return _take(response)
                    ctypes.memmove(place.address, response.data, size)
                    _abi.response_release(byref(response))
                return size
            finally:
                place.release()
        finally:
            source.release()


class CtypesJsonMethod(CtypesMethod):
    """A prepared method that takes and gives text."""

    __slots__ = ()

    def call_json(self, text: str | bytes) -> str:
        if type(text) is str:
            request = text.encode()
        elif isinstance(text, (str, bytes, bytearray, memoryview)):
            request = text.encode() if isinstance(text, str) else bytes(text)
        else:
            self._refuse_text(text)
        size = len(request)
        if size > _STORAGE:
            large: str = self._call_large(request, _decode)
            return large
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        args, words, source, storage = block
        source.raw = request
        words[REQUEST_LEN] = size
        if self._call(args):
            raise self._failure(block)
        if words[RELEASE]:
            answer: str = self._handed_over(block, _decode)
        else:
            answer = storage[: words[LEN]].decode()
        self._blocks.append(block)
        return answer


class CtypesPodMethod(CtypesMethod):
    """A prepared method whose request and response have fixed sizes: no slice is needed, one check will do."""

    __slots__ = ()

    def call_raw(self, request: Any, into: Any = None) -> Any:
        if into is not None:
            return self._call_into(request, into)
        if type(request) is not bytes or len(request) != self.request_size:
            return self._call_buffer(request)
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        args, words, source, storage = block
        source.raw = request
        if self._call(args):
            raise self._failure(block)
        if words[RELEASE]:
            answer = self._handed_over(block, _abi.bytes_from)
        elif words[LEN] == self.response_size != 0:
            answer = storage.raw
        else:
            answer = storage[: words[LEN]]
        self._blocks.append(block)
        return answer

    def _fill(self, request: Any, target: Any) -> int | bytes:
        with memoryview(target) as view:
            if view.readonly or not view.c_contiguous:
                return super()._fill(request, target)
            answer: bytes = self.call_raw(request)
            size = len(answer)
            if size > view.nbytes:
                return answer
            with view.cast("B") as place:
                place[:size] = answer
            return size


_KINDS: dict[Encoding, type[CtypesMethod]] = {Encoding.JSON: CtypesJsonMethod, Encoding.POD: CtypesPodMethod}
