"""Calls that end later, streams, services and objects: beside the same by hand, which takes the GIL for each end."""

from __future__ import annotations

import asyncio
import struct
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import Work, scenario
from rustbridge import CallOptions, Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from benchmarks.lane import Lane

VALUE = struct.pack("=i", 23)
ANSWER = struct.pack("=i", 64)
NUMBER = struct.Struct("=Q")
#: How many calls a coroutine makes: what entering the loop costs is shared by them.
AWAITED = 64
ITEMS = 100_000
WINDOW, WINDOW_BYTES = 1024, 1 << 20


def in_a_row(lane: Lane, call: Callable[[], Awaitable[Any]]) -> Callable[[], Any]:
    """Await one call after the other on the lane's loop."""

    async def some() -> Any:
        for _ in range(AWAITED - 1):
            await call()
        return await call()

    return partial(run, lane, some)


def run(lane: Lane, make: Callable[[], Any]) -> Any:
    """Run a coroutine on the lane's loop."""
    return lane.loop.run_until_complete(make())


@scenario("plain call", single=True)
def plain(lane: Lane) -> Work:
    """Add 41."""
    return Work(lane.bench.method("plain", "pod").call_raw, lane.floor("answer_bytes"), (VALUE,))


@scenario("ready")
def ready(lane: Lane) -> Work:
    """Await what is there at once; by hand it's a coroutine around the bare call."""
    call, floor = lane.bench.method("ready", "pod").call_raw_async, lane.floor("answer_bytes")

    async def by_hand() -> bytes:
        return floor(VALUE)  # type: ignore[no-any-return]

    return Work(in_a_row(lane, lambda: call(VALUE)), in_a_row(lane, by_hand), operations=AWAITED)


def begun_by_hand(lane: Lane) -> Callable[[], asyncio.Future[bytes]]:
    """Give what begins a call whose end is told to the loop by `call_soon_threadsafe`."""
    loop, later = lane.loop, lane.floor("later")
    soon = loop.call_soon_threadsafe

    def begin() -> asyncio.Future[bytes]:
        future: asyncio.Future[bytes] = loop.create_future()
        later(soon, future.set_result, VALUE)
        return future

    return begin


@scenario("pending alone")
def pending_alone(lane: Lane) -> Work:
    """Await what another thread answers."""
    call, begin = lane.bench.method("later", "pod").call_raw_async, begun_by_hand(lane)

    async def by_hand() -> bytes:
        return await begin()

    return Work(in_a_row(lane, lambda: call(VALUE)), in_a_row(lane, by_hand), operations=AWAITED)


@scenario("pending 64 in flight")
def pending(lane: Lane) -> Work:
    """Gather 64 of them."""
    call, begin = lane.bench.method("later", "pod").call_raw_async, begun_by_hand(lane)

    async def ours() -> Any:
        return await asyncio.gather(*[call(VALUE) for _ in range(AWAITED)])

    async def by_hand() -> Any:
        return await asyncio.gather(*[begin() for _ in range(AWAITED)])

    return Work(partial(run, lane, ours), partial(run, lane, by_hand), operations=AWAITED)


@scenario("cancel")
def cancel(lane: Lane) -> Work:
    """Cancel a task that waits for good; by hand a future that is told when the task was aborted."""
    call, never, abort = lane.bench.method("never", "raw").call_raw_async, lane.floor("never"), lane.floor("abort")
    loop = lane.loop

    async def ours() -> None:
        for _ in range(AWAITED):
            task = loop.create_task(call(b""))
            await asyncio.sleep(0)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                continue
            raise ValueError("it ended by itself")

    async def by_hand() -> None:
        for _ in range(AWAITED):
            future = loop.create_future()
            task = never(loop.call_soon_threadsafe, future.set_result)
            await asyncio.sleep(0)
            abort(task)
            if await future is not None:
                raise ValueError("it ended by itself")

    return Work(partial(run, lane, ours), partial(run, lane, by_hand), operations=AWAITED)


@scenario("stream of pods")
def pods(lane: Lane) -> Work:
    """Look at numbers of a plain iterator; by hand they are fetched by the batch."""
    method, count = lane.bench.method("count", "pod"), lane.floor("count")

    def ours() -> int:
        total = 0
        with method.stream(NUMBER.pack(ITEMS), window=WINDOW, window_bytes=WINDOW_BYTES) as stream:
            for batch in stream.batches():
                for (number,) in NUMBER.iter_unpack(b"".join(batch)):
                    total += number
        return total

    def by_hand() -> int:
        begin = total = 0
        while batch := count(begin, ITEMS):
            begin += len(batch) // NUMBER.size
            for (number,) in NUMBER.iter_unpack(batch):
                total += number
        return total

    return Work(ours, by_hand, operations=ITEMS)


@scenario("stream of JSON")
def ticks(lane: Lane) -> Work:
    """Read objects of a plain iterator; by hand each is a call."""
    method, tick, loads = lane.bench.method("ticks"), lane.floor("ticks"), lane.loads
    items = ITEMS // 10

    def ours() -> Any:
        with method.stream(items, window=WINDOW, window_bytes=WINDOW_BYTES) as stream:
            for item in stream:
                last = item
        return last["number"]

    def by_hand() -> Any:
        for number in range(items):
            last = loads(tick(number, items))
        return last["number"]

    return Work(ours, by_hand, operations=items)


@scenario("service sync", single=True)
def service(lane: Lane) -> Work:
    """Have the plugin ask Python; by hand at a bare address, which takes the GIL."""
    asking = lane.asking
    return Work(asking.method("ask", "pod").call_raw, asking.method("ask_by_hand", "pod").call_raw, (VALUE,))


@scenario("service async")
def service_defer(lane: Lane) -> Work:
    """Await a call whose handler awaits a coroutine; by hand it asks at a bare address, which takes the GIL."""
    ask, by_hand = (lane.asking.method(name, "pod").call_raw_async for name in ("ask_later", "ask_by_hand_later"))
    return Work(in_a_row(lane, lambda: ask(VALUE)), in_a_row(lane, lambda: by_hand(VALUE)), operations=AWAITED)


@scenario("object method", single=True)
def object_method(lane: Lane) -> Work:
    """Call a method of an object that exists."""
    add, new = lane.floor("adder_add"), lane.floor("adder_new")
    call, options, address = lane.bench.method("Adder.add", "pod").call_with, CallOptions(objects=[lane.adder]), new()

    def ours(request: bytes) -> Any:
        return call(request, options)

    def by_hand(request: bytes) -> Any:
        return add(address, request)

    return Work(ours, by_hand, (VALUE,))


@scenario("object create and drop")
def create_and_drop(lane: Lane) -> Work:
    """Make an object and give it back; by hand it's an address."""
    call, new, drop = lane.bench.method("adder", "raw").call_with, lane.floor("adder_new"), lane.floor("adder_drop")

    def ours() -> None:
        reply = Reply()
        call(b"", CallOptions(reply=reply))
        reply.objects[0].close()

    def by_hand() -> None:
        drop(new())

    return Work(ours, by_hand)
