"""Callbacks of generated clients: objects of this program that a plugin calls.

An object of this program crosses the boundary as a number. The plugin makes an object of its own of it, which calls
services with that number, and releases the number by another service.
"""

from __future__ import annotations

import inspect
import itertools
from asyncio import _get_running_loop as _running
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _contexts, _options, _services
from ._errors import FailedPreconditionError, InternalError, NotFoundError, error_from_payload
from ._objects import Object, PassedObject
from ._status import Status
from ._typed_services import TypedService
from ._wire_types import UnfitError, borrow, expected

if TYPE_CHECKING:
    import asyncio
    import weakref
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ._method import Method
    from ._plugin import Plugin


#: The calls by which the arguments and the result of a function cross; None for those that the service's messages have.
Crossing: TypeAlias = "tuple[Callable[[int], Any] | None, Callable[[tuple[int, Any]], Any] | None]"


class Callback:
    """A callback of a client schema, as a generated client describes it.

    ``new`` and ``number`` are the fingerprints of the methods that create an object and return its number.
    ``functions`` are the names in Python by the names of the services. ``crossings`` has those with objects in
    arguments or results, with the fingerprints of the methods by which the arguments and the result cross.
    """

    __slots__ = ("crossings", "functions", "new", "number")

    def __init__(
        self,
        new: str,
        number: str,
        functions: Mapping[str, str],
        crossings: Mapping[str, tuple[str | None, str | None]] | None = None,
    ) -> None:
        self.new = new
        self.number = number
        self.functions = dict(functions)
        self.crossings = dict(crossings or {})


class _HostObject:
    """An object of this program that a plugin holds."""

    __slots__ = ("are_async", "functions", "loop", "value")

    def __init__(self, value: Any, functions: tuple[Callable[..., Any], ...]) -> None:
        self.value = value
        self.functions = functions
        are_async = tuple([_is_async(function) for function in functions])
        #: Which functions are an `async def`, if one is, and the loop on which the object was passed.
        self.are_async = are_async if True in are_async else None
        self.loop = None if self.are_async is None else _running()


def _is_async(function: Any) -> bool:
    kind = type(function)
    if kind is MethodType:
        function = function.__func__
        kind = type(function)
    if kind is FunctionType and not function.__dict__:
        # What `is_async` finds, without its detours.
        return bool(function.__code__.co_flags & inspect.CO_COROUTINE)
    return _services.is_async(function)


class Table:
    """The objects of this program that a plugin holds for one callback, by their numbers."""

    __slots__ = ("name", "numbers", "objects", "passing")

    def __init__(self, name: str, numbers: Iterator[int]) -> None:
        self.name = name
        #: What the client has for the callback, which the services don't keep. It's set when the plugin is loaded.
        self.passing: weakref.ref[Passing] | None = None
        #: Those of all tables of a client. None is used again.
        self.numbers = numbers
        self.objects: dict[int, _HostObject] = {}

    def find(self, number: int) -> _HostObject:
        """Return the object of a number that the plugin calls."""
        found = self.objects.get(number)
        if found is None:
            problem = f"callback {self.name}: the host has no object {number}: it was released"
            raise NotFoundError(Status.NOT_FOUND, problem, "rustbridge.ObjectReleased")
        return found

    def crossing(self, function: str) -> Crossing:
        """Return the methods by which the arguments and the result of a function cross."""
        passing = None if self.passing is None else self.passing()
        if passing is None:
            problem = f"callback {self.name}: its client no longer exists"
            raise FailedPreconditionError(Status.FAILED_PRECONDITION, problem, "rustbridge.InstanceClosed")
        return passing.crossings[function]

    def release(self, request: bytes) -> bytes:
        """Forget an object that the plugin has released."""
        self.objects.pop(int.from_bytes(request, "little"), None)
        return b""

    def clear(self) -> None:
        """Forget all objects, because the plugin is closed."""
        self.objects.clear()


class ObjectServing(TypedService):
    """A callback's function with types, which each object may implement by an ``async def`` or not."""

    __slots__ = ("_place", "_table")

    def __init__(
        self,
        name: str,
        table: Table,
        place: int,
        decode: Callable[[bytes], Any],
        encode: Callable[[Any], bytes],
    ) -> None:
        super().__init__(name, decode, encode)
        self._table = table
        self._place = place

    def _asked(self, request: bytes) -> Any:
        number, *arguments = self._decode(request)
        return self._table.find(number).functions[self._place](*arguments)

    async def awaited(self, request: bytes) -> bytes:
        """Answer by an ``async def``."""
        return await self._awaited(request)

    def is_async(self, request: bytes) -> bool:
        """Report whether the object's function is an ``async def``."""
        found = self._table.objects.get(int.from_bytes(request[:8], "little"))
        return found is not None and found.are_async is not None and found.are_async[self._place]

    def loop(self, request: bytes) -> asyncio.AbstractEventLoop | None:
        """Return the loop on which the object was passed."""
        found = self._table.objects.get(int.from_bytes(request[:8], "little"))
        return None if found is None else found.loop


