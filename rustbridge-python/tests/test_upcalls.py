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


def test_the_last_upcall_is_waited_for(python: Script) -> None:
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
assert not _backend.choose().end_upcalls(0)
assert not over.is_set()
assert _backend.choose().end_upcalls(30_000)
assert over.is_set()
plugin.close()
"""
    )


#: What a handler may do for ever: what blocks wants the GIL no more, what runs does while Python ends.
FOREVER = {"blocks": "threading.Event().wait()", "runs": "time.sleep(0.0002)"}


@pytest.mark.parametrize("how", FOREVER)
@pytest.mark.parametrize("where", ["handler", "filter"])
def test_the_process_ends_though_a_record_is_never_done_with(python: Script, where: str, how: str) -> None:
    result = python(
        HEAD
        + f"""
from rustbridge import _exit
# Soon, because there's no handler here that would return later.
_exit._TIMEOUT, _exit._RETURN = 0.2, 0.5
inside = threading.Event()
def never(record):
    inside.set()
    while True:
        {FOREVER[how]}
# A handler holds its lock meanwhile, which `logging` wants at the end.
handler = Handler(never if {where == "handler"} else lambda record: None)
logger = logging.Logger("upcalls", 1)
logger.addHandler(handler)
if {where == "filter"}:
    logger.addFilter(never)
path = {plugin_path("fault-plugin")!r}
plugins = [rustbridge.load(path, {{}}, logger=logger, log_level="info") for _ in range(3)]
for plugin in plugins:
    plugin.call("log.flood", {{"n": 3}})
assert inside.wait(30)
print("done", flush=True)
""",
        dev=False,
    )
    assert (result.stdout, result.stderr) == ("done\n", "")


def test_the_process_ends_though_a_plugin_was_dropped_whose_handler_does_not_return(python: Script) -> None:
    result = python(
        HEAD
        + f"""
from rustbridge import _exit
_exit._TIMEOUT, _exit._RETURN = 0.2, 0.5
rustbridge.Plugin.close.__defaults__ = (0.3, None)
inside = threading.Event()
def never(record):
    inside.set()
    while True:
        {FOREVER["runs"]}
plugin = load(never)
plugin.call("log.flood", {{"n": 1000}})
assert inside.wait(30)
del plugin
print("done", flush=True)
""",
        dev=False,
    )
    assert result.stdout == "done\n"


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends a process there")
@pytest.mark.parametrize("how", FOREVER)
@pytest.mark.parametrize("when", ["flush_logs", "end_upcalls"])
def test_a_ctrl_c_while_the_process_ends_ends_it_sooner_and_not_never(python: Script, when: str, how: str) -> None:
    result = python(
        HEAD
        + f"""
import os, signal
# Who starts the tests may have had Ctrl-C ignored, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
inside = threading.Event()
def never(record):
    inside.set()
    while True:
        {FOREVER[how]}
plugin = load(never)
plugin.call("log.flood", {{"n": 3}})
assert inside.wait(30)
step = getattr(plugin._backend, "{when}")
def interrupted(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    return step(*arguments)
setattr(plugin._backend, "{when}", interrupted)
print("done", flush=True)
""",
        dev=False,
    )
    assert result.stdout == "done\n"
    assert "KeyboardInterrupt" in result.stderr


def test_a_plugin_that_is_loaded_while_the_process_ends_may_be_left_open(python: Script) -> None:
    result = python(
        f"""
        import atexit
        def late():
            global kept
            kept = rustbridge.load({plugin_path("hello-plugin")!r})
            print(kept.call("echo", {{"message": "x"}})["length"], flush=True)
        # Runs after what rustbridge has registered.
        atexit.register(late)
        import rustbridge
        """,
        dev=False,
    )
    assert result.stdout == "1\n"


def test_what_reports_a_handler_that_failed_may_go_on_for_ever(python: Script, backend: str) -> None:
    if backend == "ctypes":
        pytest.skip("ctypes reports it itself, where up to 3.13 Python unwinds the thread, and that ends the process")
    python(
        HEAD
        + f"""
from rustbridge import _exit
_exit._TIMEOUT, _exit._RETURN = 0.2, 0.5
inside = threading.Event()
def never(_):
    inside.set()
    while True:
        {FOREVER["runs"]}
sys.unraisablehook = never
def fail(record):
    raise RuntimeError
logger = logging.Logger("upcalls", 1)
logger.addFilter(fail)
plugin = rustbridge.load({plugin_path("fault-plugin")!r}, {{}}, logger=logger, log_level="info")
plugin.call("log.flood", {{"n": 3}})
assert inside.wait(30)
""",
        dev=False,
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
