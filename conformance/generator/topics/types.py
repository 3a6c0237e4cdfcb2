"""Serde's data model in JSON: options, defaults, collections, enums in all four representations. The methods answer with what they were sent."""

from ..build import answer, as_json, call, case, failure, js

NAME = "types"

SCALARS = {"flag": True, "a": -128, "b": -32768, "c": -2147483648, "d": -9223372036854775808, "e": 255, "f": 65535, "g": 4294967295,
           "h": 18446744073709551615, "x": 1.5, "y": -2.25, "letter": "🦀", "text": "tëxt"}


def same(name, method, value, sent=None, provenance="serde", **more):
    """`value` comes back; `sent` is what is sent when it differs."""
    return case(f"types.{name}", provenance, call(method, js(value if sent is None else sent), answer(as_json(value))), **more)


def bad(name, method, value, *contains):
    error = {"message_contains": list(contains)} if contains else {}
    return case(f"types.{name}", "serde", call(method, value if isinstance(value, str) else js(value), failure("INVALID_ARGUMENT", **error)))


def cases():
    yield same("scalars", "types.scalars", SCALARS)
    yield bad("char_empty", "types.scalars", {**SCALARS, "letter": ""})
    yield bad("char_two", "types.scalars", {**SCALARS, "letter": "ab"})
    yield bad("flag_as_number", "types.scalars", {**SCALARS, "flag": 1})

    full = {"required": 1, "number": 5, "text": "t", "point": {"x": 1, "y": -1}}
    none = {"required": 1, "number": None, "text": None, "point": None}
    yield same("options_given", "types.options", full)
    yield same("options_null", "types.options", none)
    yield same("options_left_out", "types.options", none, {"required": 1}, notes="A left-out option is none; none is written as null.")
    yield same("options_empty_text_is_some", "types.options", {**none, "text": ""})
    yield bad("options_required_missing", "types.options", {"number": 1}, "required")
    yield bad("options_required_null", "types.options", {"required": None})
    yield bad("options_nested_incomplete", "types.options", {"required": 1, "point": {"x": 1}}, "`y`")

    yield same("defaults_left_out", "types.defaults", {"count": 0, "size": 10, "kind": "plain", "pageToken": ""}, {})
    yield same("defaults_given", "types.defaults", {"count": 1, "size": 2, "kind": "k", "pageToken": "p"})
    yield bad("defaults_null_is_not_left_out", "types.defaults", {"count": None})
    yield bad("defaults_unknown_field_denied", "types.defaults", {"page_token": "p"}, "page_token")

    some = {"list": [1, -2, 3], "rows": [[1, 2], [], [3]], "map": {"a": 1, "z": -1}, "pair": [7, "seven"], "array": [0, 1, 254, 255]}
    empty = {"list": [], "rows": [], "map": {}, "pair": [0, ""], "array": [0, 0, 0, 0]}
    yield same("collections", "types.collections", some)
    yield same("collections_empty", "types.collections", empty)
    yield same("collections_unicode_names", "types.collections", {**empty, "map": {"": 0, "ü": 1, "🦀": 2, 'q"': 3}})
    yield bad("collections_array_too_short", "types.collections", {**empty, "array": [1, 2, 3]})
    yield bad("collections_array_too_long", "types.collections", {**empty, "array": [1, 2, 3, 4, 5]})
    yield bad("collections_pair_too_short", "types.collections", {**empty, "pair": [1]})
    yield bad("collections_byte_too_large", "types.collections", {**empty, "array": [0, 0, 0, 256]})
    yield bad("collections_object_for_list", "types.collections", {**empty, "list": {}})
    yield bad("collections_item_of_other_type", "types.collections", {**empty, "list": [1, "2"]})

    yield same("nested", "types.nested", {"id": 1, "middle": {"name": "m", "inner": {"points": [{"x": 1, "y": 2}, {"x": -3, "y": 4}]}}})
    yield same("nested_empty", "types.nested", {"id": 0, "middle": {"name": "", "inner": {"points": []}}})
    yield bad("nested_deep_field_missing", "types.nested", {"id": 1, "middle": {"name": "m", "inner": {}}}, "points")

    for name, shape in {"unit": "Empty", "newtype": {"Circle": 5}, "tuple": {"Rectangle": [3, "wide"]}, "struct": {"Polygon": {"sides": 6, "name": "hex"}}}.items():
        yield same(f"enums_{name}", "types.enums", {"color": "green", "shape": shape})
    yield same("enums_renamed", "types.enums", {"color": "dark-blue", "shape": "Empty"})
    yield bad("enums_unknown_variant", "types.enums", {"color": "pink", "shape": "Empty"}, "pink")
    yield bad("enums_name_not_renamed", "types.enums", {"color": "Green", "shape": "Empty"}, "Green")
    yield bad("enums_two_variants", "types.enums", {"color": "green", "shape": {"Circle": 5, "Empty": None}})
    yield bad("enums_variant_by_index", "types.enums", {"color": 0, "shape": "Empty"})

    base = {"internal": {"kind": "ping"}, "adjacent": {"t": "Nothing"}, "untagged": 1}
    yield same("tagged_units", "types.tagged", base)
    yield same("tagged_structs", "types.tagged", {"internal": {"kind": "move", "x": 1, "y": 2}, "adjacent": {"t": "Pair", "c": [1, 2]},
                                                  "untagged": {"x": 5, "y": 6}})
    yield same("tagged_adjacent_struct", "types.tagged", {**base, "adjacent": {"t": "Named", "c": {"name": "n"}}})
    yield same("tagged_content_before_tag", "types.tagged", {**base, "adjacent": {"t": "Pair", "c": [1, 2]}},
               {**base, "adjacent": {"c": [1, 2], "t": "Pair"}})
    yield same("tagged_tag_last", "types.tagged", {**base, "internal": {"kind": "move", "x": 1, "y": 2}},
               {**base, "internal": {"x": 1, "y": 2, "kind": "move"}})
    yield same("untagged_text", "types.tagged", {**base, "untagged": "text"})
    yield same("untagged_list", "types.tagged", {**base, "untagged": [1, 2]})
    yield bad("untagged_nothing_fits", "types.tagged", {**base, "untagged": True})
    yield bad("tagged_without_tag", "types.tagged", {**base, "internal": {"x": 1, "y": 2}}, "kind")
    yield bad("tagged_unknown_tag", "types.tagged", {**base, "internal": {"kind": "dance"}}, "dance")

    yield case("types.bytes", "serde", call("types.bytes", js({"data": list(range(256))}), answer(as_json({"data": list(range(255, -1, -1)), "length": 256}))),
               notes="A Vec<u8> is a list of numbers in JSON.")
    yield case("types.bytes_empty", "serde", call("types.bytes", js({"data": []}), answer(as_json({"data": [], "length": 0}))))
    yield bad("bytes_negative", "types.bytes", {"data": [-1]})

    yield case("types.unit", "spec", call("types.unit", "null", answer("null"), capacity=[0, 3, 4, 5]))
    yield bad("unit_wrong_type", "types.unit", '{"a":1}')
    yield case("types.nothing", "spec", call("types.nothing", None, answer("null")), notes="A handler without a request parameter takes an empty request.")
    for name, written in {"null": "null", "object": "{}"}.items():
        yield case(f"types.nothing_as_{name}", "spec", call("types.nothing", written, answer("null")))
    for name, written in {"fields": '{"a":1}', "number": "1", "list": "[]"}.items():
        yield case(f"types.nothing_but_{name}", "spec", call("types.nothing", written, failure("INVALID_ARGUMENT", message_contains=["takes no request"])),
                   notes="Who sends something expects it to be used.")
    # With a config of their own: serde itself, which the plain value of the parity tests is given to, takes fields by position.
    for name, method, written, place in (("array_for_struct", "types.options", "[1,null,null,null]", ""),
                                         ("array_for_inner_struct", "types.nested", '{"id":1,"middle":["m",{"points":[]}]}', " at $.middle")):
        yield case(f"types.{name}", "spec", call(method, written, failure("INVALID_ARGUMENT", message_contains=[
            f"expected an object, found an array{place}"])), config={"label": "positions"}, notes="The schema says object.")
    yield case("types.error_names_the_path", "spec", call("types.nested", '{"id":1,"middle":{"name":"m","inner":{"points":[{"x":1,"y":2},{"x":"3","y":4}]}}}',
               failure("INVALID_ARGUMENT", message_contains=["$.middle.inner.points[1].x"])))
    yield case("types.tree", "serde", call("types.tree", js({"value": 1, "children": [{"value": 2, "children": []}, {"value": 3, "children":
               [{"value": 4, "children": []}]}]}), answer(as_json({"nodes": 4, "depth": 3, "sum": 10}))))
