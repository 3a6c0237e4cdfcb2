"""The wire format in Python: encoders for the types of a client schema, built from closures."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta
from decimal import Decimal
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol, cast
from uuid import UUID

from ._wire_types import (
    DEFAULT,
    EPOCH,
    FLOATS,
    MAX_BYTES,
    MAX_DECIMAL,
    MAX_DEPTH,
    NUMBERS,
    SPAN,
    TIME,
    U16,
    U32,
    UnfitError,
    at_step,
    attributes,
    borrow,
    expected,
    format_of,
    runs,
    same_formats,
    variant_fields,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ._objects import Object
    from ._wire_types import Sizes

    Write = Callable[[bytearray, Any, int], None]


class Passing(Protocol):
    """A callback of a client."""

    def lend(self, value: Any, lent: list[Object], /) -> int:
        """Add an object of the plugin for an implementation to those that a call borrows. Return its position."""


class _Lending(bytearray):
    """A message with accompanying objects."""

    __slots__ = ("lent", "passing")

    #: The borrowed objects, in the order of their positions.
    lent: list[Object]
    #: The callbacks of the client, by their names.
    passing: Mapping[str, Passing]


class Writers:
    """Creates encoders for the types of a client schema."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._writes: dict[int, Write] = {}

    def encoder(self, ty: Any) -> Callable[[Any], bytes]:
        """Return an encoder of messages of a type."""
        write = self._write(ty)

        def encode(value: Any) -> bytes:
            out = bytearray()
            write(out, value, 0)
            return _whole(out)

        return encode

    def lender(self, ty: Any) -> Callable[[Any, list[Object], Mapping[str, Passing]], bytes]:
        """Return an encoder of messages of a type that contains objects.

        It appends the objects to the list of those that the call already borrows.
        """
        write = self._write(ty)

        def encode(value: Any, lent: list[Object], passing: Mapping[str, Passing]) -> bytes:
            out = _Lending()
            out.lent = lent
            out.passing = passing
            write(out, value, 0)
            return _whole(out)

        return encode

    def _write(self, ty: Any) -> Write:  # noqa: PLR0911
        if isinstance(ty, str):
            if ty in NUMBERS:
                return _write_number(*NUMBERS[ty])
            if ty in FLOATS:
                return _write_float(FLOATS[ty])
            return _WRITES[ty]
        ((kind, of),) = ty.items()
        if kind == "list":
            return self._write_list(of)
        if kind == "array":
            return self._write_array(*of)
        if kind == "map":
            return self._write_map(*of)
        if kind == "option":
            return self._write_option(of)
        if kind == "present":
            return self._write_present(of)
        if kind == "tuple":
            return self._write_tuple(of)
        if kind == "ref":
            return self._write_ref(of)
        if kind == "object":
            return _write_callback(of) if of in self._sizes.callbacks else _write_object(self._sizes.objects[of])
        raise TypeError(f"{kind} in a typed message, which this version of rustbridge doesn't know")

    def _write_list(self, item: Any) -> Write:
        write, aligned = self._write(item), self._sizes.is_aligned(item)
        form = format_of(item)

        def bulk(out: bytearray, value: Any) -> bool:
            # A buffer of the same numbers (for example an array) has the same bytes as the message.
            if form is None or isinstance(value, (list, tuple)):
                return False
            try:
                view = memoryview(value)
            except TypeError:
                return False
            if view.ndim != 1 or not view.contiguous or view.format.lstrip("@=<") not in same_formats(form):
                return False
            # With "=" and "<" in front, an "l" is shorter than this machine's.
            if view.itemsize != struct.calcsize(f"<{form}"):
                return False
            # `len` may return something else.
            if view.shape != (len(value),):
                return False
            out += view.tobytes()
            return True

        def write_list(out: bytearray, value: Any, depth: int) -> None:
            if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__len__"):
                raise expected("a list", value)
            count = len(value)
            if count > MAX_BYTES:
                raise UnfitError(ValueError, f"the list exceeds the limit of {MAX_BYTES} items: it has {count}")
            out += U32.pack(count)
            if aligned:
                out += bytes(-len(out) % 8)
            if bulk(out, value):
                return
            if form is not None:
                try:
                    out += struct.pack(f"<{count}{form}", *value)
                except (struct.error, OverflowError):
                    # One of the items isn't such a number; the loop below finds it.
                    pass
                except NotImplementedError as error:
                    # A view whose items Python can't access.
                    raise UnfitError(TypeError, f"a list is expected: {error}") from None
                else:
                    return
            written = 0
            for one in value:
                try:
                    write(out, one, depth)
                except UnfitError as unfit:
                    raise at_step(str(written), unfit) from None
                written += 1
            if written != count:
                raise UnfitError(ValueError, f"a list of {count} items returned {written} when it was iterated over")

        return write_list

    def _write_array(self, item: Any, count: int) -> Write:
        write = self._write(item)

        def write_array(out: bytearray, value: Any, depth: int) -> None:
            if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__len__"):
                raise expected(f"a list of {count}", value)
            items = tuple(value)
            if len(items) != count:
                raise UnfitError(ValueError, f"{count} items are expected, not {len(items)}")
            for place, one in enumerate(items):
                try:
                    write(out, one, depth)
                except UnfitError as unfit:
                    raise at_step(str(place), unfit) from None

        return write_array

    def _write_map(self, key: Any, item: Any) -> Write:
        write_key, write_item = self._write(key), self._write(item)

        def write_map(out: bytearray, value: Any, depth: int) -> None:
            if not isinstance(value, dict):
                raise expected("a dict", value)
            out += U32.pack(len(value))
            for name, one in value.items():
                try:
                    write_key(out, name, depth)
                    write_item(out, one, depth)
                except UnfitError as unfit:
                    raise at_step(str(name), unfit) from None

        return write_map

    def _write_option(self, item: Any) -> Write:
        write = self._write(item)

        def write_option(out: bytearray, value: Any, depth: int) -> None:
            if value is None:
                out.append(0)
            else:
                out.append(1)
                write(out, value, depth)

        return write_option

    def _write_present(self, item: Any) -> Write:
        """Return a function that writes the value of a field that other callers may leave out."""
        write = self._write(item)

        def write_present(out: bytearray, value: Any, depth: int) -> None:
            out.append(1)
            write(out, value, depth)

        return write_present

    def _write_tuple(self, types: Sequence[Any], names: Sequence[str] | None = None) -> Write:
        writes = [self._write(ty) for ty in types]
        steps = names or [str(place) for place in range(len(types))]

        def write_tuple(out: bytearray, value: Any, depth: int) -> None:
            if not isinstance(value, tuple) or len(value) != len(writes):
                raise expected(f"a tuple of {len(writes)}", value)
            for step, write, one in zip(steps, writes, value, strict=True):
                try:
                    write(out, one, depth)
                except UnfitError as unfit:
                    raise at_step(step, unfit) from None

        return write_tuple

    def _write_ref(self, number: int) -> Write:
        known = self._writes.get(number)
        if known is not None:
            return known

        # Recursive types refer to this function before the encoder is complete.
        def later(out: bytearray, value: Any, depth: int) -> None:
            self._writes[number](out, value, depth)

        self._writes[number] = later
        definition, of = self._sizes.definitions[number], self._sizes.classes[number]
        fields = definition.get("record", definition.get("pod"))
        if fields is not None:
            write = self._write_fields(of, fields)
        elif "newtype" in definition:
            write = self._write(definition["newtype"])
        elif "tuple" in definition:
            write = self._write_tuple(definition["tuple"], definition.get("arguments"))
        else:
            write = self._write_enum(definition, of)
        self._writes[number] = write if self._sizes.size({"ref": number})[1] else _deeper(write)
        return self._writes[number]

    def _write_fields(self, of: type, fields: Sequence[dict[str, Any]]) -> Write:
        steps = []
        for run in runs(attributes(of), fields):
            singles = [self._write_field(of, name, field) for name, field in run]
            steps += [_write_run(run, singles)] if len(run) > 1 else singles
        wanted = of.__name__

        def write_fields(out: bytearray, value: Any, depth: int) -> None:
            if type(value) is not of and not isinstance(value, of):
                raise expected(wanted, value)
            for step in steps:
                step(out, value, depth)

        return write_fields

    def _write_field(self, of: type, name: str, field: dict[str, Any]) -> Write:
        get, write, default = getattr(of, name).__get__, self._write(field["type"]), bool(field.get("default"))

        def write_field(out: bytearray, value: Any, depth: int) -> None:
            try:
                one = get(value)
                if default:
                    if one is DEFAULT:
                        out.append(0)
                        return
                    out.append(1)
                write(out, one, depth)
            except UnfitError as unfit:
                raise at_step(name, unfit) from None

        return write_field

    def _write_enum(self, definition: dict[str, Any], of: Any) -> Write:
        variants = definition["enum"]["variants"]
        name = definition["name"]
        if isinstance(of, type):
            members: list[Any] = list(cast("Any", of))[: len(variants)]
            numbers = {member: U16.pack(number) for number, member in enumerate(members)}

            def write_plain(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
                if type(value) is not of:
                    raise expected(of.__name__, value)
                number = numbers.get(value)
                if number is None:
                    raise _unknown()
                out += number

            return write_plain
        writes = {
            one: (U16.pack(number), self._write_fields(one, variant_fields(variant)))
            for number, (one, variant) in enumerate(zip(of, variants, strict=False))
        }
        unknown = of[len(variants) :]

        def write_variant(out: bytearray, value: Any, depth: int) -> None:
            found = writes.get(type(value))
            if found is None:
                if type(value) in unknown:
                    raise _unknown()
                raise expected(f"a variant of {name}", value)
            number, write = found
            out += number
            write(out, value, depth)

        return write_variant


def _unknown() -> UnfitError:
    return UnfitError(ValueError, "an unknown variant can't be sent")


def write_other(ty: str) -> Callable[[Any], bytes]:
    """Return a function that converts a value of a type without parts to bytes."""
    write = _WRITES[ty]

    def encode(value: Any) -> bytes:
        out = bytearray()
        write(out, value, 0)
        return bytes(out)

    return encode


def _whole(out: bytearray) -> bytes:
    if len(out) > MAX_BYTES:
        raise UnfitError(ValueError, f"the message exceeds the limit of {MAX_BYTES} bytes: it has {len(out)}")
    return bytes(out)


def _write_object(of: Any) -> Write:
    def write(out: Any, value: Any, depth: int) -> None:  # noqa: ARG001
        if not isinstance(value, of):
            raise expected(of.__name__, value)
        one: Object = value._object
        if one.closed:
            raise UnfitError(ValueError, f"the {of.__name__} has been closed")
        out += U32.pack(borrow(out.lent, one))

    return write


def _write_callback(name: str) -> Write:
    def write(out: Any, value: Any, depth: int) -> None:  # noqa: ARG001
        out += U32.pack(out.passing[name].lend(value, out.lent))

    return write


def _too_deep() -> UnfitError:
    return UnfitError(
        ValueError,
        f"the value is nested deeper than {MAX_DEPTH} levels, the limit of a message: "
        "reduce its nesting, and check that it doesn't contain itself",
    )


def _deeper(write: Write) -> Write:
    def write_deeper(out: bytearray, value: Any, depth: int) -> None:
        if depth == MAX_DEPTH:
            raise _too_deep()
        write(out, value, depth + 1)

    return write_deeper


def _write_run(run: Sequence[tuple[str, dict[str, Any]]], singles: Sequence[Write]) -> Write:
    """Return a function that writes consecutive number fields in one step."""
    pack = struct.Struct("<" + "".join(str(format_of(field["type"])) for _, field in run)).pack
    get = attrgetter(*[name for name, _ in run])

    def write_run(out: bytearray, value: Any, depth: int) -> None:
        try:
            out += pack(*get(value))
        except (struct.error, TypeError, OverflowError):
            # One of the fields isn't such a number; writing them one by one finds it and the reason.
            for write in singles:
                write(out, value, depth)

    return write_run


def _write_number(form: str, least: int, most: int) -> Write:
    pack = struct.Struct(f"<{form}").pack

    def write(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
        try:
            out += pack(value)
        except (struct.error, OverflowError):
            if not hasattr(value, "__index__"):
                raise expected("an int", value) from None
            raise UnfitError(ValueError, f"an int from {least} to {most} is expected, not {value!r}") from None

    return write


def _write_float(form: str) -> Write:
    pack = struct.Struct(f"<{form}").pack

    def write(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
        try:
            out += pack(value)
        except (struct.error, TypeError):
            raise expected("a float", value) from None
        except OverflowError:
            raise UnfitError(ValueError, f"{value!r} is outside the range of the float") from None

    return write


def _write_wide(signed: bool) -> Write:
    def write(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
        if not isinstance(value, int):
            raise expected("an int", value)
        try:
            out += int.to_bytes(value, 16, "little", signed=signed)
        except OverflowError:
            sign = "a signed" if signed else "an unsigned"
            raise UnfitError(ValueError, f"{value} doesn't fit {sign} integer of 128 bits") from None

    return write


def _write_unit(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if value is not None:
        raise expected("None", value)


def _write_bool(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if value is True:
        out.append(1)
    elif value is False:
        out.append(0)
    else:
        raise expected("a bool", value)


def _write_char(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, str) or len(value) != 1:
        raise expected("a str of one character", value)
    if "\ud800" <= value <= "\udfff":
        raise UnfitError(ValueError, "a surrogate isn't a character")
    out += U32.pack(ord(value))


def _write_string(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, str):
        raise expected("a str", value)
    try:
        data = value.encode()
    except UnicodeEncodeError as error:
        raise UnfitError(ValueError, f"character {error.start} is half of a surrogate pair") from None
    _write_counted(out, data)


def _write_counted(out: bytearray, data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise UnfitError(ValueError, f"at most {MAX_BYTES} bytes are expected, not {len(data)}")
    out += U32.pack(len(data))
    out += data


def _write_bytes(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    try:
        data = value if type(value) is bytes else memoryview(value).tobytes()
    except TypeError:
        raise expected("bytes", value) from None
    _write_counted(out, data)


def _write_decimal(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, Decimal):
        raise expected('a Decimal such as Decimal("1.50")', value)
    # A short number may have very many digits: 1e999999.
    if not value.is_finite() or abs(value.adjusted()) > MAX_DECIMAL or len(text := format(value, "f")) > MAX_DECIMAL:
        raise UnfitError(ValueError, f"a finite number of at most {MAX_DECIMAL} characters is expected, not {value:.6}")
    _write_counted(out, text.encode())


def _write_timestamp(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, datetime):
        raise expected("a datetime", value)
    if value.tzinfo is None or value.utcoffset() is None:
        raise UnfitError(ValueError, "a datetime with a time zone is expected, not one without")
    span = value - EPOCH
    out += TIME.pack(span.days * 86400 + span.seconds, span.microseconds * 1000)


def _write_duration(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, timedelta):
        raise expected("a timedelta", value)
    if value.days < 0:
        raise UnfitError(ValueError, f"a duration of zero or more is expected, not {value}")
    out += SPAN.pack(value.days * 86400 + value.seconds, value.microseconds * 1000)


def _write_uuid(out: bytearray, value: Any, depth: int) -> None:  # noqa: ARG001
    if not isinstance(value, UUID):
        raise expected("a UUID", value)
    out += value.bytes


def _write_any(out: bytearray, value: Any, depth: int) -> None:
    if value is None:
        out.append(0)
    elif value is False or value is True:
        out.append(2 if value else 1)
    elif isinstance(value, int):
        _write_any_int(out, value)
    elif isinstance(value, float):
        out.append(5)
        out += struct.pack("<d", value)
    elif isinstance(value, str):
        out.append(6)
        _write_string(out, value, depth)
    elif isinstance(value, (list, tuple, dict)):
        if depth == MAX_DEPTH:
            raise _too_deep()
        out.append(9 if isinstance(value, dict) else 8)
        out += U32.pack(len(value))
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, one in steps:
            try:
                if isinstance(value, dict):
                    _write_string(out, step, depth)
                _write_any(out, one, depth + 1)
            except UnfitError as unfit:
                raise at_step(str(step), unfit) from None
    elif isinstance(value, (bytes, bytearray, memoryview)):
        out.append(7)
        _write_bytes(out, value, depth)
    else:
        raise expected("None, a bool, int, float, str, bytes, list or dict", value)


def _write_any_int(out: bytearray, value: int) -> None:
    if -(2**63) <= value < 2**63:
        out.append(3)
        out += struct.pack("<q", value)
    elif 0 < value < 2**64:
        out.append(4)
        out += struct.pack("<Q", value)
    else:
        raise UnfitError(ValueError, f"{value} doesn't fit an integer of 64 bits")


_WRITES: Final[dict[str, Write]] = {
    "unit": _write_unit,
    "bool": _write_bool,
    "char": _write_char,
    "u128": _write_wide(False),
    "i128": _write_wide(True),
    "string": _write_string,
    "bytes": _write_bytes,
    "decimal": _write_decimal,
    "timestamp": _write_timestamp,
    "duration": _write_duration,
    "uuid": _write_uuid,
    "any": _write_any,
}
