"""Runtime support for the clients that ``rustbridge gen`` writes: typed methods of a plugin.

Other code needs only :data:`DEFAULT`.
"""

from __future__ import annotations

import enum
import itertools
import json
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from . import _backend, _load, _services, _typed_callbacks, _typed_calls, _wire_raw
from ._errors import PluginError, error_class
from ._typed_callbacks import Callback
from ._typed_services import AsyncServing, Serving
from ._wire_read import Readers
from ._wire_types import DEFAULT, Sizes
from ._wire_write import Writers

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from ._backend import Backend
    from ._objects import Object as UntypedObject
    from ._plugin import Plugin
    from ._status import Status
    from ._streams import Stream
    from ._typed_callbacks import Passing, Table
    from ._typed_services import TypedService
    from ._wire_plan import Codec

__all__ = ["DEFAULT", "Callback", "Client", "ClientSchema", "Config", "Error", "Object", "Source"]

#: The source from which a plugin is loaded, and its configuration.
Source: TypeAlias = "str | os.PathLike[str] | Buffer"
Config: TypeAlias = "dict[str, Any] | str | bytes | None"

#: The kinds of methods: unary, and those that return a stream, accept one, or both.
_UNARY = "unary"
_STREAM, _SEND, _EXCHANGE = "server_stream", "client_stream", "bidi_stream"


class Error(PluginError):
    """A call's error with a type. The exceptions of generated clients derive from it.

    Each exception also derives from the class of its status. So an error with NOT_FOUND is a ``NotFoundError`` and a
    ``LookupError``.
    """

    #: The error, with its fields; None if the exception was created with a message only.
    error: Any = None

    #: The class as the client has it, without the status's.
    _of: type[Error]

    #: The classes of the error's values, or members of an enum; None if they aren't classes of the client.
    _values: ClassVar[tuple[Any, ...] | None] = None

    def __init__(
        self,
        error: Any = None,
        message: str = "",
        type: str = "",  # noqa: A002
        details: dict[str, Any] | None = None,
        backtrace: str | None = None,
    ) -> None:
        """Create an exception for a service to raise, from the error and a message.

        The plugin receives the error, and declares the status. If the message is empty, the plugin receives the name of
        the error's type instead. Without an error, the plugin receives the message only.
        """
        if error is not None and self._values is not None and not _is_one_of(self._values, error):
            raise TypeError(_unlike_values(self.__class__, self._values, error))
        super().__init__(None, message, type, details, backtrace)
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        said = (self.status, self.message, self.type, self.details, self.backtrace)
        return (_error_of, (getattr(self, "_of", self.__class__), said, self.error))


def _error_of(of: type[Error], said: tuple[Any, ...], error: Any) -> Error:
    whole = _with_status(of, said[0])
    made = whole.__new__(whole)
    PluginError.__init__(made, *said)
    made.error = error
    return made


def _is_one_of(values: tuple[Any, ...], error: object) -> bool:
    return any(isinstance(error, value) if isinstance(value, type) else error is value for value in values)


def _unlike_values(of: type[Error], values: tuple[Any, ...], found: object) -> str:
    """Return the message for an exception that is created with something else than its error."""
    names = [value.__qualname__ if isinstance(value, type) else str(value) for value in values]
    expected = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
    first = values[0]
    is_enum = isinstance(first, type) and issubclass(first, enum.Enum)
    member = next(iter(first), None) if is_enum else first
    example = str(member) if isinstance(member, enum.Enum) else f"{names[0]}(...)"
    # Another member of the same enum has the same type.
    another = found if type(found) is type(first) else type(found).__name__
    return (
        f"{of.__name__}: the error is expected first ({expected}), not {another}: "
        f'create the exception as in {of.__name__}({example}, "a message")'
    )


#: The classes that combine an exception's and a status's.
_WITH_STATUS: dict[tuple[type[Error], Status], type[Error]] = {}


