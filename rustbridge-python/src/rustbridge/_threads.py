"""Threads of the operating system, also in a program whose `threading` makes greenlets.

gevent and eventlet replace functions of the standard library. A greenlet that waits in native code, as the threads of
this package do, blocks its whole thread permanently. So these threads, and their queues and locks, use the original
functions. The original ones are found once: a program that's patched later has them here already.
"""

from __future__ import annotations

import _thread
import queue
import select as _select
import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from types import ModuleType

T = TypeVar("T")

_modules = sys.modules


def are_greenlets() -> bool:
    """Report whether `threading` starts greenlets instead of threads."""
    gevent = _modules.get("gevent.monkey")
    if gevent is not None and gevent.is_module_patched("_thread"):
        return True
    eventlet = _modules.get("eventlet.patcher")
    return eventlet is not None and bool(eventlet.is_monkey_patched("thread"))


def may_switch() -> bool:
    """Report whether code on this thread may switch to another greenlet, also if `threading` is unpatched.

    A native frame must not be on the stack then: other greenlets overwrite the stack's memory meanwhile, and return
    through their own native frames in another order.
    """
    return "gevent" in _modules or "eventlet" in _modules


def prepare() -> None:
    """Make this thread's hub, if threads are greenlets and it has none.

    Threads that wait create one each. The first hub of a process imports modules. If two threads create it at the same
    time, for example this one and the thread that delivers records, they wait for each other permanently.
    """
    gevent = _modules.get("gevent.monkey")
    if gevent is not None and gevent.is_module_patched("_thread"):
        _modules["gevent.hub"].get_hub()
    elif are_greenlets():
        _modules["eventlet.hubs"].get_hub()


def _original(module: ModuleType, name: str) -> Any:
    """Return the original member of a module of the standard library, also if the module was patched."""
    gevent = _modules.get("gevent.monkey")
    if gevent is not None and gevent.is_object_patched(module.__name__, name):
        return gevent.get_original(module.__name__, name)
    eventlet = _modules.get("eventlet.patcher")
    if eventlet is not None and eventlet.is_monkey_patched("select" if module is _select else "thread"):
        return getattr(eventlet.original(module.__name__), name, None)
    return getattr(module, name, None)


#: The functions of `_thread`, and the C class of `queue`: its `get` waits without the GIL, and for no greenlet.
start_new_thread = _original(_thread, "start_new_thread")
allocate_lock = _original(_thread, "allocate_lock")
get_ident = _original(_thread, "get_ident")
SimpleQueue = _original(queue, "SimpleQueue")

#: The functions of `select`; Windows has no `poll`.
poll = _original(_select, "poll")
select = _original(_select, "select")


class Thread:
    """A daemon thread of the operating system."""

    __slots__ = ("_ended", "_ident", "_run", "_thread", "name")

    def __init__(self, run: Callable[[], None], name: str) -> None:
        self.name = name
        self._run = run
        self._ident = 0
        #: One of `threading` where that makes threads, so that debuggers and profilers know it.
        self._thread: threading.Thread | None = None
        self._ended = allocate_lock()

    def start(self) -> None:
        """Start it; `RuntimeError` if the system has no thread left, or Python is ending."""
        self._ended.acquire()
        try:
            if are_greenlets():
                start_new_thread(self._main, ())
            else:
                self._thread = threading.Thread(target=self._main, name=self.name, daemon=True)
                self._thread.start()
        except BaseException:
            self._ended.release()
            raise

    def _main(self) -> None:
        self._ident = get_ident()
        try:
            self._run()
        finally:
            self._ended.release()

    def join(self, seconds: float) -> None:
        """Wait until it has ended, or for so long."""
        if self._thread is not None:
            self._thread.join(seconds)
        elif self._ended.acquire(timeout=seconds):
            self._ended.release()

    def is_current(self) -> bool:
        """Report whether this runs on it."""
        return bool(self._ident == get_ident())


async def run_outside(loop: asyncio.AbstractEventLoop, work: Callable[[], T]) -> T:
    """Run a function that blocks, without blocking the loop: on a thread, which the loop's executor may not have."""
    if not are_greenlets():
        return await loop.run_in_executor(None, work)
    future: asyncio.Future[T] = loop.create_future()

    def finish(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def run() -> None:
        result, raised = None, None
        try:
            result = work()
        except BaseException as error:
            raised = error
        loop.call_soon_threadsafe(finish, result, raised)

    Thread(run, "rustbridge-close").start()
    return await future
