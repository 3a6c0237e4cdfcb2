"""Streams: items that a plugin sends, items that are sent to it, and both.

The consumer grants credit for a number of items and bytes. It grants more when half of the window has been consumed. So
memory is bounded, however fast the plugin is.
"""

from __future__ import annotations

import asyncio
import contextlib
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, cast

from . import _calls, _item_decoders, _objects, _options, _queues
from ._constants import CONTEXT_HEADERS, METHOD_OBJECTS, METHOD_STREAM_IN, METHOD_STREAM_OUT
from ._errors import UnimplementedError, error_from_payload, refuse_copy
from ._options import NONE, CallOptions
from ._pipe import Encoder, Feed, Pipe, pump
from ._status import Encoding, Status

if TYPE_CHECKING:
    import contextvars
    from collections.abc import AsyncIterable, Callable, Iterable
    from types import TracebackType

    from typing_extensions import Self

    from ._method import Method
    from ._objects import Object
    from ._options import Header
    from ._plugin import Plugin
    from ._queues import LoopQueue, WaitingQueue

T = TypeVar("T")


class Stream(Generic[T]):
    """The items of a call, as an asynchronous and a plain iterator. The call starts when the first item is requested.

    A status other than OK is raised after the items that arrived before it. If you break out of a loop, or leave the
    stream's ``with`` or ``async with`` block, the call is cancelled. A stream that is dropped before its end without
    being closed is cancelled with a ``ResourceWarning``. It can have one consumer at a time.
    """

    __slots__ = (
        "__weakref__",
        "_askers",
        "_begun",
        "_context",
        "_data",
        "_decode",
        "_ended",
        "_fail",
        "_header",
        "_item_size",
        "_loop",
        "_method",
        "_options",
        "_pending",
        "_pipe",
        "_plugin",
        "_pump",
        "_source",
        "_waiter",
        "_waiting",
        "_write",
    )

    def __init__(
        self,
        plugin: Plugin | None,
        method: Method,
        data: bytes,
        header: Header,
        options: CallOptions,
        decode: Callable[[bytes, int, tuple[int, ...] | None, tuple[int, ...] | None], list[Any]],
        window: tuple[int, int],
        source: Any,
        write: Callable[[Any], bytes],
        fail: Callable[[BaseException], BaseException] | None,
    ) -> None:
        self._begun = False
        #: The caller's, for services.
        self._context: contextvars.Context | None = None
        self._plugin = plugin
        self._method = method
        self._data = data
        self._header = header
        self._options = options
        self._decode = decode
        self._source = source
        self._write = write
        self._fail = fail
        self._pipe = Pipe(method, options.reply, *window)
        #: Of the batch that's being taken: each item with its length, the last first.
        self._pending: list[Any] = []
        #: Below 0: there was none yet.
        self._item_size = -1
        #: Those that wait for headers.
        self._askers: list[asyncio.Future[None]] = []
        self._waiter: asyncio.Future[None] | None = None
        self._loop: LoopQueue | None = None
        self._waiting: WaitingQueue | None = None
        self._pump: asyncio.Task[None] | Feed | None = None
        self._ended = False

    # What both kinds of iterators do.

    def _begin(self, queue: _queues.Queue, flags: int) -> None:
        self._begun = True
        self._context = self._pipe.begin(queue, self._method, self._data, self._header, flags)
        _objects.release_passed(self._options.objects)

    def _unpack(self) -> bool:
        """Decode the next batch's items. Return whether there was a batch."""
        batches = self._pipe.batches
        if not batches:
            return False
        payload, count, ends, objects = batches.popleft()
        size = len(payload) if ends is None else ends[-1]
        self._item_size, rest = divmod(size, count)
        try:
            items = self._decode(payload, count, ends, objects)
        except BaseException:
            # Others follow it, for whoever goes on.
            self._pipe.taken(count, size)
            raise
        # Each is counted as an equal part, which adds up.
        items.reverse()
        self._pending = items
        self._pipe.bytes_due += rest
        return True

    def _take(self) -> T:
        item = self._pending.pop()
        self._pipe.taken(1, self._item_size)
        return cast("T", item)

    def _end(self) -> BaseException | None:
        """Return the stream's error once; None if it ended without an error, or on further calls."""
        self._ended = True
        pipe = self._pipe
        if pipe.error is not None:
            error, pipe.error = pipe.error, None
            return error
        outcome, pipe.outcome = pipe.outcome, None
        if outcome is None:
            return None
        reply = self._options.reply
        if reply is not None:
            reply._take(outcome[2])
        _calls.release(pipe.backend, outcome[3])
        if not outcome[0]:
            return None
        error = error_from_payload(outcome[0], outcome[1])
        return error if self._fail is None else self._fail(error)

    def _ask_for_headers(self) -> None:
        if not self._begun:
            self._header = (self._header[0] | CONTEXT_HEADERS, *self._header[1:])
        elif not self._header[0] & CONTEXT_HEADERS:
            raise RuntimeError(
                "the stream was opened without headers, so the plugin's headers weren't kept: request them before the "
                "first item, or pass a `Reply` in the options"
            )

    def _has_news(self) -> bool:
        """Whether the headers have arrived, or can no longer arrive."""
        pipe = self._pipe
        return pipe.headers is not None or self._item_size >= 0 or bool(pipe.batches) or pipe.is_over

    # Async.

    async def headers_async(self) -> list[tuple[str, bytes]]:
        """Return the same as :meth:`headers`, without blocking the event loop."""
        self._ask_for_headers()
        while not self._has_news():
            if self._loop is None:
                self._begin_async()
                continue
            asker: asyncio.Future[None] = self._loop.loop.create_future()
            self._askers.append(asker)
            try:
                await asker
            finally:
                self._askers.remove(asker)
        return _options.unpack(self._pipe.headers or b"")

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        if not self._pending and not await self._ready():
            error = self._end()
            if error is not None:
                raise error
            raise StopAsyncIteration
        return self._take()

    async def _ready(self) -> bool:
        """Wait for items. Return whether there are any."""
        if self._loop is None:
            if self._ended:
                return False
            self._begin_async()
        while not self._unpack():
            if self._pipe.is_over:
                return False
            if self._waiter is not None:
                raise RuntimeError("a stream has one consumer at a time, but another is already waiting for its items")
            self._waiter = cast("LoopQueue", self._loop).loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return True

    def _begin_async(self) -> None:
        if self._waiting is not None:
            raise RuntimeError("the stream was opened by a plain loop: continue with `for`")
        queue = self._loop = _calls.queue_of_loop(self._plugin, self._method._backend)
        # What is pending holds the pipe, and mustn't hold the stream: nobody could see that it was dropped.
        reference = weakref.ref(self)

        def wake() -> None:
            stream = reference()
            if stream is not None:
                stream._wake()

        self._pipe.wake = wake
        if not self._begun:
            self._begin(queue, self._options._submit_flags)
            if self._source is not None:
                self._pump = queue.loop.create_task(pump(self._pipe, self._write, self._source, queue.loop))

    def _wake(self) -> None:
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
        for asker in self._askers:
            if not asker.done():
                asker.set_result(None)

    async def aclose(self) -> None:
        """Cancel the stream. Does nothing if it has ended."""
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # Plain.

    def headers(self) -> list[tuple[str, bytes]]:
        """Return the plugin's headers (initial metadata), as pairs of key and value.

        Waits for them, the first item or the end. Empty if there are none. The items raise errors, not this method.
        Without a :class:`Reply` in the options, the headers are kept only if this is called before the first item.
        """
        self._ask_for_headers()
        queue = None if self._has_news() else self._queue_now()
        while queue is not None and not self._has_news():
            self._wait_now(queue)
        return _options.unpack(self._pipe.headers or b"")

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        if not self._pending and not self._ready_now():
            error = self._end()
            self._return_queue()
            if error is not None:
                raise error
            raise StopIteration
        return self._take()

    def _ready_now(self) -> bool:
        queue = self._queue_now()
        if queue is None:
            return False
        while not self._unpack():
            if self._pipe.is_over:
                return False
            self._wait_now(queue)
        return True

    def _queue_now(self) -> WaitingQueue | None:
        """Return the queue for a plain loop, and start the call if necessary; None if the stream was closed before."""
        queue = self._waiting
        if queue is None:
            if self._loop is not None:
                raise RuntimeError("the stream was opened by an event loop: continue with `async for`")
            if self._ended:
                return None
            queue = self._waiting = _queues.take(self._method._backend)
            self._begin(queue, 0)
            if self._source is not None:
                self._pump = Feed(self._pipe, self._write, self._source)
        return queue

    def _wait_now(self, queue: WaitingQueue) -> None:
        """Send items within the credit, and wait for the next event."""
        feed = self._pump
        if isinstance(feed, Feed):
            try:
                feed.go_on(queue)
            except BaseException:
                # Whose items they are is told here, and nothing comes any more.
                self.close()
                raise
            if self._pipe.batches or self._pipe.is_over:
                return
        queue.wait()

    def _return_queue(self) -> None:
        queue, self._waiting = self._waiting, None
        if queue is not None:
            _queues.give_back(queue)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # Its batches.

    def batches(self) -> Batches[T]:
        """Iterate over the same items in the lists in which they arrive. This is faster for many small items."""
        return Batches(self)

    def close(self) -> None:
        """Cancel the stream. Does nothing if it has ended."""
        self._ended = True
        self._context = None
        _objects.release_passed(self._options.objects)
        pending, self._pending = self._pending, []
        if isinstance(self._pump, asyncio.Task):
            self._pump.cancel()
        self._pump = None
        self._pipe.abandon()
        self._wake()
        self._return_queue()
        if self._method._flags & METHOD_OBJECTS:
            _objects.close_all(pending)

    def __reduce__(self) -> NoReturn:
        refuse_copy(self)

    def __del__(self) -> None:
        pipe = getattr(self, "_pipe", None)
        if pipe is None or not (self._begun and not self._ended):
            return
        if pipe.op or pipe.batches:
            warnings.warn(f"{self!r} was dropped before its end", ResourceWarning, stacklevel=2, source=self)
        pipe.abandon()
        if self._loop is None:
            self._return_queue()
        elif isinstance(self._pump, asyncio.Task):
            # On whichever thread this runs.
            with contextlib.suppress(RuntimeError):
                self._loop.loop.call_soon_threadsafe(self._pump.cancel)

    def __repr__(self) -> str:
        state = "ended" if self._ended else "open" if self._begun else "not begun"
        return f"<rustbridge.Stream of {self._method.name!r} {state}>"


