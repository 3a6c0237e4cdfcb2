"""Services: functions of this program that a plugin calls.

A plugin's thread never enters Python. It puts its call into a completion queue. An event loop polls the queue for an
``async def``. A Python thread polls the queue for plain functions, and passes each call to a worker.

There is one exception: a plain function runs directly on the calling thread if that thread belongs to Python and is
inside a call of its own, and if the backend can detect this.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import itertools
import json
import logging
import time
import weakref
from asyncio import _get_running_loop as _running
from typing import TYPE_CHECKING, Any, Protocol

from . import _causes, _contexts, _options, _queues, _threads
from ._backend import FOREVER
from ._errors import PluginError, ThrownError
from ._json import codec
from ._status import Encoding, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._backend import Backend
    from ._plugin import Plugin
    from ._queues import Event, Queue


class ServiceCall:
    """The call that a service answers. :func:`service_call` returns it, inside the service's function."""

    __slots__ = ("_header", "_metadata", "_plugin", "_until", "cancelled")

    #: Whether the caller no longer waits for the response. An ``async def`` is cancelled then.
    cancelled: bool

    def __init__(self, header: Any, plugin: weakref.ref[Plugin] | None) -> None:
        self._plugin = plugin
        self._header = header
        self._metadata: list[tuple[str, bytes]] | None = None
        # What it carries is read by who asks for it; time goes by from now on.
        self._until = None
        if header is not None and header[0] is not None:
            self._until = time.monotonic() + header[0] / 1e9
        self.cancelled = False

    @property
    def metadata(self) -> list[tuple[str, bytes]]:
        """The call's metadata, as pairs of key and value."""
        if self._metadata is None:
            self._metadata = [] if self._header is None else _options.unpack(self._header[3])
        return self._metadata

    @property
    def trace(self) -> tuple[str, str] | None:
        """The ``traceparent`` and ``tracestate`` of the call, or None."""
        if self._header is None or self._header[1] is None:
            return None
        return _options.format_trace(self._header[1]), self._header[2].decode("ascii", "replace")

    @property
    def time_left(self) -> float | None:
        """How many seconds remain until the call's deadline; None if it has no deadline."""
        return None if self._until is None else max(0.0, self._until - time.monotonic())


_current: contextvars.ContextVar[ServiceCall | None] = contextvars.ContextVar("rustbridge.service_call", default=None)


def service_call() -> ServiceCall:
    """Return the call that this service's function answers. Raises ``RuntimeError`` outside of a service."""
    call = _current.get()
    if call is None:
        raise RuntimeError("service_call() must be called inside a service")
    return call


def is_inside(plugin: Plugin) -> bool:
    """Report whether this code runs inside a service's function for which the plugin waits."""
    call = _current.get()
    return call is not None and call._plugin is not None and call._plugin() is plugin


class Service:
    """A function to register as a service, with its encoding and event loop.

    * ``encoding`` is ``json`` (the function accepts and returns values) or another encoding (it accepts and returns
      bytes).
    * ``loop`` is the event loop on which an ``async def`` runs. The default is the loop that runs when the plugin is
      loaded, or else the loop of the plugin's last call.
    """

    __slots__ = ("encoding", "function", "loop")

    def __init__(
        self,
        function: Callable[[Any], Any],
        *,
        encoding: str | Encoding = Encoding.JSON,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"a service must be a function, not {type(function).__name__}")
        self.function = function
        self.encoding = Encoding.parse(encoding)
        self.loop = loop


class ObjectFunction(Protocol):
    """A function of a callback's objects."""

    def __call__(self, request: bytes, /) -> Any:
        """Call the object's function."""

    async def awaited(self, request: bytes, /) -> bytes:
        """Call the object's ``async def``."""

    def is_async(self, request: bytes, /) -> bool:
        """Report whether the object's function is an ``async def``."""

    def loop(self, request: bytes, /) -> asyncio.AbstractEventLoop | None:
        """Return the loop on which the object was passed."""


