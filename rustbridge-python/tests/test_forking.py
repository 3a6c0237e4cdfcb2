"""Forks of a process whose threads log: `os.fork`, as gunicorn does, and multiprocessing's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")

#: A parent with four threads that log all the time, under trace and to a handler, and what its children do.
PARENT = """
    import logging, multiprocessing, os, select, signal, sys, threading, time, warnings, rustbridge
    warnings.simplefilter("ignore", DeprecationWarning)

    class Nowhere(logging.Handler):
        def emit(self, record):
            record.getMessage()

    logging.getLogger().addHandler(Nowhere())
    logging.getLogger().setLevel(1)
    path = sys.argv[1]

    def work(number):
        with rustbridge.load(path, log_level="trace") as plugin:
            plugin.call("log.flood", {"n": 10})
            return plugin.call("count")["n"] + number

    over = threading.Event()

    def flood(plugin):
        while not over.is_set():
            plugin.call("log.flood", {"n": 50})

    parent = rustbridge.load(path, log_level="trace")
    threads = [threading.Thread(target=flood, args=(parent,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        CHILDREN
    finally:
        over.set()
        for thread in threads:
            thread.join()
        parent.close()
    print("done")
"""


def children(lines: str) -> str:
    return PARENT.replace("CHILDREN", lines.replace("\n", "\n    "))


def test_a_forked_child_loads_what_its_parent_logs_from(python: Script) -> None:
    # Before 3.11.10 and 3.10.15 CPython itself may hang in the child, before `os.fork` returns there: on a lock that a
    # thread of the parent's holds while it gets to know Python (gh-112275). By ctypes each record is such a moment. A
    # child that never comes to our code shows nothing of it, so another one takes its place.
    result = python(
        children(
            """affected = sys.version_info < (3, 10, 15) or (3, 11) <= sys.version_info < (3, 11, 10)
    may_not_begin = affected and os.environ["RUSTBRIDGE_BACKEND"] == "ctypes"
    number = 0
    while number < 40:
        begun, begin = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.write(begin, b"x")
            os._exit(0 if work(number) == number + 1 else 1)
        os.close(begin)
        if may_not_begin and not select.select([begun], [], [], 2)[0]:
            os.close(begun)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            continue
        os.close(begun)
        end = time.monotonic() + 30
        done, status = 0, 0
        while not done:
            done, status = os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                raise SystemExit(f"child {number} hangs")
            time.sleep(0.001)
        assert os.waitstatus_to_exitcode(status) == 0, (number, status)
        number += 1"""
        ),
        plugin_path("fault-plugin"),
        dev=False,
    )
    assert result.stdout == "done\n"


def test_multiprocessing_by_fork_works_while_the_parent_logs(python: Script) -> None:
    result = python(
        children(
            """for _ in range(8):
        with multiprocessing.get_context("fork").Pool(3) as pool:
            assert pool.map_async(work, range(6)).get(60) == list(range(1, 7))"""
        ),
        plugin_path("fault-plugin"),
        dev=False,
    )
    assert result.stdout == "done\n"


def test_a_child_has_calls_streams_and_services_of_its_own(python: Script) -> None:
    result = python(
        """
        import asyncio, os, sys, traceback, warnings, rustbridge
        warnings.simplefilter("ignore", DeprecationWarning)
        path = sys.argv[1]
        services = {"prices.get": lambda number: 10 * number}

        async def use(plugin):
            assert await plugin.call_async("async.later", {"text": "x"}) == {"text": "x"}
            assert await plugin.call_async("service.task", 4) == 40
            assert [item async for item in plugin.stream("stream.ticks", {"from": 0, "to": 5})] == [0, 1, 2, 3, 4]
            assert list(plugin.stream("stream.numbers", {"from": 0, "to": 5})) == [0, 1, 2, 3, 4]

        async def child(parent, stream, counter):
            for call in (
                lambda: parent.call_async("async.later", {"text": "x"}),
                lambda: counter.call_async("get"),
                lambda: parent.stream("stream.ticks", {"from": 0, "to": 5}).__anext__(),
            ):
                try:
                    await call()
                except rustbridge.FailedPreconditionError as error:
                    assert "fork" in error.message, error
                else:
                    raise SystemExit("it answered")
            await stream.aclose()
            counter.close()
            async with rustbridge.load(path, services=services) as own:
                await use(own)

        async def main():
            async with rustbridge.load(path, services=services) as parent:
                await use(parent)
                never = asyncio.ensure_future(parent.call_async("async.never"))
                stream = parent.stream("stream.ticks", {"from": 0, "to": 1_000_000})
                counter = parent.call("counter.open", 1)
                assert await stream.__anext__() == 0
                pid = os.fork()
                if pid == 0:
                    try:
                        asyncio.run(child(parent, stream, counter))
                    except BaseException:
                        traceback.print_exc()
                        os._exit(1)
                    os._exit(7)
                _, status = os.waitpid(pid, 0)
                assert os.waitstatus_to_exitcode(status) == 7, status
                assert await stream.__anext__() == 1
                assert counter.call("get") == 1
                await use(parent)
                await stream.aclose()
                counter.close()
                never.cancel()
                await asyncio.wait([never])

        asyncio.run(main())
        print("done")
        """,
        plugin_path("operations-plugin"),
    )
    assert result.stdout == "done\n", result.stderr
