"""MessagePack, bincode, postcard and the wire form: one typed message, its bytes worked out from each format's specification."""

from .. import wire
from ..build import answer, call, case, concat, failure, raw, repeat
from .types import SCALARS as SCALAR_VALUES

NAME = "encodings"

FORMATS = ("msgpack", "bincode", "postcard", "wire")

POINT = ("struct", {"x": "i32", "y": "i32"})
SCALARS = ("struct", {"flag": "bool", "a": "i8", "b": "i16", "c": "i32", "d": "i64", "e": "u8", "f": "u16", "g": "u32", "h": "u64",
                      "x": "f32", "y": "f64", "letter": "char", "text": "str"})
OPTIONS = ("struct", {"required": "i32", "number": ("opt", "i32"), "text": ("opt", "str"), "point": ("opt", POINT)})
COLLECTIONS = ("struct", {"list": ("list", "i32"), "rows": ("list", ("list", "i32")), "map": ("map", "str", "i64"),
                          "pair": ("tuple", "i32", "str"), "array": ("tuple", "u8", "u8", "u8", "u8")})
NESTED = ("struct", {"id": "u32", "middle": ("struct", {"name": "str", "inner": ("struct", {"points": ("list", POINT)})})})
COLOR = ("enum", {"red": None, "green": None, "dark-blue": None})
SHAPE = ("enum", {"Empty": None, "Circle": "i32", "Rectangle": ("tuple", "i32", "str"),
                  "Polygon": ("struct", {"sides": "u32", "name": "str"})})
ENUMS = ("struct", {"color": COLOR, "shape": SHAPE})
PAIR = ("struct", {"a": "i64", "b": "i64"})
SUMS = ("struct", {"sum": "i64", "difference": "i64"})

SAMPLES = {
    "scalars_low": ("types.scalars", SCALARS, SCALAR_VALUES),
    "scalars_zero": ("types.scalars", SCALARS, {**{key: 0 for key in "abcdefgh"}, "flag": False, "x": 0.0, "y": 0.0, "letter": "a", "text": ""}),
    "scalars_high": ("types.scalars", SCALARS, {**SCALAR_VALUES, "a": 127, "b": 32767, "c": 2**31 - 1, "d": 2**63 - 1, "letter": "é",
                                                "text": "x" * 300}),
    "scalars_steps": ("types.scalars", SCALARS, {**SCALAR_VALUES, "a": -33, "b": -129, "c": -32769, "d": -2147483649, "e": 128, "f": 250,
                                                 "g": 251, "h": 65536}),
    "options_given": ("types.options", OPTIONS, {"required": 1, "number": 5, "text": "t", "point": {"x": 1, "y": -1}}),
    "options_none": ("types.options", OPTIONS, {"required": 1, "number": None, "text": None, "point": None}),
    "collections": ("types.collections", COLLECTIONS, {"list": [1, -2, 300, -70000], "rows": [[1, 2], [], [3]], "map": {"a": 1, "z": -1},
                                                       "pair": (7, "seven"), "array": (0, 1, 254, 255)}),
    "collections_empty": ("types.collections", COLLECTIONS, {"list": [], "rows": [], "map": {}, "pair": (0, ""), "array": (0, 0, 0, 0)}),
    "collections_long": ("types.collections", COLLECTIONS, {"list": list(range(1000)), "rows": [[i] for i in range(20)],
                                                            "map": {f"k{i:02}": i for i in range(20)}, "pair": (1, "ü🦀"), "array": (1, 2, 3, 4)}),
    "nested": ("types.nested", NESTED, {"id": 1, "middle": {"name": "m", "inner": {"points": [{"x": 1, "y": 2}, {"x": -3, "y": 4}]}}}),
    "enum_unit": ("types.enums", ENUMS, {"color": "red", "shape": "Empty"}),
    "enum_newtype": ("types.enums", ENUMS, {"color": "green", "shape": ("Circle", 5)}),
    "enum_tuple": ("types.enums", ENUMS, {"color": "dark-blue", "shape": ("Rectangle", (3, "wide"))}),
    "enum_struct": ("types.enums", ENUMS, {"color": "green", "shape": ("Polygon", {"sides": 6, "name": "hex"})}),
}

