"""Buffers for ctypes: requests from Python objects, and responses of the library."""

from __future__ import annotations

import sys
import weakref
from ctypes import byref
from typing import Any

from . import _abi
from ._errors import error_from_payload
from ._lease import LEASED_FREELY, relieve


def take(response: _abi.Response) -> bytes:
    """Copy a callee-allocated response, and release it."""
    try:
        return _abi.bytes_from(response.data, response.len) if response.len else b""
    finally:
        _abi.response_release(byref(response))


def check(status: int, response: _abi.Response) -> None:
    """Raise the error in a response if the status isn't OK, and release the response."""
    if status:
        raise error_from_payload(status, take(response))


class _LeasedBuffer:
    """Counts the bytes that owners hold in this process. Above a limit, it looks for unreferenced owners."""

    bytes = 0
    limit = LEASED_FREELY

    @classmethod
    def add(cls, size: int) -> None:
        cls.bytes += size
        if cls.bytes > cls.limit:
            # A destructor that runs meanwhile may lease, too. Those who lease after a Ctrl-C are asked again.
            limit, cls.limit = cls.limit, sys.maxsize
            try:
                limit = relieve(lambda: cls.bytes)
            finally:
                cls.limit = limit

    @classmethod
    def release(cls, response: Any, size: int) -> None:
        cls.bytes -= size
        _abi.response_release(response)


class Owner:
    """A callee-allocated response, which is freed when nothing refers to its array any more."""

    __slots__ = ("_array",)

    def __init__(self, response: _abi.Response) -> None:
        size = response.len
        if size:
            array: Any = _abi.storage_type(size).from_address(response.data)
        else:
            array = _abi.storage_type(0)()
        # A view of the array keeps the array alive, so this runs after the last view is gone.
        weakref.finalize(array, _LeasedBuffer.release, byref(response), size).atexit = False
        self._array: Any = (array, size)
        _LeasedBuffer.add(size)

    def view(self) -> memoryview:
        held = self._array
        if held is None:
            raise ValueError("the lease has been released: its memory belongs to the plugin again")
        array, size = held
        return memoryview(array).cast("B")[:size].toreadonly()

    def release(self) -> None:
        if self._array is None:
            # Another thread's release has won meanwhile.
            return
        array, size = self._array
        self._array = None
        alive = weakref.ref(array)
        del array
        array = alive()
        if array is not None:
            self._array = (array, size)
            raise BufferError("the lease can't be released: a view of it is still in use")


class Borrowed:
    """A contiguous buffer of any object, held for the length of a call."""

    __slots__ = ("_buffer", "address", "len")

    def __init__(self, source: Any, flags: int = _abi.PYBUF_SIMPLE) -> None:
        self._buffer = _abi.PyBuffer()
        _abi.get_buffer(source, byref(self._buffer), flags)
        self.address: int = self._buffer.buf or 0
        self.len: int = self._buffer.len

    def release(self) -> None:
        _abi.release_buffer(byref(self._buffer))
