"""The published package whose name is ours, over a plugin of ours for it (`benches/peers/predecessor`)."""

from __future__ import annotations

import ctypes
import importlib
import os
import struct
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers.peer import ECHO, REASON, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

# The numbers of the plugin's binary methods.
EMPTY, SMALL, POD8, DIV, ANSWER, SUM, BLOB = range(7)


class Pair(ctypes.Structure):
    """Two numbers."""

    _fields_ = (("a", ctypes.c_int32), ("b", ctypes.c_int32))


class PairAnswer(ctypes.Structure):
    """Their sum and exclusive or."""

    _fields_ = (("sum", ctypes.c_int32), ("xor", ctypes.c_int32))


class Key(ctypes.Structure):
    """A key to look up."""

    _fields_ = (
        ("version", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 3),
        ("key", ctypes.c_char * 64),
        ("key_len", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
    )


class Found(ctypes.Structure):
    """What was found."""

    _fields_ = (
        ("version", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 3),
        ("value", ctypes.c_char * 64),
        ("value_len", ctypes.c_uint32),
        ("ttl_seconds", ctypes.c_uint32),
        ("cache_hit", ctypes.c_uint8),
        ("padding", ctypes.c_uint8 * 3),
    )


class Division(ctypes.Structure):
    """Two numbers to divide."""

    _fields_ = (("a", ctypes.c_int64), ("b", ctypes.c_int64))


class Quotient(ctypes.Structure):
    """Their quotient."""

    _fields_ = (("quotient", ctypes.c_double),)


class Value(ctypes.Structure):
    """A question, and its answer."""

    _fields_ = (("value", ctypes.c_int32),)


class Predecessor(Peer):
    """Its JSON calls by name, its binary ones by number; no log."""

    subject = "predecessor"

    def __init__(self) -> None:
        self.plugin: Any = None
        self.failure: type[Exception] = Exception

    def load(self) -> None:
        """Load the plugin."""
        # By its name, because type checkers would take it for ours.
        package: Any = importlib.import_module("rustbridge")
        names = {"win32": "peer_predecessor.dll", "darwin": "libpeer_predecessor.dylib"}
        library = (
            Path(os.environ["RUSTBRIDGE_PEERS_DIR"]) / "predecessor" / names.get(sys.platform, "libpeer_predecessor.so")
        )
        config = package.PluginConfig.defaults().log_level(package.LogLevel.OFF)
        self.plugin = package.NativePluginLoader.load_with_config(str(library), config)
        self.failure = package.PluginException

    def found_of(self, answer: Any) -> tuple[str, int, bool]:
        """Read the struct."""
        return answer.value.decode(), answer.ttl_seconds, bool(answer.cache_hit)

    def emails_of(self, answer: Any) -> list[str]:
        """Read dicts."""
        return answer[33]["schools"][33]["emails"]  # type: ignore[no-any-return]

    def empty(self) -> Callable[[], Any]:
        """Call with nothing."""
        call = self.plugin.call_raw_bytes
        return lambda: call(EMPTY, b"")

    def pod8(self) -> Callable[[], Any]:
        """Add two numbers of a struct that exists."""
        call, request = self.plugin.call_raw, Pair(40, 2)
        return lambda: call(POD8, request, PairAnswer)

    def small(self) -> Callable[[], Any]:
        """Look a key up, of a struct that exists."""
        call, request = self.plugin.call_raw, Key(version=1, key=b"bench_key", key_len=9, flags=1)
        return lambda: call(SMALL, request, Found)

    def echo(self) -> Callable[[], Any]:
        """Echo a text of JSON."""
        call = self.plugin.call
        return lambda: call("echo", ECHO)

    def primitive(self) -> Callable[[], Any]:
        """Divide two integers that are put into a struct within the timing."""
        call = self.plugin.call_raw
        return lambda: call(DIV, Division(10, 2), Quotient).quotient

    def join(self) -> Callable[[], Any]:
        """Join a list, in JSON."""
        call = self.plugin.call_typed
        return lambda: call("join", {"parts": ["hello", "world"]})["text"]

    def sum_1000(self) -> Callable[[], Any]:
        """Add up numbers that exist."""
        return self._sum(1000)

    def sum_10000(self) -> Callable[[], Any]:
        """Add up more numbers that exist."""
        return self._sum(10_000)

    def error(self) -> Callable[[], Any]:
        """Fail, and read why."""
        call, kind, request = self.plugin.call, self.failure, f'{{"message":"{REASON}"}}'

        def caught() -> str:
            try:
                call("fail", request)
            except kind as error:
                return str(error)
            return ""

        return caught

    def answer(self) -> Callable[[], Any]:
        """Ask with 23."""
        call = self.plugin.call_raw
        return lambda: call(ANSWER, Value(23), Value).value

    def blob_64k(self) -> Callable[[], Any]:
        """Get bytes."""
        return self._blob(1 << 16)

    def blob_1m(self) -> Callable[[], Any]:
        """Get more bytes."""
        return self._blob(1 << 20)

    def structs(self) -> Callable[[], Any]:
        """Get 34 students as dicts."""
        call = self.plugin.call_typed
        return lambda: call("get_structs", {})["students"]

    def _sum(self, count: int) -> Callable[[], Any]:
        call, numbers = self.plugin.call_raw_bytes, array("q", range(1, count + 1))
        unpack = struct.Struct("=q").unpack

        def run() -> int:
            (total,) = unpack(call(SUM, numbers.tobytes()))
            return total  # type: ignore[no-any-return]

        return run

    def _blob(self, size: int) -> Callable[[], Any]:
        call = self.plugin.call_raw_bytes
        return lambda: call(BLOB, size.to_bytes(4, "little"))
