"""Exceptions: one base, one subclass per status."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from . import _causes
from ._status import Status


class PluginError(Exception):
    """A load, call or close that ended with a status other than OK.

    ``status`` is the :class:`Status`; ``message`` says what was found and expected; ``type`` is ``panic``, the
    plugin's own ``Enum.Variant``, or ``rustbridge.Kind``; ``details`` are the error's fields; ``backtrace`` is the
    Rust backtrace, if the plugin was loaded with ``backtrace=True`` and panicked.

    :func:`error_class` tells which subclass belongs to a status. Those with an equal among the builtin exceptions
    derive from it too, so ``except TimeoutError`` catches DEADLINE_EXCEEDED.
    """

    #: The error itself in the wire form, for clients that know its type.
    _value: bytes | None = None

    # All there is to an error is in `args`, where the extension puts it as well, which makes errors without `__init__`.

    def __init__(
        self,
        status: Status | int = Status.UNKNOWN,
        message: str = "",
        type: str = "",  # noqa: A002
        details: dict[str, Any] | None = None,
        backtrace: str | None = None,
    ) -> None:
        super().__init__()
        # Not by the base: `OSError` takes them for an error number and a file's name.
        self.args = (Status.from_code(status), message, type, details, backtrace)

    @property
    def status(self) -> Status:
        """The canonical status."""
        status: Status = self.args[0]
        return status

    @property
    def message(self) -> str:
        """What was found, and what was expected."""
        message: str = self.args[1]
        return message

    @property
    def type(self) -> str:
        """``panic``, the plugin's own ``Enum.Variant``, or ``rustbridge.Kind``."""
        kind: str = self.args[2]
        return kind

    @property
    def details(self) -> dict[str, Any]:
        """The error's fields."""
        details: dict[str, Any] | None = self.args[3]
        return {} if details is None else details

    @property
    def backtrace(self) -> str | None:
        """The Rust backtrace, if the plugin was loaded with ``backtrace=True`` and panicked."""
        backtrace: str | None = self.args[4]
        return backtrace

    def __str__(self) -> str:
        kind = f" ({self.type})" if self.type else ""
        return f"{self.status._name_}{kind}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (self.__class__, (self.status, self.message, self.type, self.details, self.backtrace))


class CancelledError(PluginError):
    """CANCELLED: the call was cancelled."""


class UnknownError(PluginError):
    """UNKNOWN: a failure that fits no other status."""


class InvalidArgumentError(PluginError, ValueError):
    """INVALID_ARGUMENT: what was passed is wrong whatever the state of the system."""


class DeadlineExceededError(PluginError, TimeoutError):
    """DEADLINE_EXCEEDED: the time allowed ran out; a close that timed out names the running calls in ``details``."""


class NotFoundError(PluginError, LookupError):
    """NOT_FOUND: no such file, method or record."""


class AlreadyExistsError(PluginError):
    """ALREADY_EXISTS: what was to be created exists."""


class PermissionDeniedError(PluginError, PermissionError):
    """PERMISSION_DENIED: known, but not allowed."""


class ResourceExhaustedError(PluginError):
    """RESOURCE_EXHAUSTED: a limit was reached."""


class FailedPreconditionError(PluginError):
    """FAILED_PRECONDITION: not possible in this state: poisoned, forked, incompatible."""


class AbortedError(PluginError):
    """ABORTED: given up, typically for a conflict."""


class OutOfRangeError(PluginError, ValueError):
    """OUT_OF_RANGE: a value outside its range; arithmetic overflow is one case."""


class UnimplementedError(PluginError, NotImplementedError):
    """UNIMPLEMENTED: the operation or encoding is not offered."""


class InternalError(PluginError):
    """INTERNAL: an invariant broke; a caught panic has the type ``panic``."""


class UnavailableError(PluginError):
    """UNAVAILABLE: the instance is closing or closed."""


class DataLossError(PluginError):
    """DATA_LOSS: data is lost or corrupt."""


class UnauthenticatedError(PluginError):
    """UNAUTHENTICATED: no valid credentials."""


