"""Prepared methods: what a hot loop uses."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

from ._errors import ResponseTooLargeError, refuse_copy
from ._json import codec
from ._lease import Lease
from ._status import Encoding

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._lease import ResponseOwner
    from ._plugin import Plugin

T = TypeVar("T")


class Method(abc.ABC):
    """A method of one instance in one encoding, resolved once. :meth:`Plugin.method` makes it.

    It may be used from any number of threads at once. It keeps the GIL during a call if its author declared it a leaf
    (short, never blocking), and releases it otherwise; Ctrl-C during a call arrives when that is over. A request that
    nobody can write to (``str``, ``bytes``) is borrowed; of any other buffer the plugin is given a copy, because
    another thread may write to it meanwhile. ``unshared=True`` promises that nobody does until the call returns, and
    saves the copy of a large one.
    """

    __slots__ = ()

    plugin: Plugin | None
    name: str | int
    encoding: Encoding
    leaf: bool
    request_size: int
    response_size: int

    @abc.abstractmethod
    def call_json(self, text: str | bytes) -> str:
        """Call with JSON text and return JSON text. The method must have been prepared with the encoding ``json``."""

    @overload
    @abc.abstractmethod
    def call_raw(self, request: Buffer, into: None = None, *, unshared: bool = False) -> bytes: ...
    @overload
    @abc.abstractmethod
    def call_raw(self, request: Buffer, into: type[T], *, unshared: bool = False) -> T: ...
    @overload
    @abc.abstractmethod
    def call_raw(self, request: Buffer, into: Buffer, *, unshared: bool = False) -> int: ...
    @abc.abstractmethod
    def call_raw(self, request: Buffer, into: type[Any] | Buffer | None = None, *, unshared: bool = False) -> Any:
        """Call with the bytes of any contiguous buffer: bytes, memoryview, array, ctypes structure.

        Without ``into`` it returns the response as bytes. A type that can be made without arguments and is a writable
        buffer of the response's size, typically a ``ctypes.Structure``, is made, filled and returned. A writable
        buffer is filled, and the length of the response returned; if the response doesn't fit,
        :class:`ResponseTooLargeError` holds it.
        """

    @abc.abstractmethod
    def _fill(self, request: Buffer, target: Buffer, unshared: bool, /) -> int | bytes:
        """Call with the response going to a writable buffer: its length, or all of it when it doesn't fit."""

    @abc.abstractmethod
    def _lease(self, request: Buffer, unshared: bool, /) -> ResponseOwner:
        """Call without storage of ours, so that the response is handed over."""

    def lease(self, request: Buffer, *, unshared: bool = False) -> Lease:
        """Call, and leave the response in the plugin's memory: of it nothing is copied, whatever its size."""
        return Lease(self._lease(request, unshared))

    def call(self, request: Any = None) -> Any:
        """Call with an object and return an object, through JSON. Needs the encoding ``json``."""
        if self.encoding is not Encoding.JSON:
            self._refuse_json("call")
        return codec.loads(self.call_raw(codec.dumps(request)))

    def _call_into(self, request: Buffer, into: Any, unshared: bool) -> Any:
        """Do what `call_raw` promises of `into`: make a type, check sizes, keep request and response apart."""
        if isinstance(into, type):
            made = into()
            size = _size(made)
            if self.encoding is Encoding.POD and self.response_size != size:
                raise self._wrong_size(self.response_size, into.__name__, size)
            filled = self._fill(request, made, unshared)
            if filled != size:
                raise self._wrong_size(filled if isinstance(filled, int) else len(filled), into.__name__, size)
            return made
        size = _size(into)
        if self.encoding is Encoding.POD and self.response_size > size:
            raise self._wrong_size(self.response_size, "the buffer given as `into`", size)
        # A plugin may read its request while it writes its response, so an overlapping one is copied.
        filled = self._fill(bytes(memoryview(request)), into, False)
        if isinstance(filled, bytes):
            self._refuse_size(filled, size)
        return filled

    def _refuse_json(self, function: str = "call_json") -> NoReturn:
        raise TypeError(
            f"{function} speaks JSON, and {self.name!r} was prepared with the encoding {self.encoding.name.lower()}: "
            "use call_raw, or prepare it with encoding='json'"
        )

    def _refuse_text(self, text: object) -> NoReturn:
        raise TypeError(f"call_json takes JSON text as str or bytes, not {type(text).__name__}")

    def _refuse_size(self, response: bytes, capacity: int) -> NoReturn:
        raise ResponseTooLargeError(response, capacity)

    def _wrong_size(self, answered: int, what: str, size: int) -> ValueError:
        return ValueError(f"the response of {self.name!r} has {answered} bytes, and {what} has {size}")

    def __reduce__(self) -> NoReturn:
        refuse_copy(self)

    def __repr__(self) -> str:
        leaf = ", leaf" if self.leaf else ""
        return f"<rustbridge.Method {self.name!r} in {self.encoding.name.lower()}{leaf}>"


def _size(buffer: Any) -> int:
    try:
        with memoryview(buffer) as view:
            return view.nbytes
    except TypeError:
        raise TypeError(
            "`into` is a writable buffer, or a type of one such as a ctypes.Structure, "
            f"and {type(buffer).__name__} is not a buffer"
        ) from None
