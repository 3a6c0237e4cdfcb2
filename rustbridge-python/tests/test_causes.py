"""Exceptions of this program that come back to it through a plugin."""

from __future__ import annotations

import asyncio
import gc
import traceback
import weakref
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _causes
from tests import loops

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    Load = Callable[..., rustbridge.Plugin]


class OfThisProgramError(Exception):
    """One that no other test raises."""


def line_that_throws(number: int) -> int:
    raise OfThisProgramError(number)


async def line_that_throws_later(number: int) -> int:
    await asyncio.sleep(0.001)
    return line_that_throws(number)


@pytest.mark.parametrize("method", ["service.one", "service.total", "service.quote", "service.task"])
def test_what_a_service_raised_is_the_cause(load: Load, loop: str, method: str, caplog: Any) -> None:
    async def main() -> None:
        services = {"prices.get": line_that_throws, "prices.quote": line_that_throws_later}
        plugin = load("operations-plugin", services=services, name="throwing")
        calls = [plugin.call_async]
        if method != "service.quote":
            calls.append(lambda *of: asyncio.to_thread(plugin.call, *of))
        for call in calls:
            caplog.clear()
            with pytest.raises(rustbridge.InternalError) as caught:
                await call(method, [1] if method == "service.total" else 1)
            cause = caught.value.__cause__
            assert isinstance(cause, OfThisProgramError)
            assert "line_that_throws" in "".join(traceback.format_exception(cause))
            assert "cause" not in caught.value.details
            (record,) = [record for record in caplog.records if record.name == "rustbridge.throwing"]
            assert record.levelname == "ERROR"
            assert "prices." in record.getMessage()
            assert record.exc_info[1] is cause

    loops.run(loop, main())


def test_an_error_with_a_status_is_a_cause_and_not_logged(load: Load, caplog: Any) -> None:
    raised = rustbridge.NotFoundError(rustbridge.Status.NOT_FOUND, "no such")

    def fails(_: int) -> int:
        raise raised

    plugin = load("operations-plugin", services={"prices.get": fails})
    with pytest.raises(rustbridge.NotFoundError) as caught:
        plugin.call("service.one", 1)
    assert caught.value is not raised
    assert caught.value.__cause__ is raised
    assert not [record for record in caplog.records if "prices.get" in record.getMessage()]


def test_what_a_source_raised_is_raised(load: Load, loop: str) -> None:
    def items() -> Iterator[dict[str, int]]:
        yield {"value": 1}
        line_that_throws(2)

    async def later() -> AsyncIterator[dict[str, int]]:
        yield {"value": 1}
        await line_that_throws_later(2)

    plugin = load("operations-plugin")
    with pytest.raises(OfThisProgramError) as caught:
        plugin.send("items.sum", items(), {"value": 1})
    assert "line_that_throws" in "".join(traceback.format_exception(caught.value))

    async def main() -> None:
        for source in (items, later):
            with pytest.raises(OfThisProgramError) as caught:
                await plugin.send_async("items.sum", source(), {"value": 1})
            assert "line_that_throws" in "".join(traceback.format_exception(caught.value))

    loops.run(loop, main())


def test_what_no_plugin_sends_back_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for number in range(2 * _causes.LIMIT):
        error = OfThisProgramError(number)
        kept.append((weakref.ref(error), _causes.keep(error)))
        del error
    gc.collect()
    alive = [name for error, name in kept if error() is not None]
    assert len(alive) == _causes.LIMIT
    assert _causes.take(kept[0][1]) is None
    assert isinstance(_causes.take(alive[-1]), OfThisProgramError)
    assert _causes.take(alive[-1]) is None
    monkeypatch.setattr(_causes, "SECONDS", 0.0)
    last = _causes.keep(OfThisProgramError(0))
    gc.collect()
    assert not [name for error, name in kept if error() is not None]
    assert _causes.take(last) is None
    for other in (None, 7, "", "0-1"):
        assert _causes.take(other) is None
