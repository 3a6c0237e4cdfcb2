"""The wire format in Python: decoders for the types of a client schema, built from closures."""

from __future__ import annotations

import re
import struct
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from ._errors import InternalError, InvalidArgumentError
from ._status import Status
from ._wire_types import (
    EPOCH,
    FLOATS,
    MAX_DECIMAL,
    MAX_DEPTH,
    NUMBERS,
    SPAN,
    TIME,
    U16,
    U32,
    UNKNOWN_VARIANT,
    BrokenError,
    Reader,
    attributes,
    default_of,
    format_of,
    runs,
    variant_fields,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._objects import Object
    from ._wire_types import Sizes

    Read = Callable[["Reader", int], Any]


class Readers:
    """Creates decoders for the types of a client schema."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._reads: dict[int, Read] = {}

    def decoder(self, ty: Any) -> Callable[[bytes], Any]:
        """Return a decoder of messages of a type."""
        read = self._read(ty)

        def decode(data: bytes) -> Any:
            return _whole(read, Reader(data))

        return decode

    def asked(self, ty: Any) -> Callable[[bytes], Any]:
        """Return a decoder of service requests of a type."""
        read = self._read(ty)

        def decode(data: bytes) -> Any:
            try:
                return _value(read, Reader(data))
            except BrokenError as broken:
                what = f"the request doesn't match the service's type: {broken}"
            raise InvalidArgumentError(Status.INVALID_ARGUMENT, what, "rustbridge.InvalidRequest")

        return decode

    def taker(self, ty: Any) -> Callable[[bytes, Any, list[Object]], Any]:
        """Return a decoder of messages of a type that contains objects. The objects belong to the client."""
        read = self._read(ty)

        def decode(data: bytes, client: Any, objects: list[Object]) -> Any:
            reader = Reader(data, [(client, one) for one in objects])
            try:
                value = _whole(read, reader)
            except BaseException:
                for one in objects:
                    one.close()
                raise
            for left in reader.objects:
                if left is not None:
                    left[1].close()
            return value

        return decode

    def _read(self, ty: Any) -> Read:  # noqa: PLR0911
        if isinstance(ty, str):
            if ty in NUMBERS:
                return _read_number(NUMBERS[ty][0])
            if ty in FLOATS:
                return _read_number(FLOATS[ty])
            return _READS[ty]
        ((kind, of),) = ty.items()
        if kind == "list":
            return self._read_list(of)
        if kind == "array":
            return self._read_array(*of)
        if kind == "map":
            return self._read_map(*of)
        if kind in {"option", "present"}:
            return self._read_option(of)
        if kind == "tuple":
            return self._read_tuple(of)
        if kind == "ref":
            return self._read_ref(of)
        if kind == "object":
            return _read_object(of, _taken(of) if of in self._sizes.callbacks else self._sizes.objects[of]._received)
        raise TypeError(f"{kind} in a typed message, which this version of rustbridge doesn't know")

    def _read_list(self, item: Any) -> Read:
        read, aligned, (least, _) = self._read(item), self._sizes.is_aligned(item), self._sizes.size(item)
        form = format_of(item)

        def read_list(reader: Reader, depth: int) -> list[Any]:
            count = reader.count(least)
            if aligned:
                reader.align()
            if form is not None:
                return list(struct.unpack_from(f"<{count}{form}", reader.data, reader.take(count * least)))
            return [read(reader, depth) for _ in range(count)]

        return read_list

    def _read_array(self, item: Any, count: int) -> Read:
        read, (least, _) = self._read(item), self._sizes.size(item)

        def read_array(reader: Reader, depth: int) -> list[Any]:
            if count * least > reader.end - reader.at:
                reader.take(count * least)
            return [read(reader, depth) for _ in range(count)]

        return read_array

    def _read_map(self, key: Any, item: Any) -> Read:
        read_key, read_item = self._read(key), self._read(item)
        least = self._sizes.size(key)[0] + self._sizes.size(item)[0]

        def read_map(reader: Reader, depth: int) -> dict[Any, Any]:
            count = reader.count(least)
            at, pairs = reader.at, {}
            for _ in range(count):
                name = read_key(reader, depth)
                pairs[name] = read_item(reader, depth)
            if len(pairs) != count:
                raise BrokenError(f"byte {at}: duplicate key in a map")
            return pairs

        return read_map

    def _read_option(self, item: Any) -> Read:
        read = self._read(item)

        def read_option(reader: Reader, depth: int) -> Any:
            return read(reader, depth) if _read_bool(reader, depth) else None

        return read_option

    def _read_tuple(self, types: Sequence[Any]) -> Read:
        reads = [self._read(ty) for ty in types]

        def read_tuple(reader: Reader, depth: int) -> tuple[Any, ...]:
            return tuple([read(reader, depth) for read in reads])

        return read_tuple

    def _read_ref(self, number: int) -> Read:
        known = self._reads.get(number)
        if known is not None:
            return known

        def later(reader: Reader, depth: int) -> Any:
            return self._reads[number](reader, depth)

        self._reads[number] = later
        definition, of = self._sizes.definitions[number], self._sizes.classes[number]
        fields = definition.get("record", definition.get("pod"))
        if fields is not None:
            read = self._read_fields(of, fields)
        elif "newtype" in definition:
            read = self._read(definition["newtype"])
        elif "tuple" in definition:
            inner = self._read_tuple(definition["tuple"])
            read = inner if of is None else lambda reader, depth: of._make(inner(reader, depth))
        else:
            read = self._read_enum(definition, of)
        self._reads[number] = read if self._sizes.size({"ref": number})[1] else _deeper_read(read)
        return self._reads[number]

    def _read_fields(self, of: type, fields: Sequence[dict[str, Any]]) -> Read:
        new = object.__new__
        steps = [
            self._read_field(of, *run[0]) if len(run) == 1 else _read_run(of, run)
            for run in runs(attributes(of), fields)
        ]

        def read_fields(reader: Reader, depth: int) -> Any:
            value: Any = new(of)
            for step in steps:
                step(reader, value, depth)
            return value

        return read_fields

    def _read_field(self, of: type, name: str, field: dict[str, Any]) -> Callable[[Reader, Any, int], None]:
        put, read = getattr(of, name).__set__, self._read(field["type"])
        absent = default_of(of, name) if field.get("default") else None

        def read_field(reader: Reader, value: Any, depth: int) -> None:
            if absent is not None and not _read_bool(reader, depth):
                put(value, absent())
            else:
                put(value, read(reader, depth))

        return read_field

    def _read_enum(self, definition: dict[str, Any], of: Any) -> Read:
        variants = definition["enum"]["variants"]
        name, is_open = definition["name"], definition["enum"].get("open", False)

        def number(reader: Reader) -> int:
            at = reader.take(2)
            (found,) = U16.unpack_from(reader.data, at)
            if is_open and found == UNKNOWN_VARIANT:
                return -1
            if found >= len(variants):
                raise BrokenError(f"byte {at}: {name} has no variant {found}")
            return found  # type: ignore[no-any-return]

        if isinstance(of, type):
            members: list[Any] = list(cast("Any", of))
            return lambda reader, _: members[number(reader)]
        fields = [variant_fields(variant) for variant in variants] + [[]] * is_open
        reads = [self._read_fields(one, each) for one, each in zip(of, fields, strict=True)]
        return lambda reader, depth: reads[number(reader)](reader, depth)


def read_other(ty: str) -> Callable[[bytes], Any]:
    """Return a function that converts bytes to a value of a type without parts."""
    read = _READS[ty]
    return lambda data: read(Reader(data), 0)


def _whole(read: Read, reader: Reader) -> Any:
    try:
        return _value(read, reader)
    except BrokenError as broken:
        raise InternalError(
            Status.INTERNAL, f"the plugin's response doesn't match its type: {broken}", "rustbridge.InvalidResponse"
        ) from None


def _value(read: Read, reader: Reader) -> Any:
    value = read(reader, 0)
    if reader.at != reader.end:
        raise BrokenError(f"byte {reader.at}: {reader.end - reader.at} bytes are left after the value")
    return value


def _read_object(name: str, of: Any) -> Read:
    def read(reader: Reader, depth: int) -> Any:  # noqa: ARG001
        at = reader.take(4)
        (position,) = U32.unpack_from(reader.data, at)
        if position >= len(reader.objects):
            raise BrokenError(
                f"byte {at}: object {position} is missing: {len(reader.objects)} objects accompany the message, "
                "and positions count from 0"
            )
        if reader.objects[position] is None:
            raise BrokenError(f"byte {at}: object {position} occurs twice in the message, expected once")
        (client, one), reader.objects[position] = reader.objects[position], None
        one._type = name
        return of(client, one)

    return read


def _taken(name: str) -> Callable[[Any, Object], Any]:
    """Return a function that returns the implementation of a callback for an object of the plugin."""
    return lambda client, one: client._passing[name].take(one)


def _too_deep(reader: Reader) -> BrokenError:
    return BrokenError(f"byte {reader.at}: the value is nested deeper than {MAX_DEPTH} levels, the limit of a message")


def _deeper_read(read: Read) -> Read:
    def read_deeper(reader: Reader, depth: int) -> Any:
        if depth == MAX_DEPTH:
            raise _too_deep(reader)
        return read(reader, depth + 1)

    return read_deeper


def _read_run(of: type, run: Sequence[tuple[str, dict[str, Any]]]) -> Callable[[Reader, Any, int], None]:
    """Return a function that reads consecutive number fields in one step."""
    numbers = struct.Struct("<" + "".join(str(format_of(field["type"])) for _, field in run))
    size, unpack = numbers.size, numbers.unpack_from
    puts = [getattr(of, name).__set__ for name, _ in run]

    def read_run(reader: Reader, value: Any, depth: int) -> None:  # noqa: ARG001
        for put, one in zip(puts, unpack(reader.data, reader.take(size)), strict=True):
            put(value, one)

    return read_run


def _read_number(form: str) -> Read:
    number = struct.Struct(f"<{form}")
    size, unpack = number.size, number.unpack_from
    return lambda reader, _: unpack(reader.data, reader.take(size))[0]


def _read_wide(signed: bool) -> Read:
    def read(reader: Reader, depth: int) -> int:  # noqa: ARG001
        at = reader.take(16)
        return int.from_bytes(reader.data[at : at + 16], "little", signed=signed)

    return read


def _read_bool(reader: Reader, depth: int) -> bool:  # noqa: ARG001
    at = reader.take(1)
    found = reader.data[at]
    if found > 1:
        raise BrokenError(f"byte {at}: expected 0 or 1, found {found}")
    return found == 1


def _read_char(reader: Reader, depth: int) -> str:  # noqa: ARG001
    at = reader.take(4)
    (found,) = U32.unpack_from(reader.data, at)
    if found > 0x10FFFF or 0xD800 <= found <= 0xDFFF:
        raise BrokenError(f"byte {at}: {found} isn't a character")
    return chr(found)


def _read_bytes(reader: Reader, depth: int) -> bytes:  # noqa: ARG001
    count = reader.count(1)
    at = reader.take(count)
    return reader.data[at : at + count]


def _read_string(reader: Reader, depth: int) -> str:
    at = reader.at + 4
    try:
        return _read_bytes(reader, depth).decode()
    except UnicodeDecodeError as error:
        raise BrokenError(f"byte {at + error.start}: text isn't UTF-8") from None


_DECIMAL: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def _read_decimal(reader: Reader, depth: int) -> Decimal:
    at = reader.at
    text = _read_string(reader, depth)
    if len(text) > MAX_DECIMAL or not _DECIMAL.fullmatch(text):
        raise BrokenError(f"byte {at}: {text[:40]!r} isn't a decimal number")
    return Decimal(text)


def _read_nanos(reader: Reader, form: struct.Struct) -> tuple[int, int]:
    at = reader.take(12)
    seconds, nanos = form.unpack_from(reader.data, at)
    if nanos >= 10**9:
        raise BrokenError(f"byte {at + 8}: expected less than 1000000000 nanoseconds, found {nanos}")
    return seconds, nanos // 1000


def _read_timestamp(reader: Reader, depth: int) -> datetime:  # noqa: ARG001
    at = reader.at
    seconds, micros = _read_nanos(reader, TIME)
    try:
        return EPOCH + timedelta(seconds=seconds, microseconds=micros)
    except OverflowError:
        raise BrokenError(f"byte {at}: {seconds} seconds from 1970 are outside the years 1 to 9999") from None


def _read_duration(reader: Reader, depth: int) -> timedelta:  # noqa: ARG001
    at = reader.at
    seconds, micros = _read_nanos(reader, SPAN)
    try:
        return timedelta(seconds=seconds, microseconds=micros)
    except OverflowError:
        raise BrokenError(f"byte {at}: {seconds} seconds are outside the range of a timedelta") from None


def _read_uuid(reader: Reader, depth: int) -> UUID:  # noqa: ARG001
    at = reader.take(16)
    return UUID(bytes=reader.data[at : at + 16])


def _read_any(reader: Reader, depth: int) -> Any:
    at = reader.take(1)
    kind = reader.data[at]
    read = _READS_ANY.get(kind)
    if read is None:
        raise BrokenError(f"byte {at}: unknown kind of dynamic value: {kind}")
    value = read(reader, depth)
    if kind == 4 and value < 2**63:
        raise BrokenError(f"byte {at}: {value} fits an i64, but is encoded as a u64")
    return value


def _read_any_list(reader: Reader, depth: int) -> list[Any]:
    if depth == MAX_DEPTH:
        raise _too_deep(reader)
    return [_read_any(reader, depth + 1) for _ in range(reader.count(1))]


def _read_any_map(reader: Reader, depth: int) -> dict[str, Any]:
    if depth == MAX_DEPTH:
        raise _too_deep(reader)
    count = reader.count(5)
    at, pairs = reader.at, {}
    for _ in range(count):
        name = _read_string(reader, depth)
        pairs[name] = _read_any(reader, depth + 1)
    if len(pairs) != count:
        raise BrokenError(f"byte {at}: duplicate key in a map")
    return pairs


_READS: Final[dict[str, Read]] = {
    "unit": lambda _reader, _depth: None,
    "bool": _read_bool,
    "char": _read_char,
    "u128": _read_wide(False),
    "i128": _read_wide(True),
    "string": _read_string,
    "bytes": _read_bytes,
    "decimal": _read_decimal,
    "timestamp": _read_timestamp,
    "duration": _read_duration,
    "uuid": _read_uuid,
    "any": _read_any,
}

_READS_ANY: Final[dict[int, Read]] = {
    0: lambda _reader, _depth: None,
    1: lambda _reader, _depth: False,
    2: lambda _reader, _depth: True,
    3: _read_number("q"),
    4: _read_number("Q"),
    5: _read_number("d"),
    6: _read_string,
    7: _read_bytes,
    8: _read_any_list,
    9: _read_any_map,
}
