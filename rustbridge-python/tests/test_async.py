"""Calls that don't block: their ends, their cancellation, what they carry, and on which loops."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import types
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import CallOptions, Reply, _queues
from tests import loops
from tests.children import SOAK
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]
    Script = Callable[..., subprocess.CompletedProcess[str]]

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about; the test's limit ends what never comes."""
    while not condition():
        await asyncio.sleep(0.001)


def test_an_answer_comes_at_once_or_later(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        assert await operations.call_async("async.now", {"text": "a"}) == {"text": "a"}
        assert await operations.call_async("async.later", {"text": "b"}) == {"text": "b"}
        fill = operations.method("async.fill", "raw")
        # Smaller and larger than what an event has room for.
        for size in (0, 1, 300, 100_000):
            assert await fill.call_raw_async(str(size).encode()) == b"x" * size
            assert await operations.call_raw_async("async.fill", bytearray(str(size).encode())) == b"x" * size

    loops.run(loop, main())


def test_plain_handlers_have_no_more_threads_than_loading_allows(load: Load, loop: str) -> None:
    narrow = load("operations-plugin", threads=1)
    order = []

    async def sleep(ms: int) -> None:
        await narrow.call_async("call.sleep", {"ms": ms})
        order.append(ms)

    async def main() -> None:
        await asyncio.gather(sleep(40), sleep(1))

    loops.run(loop, main())
    # The shorter one has waited for the longer one's thread.
    assert order == [40, 1]


def test_an_offloaded_call_computes_nothing_on_the_loops_thread(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        assert await operations.call_async("async.apart") is False
        assert await operations.call_async("async.apart", options=CallOptions(offload=True)) is True

    loops.run(loop, main())


def test_many_calls_are_pending_at_once(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        later = operations.method("async.later")
        answers = await asyncio.gather(*[later.call_async({"text": str(number)}) for number in range(500)])
        assert [answer["text"] for answer in answers] == [str(number) for number in range(500)]

    loops.run(loop, main())


def test_an_error_is_the_one_of_a_plain_call(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        with pytest.raises(rustbridge.DataLossError, match="lost") as caught:
            await operations.call_async("async.fail", {"text": "lost"})
        assert caught.value.details == {"n": 7}
        for method in ("async.panic_now", "async.panic_later"):
            with pytest.raises(rustbridge.InternalError, match="boom") as panic:
                await operations.call_async(method, {"text": "boom"})
            assert panic.value.type == "panic"
        with pytest.raises(TypeError, match="requires the encoding json"):
            await operations.method("async.fill", "raw").call_async("1")
        with pytest.raises(rustbridge.NotFoundError):
            await operations.call_async("none")

    loops.run(loop, main())


def test_cancelling_a_task_drops_the_handlers_future(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        task = asyncio.ensure_future(operations.call_async("async.never"))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: operations.call("async.dropped") == 1)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(operations.call_async("async.never"), 0.01)
        await until(lambda: operations.call("async.dropped") == 2)
        # One that wasn't begun yet begins nothing.
        task = asyncio.ensure_future(operations.call_async("async.never"))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert operations.call("async.dropped") == 2

    loops.run(loop, main())


def test_calls_and_cancels_in_any_order_end_once(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        later = operations.method("async.later")

        async def one(number: int) -> int:
            task = asyncio.ensure_future(later.call_async({"text": str(number)}))
            await asyncio.sleep(0.0002 * (number % 11))
            task.cancel()
            try:
                assert (await task)["text"] == str(number)
            except asyncio.CancelledError:
                return 0
            return 1

        answered = sum(await asyncio.gather(*[one(number) for number in range(1_000)]))
        assert 0 <= answered <= 1_000

    loops.run(loop, main())
    operations.close()


def test_a_timeout_is_deadline_exceeded(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        for options in ({"timeout": 0.01}, {"options": CallOptions(timeout=0.01)}):
            with pytest.raises(TimeoutError) as caught:
                await operations.call_async("async.never", **options)
            assert isinstance(caught.value, rustbridge.DeadlineExceededError)
        with pytest.raises(rustbridge.DeadlineExceededError):
            await operations.call_async("call.sleep", {"ms": 60_000}, timeout=0.01)
        with pytest.raises(ValueError, match="timeout"):
            await operations.call_async("async.never", timeout=-1)

    loops.run(loop, main())


def test_a_call_carries_metadata_and_a_trace_and_brings_trailers(operations: rustbridge.Plugin) -> None:
    pairs: list[tuple[str, str | bytes]] = [("a", "1"), ("a", "2"), ("b-bin", b"\0\xff")]

    async def main() -> None:
        for name in ("call.carried", "call.carried_later"):
            reply = Reply()
            carried = await operations.call_async(
                name, timeout=9, metadata=pairs, trace=(TRACE, "vendor=1"), reply=reply
            )
            assert (carried["has_deadline"], carried["trace"], carried["state"]) == (True, TRACE, "vendor=1")
            assert reply.trailers == [("a", b"1"), ("a", b"2"), ("b-bin", b"\0\xff")]
        reply = Reply()
        with pytest.raises(rustbridge.AbortedError):
            await operations.call_async("call.fail", reply=reply)
        assert reply.trailers == [("why", b"because")]

    asyncio.run(main())
    reply = Reply()
    options = CallOptions(timeout=9, metadata={"k": "v"}, trace=TRACE, reply=reply)
    for carried in (
        operations.call("call.carried", None, options),
        operations.method("call.carried").call(None, options),
    ):
        assert carried["metadata"] == [["k", "v"]]
        assert carried["trace"] == TRACE
        assert reply.trailers == [("k", b"v")]
    assert b'"has_deadline":true' in operations.method("call.carried").call_with(b"", options)
    assert '"has_deadline":true' in operations.call_json("call.carried", "null", options)
    with pytest.raises(rustbridge.AbortedError):
        operations.call("call.fail", None, options)
    assert reply.trailers == [("why", b"because")]


@pytest.mark.parametrize("trace", ["", "00-1-2-3", "ff" + TRACE[2:], TRACE + "-1", "00-" + 32 * "x" + TRACE[35:]])
def test_a_trace_that_is_none_is_refused(operations: rustbridge.Plugin, trace: str) -> None:
    with pytest.raises(ValueError, match="traceparent"):
        operations.call("call.carried", None, CallOptions(trace=trace))


def test_the_current_span_of_opentelemetry_goes_along(
    operations: rustbridge.Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Context:
        is_valid = True
        trace_id = int(TRACE[3:35], 16)
        span_id = int(TRACE[36:52], 16)
        trace_flags = 1
        trace_state = types.SimpleNamespace(to_header=lambda: "a=b")

    module: Any = types.ModuleType("opentelemetry.trace")
    module.get_current_span = lambda: types.SimpleNamespace(get_span_context=Context)
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", module)

    async def main() -> None:
        carried = await operations.call_async("call.carried")
        assert (carried["trace"], carried["state"]) == (TRACE, "a=b")

    asyncio.run(main())
    assert operations.call("call.carried", None, CallOptions(timeout=1))["trace"] == TRACE


def test_several_loops_and_threads_have_a_queue_each(operations: rustbridge.Plugin, loop: str) -> None:
    later = operations.method("async.later")

    def work(seed: int, wrong: list[object]) -> None:
        async def main() -> None:
            for _ in range(5):
                texts = [f"{seed}:{number}" for number in range(20)]
                answers = await asyncio.gather(*[later.call_async({"text": text}) for text in texts])
                assert [answer["text"] for answer in answers] == texts

        try:
            for _ in range(3):
                loops.run(loop, main())
        except BaseException as error:
            wrong.append(error)

    wrong: list[object] = []
    threads = [threading.Thread(target=work, args=(seed, wrong)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(loops.LIMIT)
    assert wrong == []


def test_a_loop_that_ends_takes_its_queue_along(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> _queues.LoopQueue:
        await operations.call_async("async.later", {"text": ""})
        return _queues.of_running_loop(operations._backend)

    queue = loops.run(loop, main())
    queue.join(loops.LIMIT)
    assert queue.number == 0


def test_what_is_awaited_comes_also_after_the_end_of_a_loops_generators(
    operations: rustbridge.Plugin, loop: str
) -> None:
    made = loops.MAKERS[loop]()
    task = made.create_task(operations.method("async.later").call_async({"text": "x"}))
    made.run_until_complete(asyncio.sleep(0))
    made.run_until_complete(made.shutdown_asyncgens())
    assert made.run_until_complete(asyncio.wait_for(task, loops.LIMIT)) == {"text": "x"}
    made.close()


def test_a_loop_that_is_closed_without_an_end_of_its_generators_loses_its_queue(
    operations: rustbridge.Plugin, loop: str
) -> None:
    async def begin() -> tuple[_queues.LoopQueue, asyncio.Task[Any]]:
        task = asyncio.ensure_future(operations.call_async("async.never"))
        await asyncio.sleep(0.01)
        return _queues.of_running_loop(operations._backend), task

    made = loops.MAKERS[loop]()
    queue, task = made.run_until_complete(begin())
    made.close()
    assert queue.number

    async def other() -> None:
        await operations.call_async("async.later", {"text": ""})
        await until(lambda: operations.call("async.dropped") == 1)

    # The next loop finds it.
    asyncio.run(other())
    assert queue.fd < 0
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    coroutine: Any = task.get_coro()
    coroutine.close()
    queue.join(loops.LIMIT)


def test_closing_waits_for_what_is_pending_or_cancels_it(load: Load, loop: str) -> None:
    async def main() -> None:
        plugin = load("operations-plugin")
        sleeping = asyncio.ensure_future(plugin.call_async("async.later", {"text": "x"}))
        await asyncio.sleep(0)
        await plugin.aclose()
        assert await sleeping == {"text": "x"}
        async with load("operations-plugin") as plugin:
            never = asyncio.ensure_future(plugin.call_async("async.never"))
            await asyncio.sleep(0.01)
            with pytest.raises(rustbridge.DeadlineExceededError, match=r"async\.never"):
                await plugin.aclose(0.01)
            await plugin.aclose(30, cancel_after=0)
            with pytest.raises(rustbridge.CancelledError):
                await never
        with pytest.raises(rustbridge.UnavailableError):
            await plugin.call_async("async.now", {"text": ""})

    loops.run(loop, main())


def test_a_plain_handler_does_not_keep_the_loop(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        sleeping = asyncio.ensure_future(operations.call_async("call.sleep", {"ms": 300}))
        turns = 0
        while not sleeping.done():
            await asyncio.sleep(0.001)
            turns += 1
        # One, if the loop had been kept.
        assert turns > 5

    loops.run(loop, main())


def test_without_a_loop_it_says_so(operations: rustbridge.Plugin) -> None:
    coroutine = operations.call_async("async.now", {"text": ""})
    with pytest.raises(RuntimeError, match="no running event loop"):
        coroutine.send(None)


def test_anyio_cancels_what_is_left_of_a_group(operations: rustbridge.Plugin) -> None:
    import anyio

    async def main() -> None:
        answers: list[Any] = []

        async def call(text: str) -> None:
            answers.append(await operations.call_async("async.later", {"text": text}))

        async with anyio.create_task_group() as group:
            for text in "abc":
                group.start_soon(call, text)
        assert sorted(answer["text"] for answer in answers) == ["a", "b", "c"]
        with anyio.move_on_after(0.02) as scope:
            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(operations.call_async, "async.never")
        assert scope.cancelled_caught
        await until(lambda: operations.call("async.dropped") == 3)

    anyio.run(main, backend="asyncio")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="task groups came with 3.11")
def test_a_task_group_takes_calls(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        async with asyncio.TaskGroup() as group:  # type: ignore[attr-defined, unused-ignore]
            tasks = [group.create_task(operations.call_async("async.later", {"text": text})) for text in "ab"]
        assert [task.result()["text"] for task in tasks] == ["a", "b"]

    asyncio.run(main())


def test_calls_leave_nothing_behind(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        queue = _queues.of_running_loop(operations._backend)
        for _ in range(50):
            await asyncio.gather(*[operations.call_async("async.later", {"text": ""}) for _ in range(10)])
        task = asyncio.ensure_future(operations.call_async("async.never"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (queue.calls, queue.listeners) == ({}, {})

    asyncio.run(main())
    gc.collect()


@pytest.mark.skipif(sys.platform == "win32", reason="no signal is sent to oneself there")
def test_ctrl_c_in_a_call_that_may_be_interrupted_cancels_it(python: Script) -> None:
    result = python(
        f"""
        import os, signal, threading, time, rustbridge
        from rustbridge import CallOptions
        # What is started in a shell's background has it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        plugin = rustbridge.load({plugin_path("operations-plugin")!r})
        options = CallOptions(interruptible=True)
        assert plugin.call("async.later", {{"text": "x"}}, options) == {{"text": "x"}}
        assert plugin.call("call.carried", None, options)["has_deadline"] is False
        def interrupt():
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)
        for call in (
            lambda: plugin.call("async.never", None, options),
            lambda: plugin.call("call.sleep", {{"ms": 90000}}, options),
            lambda: plugin.send("items.sum", iter(lambda: time.sleep(0.001) or {{"value": 1}}, 0), {{"value": 0}}),
        ):
            threading.Thread(target=interrupt).start()
            try:
                call()
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        while plugin.call("async.dropped") < 1:
            time.sleep(0.001)
        plugin.close()
        """
    )
    assert result.stdout == 3 * "interrupted\n"


@pytest.mark.parametrize("round_", range(10 * SOAK))
def test_python_ends_with_calls_pending(python: Script, round_: int) -> None:
    """Here few times, in the soak test often."""
    result = python(
        f"""
        import asyncio, sys, threading, time, rustbridge
        async def quote(number):
            await asyncio.sleep(60)
        def price(number):
            time.sleep(60)
        async def main():
            plugin = rustbridge.load({plugin_path("operations-plugin")!r}, services={{
                "prices.get": price, "prices.quote": quote}})
            global kept
            kept = plugin, plugin.stream("stream.ticks", {{"from": 0, "to": 1000000}}), asyncio.get_running_loop()
            global tasks
            tasks = [asyncio.ensure_future(plugin.call_async(*call)) for call in 10 * [
                ("async.never",), ("call.sleep", {{"ms": 300}}), ("service.one", 1), ("service.quote", 1),
                ("async.later", {{"text": ""}})]]
            await kept[1].__anext__()
            await asyncio.sleep({round_ % 10} / 500)
        def work():
            loop = asyncio.new_event_loop()
            loop.run_until_complete(main())
            if {round_} % 2:
                loop.run_forever()
        def stream():
            while "kept" not in globals():
                time.sleep(0.001)
            for _ in kept[0].stream("stream.ticks", {{"from": 0, "to": 1000000}}):
                pass
        for target in (work, stream):
            threading.Thread(target=target, daemon=True).start()
        while "tasks" not in globals():
            time.sleep(0.001)
        print("ended", flush=True)
        """,
        dev=False,
    )
    assert result.stdout == "ended\n"
    assert "Fatal" not in result.stderr
