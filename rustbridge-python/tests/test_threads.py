"""Threads: closing under fire, the GIL, forks, the end of the interpreter."""

from __future__ import annotations

import gc
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import State
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]
    Script = Callable[..., subprocess.CompletedProcess[str]]


def test_many_threads_call_one_method(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    value = conformance.method("types.value")

    def work(seed: int) -> None:
        for number in range(200):
            data = f"{seed}:{number}".encode() * (1 + number * 7)
            assert echo.call_raw(data) == data
            assert value.call([seed, number]) == [seed, number]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_closing_while_two_threads_call_loses_nothing(backend: Any) -> None:
    path = plugin_path("hello-plugin")
    start = threading.Barrier(3)
    stop = threading.Event()
    current: list[rustbridge.Plugin] = []
    wrong: list[object] = []
    refused = 0

    def work() -> None:
        nonlocal refused
        while True:
            start.wait()
            if stop.is_set():
                return
            plugin = current[0]
            try:
                echo, add = plugin.method("echo"), plugin.method("math.add", "pod")
                while True:
                    answer = echo.call_json('{"message":"x"}')
                    total = add.call_raw(b"\1" + bytes(7) + b"\2" + bytes(7))
                    if answer != '{"message":"x","length":1}' or total != b"\3" + bytes(7):
                        wrong.append((answer, total))
            except rustbridge.UnavailableError:
                refused += 1
            except BaseException as error:
                wrong.append(error)
            start.wait()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(1_000):
        plugin = rustbridge.load(path, backend=backend)
        current[:] = [plugin]
        start.wait()
        plugin.close()
        start.wait()
    stop.set()
    start.wait()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert refused == 2_000


def test_threads_may_close_the_same_plugin(load: Load) -> None:
    for _ in range(50):
        plugin = load()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda p: p.close(), [plugin] * 4))
        assert plugin.state is State.CLOSED


def test_a_call_that_sleeps_stops_no_other_thread(hello: rustbridge.Plugin) -> None:
    sleeping = threading.Thread(target=lambda: hello.call("test.sleep", {"duration_ms": 400}))
    sleeping.start()
    steps = 0
    while sleeping.is_alive():
        time.sleep(0.001)
        steps += 1
    # With the GIL held there would be none: this thread couldn't have run.
    assert steps > 10


def test_sleeping_calls_run_side_by_side(hello: rustbridge.Plugin) -> None:
    inside = threading.Barrier(4)

    def work(_: int) -> Any:
        inside.wait()
        return hello.call("test.sleep", {"duration_ms": 50})["slept_ms"]

    with ThreadPoolExecutor(4) as pool:
        assert min(pool.map(work, range(4))) >= 50


def test_a_close_that_times_out_says_what_runs_and_may_go_on(load: Load) -> None:
    plugin = load("fault-plugin", {})
    hang = plugin.method("hang.for")
    running = threading.Thread(target=lambda: hang.call({"ms": 500}))
    running.start()
    time.sleep(0.1)
    with pytest.raises(rustbridge.DeadlineExceededError, match=r"hang\.for"):
        plugin.close(timeout=0.05)
    assert plugin.state.value == "closing"
    with pytest.raises(rustbridge.UnavailableError):
        plugin.call("count")
    plugin.close(timeout=None)
    assert plugin.state is State.CLOSED
    running.join()


def test_a_timeout_may_be_as_long_as_one_likes(load: Load) -> None:
    for timeout in (float("inf"), 1e308, 1e300, 10**30):
        plugin = load()
        plugin.flush_logs(timeout)
        plugin.close(timeout)
        assert plugin.state is State.CLOSED


def test_a_timeout_is_not_negative(hello: rustbridge.Plugin) -> None:
    for timeout in (-1, float("nan")):
        with pytest.raises(ValueError, match="timeout"):
            hello.close(timeout)
    with pytest.raises(ValueError, match="timeout"):
        hello.flush_logs(-0.5)


