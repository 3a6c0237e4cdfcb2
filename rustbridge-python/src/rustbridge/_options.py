"""What a call carries beside its request, and what comes back beside its answer."""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._backend import (
    HEADER_HEADERS,
    HEADER_TIMEOUT,
    HEADER_TRACE,
    SUBMIT_OFFLOAD,
    SUBMIT_OFFLOAD_PLAIN,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ._objects import Object

    #: Pairs of a key and a value, which is text or bytes; keys may repeat unless they're those of a mapping.
    Metadata = Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]]

    #: A header as the backends take it: flags, nanoseconds, a trace's ids, its state, metadata, objects, and the
    #: number of the caller's context.
    Header = tuple[int, int, bytes, bytes, bytes, bytes, int]

_U32 = struct.Struct("=I")
_PAIR = struct.Struct("=II")
_MAX_NS = 2**64 - 1

#: A header that says nothing, and is a place for what comes back.
EMPTY: Header = (0, 0, b"", b"", b"", b"", 0)


def numbered(header: Header | None, number: int) -> Header | None:
    """Return a header with the number of the caller's context."""
    return (*(header or EMPTY)[:6], number) if number else header


class Reply:
    """A place for what comes back beside an answer, or an error.

    Pass one with a call at a time, and read it afterwards.
    """

    __slots__ = ("_headers", "_raw", "_takes_headers", "objects")

    #: The objects of the answer by their position, where the answer itself doesn't have them in their places.
    objects: list[Object]

    def __init__(self) -> None:
        self._raw: bytes | None = None
        self._headers: bytes | None = None
        #: One that's there for objects alone doesn't have headers kept.
        self._takes_headers = True
        self.objects = []

    @property
    def headers(self) -> list[tuple[str, bytes]]:
        """Pairs of key and value that the plugin says before anything else.

        They are here with the first item of a stream, or with the answer or the error. Until then, and if the plugin
        says none, there are none.
        """
        return unpack(self._headers or b"")

    @property
    def trailers(self) -> list[tuple[str, bytes]]:
        """Pairs of key and value, in the plugin's order."""
        return unpack(self._raw or b"")

    def _begin(self) -> None:
        """Forget what came of the call before, if it was used before."""
        self._raw = self._headers = None
        self.objects = []

    def _take(self, trailers: bytes | None) -> None:
        self._raw = trailers

    def _take_headers(self, headers: bytes | None) -> None:
        self._headers = headers

    def __repr__(self) -> str:
        return (
            f"<rustbridge.Reply with {len(self.headers)} headers, {len(self.trailers)} trailers "
            f"and {len(self.objects)} objects>"
        )


def for_objects() -> Reply:
    """Make a place for objects alone."""
    reply = Reply()
    reply._takes_headers = False
    return reply


@dataclass(frozen=True)
class CallOptions:
    """What a call carries beside its request. May be kept and used for any number of calls.

    ``timeout`` is in seconds: when they're over the call ends with :class:`DeadlineExceededError`. ``metadata`` are
    pairs of key (ASCII without capitals) and value (text or bytes). ``trace`` is a W3C ``traceparent``, or a pair of
    that and a ``tracestate``; without it the current span of OpenTelemetry goes along, if there's one. ``objects`` are
    lent to the call, in the order in which the request speaks of them. ``reply`` is where headers, trailers and
    objects go that come back. ``interruptible``: Ctrl-C in a blocking call on the main thread asks for its cancellation
    at once. ``offload``: of a call or stream that's awaited, not even what an asynchronous method does before it waits
    runs on the loop's thread; plain methods never do.
    """

    timeout: float | None = None
    metadata: Metadata | None = None
    trace: str | tuple[str, str] | None = None
    objects: Sequence[Object] = ()
    reply: Reply | None = None
    interruptible: bool = False
    offload: bool = False

    @property
    def _submit_flags(self) -> int:
        """What doesn't run on the thread of a loop."""
        return SUBMIT_OFFLOAD if self.offload else SUBMIT_OFFLOAD_PLAIN


