"""The wire form of values of types-plugin's types, each beside the JSON of the same value, and bytes that every reader refuses.

The types stand here once more, by docs/wire.md and plugins/types-plugin/src/messages.rs.
"""

import json as text

from generator.wire import ABSENT, encode

DOC = (
    "Bytes of the wire form, worked out from docs/wire.md. `method` is types-plugin's that has the type and gives back what it's sent. With `json`: "
    "a reader reads the bytes, a writer writes the value into the same bytes, and both forms hold the same; with `filled` a plugin doesn't write "
    "the same bytes, since it fills in what is absent. With `refused`: a reader refuses the bytes, because of what is said; a plugin says that it's "
    "at the field `path`, if it's given. JSON is here as text, since it has numbers that many readers cut. Times are of whole microseconds, which "
    "every language holds."
)

PERSON = ("struct", {"name": "str", "age": "u32", "email": ("opt", "str")})
POINT = ("pod", {"x": "f64", "y": "f64"})
SAMPLE = ("pod", {"time": "u64", "value": "f32", "channel": "u16", "flags": ("array", "u8", 2)})
COLOR = ("enum", {"red": None, "green": None, "dark_blue": None})
SHAPE = ("enum", {"Nothing": None, "Circle": ("struct", {"radius": "f64"}), "Polygon": ("list", POINT)})
TREE = ("struct", {"name": "str", "children": ("list", ("later", lambda: TREE))})
INNER = ("later", lambda: EXPR)
EXPR = (
    "enum",
    {
        "Number": "f64",
        "Negated": INNER,
        "Sum": ("tuple", INNER, INNER),
        "Call": ("struct", {"name": "str", "arguments": ("list", INNER)}),
    },
)
TAGGED = (
    "enum",
    {
        "started": ("struct", {"atSecond": "u64"}),
        "moved": ("struct", {"toPlace": POINT, "howFast": ("opt", "f32")}),
        "stopped": None,
    },
)
WIDTHS = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "f32", "f64", "bool", "char"]
TYPES = {
    "numbers": ("struct", {**{width: width for width in WIDTHS}, "size": "u64", "unit": "unit"}),
    "texts": ("struct", {"text": "str", "boxed": "str", "maybe_bytes": ("opt", "bytes"), "bytes": "bytes", "maybe": ("opt", "str")}),
    "times": ("struct", {"at": "timestamp", "lasts": "duration", "ends": ("opt", "timestamp")}),
    "lists": (
        "struct",
        {
            "bytes": "bytes",
            "small": ("list", "i8"),
            "numbers": ("list", "u32"),
            "doubles": ("list", "f64"),
            "large": ("list", "i128"),
            "bools": ("list", "bool"),
            "texts": ("list", "str"),
            "nested": ("list", ("list", "u16")),
            "fixed": ("array", "u32", 3),
            "matrix": ("array", ("array", "f64", 2), 2),
            "names": ("array", "str", 2),
            "set": ("list", "u32"),
            "people": ("list", PERSON),
            "points": ("list", POINT),
            "sizes": ("list", "u64"),
            "boxes": ("list", "f32"),
            "chars": ("list", "char"),
            "options": ("list", ("opt", "u8")),
            "tuples": ("list", ("tuple", "u8", "u32")),
        },
    ),
    "pairs": (
        "struct",
        {
            "by_name": ("map", "str", "u32"),
            "by_number": ("map", "i64", "str"),
            "by_char": ("map", "char", "bytes"),
            "by_color": ("map", COLOR, PERSON),
            "hashed": ("map", "u16", ("opt", "f32")),
            "nested": ("map", "str", ("map", "u8", "bool")),
        },
    ),
    "person": PERSON,
    "people": ("struct", {"items": ("list", PERSON), "total": "u64"}),
    "shape": SHAPE,
    "color": COLOR,
    "tagged": TAGGED,
    "untagged": ("enum", {"Number": "i64", "Text": "str", "Both": ("tuple", "i64", "str")}),
    "expr": EXPR,
    "tree": TREE,
    "samples": ("struct", {"name": "str", "first": SAMPLE, "all": ("list", SAMPLE), "pair": ("array", POINT, 2)}),
    "point": POINT,
    "celsius": "f64",
    "bounded": ("struct", {"share": "u8", "all": "bytes"}),
    "unit": "unit",
    "defaults": (
        "struct",
        {
            "count": ("default", "u32"),
            "name": ("default", "str"),
            "list": ("default", "bytes"),
            "maybe": ("default", ("opt", "u64")),
        },
    ),
    "renamed": ("struct", {"firstName": "str", "type": COLOR, "class": "u8", "person": PERSON}),
    "any": "any",
    "doubles": ("list", "f64"),
    "map": ("map", "str", PERSON),
    "maybe": ("opt", PERSON),
    "tuple": ("tuple", "u8", "str", ("opt", "bool")),
    "duration": "duration",
    "timestamp": "timestamp",
}

