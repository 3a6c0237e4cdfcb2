"""Open, call, close: states, what a closed instance answers, instances side by side."""

from ..build import answer, call, case, failure, js, op

NAME = "lifecycle"


def add(n, total, **more):
    return call("state.add", js({"n": n}), answer('{"total":' + str(total) + "}"), **more)


def cases():
    closed = failure("UNAVAILABLE")
    ok = {"status": "OK"}
    yield case("lifecycle.active_then_closed", "spec", op("state", expect={"state": "active"}), add(1, 1), op("close", expect=ok),
               op("state", expect={"state": "closed"}))
    yield case("lifecycle.call_after_close", "spec", add(1, 1), op("close", expect=ok), call("state.add", js({"n": 1}), closed))
    yield case("lifecycle.close_without_a_call", "spec", op("close", expect=ok), op("state", expect={"state": "closed"}))
    yield case("lifecycle.state_is_kept_between_calls", "spec", add(1, 1), add(-5, -4), add(4, 0))
    yield case("lifecycle.two_instances_share_nothing", "spec", add(1, 1, instance="a"), add(10, 10, instance="b"), add(1, 2, instance="a"),
               add(10, 20, instance="b"), instances={"a": {"label": "a"}, "b": {"label": "b"}})
    yield case("lifecycle.closing_one_leaves_the_other", "spec", add(1, 1, instance="a"), add(1, 1, instance="b"),
               op("close", instance="a", expect=ok), call("state.add", js({"n": 1}), closed, instance="a"), add(1, 2, instance="b"),
               op("state", instance="b", expect={"state": "active"}), instances={"a": {"label": "a"}, "b": {"label": "b"}})
    yield case("lifecycle.eight_instances", "spec", *[add(i + 1, i + 1, instance=f"i{i}") for i in range(8)],
               *[add(1, i + 2, instance=f"i{i}") for i in range(8)], instances={f"i{i}": {"label": f"i{i}"} for i in range(8)})
