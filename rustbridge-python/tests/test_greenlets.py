"""Programs whose threads are greenlets: gevent's, with the standard library patched."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]

#: A program that's patched before anything else, whose threads say where they wait if it hangs, and its plugin.
_BEGIN = f"""
from gevent import monkey
monkey.patch_all()
import asyncio, faulthandler, logging, threading, time
import gevent, rustbridge
from rustbridge import CallOptions
faulthandler.dump_traceback_later(60, exit=True)
path = {plugin_path("operations-plugin")!r}
ran_on = []

def price(article):
    time.sleep(0.001)
    ran_on.append(threading.get_native_id())
    return 10 * article

async def quote(article):
    await asyncio.sleep(0.001)
    return 11 * article

def load(**options):
    services = {{"prices.get": price, "prices.quote": quote}}
    return rustbridge.load(path, services=services, **options)
"""


def _run(python: Script, script: str) -> None:
    # gevent itself warns in development mode.
    result = python(_BEGIN + textwrap.dedent(script) + "\nprint('done')\n", dev=False)
    assert (result.stdout, result.stderr) == ("done\n", "")


def test_services_answer_greenlets_on_threads_of_the_system(python: Script) -> None:
    _run(
        python,
        """
        with load() as shop:
            assert shop.call("service.total", [1, 2]) == 30
            jobs = [gevent.spawn(shop.call, "service.total", [number] * 3) for number in range(40)]
            gevent.joinall(jobs, timeout=30)
            assert [job.value for job in jobs] == [30 * number for number in range(40)]
            # A greenlet that switches inside a native frame corrupts the stack: none of them ran on this thread.
            assert len(ran_on) == 122 and threading.get_native_id() not in ran_on
        """,
    )


def test_greenlets_run_while_others_wait_interruptibly(python: Script) -> None:
    _run(
        python,
        """
        with load() as shop:
            sleep = gevent.spawn(shop.call, "call.sleep", {"ms": 500}, CallOptions(interruptible=True))
            pending = [gevent.spawn(shop.call, "async.never", None, CallOptions(interruptible=True)) for _ in range(5)]
            turns = 0
            while not sleep.ready():
                gevent.sleep(0.005)
                turns += 1
            sleep.get()
            assert turns > 5
            gevent.killall(pending, timeout=30)
            numbers = [
                gevent.spawn(list, shop.stream("stream.ticks", {"from": 0, "to": 20})) for _ in range(5)
            ]
            assert [one.get(timeout=30) for one in numbers] == [list(range(20))] * 5
            assert shop.send("items.sum", [{"value": 20}, {"value": 22}], {"value": 0}) == {"value": 42}
        """,
    )


def test_an_event_loop_in_a_greenlet_calls_and_answers(python: Script) -> None:
    _run(
        python,
        """
        async def main():
            async with load() as shop:
                assert await shop.call_async("service.quote", 3) == 33
                assert await shop.call_async("service.total", [1, 2]) == 30
                assert [tick async for tick in shop.stream("stream.ticks", {"from": 0, "to": 20})] == list(range(20))
                answers = await asyncio.gather(*[shop.call_async("async.later", {"text": text}) for text in "abc"])
                assert len(answers) == 3
                pending = asyncio.create_task(shop.call_async("async.never"))
                await asyncio.sleep(0.01)
                # Blocks for as long as calls are pending, and the loop runs meanwhile.
                closing = asyncio.create_task(shop.aclose(timeout=30, cancel_after=0.3))
                turns = 0
                while not closing.done():
                    await asyncio.sleep(0.005)
                    turns += 1
                await closing
                assert turns > 5
                try:
                    await pending
                except rustbridge.CancelledError:
                    pass

        background = gevent.spawn(gevent.sleep, 0.01)
        asyncio.run(main())
        assert background.ready()
        """,
    )


def test_an_event_loop_that_watches_no_descriptors_runs_in_a_greenlet(python: Script) -> None:
    _run(
        python,
        """
        from tests import loops

        async def main():
            async with load() as shop:
                assert await shop.call_async("service.quote", 3) == 33
                answers = await asyncio.gather(*[shop.call_async("async.later", {"text": text}) for text in "abc"])
                assert len(answers) == 3

        loops.run("unwatching", main())
        """,
    )


def test_records_reach_handlers_whose_locks_are_greenlets(python: Script) -> None:
    _run(
        python,
        f"""
        records = []

        class Slow(logging.Handler):
            def emit(self, record):
                time.sleep(0.0005)
                records.append(record)

        logging.getLogger().addHandler(Slow())
        logging.getLogger().setLevel(logging.DEBUG)
        with rustbridge.load({plugin_path("fault-plugin")!r}, {{"log": True}}, log_level="trace") as plugin:
            before = len(records)
            logs = gevent.spawn(lambda: [logging.info("ours") for _ in range(200)])
            plugin.call("log.flood", {{"n": 200}})
            plugin.flush_logs(30)
            logs.get(timeout=30)
            plugin.flush_logs(30)
        names = [record.getMessage() for record in records]
        assert names.count("ours") == 200, names.count("ours")
        assert sum("flood" in name for name in names) == 200
        """,
    )


def test_a_program_may_be_patched_after_rustbridge_was_imported(python: Script) -> None:
    result = python(
        f"""
        import rustbridge
        from gevent import monkey
        monkey.patch_all()
        import faulthandler, gevent
        faulthandler.dump_traceback_later(60, exit=True)
        with rustbridge.load({plugin_path("operations-plugin")!r}, services={{"prices.get": abs}}) as shop:
            assert shop.call("service.total", [1, 2]) == 3
            ticks = shop.stream("stream.ticks", {{"from": 0, "to": 20}})
            assert gevent.spawn(list, ticks).get(timeout=30) == list(range(20))
        """,
        dev=False,
    )
    assert "Traceback" not in result.stderr


def test_a_program_that_leaves_everything_open_ends(python: Script) -> None:
    _run(
        python,
        """
        kept = load()
        assert kept.call("service.one", 4) == 40
        waiting = gevent.spawn(kept.call, "async.never", None, CallOptions(interruptible=True))
        gevent.sleep(0.01)
        """,
    )
