"""Plugin objects, and their positions in requests and responses.

The numbers of the objects accompany a payload. In the payload, an object's position in that list represents it. The
response's schema marks the fields that contain such positions.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from . import _options
from ._errors import refuse_copy
from ._json import codec

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from types import TracebackType

    from typing_extensions import Self

    from ._backend import Backend
    from ._method import Method
    from ._options import CallOptions, Metadata, Reply
    from ._plugin import Plugin
    from ._streams import Stream

    #: Puts objects in the places of their positions, and takes those that it has put from the list.
    Place = Callable[[Any, list["Object | None"]], Any]

#: What marks the position of an object in a schema.
_MARK = "x-rustbridge-object"


class Object:
    """A value that stays in the plugin. It's a context manager that closes the object when the block ends.

    :meth:`call`, :meth:`call_async` and :meth:`stream` call its methods. It can be part of a request like any other
    value.

    An object ends with its instance, so you don't have to close it before that. It keeps its plugin from being
    collected as garbage. An object that is dropped without :meth:`close` is released with a ``ResourceWarning``.
    """

    __slots__ = ("__weakref__", "_backend", "_number", "_plugin", "_type")

    def __init__(self, plugin: Plugin, number: int, kind: str, /) -> None:
        self._plugin = plugin
        self._backend: Backend = plugin._backend
        self._number = number
        self._type = kind

    @property
    def kind(self) -> str:
        """The name of its type in the plugin, such as ``Counter``. Empty if the plugin doesn't specify it."""
        return self._type

    @property
    def plugin(self) -> Plugin:
        """The instance that contains it."""
        return self._plugin

    @property
    def closed(self) -> bool:
        """Whether the object has been closed."""
        return not self._number

    def call(self, name: str, request: Any = None, options: CallOptions | None = None) -> Any:
        """Call a method of the object, with values that are converted to and from JSON.

        ``name`` is the method's own name (``add``), or its full name in the plugin (``Counter.add``).
        """
        return self._method(name)._call_on(self, request, options)

    def call_async(
        self,
        name: str,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata | None = None,
        trace: str | tuple[str, str] | None = None,
        reply: Reply | None = None,
    ) -> Coroutine[Any, Any, Any]:
        """Call a method of the object without blocking the event loop. See :meth:`Method.call_async`."""
        options = _options.merge(options, timeout, metadata, trace, (), reply)
        return self._method(name)._call_async_on(self, request, options)

    def stream(
        self,
        name: str,
        request: Any = None,
        options: CallOptions | None = None,
        *,
        window: int = _options.WINDOW,
        window_bytes: int = _options.WINDOW_BYTES,
    ) -> Stream[Any]:
        """Return the stream of a method of the object. See :meth:`Method.stream`."""
        return self._method(name)._stream_on(self, request, options, window, window_bytes)

    def close(self) -> None:
        """Release the object. The plugin drops it as soon as no call uses it.

        Does nothing if the object is closed.
        """
        number, self._number = self._number, 0
        if number:
            self._backend.object_release(number)

    def _lend(self) -> int:
        if not self._number:
            raise ValueError(f"the object {self._type or 'of a plugin'} has been closed")
        return self._number

    def _method(self, name: str) -> Method:
        return self._plugin._json_method(name if "." in name or not self._type else f"{self._type}.{name}")

    def __reduce__(self) -> NoReturn:
        refuse_copy(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_number", 0) and not self._plugin._closed:
            warnings.warn(f"{self!r} was dropped without close()", ResourceWarning, stacklevel=2, source=self)
            self.close()

    def __repr__(self) -> str:
        return f"<rustbridge.Object {self._type or '?'} {'open' if self._number else 'closed'}>"


class PassedObject(Object):
    """A plugin's object that stands for an object of this program. A call borrows it, and it's released then."""

    __slots__ = ()

    def __del__(self) -> None:
        if getattr(self, "_number", 0) and not self._plugin._closed:
            self.close()


class ReceivedObject(Object):
    """An object that a callback's function has received. It may be the function's result, so it needn't be closed."""

    __slots__ = ()

    def __del__(self) -> None:
        if getattr(self, "_number", 0) and not self._plugin._closed:
            self.close()


def release_passed(objects: Iterable[Object]) -> None:
    """Release the objects that stand for objects of this program, because a call has borrowed them."""
    for one in objects:
        if type(one) is PassedObject:
            one.close()


def lend(request: Any, lent: list[Object]) -> bytes:
    """Encode a request as JSON, with each object's position in place of the object. Objects are added to `lent`."""

    def position(value: Any) -> Any:
        if not isinstance(value, Object):
            return codec.plain(value)
        for index, one in enumerate(lent):
            if one is value:
                return index
        lent.append(value)
        return len(lent) - 1

    return codec.dumps_with(request, position)


def places(schema: Any) -> Place | None:
    """Return a function that puts objects into a response with this schema; None if the schema has no objects."""
    return _Places(schema).of(schema)


class _Places:
    """Goes through a schema once. Recursive definitions are resolved when they're used."""

    def __init__(self, root: Any) -> None:
        definitions = root.get("$defs") if isinstance(root, dict) else None
        self.definitions = definitions if isinstance(definitions, dict) else {}
        self.known: dict[str, Place | None] = {}
        self.begun: set[str] = set()

    def of(self, schema: Any) -> Place | None:
        if not isinstance(schema, dict):
            return None
        mark = schema.get(_MARK)
        if isinstance(mark, str):
            return lambda value, objects: _take(value, objects, mark)
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/$defs/"):
            return self.referred(reference.removeprefix("#/$defs/"))
        parts = [self.of(one) for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key) or ()]
        parts += [self.members(schema), self.elements(schema)]
        found = [part for part in parts if part is not None]
        if not found:
            return None

        def every(value: Any, objects: list[Object | None]) -> Any:
            for part in found:
                value = part(value, objects)
            return value

        return found[0] if len(found) == 1 else every

    def referred(self, name: str) -> Place | None:
        if name in self.begun and name not in self.known:
            return lambda value, objects: self.apply(self.known.get(name), value, objects)
        if name not in self.known:
            self.begun.add(name)
            self.known[name] = self.of(self.definitions.get(name))
        return self.known[name]

    @staticmethod
    def apply(place: Place | None, value: Any, objects: list[Object | None]) -> Any:
        return value if place is None else place(value, objects)

    def members(self, schema: dict[str, Any]) -> Place | None:
        properties = schema.get("properties") or {}
        named = {name: place for name, one in properties.items() if (place := self.of(one)) is not None}
        others = self.of(schema.get("additionalProperties"))
        if not named and others is None:
            return None

        def put(value: Any, objects: list[Object | None]) -> Any:
            if isinstance(value, dict):
                for name, one in value.items():
                    place = named.get(name, None if name in properties else others)
                    if place is not None:
                        value[name] = place(one, objects)
            return value

        return put

    def elements(self, schema: dict[str, Any]) -> Place | None:
        first = [self.of(one) for one in schema.get("prefixItems") or ()]
        others = self.of(schema.get("items"))
        if others is None and not any(first):
            return None

        def put(value: Any, objects: list[Object | None]) -> Any:
            if isinstance(value, list):
                for index, one in enumerate(value):
                    place = first[index] if index < len(first) else others
                    if place is not None:
                        value[index] = place(one, objects)
            return value

        return put


def _take(value: Any, objects: list[Object | None], kind: str) -> Any:
    if type(value) is not int or not 0 <= value < len(objects):
        return value
    taken = objects[value]
    if taken is None:
        return value
    taken._type = kind
    return taken


def place(
    plugin: Plugin, method: Method, value: Any, numbers: Iterable[int], reply: Reply | None, is_json: bool
) -> Any:
    """Put the objects of a response into their places. Objects without a place go to the reply, or are released."""
    whole = [Object(plugin, number, "") for number in numbers]
    objects: list[Object | None] = [*whole]
    try:
        put = plugin._places(method) if is_json else None
        if put is not None:
            value = put(value, objects)
        settled = {id(one) for one in _walk(value)} if put is not None else set()
    except BaseException:
        for one in whole:
            one.close()
        raise
    if reply is not None:
        reply.objects = whole
    else:
        for one in whole:
            if id(one) not in settled:
                one.close()
    return value


def close_all(value: Any) -> None:
    """Close all objects that are anywhere in a value."""
    for one in _walk(value):
        one.close()


def _walk(value: Any) -> Iterable[Object]:
    if isinstance(value, Object):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _walk(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _walk(one)
