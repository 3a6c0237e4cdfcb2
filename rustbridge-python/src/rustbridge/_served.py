"""Methods of instances with services. Their calls carry the caller's context."""

from __future__ import annotations

from typing import Any

from . import _calls, _contexts
from ._method import Method
from ._status import Encoding


class _Owner:
    """A response that was copied."""

    __slots__ = ("_response",)

    def __init__(self, response: bytes) -> None:
        self._response = response

    def view(self) -> memoryview:
        return memoryview(self._response)

    def release(self) -> None:
        pass


class Served(Method):
    """Stands before a backend's method, and calls with the caller's context where a service may run elsewhere."""

    __slots__ = ()

    def call_json(self, text: str | bytes) -> str:
        if not _contexts.is_needed(self):
            return super().call_json(text)  # type: ignore[safe-super]
        if self.encoding is not Encoding.JSON:
            self._refuse_json()
        if isinstance(text, str):
            data = str.encode(text)
        elif isinstance(text, (bytes, bytearray, memoryview)):
            data = memoryview(text).tobytes()
        else:
            self._refuse_text(text)
        return self._carried(data).decode()

    def call_raw(self, request: Any, into: Any = None, *, unshared: bool = False) -> Any:
        if not _contexts.is_needed(self):
            return super().call_raw(request, into, unshared=unshared)  # type: ignore[safe-super]
        if into is not None:
            return self._call_into(request, into, unshared)
        return self._carried(request)

    def _fill(self, request: Any, target: Any, unshared: bool, /) -> int | bytes:
        if not _contexts.is_needed(self):
            return super()._fill(request, target, unshared)  # type: ignore[safe-super]
        with memoryview(target) as view, view.cast("B") as place:
            if view.readonly:
                raise TypeError("`into` must be a writable buffer, but this one is read-only")
            answer = self._carried(request)
            if len(answer) > view.nbytes:
                return answer
            place[: len(answer)] = answer
            return len(answer)

    def _lease(self, request: Any, unshared: bool, /) -> Any:
        if not _contexts.is_needed(self):
            return super()._lease(request, unshared)  # type: ignore[safe-super]
        return _Owner(self._carried(request))

    def _carried(self, request: Any) -> bytes:
        answer: bytes = _calls.call(self.plugin, self, request, None, None, False)
        return answer