def test_a_destructor_that_panics_is_told_and_the_instance_is_gone(backend: Any) -> None:
    plugin = rustbridge.load(plugin_path("fault-plugin"), {"destroy": "panic"}, backend=backend)
    with pytest.raises(rustbridge.InternalError):
        plugin.close()
    assert plugin.state is State.CLOSED
    plugin.close()


def test_a_plugin_that_is_dropped_warns_and_is_closed(backend: Any) -> None:
    plugin = rustbridge.load(plugin_path("hello-plugin"), name="dropped", backend=backend)
    plugin.call("echo", {"message": ""})
    with pytest.warns(ResourceWarning, match="without close"):
        del plugin
    gc.collect()
    assert "dropped" not in {instance["name"] for instance in rustbridge.inspect()["instances"]}


def test_what_a_program_leaves_open_ends_with_it(python: Script) -> None:
    result = python(
        f"""
        import logging, rustbridge
        logging.basicConfig(level=5)
        kept = rustbridge.load({plugin_path("fault-plugin")!r}, {{"log": True}}, log_level="trace")
        kept.call("log.flood", {{"n": 50}})
        kept.call("leak.thread", {{"n": 200}})
        lease = kept.call_raw_zero_copy("raw.echo", b"kept")
        view = lease.view
        """,
        dev=False,
    )
    assert result.stderr.count("flood") == 50
    assert "Traceback" not in result.stderr


def test_a_daemon_thread_inside_a_call_survives_no_longer_than_the_interpreter(python: Script) -> None:
    result = python(
        f"""
        import threading, time, rustbridge
        kept = rustbridge.load({plugin_path("hello-plugin")!r})
        sleep = kept.method("test.sleep")
        def work():
            while True:
                sleep.call({{"duration_ms": 1}})
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        print("done", flush=True)
        """,
        dev=False,
    )
    assert result.stdout == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_a_forked_child_is_told_so_and_may_load_afresh(python: Script) -> None:
    result = python(
        f"""
        import logging, os, sys, warnings, rustbridge
        warnings.simplefilter("ignore", DeprecationWarning)
        logging.basicConfig(level=logging.CRITICAL)
        path = {plugin_path("hello-plugin")!r}
        parent = rustbridge.load(path, log_level="trace")
        echo, add = parent.method("echo"), parent.method("math.add", "pod")
        pid = os.fork()
        if pid == 0:
            for call in (lambda: echo.call({{"message": "x"}}), lambda: add.call_raw(bytes(16)), parent.describe):
                try:
                    call()
                except rustbridge.FailedPreconditionError as error:
                    assert "fork" in error.message, error
                else:
                    raise SystemExit("it answered")
            assert parent.state is rustbridge.State.FORKED
            parent.close()
            with rustbridge.load(path, log_level="trace") as own:
                assert own.call("echo", {{"message": "x"}})["length"] == 1
            left_open = rustbridge.load(path)
            sys.exit(7)
        _, status = os.waitpid(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 7, status
        assert echo.call({{"message": "x"}})["length"] == 1
        parent.close()
        """
    )
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_multiprocessing_by_fork_works_with_a_load_in_each_child(python: Script) -> None:
    python(
        f"""
        import multiprocessing, rustbridge, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        path = {plugin_path("hello-plugin")!r}
        def work(number):
            with rustbridge.load(path) as plugin:
                return plugin.call("math.add", {{"a": number, "b": 1}})["result"]
        with rustbridge.load(path) as kept:
            kept.call("echo", {{"message": ""}})
            with multiprocessing.get_context("fork").Pool(3) as pool:
                assert pool.map(work, range(9)) == list(range(1, 10))
        """
    )


def test_nothing_depends_on_being_the_main_thread(load: Load) -> None:
    results: list[Any] = []

    def work() -> None:
        results.append(load(log_level="trace").call("echo", {"message": "x"}))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results == [{"message": "x", "length": 1}]
