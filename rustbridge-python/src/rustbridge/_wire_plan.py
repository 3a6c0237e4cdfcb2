"""A client schema's types, in the form that the extension's codec accepts: a node for each type, identified by name.

The extension encodes and decodes the common cases: values of exactly the types that a client names. It leaves other
values, and all errors, to ``_wire_write`` and ``_wire_read``. So these modules define the rules, and the extension must
agree with them.
"""

from __future__ import annotations

import contextlib
import dataclasses
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from . import _native
from ._wire_read import read_other
from ._wire_types import DEFAULT, FLOATS, NUMBERS, attributes, variant_fields
from ._wire_write import write_other

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ._wire_types import Sizes

#: Types that the extension leaves to Python functions, with their sizes: the stable ABI doesn't have their classes.
#: The size of one that begins with its own length is 0.
_OTHERS = {"u128": 16, "i128": 16, "timestamp": 12, "duration": 12, "uuid": 16, "decimal": 0}
_PLAIN = {"unit", "bool", "char", "string", "bytes", "any", *NUMBERS, *FLOATS}


class Codec:
    """Encodes and decodes types without objects in the extension."""

    __slots__ = ("_nodes", "_plan")

    def __init__(self, sizes: Sizes, types: Iterable[Any]) -> None:
        self._nodes = nodes = Nodes(sizes)
        for ty in types:
            nodes.place(ty)
        self._plan = _native.Plan(nodes.all(), DEFAULT)
        for of in nodes.records():
            fill_fast(of)

    def typed(
        self,
        types: tuple[Any, Any],
        encode: Callable[[Any], bytes],
        decode: Callable[[bytes], Any],
        method: Any = None,
        call: Callable[..., Any] | None = None,
        raising: Callable[[BaseException], BaseException] | None = None,
    ) -> _native.Typed:
        """Return an object that encodes requests of one type and decodes responses of the other.

        ``encode``, ``decode`` and ``call`` do the same in Python, for values that the extension leaves to them.
        ``raising`` converts the exception of a failed call to the exception to raise.
        """
        request, response = types
        places = self._nodes.place(request), self._nodes.place(response)
        return _native.Typed(self._plan, *places, encode, decode, method, call, raising)


class Nodes:
    """The nodes of the requested types, which mustn't contain objects."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._nodes: list[tuple[Any, ...]] = []
        self._places: dict[Any, int] = {}

    def all(self) -> tuple[tuple[Any, ...], ...]:
        """Return the nodes, in the order of their places."""
        return tuple(self._nodes)

    def records(self) -> Iterator[type]:
        """Yield the classes of records and of variants."""
        for kind, *of in self._nodes:
            if kind == "record":
                yield of[0]
            elif kind == "variants":
                yield from (record[0] for record in of[0])

    def place(self, ty: Any) -> int:
        """Return the place of a type's node, which is added if it's missing."""
        key = str(ty)
        if key not in self._places:
            if isinstance(ty, dict) and "ref" in ty:
                self._places_of_ref(key, ty["ref"])
            else:
                node = self._node(ty)
                self._places[key] = self._add(node)
        return self._places[key]

    def _add(self, node: tuple[Any, ...]) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _places_of_ref(self, key: str, number: int) -> None:
        definition, of = self._sizes.definitions[number], self._sizes.classes[number]
        if self._sizes.size({"ref": number})[1]:
            # Values of a fixed size don't contain values of their own type.
            inner = self._definition(definition, of)
            self._places[key] = inner if isinstance(inner, int) else self._add(inner)
            return
        # Recursive types refer to the node's place before the node is complete.
        self._places[key] = self._add(("deeper", 0))
        inner = self._definition(definition, of)
        place = inner if isinstance(inner, int) else self._add(inner)
        self._nodes[self._places[key]] = ("deeper", place)

    def _node(self, ty: Any) -> tuple[Any, ...]:  # noqa: PLR0911
        if isinstance(ty, str):
            if ty in _OTHERS:
                return ("other", write_other(ty), read_other(ty), _OTHERS[ty])
            if ty in _PLAIN:
                return (ty,)
            raise TypeError(f"{ty} in a typed message, which this version of rustbridge doesn't know")
        ((kind, of),) = ty.items()
        if kind == "list":
            return ("list", self.place(of), self._sizes.size(of)[0], self._sizes.is_aligned(of))
        if kind == "array":
            return ("array", self.place(of[0]), of[1], self._sizes.size(of[0])[0])
        if kind == "map":
            least = self._sizes.size(of[0])[0] + self._sizes.size(of[1])[0]
            return ("map", self.place(of[0]), self.place(of[1]), least)
        if kind in {"option", "present"}:
            return (kind, self.place(of))
        if kind == "tuple":
            return ("tuple", tuple(self.place(item) for item in of), None)
        raise TypeError(f"{kind} in a typed message, which the extension's codec doesn't know")

    def _definition(self, definition: dict[str, Any], of: Any) -> tuple[Any, ...] | int:
        fields = definition.get("record", definition.get("pod"))
        if fields is not None:
            return ("record", *self._record(of, fields))
        if "newtype" in definition:
            return self.place(definition["newtype"])
        if "tuple" in definition:
            return ("tuple", tuple(self.place(item) for item in definition["tuple"]), of)
        variants = definition["enum"]["variants"]
        # The member for unknown variants comes last, and is left to Python.
        if isinstance(of, type):
            members: list[Any] = list(cast("Any", of))
            return ("enum", of, tuple(members[: len(variants)]))
        pairs = zip(of, variants, strict=False)
        return ("variants", tuple(self._record(one, variant_fields(variant)) for one, variant in pairs))

    def _record(self, of: Any, fields: Sequence[dict[str, Any]]) -> tuple[Any, ...]:
        return (
            of,
            tuple(getattr(of, name) for name in attributes(of)),
            tuple(self.place(field["type"]) for field in fields),
            # None: an absent field has a default value that the client knows, and is left to Python.
            tuple(None if "default_value" in field else bool(field.get("default")) for field in fields),
        )


def fill_fast(of: type) -> None:
    """Make the extension initialize objects of a dataclass whose ``__init__`` :mod:`dataclasses` generated.

    The generated ``__init__`` of a frozen class calls ``object.__setattr__`` for each field, which takes longer than
    most plugins do. The attribute ``__init__`` still returns the generated function, and other callers still call it.
    Only the class itself uses the fast path, which ignores later changes to the function or to the class's slots.
    """
    function = vars(of).get("__init__")
    if type(function) is not FunctionType:
        return
    code = function.__code__
    if "__dataclass_builtins_object__" not in (*code.co_freevars, *code.co_names) or "__post_init__" in code.co_names:
        return
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    fields = dataclasses.fields(of)
    is_plain = all(field.init and field.default_factory is dataclasses.MISSING for field in fields)
    if not is_plain or set(names) != {field.name for field in fields}:
        return
    positional, defaults = code.co_argcount - 1, function.__defaults__ or ()
    given = dict(zip(names[positional - len(defaults) : positional], defaults, strict=True))
    given.update(function.__kwdefaults__ or {})
    with contextlib.suppress(TypeError, AttributeError):
        # The class may have more than slots. The names are the ones with which calls are compiled.
        described = tuple((name, getattr(of, name), *([given[name]] if name in given else [])) for name in names)
        of.__init__ = _native.Initializer(of, described, positional, function)  # type: ignore[misc]
