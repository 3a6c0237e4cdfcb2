"""Typed clients' services: what the plugin asks of this program, with types."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import typed
from tests.clients import types_client as t
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

    Backend = Any

ADA = t.Person("Ada", 36)
LIMIT = 60


class OnlyAda:
    """Knows one."""

    def find(self, request: str) -> t.Person | None:
        return ADA if request == "Ada" else None

    def fetch(self, request: str) -> t.Person:
        if not request:
            raise OSError("the line is dead")
        if request != "Ada":
            raise rustbridge.NotFoundError(rustbridge.Status.NOT_FOUND, f"nobody is {request}", "Nobody")
        return ADA

    def count(self) -> int:
        return 2**64 - 1


class Counting:
    """Says how old people are, or what it's told to."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def of(self, request: list[t.Person]) -> dict[str, int]:
        return self.answer or {person.name: person.age for person in request}


class Later:
    """Knows one, by ``async def``."""

    async def find(self, request: str) -> t.Person | None:
        await asyncio.sleep(0)
        return ADA if request == "Ada" else None

    async def fetch(self, request: str) -> t.Person:
        await asyncio.sleep(0)
        if request != "Ada":
            raise LookupError(request)
        return ADA

    async def count(self) -> int:
        return 7


def test_what_a_service_with_types_raises_is_the_cause(backend: Backend) -> None:
    with loaded(backend, directory=OnlyAda()) as client:
        with pytest.raises(rustbridge.InternalError) as failed:
            client.ask_later("")
        assert isinstance(failed.value.__cause__, OSError)
        with pytest.raises(rustbridge.NotFoundError) as unknown:
            client.ask_later("Eve")
        cause = unknown.value.__cause__
        assert isinstance(cause, rustbridge.NotFoundError)
        assert cause.message == "nobody is Eve"


def loaded(backend: Backend, **given: Any) -> t.Types:
    return t.Types.load(plugin_path("types-plugin"), log_level=rustbridge.OFF, backend=backend, **given)


@pytest.fixture
def load(backend: Backend) -> Callable[..., t.Types]:
    return lambda **given: loaded(backend, **given)


def test_implementations_answer(load: Callable[..., t.Types]) -> None:
    with load(directory=OnlyAda(), ages=Counting()) as types:
        assert types.ask("Ada") == ADA
        assert types.ask("Eve") is None
        assert types.ask_later("Ada") == ADA
        assert asyncio.run(types.ask_later_async("Ada")) == ADA
        assert types.ask_count() == 2**64 - 1
        assert types.ask_ages([ADA]) == {"Ada": 36}
        assert types.ask_ages([]) == {}


def test_what_is_raised_becomes_a_status(load: Callable[..., t.Types]) -> None:
    with load(directory=OnlyAda()) as types:
        with pytest.raises(rustbridge.NotFoundError) as nobody:
            types.ask_later("Eve")
        assert nobody.value.type == "Nobody"
        with pytest.raises(rustbridge.InternalError, match="the line is dead") as dead:
            types.ask_later("")
        assert dead.value.type == "OSError"


def test_an_answer_that_does_not_fit_says_where(load: Callable[..., t.Types]) -> None:
    class Wrong(OnlyAda):
        def find(self, request: str) -> t.Person | None:
            return t.Person(request, -1)

        def fetch(self, request: str) -> t.Person:
            return request  # type: ignore[return-value]

        def count(self) -> int:
            return Later().count()  # type: ignore[return-value]

    with load(directory=Wrong(), ages=Counting({"Ada": 2**32})) as types:
        with pytest.raises(rustbridge.InternalError, match=r"directory\.find: response\.age: ") as negative:
            types.ask("Ada")
        assert negative.value.type == "ValueError"
        with pytest.raises(rustbridge.InternalError, match=r"directory\.fetch: response: ") as other:
            types.ask_later("Ada")
        assert other.value.type == "TypeError"
        with pytest.raises(rustbridge.InternalError, match=r"'directory\.count' returned an awaitable"):
            types.ask_count()
        with pytest.raises(rustbridge.InternalError, match=r"ages\.of: response"):
            types.ask_ages([])