class ObjectService(Service):
    """A function of a callback's objects. Each of them decides whether it's an ``async def``."""

    __slots__ = ("objects",)

    def __init__(self, objects: ObjectFunction) -> None:
        super().__init__(objects, encoding=Encoding.WIRE)
        self.objects = objects


class ReleaseService(Service):
    """The function that releases a callback's objects. It's quick, so it runs on any thread of Python.

    ``ended`` is called when the instance has ended.
    """

    __slots__ = ("ended",)

    def __init__(self, release: Callable[[bytes], bytes], ended: Callable[[], None]) -> None:
        super().__init__(release, encoding=Encoding.WIRE)
        self.ended = ended


class _RegisteredService:
    """A service of one instance."""

    __slots__ = ("awaited", "backend", "ended", "function", "is_async", "is_json", "loop", "name", "objects", "plugin")

    def __init__(self, backend: Backend, name: str, service: Service) -> None:
        self.backend = backend
        self.name = name
        self.function = service.function
        self.is_json = service.encoding is Encoding.JSON
        self.is_async = is_async(service.function)
        self.loop = service.loop
        #: For a function of a callback's objects.
        self.objects = service.objects if isinstance(service, ObjectService) else None
        self.awaited = self.function if self.objects is None else self.objects.awaited
        #: For one that releases them.
        self.ended = service.ended if isinstance(service, ReleaseService) else None
        self.plugin: weakref.ref[Plugin] | None = None

    def loop_for(self, request: bytes) -> asyncio.AbstractEventLoop | None:
        """Return the loop on which an `async def` runs if it isn't asked by a loop's queue."""
        plugin = None if self.plugin is None else self.plugin()
        last = None if plugin is None or plugin._loop is None else plugin._loop()
        if self.objects is None:
            return self.loop or last
        # The one on which the object was passed, if it still runs.
        loops = (self.objects.loop(request), last, self.loop)
        return next((loop for loop in loops if loop is not None and loop.is_running()), None)

    def read(self, request: bytes) -> Any:
        return codec.loads(request) if self.is_json else request

    def written(self, answer: Any) -> bytes:
        if self.is_json:
            return codec.dumps(answer)
        return answer if type(answer) is bytes else memoryview(answer).tobytes()

    def run(self, header: Any, request: bytes, call: ServiceCall | None = None) -> tuple[int, bytes]:
        """Run a plain function. Return the status and the response, or the error."""
        before = _current.set(call or ServiceCall(header, self.plugin))
        try:
            answer = self.function(codec.loads(request) if self.is_json else request)
            if type(answer) is bytes and not self.is_json:
                return 0, answer
            refuse_awaitable(self.name, answer)
            return 0, self.written(answer)
        except BaseException as error:
            return self.failed(error)
        finally:
            _current.reset(before)

    async def run_async(self, header: Any, request: bytes, number: int) -> None:
        """Run an `async def`, and send its response."""
        _current.set(ServiceCall(header, self.plugin))
        status, payload = int(Status.INTERNAL), _UNTELLABLE
        try:
            status, payload = 0, self.written(await self.awaited(self.read(request)))
        except asyncio.CancelledError:
            reply(self.backend, number, int(Status.CANCELLED), b"")
            raise
        except BaseException as error:
            status, payload = self.failed(error)
        reply(self.backend, number, status, payload)

    def failed(self, error: BaseException) -> tuple[int, bytes]:
        """Return the status and payload that report an exception. Log an exception without a status."""
        if not isinstance(error, PluginError):
            with contextlib.suppress(Exception):
                plugin = None if self.plugin is None else self.plugin()
                logger = logging.getLogger("rustbridge" if plugin is None else f"rustbridge.{plugin.name}")
                logger.error("the service %r failed", self.name, exc_info=error)
        return failed(error)


def refuse_awaitable(name: str, answer: Any) -> None:
    """Raise `TypeError` if a plain function has returned an awaitable."""
    if hasattr(type(answer), "__await__"):
        if inspect.iscoroutine(answer):
            answer.close()
        raise TypeError(f"the service {name!r} returned an awaitable: define it by `async def`")


