"""The wire format in Python: sizes of types, errors for values that don't fit, and cursors over bytes."""

from __future__ import annotations

import dataclasses
import struct
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

#: The value of a field that is left to the plugin's default.
DEFAULT: Any

#: The maximum nesting depth. It counts dynamic values, and values of named types whose size varies.
MAX_DEPTH: Final = 128

#: The variant that stands for those of an open enum that a client doesn't know.
UNKNOWN_VARIANT: Final = 2**16 - 1

#: The maximum size of a message in bytes, and of a list in items.
MAX_BYTES: Final = 2**31 - 9

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
U32 = struct.Struct("<I")
U16 = struct.Struct("<H")
TIME = struct.Struct("<qI")
SPAN = struct.Struct("<QI")

#: The integers that `struct` supports: format, minimum and maximum.
NUMBERS: Final = {
    "u8": ("B", 0, 2**8 - 1),
    "u16": ("H", 0, 2**16 - 1),
    "u32": ("I", 0, 2**32 - 1),
    "u64": ("Q", 0, 2**64 - 1),
    "i8": ("b", -(2**7), 2**7 - 1),
    "i16": ("h", -(2**15), 2**15 - 1),
    "i32": ("i", -(2**31), 2**31 - 1),
    "i64": ("q", -(2**63), 2**63 - 1),
}
FLOATS: Final = {"f32": "f", "f64": "d"}
_SIZES: Final = {
    "unit": 0,
    "bool": 1,
    "u8": 1,
    "i8": 1,
    "u16": 2,
    "i16": 2,
    "char": 4,
    "u32": 4,
    "i32": 4,
    "f32": 4,
    "u64": 8,
    "i64": 8,
    "f64": 8,
    "timestamp": 12,
    "duration": 12,
    "u128": 16,
    "i128": 16,
    "uuid": 16,
}
_ALIGNED: Final = {"u16", "u32", "u64", "u128", "i16", "i32", "i64", "i128", "f32", "f64"}


class _Default:
    """The type of ``DEFAULT``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DEFAULT"

    def __reduce__(self) -> str:
        return "DEFAULT"


DEFAULT = _Default()


#: The most characters of a decimal number.
MAX_DECIMAL: Final = 1000


class UnfitError(Exception):
    """A value that doesn't fit its type. Each enclosing value adds a step to the path."""

    def __init__(self, kind: type[Exception], what: str) -> None:
        super().__init__(what)
        self.kind = kind
        self.path: list[str] = []

    def error(self, method: str, what: str) -> Exception:
        """Return the exception for the caller. ``what`` names the invalid part: a method's request, or its items."""
        path = "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in reversed(self.path))
        return self.kind(f"{method}: {what}{path}: {self.args[0]}")


class BrokenError(Exception):
    """Bytes that don't match their type."""


class Reader:
    """A cursor over the bytes of a message, with the accompanying objects that haven't been read yet."""

    __slots__ = ("at", "data", "end", "objects")

    def __init__(self, data: bytes, objects: Any = ()) -> None:
        self.data = data
        self.at = 0
        self.end = len(data)
        self.objects = objects

    def take(self, count: int) -> int:
        """Return the offset of the next bytes, and advance past them."""
        at = self.at
        if count > self.end - at:
            raise BrokenError(f"byte {at}: expected {count} bytes, but only {self.end - at} are left")
        self.at = at + count
        return at

    def count(self, least: int) -> int:
        """Read the number of items that have at least ``least`` bytes each."""
        at = self.take(4)
        (count,) = U32.unpack_from(self.data, at)
        if count * least > self.end - self.at:
            raise BrokenError(f"byte {at}: expected {count} items, but only {self.end - self.at} bytes are left")
        return count  # type: ignore[no-any-return]

    def align(self) -> None:
        """Advance to a multiple of 8, past zeros."""
        at = self.take(-self.at % 8)
        if any(self.data[at : self.at]):
            raise BrokenError(f"byte {at}: padding isn't zero")


def expected(expected: str, value: object) -> UnfitError:
    return UnfitError(TypeError, f"{expected} is expected, not {type(value).__name__}")


def at_step(path: str, unfit: UnfitError) -> UnfitError:
    unfit.path.append(path)
    return unfit


