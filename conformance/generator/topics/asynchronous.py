"""Async handlers through the ordinary, blocking call."""

from ..build import answer, as_json, call, case, failure, js

NAME = "asynchronous"


def cases():
    yield case("async.echo", "spec", call("async.echo", js({"text": "größer 🦀"}), answer(as_json({"text": "größer 🦀"}))))
    yield case("async.sleep_zero", "spec", call("async.sleep", js({"ms": 0}), answer(as_json({"ms": 0}))))
    yield case("async.sleep_a_little", "spec", call("async.sleep", js({"ms": 5}), answer(as_json({"ms": 5}))))
    yield case("async.join", "spec", call("async.join", js({"tasks": 10}), answer(as_json({"sum": 45}))),
               notes="The handler spawns tasks that answer their number and adds them up.")
    yield case("async.fail", "spec", call("async.fail", js({"kind": "not_found"}),
               failure("NOT_FOUND", type="CaseError.NotFound", details={"user_id": 42, "name": "ada"})))
    yield case("async.bad_request", "spec", call("async.echo", "{", failure("INVALID_ARGUMENT")))
    yield case("async.state", "spec", call("async.add", js({"n": 2}), answer('{"total":2}')), call("state.add", js({"n": 3}), answer('{"total":5}')),
               call("async.add", js({"n": 4}), answer('{"total":9}')))
    yield case("async.storage", "spec", call("async.echo", js({"text": "abc"}), answer('{"text":"abc"}'), capacity=[0, 13, 14, 15]))
    yield case("async.after_a_panic", "spec", call("async.panic", js({"message": "x"}), failure("INTERNAL", type="panic", message="x")),
               call("async.echo", js({"text": "still here"}), answer(as_json({"text": "still here"}))))