def is_async(function: Callable[..., Any]) -> bool:
    """Report whether a function returns awaitables."""
    call = getattr(function, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


#: The payload for an exception that can't be described.
_UNTELLABLE = b'{"code":"INTERNAL","message":"the service failed with an exception that can\'t be described"}'


def failed(error: BaseException) -> tuple[int, bytes]:
    """Return the status and payload that report an exception to a plugin. It never raises."""
    if isinstance(error, KeyboardInterrupt):
        # It's the main thread's, and no plugin's.
        import _thread  # noqa: PLC0415

        _thread.interrupt_main()
    try:
        return _told(error)
    except Exception:
        # Its own text, or its details, raise.
        return int(Status.INTERNAL), _UNTELLABLE


def _told(error: BaseException) -> tuple[int, bytes]:
    if isinstance(error, ThrownError):
        return int(Status.UNKNOWN), error.payload
    if isinstance(error, PluginError):
        status = error.status or Status.UNKNOWN
        fields: dict[str, Any] = {"code": status.name, "message": error.message, "type": error.type}
        if error.details:
            fields["details"] = error.details
    else:
        status = Status.INTERNAL
        kind = type(error)
        name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        fields = {"code": status.name, "message": str(error) or name, "type": name}
    fields["cause"] = _causes.keep(error)
    return int(status), json.dumps(fields, default=str).encode()


def reply(backend: Backend, number: int, status: int, payload: bytes) -> None:
    """Send the response to a call. The call may have ended already."""
    with contextlib.suppress(PluginError):
        backend.service_reply(number, status, payload)


def refuse(backend: Backend, number: int, status: Status, problem: str, kind: str) -> None:
    """Fail a call with an error of this package."""
    fields = {"code": status.name, "message": problem, "type": kind}
    reply(backend, number, int(status), json.dumps(fields).encode())


_registered: dict[int, _RegisteredService] = {}
_numbers = itertools.count(1)


def _direct(number: int, header: Any, request: bytes) -> tuple[int, bytes] | None:
    """Run a service on the calling thread. None means that the call belongs into the queue."""
    service = _registered.get(number)
    # A function that takes its time must not hold up a loop, and one that switches greenlets must not do so in here.
    if service is None or service.is_async or _threads.may_switch():
        return None
    if service.ended is not None:
        return 0, service.function(request)
    if service.objects is not None and service.objects.is_async(request):
        return _waits_for_itself(service, header, request)
    if _running() is not None:
        return None
    # The caller's own context is there, and what the function sets in it stays the function's, as elsewhere.
    return contextvars.copy_context().run(service.run, header, request)


def _waits_for_itself(service: _RegisteredService, header: Any, request: bytes) -> tuple[int, bytes] | None:
    """Return the error if the loop on which an ``async def`` runs waits for this call."""
    loop = service.loop_for(request)
    if loop is None or not _contexts.waits(loop, header):
        return None
    problem = (
        f"the service {service.name!r} is an `async def` on the event loop whose thread waits for this call: await the "
        "plugin's method, or call it on another thread"
    )
    fields = {"code": Status.FAILED_PRECONDITION.name, "message": problem, "type": "rustbridge.WaitsForItself"}
    return int(Status.FAILED_PRECONDITION), json.dumps(fields).encode()


class _Worker(_threads.Thread):
    """Runs plain functions, one at a time."""

    __slots__ = ("_pool", "is_idle")

    def __init__(self, pool: _Pool) -> None:
        super().__init__(self._work, "rustbridge-service")
        self._pool = pool
        self.is_idle = False

    def _work(self) -> None:
        pool = self._pool
        try:
            while True:
                self.is_idle = True
                work = pool.work.get()
                self.is_idle = False
                if work is None:
                    return
                work()
                del work
                with pool.lock:
                    pool.spare += 1
        finally:
            pool.workers.discard(self)


#: How many plain functions may run at once. The core counts how deep services are nested on a thread's stack, and here
#: each has a thread of its own.
_AT_ONCE = 64


class _Pool:
    """The threads that plain functions run on: as many as run at once, as one may call a plugin that asks another.

    A thread whose function has answered may not have come back yet when the next call comes in. So there are somewhat
    more threads than calls, but never more than may run at once: then work waits for the first worker that is free.
    """

    def __init__(self, backend: Backend) -> None:
        self.queue = _queues.Queue(backend)
        self.queue.on_service = self.told
        #: Work, or None for a worker that is to end.
        self.work = _threads.SimpleQueue()
        self.workers: set[_Worker] = set()
        self.lock = _threads.allocate_lock()
        #: How many threads wait for work that nobody has put there yet; below 0, how much work waits for a thread.
        self.spare = 0
        self.running: dict[int, ServiceCall] = {}
        self.drainer = _threads.Thread(functools.partial(self._drain, self.queue.number), "rustbridge-services")
        self.drainer.start()

    def _drain(self, number: int) -> None:
        queue = self.queue
        fetch = queue.backend.queue_poll
        while True:
            try:
                events = fetch(number, FOREVER)
            except PluginError:
                return
            queue.tell(events)

    def told(self, queue: Queue, event: Event) -> None:
        if event[0] == _queues.SERVICE_CANCEL:
            call = self.running.get(event[1])
            if call is not None:
                call.cancelled = True
            loop = _passed_on.get(event[1])
            if loop is not None:
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_cancel, event[1])
            return
        _, number, which, header, request = event
        service = _registered.get(which)
        if service is None:
            return
        if service.is_async or (service.objects is not None and service.objects.is_async(request)):
            _pass_on(service, queue.backend, number, header, request)
            return
        if service.ended is not None:
            reply(queue.backend, number, 0, service.function(request))
            return
        if len(self.running) >= _AT_ONCE:
            problem = (
                f"{_AT_ONCE} services are running, which is the limit: check for a recursion between plugin and service"
            )
            refuse(queue.backend, number, Status.RESOURCE_EXHAUSTED, problem, "rustbridge.NestedTooDeep")
            return
        call = self.running[number] = ServiceCall(header, service.plugin)
        context = _contexts.of_service(header)

        def work() -> None:
            status, payload = int(Status.INTERNAL), _UNTELLABLE
            try:
                status, payload = context.run(service.run, header, request, call)
            finally:
                self.running.pop(number, None)
                reply(queue.backend, number, status, payload)

        with self.lock:
            if self.spare > 0 or len(self.workers) >= _AT_ONCE:
                self.spare -= 1
                self.work.put(work)
                return
        worker = _Worker(self)
        self.workers.add(worker)
        try:
            worker.start()
        except RuntimeError as error:
            # There are as many threads as there may be, or Python is ending.
            self.workers.discard(worker)
            self.running.pop(number, None)
            problem = f"can't start a thread for the service {service.name!r}: {error}"
            refuse(queue.backend, number, Status.RESOURCE_EXHAUSTED, problem, "rustbridge.NoThread")
        else:
            self.work.put(work)

    def close(self) -> tuple[list[_threads.Thread], list[_threads.Thread]]:
        """Close the pool. Return the threads that end now, and those that end when their functions return."""
        self.queue.close()
        workers = list(self.workers)
        for _ in workers:
            self.work.put(None)
        idle: list[_threads.Thread] = [worker for worker in workers if worker.is_idle]
        busy: list[_threads.Thread] = [worker for worker in workers if worker not in idle]
        return [self.drainer, *idle], busy


