"""JSON texts: what is well-formed, what isn't, and how deep it may go. `types.value` answers with any value it was given."""

from ..build import answer, as_json, call, case, concat, failure, nested, raw, repeat, text

NAME = "json_text"

# serde_json refuses the 128th open bracket; the standard lets an implementation set such a limit (RFC 8259, section 9).
DEEPEST = 127


def good(name, request, value, **more):
    return case(f"json.{name}", "rfc8259", call("types.value", request, answer(as_json(value))), **more)


def bad(name, request, provenance="rfc8259", **more):
    return case(f"json.{name}", provenance, call("types.value", request, failure("INVALID_ARGUMENT", type="rustbridge.InvalidRequest")), **more)


def quoted(data):
    return b'"' + data + b'"'


def cases():
    yield good("null", "null", None)
    yield good("true", "true", True)
    yield good("empty_object", "{}", {})
    yield good("empty_list", "[]", [])
    yield good("white_space", " \t\r\n{ \"a\" :\n[ 1 ,\t2 ] }\r\n ", {"a": [1, 2]})
    yield good("short_escapes", r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t')
    yield good("unicode_escapes", r'"\u0041\u00e9\u65e5"', "Aé日")
    yield good("escaped_nul", r'"\u0000"', "\0")
    yield good("surrogate_pair", r'"\ud83e\udd80"', "🦀")
    yield good("upper_case_hex", r'"\uD83E\uDD80\u00E9"', "🦀é")
    yield good("delete_unescaped", '"\x7f"', "\x7f")
    yield good("empty_name", '{"":1}', {"": 1})
    yield good("name_with_escapes", r'{"a\"\u0062":1}', {'a"b': 1})
    yield good("many_members", "{" + ",".join(f'"k{i}":{i}' for i in range(100)) + "}", {f"k{i}": i for i in range(100)})

    for name, request in {
        "nothing": "",
        "only_white_space": " \n\t ",
        "nul_byte": "\0",
        "bare_word": "hello",
        "upper_case_literal": "TRUE",
        "half_a_literal": "tru",
        "single_quotes": "'a'",
        "comment": "/* a */ 1",
        "trailing_comma_in_list": "[1,]",
        "trailing_comma_in_object": '{"a":1,}',
        "leading_comma": "[,1]",
        "two_commas": "[1,,2]",
        "missing_colon": '{"a" 1}',
        "two_colons": '{"a"::1}',
        "number_as_name": "{1:2}",
        "unquoted_name": "{a:1}",
        "open_list": "[1",
        "open_object": '{"a":1',
        "open_string": '"abc',
        "wrong_bracket": "[1}",
        "closing_only": "]",
        "trailing_value": "{} {}",
        "trailing_letter": "{}x",
        "trailing_nul": "{}\0",
        "raw_newline_in_string": '"a\nb"',
        "raw_nul_in_string": '"a\0b"',
        "unknown_escape": r'"\x41"',
        "short_unicode_escape": r'"\u12"',
        "unicode_escape_not_hex": r'"\u12g4"',
        "escape_at_the_end": '"\\',
        "form_feed_as_white_space": "\f1",
        "no_break_space_as_white_space": "\u00a01",
    }.items():
        yield bad(name, request)
    yield bad("byte_order_mark", "\ufeff{}", notes="Section 8.1 allows ignoring it and does not ask for it; rustbridge refuses it.")
    for name, escape in {"lone_leading_surrogate": r"\ud800", "lone_trailing_surrogate": r"\udc00", "surrogates_swapped": r"\udd80\ud83e",
                         "leading_surrogate_then_letter": r"\ud83ea"}.items():
        yield bad(name, f'"{escape}"', notes="Section 8.2 leaves it open; such a string has no UTF-8 form, so it is refused.")

    for name, data in {
        "lone_continuation": b"\x80",
        "lone_start": b"\xc3",
        "start_then_letter": b"\xc3a",
        "overlong_slash": b"\xc0\xaf",
        "overlong_nul": b"\xc0\x80",
        "overlong_three": b"\xe0\x80\xaf",
        "surrogate": b"\xed\xa0\x80",
        "cut_emoji": b"\xf0\x9f\xa6",
        "beyond_the_last_plane": b"\xf4\x90\x80\x80",
        "five_byte_form": b"\xf8\x88\x80\x80\x80",
        "ff": b"\xff",
        "latin_1": "Grüße".encode("latin-1"),
    }.items():
        yield bad(f"utf8_{name}", quoted(data), provenance="unicode")
    yield bad("utf8_in_a_name", b'{"\xff":1}', provenance="unicode")
    yield bad("utf8_outside_strings", b"\xff", provenance="unicode")
    yield bad("utf16_little_endian", "{}".encode("utf-16"), provenance="rfc8259", notes="Section 8.1: texts are UTF-8.")

    for shape, (opening, middle, closing) in {"lists": ("[", "", "]"), "objects": ('{"a":', "0", "}")}.items():
        yield case(f"json.deep_{shape}_{DEEPEST}", "serde", call("types.value", nested(opening, middle, closing, DEEPEST),
                   answer(nested(opening, middle, closing, DEEPEST))))
        for depth in (DEEPEST + 1, DEEPEST + 2, 100_000):
            yield bad(f"deep_{shape}_{depth}", nested(opening, middle, closing, depth), provenance="serde")
    yield bad("deep_lists_never_closed", repeat(text("["), 1_000_000))
    yield case("json.deep_unknown_field", "serde",
               call("types.nested", concat(text('{"unknown":'), nested("[", "", "]", 100_000), text("}")), failure("INVALID_ARGUMENT")),
               notes="What is skipped counts as well.")
    yield case("json.deep_tree", "serde",
               call("types.tree", nested('{"value":1,"children":[', '{"value":1,"children":[]}', "]}", 60),
                    answer(as_json({"nodes": 61, "depth": 61, "sum": 61}))),
               notes="A recursive type of the author's: each level opens two brackets.")
    yield case("json.deep_tree_beyond", "serde",
               call("types.tree", nested('{"value":1,"children":[', '{"value":1,"children":[]}', "]}", 50_000), failure("INVALID_ARGUMENT")))
    yield case("json.wide_list", "rfc8259", call("types.value", concat(text("[0"), repeat(text(",0"), 100_000), text("]")),
               answer(concat(text("[0"), repeat(text(",0"), 100_000), text("]")))))
    yield bad("megabyte_of_spaces", repeat(text(" "), 1_000_000))
    yield bad("megabyte_of_ff", repeat(raw(b"\xff"), 1_000_000), provenance="unicode")
