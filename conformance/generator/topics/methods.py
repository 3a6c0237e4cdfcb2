"""Finding a method: by name, by number, by encoding, and the leaf rule."""

from ..build import answer, as_json, call, case, concat, failure, js, repeat, text

NAME = "methods"

VALUE = {"value": 1}


def found(name, method, **more):
    fields = {key: more.pop(key) for key in ("notes", "needs") if key in more}
    return case(f"methods.{name}", "spec", call(method, js(VALUE), answer(as_json(VALUE)), **more), **fields)


def missing(name, method, encoding="json", status="NOT_FOUND", **more):
    return case(f"methods.{name}", "spec", call(method, js(VALUE), failure(status, "prepare"), encoding=encoding), **more)


def cases():
    yield found("unicode_name", "name.größe 🦀")
    yield found("longest_name", "name." + "x" * 200)
    yield found("id_zero", 0)
    yield found("id_highest", 4294967295)
    yield found("id_zero_by_name", "id.zero")
    yield missing("id_unknown", 12345)
    yield missing("name_unknown", "no.such.method")
    yield missing("name_empty", "")
    yield missing("name_in_other_case", "Types.Scalars")
    yield missing("name_with_space", "types.scalars ")
    yield missing("name_prefix", "types")
    yield missing("name_longer", "types.scalars.x")
    yield missing("name_with_nul", "types.scalars\0", notes="Names are counted, not terminated: a NUL is a character like another.")
    yield missing("name_with_nul_inside", "types\0scalars")
    yield missing("name_composed_differently", "name.gro\u0308ße 🦀", notes="Names are compared byte for byte.")
    yield missing("name_of_a_function", "scalars")
    yield missing("name_of_a_skipped_function", "skipped")
    yield missing("name_very_long", "x" * 5000)
    yield case("methods.unknown_name_is_named", "spec", call("no.such.method", "{}", failure("NOT_FOUND", "prepare", message_contains=["no.such.method"])))
    for name, data in {"lone_ff": b"\xff", "cut": b"types.scalars\xc3", "surrogate": b"\xed\xa0\x80"}.items():
        yield missing(f"name_not_utf8_{name}", data, status="INVALID_ARGUMENT", needs=["c-abi"])

    for method, encodings in {"types.value": ("raw", "pod", "msgpack", "bincode", "postcard"), "raw.echo": ("json", "pod", "msgpack"),
                              "types.scalars": ("raw", "pod"), "pod.odd": ("raw",)}.items():
        for encoding in encodings:
            yield missing(f"{method.replace('.', '_')}_lacks_{encoding}", method, encoding, "UNIMPLEMENTED")
    # The highest of all stands for raw or pod, whichever the method has.
    for number in (7, 99, 4294967294):
        yield missing(f"encoding_{number}", "types.value", number, "INVALID_ARGUMENT", needs=["c-abi"])
    yield missing("encoding_unknown_of_unknown_method", "no.such.method", 77, "INVALID_ARGUMENT", needs=["c-abi"])

    refused = failure("FAILED_PRECONDITION")
    yield case("methods.leaf_refused", "spec", call("types.value", "1", refused, via="leaf"), needs=["c-abi"])
    yield case("methods.leaf_refused_async", "spec", call("async.echo", js({"text": "a"}), refused, via="leaf"), needs=["c-abi"])
    yield case("methods.leaf_accepted", "spec", call("leaf.json", js(VALUE), answer(as_json(VALUE)), via="leaf"), needs=["c-abi"])
    yield case("methods.leaf_bad_request", "spec", call("leaf.json", "{", failure("INVALID_ARGUMENT"), via="leaf"), needs=["c-abi"])
    yield found("leaf_through_the_ordinary_call", "leaf.json")
    yield case("methods.two_handlers_one_name_json", "spec", call("split.answer", js(VALUE), answer(as_json({"from": "json"}))))
    yield case("methods.two_handlers_one_name_raw", "spec", call("split.answer", "x", answer("raw"), encoding="raw"))
    yield case("methods.call_knows_itself", "spec", call("call.info", "null", answer(as_json({"method": "call.info", "encoding": "json"}))))
    yield case("methods.error_payload_around_storage", "spec",
               call("status.fail", concat(text('{"status":"ABORTED","message":"'), repeat(text("m"), 3000), text('"}')),
                    failure("ABORTED", message="m" * 3000), capacity=[0, 1, 100, 3000, 4000]),
               notes="An error payload follows the same storage rules as a response.")
