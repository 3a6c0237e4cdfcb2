"""Encoders written from the specifications, directed by a description of the type.

A type is a name (`"i32"`, `"str"`) or a tuple: `("opt", T)`, `("list", T)`, `("map", K, V)`, `("tuple", T..)`,
`("struct", {field: T})`, `("enum", {variant: None | T})`. An enum's value is `"Variant"` or `("Variant", value)`.
In the wire form also `("pod", {field: T})`, `("array", T, n)`, `("default", T)` and `("later", a function that gives T)`.

* MessagePack: https://github.com/msgpack/msgpack/blob/master/spec.md; smallest form of each integer, structs as maps
  of names, enums by serde's externally tagged form.
* bincode 2, standard configuration: the document "spec" in its API documentation: little-endian, variable
  integers, zigzag.
* postcard 1: https://postcard.jamesmunns.com/wire-format.html.
* wire: docs/wire.md.
"""

import struct

SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}


def zigzag(value, bits):
    return ((value << 1) ^ (value >> (bits - 1))) & ((1 << bits) - 1)


class Msgpack:
    def integer(self, value, kind):
        for top, head, form in ((0x7F, None, ">B"), (0xFF, 0xCC, ">B"), (0xFFFF, 0xCD, ">H"), (0xFFFFFFFF, 0xCE, ">I"),
                                (0xFFFFFFFFFFFFFFFF, 0xCF, ">Q")):
            if 0 <= value <= top:
                return (b"" if head is None else bytes([head])) + struct.pack(form, value)
        for bottom, head, form in ((-0x20, None, ">b"), (-0x80, 0xD0, ">b"), (-0x8000, 0xD1, ">h"),
                                   (-0x80000000, 0xD2, ">i"), (-0x8000000000000000, 0xD3, ">q")):
            if bottom <= value:
                return (b"" if head is None else bytes([head])) + struct.pack(form, value)
        raise ValueError(value)

    def f32(self, value):
        return b"\xca" + struct.pack(">f", value)

    def f64(self, value):
        return b"\xcb" + struct.pack(">d", value)

    def bool(self, value):
        return b"\xc3" if value else b"\xc2"

    def head(self, count, fix, fix_limit, forms):
        if count < fix_limit:
            return bytes([fix | count])
        for head, form, limit in forms:
            if count < limit:
                return bytes([head]) + struct.pack(form, count)
        raise ValueError(count)

    def str(self, value):
        data = value.encode()
        return self.head(len(data), 0xA0, 32, ((0xD9, ">B", 1 << 8), (0xDA, ">H", 1 << 16), (0xDB, ">I", 1 << 32))) + data

    def char(self, value):
        return self.str(value)

    def unit(self):
        return b"\xc0"

    def none(self):
        return b"\xc0"

    def some(self, inner):
        return inner

    def list(self, items):
        return self.head(len(items), 0x90, 16, ((0xDC, ">H", 1 << 16), (0xDD, ">I", 1 << 32))) + b"".join(items)

    tuple = list

    def map(self, pairs):
        return self.head(len(pairs), 0x80, 16, ((0xDE, ">H", 1 << 16), (0xDF, ">I", 1 << 32))) + b"".join(k + v for k, v in pairs)

    def struct(self, pairs):
        return self.map([(self.str(name), value) for name, value in pairs])

    def variant(self, name, index, inner):
        return self.str(name) if inner is None else self.map([(self.str(name), inner)])


class Compact:
    """What bincode and postcard share: no names, no types, lengths before what has no fixed one."""

    def integer(self, value, kind):
        bits = SIGNED.get(kind) or UNSIGNED[kind]
        if bits == 8:
            return struct.pack("<b" if kind in SIGNED else "<B", value)
        return self.varint(zigzag(value, bits) if kind in SIGNED else value)

    def f32(self, value):
        return struct.pack("<f", value)

    def f64(self, value):
        return struct.pack("<d", value)

    def bool(self, value):
        return b"\x01" if value else b"\x00"

    def str(self, value):
        data = value.encode()
        return self.varint(len(data)) + data

    def unit(self):
        return b""

    def none(self):
        return b"\x00"

    def some(self, inner):
        return b"\x01" + inner

    def list(self, items):
        return self.varint(len(items)) + b"".join(items)

    def tuple(self, items):
        return b"".join(items)

    def map(self, pairs):
        return self.varint(len(pairs)) + b"".join(k + v for k, v in pairs)

    def struct(self, pairs):
        return b"".join(value for _, value in pairs)

    def variant(self, name, index, inner):
        return self.varint(index) + (inner or b"")


class Bincode(Compact):
    def varint(self, value):
        for limit, head, form in ((251, b"", "<B"), (1 << 16, b"\xfb", "<H"), (1 << 32, b"\xfc", "<I"), (1 << 64, b"\xfd", "<Q")):
            if value < limit:
                return head + struct.pack(form, value)
        raise ValueError(value)

    def char(self, value):
        return value.encode()


