"""Many calls at once that are cancelled, closed and dropped at random: each ends once, and nothing stays behind."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _queues
from tests import loops
from tests.children import SOAK

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

#: What one thread calls in a round; all of them together 10,000 times, and in a soak a million times.
CALLS = 625
THREADS = 4
ROUNDS = 4 * SOAK

#: How many a thread has in flight.
AT_ONCE = 64

#: Of one round, in seconds.
LIMIT = 180


async def one(plugin: rustbridge.Plugin, choice: int) -> str:
    """Make a call, and give how it ended."""
    is_never = choice % 5 == 0
    arguments: tuple[Any, ...] = ("async.never",) if is_never else ("async.later", {"text": str(choice)})
    is_cancelled = is_never or choice % 3 == 0
    try:
        # Whose method can't be prepared any more, say.
        task = asyncio.ensure_future(plugin.call_async(*arguments))
        if is_cancelled:
            for _ in range(choice % 4):
                await asyncio.sleep(0)
            task.cancel()
        assert await task == {"text": str(choice)}
    except asyncio.CancelledError:
        assert is_cancelled
        return "cancelled"
    except rustbridge.PluginError as error:
        return error.status.name if error.status else "unknown"
    return "answered"


async def items(plugin: rustbridge.Plugin, choice: int) -> str:
    """Take some of a stream's items or objects, and leave it; give how it ended."""
    name, request = ("counter.stream", 5) if choice & 8 else ("stream.ticks", {"to": 5})
    try:
        async with plugin.stream(name, request) as stream:
            for _ in range(choice % 7):
                item: Any = await anext(stream)
                if isinstance(item, rustbridge.Object):
                    item.close()
    except StopAsyncIteration:
        return "answered"
    except rustbridge.PluginError as error:
        return error.status.name if error.status else "unknown"
    return "left"


async def hammer(plugin: rustbridge.Plugin, seed: float) -> Counter[str]:
    chance = random.Random(seed)
    ended: Counter[str] = Counter()
    for start in range(0, CALLS, AT_ONCE):
        choices = [chance.randrange(1 << 30) for _ in range(min(AT_ONCE, CALLS - start))]
        ended.update(await asyncio.gather(*[(items if choice % 8 == 7 else one)(plugin, choice) for choice in choices]))
    queue = _queues.of_running_loop(plugin._backend)
    assert (queue.calls, queue.listeners) == ({}, {})
    return ended


@pytest.mark.timeout(LIMIT * ROUNDS)
def test_every_call_ends_once(load: Load, loop: str) -> None:
    chance = random.Random(5)
    with ThreadPoolExecutor(THREADS) as threads:
        for turn in range(ROUNDS):
            plugin = load("operations-plugin")
            rounds = [threads.submit(loops.run, loop, hammer(plugin, chance.random())) for _ in range(THREADS)]
            if turn % 2:
                threading.Event().wait(chance.random() / 20)
                plugin.close(LIMIT, cancel_after=0.001)
            ended = sum((one.result(LIMIT) for one in rounds), Counter[str]())
            assert ended.total() == THREADS * CALLS
            assert set(ended) <= {"answered", "cancelled", "left", "UNAVAILABLE", "CANCELLED"}, ended
            if turn % 2 == 0:
                assert set(ended) == {"answered", "cancelled", "left"}
                # A thread of the plugin's may still be in the midst of an item.
                until = time.monotonic() + LIMIT
                while plugin.call("counter.alive"):
                    assert time.monotonic() < until
                plugin.close(LIMIT, cancel_after=0)
            gc.collect()


@pytest.mark.timeout(LIMIT * SOAK)
def test_what_is_dropped_leaves_nothing(load: Load) -> None:
    async def main() -> None:
        for _ in range(100 * SOAK):
            # Nobody awaits it: the task is the loop's.
            task = asyncio.ensure_future(plugin.call_async("async.never"))
            await asyncio.sleep(0)
            task.cancel()
            stream = plugin.stream("counter.stream", 5)
            (await anext(stream)).close()
            del stream, task
            await plugin.call_async("counter.open", 1)
            await asyncio.sleep(0)
        gc.collect()
        queue = _queues.of_running_loop(plugin._backend)
        assert (queue.calls, queue.listeners) == ({}, {})
        while plugin.call("counter.alive"):
            await asyncio.sleep(0.001)

    plugin = load("operations-plugin")
    with warnings.catch_warnings():
        # Of what is dropped without being closed.
        warnings.simplefilter("ignore", ResourceWarning)
        asyncio.run(asyncio.wait_for(main(), LIMIT * SOAK))
    plugin.close(LIMIT)