def test_what_is_not_given_is_not_there(load: Callable[..., t.Types]) -> None:
    with load(directory=OnlyAda()) as types:
        assert types.ask("Ada") == ADA
        with pytest.raises(rustbridge.NotFoundError, match=r"ages\.of"):
            types.ask_ages([])
    with load() as types, pytest.raises(rustbridge.NotFoundError):
        types.ask("Ada")


def test_what_lacks_a_function_is_refused(load: Callable[..., t.Types]) -> None:
    with pytest.raises(AttributeError, match="find"):
        load(directory=object())


def test_an_async_def_answers_on_its_loop(load: Callable[..., t.Types]) -> None:
    async def main() -> None:
        with load(directory=Later()) as types:
            assert await types.ask_later_async("Ada") == ADA
            with pytest.raises(rustbridge.InternalError) as nobody:
                await types.ask_later_async("Eve")
            assert nobody.value.type == "LookupError"
            assert await asyncio.to_thread(types.ask, "Ada") == ADA
            assert await asyncio.to_thread(types.ask_count) == 7

    asyncio.run(asyncio.wait_for(main(), LIMIT))


def test_an_answer_that_nobody_waits_for_is_cancelled(load: Callable[..., t.Types]) -> None:
    asked, cancelled = threading.Event(), threading.Event()

    class Slow(Later):
        async def fetch(self, request: str) -> t.Person:
            asked.set()
            try:
                await asyncio.sleep(LIMIT)
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return t.Person(request, 0)

    async def main() -> None:
        with load(directory=Slow()) as types:
            call = asyncio.ensure_future(types.ask_later_async("Ada"))
            assert await asyncio.to_thread(asked.wait, LIMIT)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert await asyncio.to_thread(cancelled.wait, LIMIT)

    asyncio.run(asyncio.wait_for(main(), 2 * LIMIT))


def service(name: str, response: str) -> str:
    return f'{{"name":"{name}","encoding":"wire","response":{{"type":"{response}"}}}}'


def written(backend: Backend, request: str, *services: str) -> t.Types:
    """Load as a client does that was written from this."""
    text = f'{{"name":"types","methods":[],"types":[],"services":[{",".join(services)}]}}'
    client_schema = typed.ClientSchema(text, [])
    client_schema._services["directory.count"] = {"request": {"type": request}, "response": {"type": "u64"}}
    arguments = (lambda _: 7) if request != "unit" else (lambda: 7)
    options = {"backend": backend, "log_level": rustbridge.OFF}
    return t.Types._loaded(plugin_path("types-plugin"), None, options, client_schema, {"directory.count": arguments})


def test_services_of_other_types_are_refused_when_the_plugin_is_loaded(backend: Backend) -> None:
    with pytest.raises(rustbridge.PluginError, match="the client has String, and the plugin u64") as refused:
        written(backend, "unit", service("directory.count", "string"))
    assert refused.value.status == rustbridge.Status.FAILED_PRECONDITION
    assert refused.value.type == "rustbridge.TypesDiffer"
    assert "`directory.count`" in refused.value.message
    # Nothing is registered under the other name.
    with written(backend, "unit", service("directory.count", "u64"), service("directory.fetch", "string")) as types:
        assert types.ask_count() == 7


def test_a_request_that_is_not_of_its_type_is_refused(backend: Backend) -> None:
    with (
        written(backend, "u32", service("directory.gone", "u64")) as types,
        pytest.raises(rustbridge.InvalidArgumentError, match="doesn't match the service's type: byte 0") as refused,
    ):
        types.ask_count()
    assert refused.value.type == "rustbridge.InvalidRequest"


def test_services_without_types_are_registered_beside_those_with_types(load: Callable[..., t.Types]) -> None:
    untyped = rustbridge.Service(lambda _: (7).to_bytes(8, "little"), encoding="wire")
    with load(ages=Counting(), services={"directory.count": untyped}) as types:
        assert types.ask_count() == 7
        assert types.ask_ages([ADA]) == {"Ada": 36}