def _with_status(of: type[Error], status: Status) -> type[Error]:
    """Return a class that derives from an exception's class and from its status's class."""
    found = _WITH_STATUS.get((of, status))
    if found is not None:
        return found
    body = {"__module__": of.__module__, "__qualname__": of.__qualname__, "__doc__": of.__doc__, "_of": of}
    made: type[Error] = type(of.__name__, (of, error_class(status)), body)
    # Another thread may have been faster.
    return _WITH_STATUS.setdefault((of, status), made)


class _Raising:
    """Converts a method's typed errors to the client's exceptions."""

    __slots__ = ("_decode", "_of", "_variants")

    def __init__(
        self,
        of: type[Error] | None,
        decode: Callable[[bytes], Any],
        variants: Mapping[Any, type[Error]] | None = None,
    ) -> None:
        self._of = of
        self._decode = decode
        self._variants = variants or {}

    def __call__(self, failed: BaseException) -> BaseException:
        """Return the exception to raise in place of another one."""
        if self._of is None or not isinstance(failed, PluginError) or failed._value is None:
            return failed
        try:
            error = self._decode(failed._value)
        except PluginError:
            # What there is to be said of it stays.
            return failed
        said = (failed.status, failed.message, failed.type, failed.details, failed.backtrace)
        # A member of an enum, or the class of a variant.
        of = self._variants.get(error if isinstance(error, enum.Enum) else type(error), self._of)
        return _error_of(of, said, error)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if error is not None:
            raised = self(error)
            if raised is not error:
                raise raised from None