#: Options that say nothing.
NONE = CallOptions()


def header(
    timeout: float | None,
    metadata: Metadata | None,
    trace: str | tuple[str, str] | None,
    objects: Sequence[Object],
    is_needed: bool,
    takes_headers: bool = False,
) -> Header | None:
    """Make a header of options; None if they say nothing and it isn't needed."""
    flags = HEADER_HEADERS if takes_headers else 0
    nanoseconds = 0
    if timeout is not None:
        if not timeout >= 0:
            raise ValueError(f"a timeout is a number of seconds from 0 up, or None for no limit, not {timeout!r}")
        flags |= HEADER_TIMEOUT
        nanoseconds = min(int(timeout * 1e9), _MAX_NS) if timeout < _MAX_NS else _MAX_NS
    if trace is not None:
        ids, state = _parse_trace(trace)
    else:
        ids, state = current_trace() if "opentelemetry.trace" in sys.modules else (b"", b"")
    if ids:
        flags |= HEADER_TRACE
    packed = pack(metadata) if metadata else b""
    if not (flags or packed or objects or is_needed):
        return None
    numbers = struct.pack(f"={len(objects)}Q", *[one._lend() for one in objects]) if objects else b""
    return flags, nanoseconds, ids, state, packed, numbers, 0


def pack(metadata: Metadata) -> bytes:
    """Lay metadata out as the boundary has it."""
    pairs = metadata.items() if hasattr(metadata, "items") else metadata
    parts: list[bytes] = []
    count = 0
    for key, value in pairs:
        name = key.encode()
        content = value.encode() if isinstance(value, str) else bytes(memoryview(value))
        parts += (_PAIR.pack(len(name), len(content)), name, content)
        count += 1
    return _U32.pack(count) + b"".join(parts)


def unpack(packed: bytes) -> list[tuple[str, bytes]]:
    """Read metadata as the boundary has it, which the core has checked."""
    if not packed:
        return []
    pairs = []
    at = _U32.size
    for _ in range(_U32.unpack_from(packed)[0]):
        name, value = _PAIR.unpack_from(packed, at)
        at += _PAIR.size
        pairs.append((packed[at : at + name].decode("ascii", "replace"), packed[at + name : at + name + value]))
        at += name + value
    return pairs


def _parse_trace(trace: Any) -> tuple[bytes, bytes]:
    parent, state = (trace, "") if isinstance(trace, str) else trace
    parts = parent.split("-")
    try:
        if len(parts[0]) != 2 or parts[0] == "ff" or (parts[0] == "00" and len(parts) != 4):
            raise ValueError
        ids = [bytes.fromhex(part) for part in parts[1:4]]
        if [len(one) for one in ids] != [16, 8, 1]:
            raise ValueError
    except (ValueError, IndexError):
        raise ValueError(
            f"{parent!r} is no traceparent: expected '00-', 32 hexadecimal digits, '-', 16 digits, '-' and 2 digits"
        ) from None
    return ids[0] + ids[1] + _U32.pack(ids[2][0]), state.encode()


def format_trace(ids: bytes) -> str:
    """Give the traceparent of a trace as the boundary has it."""
    return f"00-{ids[:16].hex()}-{ids[16:24].hex()}-{_U32.unpack_from(ids, 24)[0] & 0xFF:02x}"


def current_trace() -> tuple[bytes, bytes]:
    """Give the ids and the state of OpenTelemetry's current span; nothing if there's none."""
    module: Any = sys.modules.get("opentelemetry.trace")
    if module is None or not hasattr(module, "get_current_span"):
        return b"", b""
    context = module.get_current_span().get_span_context()
    if not context.is_valid:
        return b"", b""
    ids = context.trace_id.to_bytes(16, "big") + context.span_id.to_bytes(8, "big")
    return ids + _U32.pack(int(context.trace_flags)), context.trace_state.to_header().encode()
