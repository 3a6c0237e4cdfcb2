"""The choice of a backend, and the interface of backends.

A backend only marshals. Its arguments have been checked and converted already. If a call fails, it raises the result of
``error_from_payload``.
"""

from __future__ import annotations

import os
import sysconfig
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._method import Method
    from ._plugin import Plugin
    from ._wire_plan import Codec
    from ._wire_types import Sizes

LOAD_POISON = 1
LOAD_BACKTRACE = 2
LOAD_OWN_COPY = 4
METHOD_LEAF = 1
METHOD_ASYNC = 2
METHOD_STREAM_OUT = 4
METHOD_STREAM_IN = 8
METHOD_OBJECTS = 16
METHOD_RECEIVER = 32
#: Not of the ABI: services may be called for the method, so its caller's context goes along.
METHOD_SERVED = 1 << 31
#: What a method may have besides a plain answer: a call of it has a header, also if nothing is said.
METHOD_BESIDE = METHOD_OBJECTS | METHOD_RECEIVER
#: The methods that the short ways to call leave out.
METHOD_CARRIES = METHOD_BESIDE | METHOD_SERVED
HEADER_TIMEOUT = 1
HEADER_TRACE = 2
HEADER_HEADERS = 8
SUBMIT_OFFLOAD = 1
SUBMIT_OFFLOAD_PLAIN = 2
BATCH_ENDS = 1

#: In place of an encoding: raw where the method has it, otherwise pod.
BYTES = 2**32 - 1

#: As a close timeout: wait for good.
FOREVER = 2**64 - 1

NAMES = ("native", "ctypes")


class Backend(Protocol):
    """The functions of a backend; both modules that implement it have them at top level."""

    NAME: str

    def load(
        self,
        path: bytes | None,
        image: bytes | None,
        config: bytes,
        name: str,
        flags: int,
        level: int,
        capacity: int,
        log: Callable[..., None],
        services: tuple[tuple[str, int, int, int], ...],
        contract: str,
        threads: int,
        /,
    ) -> int:
        """Load a plugin and make an instance; gives its handle.

        A service is its name, its encoding, the queue that it goes to, and the number that its events have.
        ``contract`` is what the typed client was written from that loads; empty if none does.
        """

    def name(self, handle: int, /) -> bytes:
        """Give the name that an instance goes by, UTF-8."""

    def describe(self, handle: int, /) -> bytes:
        """Give the plugin's description, JSON."""

    def method(self, plugin: Plugin | None, handle: int, name: str | int, encoding: int, /) -> Method:
        """Resolve a method in an `Encoding`, or for `BYTES`."""

    def typed_method(self, plugin: Plugin | None, handle: int, name: str, fingerprint: str, contract: str, /) -> Method:
        """Resolve a method in the wire form, if the types that a client knows are the plugin's."""

    def codec(self, sizes: Sizes, types: Iterable[Any], /) -> Codec | None:
        """Make what writes and reads types in the backend's own code, if it has that."""

    def state(self, handle: int, /) -> int:
        """Give the number of the state."""

    def close(self, handle: int, timeout_ms: int, cancel_after_ms: int | None, /) -> None:
        """Drain and destroy; what's pending is cancelled after a time of its own, or not for None."""

    def set_log_level(self, handle: int, level: int, /) -> None:
        """Change the level, one of the ABI's numbers."""

    def set_log_sink(self, handle: int, log: Callable[..., None] | None, timeout_ms: int, /) -> None:
        """Change the sink, and wait for the old one to return."""

    def flush_logs(self, handle: int, timeout_ms: int, /) -> None:
        """Wait until what was logged so far has been delivered."""

    def inspect(self) -> bytes:
        """Give the ledger of mappings and instances, JSON."""

    def version(self) -> str:
        """Give the version of the native library."""

    def end_upcalls(self, timeout_ms: int, /) -> bool:
        """Let no call of the library reach Python any more, and wait for those that do; gives whether they're over."""

    def cut_off_upcalls(self) -> None:
        """See to it that those which haven't returned do no harm when Python ends."""

    def await_releases(self, seconds: float) -> None:
        """Wait until the library has nothing of Python's any more, which it gives back by calling Python."""

    def forget_upcalls(self) -> None:
        """Forget the parent's, in a forked child."""

    def queue_new(self) -> int:
        """Make a queue; gives its number."""

    def queue_close(self, queue: int, /) -> None:
        """Close a queue; its pending calls are abandoned."""

    def queue_fd(self, queue: int, /) -> int:
        """Return the descriptor for a loop to watch."""

    def queue_wake(self, queue: int, /) -> None:
        """Have who waits for events return without one."""

    def queue_poll(self, queue: int, timeout_ms: int, /) -> tuple[tuple[Any, ...], ...]:
        """Fetch events, waiting for the first one.

        Each is a tuple of its kind, its operation's number, and what belongs to the kind: the end's status, payload,
        trailers, objects; items' count, flags, payload, objects; headers, which come before both; how many items and
        bytes may be sent; the number that a service was registered with, what the call carries (nanoseconds, trace, its
        state, metadata, the number of the call that it is for), the request.
        """

    def submit(
        self, queue: int, handle: int, entry: int, request: bytes, flags: int, header: Any, items: int, most: int, /
    ) -> Any:
        """Begin a call; gives its number, or if it's over what `call_with` gives."""

    def call_with(self, handle: int, entry: int, request: bytes, header: Any, /) -> Any:
        """Call; gives bytes if that's all there is, or else status, payload, trailers, objects and headers."""

    def call_lending(self, handle: int, entry: int, request: bytes, number: int, /) -> Any:
        """Call, with one object lent and nothing else said; gives what `call_with` gives."""

    def op_cancel(self, op: int, /) -> None:
        """Request the cancellation of a call."""

    def op_detach(self, op: int, /) -> None:
        """Give an operation up."""

    def op_demand(self, op: int, items: int, most: int, /) -> None:
        """Take so many items more, and so many bytes."""

    def op_write(self, op: int, data: bytes, count: int, flags: int, /) -> None:
        """Send items."""

    def op_end(self, op: int, status: int, payload: bytes, /) -> None:
        """End the input stream."""

    def service_reply(self, number: int, status: int, payload: bytes, /) -> None:
        """Answer a service's call."""

    def object_release(self, number: int, /) -> int:
        """Release an object; gives the status."""

    def set_service_answer(self, answer: Callable[[int, Any, bytes], tuple[int, bytes] | None], /) -> None:
        """Say what answers services on threads that began in Python, where the backend can tell."""


