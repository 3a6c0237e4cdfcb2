"""Plugin instances: calls, logging and closing."""

from __future__ import annotations

import asyncio
import functools
import logging
import warnings
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, overload

from . import (
    _backend,
    _calls,
    _contexts,
    _description,
    _errors,
    _exit,
    _logging,
    _objects,
    _options,
    _services,
    _streams,
    _threads,
)
from ._backend import METHOD_CARRIES
from ._errors import FailedPreconditionError, PluginError, UnavailableError
from ._json import codec
from ._status import STATES, Encoding, State, Status

if TYPE_CHECKING:
    import weakref
    from collections.abc import AsyncIterable, Coroutine, Iterable, Sequence
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from ._backend import Backend
    from ._lease import Lease
    from ._method import Method
    from ._objects import Object, Place
    from ._options import CallOptions, Metadata, Reply
    from ._streams import Stream

T = TypeVar("T")

DEFAULT_CLOSE_TIMEOUT = 10.0


def checked_logger(logger: Any) -> logging.Logger | None:
    """Return the logger that was passed, or the logger that a passed adapter wraps."""
    if logger is None or isinstance(logger, logging.Logger):
        return logger
    if isinstance(logger, logging.LoggerAdapter):
        return cast("logging.Logger", logger.logger)
    raise TypeError(f"a logger must be a logging.Logger or None, not {type(logger).__name__}")


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return _backend.FOREVER
    if not timeout >= 0:
        raise ValueError(f"a timeout must be a number of seconds from 0 up, or None for no limit, not {timeout!r}")
    milliseconds = timeout * 1000
    return int(milliseconds) if milliseconds < _backend.FOREVER else _backend.FOREVER