class CrossingServing(ObjectServing):
    """A callback's function whose arguments or result contain objects, which cross by methods of the plugin.

    The request has the number of the object and the number of the call.
    """

    __slots__ = ()

    def _asked(self, request: bytes) -> Any:
        number, call = self._decode(request)
        function = self._table.find(number).functions[self._place]
        arguments, _ = self._table.crossing(self._name)
        return function() if arguments is None else function(*arguments(call))

    def _written(self, answer: Any, request: bytes) -> bytes:
        _, result = self._table.crossing(self._name)
        if result is None:
            return super()._written(answer, request)
        _, call = self._decode(request)
        result((call, answer))
        return b""


def tables(names: Iterable[str]) -> dict[str, Table]:
    """Return the empty tables of a client that loads its plugin."""
    numbers = itertools.count(1)
    return {name: Table(name, numbers) for name in names}


class Passing:
    """A callback of one client: passes objects of this program to the plugin, and finds them again."""

    __slots__ = (
        "__weakref__",
        "_client",
        "_functions",
        "_is_function",
        "_name",
        "_new",
        "_number",
        "_of",
        "_plugin",
        "crossings",
        "table",
    )

    def __init__(
        self,
        client: Any,
        plugin: Plugin,
        name: str,
        of: type[Any],
        callback: Callback,
        client_schema: str,
        crossings: Mapping[str, Crossing],
    ) -> None:
        self._client = client
        self._plugin = plugin
        self._name = name
        self._of = of
        self._functions = tuple(callback.functions.values())
        self._is_function = len(self._functions) == 1
        self._new: Method = plugin._typed(f"{name}:new", callback.new, client_schema)
        self._number: Method = plugin._typed(f"{name}:number", callback.number, client_schema)
        self.crossings = crossings
        #: None if the plugin was loaded without the services that call objects of this program.
        self.table: Table | None = None

    def lend(self, value: Any, lent: list[Object], /) -> int:
        """Add the plugin's object for an implementation to those that a call borrows, and return its position.

        It's the plugin's own, or a new one for an object of this program.
        """
        if isinstance(value, self._of) and value._client._plugin is self._plugin:
            if value.closed:
                raise UnfitError(ValueError, f"the {self._name} has been closed")
            return borrow(lent, value._object)
        functions = self._found(value)
        table = self.table
        if table is None:
            kind = type(self._client).__name__
            problem = (
                f"callback {self._name}: the plugin was loaded without the services by which it calls the host's "
                f"objects: load it by {kind}.load"
            )
            raise FailedPreconditionError(Status.FAILED_PRECONDITION, problem, "rustbridge.NoServices")
        number = next(table.numbers)
        table.objects[number] = one = _HostObject(value, functions)
        try:
            lent.append(self._created(number))
        except BaseException:
            table.objects.pop(number, None)
            raise
        if one.are_async is not None:
            # Blocking calls carry their context from now on, because a loop answers.
            _contexts.serve(self._plugin._handle, True)
        return len(lent) - 1

    def _found(self, value: Any) -> tuple[Callable[..., Any], ...]:
        """Return the functions of an implementation."""
        functions: tuple[Any, ...] = tuple([getattr(value, name, None) for name in self._functions])
        if all(map(callable, functions)) and not isinstance(value, type):
            return functions
        if self._is_function and functions[0] is None and callable(value):
            return (value,)
        if value is None or isinstance(value, type):
            raise expected(self._name, value)
        lacks = next(name for name, one in zip(self._functions, functions, strict=True) if not callable(one))
        raise UnfitError(TypeError, f"{self._name} is expected, but {type(value).__name__} has no function {lacks!r}")

    def _created(self, number: int) -> PassedObject:
        """Create the plugin's object for a number."""
        method = self._new
        answer = method._backend.call_with(method._handle, method._entry, number.to_bytes(8, "little"), _options.EMPTY)
        numbers = None if type(answer) is bytes else answer[3]
        if type(answer) is not bytes and answer[0]:
            raise error_from_payload(answer[0], answer[1])
        if not numbers:
            raise _invalid(method, "no object")
        return PassedObject(self._plugin, numbers[0], self._name)

    def take(self, one: Object) -> Any:
        """Return the implementation that an object of the plugin stands for: the one that was passed, if there is."""
        method = self._number
        answer = method._backend.call_lending(method._handle, method._entry, b"", one._lend())
        if type(answer) is not bytes:
            raise error_from_payload(answer[0], answer[1])
        number = int.from_bytes(answer, "little")
        if number and self.table is not None:
            found = self.table.objects.get(number)
            if found is not None:
                one.close()
                return found.value
        return self._of._received(self._client, one)


def _invalid(method: Method, what: str) -> InternalError:
    problem = f"the plugin's response to {method.name!r} has {what}"
    return InternalError(Status.INTERNAL, problem, "rustbridge.InvalidResponse")
