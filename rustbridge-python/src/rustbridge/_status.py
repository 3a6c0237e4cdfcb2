"""Numbers that cross the boundary: statuses, encodings, states."""

from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """The status of a call: one of gRPC's canonical codes."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16

    @classmethod
    def from_code(cls, code: int) -> Status:
        """Return the status with this code. An unknown code, for example of a newer version, is ``UNKNOWN``."""
        return _STATUSES.get(code, _UNKNOWN)


#: An error is read by these, and a lookup in the class takes ten times as long.
_STATUSES = {int(status): status for status in Status}
_UNKNOWN = Status.UNKNOWN


class Encoding(enum.IntEnum):
    """The layout of a method's request and response."""

    JSON = 0
    RAW = 1
    POD = 2
    MSGPACK = 3
    BINCODE = 4
    POSTCARD = 5
    WIRE = 6

    @classmethod
    def parse(cls, value: str | int) -> Encoding:
        """Return the encoding with this name (``"pod"``) or number. Raises ``ValueError`` for any other value."""
        try:
            return cls[value.upper()] if isinstance(value, str) else cls(value)
        except (KeyError, ValueError):
            names = ", ".join(encoding.name.lower() for encoding in cls)
            raise ValueError(f"unknown encoding {value!r}: expected one of {names}") from None


class State(enum.Enum):
    """The state of an instance."""

    ACTIVE = "active"
    POISONED = "poisoned"
    CLOSING = "closing"
    CLOSED = "closed"
    FORKED = "forked"
    #: A state that a newer native library has and this version doesn't know.
    UNKNOWN = "unknown"


#: In the order of the numbers of the host ABI, which begin with 1.
STATES = (State.ACTIVE, State.POISONED, State.CLOSING, State.CLOSED, State.FORKED)
