"""Values that stay in the plugin."""

from __future__ import annotations

import asyncio
import copy
import gc
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import CallOptions, Object, Reply, _item_decoders, _objects, _options, _queues
from rustbridge._json import codec
from rustbridge._objects import places
from rustbridge._pipe import Pipe

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]


def test_an_object_lives_as_long_as_its_block(operations: rustbridge.Plugin) -> None:
    with operations.call("counter.open", 40) as counter:
        assert (counter.kind, counter.plugin, counter.closed) == ("Counter", operations, False)
        assert counter.call("add", 2) == 42
        assert counter.call("Counter.get") == 42
        assert operations.call("counter.alive") == 1
    assert operations.call("counter.alive") == 0
    counter.close()
    assert counter.closed
    with pytest.raises(ValueError, match="Counter has been closed"):
        counter.call("get")
    with pytest.raises(TypeError, match="copied"):
        copy.copy(counter)


def test_its_methods_may_wait_and_stream(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        with await operations.call_async("counter.open_later", 5) as counter:
            assert await counter.call_async("add_later", 2, timeout=60) == 7
            assert [item async for item in counter.stream("upto", 10)] == [7, 8, 9]
        with await operations.method("counter.open").call_async(1) as counter:
            assert await counter.call_async("get") == 1

    asyncio.run(main())
    with operations.call("counter.open", 5) as counter:
        assert list(counter.stream("upto", 8)) == [5, 6, 7]
    assert operations.call("counter.alive") == 0


def test_objects_stand_in_requests_and_answers(operations: rustbridge.Plugin) -> None:
    first, second, third = operations.call("counter.list", [1, 20, 300])
    assert [one.call("get") for one in (first, second, third)] == [1, 20, 300]
    assert operations.call("counter.total", [third, first, third]) == 601
    assert first.call("absorb", second) == 21
    assert first.call("absorb", first) == 42
    assert operations.call("counter.list", []) == []

    async def main() -> None:
        assert await operations.call_async("counter.total", [first, second]) == 62
        assert await first.call_async("absorb", second) == 62

    asyncio.run(main())
    for one in (first, second, third):
        one.close()
    with pytest.raises(TypeError, match="JSON"):
        operations.call("counter.total", [object()])


def test_a_stream_may_bring_objects(operations: rustbridge.Plugin) -> None:
    counters = list(operations.stream("counter.stream", 3))
    assert [one.call("get") for one in counters] == [0, 1, 2]
    for one in counters:
        one.close()
    # What nobody has taken is released.
    with operations.stream("counter.stream", 1_000) as stream, next(stream) as counter:
        assert counter.call("get") == 0
    assert operations.call("counter.alive") == 0


def test_objects_of_a_batch_that_cannot_be_read_are_released(
    operations: rustbridge.Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(item: bytes) -> Any:
        raise ValueError(item)

    def too_deep(value: Any) -> Any:
        # That of the first item can be gone through.
        turns.append(value)
        if len(turns) == 2:
            raise RecursionError
        return walk(value)

    turns: list[Any] = []
    walk = _objects._walk
    with monkeypatch.context() as patched:
        patched.setattr(_item_decoders, "codec", codec._replace(loads=unreadable))
        with pytest.raises(ValueError, match="0"):
            list(operations.stream("counter.stream", 3))
    with monkeypatch.context() as patched:
        patched.setattr(_objects, "_walk", too_deep)
        with pytest.raises(RecursionError):
            list(operations.stream("counter.stream", 3))
    assert operations.call("counter.alive") == 0


def test_objects_that_come_while_their_stream_is_given_up_are_released(operations: rustbridge.Plugin) -> None:
    method = operations.method("counter.stream")
    queue = _queues.take(method._backend)
    pipe = Pipe(method, None, 8, 1024)
    pipe.begin(queue, method, b"3", _options.EMPTY, 0)
    events: list[_queues.Event] = []
    while not any(event[0] == _queues.DONE for event in events):
        events += queue.backend.queue_poll(queue.number, 1000)
    assert operations.call("counter.alive") == 3
    # As another thread does when the collector runs there.
    pipe.abandon()
    for event in events:
        pipe.told(event)
    assert operations.call("counter.alive") == 0
    _queues.give_back(queue)


def test_what_has_no_place_in_an_answer_goes_to_the_reply(operations: rustbridge.Plugin) -> None:
    reply = Reply()
    method = operations.method("counter.open")
    assert method.call_with(b"7", CallOptions(reply=reply)) == b"0"
    (counter,) = reply.objects
    options = CallOptions(objects=(counter,))
    assert operations.call("Counter.get", None, options) == 7
    assert operations.method("Counter.get").call_with(b"", options) == b"7"
    counter.close()
    # Without a reply nobody would ever release it.
    assert method.call_with(b"7", CallOptions(timeout=60)) == b"0"
    assert operations.call("counter.alive") == 0
    with pytest.raises(rustbridge.FailedPreconditionError):
        operations.call("Counter.get")


def test_the_object_of_a_call_may_be_given_in_any_way(operations: rustbridge.Plugin) -> None:
    with operations.call("counter.open", 40) as counter:
        add = operations.method("Counter.add")
        given: list[Any] = [[counter], (counter,), iter([counter]), {"it": counter}.values()]
        assert [add.call(1, CallOptions(objects=one)) for one in given] == [41, 42, 43, 44]
        raw = operations.method("Counter.add", "json")
        assert raw.call_with(bytearray(b"1"), CallOptions(objects=[counter])) == b"45"
        with pytest.raises(TypeError):
            raw.call_with(5, CallOptions(objects=[counter]))  # type: ignore[arg-type]
        with pytest.raises(rustbridge.InvalidArgumentError):
            add.call("one", CallOptions(objects=[counter]))
        with pytest.raises(AttributeError):
            add.call(1, CallOptions(objects=[7]))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="closed"):
        add.call(1, CallOptions(objects=[counter]))


def test_a_call_whose_task_is_cancelled_leaves_no_object(operations: rustbridge.Plugin) -> None:
    async def main() -> None:
        for turn in range(50):
            task = asyncio.ensure_future(operations.call_async("counter.open_later", 1))
            await asyncio.sleep(0.0001 * (turn % 25))
            task.cancel()
            try:
                (await task).close()
            except asyncio.CancelledError:
                pass
        while operations.call("counter.alive"):
            await asyncio.sleep(0.001)

    asyncio.run(main())


def test_one_that_is_dropped_open_warns_and_is_released(operations: rustbridge.Plugin) -> None:
    counter = operations.call("counter.open", 1)
    assert operations.call("counter.alive") == 1
    with pytest.warns(ResourceWarning, match="Counter open"):  # noqa: PT031
        del counter
        gc.collect()
    assert operations.call("counter.alive") == 0


def test_objects_end_with_their_instance(load: Load) -> None:
    plugin = load("operations-plugin")
    counter = plugin.call("counter.open", 1)
    plugin.close()
    with pytest.raises(rustbridge.UnavailableError):
        counter.call("get")
    # Nothing is left to be released, so nothing is told of it.
    del counter
    gc.collect()


def test_one_of_another_instance_is_refused(load: Load) -> None:
    one, other = load("operations-plugin"), load("operations-plugin")
    with one.call("counter.open", 1) as counter, pytest.raises(rustbridge.PluginError):
        other.call("counter.total", [counter])


def test_a_schema_says_where_objects_stand() -> None:
    mark = {"x-rustbridge-object": "T"}
    schema = {
        "properties": {
            "one": {"$ref": "#/$defs/Either"},
            "map": {"additionalProperties": mark},
            "pair": {"prefixItems": [{"type": "string"}, mark]},
            "tree": {"$ref": "#/$defs/Tree"},
            "number": {"type": "integer"},
        },
        "$defs": {
            "Either": {"anyOf": [mark, {"type": "null"}]},
            "Tree": {"properties": {"value": mark, "leaves": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
        },
    }
    place = places(schema)
    assert place is not None

    class Fake(Object):
        def __init__(self) -> None:
            self._number = 0

    objects: list[Any] = [Fake() for _ in range(6)]
    value = {
        "one": 0,
        "map": {"a": 1},
        "pair": ["0", 2],
        "tree": {"value": 3, "leaves": [{"value": 4, "leaves": []}]},
        "number": 5,
    }
    placed = place(value, list(objects))
    assert placed["one"] is objects[0]
    assert placed["map"]["a"] is objects[1]
    assert placed["pair"] == ["0", objects[2]]
    assert placed["tree"]["value"] is objects[3]
    assert placed["tree"]["leaves"][0]["value"] is objects[4]
    assert placed["number"] == 5
    assert objects[0].kind == "T"
    assert place({"one": None}, [])["one"] is None
    assert places({"type": "integer"}) is None
    assert places(True) is None
