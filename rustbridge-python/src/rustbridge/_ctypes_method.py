"""Prepared methods that are called through ctypes.

Three techniques make it as fast as ctypes can be. Each call in flight has one block of memory, which is prepared once,
so that a call has one argument that is converted already. Requests are passed in place. Fields are read as words of a
``memoryview``. Blocks are taken from a list and put back. Both are atomic, so threads and signal handlers never share a
block.

The core has compared the response's pointer and length with the buffer. So bytes without a release function are in the
buffer. A response without bytes may have any pointer, so a block gets its buffer again after such a response.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import addressof, byref
from typing import TYPE_CHECKING, Any

from . import _abi, _contexts
from ._abi import BYTES_AT, CAPACITY, DATA, LEN, RELEASE, REQUEST, REQUEST_LEN, CallArgs
from ._backend import METHOD_SERVED, loaded_backend
from ._constants import ENTRY_LEAF, ENTRY_SHARED, METHOD_LEAF
from ._ctypes_buffers import Borrowed, Owner, take
from ._errors import PluginError, error_from_payload
from ._method import Method
from ._served import Served
from ._status import Encoding

if TYPE_CHECKING:
    from ._plugin import Plugin

#: Requests that aren't bytes are copied into bytes up to this size: that costs less than to borrow them through ctypes.
_COPIED = 32 * 1024

#: The largest request of a pod that a block has room for.
_POD = 4096

#: Everything one call in flight needs: its arguments, the same as 64-bit words, room for the response, where that is,
#: the function to call, which keeps the GIL for a leaf with little storage, and what that is called with. The words are
#: there because an item of a memoryview is read in a quarter of the time of a structure's field; it's a plain tuple
#: because Python unpacks no other as fast.
_Block = tuple[CallArgs, "memoryview[int]", Any, int, Any, Any]

#: The same for a pod: the function, what that is called with, room for the request, the beginning of the response, what
#: that holds after the usual answer, and room for the response. A pod's request and answer always lie in the same
#: places, so all there is to say is said once; and room is filled and read as a whole in less time than it takes to
#: write an address or to read a word.
_PodBlock = tuple[Any, Any, Any, Any, bytes, Any]


def _decode(address: int, length: int) -> str:
    return _abi.decode_utf8(address, length, None)  # type: ignore[no-any-return]


def _shared(request: Any, unshared: bool) -> int:
    """Return the flag by which the core copies a request that others may change: 0 for bytes and views of bytes."""
    viewed = request.obj if type(request) is memoryview else request
    return 0 if unshared or type(viewed) is bytes else ENTRY_SHARED


class CtypesMethod(Method):
    """A prepared method called through ctypes."""

    __slots__ = (
        "_backend",
        "_blocks",
        "_buffer_limit",
        "_capacity",
        "_entry",
        "_flags",
        "_handle",
        "_leaf_limit",
        "_longest",
        "encoding",
        "leaf",
        "name",
        "plugin",
        "request_size",
        "response_size",
    )

    def __init__(self, plugin: Plugin | None, handle: int, name: str | int, prepared: _abi.PreparedMethod) -> None:
        self.plugin = plugin
        self.name = name
        self.encoding = Encoding(prepared.encoding)
        self.leaf = bool(prepared.flags & METHOD_LEAF)
        self.request_size = prepared.request_size
        self.response_size = prepared.response_size
        self._handle = handle
        self._entry = prepared.entry
        self._flags = _contexts.flag(handle, prepared.flags)
        # By name: that module imports this one.
        self._backend = loaded_backend("ctypes")
        # Blocks are kept from call to call, and a pod's response may be larger than what's worth keeping.
        self._capacity = max(min(prepared.buffer_size, prepared.buffer_limit), 1)
        self._buffer_limit = prepared.buffer_limit
        self._leaf_limit = prepared.leaf_limit
        # The longest request that a block's own function takes.
        self._longest = prepared.leaf_limit if self.leaf else sys.maxsize
        self._blocks: list[_Block] = []

    def _new_block(self) -> _Block:
        capacity = self._capacity
        storage = _abi.storage_type(capacity)()
        keeps_gil = self.leaf and capacity <= self._leaf_limit
        args = CallArgs(instance=self._handle, entry=self._entry | (ENTRY_LEAF if keeps_gil else 0))
        args.request_len = self.request_size
        at = addressof(storage)
        args.response.data = at
        args.response.capacity = capacity
        call = _abi.call_prepared_keeping_gil if keeps_gil else _abi.call_prepared
        return args, memoryview(args).cast("B").cast("Q"), storage, at, call, byref(args)

    def call_json(self, text: str | bytes) -> str:  # noqa: ARG002
        self._refuse_json()

    def call_raw(self, request: Any, into: Any = None, *, unshared: bool = False) -> Any:
        if into is not None:
            if type(into) is bytearray and type(request) is bytes:
                return self._call_into_bytearray(request, into)
            return self._call_into(request, into, unshared)
        if type(request) is not bytes:
            return self._call_buffer(request, unshared)
        size = len(request)
        if size > self._longest:
            return self._call_at(id(request) + BYTES_AT, size, 0, _abi.bytes_from)
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        _, words, storage, at, call, arguments = block
        words[REQUEST] = id(request) + BYTES_AT
        words[REQUEST_LEN] = size
        if call(arguments):
            raise self._failure(block)
        size = words[LEN]
        if words[RELEASE] or (not size and words[DATA] != at):
            return self._elsewhere(block, _abi.bytes_from)
        answer = storage[:size]
        self._blocks.append(block)
        return answer

    def _call_into_bytearray(self, request: bytes, into: bytearray) -> int:
        """Call with both where they lie, whose places are known without asking for their buffers by ctypes."""
        size, capacity = len(request), len(into)
        if not capacity or max(size, capacity) > self._longest:
            return self._call_into(request, into, True)  # type: ignore[no-any-return]
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        args, words, storage, at, call, arguments = block
        # Nobody can change its length while this is there. One byte does for all: a type for each length costs more.
        target = ctypes.c_char.from_buffer(into)
        try:
            place = addressof(target)
            words[REQUEST] = id(request) + BYTES_AT
            words[REQUEST_LEN] = size
            words[DATA] = place
            words[CAPACITY] = capacity
            if call(arguments):
                raise self._failure(block)
            size = words[LEN]
            answer = None
            if words[RELEASE] or (size and words[DATA] != place):
                if size > capacity:
                    answer = take(args.response)
                else:
                    ctypes.memmove(place, words[DATA], size)
                    _abi.response_release(byref(args.response))
            words[DATA] = at
            words[CAPACITY] = len(storage)
            words[RELEASE] = 0
            self._blocks.append(block)
        finally:
            # Whoever catches what is raised may want another length at once, and a traceback keeps what is here.
            del target
        if answer is not None:
            self._refuse_size(answer, capacity)
        return size

    def _call_at(self, address: int, size: int, shared: int, convert: Any) -> Any:
        """Call with a request of any length, without the GIL; `shared` is `ENTRY_SHARED` or 0."""
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        args, words, _, at, _, _ = block
        entry = args.entry
        args.entry = self._entry | shared
        words[REQUEST] = address
        words[REQUEST_LEN] = size
        status = _abi.call_block(args)
        args.entry = entry
        if status:
            raise self._failure(block)
        if words[RELEASE] or words[DATA] != at:
            return self._elsewhere(block, convert)
        answer = convert(at, words[LEN])
        self._blocks.append(block)
        return answer

    def _lease(self, request: Any, unshared: bool, /) -> Owner:
        borrowed = Borrowed(request)
        try:
            return Owner(self._invoke(borrowed.address, borrowed.len, _shared(request, unshared), 0, 0))
        finally:
            borrowed.release()

    def _failure(self, block: _Block) -> PluginError:
        """Make the exception of a failed call, and put its block back."""
        args, words, storage, at, _, _ = block
        status = args.status
        if words[RELEASE] or words[DATA] != at:
            payload = take(args.response)
            words[DATA] = at
            words[CAPACITY] = len(storage)
        else:
            payload = storage[: words[LEN]]
        self._blocks.append(block)
        return error_from_payload(status, payload)

    def _elsewhere(self, block: _Block, convert: Any) -> Any:
        """Convert a response that isn't in the block's buffer, and put back a block that is large enough for it.

        Usually the callee allocated the response. An empty one may also be null, and the next call needs the block's
        buffer.
        """
        args, words, storage, at, _, _ = block
        size = words[LEN]
        try:
            return convert(words[DATA], size)
        finally:
            _abi.response_release(byref(args.response))
            larger = 1 << (size - 1).bit_length() if size else 0
            if len(storage) < larger <= self._buffer_limit:
                self._capacity = max(self._capacity, larger)
                block = self._new_block()
            else:
                words[DATA] = at
                words[CAPACITY] = len(storage)
            self._blocks.append(block)

    def _invoke(self, request: int, request_len: int, shared: int, data: int, capacity: int) -> _abi.Response:
        """Call with addresses. The response is the caller's to release."""
        keeps_gil = self.leaf and max(request_len, capacity) <= self._leaf_limit
        entry = self._entry | shared | (ENTRY_LEAF if keeps_gil else 0)
        args = CallArgs(instance=self._handle, entry=entry)
        words = memoryview(args).cast("B").cast("Q")
        words[REQUEST] = request
        words[REQUEST_LEN] = request_len
        words[DATA] = data
        words[CAPACITY] = capacity
        status = _abi.call_block_keeping_gil(args) if keeps_gil else _abi.call_block(args)
        # A copy: the structure inside `args` would die with it.
        response = _abi.Response.from_buffer_copy(args.response)
        if status:
            payload = take(response) if response.release else ctypes.string_at(response.data, response.len)
            raise error_from_payload(status, payload)
        return response

    def _call_buffer(self, request: Any, unshared: bool) -> bytes:
        with memoryview(request) as view:
            if view.nbytes <= _COPIED and view.c_contiguous and type(request) is not bytes:
                return self.call_raw(view.tobytes())  # type: ignore[no-any-return]
        source = Borrowed(request)
        try:
            shared = _shared(request, unshared)
            return self._call_at(source.address, source.len, shared, _abi.bytes_from)  # type: ignore[no-any-return]
        finally:
            source.release()

    def _fill(self, request: Any, target: Any, unshared: bool, /) -> int | bytes:
        source = Borrowed(request)
        try:
            place = Borrowed(target, _abi.PYBUF_WRITABLE)
            try:
                shared = _shared(request, unshared)
                response = self._invoke(source.address, source.len, shared, place.address, place.len)
                size = int(response.len)
                # Elsewhere, whether or not there's something to release.
                if size and response.data != place.address:
                    if size > place.len:
                        return take(response)
                    ctypes.memmove(place.address, response.data, size)
                if response.release:
                    _abi.response_release(byref(response))
                return size
            finally:
                place.release()
        finally:
            source.release()


