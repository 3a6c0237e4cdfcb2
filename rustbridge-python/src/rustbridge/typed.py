"""What clients stand on that ``rustbridge gen`` writes: typed methods of a plugin.

Nobody else needs more of it than :data:`DEFAULT`.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from . import _load, _options, _streams
from ._wire_read import Readers
from ._wire_types import DEFAULT, Sizes, UnfitError
from ._wire_write import Writers

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Sequence
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from ._method import Method
    from ._plugin import Plugin
    from ._streams import Stream

__all__ = ["DEFAULT", "Client", "Contract"]


class Contract:
    """What a client was written from, and the classes that it has for the types in it."""

    __slots__ = ("_methods", "_readers", "_writers", "text")

    def __init__(self, text: str, classes: Sequence[Any]) -> None:
        described = json.loads(text)
        self.text = text
        self._methods: dict[str, Any] = {method["name"]: method["entries"][0] for method in described["methods"]}
        sizes = Sizes(described["types"], classes)
        self._writers, self._readers = Writers(sizes), Readers(sizes)

    def codec(self, name: str) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
        """Give what writes a method's requests, and what reads its responses; of a stream, each item."""
        entry = self._methods[name]
        request, response = (entry[side].get("type", "unit") for side in ("request", "response"))
        return self._writers.encoder(request), self._readers.decoder(response)

    def items(self, name: str) -> Callable[[Any], bytes]:
        """Give what writes the items that a method is sent."""
        return self._writers.encoder(self._methods[name]["items"].get("type", "unit"))


class Client:
    """A plugin, by methods with types. A context manager: leaving the block closes what it has loaded."""

    __slots__ = ("_owned", "_plugin")

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._owned = False

    @classmethod
    def load(
        cls, source: str | os.PathLike[str] | Buffer, config: dict[str, Any] | str | bytes | None = None, **options: Any
    ) -> Self:
        """Load the plugin, as :func:`rustbridge.load` does with the same options. It's closed with the client."""
        plugin = _load.load(source, config, **options)
        try:
            client = cls(plugin)
        except BaseException:
            plugin.close()
            raise
        client._owned = True
        return client

    @property
    def plugin(self) -> Plugin:
        """The plugin's instance."""
        return self._plugin

    def close(self) -> None:
        """Close the plugin, if the client has loaded it."""
        if self._owned:
            self._plugin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _prepare(self, contract: Contract, name: str, fingerprint: str) -> Callable[[Any], Any]:
        return _Call(self._plugin, contract, name, fingerprint)

    def _prepare_async(
        self, contract: Contract, name: str, fingerprint: str
    ) -> Callable[[Any], Coroutine[Any, Any, Any]]:
        return _AsyncCall(self._plugin, contract, name, fingerprint)

    def _prepare_stream(self, contract: Contract, name: str, fingerprint: str) -> Callable[[Any], Stream[Any]]:
        return _StreamCall(self._plugin, contract, name, fingerprint)

    def _prepare_send(self, contract: Contract, name: str, fingerprint: str) -> Callable[[Iterable[Any], Any], Any]:
        return _SendCall(self._plugin, contract, name, fingerprint)

    def _prepare_send_async(
        self, contract: Contract, name: str, fingerprint: str
    ) -> Callable[[AsyncIterable[Any] | Iterable[Any], Any], Coroutine[Any, Any, Any]]:
        return _AsyncSendCall(self._plugin, contract, name, fingerprint)

    def _prepare_exchange(
        self, contract: Contract, name: str, fingerprint: str
    ) -> Callable[[AsyncIterable[Any] | Iterable[Any], Any], Stream[Any]]:
        return _ExchangeCall(self._plugin, contract, name, fingerprint)


class _Prepared:
    """A method with types."""

    __slots__ = ("_decode", "_encode", "_method", "_name", "_plugin")

    def __init__(self, plugin: Plugin, contract: Contract, name: str, fingerprint: str) -> None:
        self._plugin = plugin
        self._method: Method = plugin._typed(name, fingerprint, contract.text)
        self._name = name
        self._encode, self._decode = contract.codec(name)

    def _encoded(self, request: Any) -> bytes:
        try:
            return self._encode(request)
        except UnfitError as unfit:
            error = unfit.error(self._name, "request")
        raise error


class _Call(_Prepared):
    """One that is called, and waited for."""

    __slots__ = ()

    def __call__(self, request: Any) -> Any:
        return self._decode(self._method.call_raw(self._encoded(request)))


class _AsyncCall(_Prepared):
    """One that is called, and awaited."""

    __slots__ = ()

    async def __call__(self, request: Any) -> Any:
        return self._decode(await self._method.call_raw_async(self._encoded(request)))


class _StreamCall(_Prepared):
    """One that answers with a stream."""

    __slots__ = ()

    def __call__(self, request: Any) -> Stream[Any]:
        return _streams.stream(self._plugin, self._method, self._encoded(request), None, read=self._decode)


class _Sending(_Prepared):
    """One that is sent items."""

    __slots__ = ("_encode_item",)

    def __init__(self, plugin: Plugin, contract: Contract, name: str, fingerprint: str) -> None:
        super().__init__(plugin, contract, name, fingerprint)
        self._encode_item = contract.items(name)

    def _write(self) -> Callable[[Any], bytes]:
        """Give what writes the items of one call, one after the other."""
        places = itertools.count()

        def write(item: Any) -> bytes:
            place = next(places)
            try:
                return self._encode_item(item)
            except UnfitError as unfit:
                unfit.path.append(str(place))
                error = unfit.error(self._name, "items")
            raise error

        return write


class _SendCall(_Sending):
    """One that is sent items, and waited for."""

    __slots__ = ()

    def __call__(self, items: Iterable[Any], request: Any) -> Any:
        data = self._encoded(request)
        return self._decode(_streams.send(self._plugin, self._method, items, data, None, self._write()))


class _AsyncSendCall(_Sending):
    """One that is sent items, and awaited."""

    __slots__ = ()

    async def __call__(self, items: AsyncIterable[Any] | Iterable[Any], request: Any) -> Any:
        data, none = self._encoded(request), _options.NONE
        return self._decode(await _streams.send_async(self._plugin, self._method, items, data, none, self._write()))


class _ExchangeCall(_Sending):
    """One that is sent items, and answers with a stream."""

    __slots__ = ()

    def __call__(self, items: AsyncIterable[Any] | Iterable[Any], request: Any) -> Stream[Any]:
        data = self._encoded(request)
        return _streams.stream(
            self._plugin, self._method, data, None, None, items, read=self._decode, write=self._write()
        )