def _pass_on(service: _RegisteredService, backend: Backend, number: int, header: Any, request: bytes) -> None:
    """Have an `async def` run on the loop that the plugin was called from last, or on which its object was passed."""
    waits = None if service.objects is None else _waits_for_itself(service, header, request)
    if waits is not None:
        reply(backend, number, *waits)
        return
    loop = service.loop_for(request)
    if loop is not None and loop.is_running():
        _passed_on[number] = loop
        try:
            loop.call_soon_threadsafe(_start, loop, service, number, header, request)
        except RuntimeError:
            # It was closed meanwhile.
            _passed_on.pop(number, None)
        else:
            return
    problem = (
        f"the service {service.name!r} is an `async def`, but no event loop runs for it: load the plugin inside one"
    )
    refuse(backend, number, Status.FAILED_PRECONDITION, problem, "rustbridge.NoLoop")


#: Tasks that answer, by their call's number, and the loops of those that came by a pool's queue.
_tasks: dict[int, asyncio.Task[None]] = {}
_passed_on: dict[int, asyncio.AbstractEventLoop] = {}


def _start(
    loop: asyncio.AbstractEventLoop, service: _RegisteredService, number: int, header: Any, request: bytes
) -> None:
    # A task copies the context that it's created in.
    create = functools.partial(loop.create_task, service.run_async(header, request, number))
    task = _tasks[number] = _contexts.of_service(header).run(create)
    task.add_done_callback(lambda _: _done(number))


