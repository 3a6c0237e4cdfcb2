"""Panics of a handler: INTERNAL with the message and the place, never the end of the host."""

from ..build import answer, call, case, check, failure, js, op

NAME = "panics"

PLACE = [check("details.file", type="string"), check("details.line", min=1), check("details.column", min=1)]


def panic(message=None, **more):
    return failure("INTERNAL", type="panic", **({"message": message} if message is not None else {}), checks=PLACE, **more)


def cases():
    for name, words in {"plain": "boom", "empty": "", "unicode": "größer 🦀", "escapes": '"q" \\ \n', "long": "p" * 2000}.items():
        yield case(f"panics.message_{name}", "spec", call("panic.now", js({"message": words}), panic(words), capacity=[0, 64, 65536]))
    yield case("panics.index", "spec", call("panic.index", js({"index": 7}),
               failure("INTERNAL", type="panic", message_contains=["7", "3"], checks=PLACE)))
    yield case("panics.value_that_is_no_text", "spec", call("panic.value", "null", failure("INTERNAL", type="panic", checks=PLACE)))
    yield case("panics.in_a_leaf_method", "spec", call("panic.leaf", js({"message": "leafy"}), panic("leafy")))
    yield case("panics.through_call_leaf", "spec", call("panic.leaf", js({"message": "leafy"}), panic("leafy"), via="leaf"), needs=["c-abi"])
    yield case("panics.in_serialize", "spec", call("panic.serialize", "null", panic("no form")))
    yield case("panics.in_deserialize", "spec", call("panic.deserialize", '"x"', panic("no value")))
    yield case("panics.in_async", "spec", call("async.panic", js({"message": "awaited"}), panic("awaited")))
    yield case("panics.raw", "spec", call("panic.raw", "abc", panic("abc"), encoding="raw"))
    yield case("panics.the_instance_goes_on", "spec", call("state.add", js({"n": 5}), answer('{"total":5}')),
               call("panic.now", js({"message": "x"}), panic("x")), op("state", expect={"state": "active"}),
               call("state.add", js({"n": 2}), answer('{"total":7}')))
    gone = failure("FAILED_PRECONDITION")
    yield case("panics.poison", "spec", call("panic.now", js({"message": "x"}), panic("x")), op("state", expect={"state": "poisoned"}),
               call("state.add", js({"n": 2}), gone), op("close", expect={"status": "OK"}), op("state", expect={"state": "closed"}),
               on_panic="poison")
    yield case("panics.poison_by_a_leaf", "spec", call("panic.leaf", js({"message": "x"}), panic("x")), call("state.add", js({"n": 2}), gone),
               on_panic="poison")
    yield case("panics.poison_one_of_two", "spec", call("panic.now", js({"message": "x"}), panic("x"), instance="a"),
               call("state.add", js({"n": 2}), gone, instance="a"), call("state.add", js({"n": 2}), answer('{"total":2}'), instance="b"),
               on_panic="poison", instances={"a": {"label": "a"}, "b": {"label": "b"}})
    yield case("panics.an_error_does_not_poison", "spec", call("status.fail", js({"status": "INTERNAL", "message": "m"}), failure("INTERNAL")),
               call("state.add", js({"n": 2}), answer('{"total":2}')), on_panic="poison")
