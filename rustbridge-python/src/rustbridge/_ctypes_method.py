"""Prepared methods called through ctypes.

What makes it as fast as ctypes can be: one block of memory per call in flight, prepared once, so that a call converts
one argument; small requests and responses copied by the ``raw`` of an array in the block, fields read as words of a
``memoryview``. Blocks are taken from a list and put back, which is atomic, so that threads and signal handlers never
share one.
"""

from __future__ import annotations

import ctypes
from ctypes import addressof, byref
from typing import TYPE_CHECKING, Any

from . import _abi
from ._abi import CAPACITY, DATA, LEN, RELEASE, REQUEST, REQUEST_LEN, CallArgs
from ._backend import METHOD_LEAF
from ._ctypes_buffers import Borrowed, Owner, take
from ._errors import PluginError, error_from_payload
from ._method import Method
from ._status import Encoding

if TYPE_CHECKING:
    from ._plugin import Plugin

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

    def _lease(self, request: Any) -> Owner:
        borrowed = Borrowed(request)
        try:
            return Owner(self._invoke(borrowed.address, borrowed.len, 0, 0))
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
            payload = take(response) if response.release else ctypes.string_at(response.data, response.len)
            raise error_from_payload(status, payload)
        return response

    def _call_buffer(self, request: Any) -> bytes:
        with memoryview(request) as view:
            if view.nbytes <= _STORAGE and view.c_contiguous and type(request) is not bytes:
                # A copy this small costs less than borrowing through ctypes.
                return self.call_raw(view.tobytes())  # type: ignore[no-any-return]
        source = Borrowed(request)
        try:
            storage: Any = _abi.storage_type(self._response_capacity)()
            response = self._invoke(source.address, source.len, addressof(storage), self._response_capacity)
            return take(response) if response.release else storage[: response.len]
        finally:
            source.release()

    def _fill(self, request: Any, target: Any) -> int | bytes:
        source = Borrowed(request)
        try:
            place = Borrowed(target, _abi.PYBUF_WRITABLE)
            try:
                response = self._invoke(source.address, source.len, place.address, place.len)
                size = int(response.len)
                if response.release:
                    if size > place.len:
                        return take(response)
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


def make(
    plugin: Plugin | None, handle: int, name: str | int, encoding: Encoding, prepared: _abi.PreparedMethod
) -> CtypesMethod:
    """Make the method of the kind that its encoding asks for."""
    return _KINDS.get(encoding, CtypesMethod)(plugin, handle, name, encoding, prepared)
