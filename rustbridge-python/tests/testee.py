"""The testee in Python: does what the judge of the conformance cases tells it, and says what came of it.

`conformance/protocol.md` has both sides of that. Usage: `testee.py native|ctypes`.
"""

from __future__ import annotations

import asyncio
import collections
import ctypes
import functools
import json
import logging
import os
import struct
import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any, BinaryIO

import rustbridge
from rustbridge import _queues
from rustbridge._errors import error_from_payload

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Whatever a command leads to, once all of it has been read.
    Act = Callable[[], bytes | None]

HELLO = """protocol 1
host python/{backend}
offers header
offers operations
offers offload
offers services
offers objects
offers queues
offers exceptions
way bytes
way buffer misalign
way lease misalign
way into storage=70000 misalign
way text text
way named
way objects value
"""

BREACH = -(2**31)
LEVELS = {
    "OFF": rustbridge.OFF,
    "ERROR": logging.ERROR,
    "WARN": logging.WARNING,
    "INFO": logging.INFO,
    "DEBUG": logging.DEBUG,
    "TRACE": rustbridge.TRACE,
}
LEVEL_NAMES = {number: name for name, number in LEVELS.items()}
GUARD = b"\xa5" * 32


class BreachError(Exception):
    """Something that no host may do, and that only the host's own language can see."""


class Recorder(logging.Handler):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__(0)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class Prepared:
    """A prepared method, with what it takes to call it by name."""

    def __init__(self, plugin: rustbridge.Plugin, name: str | int, encoding: str) -> None:
        self.plugin = plugin
        self.name = name
        self.encoding = encoding
        self.method = plugin.method(name, encoding)


def by_bytes(one: Prepared, request: bytes, _capacity: int, _misalign: int) -> bytes:
    return one.method.call_raw(request)


def by_buffer(one: Prepared, request: bytes, _capacity: int, misalign: int) -> bytes:
    return one.method.call_raw(placed(request, misalign))


def by_lease(one: Prepared, request: bytes, _capacity: int, misalign: int) -> bytes:
    with one.method.lease(placed(request, misalign)) as lease:
        return bytes(lease)


def by_into(one: Prepared, request: bytes, capacity: int, misalign: int) -> bytes:
    # Storage must fit a pod's response to begin with.
    capacity = max(capacity, one.method.response_size)
    room = bytearray(GUARD + bytes(capacity) + GUARD)
    storage = memoryview(room)[len(GUARD) : len(GUARD) + capacity]
    try:
        response = bytes(storage[: one.method.call_raw(placed(request, misalign), into=storage)])
    except rustbridge.ResponseTooLargeError as error:
        if len(error.response) <= capacity:
            raise BreachError(f"{len(error.response)} bytes would have fitted into {capacity}") from error
        response = error.response
    if room[: len(GUARD)] != GUARD or room[len(GUARD) + capacity :] != GUARD:
        raise BreachError("bytes around the storage were written")
    return response


def by_text(one: Prepared, request: bytes, _capacity: int, _misalign: int) -> bytes:
    return one.method.call_json(request.decode()).encode()


def by_name(one: Prepared, request: bytes, _capacity: int, _misalign: int) -> bytes:
    if one.encoding == "json" and isinstance(one.name, str):
        return one.plugin.call_json(one.name, request).encode()
    return one.plugin.call_raw(one.name, request, encoding=one.encoding)


def by_object(one: Prepared, request: bytes, _capacity: int, _misalign: int) -> bytes:
    if not isinstance(one.name, str):
        return one.method.call_raw(request)
    return json.dumps(one.plugin.call(one.name, json.loads(request))).encode()


WAYS: list[Callable[[Prepared, bytes, int, int], bytes]] = [
    by_bytes,
    by_buffer,
    by_lease,
    by_into,
    by_text,
    by_name,
    by_object,
]


def placed(request: bytes, offset: int) -> memoryview:
    """Copy the request to an address that is so much past a multiple of 16."""
    room = bytearray(len(request) + 32)
    start = (offset - ctypes.addressof(ctypes.c_char.from_buffer(room))) % 16
    room[start : start + len(request)] = request
    return memoryview(room)[start : start + len(request)]


class Call(_queues.Listener):
    """A call that was begun, and its events in the form of the judge's, until they are asked for."""

    def __init__(self) -> None:
        self.op = 0
        self.events: collections.deque[bytes] = collections.deque()
        self.has_come = asyncio.Event()

    def told(self, event: tuple[Any, ...]) -> None:
        kind = event[0]
        if kind == _queues.DONE:
            self.end(event[2:])
            return
        if kind == _queues.ITEMS:
            _, _, count, flags, payload, objects = event
            items = split(payload, count, flags)
            self.events.append(b"\2" + struct.pack("<I", count) + b"".join(map(sized, items)) + numbers(objects))
        else:
            self.events.append(b"\3")
        self.has_come.set()

    def end(self, answer: Any) -> None:
        status, payload, trailers, objects = (0, answer, None, None) if isinstance(answer, bytes) else answer[:4]
        if status:
            payload = fields(error_from_payload(status, payload))
        told = struct.pack("<Bi", 1, status) + sized(payload) + sized(trailers or b"") + numbers(objects)
        self.events.append(told)
        self.has_come.set()


