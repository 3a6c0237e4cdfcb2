"""Services with types, for generated clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _services
from ._wire_types import UnfitError

if TYPE_CHECKING:
    from collections.abc import Callable


class Serving:
    """A service's function with types."""

    __slots__ = ("_arguments", "_decode", "_encode", "_function", "_name")

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        decode: Callable[[bytes], Any],
        encode: Callable[[Any], bytes],
        arguments: int,
    ) -> None:
        self._name = name
        self._function = function
        self._decode = decode
        self._encode = encode
        self._arguments = arguments

    def _asked(self, request: bytes) -> Any:
        value = self._decode(request)
        return self._function(value) if self._arguments else self._function()

    def _written(self, answer: Any) -> bytes:
        try:
            return self._encode(answer)
        except UnfitError as unfit:
            error = unfit.error(self._name, "response")
        raise error

    def __call__(self, request: bytes) -> Any:
        answer = self._asked(request)
        _services.refuse_awaitable(self._name, answer)
        return self._written(answer)


class AsyncServing(Serving):
    """A service's ``async def`` with types."""

    __slots__ = ()

    async def __call__(self, request: bytes) -> Any:
        return self._written(await self._asked(request))
