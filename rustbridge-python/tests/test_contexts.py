"""A service's function runs in the context of the call that it's asked for."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import ctypes
import gc
import textwrap
import threading
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import CallOptions, Service, _contexts, service_call
from tests import loops
from tests.clients import types_client as t
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]
    Script = Callable[..., subprocess.CompletedProcess[str]]

user: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


class Observed:
    """Services that note which user they see."""

    def __init__(self) -> None:
        self.users: list[str] = []

    def get(self, number: int) -> int:
        self.users.append(user.get())
        # What it sets is its own.
        user.set("changed by a service")
        return 10 * number

    async def quote(self, number: int) -> int:
        self.users.append(user.get())
        await asyncio.sleep(0)
        self.users.append(user.get())
        user.set("changed by a service")
        return 10 * number

    def upper(self, text: bytes) -> bytes:
        self.users.append(user.get())
        return text.upper()

    def taken(self) -> list[str]:
        taken, self.users = self.users, []
        return taken

    def plain(self) -> dict[str, Any]:
        return {"prices.get": self.get, "prices.quote": self.get, "prices.upper": Service(self.upper, encoding="raw")}

    def all(self) -> dict[str, Any]:
        return {**self.plain(), "prices.quote": self.quote}


def as_user(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a context of its own."""
    context = contextvars.Context()
    context.run(user.set, name)
    return context.run(function, *arguments)


@pytest.fixture(autouse=True)
def no_context_is_left() -> Any:
    yield
    assert not _contexts._kept


def test_a_blocking_calls_service_sees_its_callers_context(load: Load) -> None:
    observed = Observed()
    plugin = load("operations-plugin", services=observed.plain())
    one, upper = plugin.method("service.one"), plugin.method("service.upper", "raw")
    calls: list[Callable[[], Any]] = [
        lambda: plugin.call("service.one", 1),
        lambda: plugin.call("service.quote", 1),
        lambda: plugin.call("service.one", 1, CallOptions(metadata={"user": "x"})),
        lambda: plugin.call_json("service.one", "1"),
        lambda: plugin.call_raw("service.upper", b"a"),
        lambda: plugin.call_raw("service.upper", b"a", bytearray(8)),
        lambda: bytes(plugin.call_raw_zero_copy("service.upper", b"a").view),
        lambda: one.call(1),
        lambda: one.call_json("1"),
        lambda: one.call_with(b"1", CallOptions()),
        lambda: upper.call_raw(bytearray(b"a")),
        lambda: upper.call_raw(b"a", ctypes.create_string_buffer(8)),
        lambda: one.call(1, CallOptions(interruptible=True)),
        lambda: list(plugin.stream("service.prices", [1])),
    ]
    for index, call in enumerate(calls):
        with pytest.warns(ResourceWarning) if index == 6 else contextlib.nullcontext():
            as_user("ada", call)
        assert observed.taken() == ["ada"], index
        assert user.get() == "nobody"


def test_an_awaited_calls_service_sees_its_callers_context(load: Load, loop: str) -> None:
    observed = Observed()

    async def one(plugin: rustbridge.Plugin, name: str, who: str) -> None:
        user.set(who)
        await plugin.call_async(name, 1, timeout=loops.LIMIT)
        await plugin.method(name).call_async(1)
        # What a service sets stays its own.
        assert user.get() == who

    async def main() -> None:
        # The loop's own callbacks run in the context of its first call, which isn't the others'.
        user.set("the first")
        plugin = load("operations-plugin", services=observed.all())
        await plugin.call_async("service.quote", 1)
        assert observed.taken() == ["the first"] * 2
        for name, times in (("service.one", 2), ("service.quote", 4)):
            await asyncio.gather(*[asyncio.create_task(one(plugin, name, str(number))) for number in range(8)])
            assert sorted(observed.taken()) == sorted([str(number) for number in range(8)] * times)
        user.set("streaming")
        assert [item async for item in plugin.stream("service.prices", [1, 2])] == [10, 20]
        assert observed.taken() == ["streaming"] * 2
        # A task of the plugin's own doesn't specify for which call it asks.
        await plugin.call_async("service.task", 1)
        assert observed.taken() == ["nobody"]
        # A blocking call on another thread, whose service runs on the loop.
        blocking = contextvars.Context()
        blocking.run(user.set, "a thread")
        future = asyncio.get_running_loop().run_in_executor(None, blocking.run, plugin.call, "service.quote", 1)
        assert await future == 10
        assert observed.taken() == ["a thread"] * 2
        await plugin.aclose()

    loops.run(loop, main())


def test_functions_for_one_call_run_at_once_each_in_a_copy(load: Load) -> None:
    barrier = threading.Barrier(2, timeout=30)
    users = []

    def get(number: int) -> int:
        users.append(user.get())
        if number < 2:
            # Calls within the same call's context, while another function of it runs.
            barrier.wait()
        return number

    async def both(plugin: rustbridge.Plugin) -> None:
        user.set("ada")
        await asyncio.gather(*[plugin.call_async("service.one", number) for number in range(2)])

    plugin = load("operations-plugin", services={"prices.get": get})
    asyncio.run(asyncio.wait_for(both(plugin), loops.LIMIT))
    assert users == ["ada", "ada"]