class Offered:
    """A service, and what it was asked."""

    def __init__(self, testee: Testee, number: int, name: str, encoding: str, mode: int) -> None:
        self.testee = testee
        self.number = number
        self.name = name
        self.encoding = encoding
        self.mode = mode
        self.status = 0
        self.answer = b""

    def service(self) -> rustbridge.Service:
        if self.mode == 3:
            return rustbridge.Service(self.answered_by_loop, encoding=self.encoding)
        if self.mode in (1, 2):
            return rustbridge.Service(self.answered_later, encoding=self.encoding, loop=self.testee.elsewhere())
        return rustbridge.Service(self.answered, encoding=self.encoding)

    def note(self, request: Any) -> bytes:
        raw: bytes = request if self.encoding != "json" else json.dumps(request, separators=(",", ":")).encode()
        self.testee.asked.setdefault(self.number, []).append(texts(self.name) + sized(raw))
        return raw

    def given(self) -> Any:
        if self.status:
            raise error_from_payload(self.status, self.answer)
        return json.loads(self.answer) if self.encoding == "json" else self.answer

    async def answered_by_loop(self, request: Any) -> Any:
        self.note(request)
        return self.given()

    async def answered_later(self, request: Any) -> Any:
        self.note(request)
        await asyncio.sleep(0.001)
        if self.mode == 2:
            await asyncio.Event().wait()
        return self.given()

    def answered(self, request: Any) -> Any:
        raw = self.note(request)
        plugin = self.testee.plugins.get(self.number)
        if self.mode == 4:
            assert plugin is not None
            answer = plugin.method(self.answer.decode(), self.encoding).call_raw(raw)
            return json.loads(answer) if self.encoding == "json" else answer
        if self.mode == 5:
            raise ValueError("thrown")
        if self.mode == 6:
            assert plugin is not None
            plugin.close(0)
        return self.given()