# Bytes no message of the type begins with, and messages cut off.
BROKEN = {
    "msgpack": {"never_used_byte": b"\xc1", "list_for_text": bytes.fromhex("81a4746578740192"), "huge_map": b"\xdf\xff\xff\xff\xff",
                "huge_text": b"\x81\xdb\xff\xff\xff\xff"},
    "bincode": {"reserved_length": b"\x01\x00\xff", "bool_of_2": b"\x02"},
    "postcard": {"endless_varint": b"\x01\x80" + b"\xff" * 12, "bool_of_2": b"\x02"},
    "wire": {"bool_of_2": wire.encode("wire", SCALARS, SCALAR_VALUES).replace(b"\x01", b"\x02", 1), "only_a_bool": b"\x01"},
}


def typed(name, method, encoding, request, expect, **more):
    return case(f"{encoding}.{name}", encoding, call(method, request, expect, encoding=encoding), **more)


def cases():
    for encoding in FORMATS:
        for name, (method, kind, value) in SAMPLES.items():
            data = wire.encode(encoding, kind, value)
            yield typed(name, method, encoding, data, answer(data))
        yield typed("mixed", "pod.mixed", encoding, wire.encode(encoding, PAIR, {"a": 5, "b": 7}),
                    answer(wire.encode(encoding, SUMS, {"sum": 12, "difference": -2})))
        yield typed("mixed_overflow", "pod.mixed", encoding, wire.encode(encoding, PAIR, {"a": 2**63 - 1, "b": 1}), failure("OUT_OF_RANGE"))

        refused = failure("INVALID_ARGUMENT", type="rustbridge.InvalidRequest")
        whole = wire.encode(encoding, SCALARS, SCALAR_VALUES)
        yield typed("nothing", "types.scalars", encoding, None, refused)
        yield typed("cut_by_one", "types.scalars", encoding, whole[:-1], refused)
        yield typed("cut_in_half", "types.scalars", encoding, whole[: len(whole) // 2], refused)
        yield typed("one_byte_too_many", "types.scalars", encoding, whole + b"\0", refused, notes="What follows the message is refused, as in JSON.")
        broken_text = wire.encode(encoding, SCALARS, {**SCALAR_VALUES, "text": "ab"})
        yield typed("text_not_utf8", "types.scalars", encoding, broken_text[:-2] + b"\xc3\x28", refused)
        for name, data in BROKEN[encoding].items():
            yield typed(name, "types.scalars", encoding, data, refused)
        yield typed("megabyte_of_ff", "types.collections", encoding, repeat(raw(b"\xff"), 1_000_000), refused)

    for encoding in ("bincode", "postcard"):
        count = wire.ENCODERS[encoding].varint(2**62)
        yield typed("length_of_two_to_the_62", "types.collections", encoding, count, failure("INVALID_ARGUMENT"),
                    notes="A length is believed only as far as there are bytes: no allocation of that size.")
        counts = ("struct", {"list": "u64", "set": "u64"})
        yield typed("weightless", "types.weightless", encoding, b"\x07\x01", answer(wire.encode(encoding, counts, {"list": 7, "set": 1})),
                    notes="A unit takes no bytes, so a list of them is its length.")
        for name, claimed in {"16_bits": 2**16 - 1, "62_bits": 2**62, "64_bits": 2**64 - 1}.items():
            length = wire.ENCODERS[encoding].varint(claimed)
            yield typed(f"weightless_list_of_{name}", "types.weightless", encoding, length + b"\0", failure("INVALID_ARGUMENT"),
                        notes="No bytes bound the elements, so a number does: the call ends.")
            yield typed(f"weightless_set_of_{name}", "types.weightless", encoding, b"\0" + length, failure("INVALID_ARGUMENT"))
    for name, claimed in {"list": b"\xff" * 4, "rows": b"\0" * 8 + b"\xff" * 4, "map": b"\0" * 12 + b"\xff" * 4}.items():
        yield typed(f"endless_{name}", "types.collections", "wire", claimed, failure("INVALID_ARGUMENT"),
                    notes="A count is compared with what's left before anything is made of it.")
    yield typed("padding_not_zero", "types.collections", "wire", b"\0\0\0\0\0\0\0\x01" + b"\0" * 20, failure("INVALID_ARGUMENT"))
    yield typed("key_twice", "types.collections", "wire", concat(raw(b"\0" * 12), raw((b"\x01\0\0\0a" + b"\0" * 8) * 2)), failure("INVALID_ARGUMENT"))
    yield typed("char_is_a_surrogate", "types.scalars", "wire",
                wire.encode("wire", SCALARS, {**SCALAR_VALUES, "letter": "a"}).replace(b"a\0\0\0", b"\0\xd8\0\0"), failure("INVALID_ARGUMENT"))
    for encoding in ("bincode", "postcard", "wire"):
        yield typed("enum_index_unknown", "types.enums", encoding, b"\x63\x00", failure("INVALID_ARGUMENT"))
    yield typed("enum_variant_unknown", "types.enums", "msgpack",
                wire.encode("msgpack", ("struct", {"color": "str", "shape": "str"}), {"color": "pink", "shape": "Empty"}), failure("INVALID_ARGUMENT"))
    yield typed("fields_in_any_order", "types.options", "msgpack",
                wire.encode("msgpack", ("struct", {"text": "str", "required": "i32"}), {"text": "t", "required": 9}),
                answer(wire.encode("msgpack", OPTIONS, {"required": 9, "number": None, "text": "t", "point": None})))
    yield typed("field_missing", "types.options", "msgpack", wire.encode("msgpack", ("struct", {"number": "i32"}), {"number": 9}),
                failure("INVALID_ARGUMENT", message_contains=["required"]))
    yield typed("integer_in_a_wider_form", "types.options", "msgpack", bytes.fromhex("81a87265717569726564d3") + (7).to_bytes(8, "big"),
                answer(wire.encode("msgpack", OPTIONS, {"required": 7, "number": None, "text": None, "point": None})))
    yield typed("integer_too_large", "types.options", "msgpack", bytes.fromhex("81a87265717569726564d3") + (2**40).to_bytes(8, "big"),
                failure("INVALID_ARGUMENT"))
    yield typed("deep_lists", "types.collections", "msgpack",
                concat(raw(bytes.fromhex("81a7756e6b6e6f776e")), repeat(raw(b"\x91"), 100_000), raw(b"\x90")), failure("INVALID_ARGUMENT"),
                notes="Skipping an unknown field must not eat the stack.")
    for encoding in FORMATS:
        tree = {"msgpack": (bytes.fromhex("82a576616c756501a86368696c6472656e91"), bytes.fromhex("82a576616c756501a86368696c6472656e90")),
                "bincode": (b"\x02\x01", b"\x02\x00"), "postcard": (b"\x02\x01", b"\x02\x00"),
                "wire": (b"\x01\0\0\0\x01\0\0\0", b"\x01\0\0\0\0\0\0\0")}[encoding]
        wide = ("struct", {"nodes": "u32", "depth": "u32", "sum": "i64"})
        yield typed("tree", "types.tree", encoding, tree[0] * 20 + tree[1],
                    answer(wire.encode(encoding, wide, {"nodes": 21, "depth": 21, "sum": 21})))
        yield typed("tree_100_000_deep", "types.tree", encoding, concat(repeat(raw(tree[0]), 100_000), raw(tree[1])), failure("INVALID_ARGUMENT"),
                    notes="A recursive type read from a few hidden bytes a level must not eat the stack of the host.")
