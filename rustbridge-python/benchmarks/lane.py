"""What a scenario is made of in one lane: the plugins through one backend, and the hand-written calls of its kind."""

from __future__ import annotations

import asyncio
import struct
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import orjson

import rustbridge
from benchmarks import floors
from benchmarks.plugins import PLUGINS, plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable


class Lane:
    """A backend of ours. Plugins are loaded when first asked for, and closed with the lane."""

    error = rustbridge.PluginError
    # The codec that `Plugin.call` uses here, for the floors.
    dumps = staticmethod(orjson.dumps)
    loads = staticmethod(orjson.loads)

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self._plugins: dict[str, rustbridge.Plugin] = {}
        self._closing = ExitStack()
        self._floors: floors.Floors | None = None
        self._adder: rustbridge.Object | None = None
        self._greeter: rustbridge.Object | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def hello(self) -> rustbridge.Plugin:
        """The example plugin."""
        return self._plugin("hello_plugin")

    @property
    def conformance(self) -> rustbridge.Plugin:
        """The plugin with every feature."""
        return self._plugin("conformance_plugin", {"label": "bench"})

    @property
    def bench(self) -> rustbridge.Plugin:
        """The plugin of the scenarios that others have measured."""
        return self._plugin("bench_plugin")

    @property
    def asking(self) -> rustbridge.Plugin:
        """The plugin of those scenarios that ask Python, by a service and at a bare address."""
        name = "bench_plugin, asking"
        if name not in self._plugins:
            unpacked, pack = struct.Struct("=i").unpack, struct.Struct("=i").pack

            def answer(request: bytes) -> bytes:
                return pack(unpacked(request)[0] + 41)

            def add(request: bytes) -> bytes:
                return total(sum(summands(request)))

            async def answer_later(request: bytes) -> bytes:
                return answer(request)

            later = rustbridge.Service(answer_later, encoding="pod")
            summands, total = struct.Struct("=qq").unpack, struct.Struct("=q").pack
            answers, adds = rustbridge.Service(answer, encoding="pod"), rustbridge.Service(add, encoding="pod")
            plugin = rustbridge.load(
                plugin_path("bench_plugin"),
                {"upcall": self._all_floors().upcall(self.backend, lambda value: value + 41)},
                backend=self.backend,
                log_level="off",
                services={"numbers.answer": answers, "numbers.answer_later": later, "numbers.add": adds},
            )
            self._plugins[name] = self._closing.enter_context(plugin)
        return self._plugins[name]

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """An event loop, which runs where it's told to."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop

    @property
    def adder(self) -> rustbridge.Object:
        """An object that adds 41, which goes with its plugin."""
        if self._adder is None:
            reply = rustbridge.Reply()
            self.bench.method("adder", "raw").call_with(b"", rustbridge.CallOptions(reply=reply))
            self._adder = self._closing.enter_context(reply.objects[0])
        return self._adder

    @property
    def greeter(self) -> rustbridge.Object:
        """MetaFFI's object, which goes with its plugin."""
        if self._greeter is None:
            reply = rustbridge.Reply()
            self.bench.method("some_class", "raw").call_with(b"bench", rustbridge.CallOptions(reply=reply))
            self._greeter = self._closing.enter_context(reply.objects[0])
        return self._greeter

    def floor(self, name: str) -> Callable[..., Any]:
        """Give a hand-written call for the use of one thread."""
        return self._all_floors().native(name) if self.backend == "native" else self._all_floors().by_hand(name)

    def floor_into(self, name: str, request: bytes, room: bytearray) -> Callable[[], int]:
        """Give a hand-written call that always fills the same buffer."""
        return self._all_floors().into(self.backend, name, request, room)

    def load(self) -> rustbridge.Plugin:
        """Load another instance of the example plugin, which the caller closes."""
        return rustbridge.load(plugin_path("hello_plugin"), backend=self.backend, log_level="off")

    def close(self) -> None:
        """Close the plugins."""
        self._closing.close()
        self._plugins.clear()
        if self._loop is not None:
            self._loop.close()

    def _all_floors(self) -> floors.Floors:
        if self._floors is None:
            self._floors = floors.Floors(PLUGINS)
        return self._floors

    def _plugin(self, name: str, config: dict[str, Any] | None = None) -> rustbridge.Plugin:
        if name not in self._plugins:
            plugin = rustbridge.load(plugin_path(name), config, backend=self.backend, log_level="off")
            self._plugins[name] = self._closing.enter_context(plugin)
        return self._plugins[name]