class Testee:
    """The instances, and the pipes to the judge."""

    def __init__(self, backend: str, commands: BinaryIO, results: BinaryIO) -> None:
        self.backend = backend
        self.commands = commands
        self.results = results
        self.plugins: dict[int, rustbridge.Plugin] = {}
        self.recorders: dict[int, Recorder] = {}
        self.methods: list[Prepared] = []
        self.calls: dict[int, Call] = {}
        self.offered: dict[int, list[Offered]] = {}
        self.asked: dict[int, list[bytes]] = {}
        self.loop = asyncio.new_event_loop()
        self.loop_queue: _queues.LoopQueue | None = None
        self.other_loop: asyncio.AbstractEventLoop | None = None

    def elsewhere(self) -> asyncio.AbstractEventLoop:
        """Give a loop that runs on another thread."""
        if self.other_loop is None:
            self.other_loop = asyncio.new_event_loop()
            self.other_thread = threading.Thread(target=self.other_loop.run_forever, daemon=True)
            self.other_thread.start()
            while not self.other_loop.is_running():
                time.sleep(0.001)
        return self.other_loop

    def on_loop(self, work: Callable[[], Any]) -> Any:
        """Do something while the loop runs."""

        async def run() -> Any:
            return work()

        return self.loop.run_until_complete(run())

    def queue(self) -> _queues.LoopQueue:
        """Give the loop's queue. It's looked at while the loop runs only: in `E`."""
        queue = self.loop_queue
        if queue is None or queue.fd < 0:
            backend = rustbridge._backend.choose(self.backend)
            queue = self.loop_queue = self.on_loop(lambda: _queues.of_running_loop(backend))
        return queue

    def number(self, form: str) -> int:
        return int(struct.unpack(f"<{form}", self.commands.read(struct.calcsize(f"<{form}")))[0])

    def content(self) -> bytes:
        return self.commands.read(self.number("Q"))

    def text(self) -> str:
        return self.content().decode()

    def give(self, letter: bytes, status: int, content: bytes) -> None:
        self.results.write(letter + struct.pack("<iQ", status, len(content)))
        self.results.write(content)
        self.results.flush()

    def run(self) -> None:
        while letter := self.commands.read(1):
            act = self.command(letter)
            try:
                content = act() or b""
            except rustbridge.PluginError as error:
                self.give(letter, error.status, fields(error))
            except BaseException:
                self.give(letter, BREACH, traceback.format_exc().encode())
            else:
                self.give(letter, 0, content)

    def command(self, letter: bytes) -> Act:
        """Read a command whole, so that whatever it leads to, the next one begins where it ends."""
        if letter == b"H":
            return HELLO.format(backend=self.backend).encode
        number = self.number("B")
        if letter == b"Q":
            return lambda: self.queue().close()
        commands = {b"L": self.loading, b"P": self.preparing, b"I": self.preparing_by_id, b"C": self.calling}
        commands.update({b"X": self.closing, b"V": self.changing_level, b"Y": self.closing_and_cancelling})
        commands.update({b"W": self.beginning, b"E": self.asking, b"N": self.demanding, b"T": self.sending})
        commands.update({b"Z": self.finishing, b"O": self.releasing, b"R": self.registering, b"K": self.cancelling})
        commands.update({b"G": self.detaching, b"A": self.telling_asked})
        if letter in commands:
            return commands[letter](number)
        act = {b"S": self.state, b"F": self.flush, b"D": self.drop}[letter]
        return functools.partial(act, number)

    def closing(self, number: int) -> Act:
        seconds = self.number("Q") / 1000
        return lambda: self.plugins[number].close(seconds)

    def closing_and_cancelling(self, number: int) -> Act:
        seconds, after = self.number("Q") / 1000, self.number("Q") / 1000
        return lambda: self.plugins[number].close(seconds, after)

    def beginning(self, _number: int) -> Act:
        call, method, how = self.number("B"), self.number("I"), self.number("B")
        nanoseconds = self.number("Q")
        trace, state, metadata, objects = (self.content() for _ in range(4))
        credit, credit_bytes, request = self.number("Q"), self.number("Q"), self.content()
        flags = (0 if nanoseconds == 2**64 - 1 else 1) | (2 if trace else 0)
        header = flags, nanoseconds if flags & 1 else 0, trace, state, metadata, objects, 0
        return lambda: self.begin(call, self.methods[method].method, how, header, request, (credit, credit_bytes))

    def begin(
        self, number: int, method: rustbridge.Method, how: int, header: Any, request: bytes, credit: tuple[int, int]
    ) -> None:
        call = self.calls[number] = Call()
        backend, handle, entry = method._backend, method._handle, method._entry
        if how == 1:
            call.end(backend.call_with(handle, entry, request, header))
            return

        queue = self.queue()
        op = backend.submit(queue.number, handle, entry, request, 1 if how == 2 else 0, header, *credit)
        if isinstance(op, int):
            call.op = op
            queue.listeners[op] = call
        else:
            call.end(op)

    def asking(self, _number: int) -> Act:
        call, seconds = self.number("B"), self.number("Q") / 1000
        return lambda: self.event(self.calls[call], seconds)

    def event(self, call: Call, seconds: float) -> bytes:
        async def wait() -> None:
            # What an earlier event has brought about may have to be done, too.
            await asyncio.sleep(0)
            while not call.events:
                call.has_come.clear()
                await call.has_come.wait()

        if not call.events:
            try:
                self.loop.run_until_complete(asyncio.wait_for(wait(), seconds))
            except asyncio.TimeoutError:
                return b"\0"
        return call.events.popleft()

    def act(self, call: int, act: str, *arguments: Any) -> Act:
        return lambda: getattr(rustbridge._backend.choose(self.backend), act)(self.calls[call].op, *arguments)

    def cancelling(self, _number: int) -> Act:
        return self.act(self.number("B"), "op_cancel")

    def detaching(self, _number: int) -> Act:
        return self.act(self.number("B"), "op_detach")

    def demanding(self, _number: int) -> Act:
        return self.act(self.number("B"), "op_demand", self.number("Q"), self.number("Q"))

    def sending(self, _number: int) -> Act:
        call = self.number("B")
        items = [self.content() for _ in range(self.number("I"))]
        ends = [sum(map(len, items[: index + 1])) for index in range(len(items))]
        data = b"".join(items) + struct.pack(f"={len(ends)}I", *ends)
        return self.act(call, "op_write", data, len(items), 1)

    def finishing(self, _number: int) -> Act:
        return self.act(self.number("B"), "op_end", self.number("I"), self.content())

    def releasing(self, _number: int) -> Act:
        number = self.number("Q")

        def release() -> None:
            status = rustbridge._backend.choose(self.backend).object_release(number)
            if status:
                raise error_from_payload(status, b"")

        return release

    def registering(self, number: int) -> Act:
        name, _code, encoding, mode = self.text(), self.number("I"), self.text(), self.number("B")
        one = Offered(self, number, name, encoding, mode)
        one.status, one.answer = self.number("I"), self.content()
        return lambda: self.offered.setdefault(number, []).append(one)

    def telling_asked(self, number: int) -> Act:
        return lambda: b"".join(self.asked.pop(number, []))

    def changing_level(self, number: int) -> Act:
        level = LEVELS[self.text()]
        return lambda: setattr(self.plugins[number], "log_level", level)

    def loading(self, number: int) -> Act:
        path, form, content = self.text(), self.number("B"), self.content()
        config = [None, content.decode(errors="replace"), content][form]
        poison, level, with_sink = self.number("B"), self.text(), self.number("B")
        return lambda: self.load(number, path, config, bool(poison), level, bool(with_sink))

    def preparing(self, number: int) -> Act:
        name, _code, encoding = self.text(), self.number("I"), self.text()
        return lambda: self.prepare(number, name, encoding)

    def preparing_by_id(self, number: int) -> Act:
        method_id, _code, encoding = self.number("I"), self.number("I"), self.text()
        return lambda: self.prepare(number, method_id, encoding)

    def calling(self, _number: int) -> Act:
        entry, way, _leaf = self.number("I"), self.number("B"), self.number("B")
        capacity, misalign, request = self.number("Q"), self.number("B"), self.content()
        return lambda: WAYS[way](self.methods[entry], request, capacity, misalign)

    def load(self, number: int, path: str, config: Any, poison: bool, level: str, with_sink: bool) -> bytes:
        logger = logging.Logger("conformance", 1)
        recorder = self.recorders[number] = Recorder()
        logger.addHandler(recorder)
        services = {one.name: one.service() for one in self.offered.pop(number, [])}
        self.asked.pop(number, None)
        loaded = functools.partial(
            rustbridge.load,
            path,
            config,
            services=services,
            backend=self.backend,  # type: ignore[arg-type]
            on_panic="poison" if poison else "continue",
            log_level=LEVELS[level] if with_sink else rustbridge.OFF,
            logger=logger,
        )
        # Those that go to the loop's queue are registered where it runs.
        self.plugins[number] = self.on_loop(loaded) if services else loaded()
        if self.plugins[number].backend != self.backend:
            raise BreachError(f"{self.plugins[number].backend} instead of {self.backend}")
        return b""

    def prepare(self, number: int, name: str | int, encoding: str) -> bytes:
        self.methods.append(Prepared(self.plugins[number], name, encoding))
        return struct.pack("<I", len(self.methods) - 1)

    def state(self, number: int) -> bytes:
        return self.plugins[number].state.value.encode()

    def flush(self, number: int) -> bytes:
        # One that is closed has delivered everything.
        if self.plugins[number].state is not rustbridge.State.CLOSED:
            self.plugins[number].flush_logs(10)
        return b"".join(map(written, self.recorders.pop(number).records))

    def drop(self, number: int) -> bytes:
        self.recorders.pop(number, None)
        self.offered.pop(number, None)
        plugin = self.plugins.pop(number, None)
        if plugin is not None:
            plugin.close()
        return b""