def test_a_call_inside_a_service_has_the_services_context(load: Load) -> None:
    observed = Observed()
    inner = load("operations-plugin", services=observed.plain())

    def get(number: int) -> int:
        answer: int = inner.call("service.one", number)
        user.set("eve")
        return answer + int(inner.call("service.quote", number))

    outer = load("operations-plugin", services={"prices.get": get})
    assert as_user("ada", outer.call, "service.one", 1) == 20
    assert observed.taken() == ["ada", "eve"]


def test_no_context_is_kept_of_calls_that_fail(load: Load) -> None:
    def fails(_: int) -> int:
        raise LookupError("none")

    async def main() -> None:
        user.set("ada")
        plugin = load("operations-plugin", services={"prices.get": fails, "prices.quote": fails})
        for name in ("service.one", "service.quote", "async.panic_now"):
            with pytest.raises(rustbridge.PluginError):
                await plugin.call_async(name, 1)
            with pytest.raises(rustbridge.PluginError):
                plugin.call(name, 1)
        with pytest.raises(rustbridge.DeadlineExceededError):
            await plugin.call_async("async.never", None, timeout=0.01)
        task = asyncio.create_task(plugin.call_async("async.never"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(rustbridge.PluginError):
            _ = [item async for item in plugin.stream("service.prices", [1])]
        async with plugin.stream("stream.ticks", {"to": 1_000_000}) as stream:
            await anext(stream)
        await plugin.aclose()
        for name in ("service.one", "service.quote"):
            with pytest.raises(rustbridge.UnavailableError):
                await plugin.call_async(name, 1)
            with pytest.raises(rustbridge.UnavailableError):
                plugin.call(name, 1)

    asyncio.run(asyncio.wait_for(main(), loops.LIMIT))


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_stream_that_is_dropped_is_given_up_also_if_its_own_context_refers_to_it(load: Load) -> None:
    plugin = load("operations-plugin", services=Observed().plain())
    held: contextvars.ContextVar[Any] = contextvars.ContextVar("held")

    def drop() -> None:
        stream = plugin.stream("stream.ticks", {"to": 1_000_000})
        held.set(stream)
        next(stream)

    contextvars.copy_context().run(drop)
    gc.collect()
    assert not _contexts._kept


def test_typed_services_know_their_call_and_its_context(backend: Any) -> None:
    seen: list[Any] = []

    def note() -> None:
        call = service_call()
        seen.append((user.get(), dict(call.metadata).get("user"), call.time_left is not None))

    class Plain:
        def find(self, request: str) -> t.Person | None:
            note()
            return t.Person(request, 36)

        def fetch(self, request: str) -> t.Person:
            note()
            return t.Person(request, 36)

        def count(self) -> int:
            note()
            return 1

    class Later(Plain):
        async def fetch(self, request: str) -> t.Person:  # type: ignore[override]
            await asyncio.sleep(0)
            note()
            return t.Person(request, 36)

    options = CallOptions(timeout=loops.LIMIT, metadata={"user": "x"})

    def calls(client: t.Types) -> None:
        user.set("ada")
        client.ask("Ada", options=options)
        client.ask_count(options=options)
        client.ask("Ada")
        client.ask_count()

    with t.Types.load(plugin_path("types-plugin"), directory=Plain(), backend=backend) as client:
        contextvars.copy_context().run(calls, client)
        assert seen == [("ada", b"x", True)] * 2 + [("ada", None, False)] * 2

    async def main() -> None:
        user.set("ada")
        seen.clear()
        async with t.Types.load(plugin_path("types-plugin"), directory=Later(), backend=backend) as client:
            await client.ask_later_async("Ada", options=options)
            await asyncio.to_thread(client.ask_later, "Ada")
            await asyncio.to_thread(client.ask, "Ada")
        assert seen == [("ada", b"x", True)] + [("ada", None, False)] * 2

    asyncio.run(asyncio.wait_for(main(), loops.LIMIT))


def test_greenlets_services_see_their_callers_context(python: Script) -> None:
    script = f"""
        from gevent import monkey
        monkey.patch_all()
        import contextvars, faulthandler
        import gevent, rustbridge
        faulthandler.dump_traceback_later(60, exit=True)
        user = contextvars.ContextVar("user", default="nobody")
        seen = []

        def price(article):
            seen.append((article, user.get()))
            return article

        def call(shop, name, number):
            user.set(str(number))
            gevent.sleep(0)
            return shop.call(name, number)

        path = {plugin_path("operations-plugin")!r}
        with rustbridge.load(path, services={{"prices.get": price, "prices.quote": price}}) as shop:
            for name in ("service.one", "service.quote"):
                jobs = [gevent.spawn(call, shop, name, number) for number in range(20)]
                gevent.joinall(jobs, timeout=30)
                assert [job.value for job in jobs] == list(range(20))
                assert sorted(seen) == [(number, str(number)) for number in range(20)], seen
                seen.clear()
        assert not rustbridge._contexts._kept
        print("done")
        """
    result = python(textwrap.dedent(script), dev=False)
    assert (result.stdout, result.stderr) == ("done\n", "")
