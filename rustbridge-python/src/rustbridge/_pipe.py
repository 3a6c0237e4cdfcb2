"""Asynchronous calls with items, and the code that sends items to them."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import struct
from typing import TYPE_CHECKING, Any

from . import _calls, _contexts, _options, _queues
from ._constants import BATCH_ENDS
from ._errors import PluginError
from ._json import codec
from ._status import Encoding, Status

if TYPE_CHECKING:
    import contextvars
    from collections.abc import Callable, Iterable

    from ._method import Method
    from ._options import Header, Reply
    from ._queues import Event, WaitingQueue

#: The maximum number of a list's items that are sent at once.
_AT_ONCE = 256


class Pipe(_queues.Listener):
    """An asynchronous call with items, and its results so far.

    Only one thread at a time may use it, except for `abandon`.
    """

    __slots__ = (
        "backend",
        "batches",
        "bytes_due",
        "credit",
        "credit_bytes",
        "error",
        "headers",
        "is_abandoned",
        "is_over",
        "items_due",
        "number",
        "op",
        "outcome",
        "queue",
        "reply",
        "wake",
        "window",
        "window_bytes",
    )

    def __init__(self, method: Method, reply: Reply | None, window: int, window_bytes: int) -> None:
        self.backend = method._backend
        self.reply = reply
        #: The initial metadata, once it has arrived.
        self.headers: bytes | None = None
        self.queue: _queues.Queue | None = None
        self.op = 0
        #: The number of the caller's context.
        self.number = 0
        #: Batches: the payload, the number of items, their ends, and their objects. None for ends: all have one length.
        self.batches: collections.deque[tuple[bytes, int, tuple[int, ...] | None, tuple[int, ...] | None]] = (
            collections.deque()
        )
        self.is_abandoned = self.is_over = False
        #: Status, payload, trailing metadata, objects; also initial metadata if the call completed on submission.
        self.outcome: Any = None
        self.error: BaseException | None = None
        self.window = window
        self.window_bytes = window_bytes
        self.items_due = self.bytes_due = 0
        self.credit = self.credit_bytes = 0
        self.wake: Callable[[], None] | None = None

    def begin(
        self, queue: _queues.Queue, method: Method, data: bytes, header: Header | None, flags: int
    ) -> contextvars.Context | None:
        """Submit the call. Return the caller's context, which must be kept as long as its services need it."""
        self.queue = queue
        if self.reply is not None:
            self.reply._begin()
        self.number, context = _contexts.keep_for(method)
        try:
            op = self.backend.submit(
                queue.number,
                method._handle,
                method._entry,
                data,
                flags,
                _options.numbered(header, self.number),
                self.window,
                self.window_bytes,
            )
        except BaseException:
            _contexts.forget(self.number)
            raise
        if type(op) is int:
            self.op = op
            queue.listeners[op] = self
        else:
            answer = (0, op, None, None, None) if type(op) is bytes else op
            self._take_headers(answer[4])
            self.end(answer)
        return context

    def told(self, event: Event) -> None:
        kind = event[0]
        if kind == _queues.ITEMS:
            _, _, count, flags, payload, objects = event
            ends = None
            if flags & BATCH_ENDS:
                ends = struct.unpack_from(f"={count}I", payload, len(payload) - 4 * count)
            self.batches.append((payload, count, ends, objects))
        elif kind == _queues.HEADERS:
            self._take_headers(event[2])
        elif kind == _queues.DEMAND:
            self.credit, self.credit_bytes = event[2], event[3]
        else:
            self.end(event[2:])
        if self.is_abandoned:
            # Abandoned on another thread after this event was fetched.
            self._release()
        if self.wake is not None:
            self.wake()

    def _take_headers(self, headers: bytes | None) -> None:
        self.headers = headers
        if self.reply is not None:
            self.reply._take_headers(headers)

    def end(self, outcome: Any) -> None:
        self.outcome = outcome
        self.is_over = True
        self.op = 0
        _contexts.forget(self.number)

    def taken(self, items: int, size: int) -> None:
        """Record that items were consumed, and renew the credit when they reach half of the window."""
        self.items_due += items
        self.bytes_due += size
        if self.is_over or (2 * self.items_due < self.window and 2 * self.bytes_due < self.window_bytes):
            return
        items, self.items_due = self.items_due, 0
        size, self.bytes_due = self.bytes_due, 0
        self.backend.op_demand(self.op, items, size)

    def write(self, data: bytes, sizes: list[int]) -> bool:
        """Send items of those sizes at once, and return whether they were accepted."""
        flags = 0
        if len(sizes) > 1 or not data:
            ends = []
            end = 0
            for size in sizes:
                end += size
                ends.append(end)
            data += struct.pack(f"={len(ends)}I", *ends)
            flags = BATCH_ENDS
        try:
            self.backend.op_write(self.op, data, len(sizes), flags)
        except PluginError as error:
            if error.status is Status.RESOURCE_EXHAUSTED:
                # The known credit was out of date.
                self.credit = 0
                return False
            # The call has completed; its result has the reason.
            self.credit = -1
            return False
        self.credit -= len(sizes)
        self.credit_bytes -= sum(sizes)
        return True

    def finish(self, error: BaseException | None = None) -> None:
        """End the input, or cancel it if there is an error."""
        if self.is_over:
            return
        status, payload = 0, b""
        if error is not None:
            status = Status.CANCELLED
            payload = json.dumps({"message": f"the sender failed: {error!r}"}).encode()
        with contextlib.suppress(PluginError):
            self.backend.op_end(self.op, status, payload)

    def abandon(self) -> None:
        """Abandon the call, and release the results that weren't consumed."""
        op, self.op = self.op, 0
        _contexts.forget(self.number)
        if op and not self.is_over and self.queue is not None:
            self.queue.detach(op)
        # Set before the check: results that arrive meanwhile are released here, or by the thread that delivers them.
        self.is_abandoned = self.is_over = True
        self._release()

    def _release(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                _calls.release(self.backend, self.batches.popleft()[3])
        if self.outcome is not None:
            outcome, self.outcome = self.outcome, None
            _calls.release(self.backend, outcome[3])


class Encoder:
    """Writes the items that are sent to a method."""

    __slots__ = ("_is_json",)

    def __init__(self, method: Method) -> None:
        self._is_json = method.encoding is Encoding.JSON

    def __call__(self, item: Any) -> bytes:
        if self._is_json:
            return codec.dumps(item)
        return item if type(item) is bytes else memoryview(item).tobytes()


class Feed:
    """Sends the items of a synchronous iterable, within the plugin's credit."""

    __slots__ = ("_encode", "_held", "_items", "_many", "_pipe", "is_done")

    def __init__(self, pipe: Pipe, encode: Callable[[Any], bytes], items: Iterable[Any]) -> None:
        self._pipe = pipe
        self._encode = encode
        self._items = iter(items)
        # Items of a list are sent together; an iterator may take time for each of its items.
        self._many = isinstance(items, (list, tuple))
        self._held: list[bytes] = []
        self.is_done = False

    def go_on(self, queue: WaitingQueue) -> None:
        """Send as many items as the credit allows."""
        while self.send_some():
            queue.look()

    def send_some(self) -> bool:
        """Send one or more items, and return whether the credit allowed it."""
        pipe = self._pipe
        if self.is_done or pipe.is_over or pipe.credit <= 0 or pipe.credit_bytes <= 0:
            return False
        held = self._held
        try:
            most = min(pipe.credit, _AT_ONCE) if self._many else 1
            room = pipe.credit_bytes - sum(map(len, held))
            while len(held) < most and (room > 0 or not held):
                held.append(self._encode(next(self._items)))
                room -= len(held[-1])
        except StopIteration:
            self.is_done = True
        except BaseException as error:
            self.is_done = True
            pipe.finish(error)
            raise
        if held:
            at_once = held[: max(1, pipe.credit)]
            while at_once and not pipe.write(b"".join(at_once), [len(one) for one in at_once]):
                if pipe.credit < 0:
                    self.is_done = True
                    return False
                # The credit may be smaller than reported; a single item can be sent with any credit.
                at_once = at_once[: len(at_once) // 2]
            del held[: len(at_once)]
            if held:
                self.is_done = False
                return bool(at_once)
        if self.is_done:
            pipe.finish()
            return False
        return True


async def pump(pipe: Pipe, encode: Callable[[Any], bytes], items: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Send the items of a synchronous or asynchronous iterable, as fast as the plugin accepts them."""
    wake = pipe.wake
    asked: asyncio.Future[None] | None = None

    def woken() -> None:
        if wake is not None:
            wake()
        if asked is not None and not asked.done():
            asked.set_result(None)

    async def wait() -> None:
        nonlocal asked
        asked = loop.create_future()
        try:
            await asked
        finally:
            asked = None

    pipe.wake = woken
    try:
        if not hasattr(items, "__aiter__"):
            feed = Feed(pipe, encode, items)
            while not feed.is_done and not pipe.is_over:
                if not feed.send_some() and not feed.is_done:
                    await wait()
                elif not feed.is_done:
                    # Let the loop process the events that have arrived.
                    await asyncio.sleep(0)
            return
        async for item in items:
            data = encode(item)
            while not pipe.is_over:
                if pipe.credit > 0 and pipe.credit_bytes > 0 and pipe.write(data, [len(data)]):
                    break
                if pipe.credit < 0:
                    return
                await wait()
            if pipe.is_over:
                return
        pipe.finish()
    except asyncio.CancelledError as error:
        pipe.finish(error)
        raise
    except BaseException as error:
        # Raised in the code that waits for the response.
        pipe.error = error
        pipe.finish(error)
        if not pipe.is_over and pipe.queue is not None:
            pipe.queue.detach(pipe.op)
            pipe.end((0, b"", None, None))
        pipe.wake()