NOBODY = {"name": "", "age": 0, "email": None}
ADA = {"name": "Ada", "age": 36, "email": "ada@example.org"}
KURT = {"name": "Kürt 🦀", "age": 4294967295, "email": None}


def good(name, method, value, json=None):
    """The bytes of a value. JSON has it as it's given here, or as said."""
    return {
        "name": name,
        "method": method,
        "wire": encode("wire", TYPES[method], value).hex(),
        "json": text.dumps(value if json is None else json, ensure_ascii=False, separators=(",", ":")),
    }


def bad(name, method, wire, refused, path=None):
    """Bytes that nobody reads."""
    vector = {"name": name, "method": method, "wire": bytes(wire).hex(), "refused": refused}
    return vector if path is None else {**vector, "path": path}


def values():
    """What every reader reads."""
    least = {width: 0 for width in WIDTHS} | {"bool": False, "char": "\0", "size": 0, "unit": None}
    yield good("numbers, zero", "numbers", least)
    most = {
        "u8": 2**8 - 1,
        "u16": 2**16 - 1,
        "u32": 2**32 - 1,
        "u64": 2**64 - 1,
        "u128": 2**128 - 1,
        "i8": -(2**7),
        "i16": -(2**15),
        "i32": -(2**31),
        "i64": -(2**63),
        "i128": -(2**127),
        "f32": -0.15625,
        "f64": 1.7976931348623157e308,
        "bool": True,
        "char": "\U0010ffff",
        "size": 2**64 - 1,
        "unit": None,
    }
    yield good("numbers, at their ends", "numbers", most)
    yield good("texts, empty", "texts", {"text": "", "boxed": "", "maybe_bytes": None, "bytes": [], "maybe": None})
    yield good(
        "texts, of all lengths of UTF-8",
        "texts",
        {"text": "aß€🦀", "boxed": "\0", "maybe_bytes": [], "bytes": [0, 127, 128, 255], "maybe": ""},
    )
    yield good(
        "times",
        "times",
        {
            "at": {"secs_since_epoch": 1_700_000_000, "nanos_since_epoch": 1000},
            "lasts": {"secs": 10**11, "nanos": 999_999_000},
            "ends": {"secs_since_epoch": 0, "nanos_since_epoch": 0},
        },
    )
    empty = {
        **{name: [] for name in TYPES["lists"][1]},
        "fixed": [0, 0, 0],
        "matrix": [[0.0, 0.0], [0.0, 0.0]],
        "names": ["", ""],
    }
    yield good("lists, empty: their padding is there all the same", "lists", empty)
    full = {
        "bytes": [1, 2, 3],
        "small": [-1, 0, 1],
        "numbers": [1, 2, 3],
        "doubles": [0.5],
        "large": [-1, 2**100],
        "bools": [True, False, True],
        "texts": ["a", "", "bc"],
        "nested": [[1], [], [2, 3]],
        "fixed": [7, 8, 9],
        "matrix": [[1.0, 2.0], [3.0, 4.0]],
        "names": ["x", "yz"],
        "set": [3, 5],
        "people": [ADA, KURT],
        "points": [{"x": 1.0, "y": -1.0}],
        "sizes": [1, 2**40],
        "boxes": [0.25],
        "chars": ["a", "🦀"],
        "options": [None, 0, 255],
        "tuples": [[1, 2], [3, 4]],
    }
    yield good("lists, some of each", "lists", full)
    yield good("pairs, empty", "pairs", {name: {} for name in TYPES["pairs"][1]})
    one = {
        "by_name": {"a": 1},
        "by_number": {"-5": "five"},
        "by_char": {"🦀": [1]},
        "by_color": {"dark_blue": ADA},
        "hashed": {"65535": None},
        "nested": {"": {"255": True}},
    }
    yield good("pairs, one of each", "pairs", one)
    yield good("a person", "person", ADA)
    yield good("a person without anything", "person", NOBODY)
    yield good("people", "people", {"items": [ADA, NOBODY, KURT], "total": 3})
    yield good("a variant without data", "shape", "Nothing")
    yield good("a variant with fields", "shape", ("Circle", {"radius": 1.5}), {"Circle": {"radius": 1.5}})
    corners = [{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 0.0}]
    yield good("a variant with a list, whose items are aligned", "shape", ("Polygon", corners), {"Polygon": corners})
    yield good("the last colour", "color", "dark_blue")
    yield good("a tag inside", "tagged", ("started", {"atSecond": 9}), {"kind": "started", "atSecond": 9})
    moved = {"toPlace": {"x": 2.0, "y": 3.0}, "howFast": 0.5}
    yield good("a tag inside, of more", "tagged", ("moved", moved), {"kind": "moved", **moved})
    yield good("a tag alone", "tagged", "stopped", {"kind": "stopped"})
    yield good("no tag in JSON", "untagged", ("Text", "t"), "t")
    yield good("no tag in JSON, two values", "untagged", ("Both", [-1, "b"]), [-1, "b"])
    call = ("Call", {"name": "f", "arguments": [("Number", 1.0), ("Negated", ("Sum", [("Number", 2.0), ("Number", 3.0)]))]})
    yield good(
        "an expression",
        "expr",
        call,
        {"Call": {"name": "f", "arguments": [{"Number": 1.0}, {"Negated": {"Sum": [{"Number": 2.0}, {"Number": 3.0}]}}]}},
    )
    leaf = {"name": "leaf", "children": []}
    yield good("a tree", "tree", {"name": "root", "children": [leaf, {"name": "", "children": [leaf]}]})
    sample = {"time": 2**63, "value": 1.5, "channel": 65535, "flags": [1, 2]}
    pair = [{"x": 0.0, "y": 1.0}, {"x": 2.0, "y": 3.0}]
    yield good("pods", "samples", {"name": "n", "first": sample, "all": [sample, sample], "pair": pair})
    yield good("a pod alone", "point", {"x": -0.0, "y": 5e-324})
    yield good("a new type", "celsius", -273.15)
    yield good("what is checked", "bounded", {"share": 100, "all": [0, 100]})
    yield good("nothing", "unit", None)
    set_all = {"count": 1, "name": "n", "list": [], "maybe": None}
    yield good("defaults, all of them set", "defaults", set_all)
    absent = {name: ABSENT for name in set_all}
    yield {
        **good("defaults, all of them absent", "defaults", absent, {"count": 7, "name": "nobody", "list": [1, 2, 3], "maybe": 9}),
        "filled": True,
    }
    renamed = {"firstName": "Ada", "type": "green", "class": 3, "person": ADA}
    inside = {name: value for name, value in renamed.items() if name != "person"}
    yield good("names that are JSON's", "renamed", renamed, {**inside, **ADA})
    yield good("a dynamic value", "any", {"a": [None, True, False, -1, 2**64 - 1, 0.5, "t", [], {}]})
    yield good("a list of numbers alone", "doubles", [1.0, -2.5])
    yield good("a map alone", "map", {"one": ADA})
    yield good("an option that is there", "maybe", ADA)
    yield good("an option that isn't", "maybe", None)
    yield good("a tuple", "tuple", [255, "t", False])
    yield good("a span", "duration", {"secs": 1, "nanos": 0})
    yield good("a point in time", "timestamp", {"secs_since_epoch": 253_402_300_799, "nanos_since_epoch": 999_999_000})


