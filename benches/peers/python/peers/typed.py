"""Peers whose functions have types: what UniFFI, PyO3 and BoltFFI give the host looks the same."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from array import array
from functools import partial
from typing import TYPE_CHECKING, Any

from peers.peer import AWAITED, ECHO, REASON, Peer

if TYPE_CHECKING:
    from collections.abc import Callable


class Typed(Peer):
    """A module of typed functions and records."""

    module = ""
    #: What a failed call raises.
    failure = "Failure"

    def __init__(self) -> None:
        self.native: Any = None

    def load(self) -> None:
        """Import the module from the folder that the build has filled."""
        sys.path.insert(0, os.path.join(os.environ["RUSTBRIDGE_PEERS_DIR"], self.subject))
        self.native = importlib.import_module(self.module)

    def reason_of(self, error: Any) -> str:
        """Read why a call failed."""
        return str(error)

    def numbers(self, count: int) -> Any:
        """Give integers from 1 as this peer takes them fastest."""
        return list(range(1, count + 1))

    def empty(self) -> Callable[[], Any]:
        """Do nothing."""
        return self.native.empty  # type: ignore[no-any-return]

    def pod8(self) -> Callable[[], Any]:
        """Add two numbers of a record that exists."""
        return partial(self.native.pod8, self.native.Pair(a=40, b=2))

    def wanted(self) -> Any:
        """Give the class of keys."""
        return self.native.Key

    def small(self) -> Callable[[], Any]:
        """Look a key up, of a record that exists."""
        return partial(self.native.small, self.wanted()(key="bench_key", flags=1))

    def echo(self) -> Callable[[], Any]:
        """Echo a text of JSON."""
        return partial(self.native.echo_json, ECHO)

    def primitive(self) -> Callable[[], Any]:
        """Divide."""
        return partial(self.native.div, 10, 2)

    def join(self) -> Callable[[], Any]:
        """Join a list that is made within the timing."""
        call = self.native.join
        return lambda: call(["hello", "world"])

    def sum_1000(self) -> Callable[[], Any]:
        """Add up numbers that exist."""
        return partial(self.native.sum, self.numbers(1000))

    def sum_10000(self) -> Callable[[], Any]:
        """Add up more numbers that exist."""
        return partial(self.native.sum, self.numbers(10_000))

    def error(self) -> Callable[[], Any]:
        """Fail, and read why."""
        call, kind, read = self.native.fail, getattr(self.native, self.failure, RuntimeError), self.reason_of

        def caught() -> str:
            try:
                call(REASON)
            except kind as error:
                return read(error)
            return ""

        return caught

    def answer(self) -> Callable[[], Any]:
        """Ask with 23."""
        return partial(self.native.answer, 23)

    def blob_64k(self) -> Callable[[], Any]:
        """Get bytes."""
        return partial(self.native.blob, 1 << 16)

    def blob_1m(self) -> Callable[[], Any]:
        """Get more bytes."""
        return partial(self.native.blob, 1 << 20)

    def structs(self) -> Callable[[], Any]:
        """Get 34 students as objects."""
        return self.native.structs  # type: ignore[no-any-return]

    def fractions(self, count: int) -> Any:
        """Give doubles as this peer takes them fastest."""
        return [0.5 * n for n in range(count)]

    def rectangle(self) -> Any:
        """Give the class of rectangles."""
        return self.native.Shape.Rectangle

    def text(self) -> Callable[[], Any]:
        """Get a record with a text for one, and read it: PyO3 makes a text of Python's only then."""
        call, person = self.native.greet, self.native.Person
        return lambda: call(person(name="Ada Lovelace")).text

    def reading(self) -> Callable[[], Any]:
        """Get a record of numbers for one."""
        call, reading = self.native.next_reading, self.native.Reading

        def read() -> tuple[float, ...]:
            one = call(reading(instrument=7, at=1000, low=-1.0, high=3.0, weight=0.5, count=11))
            return one.instrument, one.at, one.low, one.high, one.weight, one.count

        return read

    def records(self) -> Callable[[], Any]:
        """Get a list of records for one that exists."""
        item = self.native.Item
        items = [item(number=n, name=f"item number {n}", price=float(n)) for n in range(1, 101)]
        call = self.native.discount
        return lambda: [(item.number, item.name, item.price) for item in call(items)]

    def variant(self) -> Callable[[], Any]:
        """Get the circle around a rectangle."""
        call, rectangle = self.native.around, self.rectangle()
        return lambda: call(rectangle(width=3.0, height=4.0)).radius

    def doubles(self) -> Callable[[], Any]:
        """Get doubles for doubles."""
        return partial(self.native.twice, self.fractions(1000))


class Later(Typed):
    """One that has asynchronous functions as well."""

    loop: asyncio.AbstractEventLoop | None = None

    def close(self) -> None:
        """Close the loop."""
        if self.loop:
            self.loop.close()

    def ready(self) -> Callable[[], Any]:
        """Await what is there at once, one after the other on one loop."""
        call = self.native.ready
        loop = self.loop = self.loop or asyncio.new_event_loop()

        async def in_a_row() -> int:
            for _ in range(AWAITED - 1):
                await call(23)
            return await call(23)  # type: ignore[no-any-return]

        return lambda: loop.run_until_complete(in_a_row())


class Uniffi(Later):
    """UniFFI's generated module, which is ctypes inside. Integers go as a list, for it knows no arrays."""

    subject = "uniffi"
    module = "peer_uniffi"

    def rectangle(self) -> Any:
        """Give the class of rectangles."""
        return self.native.Shape.RECTANGLE


class Pyo3(Typed):
    """A hand-written extension module. Integers are lent by the buffer protocol."""

    subject = "pyo3"
    module = "peer_pyo3"
    failure = ""

    def numbers(self, count: int) -> Any:
        """Give an array that is lent, not copied."""
        return array("q", range(1, count + 1))

    def fractions(self, count: int) -> Any:
        """Give an array that is lent, not copied."""
        return array("d", (0.5 * n for n in range(count)))


class Boltffi(Later):
    """BoltFFI's generated package, a C extension."""

    subject = "boltffi"
    module = "peer_boltffi"
    failure = "FailureException"

    def rectangle(self) -> Any:
        """Give the class of rectangles."""
        return self.native.ShapeRectangle

    def wanted(self) -> Any:
        """Give the class of keys, whose name in C# can't be that of its field."""
        return self.native.Wanted

    def reason_of(self, error: Any) -> str:
        """Read the record that the exception has."""
        return error.error.reason  # type: ignore[no-any-return]
