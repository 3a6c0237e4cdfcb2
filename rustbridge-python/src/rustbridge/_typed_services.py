"""Services with types, for generated clients."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

from . import _services
from ._errors import InternalError, PluginError, ThrownError
from ._wire_types import UnfitError

if TYPE_CHECKING:
    from collections.abc import Callable


class TypedService(abc.ABC):
    """A service with types."""

    __slots__ = ("_decode", "_encode", "_name", "_throws")

    def __init__(self, name: str, decode: Callable[[bytes], Any], encode: Callable[[Any], bytes]) -> None:
        self._name = name
        self._decode = decode
        self._encode = encode
        self._throws: tuple[type[PluginError], Callable[[Any], bytes]] | None = None

    def throws(self, of: type[PluginError], encode: Callable[[Any], bytes]) -> None:
        """Have exceptions of a class, whose ``error`` is encoded, reach the plugin with their type."""
        self._throws = (of, encode)

    def _thrown(self, failed: PluginError) -> PluginError:
        """Return the exception that the plugin receives in place of another one."""
        error = getattr(failed, "error", None)
        if self._throws is None or error is None or not isinstance(failed, self._throws[0]):
            return failed
        try:
            return ThrownError(failed.message, self._throws[1](error))
        except UnfitError as unfit:
            return InternalError(f"the service {self._name!r}: {unfit.error(self._name, 'error')}")

    @abc.abstractmethod
    def _asked(self, request: bytes) -> Any:
        """Call the function."""

    def _written(self, answer: Any, request: bytes) -> bytes:  # noqa: ARG002
        """Return the response's bytes."""
        try:
            return self._encode(answer)
        except UnfitError as unfit:
            error = unfit.error(self._name, "response")
        raise error

    def __call__(self, request: bytes) -> Any:
        try:
            answer = self._asked(request)
        except PluginError as failed:
            thrown = self._thrown(failed)
            if thrown is failed:
                raise
            raise thrown from failed
        _services.refuse_awaitable(self._name, answer)
        return self._written(answer, request)

    async def _awaited(self, request: bytes) -> bytes:
        try:
            answer = await self._asked(request)
        except PluginError as failed:
            thrown = self._thrown(failed)
            if thrown is failed:
                raise
            raise thrown from failed
        return self._written(answer, request)


class Serving(TypedService):
    """A service's function with types."""

    __slots__ = ("_function", "_has_several", "_is_bare")

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        decode: Callable[[bytes], Any],
        encode: Callable[[Any], bytes],
        arguments: int,
    ) -> None:
        super().__init__(name, decode, encode)
        self._function = function
        self._is_bare = not arguments
        self._has_several = arguments > 1

    def _asked(self, request: bytes) -> Any:
        value = self._decode(request)
        if self._has_several:
            return self._function(*value)
        return self._function() if self._is_bare else self._function(value)


class AsyncServing(Serving):
    """A service's ``async def`` with types."""

    __slots__ = ()

    async def __call__(self, request: bytes) -> Any:
        return await self._awaited(request)