class CtypesJsonMethod(CtypesMethod):
    """A prepared method whose requests and responses are text."""

    __slots__ = ()

    def call_json(self, text: str | bytes) -> str:
        if type(text) is str:
            request = text.encode()
        elif isinstance(text, (str, bytes, bytearray, memoryview)):
            # The content itself, whatever a subclass makes of `encode` and `__bytes__`: it's passed by its address.
            request = str.encode(text) if isinstance(text, str) else memoryview(text).tobytes()
        else:
            self._refuse_text(text)
        size = len(request)
        if size > self._longest:
            large: str = self._call_at(id(request) + BYTES_AT, size, 0, _decode)
            return large
        try:
            block = self._blocks.pop()
        except IndexError:
            block = self._new_block()
        _, words, storage, at, call, arguments = block
        words[REQUEST] = id(request) + BYTES_AT
        words[REQUEST_LEN] = size
        if call(arguments):
            raise self._failure(block)
        size = words[LEN]
        if words[RELEASE] or (not size and words[DATA] != at):
            answer: str = self._elsewhere(block, _decode)
            return answer
        answer = storage[:size].decode()
        self._blocks.append(block)
        return answer


class CtypesPodMethod(CtypesMethod):
    """A prepared method whose request and response have fixed sizes, and fixed places if they aren't large."""

    __slots__ = ("_pods", "_request_size")

    def __init__(self, plugin: Plugin | None, handle: int, name: str | int, prepared: _abi.PreparedMethod) -> None:
        super().__init__(plugin, handle, name, prepared)
        # A length that no request has, for those that are better passed where they lie, or whose answer nobody keeps
        # storage for.
        small = self.request_size <= _POD and self.response_size <= self._buffer_limit
        self._request_size = self.request_size if small else -1
        self._pods: list[_PodBlock] = []

    def _new_pod(self) -> _PodBlock:
        source, target = (ctypes.c_char * self.request_size)(), (ctypes.c_char * self.response_size)()
        keeps_gil = self.leaf and max(self.request_size, self.response_size) <= self._leaf_limit
        args = CallArgs(instance=self._handle, entry=self._entry | (ENTRY_LEAF if keeps_gil else 0))
        args.request, args.request_len = addressof(source), self.request_size
        self._offer(args, target)
        # Up to the owner, which says nothing where there's no release.
        head = (ctypes.c_char * _abi.Response.owner.offset).from_buffer(args, CallArgs.response.offset)
        args.response.len = self.response_size
        call = _abi.call_prepared_keeping_gil if keeps_gil else _abi.call_prepared
        return call, byref(args), source, head, head.raw, target

    def _offer(self, args: CallArgs, target: Any) -> None:
        args.response = _abi.Response(addressof(target), self.response_size)

    def call_raw(self, request: Any, into: Any = None, *, unshared: bool = False) -> Any:
        if into is not None:
            if type(into) is not bytearray or len(into) < self.response_size:
                return self._call_into(request, into, unshared)
            # Without a look at its buffer, which takes longer than the call.
            answer = self.call_raw(request, unshared=unshared)
            size = len(answer)
            if size > len(into):
                self._refuse_size(answer, len(into))
            into[:size] = answer
            return size
        if type(request) is not bytes or len(request) != self._request_size:
            return super().call_raw(request, unshared=unshared)
        try:
            block = (pods := self._pods).pop()
        except IndexError:
            block = self._new_pod()
        call, arguments, source, head, usual, target = block
        source.raw = request
        if call(arguments) or head.raw != usual:
            return self._unusual(block)
        answer = target.raw
        pods.append(block)
        return answer

    def _unusual(self, block: _PodBlock) -> bytes:
        """Return a response that was callee-allocated or has an unusual length, or raise the call's error."""
        _, arguments, *_, target = block
        args = arguments._obj
        status = args.status
        answer = take(args.response)
        self._offer(args, target)
        self._pods.append(block)
        if status:
            raise error_from_payload(status, answer)
        return answer

    def _fill(self, request: Any, target: Any, unshared: bool, /) -> int | bytes:
        with memoryview(target) as view:
            if view.readonly or not view.c_contiguous:
                return super()._fill(request, target, unshared)
            answer: bytes = self.call_raw(request, unshared=unshared)
            size = len(answer)
            if size > view.nbytes:
                return answer
            with view.cast("B") as place:
                place[:size] = answer
            return size


class _Served(Served, CtypesMethod):
    __slots__ = ()


class _ServedJson(Served, CtypesJsonMethod):
    __slots__ = ()


class _ServedPod(Served, CtypesPodMethod):
    __slots__ = ()


_KINDS: dict[int, type[CtypesMethod]] = {Encoding.JSON: CtypesJsonMethod, Encoding.POD: CtypesPodMethod}
_SERVED: dict[int, type[CtypesMethod]] = {Encoding.JSON: _ServedJson, Encoding.POD: _ServedPod}


def make(plugin: Plugin | None, handle: int, name: str | int, prepared: _abi.PreparedMethod) -> CtypesMethod:
    """Make the method of the kind that its encoding asks for."""
    if _contexts.flag(handle, prepared.flags) & METHOD_SERVED:
        return _SERVED.get(prepared.encoding, _Served)(plugin, handle, name, prepared)
    return _KINDS.get(prepared.encoding, CtypesMethod)(plugin, handle, name, prepared)