def texts(*all_of_them: str) -> bytes:
    return b"".join(struct.pack("<Q", len(text)) + text for text in (one.encode() for one in all_of_them))


def sized(content: bytes) -> bytes:
    return struct.pack("<Q", len(content)) + content


def numbers(objects: tuple[int, ...] | None) -> bytes:
    return sized(struct.pack(f"={len(objects or ())}Q", *(objects or ())))


def split(payload: bytes, count: int, flags: int) -> list[bytes]:
    if flags & 1:
        ends = struct.unpack_from(f"={count}I", payload, len(payload) - 4 * count)
        return [payload[start:end] for start, end in zip((0, *ends), ends, strict=False)]
    if len(payload) % count:
        raise BreachError(f"{count} items in {len(payload)} bytes")
    size = len(payload) // count
    return [payload[index * size : (index + 1) * size] for index in range(count)]


def fields(error: rustbridge.PluginError) -> bytes:
    """Give an error as a user sees it."""
    details = json.dumps(error.details) if error.details else ""
    return texts(error.message, error.type, details, error.backtrace or "")


def written(record: logging.LogRecord) -> bytes:
    extra: dict[str, Any] = record.__dict__["rustbridge"]
    if extra["kind"] != "event":
        return b""
    fields, spans = json.dumps(extra["fields"]), json.dumps(extra["spans"])
    return texts(LEVEL_NAMES[record.levelno], extra["target"], record.getMessage(), fields, spans)


def main() -> None:
    # Whatever else is printed must not get between the results.
    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    testee = Testee(sys.argv[1], sys.stdin.buffer, results)
    testee.run()
    testee.loop.run_until_complete(testee.loop.shutdown_asyncgens())
    testee.loop.close()
    if testee.other_loop is not None:
        testee.other_loop.call_soon_threadsafe(testee.other_loop.stop)
        testee.other_thread.join(10)


if __name__ == "__main__":
    main()
