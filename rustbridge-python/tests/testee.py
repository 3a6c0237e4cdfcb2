"""The testee in Python: does what the judge of the conformance cases tells it, and says what came of it.

`conformance/protocol.md` has both sides of that. Usage: `testee.py native|ctypes`.
"""

from __future__ import annotations

import ctypes
import functools
import json
import logging
import os
import struct
import sys
import traceback
from typing import TYPE_CHECKING, Any, BinaryIO

import rustbridge

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Whatever a command leads to, once all of it has been read.
    Act = Callable[[], bytes | None]

HELLO = """protocol 1
host python/{backend}
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


class Testee:
    """The instances, and the pipes to the judge."""

    def __init__(self, backend: str, commands: BinaryIO, results: BinaryIO) -> None:
        self.backend = backend
        self.commands = commands
        self.results = results
        self.plugins: dict[int, rustbridge.Plugin] = {}
        self.recorders: dict[int, Recorder] = {}
        self.methods: list[Prepared] = []

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
        commands = {b"L": self.loading, b"P": self.preparing, b"I": self.preparing_by_id, b"C": self.calling}
        commands.update({b"X": self.closing, b"V": self.changing_level})
        if letter in commands:
            return commands[letter](number)
        act = {b"S": self.state, b"F": self.flush, b"D": self.drop}[letter]
        return functools.partial(act, number)

    def closing(self, number: int) -> Act:
        seconds = self.number("Q") / 1000
        return lambda: self.plugins[number].close(seconds)

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
        self.plugins[number] = rustbridge.load(
            path,
            config,
            backend=self.backend,  # type: ignore[arg-type]
            on_panic="poison" if poison else "continue",
            log_level=LEVELS[level] if with_sink else rustbridge.OFF,
            logger=logger,
        )
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
        plugin = self.plugins.pop(number, None)
        if plugin is not None:
            plugin.close()
        return b""


def texts(*all_of_them: str) -> bytes:
    return b"".join(struct.pack("<Q", len(text)) + text for text in (one.encode() for one in all_of_them))


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
    Testee(sys.argv[1], sys.stdin.buffer, results).run()


if __name__ == "__main__":
    main()
