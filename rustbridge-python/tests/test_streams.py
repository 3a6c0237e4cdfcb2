"""Streams out of a plugin, into it, and both ways."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import struct
import threading
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _queues
from tests import loops
from tests.streaming import each, span, values

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    Load = Callable[..., rustbridge.Plugin]


class Number(ctypes.Structure):
    _fields_ = (("value", ctypes.c_int64),)


@pytest.mark.parametrize("window", [1, 2, 7, 256, 100_000])
def test_items_come_in_order_whatever_the_window(operations: rustbridge.Plugin, window: int, loop: str) -> None:
    async def main() -> None:
        stream = operations.stream("stream.numbers", span(0, 5_000), window=window)
        assert [item async for item in stream] == list(range(5_000))
        ticks = operations.stream("stream.ticks", span(0, 20), window=window, window_bytes=1)
        assert [item async for item in ticks] == list(range(20))

    loops.run(loop, main())
    assert list(operations.stream("stream.numbers", span(0, 5_000), window=window)) == list(range(5_000))
    assert list(operations.stream("stream.ticks", span(0, 20), window=window, window_bytes=1)) == list(range(20))


def test_items_are_bytes_or_structures_where_the_method_is_not_json(operations: rustbridge.Plugin, loop: str) -> None:
    pods = operations.method("stream.pods", "pod")
    texts = operations.method("stream.texts", "raw")
    request = struct.pack("=q", 1_000)

    async def main() -> None:
        assert [item async for item in texts.stream(b"300")] == [b"x" * size for size in range(1, 301)]
        assert [item.value async for item in pods.stream(request, into=Number)] == list(range(1_000))
        batches = [batch async for batch in pods.stream(request, into=Number).batches()]
        assert [item.value for batch in batches for item in batch] == list(range(1_000))
        assert len(batches) < 100

    loops.run(loop, main())
    assert list(pods.stream(request)) == [struct.pack("=q", number) for number in range(1_000)]
    assert [item.value for item in pods.stream(request, into=Number)] == list(range(1_000))
    assert sum(map(len, pods.stream(request).batches())) == 1_000
    with pytest.raises(ValueError, match=r"items of 'stream\.texts'"), texts.stream(b"3", into=Number) as wrong:
        next(wrong)


def test_an_error_comes_after_the_items(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        stream = operations.stream("stream.numbers", span(0, 9, fail_at=3))
        assert [await stream.__anext__() for _ in range(3)] == [0, 1, 2]
        with pytest.raises(rustbridge.DataLossError, match="broken at 3"):
            await stream.__anext__()
        assert [item async for item in stream] == []
        with pytest.raises(rustbridge.InvalidArgumentError, match="before it begins"):
            await operations.stream("stream.numbers", span(2, 1)).__anext__()

    loops.run(loop, main())
    for method in ("stream.numbers", "stream.ticks"):
        stream = operations.stream(method, span(0, 9, panic_at=3))
        assert [next(stream) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(rustbridge.InternalError, match="boom"):
            next(stream)
        assert list(stream) == []


def test_leaving_a_loop_or_a_block_gives_the_stream_up(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        async with operations.stream("stream.ticks", span(0, 1_000_000)) as stream:
            async for item in stream:
                if item == 3:
                    break
        assert repr(stream) == "<rustbridge.Stream of 'stream.ticks' ended>"
        while operations.call("async.dropped") < 1:
            await asyncio.sleep(0.001)
        queue = _queues.of_running_loop(operations._backend)
        assert queue.listeners == {}
        other = operations.stream("stream.ticks", span(0, 1_000_000))
        task = asyncio.ensure_future(_all(other))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await other.aclose()
        while operations.call("async.dropped") < 2:
            await asyncio.sleep(0.001)

    loops.run(loop, main())
    with operations.stream("stream.ticks", span(0, 1_000_000)) as stream:
        assert next(stream) == 0
    # Closing waits for what runs.
    operations.close()


async def _all(stream: rustbridge.Stream[Any]) -> list[Any]:
    return [item async for item in stream]


def test_a_stream_that_is_dropped_open_warns_and_ends(operations: rustbridge.Plugin) -> None:
    stream = operations.stream("stream.ticks", span(0, 1_000_000))
    next(stream)
    with pytest.warns(ResourceWarning, match="dropped before its end"):  # noqa: PT031
        del stream
        gc.collect()
    unused = operations.stream("stream.ticks", span(0, 1_000_000))
    del unused

    async def main() -> None:
        stream = operations.stream("stream.ticks", span(0, 1_000_000))
        await stream.__anext__()
        with pytest.warns(ResourceWarning, match="dropped before its end"):  # noqa: PT031
            del stream
            gc.collect()
        stream = operations.exchange("items.double", each(values(1_000_000)))
        await stream.__anext__()
        with pytest.warns(ResourceWarning, match="dropped before its end"):  # noqa: PT031
            del stream
            gc.collect()
        await asyncio.sleep(0)

    asyncio.run(main())
    operations.close()


def test_a_stream_has_one_consumer_of_one_kind(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        async with operations.stream("stream.ticks", span(0, 1_000_000), window=1) as stream:
            await stream.__anext__()
            first = asyncio.ensure_future(stream.__anext__())
            await asyncio.sleep(0)
            if not first.done():
                with pytest.raises(RuntimeError, match="one consumer"):
                    await stream.__anext__()
            await first
            with pytest.raises(RuntimeError, match="async for"):
                next(stream)

    asyncio.run(main())
    with operations.stream("stream.ticks", span(0, 1_000_000)) as plain:
        next(plain)
        with pytest.raises(RuntimeError, match="plain loop"):
            asyncio.run(_all(plain))
    with pytest.raises(ValueError, match="window"):
        operations.stream("stream.ticks", window=0)


def test_items_are_sent(operations: rustbridge.Plugin, loop: str) -> None:
    total = {"value": sum(range(3_000)) + 5}

    async def main() -> None:
        for items in (values(3_000), iter(values(3_000)), each(values(3_000))):
            assert await operations.send_async("items.sum", items, {"value": 5}) == total
        assert await operations.send_async("items.sum", [], {"value": 5}) == {"value": 5}
        # It answers before it has taken all.
        for items in (values(3_000), each(values(3_000))):
            assert await operations.send_async("items.first", items) == {"value": 0}
        with pytest.raises(rustbridge.OutOfRangeError):
            await operations.send_async("items.first", [])

    loops.run(loop, main())
    for items in (values(3_000), iter(values(3_000))):
        assert operations.send("items.sum", items, {"value": 5}) == total
    assert operations.method("items.sum").send([], {"value": 5}) == {"value": 5}
    assert operations.send("items.first", iter(values(9))) == {"value": 0}


def test_what_the_items_raise_is_raised(operations: rustbridge.Plugin, loop: str) -> None:
    def broken() -> Iterator[Any]:
        yield {"value": 1}
        raise ZeroDivisionError

    async def broken_later() -> AsyncIterator[Any]:
        for item in broken():
            yield item

    async def main() -> None:
        for items in (broken(), broken_later()):
            with pytest.raises(ZeroDivisionError):
                await operations.send_async("items.sum", items, {"value": 0})
            with pytest.raises((ZeroDivisionError, rustbridge.CancelledError)):
                await _all(operations.exchange("items.double", broken_later()))

    loops.run(loop, main())
    with pytest.raises(ZeroDivisionError):
        operations.send("items.sum", broken(), {"value": 0})
    operations.close()


def test_a_task_that_sends_may_be_cancelled(operations: rustbridge.Plugin, loop: str) -> None:
    async def never() -> AsyncIterator[Any]:
        yield {"value": 1}
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.ensure_future(operations.send_async("items.sum", never(), {"value": 0}))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(rustbridge.DeadlineExceededError):
            await operations.send_async("items.sum", never(), {"value": 0}, timeout=0.02)

    loops.run(loop, main())
    operations.close()


def test_items_go_both_ways(operations: rustbridge.Plugin, loop: str) -> None:
    doubled = [{"value": 2 * number} for number in range(2_000)]

    async def main() -> None:
        for items in (values(2_000), iter(values(2_000)), each(values(2_000))):
            assert await _all(operations.exchange("items.double", items)) == doubled
        async with operations.exchange("items.double", each(values(2_000)), window=1) as stream:
            assert await stream.__anext__() == {"value": 0}

    loops.run(loop, main())
    for items in (values(2_000), iter(values(2_000))):
        assert list(operations.exchange("items.double", items)) == doubled
    with operations.exchange("items.double", values(2_000), window=2) as stream:
        assert [next(stream) for _ in range(3)] == doubled[:3]
    operations.close()


def test_closing_ends_streams_after_what_was_sent(load: Load) -> None:
    plugin = load("operations-plugin")
    stream = plugin.stream("stream.ticks", span(0, 1_000_000))
    assert next(stream) == 0
    plugin.close()
    with pytest.raises(rustbridge.UnavailableError):
        list(stream)


def test_threads_stream_at_once(operations: rustbridge.Plugin) -> None:
    wrong: list[object] = []

    def work() -> None:
        try:
            for _ in range(20):
                assert sum(operations.stream("stream.numbers", span(0, 1_000))) == 499_500
                assert sum(operations.stream("stream.ticks", span(0, 5))) == 10
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(loops.LIMIT)
    assert wrong == []


def test_a_method_without_such_a_stream_is_refused(operations: rustbridge.Plugin) -> None:
    calls: list[tuple[Callable[[], object], str, str]] = [
        (lambda: operations.stream("call.carried"), "NoStream", "call"),
        (lambda: operations.stream("items.sum", {"value": 5}), "NoStream", "send"),
        (lambda: operations.exchange("stream.numbers", [], span(0, 5)), "NoItems", "stream"),
        (lambda: operations.exchange("call.carried", []), "NoStream", "call"),
        (lambda: operations.send("call.carried", []), "NoItems", "call"),
        (lambda: operations.send("stream.numbers", [], span(0, 5)), "NoItems", "stream"),
        (lambda: asyncio.run(operations.send_async("call.carried", [])), "NoItems", "call"),
    ]
    for begin, kind, use in calls:
        with pytest.raises(rustbridge.UnimplementedError, match=f"use `{use}`") as refused:
            begin()
        assert refused.value.type == f"rustbridge.{kind}"
