"""Completion queues: one for each event loop, and one for each blocking call.

The completing thread enqueues a number, and never enters Python. A loop's queue is polled on the loop's own thread,
when its descriptor becomes readable. If a loop can't watch descriptors, a Python thread watches it and notifies the
loop. The loop polls on its own thread even then, so that the core can detect a thread that waits for itself.
"""

from __future__ import annotations

import abc
import asyncio
import contextlib
import functools
import select
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, cast

from . import _threads
from ._backend import FOREVER
from ._errors import PluginError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from ._backend import Backend

    #: An event from a backend's `queue_poll`; the first two fields are the kind and the call's ID.
    Event = tuple[Any, ...]

DONE, ITEMS, DEMAND, SERVICE, SERVICE_CANCEL, HEADERS = 1, 2, 3, 4, 5, 6

#: The time between checks for signals if a wait for a descriptor is impossible, in milliseconds.
_SLICE = 50

#: The time between two polls by a greenlet if a wait for a descriptor is impossible, in seconds.
_TURN = 0.002

#: How long closing a queue waits for the thread that watches it, which has no work left, in seconds.
_END = 5.0


def _wait(fd: int, module: Any) -> None:
    """Wait until a queue's descriptor is signalled, with the functions of `select` or the original ones.

    If gevent or eventlet has patched `select`, other greenlets run meanwhile.
    """
    if sys.platform == "win32":
        import _winapi  # noqa: PLC0415

        _winapi.WaitForSingleObject(fd, _winapi.INFINITE)
    elif getattr(module, "poll", None) is not None:
        poll = module.poll()
        poll.register(fd, select.POLLIN)
        poll.poll()
    else:
        module.select([fd], [], [])


class Listener(abc.ABC):
    """Receives the events of one asynchronous call."""

    __slots__ = ()

    @abc.abstractmethod
    def told(self, event: Event) -> None:
        """Process one event, on the poller's thread."""


def forget(backend: Backend, event: Event) -> None:
    """Release the objects of an event that has no receiver."""
    if event[0] in (DONE, ITEMS) and event[5]:
        for number in event[5]:
            backend.object_release(number)


class Queue:
    """A completion queue of the core, and the receivers of its events."""

    __slots__ = ("__weakref__", "backend", "calls", "fd", "listeners", "number", "on_service")

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.number = backend.queue_new()
        self.fd = -1
        #: Futures by the IDs of their calls. Single operations of a dictionary are atomic, and an ID is never reused.
        self.calls: dict[int, asyncio.Future[Event]] = {}
        self.listeners: dict[int, Listener] = {}
        #: Receives the events of services that use this queue.
        self.on_service: Callable[[Queue, Event], None] | None = None

    def tell(self, events: tuple[Event, ...]) -> None:
        """Deliver events to their receivers."""
        for event in events:
            try:
                self._tell(event)
            except Exception as error:
                # The remaining events must still be delivered.
                sys.excepthook(type(error), error, error.__traceback__)

    def _tell(self, event: Event) -> None:
        kind = event[0]
        if kind == DONE:
            future = self.calls.pop(event[1], None)
            if future is not None:
                if future.done():
                    forget(self.backend, event)
                else:
                    future.set_result(event)
                return
            listener = self.listeners.pop(event[1], None)
        elif kind in (SERVICE, SERVICE_CANCEL):
            if self.on_service is not None:
                self.on_service(self, event)
            return
        else:
            listener = self.listeners.get(event[1])
        if listener is None:
            forget(self.backend, event)
        else:
            listener.told(event)

    def close(self) -> None:
        """Close the queue. Its pending calls are abandoned."""
        number, self.number = self.number, 0
        if number:
            with contextlib.suppress(PluginError):
                self.backend.queue_close(number)

    def detach(self, op: int) -> None:
        """Abandon a call."""
        self.calls.pop(op, None)
        self.listeners.pop(op, None)
        # Fails if the call has completed, or its queue is closed, which has abandoned all calls.
        with contextlib.suppress(PluginError):
            self.backend.op_detach(op)