def _done(number: int) -> None:
    _tasks.pop(number, None)
    _passed_on.pop(number, None)


def _cancel(number: int) -> None:
    task = _tasks.get(number)
    if task is not None:
        task.cancel()


def _told_on_loop(queue: Queue, event: Event) -> None:
    if event[0] == _queues.SERVICE_CANCEL:
        _cancel(event[1])
        return
    _, number, which, header, request = event
    service = _registered.get(which)
    if service is not None and isinstance(queue, _queues.LoopQueue):
        _start(queue.loop, service, number, header, request)


_pools: dict[str, _Pool] = {}
_lock = _threads.allocate_lock()


def _pool(backend: Backend) -> _Pool:
    with _lock:
        pool = _pools.get(backend.NAME)
        if pool is None:
            pool = _pools[backend.NAME] = _Pool(backend)
        return pool


def register(
    backend: Backend, services: Mapping[str, Callable[[Any], Any] | Service]
) -> tuple[tuple[tuple[str, int, int, int], ...], list[int]]:
    """Register services.

    Return the services as a backend's `load` accepts them, and the numbers to pass to `forget` when the instance ends.
    """
    if not services:
        return (), []
    backend.set_service_answer(_direct)
    try:
        running: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    told = []
    numbers = []
    for name, given in services.items():
        if not isinstance(name, str):
            raise TypeError(f"a service's name must be a str, not {type(name).__name__}")
        service = given if isinstance(given, Service) else Service(given)
        one = _RegisteredService(backend, name, service)
        if one.objects is not None:
            one.loop = running
        if one.is_async and running is not None and one.loop in (None, running):
            of_loop = _queues.of_running_loop(backend)
            of_loop.on_service = _told_on_loop
            queue = of_loop.number
        else:
            queue = _pool(backend).queue.number
        number = next(_numbers)
        _registered[number] = one
        numbers.append(number)
        told.append((name, int(service.encoding), queue, number))
    return tuple(told), numbers


def belong(numbers: list[int], plugin: Plugin) -> None:
    """Assign registered services to their plugin."""
    if numbers:
        _contexts.serve(plugin._handle, any(_registered[number].is_async for number in numbers))
    for number in numbers:
        _registered[number].plugin = weakref.ref(plugin)


def forget(numbers: list[int]) -> None:
    """Release the services of an instance that has ended."""
    for number in numbers:
        one = _registered.pop(number, None)
        if one is not None and one.ended is not None:
            one.ended()


def close_all() -> tuple[list[_threads.Thread], list[_threads.Thread]]:
    """Stop all service calls at the interpreter's end.

    Return the threads that end now, and those that may take longer.
    """
    closed = [pool.close() for pool in list(_pools.values())]
    _pools.clear()
    return [one for ending, _ in closed for one in ending], [one for _, busy in closed for one in busy]


def forget_all() -> None:
    """Forget the parent's threads, in the child of a fork."""
    global _lock  # noqa: PLW0603
    _lock = _threads.allocate_lock()
    _pools.clear()
    _tasks.clear()
    _passed_on.clear()
    _registered.clear()
    _contexts.forget_all()
