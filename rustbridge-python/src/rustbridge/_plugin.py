"""Loading plugins, and the instance that a load gives."""

from __future__ import annotations

import atexit
import json
import logging
import os
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, overload

from . import _backend, _description, _logging
from ._errors import PluginError, UnavailableError, UnimplementedError, error_class
from ._json import codec
from ._status import STATES, Encoding, State, Status

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from ._backend import Backend
    from ._lease import Lease
    from ._method import Method

T = TypeVar("T")

DEFAULT_CLOSE_TIMEOUT = 10.0
_EXIT_TIMEOUT_MS = 1000

#: Every instance not yet closed, so that the end of the interpreter and a fork reach it.
_live: weakref.WeakSet[Plugin] = weakref.WeakSet()


def load(
    source: str | os.PathLike[str] | Buffer,
    config: dict[str, Any] | str | bytes | None = None,
    *,
    name: str | None = None,
    log_level: int | str | None = None,
    logger: logging.Logger | None = None,
    on_panic: Literal["continue", "poison"] = "continue",
    backtrace: bool = False,
    own_copy: bool = False,
    backend: Literal["native", "ctypes"] | None = None,
) -> Plugin:
    """Load a plugin from a library file, or from the library's bytes, and make an instance of it.

    ``config`` is what the plugin's ``create`` gets: a dict, JSON text, or nothing. ``name`` is the instance's name;
    the plugin has one of its own. Records go to ``logger``, or to ``rustbridge.<name>.<target>``; those up to
    ``log_level`` (a level of :mod:`logging`, a name, :data:`TRACE` or :data:`OFF`) are made at all, by default what
    the logger lets through now. After a panic the instance goes on, or with ``on_panic="poison"`` refuses further
    calls. ``backtrace`` puts the Rust backtrace of a panic into the error. ``own_copy`` maps the library once more
    for this instance, for plugins with global state of their own. ``backend`` overrides the choice of the process.

    Raises :class:`PluginError` when the library can't be loaded or the plugin refuses the config.
    """
    chosen = _backend.choose(backend)
    path, image = _source(source)
    if on_panic not in ("continue", "poison"):
        raise ValueError(f"on_panic is {on_panic!r}: expected 'continue' or 'poison'")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"an instance's name is a str, not {type(name).__name__}")
    flags = (
        (_backend.LOAD_POISON if on_panic == "poison" else 0)
        | (_backend.LOAD_BACKTRACE if backtrace else 0)
        | (_backend.LOAD_OWN_COPY if own_copy else 0)
    )
    sink = _logging.LogSink(name or "", _checked_logger(logger))
    if log_level is None:
        effective = (logger or logging.getLogger(f"rustbridge.{name}" if name else "rustbridge")).getEffectiveLevel()
        log_level = effective
    level = _logging.to_abi(log_level)
    try:
        handle = chosen.load(path, image, _config(config), name or "", flags, level, sink)
    except BaseException:
        sink.open(name or (os.path.splitext(os.path.basename(path))[0] if path else "plugin"))
        raise
    return Plugin(chosen, handle, name, sink, level)


def inspect() -> dict[str, Any]:
    """Give the core's ledger: what is mapped, where it came from, and every live instance."""
    return cast("dict[str, Any]", json.loads(_backend.choose().inspect()))


def native_version() -> str:
    """Give the version of the native library."""
    return _backend.choose().version()


def _source(source: Any) -> tuple[str | None, bytes | None]:
    if isinstance(source, (str, os.PathLike)):
        return os.fsdecode(source), None
    if isinstance(source, bytes):
        return None, source
    try:
        view = memoryview(source)
    except TypeError:
        raise TypeError(
            f"a plugin is loaded from a path or from the bytes of a library, not {type(source).__name__}"
        ) from None
    return None, view.tobytes()


def _config(config: Any) -> bytes:
    if config is None:
        return b""
    if isinstance(config, str):
        return config.encode()
    if isinstance(config, bytes):
        return config
    if isinstance(config, dict):
        return codec.dumps(config)
    raise TypeError(f"a config is a dict, JSON text or None, not {type(config).__name__}")


