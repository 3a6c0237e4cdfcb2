"""Functions of this program that a plugin asks."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import CallOptions, Service, _services, service_call
from tests import loops

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def ten_times(number: int) -> int:
    return 10 * number


async def ten_times_later(number: int) -> int:
    await asyncio.sleep(0.001)
    return 10 * number


def test_plain_functions_answer(load: Load, backend: str) -> None:
    threads = []

    def price(number: int) -> int:
        threads.append(threading.current_thread())
        return 10 * number

    upper = Service(lambda text: text.upper(), encoding="raw")
    plugin = load("operations-plugin", services={"prices.get": price, "prices.quote": price, "prices.upper": upper})
    assert plugin.call("service.total", [1, 2, 3]) == 60
    assert plugin.call_raw("service.upper", b"abc") == b"ABC"
    # Where the extension can see that this very thread asks, the function runs on it.
    assert (threads == 3 * [threading.current_thread()]) == (backend == "native")
    assert plugin.call("service.task", 4) == 40
    assert plugin.call("service.quote", 5) == 50
    assert threads[3] is not threading.current_thread()


def test_a_loop_goes_on_while_functions_of_its_services_run(load: Load, loop: str) -> None:
    def slow(number: int) -> int:
        time.sleep(0.05)
        return 10 * number

    async def main() -> None:
        plugin = load("operations-plugin", services={"prices.get": slow, "prices.quote": ten_times_later})
        total = asyncio.ensure_future(plugin.call_async("service.total", [1, 2, 3]))
        turns = 0
        while not total.done():
            await asyncio.sleep(0.001)
            turns += 1
        assert (await total, turns > 3) == (60, True)
        answers = await asyncio.gather(*[plugin.call_async("service.quote", number) for number in range(50)])
        assert answers == [10 * number for number in range(50)]
        await plugin.aclose()

    loops.run(loop, main())


def test_an_async_function_runs_on_the_loop_of_its_load_or_of_the_last_call(load: Load, loop: str) -> None:
    seen: list[asyncio.AbstractEventLoop] = []

    async def quote(number: int) -> int:
        seen.append(asyncio.get_running_loop())
        return 10 * number

    async def main(plugin: rustbridge.Plugin | None, prepared: bool = False) -> asyncio.AbstractEventLoop:
        loaded = plugin or load("operations-plugin", services={"prices.quote": quote})
        call = loaded.method("service.quote").call_async if prepared else partial(loaded.call_async, "service.quote")
        assert await call(7) == 70
        return asyncio.get_running_loop()

    assert [loops.run(loop, main(None))] == seen
    seen.clear()
    before = load("operations-plugin", services={"prices.quote": quote})
    with pytest.raises(rustbridge.FailedPreconditionError, match="event loop"):
        before.call("service.quote", 1)
    assert [loops.run(loop, main(before, prepared)) for prepared in (False, True, True)] == seen


@pytest.mark.parametrize("kind", ["stream", "prepared stream", "send"])
def test_an_async_function_runs_on_the_loop_of_a_stream(load: Load, kind: str) -> None:
    async def quote(number: int) -> int:
        return 10 * number

    async def main() -> None:
        if kind == "send":
            assert await plugin.send_async("items.sum", [{"value": 1}], {"value": 2}) == {"value": 3}
        else:
            stream = plugin.method("stream.ticks").stream if kind == "prepared stream" else plugin.stream
            arguments: Any = [{"to": 2}] if kind == "prepared stream" else ["stream.ticks", {"to": 2}]
            assert [item async for item in stream(*arguments)] == [0, 1]
        # From a thread without a loop.
        assert await asyncio.to_thread(plugin.call, "service.quote", 7) == 70

    plugin = load("operations-plugin", services={"prices.quote": quote})
    asyncio.run(asyncio.wait_for(main(), loops.LIMIT))


def test_a_loop_that_is_gone_is_not_asked(load: Load, loop: str) -> None:
    async def main() -> tuple[rustbridge.Plugin, rustbridge.Stream[int]]:
        plugin = load("operations-plugin", services={"prices.quote": ten_times_later})
        stream = plugin.stream("stream.ticks", {"to": 1_000_000})
        assert (await anext(stream), await plugin.call_async("service.quote", 7)) == (0, 70)
        return plugin, stream

    plugin, stream = loops.run(loop, main())
    with pytest.raises(rustbridge.UnavailableError, match="queue"):
        plugin.call("service.quote", 7)
    stream.close()


def test_an_answer_may_have_attributes_of_any_name(load: Load) -> None:
    class Answer(dict[str, Any]):
        __getattr__ = dict.get

    plugin = load("operations-plugin")
    assert _services._RegisteredService(plugin._backend, "x", Service(lambda _: Answer(a=1))).run(None, b"0") == (
        0,
        b'{"a":1}',
    )


def test_a_loop_that_would_wait_for_itself_is_told_so(load: Load) -> None:
    async def main() -> None:
        plugin = load("operations-plugin", services={"prices.get": ten_times_later, "prices.quote": ten_times_later})
        await plugin.call_async("service.quote", 1)
        with pytest.raises(rustbridge.FailedPreconditionError):
            plugin.call("service.one", 1)
        assert await plugin.call_async("service.one", 1) == 10
        assert await asyncio.get_running_loop().run_in_executor(None, plugin.call, "service.one", 1) == 10

    asyncio.run(main())


def test_errors_arrive_whole(load: Load) -> None:
    def fails(number: int) -> int:
        if number == 1:
            raise rustbridge.NotFoundError("no such", type="Price.Unknown", details={"n": number})
        if number == 2:
            raise KeyError("thrown")
        return object()  # type: ignore[return-value]

    async def fails_later(number: int) -> int:
        return fails(number)

    async def main() -> None:
        plugin = load("operations-plugin", services={"prices.get": fails, "prices.quote": fails_later})
        for method in ("service.one", "service.quote", "service.task"):
            with pytest.raises(rustbridge.NotFoundError, match="no such") as caught:
                await plugin.call_async(method, 1)
            assert (caught.value.type, caught.value.details) == ("Price.Unknown", {"n": 1})
            with pytest.raises(rustbridge.InternalError, match="thrown") as caught_too:
                await plugin.call_async(method, 2)
            assert caught_too.value.type == "KeyError"
            with pytest.raises(rustbridge.InternalError, match="JSON"):
                await plugin.call_async(method, 3)

    asyncio.run(main())


def test_a_service_knows_what_its_call_carries(load: Load) -> None:
    seen: list[Any] = []

    def price(number: int) -> int:
        call = service_call()
        seen.append((call.time_left, call.trace, call.cancelled))
        return number

    plugin = load("operations-plugin", services={"prices.get": price})
    plugin.call("service.one", 1, CallOptions(timeout=50, trace=(TRACE, "a=b")))
    ((left, trace, cancelled),) = seen
    assert 0 < left <= 50
    assert trace[1] == "a=b"
    assert trace[0].split("-")[1] == TRACE.split("-")[1]
    assert not cancelled
    with pytest.raises(RuntimeError, match="service_call"):
        service_call()


def test_a_call_that_is_cancelled_cancels_what_it_asks(load: Load, loop: str) -> None:
    seen: list[str] = []

    async def quote(_: int) -> int:
        seen.append("asked")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise
        return 0

    async def until(count: int) -> None:
        while len(seen) < count:
            await asyncio.sleep(0.001)

    async def main() -> None:
        plugin = load("operations-plugin", services={"prices.quote": quote})
        task = asyncio.ensure_future(plugin.call_async("service.quote", 1))
        await until(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(2)
        # A busy machine may take all of a short time before the service is asked.
        timeout = 0.02
        while len(seen) == 2:
            with pytest.raises(rustbridge.DeadlineExceededError):
                await plugin.call_async("service.quote", 1, timeout=timeout)
            timeout *= 2
        await until(4)
        assert seen == ["asked", "cancelled"] * 2

    loops.run(loop, main())


def test_a_service_may_call_the_plugin_that_asks_it(load: Load) -> None:
    def price(number: int) -> int:
        return number if number == 0 else 1 + int(plugin.call("service.one", number - 1))

    plugin = load("operations-plugin", services={"prices.get": price})
    assert plugin.call("service.one", 20) == 20
    with pytest.raises(rustbridge.ResourceExhaustedError) as caught:
        plugin.call("service.one", 100)
    assert caught.value.type == "rustbridge.NestedTooDeep"

    def closes(_: int) -> int:
        other.close(0)
        return 0

    other = load("operations-plugin", services={"prices.get": closes})
    with pytest.raises(rustbridge.FailedPreconditionError) as refused:
        other.call("service.one", 1)
    assert refused.value.type == "rustbridge.CloseInsideCall"
    assert other.state is rustbridge.State.ACTIVE


def test_many_threads_ask_at_once(load: Load) -> None:
    plugin = load("operations-plugin", services={"prices.get": ten_times})
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: plugin.call("service.task", n), range(400))) == [10 * n for n in range(400)]
        assert list(pool.map(lambda n: plugin.call("service.one", n), range(400))) == [10 * n for n in range(400)]


def test_threads_that_come_back_late_do_not_become_ever_more(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = _services.reply

    def answer_and_dawdle(*arguments: Any) -> None:
        answer(*arguments)
        time.sleep(0.5)

    monkeypatch.setattr(_services, "reply", answer_and_dawdle)
    plugin = load("operations-plugin", services={"prices.get": ten_times})
    most = 0
    for number in range(200):
        assert plugin.call("service.task", number) == 10 * number
        most = max(most, sum(thread.name == "rustbridge-service" for thread in threading.enumerate()))
    assert 1 <= most <= _services._AT_ONCE


def test_what_is_registered_is_checked(load: Load) -> None:
    with pytest.raises(TypeError, match="function"):
        load("operations-plugin", services={"prices.get": 3})
    with pytest.raises(TypeError, match="name"):
        load("operations-plugin", services={3: ten_times})
    with pytest.raises(ValueError, match="encoding"):
        Service(ten_times, encoding="none")
    with pytest.raises(rustbridge.NotFoundError, match=r"prices\.get"):
        load("operations-plugin").call("service.one", 1)