class Postcard(Compact):
    def varint(self, value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
        return bytes(out)

    def char(self, value):
        return self.str(value)


class Wire:
    """Needs to know where in the message it is, since lists of numbers begin at a multiple of 8."""

    FORMS = {"i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q", "f32": "<f", "f64": "<d"}

    def put(self, kind, value, out):
        if isinstance(kind, str):
            self.put_plain(kind, value, out)
            return
        shape, *rest = kind
        if shape == "opt":
            out += b"\x00" if value is None else b"\x01"
            if value is not None:
                self.put(rest[0], value, out)
        elif shape == "list":
            out += struct.pack("<I", len(value))
            if self.is_aligned(rest[0]):
                out += bytes(-len(out) % 8)
            for item in value:
                self.put(rest[0], item, out)
        elif shape == "array":
            assert len(value) == rest[1], (rest, value)
            for item in value:
                self.put(rest[0], item, out)
        elif shape == "tuple":
            for part, item in zip(rest, value, strict=True):
                self.put(part, item, out)
        elif shape == "map":
            # JSON has its keys as texts.
            out += struct.pack("<I", len(value))
            for key, item in value.items():
                self.put(rest[0], self.key(rest[0], key), out)
                self.put(rest[1], item, out)
        elif shape in ("struct", "pod"):
            assert rest[0].keys() == value.keys(), (rest[0].keys(), value.keys())
            for name, part in rest[0].items():
                self.put(part, value[name], out)
        elif shape == "default":
            out += b"\x00" if value is ABSENT else b"\x01"
            if value is not ABSENT:
                self.put(rest[0], value, out)
        elif shape == "enum":
            name, inner = value if isinstance(value, tuple) else (value, None)
            out += struct.pack("<H", list(rest[0]).index(name))
            if rest[0][name] is not None:
                self.put(rest[0][name], inner, out)
        elif shape == "later":
            # A type that has itself inside.
            self.put(rest[0](), value, out)
        else:
            raise ValueError(kind)

    def is_aligned(self, kind):
        """Whether a list of these begins at a multiple of 8."""
        if isinstance(kind, str):
            return kind in ("u128", "i128") or kind in self.FORMS and kind not in ("i8", "u8")
        return kind[0] == "pod" or kind[0] == "array" and self.is_aligned(kind[1])

    @staticmethod
    def key(kind, text):
        return int(text) if isinstance(kind, str) and kind[0] in "iu" and isinstance(text, str) else text

    def put_plain(self, kind, value, out):
        if kind in self.FORMS:
            out += struct.pack(self.FORMS[kind], value)
        elif kind in ("u128", "i128"):
            out += value.to_bytes(16, "little", signed=kind == "i128")
        elif kind == "bytes":
            out += struct.pack("<I", len(value)) + bytes(value)
        elif kind == "timestamp":
            out += struct.pack("<qI", value["secs_since_epoch"], value["nanos_since_epoch"])
        elif kind == "duration":
            out += struct.pack("<QI", value["secs"], value["nanos"])
        elif kind == "any":
            self.put_any(value, out)
        elif kind == "bool":
            out += b"\x01" if value else b"\x00"
        elif kind == "char":
            out += struct.pack("<I", ord(value))
        elif kind == "str":
            data = value.encode()
            out += struct.pack("<I", len(data)) + data
        elif kind != "unit":
            raise ValueError(kind)

    def put_any(self, value, out):
        if value is None or isinstance(value, bool):
            out += bytes([0 if value is None else 1 + value])
        elif isinstance(value, int):
            out += struct.pack("<Bq", 3, value) if value < 2**63 else struct.pack("<BQ", 4, value)
        elif isinstance(value, float):
            out += struct.pack("<Bd", 5, value)
        elif isinstance(value, str):
            out += b"\x06"
            self.put_plain("str", value, out)
        elif isinstance(value, list):
            out += b"\x08"
            self.put(("list", "any"), value, out)
        elif isinstance(value, dict):
            out += b"\x09"
            self.put(("map", "str", "any"), value, out)
        else:
            raise ValueError(value)


#: The value of a field that is left to its default.
ABSENT = object()

ENCODERS = {"msgpack": Msgpack(), "bincode": Bincode(), "postcard": Postcard()}


def encode(encoding, kind, value):
    """The bytes of `value` as a `kind`."""
    if encoding == "wire":
        out = bytearray()
        Wire().put(kind, value, out)
        return bytes(out)
    to = ENCODERS[encoding]
    if isinstance(kind, str):
        if kind in SIGNED or kind in UNSIGNED:
            return to.integer(value, kind)
        return to.unit() if kind == "unit" else getattr(to, kind)(value)
    shape, *rest = kind
    if shape == "opt":
        return to.none() if value is None else to.some(encode(encoding, rest[0], value))
    if shape == "list":
        return to.list([encode(encoding, rest[0], item) for item in value])
    if shape == "tuple":
        return to.tuple([encode(encoding, part, item) for part, item in zip(rest, value, strict=True)])
    if shape == "map":
        return to.map([(encode(encoding, rest[0], k), encode(encoding, rest[1], v)) for k, v in value.items()])
    if shape == "struct":
        assert rest[0].keys() == value.keys(), (rest[0].keys(), value.keys())
        return to.struct([(name, encode(encoding, part, value[name])) for name, part in rest[0].items()])
    if shape == "enum":
        name, inner = value if isinstance(value, tuple) else (value, None)
        index = list(rest[0]).index(name)
        part = rest[0][name]
        return to.variant(name, index, None if part is None else encode(encoding, part, inner))
    raise ValueError(kind)