class ClientSchema:
    """The client schema from which a client was generated, with the client's classes for its types."""

    __slots__ = (
        "_callbacks",
        "_codecs",
        "_exceptions",
        "_methods",
        "_plain_ones",
        "_raised",
        "_readers",
        "_services",
        "_sides",
        "_variants",
        "_writers",
        "sizes",
        "text",
    )

    def __init__(
        self,
        text: str,
        classes: Sequence[Any],
        objects: Mapping[str, type] | None = None,
        exceptions: Mapping[int, type[Error]] | None = None,
        callbacks: Mapping[str, Callback] | None = None,
        variants: Mapping[Any, type[Error]] | None = None,
    ) -> None:
        described = json.loads(text)
        self.text = text
        self._methods: dict[str, Any] = {method["name"]: method["entries"][0] for method in described["methods"]}
        self._services: dict[str, Any] = {service["name"]: service for service in described.get("services", ())}
        self._callbacks = dict(callbacks or {})
        self.sizes = Sizes(described["types"], classes, objects or {}, self._callbacks)
        self._writers, self._readers = Writers(self.sizes), Readers(self.sizes)
        self._codecs: dict[str, Codec | None] = {}
        self._exceptions = exceptions or {}
        for number, of in self._exceptions.items():
            of._values = self.sizes.value_classes(number)
        self._variants = variants or {}
        for value, of in self._variants.items():
            of._values = (value,)
        # What is known of methods since the first client: all clients have it in common.
        self._plain_ones: dict[str, bool] = {}
        self._raised: dict[str, _Raising] = {}
        self._sides: dict[tuple[str, str], tuple[Callable[..., bytes], Callable[..., Any]]] = {}

    def codec(self, name: str) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
        """Return a method's encoder of requests and decoder of responses (or of a stream's items), in Python."""
        request, response = self._types(name)
        return self._writers.encoder(request), self._readers.decoder(response)

    def _codec(self, backend: Backend) -> Codec | None:
        """Return the backend's codec. It's created for the first client that uses it."""
        if backend.NAME not in self._codecs:
            all_of_them = itertools.chain(self._methods.values(), self._services.values())
            parts = [entry.get(part) for entry in all_of_them for part in ("request", "response", "items")]
            types = [part.get("type", "unit") for part in parts if part]
            self._codecs[backend.NAME] = backend.codec(
                self.sizes, [ty for ty in types if not self.sizes.has_objects(ty)]
            )
        return self._codecs[backend.NAME]

    def _coders(self, backend: Backend, ty: Any) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
        """Return a type's encoder and decoder. They are the backend's own if it has them."""
        python = self._writers.encoder(ty), self._readers.decoder(ty)
        codec = None if self.sizes.has_objects(ty) else self._codec(backend)
        if codec is None:
            return python
        typed = codec.typed((ty, ty), *python)
        return typed.encode, typed.decode

    def _both(self, backend: Backend, name: str) -> tuple[Callable[..., bytes], Callable[..., Any]]:
        """Return a method's encoder of requests and its decoder of responses."""
        sides = self._sides.get((backend.NAME, name))
        if sides is None:
            request, response = self._types(name)
            if self._is_raw(name):
                sides = _wire_raw.encoder(request), _wire_raw.decoder(response)
            else:
                sides = self._coders(backend, request)[0], self._coders(backend, response)[1]
            self._sides[backend.NAME, name] = sides
        return sides

    def _served(self, backend: Backend, name: str, function: Callable[..., Any]) -> _services.Service:
        """Return a service that decodes a function's request and encodes its response."""
        request, decode, encode = self._service(backend, name)
        serving = AsyncServing if _services.is_async(function) else Serving
        several = self.sizes.arguments(request)
        arguments = len(several) if several is not None else 0 if request == "unit" else 1
        service = serving(name, function, decode, encode, arguments)
        self._throw(name, service)
        return _services.Service(service, encoding="wire")

    def _throw(self, name: str, service: TypedService) -> None:
        """Have the exceptions that a plugin distinguishes reach it with their type."""
        ty = self._services[name].get("error", {}).get("type")
        of = self._exceptions.get(ty["ref"]) if isinstance(ty, dict) else None
        if of is not None:
            service.throws(of, self._writers.encoder(ty))

    def _service(self, backend: Backend, name: str) -> tuple[Any, Callable[[bytes], Any], Callable[[Any], bytes]]:
        """Return a service's type of requests, their decoder, and the encoder of responses."""
        request, response = [self._services[name].get(side, {}).get("type", "unit") for side in ("request", "response")]
        decode, (encode, _) = self._readers.asked(request), self._coders(backend, response)
        codec = self._codec(backend)
        if codec is not None:
            decode = codec.typed((request, request), self._writers.encoder(request), decode).decode
        return request, decode, encode

    def _serve_callbacks(self, backend: Backend) -> tuple[dict[str, Table], dict[str, _services.Service]]:
        """Return tables for the objects of callbacks, and the services that call and release the objects."""
        tables = _typed_callbacks.tables(self._callbacks)
        services: dict[str, _services.Service] = {}
        for name, table in tables.items():
            for place, service in enumerate(self._callbacks[name].functions):
                _, decode, encode = self._service(backend, service)
                is_crossing = service in self._callbacks[name].crossings
                kind = _typed_callbacks.CrossingServing if is_crossing else _typed_callbacks.ObjectServing
                serving = kind(service, table, place, decode, encode)
                self._throw(service, serving)
                services[service] = _services.ObjectService(serving)
            services[f"{name}:release"] = _services.ReleaseService(table.release, table.clear)
        return tables, services

    def _types(self, name: str) -> tuple[Any, Any]:
        entry = self._methods[name]
        absent = "bytes" if self._is_raw(name) else "unit"
        return entry["request"].get("type", absent), entry["response"].get("type", absent)

    def _is_raw(self, name: str) -> bool:
        """Report whether a method's messages are plain bytes or text."""
        raw: bool = self._methods[name]["encoding"] == "raw"
        return raw

    def _raising(self, name: str) -> _Raising:
        """Return the converter of a method's errors."""
        raising = self._raised.get(name)
        if raising is None:
            error = self._methods[name].get("error")
            ty = error["type"] if error else "unit"
            of = self._exceptions.get(ty["ref"]) if isinstance(ty, dict) else None
            raising = self._raised[name] = _Raising(of, self._readers.decoder(ty), self._variants)
        return raising

    def _prepare(
        self, client: Client, name: str, fingerprint: str, awaited: bool, method: Callable[..., Any] | None
    ) -> tuple[Callable[..., Any], Callable[..., Any] | None]:
        """Return the function that calls a method, and a function that may replace ``method`` in the client."""
        if not awaited and self._is_plain(name):
            return self._plain(client, name, fingerprint, method)
        return self._with_more(client, name, fingerprint, awaited), None

    def _is_plain(self, name: str) -> bool:
        """Report whether a method is unary and has no receiver and no objects."""
        known = self._plain_ones.get(name)
        if known is None:
            entry = self._methods[name]
            has_objects = any(self.sizes.has_objects(ty) for ty in self._types(name))
            known = entry["kind"] == _UNARY and not entry["receiver"] and not has_objects
            self._plain_ones[name] = known
        return known

    def _with_more(self, client: Client, name: str, fingerprint: str, awaited: bool) -> Callable[..., Any]:
        kind = self._methods[name]["kind"]
        if kind == _STREAM:
            return _typed_calls.StreamCall(client, self, name, fingerprint)
        if kind == _EXCHANGE:
            return _typed_calls.ExchangeCall(client, self, name, fingerprint)
        if kind == _SEND:
            return (_typed_calls.AsyncSendCall if awaited else _typed_calls.SendCall)(client, self, name, fingerprint)
        if self._is_plain(name):
            return _typed_calls.AsyncCall(client, self, name, fingerprint)
        return (_typed_calls.AsyncCallWith if awaited else _typed_calls.CallWith)(client, self, name, fingerprint)

    def _plain(
        self, client: Client, name: str, fingerprint: str, method: Callable[..., Any] | None
    ) -> tuple[Callable[..., Any], Callable[..., Any] | None]:
        """Return the function that calls a plain method. It's the backend's own code if it has that."""
        call = _typed_calls.Call(client, self, name, fingerprint)
        codec = self._codec(client._plugin._backend)
        if codec is None or self._is_raw(name):
            return call, None
        types = self._types(name)
        python = self._writers.encoder(types[0]), self._readers.decoder(types[1])
        raising = call._raising if call._raising._of else None
        typed = codec.typed(types, *python, call._method, call, raising)
        if call._method._flags & _backend.METHOD_SERVED:
            return _typed_calls.served(call, typed.call), None
        if method is None:
            return typed.call, None
        # Unusual arguments are for the class's function, which has the parameters' names and accepts options by name.
        public = codec.typed(types, *python, call._method, partial(method, client), raising)
        if types[0] == "unit":
            return typed.call, public.call_bare
        if self.sizes.arguments(types[0]):
            return typed.call, public.call_several
        return typed.call, public.call_single


