"""Messages that are plain bytes or text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import InternalError
from ._status import Status
from ._wire_types import UnfitError, expected

if TYPE_CHECKING:
    from collections.abc import Callable


def encoder(ty: Any) -> Callable[[Any], Any]:
    """Return a function that converts a value to a request. Bytes aren't copied: they are the request."""
    return _ENCODERS[ty]


def decoder(ty: Any) -> Callable[[bytes], Any]:
    """Return a function that converts a response to a value."""
    return _DECODERS[ty]


def _encode_bytes(value: Any) -> Any:
    try:
        memoryview(value)
    except TypeError:
        raise expected("bytes", value) from None
    return value


def _encode_text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise expected("a str", value)
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise UnfitError(ValueError, f"character {error.start} is half of a surrogate pair") from None


def _encode_nothing(value: Any) -> bytes:  # noqa: ARG001
    return b""


def _decode_bytes(data: bytes) -> bytes:
    return data


def _decode_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start}: text isn't UTF-8"
    raise _broken(problem)


def _decode_nothing(data: bytes) -> None:
    if data:
        raise _broken(f"byte 0: {len(data)} bytes are left after the value")


def _broken(problem: str) -> InternalError:
    what = f"the plugin's response doesn't match its type: {problem}"
    return InternalError(Status.INTERNAL, what, "rustbridge.InvalidResponse")


_ENCODERS: dict[str, Callable[[Any], Any]] = {"bytes": _encode_bytes, "string": _encode_text, "unit": _encode_nothing}
_DECODERS: dict[str, Callable[[bytes], Any]] = {"bytes": _decode_bytes, "string": _decode_text, "unit": _decode_nothing}