class LoopQueue(Queue):
    """The completion queue of an event loop. It's closed with the loop."""

    __slots__ = ("_keeper", "_looked", "_thread", "loop")

    def __init__(self, backend: Backend, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(backend)
        self.loop = loop
        self.fd = backend.queue_fd(self.number)
        self._thread: _threads.Thread | None = None
        #: Wakes the thread when the loop has polled, or the queue was closed.
        self._looked = _threads.SimpleQueue()
        if not self._is_watched():
            self._thread = _threads.Thread(functools.partial(self._watch, self.fd), "rustbridge-loop")
            self._thread.start()
        # A loop has no event for its closing, but before that it ends the generators that were started on it.
        self._keeper = _keep(self)
        with contextlib.suppress(StopIteration):
            self._keeper.asend(None).send(None)

    def _is_watched(self) -> bool:
        """Make the loop watch the descriptor, and return whether it can."""
        if sys.platform == "win32":
            # On Windows it's an event handle, which Python's own loops can't watch.
            return False
        try:
            self.loop.add_reader(self.fd, self._drain)
        except NotImplementedError:
            return False
        return True

    def _watch(self, fd: int) -> None:
        while True:
            _wait(fd, _threads)
            if self.fd < 0:
                break
            try:
                self.loop.call_soon_threadsafe(self._look)
            except RuntimeError:
                # The loop was closed.
                break
            self._looked.get()
            if self.fd < 0:
                break
        self.fd = -1
        super().close()

    def _look(self) -> None:
        try:
            self._drain()
        finally:
            self._looked.put(None)

    def _drain(self) -> None:
        if self.fd >= 0:
            self.tell(self.backend.queue_poll(self.number, 0))

    def close(self) -> None:
        """Close the queue. Its pending calls are abandoned."""
        fd, self.fd = self.fd, -1
        if self._thread is not None:
            # The thread closes the queue, because it may be waiting for the descriptor.
            with contextlib.suppress(PluginError):
                self.backend.queue_wake(self.number)
            self._looked.put(None)
            if not self._thread.is_current():
                self._thread.join(_END)
        else:
            if fd >= 0 and not self.loop.is_closed():
                self.loop.remove_reader(fd)
            super().close()
        queues = _of_loops.get(self.loop)
        # A newer queue, or one of the other backend, stays.
        if queues is not None and queues.get(self.backend.NAME) is self:
            del queues[self.backend.NAME]

    def close_at_exit(self) -> None:
        """Close the queue without using the loop, which may be in any state by then."""
        if self._thread is None:
            self.fd = -1
            super().close()
        else:
            self.close()

    def join(self, seconds: float) -> None:
        """Wait for the queue's thread, if it has one."""
        if self._thread is not None:
            self._thread.join(seconds)


async def _keep(queue: LoopQueue) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        # Awaited results still arrive. Then the creation of the next loop or the interpreter's end closes the queue.
        # With services it's closed now: a plugin mustn't call services on a loop that no longer runs.
        if queue.on_service is not None or all(future.done() for future in list(queue.calls.values())):
            queue.close()


_of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, LoopQueue]] = weakref.WeakKeyDictionary()
_lock = _threads.allocate_lock()


class _Here(threading.local):
    """The queue that a thread's loop used last, which is found without a lock."""

    queue: LoopQueue | None = None


_here = _Here()


def of_running_loop(backend: Backend) -> LoopQueue:
    """Return the queue of the loop that runs on this thread. Raise `RuntimeError` if none does."""
    loop = asyncio.get_running_loop()
    queue = _here.queue
    if queue is not None and queue.loop is loop and queue.backend is backend and queue.fd >= 0:
        return queue
    with _lock:
        # Loops that were closed without ending their generators.
        closed = [other for other in _of_loops if other.is_closed()]
        abandoned = [one for other in closed for one in list(_of_loops.pop(other, {}).values())]
        queues = _of_loops.setdefault(loop, {})
        queue = queues.get(backend.NAME)
    # Without the lock: abandoning a call may run code of a plugin that calls a service.
    for one in abandoned:
        one.close()
    if queue is None or queue.fd < 0:
        # Only this thread runs the loop.
        queue = LoopQueue(backend, loop)
        with _lock:
            _of_loops.setdefault(loop, {})[backend.NAME] = queue
    _here.queue = queue
    return queue


class WaitingQueue(Queue):
    """A completion queue for a thread that waits for events."""

    __slots__ = ()

    def wait(self) -> None:
        """Wait for events, and deliver them.

        On the main thread, signals are handled meanwhile. If threads are greenlets, other greenlets run.
        """
        fetch = self.backend.queue_poll
        are_greenlets = _threads.are_greenlets()
        if not are_greenlets and threading.current_thread() is not threading.main_thread():
            self.tell(fetch(self.number, FOREVER))
        elif are_greenlets and sys.platform == "win32":
            # Neither gevent nor eventlet can wait for a handle.
            events = fetch(self.number, 0)
            if not events:
                time.sleep(_TURN)
            self.tell(events)
        elif sys.platform == "win32":
            self.tell(fetch(self.number, _SLICE))
        else:
            if self.fd < 0:
                self.fd = self.backend.queue_fd(self.number)
            # Signals interrupt this wait. No event is lost: the descriptor stays readable until the queue is polled.
            _wait(self.fd, select)
            self.tell(fetch(self.number, 0))

    def look(self) -> None:
        """Deliver the events that have already arrived."""
        self.tell(self.backend.queue_poll(self.number, 0))


_spare: dict[str, list[WaitingQueue]] = {}
_waiting: weakref.WeakSet[WaitingQueue] = weakref.WeakSet()


def take(backend: Backend) -> WaitingQueue:
    """Return a queue for exclusive use until `give_back`."""
    try:
        return _spare[backend.NAME].pop()
    except (KeyError, IndexError):
        queue = WaitingQueue(backend)
        _waiting.add(queue)
        return queue


def give_back(queue: WaitingQueue) -> None:
    """Make a queue without pending calls available to other callers."""
    if queue.number:
        _spare.setdefault(queue.backend.NAME, []).append(queue)


def close_all() -> list[LoopQueue]:
    """Close every queue at the interpreter's end, and return those whose threads the caller must wait for."""
    with _lock:
        of_loops = [queue for queues in _of_loops.values() for queue in queues.values()]
    for queue in of_loops:
        queue.close_at_exit()
    for waiting in list(_waiting):
        waiting.close()
    _spare.clear()
    return of_loops


def forget_all() -> None:
    """Forget the parent's queues, in the child of a fork."""
    global _lock  # noqa: PLW0603
    _lock = _threads.allocate_lock()
    for queue in [*_waiting, *[one for queues in _of_loops.values() for one in queues.values()]]:
        # The parent's watchers of the descriptor belong to the parent, too.
        queue.number, queue.fd = 0, -1
    _of_loops.clear()
    _spare.clear()
    _waiting.clear()
    cast("Any", _here).queue = None