class Client:
    """A typed client of a plugin. It's a context manager, sync or async.

    Leaving the block closes the plugin if the client has loaded it.
    """

    __slots__ = ("__dict__", "_owned", "_passing", "_plugin")

    #: The callbacks, by their names.
    _passing: dict[str, Passing]

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._owned = False
        self._passing = {}

    @classmethod
    def load(cls, source: Source, config: Config = None, **options: Any) -> Self:
        """Load the plugin with the options of :func:`rustbridge.load`, and return its client.

        Closing the client closes the plugin.
        """
        return cls._loaded(source, config, options)

    @classmethod
    def _loaded(
        cls,
        source: Source,
        config: Config,
        options: dict[str, Any],
        client_schema: ClientSchema | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> Self:
        """Load the plugin with typed services, by name."""
        tables: dict[str, Table] = {}
        if client_schema and (functions or client_schema._callbacks):
            backend = _backend.choose(options.get("backend"))
            services = dict(options.get("services") or {})
            for name, function in (functions or {}).items():
                services[name] = client_schema._served(backend, name, function)
            tables, of_callbacks = client_schema._serve_callbacks(backend)
            services.update(of_callbacks)
            options = {**options, "services": services, "_client_schema": client_schema.text}
        plugin = _load.load(source, config, **options)
        try:
            client = cls(plugin)
        except BaseException:
            plugin.close()
            raise
        client._owned = True
        for name, table in tables.items():
            passing = client._passing[name]
            passing.table = table
            table.passing = weakref.ref(passing)
        return client

    @property
    def plugin(self) -> Plugin:
        """The plugin's instance."""
        return self._plugin

    def close(self) -> None:
        """Close the plugin, if the client has loaded it."""
        if self._owned:
            self._plugin.close()

    async def aclose(self) -> None:
        """Close the plugin like :meth:`close`, without blocking the event loop."""
        if self._owned:
            await self._plugin.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        await self.aclose()

    def _prepare(
        self,
        client_schema: ClientSchema,
        name: str,
        fingerprint: str,
        method: Callable[..., Any] | None = None,
        *,
        awaited: bool = False,
    ) -> Callable[..., Any]:
        """Return the function that a method of the client's class calls.

        If the extension has the method, the client gets it as an attribute under the method's name. A subclass that
        overrides the method keeps its own.
        """
        call, quick = client_schema._prepare(self, name, fingerprint, awaited, method)
        name_here = getattr(method, "__name__", "")
        if quick and getattr(type(self), name_here, None) is method:
            vars(self)[name_here] = quick
        return call

    def _prepare_callbacks(self, client_schema: ClientSchema) -> None:
        """Prepare the methods by which objects of this program are passed, and found again."""
        for name, callback in client_schema._callbacks.items():
            of = client_schema.sizes.objects[name]
            crossings = {
                function: (
                    _typed_calls.ArgumentsCall(self, client_schema, f"{function}:arguments", arguments)
                    if arguments
                    else None,
                    _typed_calls.CallWith(self, client_schema, f"{function}:return", result) if result else None,
                )
                for function, (arguments, result) in callback.crossings.items()
            }
            self._passing[name] = _typed_callbacks.Passing(
                self, self._plugin, name, of, callback, client_schema.text, crossings
            )


class Object:
    """A typed object, which stays in the plugin. It's a context manager that closes the object when the block ends.

    An object that is dropped without :meth:`close` is released with a ``ResourceWarning``.
    """

    __slots__ = ("_client", "_object")

    _client: Any
    _object: UntypedObject

    def __init__(self, *_: Any, **__: Any) -> None:
        """Refuse to create an object, unless a generated class has a constructor."""
        name = type(self).__name__
        raise TypeError(f"{name} has no constructor: call a method or a class method that returns a {name}")

    @classmethod
    def _received(cls, client: Any, untyped: UntypedObject) -> Self:
        """Return the object for an object that a call has returned."""
        one = cls.__new__(cls)
        one._client, one._object = client, untyped
        return one

    @classmethod
    def _from(cls, made: Object) -> Self:
        """Return an object that a constructor has returned, as one of this class, which may be a program's own."""
        return made if isinstance(made, cls) else cls._received(made._client, made._object)

    def _adopt(self, made: Object) -> None:
        """Become the object that a constructor has returned."""
        self._client, self._object = made._client, made._object

    @property
    def untyped(self) -> UntypedObject:
        """The same object without types."""
        return self._object

    @property
    def closed(self) -> bool:
        """Whether the object has been closed."""
        return self._object.closed

    def close(self) -> None:
        """Release the object. The plugin drops it as soon as no call uses it.

        Does nothing if the object is closed.
        """
        self._object.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'closed' if self.closed else 'open'}>"

    # The operations of types with traits. A call is a prepared method.

    def _text(self, call: Callable[..., str]) -> str:
        """Return the text that a call returns.

        If the call fails, the text states the error: loggers and debuggers need a text.
        """
        try:
            return call(None, None, self)
        except Exception as failed:
            return f"<{type(self).__name__}: {failed}>"

    def _equals(self, call: Callable[..., bool], other: Object) -> bool:
        """Report whether the plugin considers both equal.

        Objects of different instances are unequal, without a call.
        """
        if self is other:
            return True
        return self._object.plugin is other._object.plugin and call(other, None, self)

    def _compared(self, call: Callable[..., int], other: Object) -> int:
        """Return a number below, equal to or above 0."""
        if self._object.plugin is not other._object.plugin:
            raise ValueError("objects of different instances have no order: compare each with those of its instance")
        return call(other, None, self)

    @staticmethod
    def _each(stream: Stream[Any]) -> Iterator[Any]:
        """Iterate over a stream, which is cancelled if the loop is left early."""
        with stream:
            yield from stream

    @staticmethod
    async def _each_async(stream: Stream[Any]) -> AsyncIterator[Any]:
        async with stream:
            async for item in stream:
                yield item
