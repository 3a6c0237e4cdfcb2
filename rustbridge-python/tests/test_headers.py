"""Response headers: what a plugin says before anything else of a call."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import CallOptions, Reply
from tests import loops
from tests.clients import types_client as t
from tests.streaming import each, span, values

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    Load = Callable[..., rustbridge.Plugin]

METADATA: list[tuple[str, str | bytes]] = [("served-by", "b7"), ("raw-bin", b"\0\xff"), ("served-by", "b8")]
SAID = [("served-by", b"b7"), ("raw-bin", b"\0\xff"), ("served-by", b"b8")]
FIRST = ("first", b"1")
NOTE = {"text": "Hi"}

#: With what its header besides, what is sent is as long as metadata may be.
LONG = {"long": "x" * (65536 - 4 - 8 - len("long"))}

ANSWERING = pytest.mark.parametrize(
    ("name", "headers"), [("headers.now", SAID), ("headers.soon", SAID), ("headers.later", [FIRST, *SAID])]
)

STREAMING = pytest.mark.parametrize(
    ("name", "count"),
    [("headers.items", 0), ("headers.items", 1), ("headers.items", 600), ("headers.ticks", 0), ("headers.ticks", 3)],
)


@ANSWERING
@pytest.mark.parametrize("is_interruptible", [False, True])
def test_they_come_with_an_answer(
    operations: rustbridge.Plugin, name: str, headers: list[tuple[str, bytes]], is_interruptible: bool
) -> None:
    reply = Reply()
    options = CallOptions(metadata=METADATA, reply=reply, interruptible=is_interruptible)
    method = operations.method(name)
    answers: tuple[Callable[[], Any], ...] = (
        lambda: operations.call(name, NOTE, options),
        lambda: method.call(NOTE, options),
        lambda: json.loads(operations.call_json(name, json.dumps(NOTE), options)),
        lambda: json.loads(method.call_with(json.dumps(NOTE).encode(), options)),
    )
    for answer in answers:
        assert answer() == NOTE
        assert (reply.headers, reply.trailers) == (headers, [])
    # The next answer takes their place.
    operations.call("call.carried", None, CallOptions(metadata={"k": "v"}, reply=reply, interruptible=is_interruptible))
    assert (reply.headers, reply.trailers) == ([], [("k", b"v")])
    assert repr(reply) == "<rustbridge.Reply with 0 headers, 1 trailers and 0 objects>"


@ANSWERING
def test_they_come_with_an_answer_that_is_awaited(
    operations: rustbridge.Plugin, loop: str, name: str, headers: list[tuple[str, bytes]]
) -> None:
    async def main() -> None:
        reply = Reply()
        assert await operations.call_async(name, NOTE, metadata=METADATA, reply=reply) == NOTE
        assert (reply.headers, reply.trailers) == (headers, [])
        assert await operations.method(name).call_async(NOTE, reply=reply) == NOTE
        assert reply.headers == headers[: len(headers) - len(SAID)]
        await operations.call_async("async.later", NOTE, reply=reply)
        assert reply.headers == []

    loops.run(loop, main())


def test_they_come_with_an_error(operations: rustbridge.Plugin, loop: str) -> None:
    refusal = {"status": 7, "why": "no"}
    for is_interruptible in (False, True):
        reply = Reply()
        with pytest.raises(rustbridge.PermissionDeniedError, match="no"):
            operations.call("headers.refuse", refusal, CallOptions(None, METADATA, None, (), reply, is_interruptible))
        assert reply.headers == SAID

    async def main() -> None:
        reply = Reply()
        with pytest.raises(rustbridge.PermissionDeniedError, match="no"):
            await operations.call_async("headers.refuse", refusal, metadata=METADATA, reply=reply)
        assert reply.headers == SAID

    loops.run(loop, main())


@STREAMING
def test_a_stream_has_them_with_its_first_item_or_its_end(
    operations: rustbridge.Plugin, loop: str, name: str, count: int
) -> None:
    reply = Reply()
    options = CallOptions(metadata=METADATA, reply=reply)
    numbers = []
    for number in operations.stream(name, span(0, count), options):
        assert reply.headers == SAID
        numbers.append(number)
    assert (numbers, reply.headers) == (list(range(count)), SAID)

    async def main() -> None:
        reply = Reply()
        numbers = []
        stream = operations.stream(name, span(0, count), CallOptions(metadata=METADATA, reply=reply))
        assert reply.headers == []
        async for batch in stream.batches():
            assert reply.headers == SAID
            numbers += batch
        assert (numbers, reply.headers) == (list(range(count)), SAID)

    loops.run(loop, main())


@pytest.mark.parametrize("has_reply", [False, True])
@STREAMING
def test_a_streams_are_seen_before_its_first_item(
    operations: rustbridge.Plugin, loop: str, name: str, count: int, has_reply: bool
) -> None:
    reply = Reply() if has_reply else None
    options = CallOptions(metadata=METADATA, reply=reply)
    stream = operations.stream(name, span(0, count), options)
    assert stream.headers() == SAID
    assert list(stream) == list(range(count))
    assert stream.headers() == SAID
    assert reply is None or reply.headers == SAID

    async def main() -> None:
        stream = operations.stream(name, span(0, count), options)
        # By several, and while an item is waited for.
        asking = [asyncio.ensure_future(stream.headers_async()) for _ in range(2)]
        await asyncio.sleep(0)
        numbers = [number async for number in stream]
        assert (await asyncio.gather(*asking), numbers) == ([SAID, SAID], list(range(count)))
        # They are there, so nothing is waited for.
        assert await stream.headers_async() == SAID == stream.headers()
        assert reply is None or reply.headers == SAID

    loops.run(loop, main())


def test_a_stream_that_says_none_has_none(operations: rustbridge.Plugin, loop: str) -> None:
    for count in (0, 3):
        stream = operations.stream("stream.ticks", span(0, count))
        assert stream.headers() == []
        assert list(stream) == list(range(count))
        assert stream.headers() == []
    stream = operations.stream("stream.ticks", span(0, 2), CallOptions(reply=Reply()))
    assert next(stream) == 0
    # The first item was taken, so nothing is waited for.
    assert stream.headers() == []
    assert list(stream) == [1]

    async def main() -> None:
        stream = operations.stream("stream.ticks", span(0, 3))
        assert await stream.headers_async() == []
        assert [item async for item in stream] == [0, 1, 2]

    loops.run(loop, main())


def test_a_stream_that_fails_has_them_and_raises_by_its_items(operations: rustbridge.Plugin, loop: str) -> None:
    for name, request, count in (
        ("headers.ticks", span(0, 9, fail_at=0), 0),
        ("headers.ticks", span(0, 9, fail_at=2), 2),
    ):
        stream = operations.stream(name, request, CallOptions(metadata=METADATA))
        assert stream.headers() == SAID
        assert [next(stream) for _ in range(count)] == list(range(count))
        with pytest.raises(rustbridge.DataLossError):
            next(stream)
        assert stream.headers() == SAID

    async def main() -> None:
        reply = Reply()
        stream = operations.stream("headers.ticks", span(0, 9, fail_at=0), CallOptions(metadata=METADATA, reply=reply))
        assert await stream.headers_async() == SAID == reply.headers
        with pytest.raises(rustbridge.DataLossError):
            await anext(stream)

    loops.run(loop, main())
    # One that isn't begun has none.
    stream = operations.stream("headers.items", span(0, 9), CallOptions(timeout=0, metadata=METADATA))
    assert stream.headers() == []
    with pytest.raises(rustbridge.DeadlineExceededError):
        next(stream)


def test_what_is_sent_items_has_them(operations: rustbridge.Plugin, loop: str) -> None:
    reply = Reply()
    options = CallOptions(metadata=METADATA, reply=reply)
    assert operations.send("headers.sum", values(4), {"value": 1}, options) == {"value": 7}
    assert reply.headers == SAID
    assert operations.send("headers.sum", [], {"value": 1}, CallOptions(reply=reply)) == {"value": 1}
    assert reply.headers == []
    exchange = operations.exchange("headers.double", values(300), None, options)
    assert exchange.headers() == SAID == reply.headers
    assert list(exchange) == [{"value": 2 * number} for number in range(300)]

    async def main() -> None:
        reply = Reply()
        options = CallOptions(metadata=METADATA, reply=reply)
        assert await operations.send_async("headers.sum", each(values(4)), {"value": 1}, options) == {"value": 7}
        assert reply.headers == SAID
        exchange = operations.exchange("headers.double", each(values(30)), None, options)
        assert await exchange.headers_async() == SAID == reply.headers
        assert [item async for item in exchange] == [{"value": 2 * number} for number in range(30)]

    loops.run(loop, main())


def test_who_asks_for_none_gets_the_answer_all_the_same(operations: rustbridge.Plugin, loop: str) -> None:
    options = CallOptions(metadata=METADATA)
    for name in ("headers.now", "headers.soon", "headers.later"):
        assert operations.call(name, NOTE, options) == NOTE
    stream = operations.stream("headers.items", span(3, 5), options)
    assert next(stream) == 3
    with pytest.raises(RuntimeError, match="opened without headers"):
        stream.headers()
    assert list(stream) == [4]

    async def main() -> None:
        assert await operations.call_async("headers.later", NOTE, metadata=METADATA) == NOTE
        stream = operations.stream("headers.items", span(3, 5), options)
        assert await anext(stream) == 3
        with pytest.raises(RuntimeError, match="opened without headers"):
            await stream.headers_async()
        assert await anext(stream) == 4

    loops.run(loop, main())


def test_a_call_that_is_cancelled_has_none_and_the_next_one_its_own(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        reply = Reply()
        await operations.call_async("headers.soon", NOTE, metadata=METADATA, reply=reply)
        never = asyncio.ensure_future(operations.call_async("headers.never", metadata={"never": ""}, reply=reply))
        await asyncio.sleep(0.01)
        never.cancel()
        with pytest.raises(asyncio.CancelledError):
            await never
        assert (reply.headers, reply.trailers) == ([], [])
        # Its own time is up, so its end is told, and they come with it.
        with pytest.raises(rustbridge.DeadlineExceededError):
            await operations.call_async("headers.never", metadata={"never": ""}, timeout=0.5, reply=reply)
        assert reply.headers == [("never", b"")]
        asking = asyncio.ensure_future(operations.exchange("headers.double", endless()).headers_async())
        await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await operations.call_async("headers.later", NOTE, metadata=METADATA, reply=reply)
        assert reply.headers == [FIRST, *SAID]

    async def endless() -> AsyncIterator[Any]:
        await asyncio.sleep(loops.LIMIT)
        yield None

    with pytest.warns(ResourceWarning, match="dropped before its end"):
        loops.run(loop, main())
    with pytest.raises(rustbridge.DeadlineExceededError):
        operations.call("headers.never", None, CallOptions(0.5, METADATA, reply=(reply := Reply())))
    assert reply.headers == SAID


def test_a_stream_that_was_closed_has_those_that_have_come(operations: rustbridge.Plugin, loop: str) -> None:
    options = CallOptions(metadata=METADATA)
    stream = operations.stream("headers.items", span(0, 1_000_000), options)
    assert stream.headers() == SAID
    stream.close()
    assert stream.headers() == SAID
    assert list(stream) == []
    unbegun = operations.stream("headers.items", span(0, 9), options)
    unbegun.close()
    assert unbegun.headers() == []

    async def main() -> None:
        unbegun = operations.stream("headers.items", span(0, 9), options)
        await unbegun.aclose()
        assert await unbegun.headers_async() == []
        assert [item async for item in unbegun] == []
        async with operations.exchange("headers.double", each([]), None, options) as empty:
            assert await empty.headers_async() == SAID
        assert await empty.headers_async() == SAID

    loops.run(loop, main())


def test_a_closed_plugin_has_none_and_one_that_closes_tells_what_was_said(load: Load, loop: str) -> None:
    plugin = load("operations-plugin")
    items = plugin.method("headers.items")

    async def main() -> None:
        reply = Reply()
        options = CallOptions(metadata=METADATA, reply=reply)
        never = asyncio.ensure_future(plugin.call_async("headers.never", None, options))
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def nothing() -> AsyncIterator[Any]:
            await sent
            yield None

        exchange = plugin.exchange("headers.double", nothing(), None, CallOptions(metadata=METADATA))
        headers = asyncio.ensure_future(exchange.headers_async())
        await asyncio.sleep(0.01)
        await plugin.aclose(timeout=loops.LIMIT, cancel_after=0)
        with pytest.raises(rustbridge.PluginError):
            await never
        assert reply.headers == SAID
        # It runs on a thread of the plugin's, and may not have come to it.
        assert await headers in (SAID, [])
        with pytest.raises(rustbridge.PluginError):
            await anext(exchange)
        sent.cancel()

    loops.run(loop, main())
    reply = Reply()
    with pytest.raises(rustbridge.PluginError):
        plugin.call("headers.now", NOTE, CallOptions(metadata=METADATA, reply=reply))
    assert reply.headers == []
    stream = items.stream(span(0, 9), CallOptions(metadata=METADATA))
    assert stream.headers() == []
    with pytest.raises(rustbridge.PluginError):
        next(stream)


def test_they_have_the_limit_that_all_metadata_has(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        reply = Reply()
        await operations.call_async("headers.soon", NOTE, metadata=LONG, reply=reply)
        assert reply.headers == [("long", LONG["long"].encode())]
        with pytest.raises(rustbridge.ResourceExhaustedError) as caught:
            await operations.call_async("headers.later", NOTE, metadata=LONG, reply=reply)
        assert caught.value.type == "rustbridge.InvalidMetadata"
        assert reply.headers == [FIRST]
        with pytest.raises(rustbridge.InvalidArgumentError, match="metadata"):
            await operations.call_async("headers.soon", NOTE, metadata={"Key": "v"}, reply=reply)
        assert reply.headers == []
        stream = operations.stream("headers.ticks", span(0, 2), CallOptions(metadata=LONG))
        assert await stream.headers_async() == [("long", LONG["long"].encode())]
        assert [item async for item in stream] == [0, 1]

    loops.run(loop, main())
    reply = Reply()
    for name in ("headers.now", "headers.soon"):
        operations.call(name, NOTE, CallOptions(metadata=LONG, reply=reply))
        assert reply.headers == [("long", LONG["long"].encode())]
    stream = operations.stream("headers.items", span(0, 2), CallOptions(metadata=LONG))
    assert stream.headers() == [("long", LONG["long"].encode())]
    assert list(stream) == [0, 1]


def test_many_calls_have_each_its_own(operations: rustbridge.Plugin, loop: str) -> None:
    async def main() -> None:
        replies = [Reply() for _ in range(500)]
        later = operations.method("headers.later")
        calls = [later.call_async(NOTE, metadata={"index": str(at)}, reply=one) for at, one in enumerate(replies)]
        await asyncio.gather(*calls)
        assert [one.headers for one in replies] == [[FIRST, ("index", str(at).encode())] for at in range(500)]

    loops.run(loop, main())


def test_a_stream_begun_by_a_loop_is_not_asked_by_a_plain_function_that_would_wait(
    operations: rustbridge.Plugin,
) -> None:
    async def main() -> None:
        exchange = operations.exchange("headers.double", each(values(2)), None, CallOptions(metadata=METADATA))
        first = asyncio.ensure_future(anext(exchange))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError):
            exchange.headers()
        assert await first == {"value": 0}
        await exchange.aclose()
        plain = operations.stream("headers.ticks", span(0, 9), CallOptions(metadata=METADATA))
        assert plain.headers() == SAID
        # They are there, so nothing is waited for.
        assert await plain.headers_async() == SAID
        plain.close()

    asyncio.run(main())


def test_a_thread_may_close_the_stream_whose_headers_another_waits_for(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        hold = asyncio.Event()

        async def nothing() -> AsyncIterator[Any]:
            await hold.wait()
            yield None

        exchange = operations.exchange("headers.double", nothing(), None, CallOptions(metadata=METADATA))
        asking = asyncio.ensure_future(exchange.headers_async())
        await asyncio.sleep(0.01)
        loop = asyncio.get_running_loop()
        threading.Thread(target=lambda: loop.call_soon_threadsafe(exchange.close)).start()
        assert await asyncio.wait_for(asking, loops.LIMIT) == []

    asyncio.run(main())


@pytest.fixture
def types(load: Load) -> t.Types:
    return t.Types(load("types-plugin"))


def people(count: int) -> Iterator[t.Person]:
    return (t.Person(f"person {number}", number) for number in range(count))


def test_typed_clients_have_them(types: t.Types, loop: str) -> None:
    reply = Reply()
    options = CallOptions(metadata=METADATA, reply=reply)
    ada = t.Person("Ada", 36)

    def taken() -> list[tuple[str, bytes]]:
        headers = reply.headers
        reply._begin()
        return headers

    assert types.later(ada, options=options) == ada
    assert taken() == SAID
    with pytest.raises(rustbridge.InvalidArgumentError):
        types.later(t.Person("", 1), options=options)
    assert taken() == SAID
    stream = types.repeat(t.Repeat(ada, 3), options=options)
    assert stream.headers() == SAID == taken()
    assert [person.age for person in stream] == [36, 37, 38]
    assert types.collect(people(3), 1, options=options).total == 4
    assert taken() == SAID
    shapes: list[t.Shape] = [t.ShapeCircle(1.0), t.ShapeNothing()]
    exchange = types.reshape(shapes, options=options)
    assert exchange.headers() == SAID == taken()
    assert list(exchange) == shapes
    # Objects have their places without a word of headers.
    with types.counter(7, options=options) as counter:
        assert (counter.get(), taken()) == (7, [])

    async def main() -> None:
        assert await types.later_async(ada, options=options) == ada
        assert taken() == SAID
        stream = types.repeat(t.Repeat(ada, 3), options=options)
        assert await stream.headers_async() == SAID == taken()
        assert [person.age async for person in stream] == [36, 37, 38]
        assert (await types.collect_async(people(3), 1, options=options)).total == 4
        assert taken() == SAID

    loops.run(loop, main())