def faults():
    """What no reader reads."""
    ada = encode("wire", PERSON, ADA)
    yield bad("nothing at all", "person", b"", "fewer bytes than the value takes", "name")
    yield bad("cut off", "person", ada[:-1], "fewer bytes than the value takes", "email")
    yield bad("left over", "person", ada + b"\0", "bytes left over")
    yield bad("a count of more than there is", "person", b"\xff\xff\xff\xff" + ada[4:], "a count above the bytes that are left", "name")
    yield bad("a list's count of more than there is", "people", b"\xff\xff\xff\x7f" + bytes(8), "a count above the bytes that are left", "items")
    yield bad("an option that is neither", "maybe", b"\x02" + ada, "an option that is neither 0 nor 1")
    yield bad("a bool that is neither", "tuple", b"\x01\x00\x00\x00\x00\x01\x02", "a bool that is neither 0 nor 1")
    yield bad("a presence that is neither", "defaults", b"\x02" + bytes(8), "a presence that is neither 0 nor 1", "count")
    yield bad("a variant that there isn't", "color", b"\x03\x00", "a variant that there isn't")
    yield bad("a surrogate as a char", "lists", lists_with_char(0xD800), "a char that there isn't", "chars[0]")
    yield bad("a char beyond the last", "lists", lists_with_char(0x110000), "a char that there isn't", "chars[0]")
    yield bad("text that isn't UTF-8", "person", b"\x02\x00\x00\x00\xc3\x28" + ada[7:], "text that isn't UTF-8", "name")
    yield bad("a surrogate as text", "person", b"\x03\x00\x00\x00\xed\xa0\x80" + ada[7:], "text that isn't UTF-8", "name")
    yield bad("padding that isn't zero", "doubles", b"\x01\x00\x00\x00\x00\x00\x00\x01" + bytes(8), "padding that isn't zero")
    yield bad("a key twice", "map", twice(), "a key twice")
    yield bad("nanoseconds of a whole second", "duration", bytes(8) + (10**9).to_bytes(4, "little"), "nanoseconds of 10⁹ or more")
    yield bad("a kind of dynamic value that there isn't", "any", b"\x0a", "a kind of dynamic value that there isn't")
    yield bad("a small integer in the form of a large", "any", b"\x04" + bytes(8), "an integer in the wrong form")
    yield bad("a dynamic name twice", "any", b"\x09\x02\x00\x00\x00" + 2 * b"\x01\x00\x00\x00a\x00", "a key twice")
    yield bad("too deep", "any", 200 * b"\x08\x01\x00\x00\x00" + b"\x00", "more than 128 in each other")


def lists_with_char(point):
    """Lists that have one char, which may be none."""
    empty = {**{name: [] for name in TYPES["lists"][1]}, "fixed": [0] * 3, "matrix": [[0.0] * 2] * 2, "names": [""] * 2, "chars": ["\0"]}
    written = encode("wire", TYPES["lists"], empty)
    # Behind the char are two empty lists without padding.
    return written[:-12] + point.to_bytes(4, "little") + written[-8:]


def twice():
    """A map with the same person twice."""
    pair = encode("wire", ("tuple", "str", PERSON), ("ada", ADA))
    return (2).to_bytes(4, "little") + pair + pair


def vectors():
    """All of them."""
    return [*values(), *faults()]
