"""What clients stand on that ``rustbridge gen`` writes: typed methods of a plugin.

Nobody else needs more of it than :data:`DEFAULT`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from . import _load
from ._wire_read import Readers
from ._wire_types import DEFAULT, Sizes, UnfitError
from ._wire_write import Writers

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Coroutine, Sequence
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from ._method import Method
    from ._plugin import Plugin

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
        """Give what writes a method's requests, and what reads its responses."""
        entry = self._methods[name]
        request, response = (entry[side].get("type", "unit") for side in ("request", "response"))
        return self._writers.encoder(request), self._readers.decoder(response)


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
        method = self._plugin._typed(name, fingerprint, contract.text)
        encode, decode = contract.codec(name)
        return _Call(method, name, encode, decode)

    def _prepare_async(
        self, contract: Contract, name: str, fingerprint: str
    ) -> Callable[[Any], Coroutine[Any, Any, Any]]:
        method = self._plugin._typed(name, fingerprint, contract.text)
        encode, decode = contract.codec(name)
        return _AsyncCall(method, name, encode, decode)


class _Call:
    """A method with types."""

    __slots__ = ("_decode", "_encode", "_method", "_name")

    def __init__(
        self, method: Method, name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
    ) -> None:
        self._method = method
        self._name = name
        self._encode = encode
        self._decode = decode

    def __call__(self, request: Any) -> Any:
        return self._decode(self._method.call_raw(self._encoded(request)))

    def _encoded(self, request: Any) -> bytes:
        try:
            return self._encode(request)
        except UnfitError as unfit:
            error = unfit.error(self._name)
        raise error


class _AsyncCall(_Call):
    """A method with types that is awaited."""

    __slots__ = ()

    async def __call__(self, request: Any) -> Any:
        return self._decode(await self._method.call_raw_async(self._encoded(request)))
