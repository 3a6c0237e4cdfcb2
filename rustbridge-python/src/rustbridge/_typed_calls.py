"""Calls with types, for generated clients."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import _calls, _constants, _contexts, _objects, _options, _streams
from ._wire_types import UnfitError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Iterable

    from ._method import Method
    from ._objects import Object as UntypedObject
    from ._options import CallOptions
    from ._streams import Stream
    from .typed import Client, ClientSchema, Object


class PreparedCall:
    """A prepared method with types."""

    __slots__ = ("_client", "_decode", "_encode", "_method", "_name", "_plugin", "_raising")

    _encode: Callable[..., bytes]
    _decode: Callable[..., Any]

    def __init__(self, client: Client, client_schema: ClientSchema, name: str, fingerprint: str) -> None:
        self._client = client
        self._plugin = plugin = client._plugin
        self._method: Method = plugin._typed(name, fingerprint, client_schema.text)
        self._name = name
        self._raising = client_schema._raising(name)
        self._encode, self._decode = client_schema._both(plugin._backend, name)

    def _encoded(self, request: Any) -> bytes:
        try:
            return self._encode(request)
        except UnfitError as unfit:
            error = unfit.error(self._name, "request")
        raise error


class Call(PreparedCall):
    """A blocking call."""

    __slots__ = ()

    def __call__(self, request: Any, options: CallOptions | None = None) -> Any:
        data = self._encoded(request)
        with self._raising:
            if options is None:
                answer = self._method.call_raw(data)
            else:
                answer = _calls.call(self._plugin, self._method, data, options, None, False)
        return self._decode(answer)


def served(call: Call, quick: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that takes the fast path if services run on the calling thread."""
    method = call._method

    def either(request: Any, options: CallOptions | None = None) -> Any:
        if options is None and not _contexts.is_needed(method):
            return quick(request)
        return call(request, options)

    return either


class AsyncCall(PreparedCall):
    """An awaited call."""

    __slots__ = ()

    async def __call__(self, request: Any, options: CallOptions | None = None) -> Any:
        data = self._encoded(request)
        with self._raising:
            answer = await self._method.call_raw_async(data, options)
        return self._decode(answer)


class With(PreparedCall):
    """A method of an object, or a method with objects in its request or response."""

    __slots__ = ("_gives", "_take")

    _take: Callable[..., Any]

    def __init__(self, client: Client, client_schema: ClientSchema, name: str, fingerprint: str) -> None:
        super().__init__(client, client_schema, name, fingerprint)
        self._gives = bool(self._method._flags & _constants.METHOD_OBJECTS)
        if client_schema._is_raw(name):
            encode, decode = self._encode, self._decode
            self._encode = lambda request, lent, passing: encode(request)  # noqa: ARG005
            self._take = lambda answer, client, objects: decode(answer)  # noqa: ARG005
            return
        request, response = client_schema._types(name)
        self._encode = client_schema._writers.lender(request)
        self._take = client_schema._readers.taker(response)

    def _lend(
        self, request: Any, options: CallOptions | None, receiver: Object | None
    ) -> tuple[bytes, CallOptions, UntypedObject | None]:
        """Return the request's bytes, its options, and the receiver."""
        options = options or _options.NONE
        of = None if receiver is None else receiver._object
        lent = [] if of is None else [of]
        data = self._lending(request, lent)
        beside = [*(lent if of is None else lent[1:]), *options.objects]
        return data, replace(options, objects=beside, reply=options.reply or _options.for_objects()), of

    def _lending(self, request: Any, lent: list[UntypedObject]) -> bytes:
        """Return the request's bytes, and add its objects to the borrowed ones."""
        try:
            return self._encode(request, lent, self._client._passing)
        except UnfitError as unfit:
            error: BaseException = unfit.error(self._name, "request")
        except BaseException as failed:
            error = failed
        _objects.release_passed(lent)
        raise error

    def _taken(self, answer: bytes, options: CallOptions) -> Any:
        reply = options.reply
        return self._take(answer, self._client, reply.objects if reply else [])