class Batches(Generic[T]):
    """The items of a stream, in the lists in which they arrive."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream[T], /) -> None:
        self._stream = stream

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> list[T]:
        stream = self._stream
        if not stream._pending and not await stream._ready():
            error = stream._end()
            if error is not None:
                raise error
            raise StopAsyncIteration
        return self._take()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> list[T]:
        stream = self._stream
        if not stream._pending and not stream._ready_now():
            error = stream._end()
            stream._return_queue()
            if error is not None:
                raise error
            raise StopIteration
        return self._take()

    def _take(self) -> list[T]:
        stream = self._stream
        items, stream._pending = stream._pending, []
        items.reverse()
        stream._pipe.taken(len(items), len(items) * stream._item_size)
        return items


def _check(method: Method, *, gives: bool, takes: bool) -> None:
    """Raise an exception if the method has no such stream."""
    has = method._flags
    if gives and not has & METHOD_STREAM_OUT:
        what, kind = "returns no stream", "NoStream"
    elif takes and not has & METHOD_STREAM_IN:
        what, kind = "accepts no items", "NoItems"
    else:
        return
    instead = {0: "call", METHOD_STREAM_IN: "send", METHOD_STREAM_OUT: "stream"}
    use = instead.get(has & (METHOD_STREAM_IN | METHOD_STREAM_OUT), "exchange")
    raise UnimplementedError(Status.UNIMPLEMENTED, f"{method.name!r} {what}: use `{use}`", f"rustbridge.{kind}")


def stream(
    plugin: Plugin | None,
    method: Method,
    request: Any,
    options: CallOptions | None,
    receiver: Object | None = None,
    source: Any = None,
    *,
    into: type[Any] | None = None,
    read: Callable[[bytes], Any] | None = None,
    write: Callable[[Any], bytes] | None = None,
    fail: Callable[[BaseException], BaseException] | None = None,
    window: int = _options.WINDOW,
    window_bytes: int = _options.WINDOW_BYTES,
) -> Stream[Any]:
    """Create the stream of a call. `read` decodes received items, `write` encodes sent ones; None: by the encoding.

    `fail` returns the exception to raise in place of another one.
    """
    if window < 1 or window_bytes < 1:
        raise ValueError(f"a window must be at least one item and one byte, not {window} and {window_bytes}")
    _check(method, gives=True, takes=source is not None)
    options = options or NONE
    is_json = method.encoding is Encoding.JSON
    data, header = _calls.encode(method, request, options, receiver, is_json)
    decode = _item_decoders.of(plugin, method, into, is_json) if read is None else _item_decoders.by(read)
    sizes = (window, window_bytes)
    header = header or _options.EMPTY
    return Stream(plugin, method, data, header, options, decode, sizes, source, write or Encoder(method), fail)


def _answer(plugin: Plugin | None, method: Method, pipe: Pipe, options: CallOptions, is_json: bool) -> Any:
    if pipe.error is not None:
        raise pipe.error
    outcome, pipe.outcome = pipe.outcome, None
    return _calls.finish(plugin, method, outcome, options, is_json)


def send(
    plugin: Plugin | None,
    method: Method,
    items: Iterable[Any],
    request: Any,
    options: CallOptions | None,
    receiver: Object | None = None,
    write: Callable[[Any], bytes] | None = None,
) -> Any:
    """Send items, and return the response."""
    _check(method, gives=False, takes=True)
    options = options or NONE
    is_json = method.encoding is Encoding.JSON
    data, header = _calls.encode(method, request, options, receiver, is_json)
    pipe = Pipe(method, options.reply, 0, 0)
    queue = _queues.take(method._backend)
    try:
        _context = pipe.begin(queue, method, data, header or _options.EMPTY, 0)
        feed = Feed(pipe, write or Encoder(method), items)
        while not pipe.is_over:
            feed.go_on(queue)
            if not pipe.is_over:
                queue.wait()
        return _answer(plugin, method, pipe, options, is_json)
    finally:
        pipe.abandon()
        _queues.give_back(queue)


async def send_async(
    plugin: Plugin | None,
    method: Method,
    items: AsyncIterable[Any] | Iterable[Any],
    request: Any,
    options: CallOptions,
    receiver: Object | None = None,
    write: Callable[[Any], bytes] | None = None,
) -> Any:
    """Send items, and return the response, without blocking the event loop."""
    _check(method, gives=False, takes=True)
    is_json = method.encoding is Encoding.JSON
    data, header = _calls.encode(method, request, options, receiver, is_json)
    pipe = Pipe(method, options.reply, 0, 0)
    queue = _calls.queue_of_loop(plugin, method._backend)
    over = queue.loop.create_future()

    def wake() -> None:
        if pipe.is_over and not over.done():
            over.set_result(None)

    pipe.wake = wake
    sending = None
    try:
        _context = pipe.begin(queue, method, data, header or _options.EMPTY, options._submit_flags)
        if not pipe.is_over:
            sending = queue.loop.create_task(pump(pipe, write or Encoder(method), items, queue.loop))
            await over
        return _answer(plugin, method, pipe, options, is_json)
    finally:
        pipe.abandon()
        if sending is not None and not sending.done():
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
