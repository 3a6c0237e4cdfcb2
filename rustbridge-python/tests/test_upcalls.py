"""The native library calls up into Python: from its own threads, and while the interpreter ends."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    import rustbridge

    Load = Callable[..., rustbridge.Plugin]
    Script = Callable[..., subprocess.CompletedProcess[str]]

HEAD = f"""
import logging, sys, threading, time, rustbridge
from rustbridge import _backend
class Handler(logging.Handler):
    def __init__(self, act):
        super().__init__(0)
        self.act = act
    def emit(self, record):
        self.act(record)
def load(act):
    logger = logging.Logger("upcalls", 1)
    logger.addHandler(Handler(act))
    return rustbridge.load({plugin_path("fault-plugin")!r}, {{}}, logger=logger, log_level="info")
"""


class Remembering(logging.Handler):
    """Keeps what it has seen with the thread on which it is called."""

    def __init__(self) -> None:
        super().__init__(0)
        self.local = threading.local()
        self.counts: list[int] = []

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002
        self.local.count = getattr(self.local, "count", 0) + 1
        self.counts.append(self.local.count)


@pytest.mark.skipif(sys.platform == "win32", reason="there a thread is made known for each upcall")
def test_a_thread_of_the_library_stays_the_same_thread_to_python(load: Load, backend: str) -> None:
    if backend == "ctypes":
        pytest.skip("ctypes makes a thread known for each upcall")
    handler = Remembering()
    logger = logging.Logger("upcalls", 1)
    logger.addHandler(handler)
    plugin = load("fault-plugin", {}, logger=logger, log_level="info")
    for _ in range(3):
        plugin.call("log.flood", {"n": 1})
        plugin.flush_logs(30)
    assert handler.counts == [1, 2, 3]


def test_a_thread_of_the_library_that_ends_leaves_nothing_in_python(load: Load) -> None:
    gone = threading.Event()

    class Mark:
        def __del__(self) -> None:
            gone.set()

    handler = Remembering()
    logger = logging.Logger("upcalls", 1)
    logger.addHandler(handler)

    def mark(_: logging.LogRecord) -> bool:
        handler.local.mark = Mark()
        return True

    logger.addFilter(mark)
    plugin = load("fault-plugin", {}, logger=logger, log_level="info")
    plugin.call("log.flood", {"n": 1})
    plugin.close()
    assert handler.counts == [1]
    assert gone.wait(30)


def test_no_upcall_reaches_python_after_the_last_one(python: Script) -> None:
    python(
        HEAD
        + """
seen = []
plugin = load(lambda record: seen.append(record.getMessage()))
plugin.call("log.flood", {"n": 2})
plugin.flush_logs(30)
before = len(seen)
assert before >= 2, seen
_backend.choose().end_upcalls(30_000)
plugin.call("log.flood", {"n": 2})
plugin.flush_logs(30)
plugin.close()
assert len(seen) == before, seen
"""
    )


def test_the_last_upcall_is_waited_for(python: Script, backend: str) -> None:
    if backend == "ctypes":
        pytest.skip("ctypes has nothing to wait for: an upcall that's late touches nothing of ours")
    python(
        HEAD
        + """
inside, over = threading.Event(), threading.Event()
def act(record):
    inside.set()
    time.sleep(0.3)
    over.set()
plugin = load(act)
plugin.call("log.flood", {"n": 1})
assert inside.wait(30)
_backend.choose().end_upcalls(0)
assert not over.is_set()
_backend.choose().end_upcalls(30_000)
assert over.is_set()
plugin.close()
"""
    )


def test_the_process_ends_though_a_record_is_never_done_with(python: Script) -> None:
    # In a filter, because `logging` itself waits at the end for handlers that haven't returned.
    python(
        HEAD
        + """
inside = threading.Event()
def never(record):
    inside.set()
    threading.Event().wait()
logger = logging.Logger("upcalls", 1)
logger.addFilter(never)
"""
        + f"plugin = rustbridge.load({plugin_path('fault-plugin')!r}, {{}}, logger=logger, log_level='info')"
        + """
plugin.call("log.flood", {"n": 3})
assert inside.wait(30)
"""
    )


def test_a_record_that_goes_on_while_python_ends_is_stopped(python: Script, backend: str) -> None:
    if backend == "ctypes":
        pytest.skip("ctypes lets Python unwind the thread, up to 3.13, and that ends the process")
    python(
        HEAD
        + """
inside = threading.Event()
def never(record):
    inside.set()
    while True:
        time.sleep(0.0002)
logger = logging.Logger("upcalls", 1)
logger.addFilter(never)
"""
        + f"plugin = rustbridge.load({plugin_path('fault-plugin')!r}, {{}}, logger=logger, log_level='info')"
        + """
plugin.call("log.flood", {"n": 3})
assert inside.wait(30)
"""
    )


def test_records_of_before_the_end_are_delivered(python: Script) -> None:
    result = python(
        HEAD
        + """
plugin = load(lambda record: print("got", record.getMessage(), flush=True))
plugin.call("log.flood", {"n": 20})
"""
    )
    assert result.stdout.count("got") >= 20, result.stdout