class CallWith(With):
    """A blocking call with objects."""

    __slots__ = ()

    def __call__(self, request: Any, options: CallOptions | None = None, receiver: Object | None = None) -> Any:
        if options is None and not self._gives:
            return self._plain(request, None if receiver is None else receiver._object)
        data, options, of = self._lend(request, options, receiver)
        try:
            with self._raising:
                answer = _calls.call(self._plugin, self._method, data, options, of, False)
        finally:
            _objects.release_passed(options.objects)
        return self._taken(answer, options)

    def _plain(self, request: Any, of: UntypedObject | None) -> Any:
        """Call a method that returns no objects, without options. This is the most frequent case."""
        lent = [] if of is None else [of]
        data = self._lending(request, lent)
        # The receiver is nothing but the first of the borrowed objects.
        options = _options.NONE if len(lent) < 2 else _options.CallOptions(objects=lent[1:])
        try:
            with self._raising:
                answer = _calls.call(self._plugin, self._method, data, options, lent[0] if lent else None, False)
        finally:
            _objects.release_passed(lent)
        return self._decode(answer)


class ArgumentsCall(CallWith):
    """A call that returns the arguments of a callback's function."""

    __slots__ = ()

    def _taken(self, answer: bytes, options: CallOptions) -> Any:
        for one in options.reply.objects if options.reply else []:
            one.__class__ = _objects.ReceivedObject
        return super()._taken(answer, options)


class AsyncCallWith(With):
    """An awaited call with objects."""

    __slots__ = ()

    async def __call__(self, request: Any, options: CallOptions | None = None, receiver: Object | None = None) -> Any:
        data, options, of = self._lend(request, options, receiver)
        try:
            with self._raising:
                answer = await _calls.call_async(self._plugin, self._method, data, options, of, False)
        finally:
            _objects.release_passed(options.objects)
        return self._taken(answer, options)


class StreamCall(With):
    """A call that returns a stream."""

    __slots__ = ()

    def __call__(self, request: Any, options: CallOptions | None = None, receiver: Object | None = None) -> Stream[Any]:
        data, options, of = self._lend(request, options, receiver)
        return _streams.stream(self._plugin, self._method, data, options, of, read=self._decode, fail=self._raising)


class StreamingCall(With):
    """A method that accepts a stream."""

    __slots__ = ("_encode_item",)

    def __init__(self, client: Client, client_schema: ClientSchema, name: str, fingerprint: str) -> None:
        super().__init__(client, client_schema, name, fingerprint)
        item = client_schema._methods[name]["items"].get("type", "unit")
        self._encode_item, _ = client_schema._coders(self._plugin._backend, item)

    def _write(self) -> Callable[[Any], bytes]:
        """Return the encoder of one call's items."""
        places = itertools.count()

        def write(item: Any) -> bytes:
            place = next(places)
            try:
                return self._encode_item(item)
            except UnfitError as unfit:
                unfit.path.append(str(place))
                error = unfit.error(self._name, "items")
            raise error

        return write


class SendCall(StreamingCall):
    """A blocking call that sends items."""

    __slots__ = ()

    def __call__(
        self, items: Iterable[Any], request: Any, options: CallOptions | None = None, receiver: Object | None = None
    ) -> Any:
        data, options, of = self._lend(request, options, receiver)
        try:
            with self._raising:
                answer = _streams.send(self._plugin, self._method, items, data, options, of, self._write())
        finally:
            _objects.release_passed(options.objects)
        return self._taken(answer, options)


class AsyncSendCall(StreamingCall):
    """An awaited call that sends items."""

    __slots__ = ()

    async def __call__(
        self,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any,
        options: CallOptions | None = None,
        receiver: Object | None = None,
    ) -> Any:
        data, options, of = self._lend(request, options, receiver)
        try:
            with self._raising:
                answer = await _streams.send_async(self._plugin, self._method, items, data, options, of, self._write())
        finally:
            _objects.release_passed(options.objects)
        return self._taken(answer, options)


class ExchangeCall(StreamingCall):
    """A call that sends items and returns a stream."""

    __slots__ = ()

    def __call__(
        self,
        items: AsyncIterable[Any] | Iterable[Any],
        request: Any,
        options: CallOptions | None = None,
        receiver: Object | None = None,
    ) -> Stream[Any]:
        data, options, of = self._lend(request, options, receiver)
        return _streams.stream(
            self._plugin,
            self._method,
            data,
            options,
            of,
            items,
            read=self._decode,
            write=self._write(),
            fail=self._raising,
        )