class Plugin:
    """One running instance of a plugin. It's a context manager that closes the instance when the block ends."""

    __slots__ = (
        "__weakref__",
        "_backend",
        "_bytes",
        "_carrying",
        "_closed",
        "_handle",
        "_json",
        "_level",
        "_logger",
        "_loop",
        "_name",
        "_placing",
        "_schemas",
        "_services",
    )

    def __init__(
        self,
        backend: Backend,
        handle: int,
        name: str,
        logger: logging.Logger | None,
        level: int,
        services: list[int],
        /,
    ) -> None:
        self._closed = False
        self._backend = backend
        self._handle = handle
        self._logger = logger
        self._level = level
        self._json: dict[str, Method] = {}
        self._bytes: dict[tuple[str | int, Encoding | None], Method] = {}
        #: Those in JSON whose calls have more than a request and an answer.
        self._carrying: dict[str, Method] = {}
        self._placing: dict[str | int, Place | None] = {}
        self._schemas: dict[str | int, Any] | None = None
        self._services = services
        #: The loop that it was called from last: where its services that are an `async def` run, if it wasn't loaded
        #: on one.
        self._loop: weakref.ref[asyncio.AbstractEventLoop] | None = None
        _services.belong(services, self)
        _exit.live.add(self)
        self._name = name or backend.name(handle).decode()

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
        """The backend of this instance: ``native`` or ``ctypes``."""
        return self._backend.NAME

    @property
    def state(self) -> State:
        """The instance's current state."""
        number = self._backend.state(self._handle)
        return STATES[number - 1] if 1 <= number <= len(STATES) else State.UNKNOWN

    def describe(self) -> dict[str, Any]:
        """Return the plugin's description: methods, encodings, schemas, layouts.

        Entries that this version of rustbridge can't call are removed. Missing fields are filled in with the defaults
        in docs/describe.md.
        """
        return _description.read(self._backend.describe(self._handle))

    def method(self, name: str | int, encoding: str | Encoding = Encoding.JSON) -> Method:
        """Prepare a method: resolve it once, by name or numeric ID, in one encoding.

        The returned :class:`Method` can be used for any number of calls.
        """
        return self._backend.method(self, self._handle, _method_name(name), Encoding.parse(encoding))

    def _typed(self, name: str, fingerprint: str, client_schema: str) -> Method:
        """Prepare a method with the encoding ``wire`` for a typed client, if the client's types match the plugin's."""
        return self._backend.typed_method(self, self._handle, name, fingerprint, client_schema)

    def call(self, name: str, request: Any = None, options: CallOptions | None = None) -> Any:
        """Call a method with a value and return its response as a value. Both are converted to and from JSON.

        An :class:`Object` may be anywhere in the request. The response contains an :class:`Object` where the plugin
        returns one.
        """
        method = self._json.get(name)
        if method is None or options is not None:
            method = self._json_method(name)
            if options is not None or method._flags & METHOD_CARRIES:
                return _calls.call(self, method, request, options)
        try:
            data = codec.dumps(request)
        except TypeError:
            return _calls.call(self, method, request, None)
        return codec.loads(method.call_raw(data))

    def call_json(self, name: str, text: str | bytes, options: CallOptions | None = None) -> str:
        """Call a method with JSON text and return JSON text. Returned objects are in the options' reply."""
        method = self._json.get(name)
        if method is None or options is not None:
            method = self._json_method(name)
            if options is not None or name in self._carrying:
                data = text.encode() if isinstance(text, str) else text
                answer: bytes = _calls.call(self, method, data, options, None, False)
                return answer.decode()
        return method.call_json(text)

    def call_async(
        self,
        name: str,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata | None = None,
        trace: str | tuple[str, str] | None = None,
        objects: Sequence[Object] = (),
        reply: Reply | None = None,
    ) -> Coroutine[Any, Any, Any]:
        """Call a method like :meth:`call`, without blocking the event loop. See :meth:`Method.call_async`."""
        method = self._json.get(name)
        if method is None:
            method = self._json_method(name)
        said = timeout is not None or metadata is not None or trace is not None or reply is not None or objects
        if options is None and not said and not method._flags & METHOD_CARRIES:
            return _calls.call_plain(self, method, request, True)
        options = _options.merge(options, timeout, metadata, trace, objects, reply)
        return _calls.call_async(self, method, request, options)

    def call_raw_async(
        self,
        name: str | int,
        request: Buffer,
        options: CallOptions | None = None,
        *,
        encoding: str | Encoding | None = None,
        timeout: float | None = None,
        metadata: Metadata | None = None,
        trace: str | tuple[str, str] | None = None,
        objects: Sequence[Object] = (),
        reply: Reply | None = None,
    ) -> Coroutine[Any, Any, bytes]:
        """Call a method with bytes, without blocking the event loop. See :meth:`Method.call_raw_async`."""
        method = self._bytes_method(name, encoding)
        said = timeout is not None or metadata is not None or trace is not None or reply is not None or objects
        if options is None and not said and not method._flags & METHOD_CARRIES:
            return _calls.call_plain(self, method, request, False)
        options = _options.merge(options, timeout, metadata, trace, objects, reply)
        return _calls.call_async(self, method, request, options, None, False)

    def stream(
        self,
        name: str,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        window: int = _options.WINDOW,
        window_bytes: int = _options.WINDOW_BYTES,
    ) -> Stream[Any]:
        """Return the stream of a method that sends items. See :meth:`Method.stream`."""
        method = self._json_method(name)
        return _streams.stream(self, method, request, options, window=window, window_bytes=window_bytes)

    def send(self, name: str, items: Iterable[Any], request: Any = None, options: CallOptions | None = None) -> Any:
        """Send items to a method that accepts a stream, and return its response. See :meth:`Method.send`."""
        return _streams.send(self, self._json_method(name), items, request, options)

    async def send_async(
        self,
        name: str,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any = None,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
    ) -> Any:
        """Send items like :meth:`send`, without blocking the event loop. See :meth:`Method.send_async`."""
        options = _options.merge(options, timeout, None, None, (), None)
        return await _streams.send_async(self, self._json_method(name), items, request, options)

    def exchange(
        self,
        name: str,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any = None,
        options: CallOptions | None = None,
        *,
        window: int = _options.WINDOW,
        window_bytes: int = _options.WINDOW_BYTES,
    ) -> Stream[Any]:
        """Send items to a method that also returns a stream. See :meth:`Method.exchange`."""
        method = self._json_method(name)
        return _streams.stream(self, method, request, options, None, items, window=window, window_bytes=window_bytes)

    @overload
    def call_raw(
        self,
        name: str | int,
        request: Buffer,
        into: None = None,
        *,
        encoding: str | Encoding | None = None,
        unshared: bool = False,
        options: CallOptions | None = None,
    ) -> bytes: ...
    @overload
    def call_raw(
        self,
        name: str | int,
        request: Buffer,
        into: type[T],
        *,
        encoding: str | Encoding | None = None,
        unshared: bool = False,
        options: None = None,
    ) -> T: ...
    @overload
    def call_raw(
        self,
        name: str | int,
        request: Buffer,
        into: Buffer,
        *,
        encoding: str | Encoding | None = None,
        unshared: bool = False,
        options: None = None,
    ) -> int: ...
    def call_raw(
        self,
        name: str | int,
        request: Buffer,
        into: Any = None,
        *,
        encoding: str | Encoding | None = None,
        unshared: bool = False,
        options: CallOptions | None = None,
    ) -> Any:
        """Call a method, by name or numeric ID, with bytes. See :meth:`Method.call_raw`.

        Without an encoding, it uses ``raw`` if the method has it, otherwise ``pod``. With options, it returns bytes,
        and ``into`` must be None.
        """
        method = self._bytes.get((name, encoding))  # type: ignore[arg-type]
        if method is None:
            method = self._prepare_bytes(name, encoding)
        if options is not None:
            if into is not None:
                raise TypeError("a call with options returns bytes: remove `into`")
            return _calls.call(self, method, request, options, None, False)
        if unshared:
            return method.call_raw(request, into, unshared=True)
        return method.call_raw(request, into)

    def call_raw_zero_copy(
        self, name: str | int, request: Buffer, *, encoding: str | Encoding | None = None, unshared: bool = False
    ) -> Lease:
        """Call a method with bytes and leave the response in the plugin's memory. See :class:`Lease`."""
        method = self._bytes.get((name, encoding))  # type: ignore[arg-type]
        if method is None:
            method = self._prepare_bytes(name, encoding)
        return method.lease(request, unshared=unshared)

    def _json_method(self, name: str) -> Method:
        # What these caches hold doesn't refer to the plugin: no cycle, so an instance that is dropped ends at once.
        method = self._json.get(name) or self._carrying.get(name)
        if method is not None:
            return method
        if not isinstance(name, str):
            raise TypeError(f"a method's name must be a str, not {type(name).__name__}")
        method = self._backend.method(None, self._handle, name, Encoding.JSON)
        # Those aren't found by the short way.
        where = self._carrying if method._flags & METHOD_CARRIES else self._json
        where[name] = method
        return method

    def _bytes_method(self, name: str | int, encoding: str | Encoding | None) -> Method:
        return self._bytes.get((name, encoding)) or self._prepare_bytes(name, encoding)  # type: ignore[arg-type]

    def _places(self, method: Method) -> Place | None:
        """Return the function that puts objects into a method's responses."""
        name = method.name
        try:
            return self._placing[name]
        except KeyError:
            pass
        if self._schemas is None:
            self._schemas = {
                key: entry["response"].get("schema")
                for one in self.describe()["methods"]
                for entry in one["entries"]
                if entry["encoding"] == "json"
                for key in (one["name"], one["id"])
                if key is not None
            }
        place = self._placing[name] = _objects.places(self._schemas.get(name))
        return place

    def _prepare_bytes(self, name: str | int, encoding: str | Encoding | None) -> Method:
        name = _method_name(name)
        number = _backend.BYTES if encoding is None else Encoding.parse(encoding)
        method = self._backend.method(None, self._handle, name, number)
        self._bytes[name, encoding] = method  # type: ignore[index]
        return method

    @property
    def log_level(self) -> int:
        """The level up to which records are created, as a number of :mod:`logging`.

        Assign a number, a name, or None. None means the level that the logger enables now. If you change a level of
        :mod:`logging` after the load, the plugin uses the new level only after such an assignment.
        """
        return _logging.from_abi(self._level)

    @log_level.setter
    def log_level(self, level: int | str | None) -> None:
        number = _logging.to_abi(_logging.effective(self._logger, self._name) if level is None else level)
        self._backend.set_log_level(self._handle, number)
        self._level = number

    def set_logger(self, logger: logging.Logger | None) -> None:
        """Send records to another logger from now on. None means the default, ``rustbridge.<name>.<target>``.

        The old logger receives no further records. If it hasn't returned from its last record after
        :data:`DEFAULT_CLOSE_TIMEOUT` seconds, this raises :class:`DeadlineExceededError`. The logger is replaced even
        then.
        """
        logger = checked_logger(logger)
        self._logger = logger
        self._backend.set_log_sink(self._handle, _logging.LogSink(logger), _milliseconds(DEFAULT_CLOSE_TIMEOUT))

    def flush_logs(self, timeout: float | None = 1.0) -> None:
        """Wait until all records that were logged so far have been delivered."""
        self._backend.flush_logs(self._handle, _milliseconds(timeout))

    def close(self, timeout: float | None = DEFAULT_CLOSE_TIMEOUT, cancel_after: float | None = None) -> None:
        """Refuse new calls, wait for running and pending ones, deliver the log, and destroy the instance.

        Streams end at once. With ``cancel_after``, calls that are still pending after this many seconds are cancelled.
        If calls still run after ``timeout`` seconds, :class:`DeadlineExceededError` names them. None means no limit.
        After such an error the instance stays closing, and another ``close`` continues to wait.

        Does nothing if the instance is closed.
        """
        if self._closed:
            return
        after = None if cancel_after is None else _milliseconds(cancel_after)
        if _services.is_inside(self):
            # The core sees that itself only on the thread that asks.
            problem = "the plugin is waiting for the service that closes it: close it after the service has returned"
            raise FailedPreconditionError(Status.FAILED_PRECONDITION, problem, "rustbridge.CloseInsideCall")
        try:
            self._backend.close(self._handle, _milliseconds(timeout), after)
        except UnavailableError:
            # Another thread's close has won meanwhile.
            pass
        except PluginError:
            # A destructor that panics is told of, and the instance is gone all the same.
            if self.state is State.CLOSED:
                self._end()
            raise
        self._end()

    async def aclose(self, timeout: float | None = DEFAULT_CLOSE_TIMEOUT, cancel_after: float | None = None) -> None:
        """Close the instance like :meth:`close`, without blocking the event loop."""
        if not self._closed:
            close = functools.partial(self.close, timeout, cancel_after)
            await _threads.run_outside(asyncio.get_running_loop(), close)

    def _end(self) -> None:
        self._closed = True
        _exit.live.discard(self)
        services, self._services = self._services, []
        _services.forget(services)
        _contexts.forget_instance(self._handle)

    def __reduce__(self) -> NoReturn:
        _errors.refuse_copy(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        if getattr(self, "_closed", True):
            return
        warnings.warn(f"{self!r} was dropped without close()", ResourceWarning, stacklevel=2, source=self)
        try:
            self.close()
        except PluginError:
            if not self._closed:
                _exit.dropped.append((self._backend, self._handle))

    def __repr__(self) -> str:
        name = getattr(self, "_name", "?")
        return f"<rustbridge.Plugin {name!r} {'closed' if self._closed else 'open'} by {self._backend.NAME}>"


def _method_name(name: Any) -> str | int:
    if isinstance(name, str):
        return name
    if isinstance(name, int) and not isinstance(name, bool):
        if not 0 <= name < 2**32:
            raise ValueError(f"a method's numeric id must be between 0 and 2**32 - 1, not {name}")
        return name
    raise TypeError(f"a method must be a name or a numeric id, not {type(name).__name__}")
