"""Prepared methods, for hot loops."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

from . import _calls, _options, _streams
from ._backend import METHOD_CARRIES
from ._errors import ResponseTooLargeError, refuse_copy
from ._json import codec
from ._lease import Lease
from ._status import Encoding

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Coroutine, Iterable, Sequence

    from typing_extensions import Buffer

    from ._backend import Backend
    from ._lease import ResponseOwner
    from ._objects import Object
    from ._options import CallOptions, Metadata, Reply
    from ._plugin import Plugin
    from ._streams import Stream

T = TypeVar("T")


class Method(abc.ABC):
    """A method of one instance, resolved once in one encoding. :meth:`Plugin.method` returns it.

    Any number of threads may use it at once.

    During a call of a leaf method (short, non-blocking), the GIL is kept; for other methods it's released. Ctrl-C
    during a call takes effect when the call has returned.

    An immutable request (``str``, ``bytes``) is borrowed. The plugin receives a copy of any other buffer, because
    another thread may write to it during the call. With ``unshared=True``, you promise that no code writes to the
    buffer until the call returns. This saves the copy of a large request.
    """

    __slots__ = ()

    plugin: Plugin | None
    name: str | int
    encoding: Encoding
    leaf: bool
    request_size: int
    response_size: int
    _backend: Backend
    _entry: int
    _flags: int
    _handle: int

    @abc.abstractmethod
    def call_json(self, text: str | bytes) -> str:
        """Call with JSON text and return JSON text.

        The method must have been prepared with the encoding ``json``.
        """

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

        * Without ``into``, it returns the response as bytes.
        * ``into`` can be a type, typically a ``ctypes.Structure``. It's created without arguments, filled with the
          response and returned. It must be a writable buffer of the response's size.
        * ``into`` can be a writable buffer. It's filled, and the response's length is returned. If the response doesn't
          fit, :class:`ResponseTooLargeError` contains it.
        """

    @abc.abstractmethod
    def _fill(self, request: Buffer, target: Buffer, unshared: bool, /) -> int | bytes:
        """Call with a writable buffer for the response. Return its length, or the whole response if it doesn't fit."""

    @abc.abstractmethod
    def _lease(self, request: Buffer, unshared: bool, /) -> ResponseOwner:
        """Call without a buffer for the response, so that the plugin allocates it."""

    def lease(self, request: Buffer, *, unshared: bool = False) -> Lease:
        """Call, and leave the response in the plugin's memory. It isn't copied, whatever its size."""
        return Lease(self._lease(request, unshared))

    def call(self, request: Any = None, options: CallOptions | None = None) -> Any:
        """Call with a value and return the response as a value. Both are converted to and from JSON.

        The method must have been prepared with the encoding ``json``.
        """
        if self.encoding is not Encoding.JSON:
            self._refuse_json("call")
        if options is not None or self._flags & METHOD_CARRIES:
            return _calls.call(self.plugin, self, request, options)
        try:
            data = codec.dumps(request)
        except TypeError:
            return _calls.call(self.plugin, self, request, None)
        return codec.loads(self.call_raw(data))

    def call_with(self, request: Buffer, options: CallOptions) -> bytes:
        """Call with bytes and options, and return bytes. Returned objects are in the options' reply."""
        answer: bytes = _calls.call(self.plugin, self, request, options, None, False)
        return answer

    def call_async(
        self,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata | None = None,
        trace: str | tuple[str, str] | None = None,
        objects: Sequence[Object] = (),
        reply: Reply | None = None,
    ) -> Coroutine[Any, Any, Any]:
        """Call like :meth:`call`, without blocking the event loop.

        If the task is cancelled, the call is cancelled: the plugin drops the handler's future, and
        ``asyncio.CancelledError`` is raised. Keyword arguments override the options; see :class:`CallOptions`. A
        handler that isn't ``async`` runs on a thread of the plugin.
        """
        _calls.check_json(self, "call_async")
        said = timeout is not None or metadata is not None or trace is not None or reply is not None or objects
        if options is None and not said and not self._flags & METHOD_CARRIES:
            return _calls.call_plain(self.plugin, self, request, True)
        options = _options.merge(options, timeout, metadata, trace, objects, reply)
        return _calls.call_async(self.plugin, self, request, options)

    def call_raw_async(
        self,
        request: Buffer,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata | None = None,
        trace: str | tuple[str, str] | None = None,
        objects: Sequence[Object] = (),
        reply: Reply | None = None,
    ) -> Coroutine[Any, Any, bytes]:
        """Call with bytes and return bytes, without blocking the event loop. See :meth:`call_async`.

        Returned objects are in the options' reply.
        """
        said = timeout is not None or metadata is not None or trace is not None or reply is not None or objects
        if options is None and not said and not self._flags & METHOD_CARRIES:
            return _calls.call_plain(self.plugin, self, request, False)
        options = _options.merge(options, timeout, metadata, trace, objects, reply)
        return _calls.call_async(self.plugin, self, request, options, None, False)

    def stream(
        self,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        into: type[Any] | None = None,
        window: int = _options.WINDOW,
        window_bytes: int = _options.WINDOW_BYTES,
    ) -> Stream[Any]:
        """Return the stream of a method that sends items.

        The call starts when the first item is requested, by ``async for`` or ``for``.

        If the method was prepared for JSON, items are values. Otherwise they are bytes, or of the type ``into``, a
        ``ctypes.Structure`` of an item's size.

        Up to ``window`` items and ``window_bytes`` bytes may be in flight. More are requested when half of them have
        been consumed.
        """
        return _streams.stream(self.plugin, self, request, options, into=into, window=window, window_bytes=window_bytes)

    def send(self, items: Iterable[Any], request: Any = None, options: CallOptions | None = None) -> Any:
        """Send items to a method that accepts a stream, as fast as it accepts them, and return its response.

        If the method was prepared for JSON, the items and the request are values, otherwise bytes. A plugin may respond
        before it has received all items. If the iterable raises an exception, the stream ends in the plugin, and this
        method raises the same exception.
        """
        return _streams.send(self.plugin, self, items, request, options)

    async def send_async(
        self,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any = None,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
    ) -> Any:
        """Send items like :meth:`send`, without blocking the event loop.

        ``items`` may be an asynchronous iterable.
        """
        options = _options.merge(options, timeout, None, None, (), None)
        return await _streams.send_async(self.plugin, self, items, request, options)

    def exchange(
        self,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any = None,
        options: CallOptions | None = None,
        *,
        into: type[Any] | None = None,
        window: int = _options.WINDOW,
        window_bytes: int = _options.WINDOW_BYTES,
    ) -> Stream[Any]:
        """Send items and return the stream of received items. See :meth:`send` and :meth:`stream`.

        In a plain loop, items are sent while the loop waits for the next one.
        """
        return _streams.stream(
            self.plugin, self, request, options, None, items, into=into, window=window, window_bytes=window_bytes
        )

    def _call_on(self, receiver: Object, request: Any, options: CallOptions | None) -> Any:
        """Call a method of an object."""
        return _calls.call(receiver._plugin, self, request, options, receiver)

    def _call_async_on(self, receiver: Object, request: Any, options: CallOptions) -> Coroutine[Any, Any, Any]:
        return _calls.call_async(receiver._plugin, self, request, options, receiver)

    def _stream_on(
        self, receiver: Object, request: Any, options: CallOptions | None, window: int, window_bytes: int
    ) -> Stream[Any]:
        plugin = receiver._plugin
        return _streams.stream(plugin, self, request, options, receiver, window=window, window_bytes=window_bytes)

    def _call_into(self, request: Buffer, into: Any, unshared: bool) -> Any:
        """Handle `into` of `call_raw`: create the type, check sizes, and keep the request and the response apart."""
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
            raise self._wrong_size(self.response_size, "the buffer `into`", size)
        # A plugin may read its request while it writes its response, so an overlapping one is copied.
        filled = self._fill(bytes(memoryview(request)), into, False)
        if isinstance(filled, bytes):
            self._refuse_size(filled, size)
        return filled

    def _refuse_json(self, function: str = "call_json") -> NoReturn:
        raise TypeError(
            f"{function} requires the encoding json, but {self.name!r} was prepared with {self.encoding.name.lower()}: "
            "use call_raw, or prepare it with encoding='json'"
        )

    def _refuse_text(self, text: object) -> NoReturn:
        raise TypeError(f"call_json requires JSON text as str or bytes, not {type(text).__name__}")

    def _refuse_size(self, response: bytes, capacity: int) -> NoReturn:
        raise ResponseTooLargeError(response, capacity)

    def _wrong_size(self, answered: int, what: str, size: int) -> ValueError:
        return ValueError(f"the response of {self.name!r} has {answered} bytes, but {what} has {size}")

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
            "`into` must be a writable buffer, or a type of one such as a ctypes.Structure, "
            f"not {type(buffer).__name__}"
        ) from None