def _checked_logger(logger: Any) -> logging.Logger | None:
    if logger is None or isinstance(logger, logging.Logger):
        return logger
    if isinstance(logger, logging.LoggerAdapter):
        return cast("logging.Logger", logger.logger)
    raise TypeError(f"a logger is a logging.Logger or None, not {type(logger).__name__}")


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return _backend.FOREVER
    if not timeout >= 0:
        raise ValueError(f"a timeout is a number of seconds from 0 up, or None to wait for good, not {timeout!r}")
    return min(int(timeout * 1000), _backend.FOREVER)


class Plugin:
    """One running instance of a plugin. A context manager: leaving the block closes it."""

    __slots__ = ("__weakref__", "_backend", "_closed", "_handle", "_json", "_level", "_name", "_raw", "_sink")

    def __init__(self, backend: Backend, handle: int, name: str | None, sink: _logging.LogSink, level: int, /) -> None:
        self._closed = False
        self._backend = backend
        self._handle = handle
        self._sink = sink
        self._level = level
        self._json: dict[str, Method] = {}
        self._raw: dict[tuple[str | int, Encoding | None], Method] = {}
        _live.add(self)
        self._name = name or str(self.describe()["name"])
        sink.open(self._name)

    @property
    def name(self) -> str:
        """The instance's name."""
        return self._name

    @property
    def handle(self) -> int:
        """The instance's handle in the host ABI, for code that calls ``librustbridge`` itself."""
        return self._handle

    @property
    def backend(self) -> str:
        """Which backend carries its calls: ``native`` or ``ctypes``."""
        return self._backend.NAME

    @property
    def state(self) -> State:
        """What the instance is doing."""
        number = self._backend.state(self._handle)
        if not 1 <= number <= len(STATES):
            raise PluginError(Status.UNKNOWN, f"the native library answered the unknown state {number}")
        return STATES[number - 1]

    def describe(self) -> dict[str, Any]:
        """Give what the plugin says of itself: methods, encodings, schemas, layouts.

        Entries that this version of rustbridge can't call are left out, and what the plugin left out is filled in;
        docs/describe.md says with what.
        """
        return _description.read(self._backend.describe(self._handle))

    def method(self, name: str | int, encoding: str | Encoding = Encoding.JSON) -> Method:
        """Resolve a method, by name or numeric id, in an encoding, once and for all calls through the result."""
        return self._backend.method(self, self._handle, _method_name(name), Encoding.parse(encoding))

    def call(self, name: str, request: Any = None) -> Any:
        """Call a method with an object and return an object, through JSON."""
        method = self._json.get(name)
        if method is None:
            method = self._prepare_json(name)
        return codec.loads(method.call_raw(codec.dumps(request)))

    def call_json(self, name: str, text: str | bytes) -> str:
        """Call a method with JSON text and return JSON text."""
        method = self._json.get(name)
        if method is None:
            method = self._prepare_json(name)
        return method.call_json(text)

    @overload
    def call_raw(
        self, name: str | int, request: Buffer, into: None = None, *, encoding: str | Encoding | None = None
    ) -> bytes: ...
    @overload
    def call_raw(
        self, name: str | int, request: Buffer, into: type[T], *, encoding: str | Encoding | None = None
    ) -> T: ...
    @overload
    def call_raw(
        self, name: str | int, request: Buffer, into: Buffer, *, encoding: str | Encoding | None = None
    ) -> int: ...
    def call_raw(
        self, name: str | int, request: Buffer, into: Any = None, *, encoding: str | Encoding | None = None
    ) -> Any:
        """Call a method, by name or numeric id, with bytes: see :meth:`Method.call_raw`.

        Without an encoding it is ``raw`` where the method has it, else ``pod``.
        """
        method = self._raw.get((name, encoding))  # type: ignore[arg-type]
        if method is None:
            method = self._prepare_raw(name, encoding)
        return method.call_raw(request, into)

    def call_raw_zero_copy(self, name: str | int, request: Buffer, *, encoding: str | Encoding | None = None) -> Lease:
        """Call a method with bytes and leave the response in the plugin's memory: see :class:`Lease`."""
        method = self._raw.get((name, encoding))  # type: ignore[arg-type]
        if method is None:
            method = self._prepare_raw(name, encoding)
        return method.lease(request)

    def _prepare_json(self, name: str) -> Method:
        # What these two caches hold doesn't refer to the plugin: no cycle, so an instance that is dropped ends at once.
        if not isinstance(name, str):
            raise TypeError(f"a method's name is a str, not {type(name).__name__}")
        method = self._json[name] = self._backend.method(None, self._handle, name, Encoding.JSON)
        return method

    def _prepare_raw(self, name: str | int, encoding: str | Encoding | None) -> Method:
        name = _method_name(name)
        if encoding is not None:
            method = self._backend.method(None, self._handle, name, Encoding.parse(encoding))
        else:
            try:
                method = self._backend.method(None, self._handle, name, Encoding.RAW)
            except UnimplementedError as raw:
                try:
                    method = self._backend.method(None, self._handle, name, Encoding.POD)
                except UnimplementedError:
                    message = (
                        f"{raw.message}; bytes go as raw or pod unless `encoding` says otherwise, "
                        "objects and text by call and call_json"
                    )
                    raise UnimplementedError(raw.status, message, raw.type) from None
        self._raw[name, encoding] = method  # type: ignore[index]
        return method

    @property
    def log_level(self) -> int:
        """The level up to which records are made, as a number of :mod:`logging`; assign a number or a name."""
        return _logging.from_abi(self._level)

    @log_level.setter
    def log_level(self, level: int | str) -> None:
        number = _logging.to_abi(level)
        self._check(self._backend.set_log_level(self._handle, number), "the log level can't be changed")
        self._level = number

    def set_logger(self, logger: logging.Logger | None) -> None:
        """Send records to another logger from now on; None is the default, ``rustbridge.<name>.<target>``.

        When it returns, the old logger gets nothing any more.
        """
        sink = _logging.LogSink(self._name, _checked_logger(logger))
        sink.open(self._name)
        self._check(self._backend.set_log_sink(self._handle, sink), "the logger can't be changed")
        self._sink = sink

    def flush_logs(self, timeout: float | None = 1.0) -> None:
        """Wait until what has been logged so far was delivered."""
        self._check(
            self._backend.flush_logs(self._handle, _milliseconds(timeout)), "not every record was delivered in time"
        )

    def _check(self, status: int, what: str) -> None:
        """Raise for a function of the host ABI that has no payload to explain itself with."""
        if status:
            raise error_class(status)(status, f"{what}: instance `{self._name}` is {self.state.value}")

    def close(self, timeout: float | None = DEFAULT_CLOSE_TIMEOUT) -> None:
        """Refuse new calls, wait for the running ones, flush the log, and end the instance.

        If calls still run after ``timeout`` seconds (None waits for good), :class:`DeadlineExceededError` tells which;
        the instance stays closing, and another ``close`` goes on waiting. Does nothing to an instance that is closed.
        """
        if self._closed:
            return
        try:
            self._backend.close(self._handle, _milliseconds(timeout))
        except UnavailableError:
            # Another thread's close has won meanwhile.
            pass
        except PluginError:
            # A destructor that panics is told of, and the instance is gone all the same.
            if self.state is State.CLOSED:
                self._end()
            raise
        self._end()

    def _end(self) -> None:
        self._closed = True
        _live.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_closed", True):
            return
        warnings.warn(f"{self!r} was dropped without close()", ResourceWarning, stacklevel=2, source=self)
        try:
            self.close()
        except PluginError:
            pass

    def __repr__(self) -> str:
        name = getattr(self, "_name", "?")
        return f"<rustbridge.Plugin {name!r} {'closed' if self._closed else 'open'} by {self._backend.NAME}>"


def _method_name(name: Any) -> str | int:
    if isinstance(name, str):
        return name
    if isinstance(name, int) and not isinstance(name, bool):
        if not 0 <= name < 2**32:
            raise ValueError(f"a method's numeric id lies between 0 and 2**32 - 1, {name} doesn't")
        return name
    raise TypeError(f"a method is given by its name or numeric id, not {type(name).__name__}")


def _close_all() -> None:
    """End what the program left open, while callbacks into Python are still possible."""
    for plugin in list(_live):
        backend, handle = plugin._backend, plugin._handle
        try:
            backend.flush_logs(handle, _EXIT_TIMEOUT_MS)
            backend.set_log_sink(handle, None)
            backend.close(handle, _EXIT_TIMEOUT_MS)
        except PluginError:
            pass
        plugin._end()


def _forget_all() -> None:
    """Leave the parent's instances alone in a forked child: their threads and locks exist only there."""
    for plugin in list(_live):
        plugin._end()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