class ResponseTooLargeError(BufferError):
    """The response does not fit the buffer given as ``into``. The call has run; ``response`` holds what it answered."""

    response: bytes

    def __init__(self, response: bytes = b"", capacity: int = 0) -> None:
        super().__init__(
            f"the response has {len(response)} bytes and the buffer given as `into` {capacity}: pass a larger one, "
            "or take the answer from this exception's `response`"
        )
        self.response = response


_CLASSES: dict[Status, type[PluginError]] = {
    Status.CANCELLED: CancelledError,
    Status.UNKNOWN: UnknownError,
    Status.INVALID_ARGUMENT: InvalidArgumentError,
    Status.DEADLINE_EXCEEDED: DeadlineExceededError,
    Status.NOT_FOUND: NotFoundError,
    Status.ALREADY_EXISTS: AlreadyExistsError,
    Status.PERMISSION_DENIED: PermissionDeniedError,
    Status.RESOURCE_EXHAUSTED: ResourceExhaustedError,
    Status.FAILED_PRECONDITION: FailedPreconditionError,
    Status.ABORTED: AbortedError,
    Status.OUT_OF_RANGE: OutOfRangeError,
    Status.UNIMPLEMENTED: UnimplementedError,
    Status.INTERNAL: InternalError,
    Status.UNAVAILABLE: UnavailableError,
    Status.DATA_LOSS: DataLossError,
    Status.UNAUTHENTICATED: UnauthenticatedError,
}


#: The class of each status and the status itself, by its code, for the extension; the first is no error's.
CLASSES_BY_CODE: tuple[tuple[type[PluginError], Status] | None, ...] = tuple(
    (_CLASSES[Status(code)], Status(code)) if code in _CLASSES else None for code in range(max(_CLASSES) + 1)
)


def error_class(status: Status | int) -> type[PluginError]:
    """Give the exception class of a status."""
    return _CLASSES.get(Status.from_code(status), UnknownError)


def error_from_payload(status: int, payload: bytes) -> PluginError:
    """Make the exception for a failed call from its status and error payload: a JSON object, or an error with a type.

    A payload that is neither still reaches the user, as the message.
    """
    code = Status.from_code(status)
    if payload.startswith(_TYPED):
        typed = _typed_error(code, payload)
        if typed is not None:
            return typed
    text = payload.decode("utf-8", "replace")
    try:
        # Not as bytes: their encoding would be guessed.
        fields = json.loads(payload.decode())
    except (ValueError, RecursionError):
        # What is nested deeper than Python goes is said as it is: the error mustn't be lost.
        fields = None
    if not isinstance(fields, dict):
        fields = {"message": text or f"the call failed with status {code.name} and no message"}
    message, kind, details, backtrace = (fields.get(name) for name in ("message", "type", "details", "backtrace"))
    error = error_class(code)(
        code,
        message if isinstance(message, str) else text,
        kind if isinstance(kind, str) else "",
        details if isinstance(details, dict) else ({} if details is None else {"details": details}),
        backtrace if isinstance(backtrace, str) else None,
    )
    if "cause" in fields:
        # Set only if there is one: whoever sets it suppresses the context as well.
        cause = _causes.take(fields["cause"])
        if cause is not None:
            error.__cause__ = cause
    return error


#: What a payload in the wire form begins with.
_TYPED = b"\x01\0\0\0"


def _typed_error(status: Status, payload: bytes) -> PluginError | None:
    """Make the exception of an error with a type; None if the payload isn't one after all."""
    # Behind the mark is the status, which came beside it as well.
    at = 8
    texts = []
    for _ in range(2):
        length = int.from_bytes(payload[at : at + 4], "little")
        text = payload[at + 4 : at + 4 + length]
        if len(payload) < at + 4 or len(text) < length:
            return None
        texts.append(text.decode("utf-8", "replace"))
        at += 4 + length
    message, kind = texts
    error = error_class(status)(status, message, kind)
    error._value = payload[(at + 7) & ~7 :]
    return error


def refuse_copy(value: object) -> NoReturn:
    """Say why something can be neither copied nor pickled, which is also how it would get into another process."""
    raise TypeError(
        f"a {type(value).__name__} lives in this process and has one owner, so it's neither copied nor pickled: share "
        "it between threads as it is, and load the plugin in each process that uses it (in a pool, by its initializer)"
    )
