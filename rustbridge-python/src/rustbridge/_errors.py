"""Exceptions: a base class, and a subclass for each status."""

from __future__ import annotations

import json
from typing import Any, ClassVar, NoReturn, overload

from . import _causes
from ._status import Status


class PluginError(Exception):
    """A load, call or close that failed.

    * ``status`` is the :class:`Status`.
    * ``message`` names the problem: the value that was found, and the value that was expected.
    * ``type`` is ``panic``, the plugin's own ``Enum.Variant``, or ``rustbridge.Kind``.
    * ``details`` are the error's fields.
    * ``backtrace`` is the Rust backtrace, if the plugin was loaded with ``backtrace=True`` and panicked.

    :func:`error_class` returns the subclass of a status. If a builtin exception corresponds to the status, the subclass
    also derives from it. So ``except TimeoutError`` catches DEADLINE_EXCEEDED.

    A service raises a subclass with a message, as in ``NotFoundError("no record 5")``, or this class with a status and
    a message.
    """

    #: The status of an exception that is created without one.
    _default_status: ClassVar[Status] = Status.UNKNOWN

    #: The error itself in the wire format, for clients that know its type.
    _value: bytes | None = None

    # All there is to an error is in `args`, where the extension puts it as well, which makes errors without `__init__`.

    @overload
    def __init__(
        self,
        message: str,
        /,
        *,
        type: str = "",
        details: dict[str, Any] | None = None,
        backtrace: str | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self,
        status: Status | int | None = None,
        message: str = "",
        type: str = "",
        details: dict[str, Any] | None = None,
        backtrace: str | None = None,
    ) -> None: ...

    def __init__(
        self,
        status: Status | int | str | None = None,
        message: str = "",
        type: str = "",  # noqa: A002
        details: dict[str, Any] | None = None,
        backtrace: str | None = None,
    ) -> None:
        super().__init__()
        if isinstance(status, str):
            if message:
                raise TypeError(
                    f"two messages, {status!r} and {message!r}: pass a status and a message, or a message only"
                )
            message = status
        code = Status.from_code(status) if isinstance(status, int) else self._default_status
        # Not by the base: `OSError` takes them for an error number and a file's name.
        self.args = (code, message, type, details, backtrace)

    @property
    def status(self) -> Status:
        """The canonical status."""
        status: Status = self.args[0]
        return status

    @property
    def message(self) -> str:
        """The message: the problem, the value that was found, and the value that was expected."""
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
    """INVALID_ARGUMENT: an argument is invalid, whatever the state of the system."""


class DeadlineExceededError(PluginError, TimeoutError):
    """DEADLINE_EXCEEDED: the deadline has passed. After a close that timed out, ``details`` names the running calls."""


class NotFoundError(PluginError, LookupError):
    """NOT_FOUND: no such file, method or record."""


class AlreadyExistsError(PluginError):
    """ALREADY_EXISTS: the object to create already exists."""


class PermissionDeniedError(PluginError, PermissionError):
    """PERMISSION_DENIED: the caller is known, but has no permission."""


class ResourceExhaustedError(PluginError):
    """RESOURCE_EXHAUSTED: a limit was reached."""


class FailedPreconditionError(PluginError):
    """FAILED_PRECONDITION: not possible in the current state, for example poisoned, forked or incompatible."""


class AbortedError(PluginError):
    """ABORTED: the call was aborted, typically because of a conflict."""


class OutOfRangeError(PluginError, ValueError):
    """OUT_OF_RANGE: a value is outside its range, for example after an arithmetic overflow."""


class UnimplementedError(PluginError, NotImplementedError):
    """UNIMPLEMENTED: the method or encoding isn't supported."""


class InternalError(PluginError):
    """INTERNAL: an invariant is broken. A panic has the type ``panic``."""


class UnavailableError(PluginError):
    """UNAVAILABLE: the instance is closing or closed."""


class DataLossError(PluginError):
    """DATA_LOSS: data is lost or corrupt."""


class UnauthenticatedError(PluginError):
    """UNAUTHENTICATED: the credentials are missing or invalid."""


class ThrownError(PluginError):
    """An exception of a service with its type, as the plugin receives it."""

    def __init__(self, message: str, value: bytes) -> None:
        super().__init__(message)
        text = message.encode("utf-8", "replace")
        # A mark, the status, the message, and an empty type. The library fills in the status and the type's name.
        front = _TYPED + bytes(4) + len(text).to_bytes(4, "little") + text + bytes(4)
        self.payload = front + bytes(-len(front) % 8) + value


class ResponseTooLargeError(BufferError):
    """The response doesn't fit into the buffer passed as ``into``.

    The call has run. ``response`` is the whole response.
    """

    response: bytes

    def __init__(self, response: bytes = b"", capacity: int = 0) -> None:
        super().__init__(
            f"the response has {len(response)} bytes but the buffer `into` has {capacity}: pass a larger buffer, "
            "or read the response from this exception's `response`"
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
for _status, _class in _CLASSES.items():
    _class._default_status = _status


#: The class of each status and the status itself, by its code, for the extension; the first is no error's.
CLASSES_BY_CODE: tuple[tuple[type[PluginError], Status] | None, ...] = tuple(
    (_CLASSES[Status(code)], Status(code)) if code in _CLASSES else None for code in range(max(_CLASSES) + 1)
)


def error_class(status: Status | int) -> type[PluginError]:
    """Return the exception class of a status."""
    return _CLASSES.get(Status.from_code(status), UnknownError)


def error_from_payload(status: int, payload: bytes) -> PluginError:
    """Create the exception for a failed call from its status and its payload: a JSON object, or a typed error.

    If the payload is neither, it becomes the message.
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


#: The first bytes of a payload in the wire format.
_TYPED = b"\x01\0\0\0"


def _typed_error(status: Status, payload: bytes) -> PluginError | None:
    """Create the exception of a typed error; None if the payload isn't a valid one."""
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
    """Raise the error for an attempt to copy or pickle a value. Pickling would also send it to another process."""
    raise TypeError(
        f"a {type(value).__name__} lives in this process and has one owner, so it's neither copied nor pickled: share "
        "it between threads as it is, and load the plugin in each process that uses it (in a pool, by its initializer)"
    )
