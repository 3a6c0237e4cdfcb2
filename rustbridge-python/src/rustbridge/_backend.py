"""The choice of a backend, and the interface of backends.

A backend only marshals. Its arguments have been checked and converted already. If a call fails, it raises the result of
``error_from_payload``.
"""

from __future__ import annotations

import os
import sysconfig
from typing import TYPE_CHECKING, Any, Protocol, cast

from ._constants import ENCODING_BYTES, METHOD_OBJECTS, METHOD_RECEIVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ._method import Method
    from ._plugin import Plugin
    from ._wire_plan import Codec
    from ._wire_types import Sizes

#: Not part of the ABI: the method may call services, so its caller's context is kept for them.
METHOD_SERVED = 1 << 31
#: Flags of methods with objects or a receiver. Their calls always have a call context.
METHOD_BESIDE = METHOD_OBJECTS | METHOD_RECEIVER
#: Flags of the methods that the fast paths don't support.
METHOD_CARRIES = METHOD_BESIDE | METHOD_SERVED

#: In place of an encoding: raw if the method has it, otherwise pod.
BYTES = ENCODING_BYTES

#: As a timeout: wait without a limit.
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
        client_schema: str,
        threads: int,
        /,
    ) -> int:
        """Load a plugin, create an instance, and return its handle.

        Each service is a tuple: its name, its encoding, the queue of its events, and the number in its events.
        ``client_schema`` is that of the typed client that loads the plugin; empty for other callers.
        """

    def name(self, handle: int, /) -> bytes:
        """Return the instance's name in UTF-8."""

    def describe(self, handle: int, /) -> bytes:
        """Return the plugin's description as JSON."""

    def method(self, plugin: Plugin | None, handle: int, name: str | int, encoding: int, /) -> Method:
        """Resolve a method in an `Encoding`, or in the encoding that `BYTES` stands for."""

    def typed_method(
        self, plugin: Plugin | None, handle: int, name: str, fingerprint: str, client_schema: str, /
    ) -> Method:
        """Resolve a method in the wire format, if the client's types are compatible with the plugin's."""

    def codec(self, sizes: Sizes, types: Iterable[Any], /) -> Codec | None:
        """Return a codec in the backend's native code, or None if it has none for these types."""

    def state(self, handle: int, /) -> int:
        """Return the instance's state as a number."""

    def close(self, handle: int, timeout_ms: int, cancel_after_ms: int | None, /) -> None:
        """Wait for pending calls, then destroy the instance.

        ``cancel_after_ms`` is the time after which calls that are still pending are cancelled; None never cancels them.
        """

    def set_log_level(self, handle: int, level: int, /) -> None:
        """Set the log level, one of the ABI's numbers."""

    def set_log_sink(self, handle: int, log: Callable[..., None] | None, timeout_ms: int, /) -> None:
        """Replace the log sink, and wait until the running calls of the old one have returned."""

    def flush_logs(self, handle: int, timeout_ms: int, /) -> None:
        """Wait until all records that were logged before this call have been delivered."""

    def inspect(self) -> bytes:
        """Return the registry of mappings and instances as JSON."""

    def version(self) -> str:
        """Return the version of the native library."""

    def end_upcalls(self, timeout_ms: int, /) -> bool:
        """Refuse new calls into Python, wait for the running ones, and return whether all of them have returned."""

    def cut_off_upcalls(self) -> None:
        """Make calls into Python that haven't returned harmless when the interpreter ends."""

    def await_releases(self, seconds: float) -> None:
        """Wait until the library has released all its references to Python, for which it calls into Python."""

    def forget_upcalls(self) -> None:
        """Forget the parent's calls into Python, in the child of a fork."""

    def queue_new(self) -> int:
        """Create a completion queue, and return its number."""

    def queue_close(self, queue: int, /) -> None:
        """Close a completion queue. Its pending calls are abandoned."""

    def queue_fd(self, queue: int, /) -> int:
        """Return the wakeup that an event loop can watch: a descriptor, or on Windows an event handle."""

    def queue_wake(self, queue: int, /) -> None:
        """Make a poller that waits for events return without one."""

    def queue_poll(self, queue: int, timeout_ms: int, /) -> tuple[tuple[Any, ...], ...]:
        """Return events, after waiting for the first one.

        Each event is a tuple: its kind, the ID of its call, and the fields of its kind.

        * DONE: status, payload, trailing metadata, objects.
        * ITEMS: count, flags, payload, objects.
        * HEADERS, which come before both: the initial metadata.
        * DEMAND: how many items and bytes may be sent.
        * SERVICE: the number under which the service was registered, the call context (timeout in nanoseconds, trace,
          trace state, metadata, number of the call that it belongs to), the request.
        """

    def submit(
        self, queue: int, handle: int, entry: int, request: bytes, flags: int, header: Any, items: int, most: int, /
    ) -> Any:
        """Submit an asynchronous call. Return its ID, or the result of `call_with` if it has completed."""

    def call_with(self, handle: int, entry: int, request: bytes, header: Any, /) -> Any:
        """Call a method, and return the response.

        It's bytes if the response has no other parts. Otherwise it's a tuple: status, payload, trailing metadata,
        objects, initial metadata.
        """

    def call_lending(self, handle: int, entry: int, request: bytes, number: int, /) -> Any:
        """Call a method with one borrowed object and an otherwise empty call context; otherwise like `call_with`."""

    def op_cancel(self, op: int, /) -> None:
        """Request the cancellation of a call."""

    def op_detach(self, op: int, /) -> None:
        """Abandon a call."""

    def op_demand(self, op: int, items: int, most: int, /) -> None:
        """Increase the credit for items from the plugin, by a number of items and of bytes."""

    def op_write(self, op: int, data: bytes, count: int, flags: int, /) -> None:
        """Send items to the plugin."""

    def op_end(self, op: int, status: int, payload: bytes, /) -> None:
        """End the input stream, with a status."""

    def service_reply(self, number: int, status: int, payload: bytes, /) -> None:
        """Send the response to a service call."""

    def object_release(self, number: int, /) -> int:
        """Release an object, and return the status."""

    def set_service_answer(self, answer: Callable[[int, Any, bytes], tuple[int, bytes] | None], /) -> None:
        """Set the function that answers service calls on threads that Python started, if the backend detects these."""


def check_build(is_free_threaded: bool) -> None:
    """Refuse a CPython without the GIL: it guards the backends' state, and free-threaded builds lack a stable ABI."""
    if is_free_threaded:
        raise ImportError(
            "rustbridge doesn't work in a free-threaded build of CPython yet: use the regular build of this version "
            "(python3.13, not python3.13t)"
        )


check_build(bool(sysconfig.get_config_var("Py_GIL_DISABLED")))

_loaded: dict[str, Backend] = {}


#: The remedy if glibc has no thread-local memory left for another library.
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
    # Import statements instead of computed names: tools that bundle a program find modules by the statements.
    if name == "native":
        from . import _native_backend as module  # noqa: PLC0415
    else:
        from . import _ctypes_backend as module  # type: ignore[no-redef]  # noqa: PLC0415
    return module


def loaded_backend(name: str) -> Backend:
    """Return a backend that is in use."""
    return _loaded[name]


def loaded() -> list[Backend]:
    """Return the backends that are in use."""
    return list(_loaded.values())


def choose(name: str | None = None) -> Backend:
    """Return the backend of that name, or that ``RUSTBRIDGE_BACKEND`` names, or the fastest that works here."""
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