def check_build(is_free_threaded: bool) -> None:
    """Refuse a CPython without the GIL: what the backends rely on is guarded by it, and that one has no stable ABI."""
    if is_free_threaded:
        raise ImportError(
            "rustbridge doesn't work in a free-threaded build of CPython yet: use the regular build of this version "
            "(python3.13, not python3.13t)"
        )


check_build(bool(sysconfig.get_config_var("Py_GIL_DISABLED")))

_loaded: dict[str, Backend] = {}


#: What helps where glibc has no thread-local memory left for one more library.
_STATIC_TLS = (
    "libraries that are loaded late share a small reserve of each thread's memory, and others have used it up: import "
    "rustbridge before them, or start the process with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
)


def _import(name: str) -> Backend:
    backend = _loaded.get(name)
    if backend is None:
        try:
            module = _module(name)
        except (ImportError, OSError) as error:
            if "static TLS" in str(error):
                raise ImportError(f"{error}; {_STATIC_TLS}") from error
            raise
        backend = _loaded[name] = cast("Backend", module)
    return backend


def _module(name: str) -> object:
    # Not by the name that is made of it: tools that make a program of one file find modules by their statements.
    if name == "native":
        from . import _native_backend as module  # noqa: PLC0415
    else:
        from . import _ctypes_backend as module  # type: ignore[no-redef]  # noqa: PLC0415
    return module


def loaded_backend(name: str) -> Backend:
    """Give a backend that is in use."""
    return _loaded[name]


def loaded() -> list[Backend]:
    """Give the backends in use."""
    return list(_loaded.values())


def choose(name: str | None = None) -> Backend:
    """Give the backend of that name, or of ``RUSTBRIDGE_BACKEND``, or the fastest that works here."""
    name = name or os.environ.get("RUSTBRIDGE_BACKEND") or None
    if name is not None:
        if name not in NAMES:
            raise ValueError(f"unknown backend {name!r}: expected one of {', '.join(NAMES)}")
        return _import(name)
    try:
        return _import("native")
    except ImportError as native:
        try:
            return _import("ctypes")
        except (ImportError, OSError) as error:
            raise ImportError(
                f"neither backend of rustbridge works: the extension failed with {str(native)!r}, "
                f"ctypes with {str(error)!r}"
            ) from error