class Sizes:
    """The types of a client schema, and the sizes of their values in bytes.

    ``definitions`` are the definitions of the client schema. ``classes`` has an entry for each of them:

    * for a record, a class with the type's fields, in order;
    * for an enum whose variants have no data, the :class:`enum.Enum`. If it's open, one member more comes last;
    * for another enum, the classes of its variants. If it's open, one class more comes last;
    * for a new type, None: its values are those of the inner type;
    * for arguments that a method accepts one by one, ``tuple``.

    ``objects`` has the classes of objects by their names. ``callbacks`` has the names of those that this program may
    implement, too.
    """

    def __init__(
        self,
        definitions: Sequence[dict[str, Any]],
        classes: Sequence[Any],
        objects: Mapping[str, type[Any]],
        callbacks: Iterable[str] = (),
    ) -> None:
        self.definitions = list(definitions)
        self.classes = list(classes)
        for number, of in enumerate(classes):
            if of is tuple:
                self.definitions[number] = _taken_apart(definitions[number])
                self.classes[number] = None
        self.objects = objects
        self.callbacks = frozenset(callbacks)
        self._sizes: dict[int, tuple[int, bool]] = {}

    def size(self, ty: Any) -> tuple[int, bool]:  # noqa: PLR0911
        """Return the smallest size of a value in bytes, and whether all values have this size."""
        if isinstance(ty, str):
            if ty in _SIZES:
                return _SIZES[ty], True
            return (1 if ty == "any" else 4), False
        ((kind, of),) = ty.items()
        if kind == "object":
            return 4, True
        if kind == "array":
            least, exact = self.size(of[0])
            return least * of[1], exact
        if kind == "tuple":
            return self._sum(of)
        if kind == "ref":
            if of not in self._sizes:
                self._sizes[of] = self._size_of(self.definitions[of])
            return self._sizes[of]
        return (1 if kind in {"option", "present"} else 4), False

    def _sum(self, types: Sequence[Any]) -> tuple[int, bool]:
        sizes = [self.size(ty) for ty in types]
        return sum(least for least, _ in sizes), all(exact for _, exact in sizes)

    def _size_of(self, definition: dict[str, Any]) -> tuple[int, bool]:
        fields = definition.get("record", definition.get("pod"))
        if fields is not None:
            least, exact = self._sum([field["type"] for field in fields if not field.get("default")])
            absent = sum(1 for field in fields if field.get("default"))
            return least + absent, exact and not absent
        if "newtype" in definition:
            return self.size(definition["newtype"])
        if "tuple" in definition:
            return self._sum(definition["tuple"])
        variants = definition["enum"]["variants"]
        return 2, not any("tuple" in variant or "fields" in variant for variant in variants)

    def value_classes(self, number: int) -> tuple[type, ...] | None:
        """Return the classes of a definition's values, or None if it has no class of its own."""
        of = self.classes[number]
        if of is None:
            return None
        return (of,) if isinstance(of, type) else tuple(of)

    def has_objects(self, ty: Any, seen: frozenset[int] = frozenset()) -> bool:
        """Report whether values of a type can contain objects."""
        if isinstance(ty, str):
            return False
        ((kind, of),) = ty.items()
        if kind == "object":
            return True
        if kind == "ref":
            if of in seen:
                return False
            seen |= {of}
            definition = self.definitions[of]
            parts = [definition["newtype"]] if "newtype" in definition else list(definition.get("tuple") or ())
            fields = list(definition.get("record") or definition.get("pod") or ())
            for variant in definition.get("enum", {}).get("variants", ()):
                fields += variant_fields(variant)
            parts += [field["type"] for field in fields]
        elif kind == "array":
            parts = [of[0]]
        else:
            parts = list(of) if kind in {"map", "tuple"} else [of]
        return any(self.has_objects(part, seen) for part in parts)

    def arguments(self, ty: Any) -> Sequence[str] | None:
        """Return the names of a method's arguments, or None if the type isn't a list of arguments."""
        if isinstance(ty, dict) and "ref" in ty:
            names: Sequence[str] | None = self.definitions[ty["ref"]].get("arguments")
            return names
        return None

    def is_aligned(self, item: Any) -> bool:
        """Report whether the items of a list begin at a multiple of 8."""
        if isinstance(item, str):
            return item in _ALIGNED
        ((kind, of),) = item.items()
        return (kind == "array" and self.is_aligned(of[0])) or (kind == "ref" and "pod" in self.definitions[of])


def _taken_apart(definition: dict[str, Any]) -> dict[str, Any]:
    """Convert a record's definition to one of a tuple, which has the same wire format."""
    fields = definition["record"]
    if any(field.get("default") and "default_value" not in field for field in fields):
        raise TypeError(f"{definition['name']} has fields with unknown defaults: it isn't taken apart")
    # A field with a default has the wire format of an option, but the client always sends its value.
    types = [{"present": field["type"]} if field.get("default") else field["type"] for field in fields]
    names = [field["name"] for field in fields]
    return {"name": definition["name"], "tuple": types, "arguments": names}


def borrow(lent: list[Any], one: object) -> int:
    """Return an object's position among those that a call borrows. It's added if it's missing."""
    for position, known in enumerate(lent):
        if known is one:
            return position
    lent.append(one)
    return len(lent) - 1


def attributes(of: Any) -> list[str]:
    """Return the names of a dataclass's fields."""
    return list(of.__dataclass_fields__)


def default_of(of: type, name: str) -> Callable[[], Any]:
    """Return a function that returns the default of a field: `DEFAULT`, or the value that the client knows."""
    field = cast("Any", of).__dataclass_fields__[name]
    if field.default_factory is not dataclasses.MISSING:
        return cast("Callable[[], Any]", field.default_factory)
    return lambda: field.default


def variant_fields(variant: dict[str, Any]) -> Sequence[dict[str, Any]]:
    if "tuple" in variant:
        return [{"type": ty} for ty in variant["tuple"]]
    return variant.get("fields") or []


def runs(names: Sequence[str], fields: Sequence[dict[str, Any]]) -> list[list[tuple[str, dict[str, Any]]]]:
    """Return a record's fields, with consecutive numbers in one group."""
    found: list[list[tuple[str, dict[str, Any]]]] = []
    before = False
    for name, field in zip(names, fields, strict=True):
        is_number = format_of(field["type"]) is not None and not field.get("default")
        if is_number and before:
            found[-1].append((name, field))
        else:
            found.append([(name, field)])
        before = is_number
    return found


def format_of(item: Any) -> str | None:
    """Return the `struct` format of a number type, or None if there's none."""
    if not isinstance(item, str):
        return None
    return NUMBERS[item][0] if item in NUMBERS else FLOATS.get(item)


def same_formats(form: str) -> set[str]:
    """Return the formats of buffers whose items are such numbers on this machine."""
    size = struct.calcsize(f"<{form}")
    kinds = "bhilqn" if form in "bhiq" else "BHILQN" if form in "BHIQ" else "fd"
    return {kind for kind in kinds if struct.calcsize(kind) == size}
