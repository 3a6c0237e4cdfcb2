"""Call options and replies."""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._constants import CONTEXT_HEADERS, CONTEXT_TIMEOUT, CONTEXT_TRACE, SUBMIT_OFFLOAD, SUBMIT_OFFLOAD_PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ._objects import Object

    #: Pairs of a key and a value, which is text or bytes; keys may repeat unless they're those of a mapping.
    Metadata = Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]]

    #: A header as the backends take it: flags, nanoseconds, a trace's ids, its state, metadata, objects, and the
    #: number of the caller's context.
    Header = tuple[int, int, bytes, bytes, bytes, bytes, int]

#: The defaults for how many items, and how many bytes, of a stream may be in flight.
WINDOW = 256
WINDOW_BYTES = 256 * 1024

_U32 = struct.Struct("=I")
_PAIR = struct.Struct("=II")
_MAX_NS = 2**64 - 1

#: An empty header, for calls that only receive something with their response.
EMPTY: Header = (0, 0, b"", b"", b"", b"", 0)


def numbered(header: Header | None, number: int) -> Header | None:
    """Return a header with the number of the caller's context."""
    return (*(header or EMPTY)[:6], number) if number else header


class Reply:
    """Receives the headers, trailers and objects of a call. It has them also if the call failed.

    Pass it with one call at a time, and read it afterwards.
    """

    __slots__ = ("_headers", "_raw", "_takes_headers", "objects")

    #: The objects of the response by their position, if the response itself doesn't contain them.
    objects: list[Object]

    def __init__(self) -> None:
        self._raw: bytes | None = None
        self._headers: bytes | None = None
        #: One that's there for objects alone doesn't have headers kept.
        self._takes_headers = True
        self.objects = []

    @property
    def headers(self) -> list[tuple[str, bytes]]:
        """The plugin's headers (initial metadata), as pairs of key and value.

        They are available with the first item of a stream, or with the response or error. Before that, and if the
        plugin sends none, the list is empty.
        """
        return unpack(self._headers or b"")

    @property
    def trailers(self) -> list[tuple[str, bytes]]:
        """The plugin's trailers (trailing metadata), as pairs of key and value in the plugin's order."""
        return unpack(self._raw or b"")

    def _begin(self) -> None:
        """Discard the results of the previous call."""
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
    """Return a reply that receives objects only."""
    reply = Reply()
    reply._takes_headers = False
    return reply


@dataclass(frozen=True)
class CallOptions:
    """Options of a call, in addition to its request. They may be kept and used for any number of calls.

    * ``timeout`` is in seconds. When it expires, the call fails with :class:`DeadlineExceededError`.
    * ``metadata`` contains pairs of key (ASCII without capitals) and value (text or bytes).
    * ``trace`` is a W3C ``traceparent``, or a pair of ``traceparent`` and ``tracestate``. If it's None and
      OpenTelemetry is in use, the call carries its current span.
    * ``objects`` are borrowed by the call, in the order in which the request refers to them.
    * ``reply`` receives the headers, trailers and objects of the response.
    * ``interruptible`` applies to a blocking call on the main thread: Ctrl-C requests its cancellation at once.
    * ``offload`` applies to awaited calls and streams of async methods. The handler then runs on one of the plugin's
      threads from the start, and not on the loop's thread until it first waits. Plain handlers never run on the loop's
      thread, except leaf methods, which always do.
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
        """The flags that keep work away from a loop's thread."""
        return SUBMIT_OFFLOAD if self.offload else SUBMIT_OFFLOAD_PLAIN


#: Empty options.
NONE = CallOptions()


def merge(
    options: CallOptions | None,
    timeout: float | None,
    metadata: Metadata | None,
    trace: str | tuple[str, str] | None,
    objects: Sequence[Object],
    reply: Reply | None,
) -> CallOptions:
    """Return the options, overridden by the other arguments."""
    if timeout is None and metadata is None and trace is None and not objects and reply is None:
        return options or NONE
    base = options or NONE
    return CallOptions(
        base.timeout if timeout is None else timeout,
        base.metadata if metadata is None else metadata,
        base.trace if trace is None else trace,
        objects or base.objects,
        base.reply if reply is None else reply,
        base.interruptible,
        base.offload,
    )


def header(
    timeout: float | None,
    metadata: Metadata | None,
    trace: str | tuple[str, str] | None,
    objects: Sequence[Object],
    is_needed: bool,
    takes_headers: bool = False,
) -> Header | None:
    """Create the header of a call from options; None if the options are empty and no header is needed."""
    flags = CONTEXT_HEADERS if takes_headers else 0
    nanoseconds = 0
    if timeout is not None:
        if not timeout >= 0:
            raise ValueError(f"a timeout must be a number of seconds from 0 up, or None for no limit, not {timeout!r}")
        flags |= CONTEXT_TIMEOUT
        nanoseconds = min(int(timeout * 1e9), _MAX_NS) if timeout < _MAX_NS else _MAX_NS
    if trace is not None:
        ids, state = _parse_trace(trace)
    else:
        ids, state = current_trace() if "opentelemetry.trace" in sys.modules else (b"", b"")
    if ids:
        flags |= CONTEXT_TRACE
    packed = pack(metadata) if metadata else b""
    if not (flags or packed or objects or is_needed):
        return None
    numbers = struct.pack(f"={len(objects)}Q", *[one._lend() for one in objects]) if objects else b""
    return flags, nanoseconds, ids, state, packed, numbers, 0


def pack(metadata: Metadata) -> bytes:
    """Encode metadata in the layout of the boundary."""
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
    """Decode metadata from the layout of the boundary. The core has checked it."""
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
            f"{parent!r} isn't a traceparent: expected '00-', 32 hexadecimal digits, '-', 16 digits, '-' and 2 digits"
        ) from None
    return ids[0] + ids[1] + _U32.pack(ids[2][0]), state.encode()


def format_trace(ids: bytes) -> str:
    """Return the traceparent of a trace in the layout of the boundary."""
    return f"00-{ids[:16].hex()}-{ids[16:24].hex()}-{_U32.unpack_from(ids, 24)[0] & 0xFF:02x}"


def current_trace() -> tuple[bytes, bytes]:
    """Return the IDs and the state of OpenTelemetry's current span; empty if there is no span."""
    module: Any = sys.modules.get("opentelemetry.trace")
    if module is None or not hasattr(module, "get_current_span"):
        return b"", b""
    context = module.get_current_span().get_span_context()
    if not context.is_valid:
        return b"", b""
    ids = context.trace_id.to_bytes(16, "big") + context.span_id.to_bytes(8, "big")
    return ids + _U32.pack(int(context.trace_flags)), context.trace_state.to_header().encode()
