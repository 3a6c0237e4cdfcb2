"""Objects of a plugin's that a host holds: created, called, lent, listed, released, stale, foreign, and gone with their instance."""

from ..build import act, answer, begin, call, carrying, case, end, failure, items, op

NAME = "objects"


def objects(id, *steps, **more):
    return case(f"objects.{id}", "spec", *steps, plugin="operations", **more)


def make(name, start=40, **more):
    return carrying("counter.open", str(start), answer("0"), objects=[name], **more)


def add(name, by, total, **more):
    return carrying("Counter.add", str(by), answer(str(total)), header={"objects": [name]}, **more)


def get(name, expect, **more):
    return carrying("Counter.get", None, expect, header={"objects": [name]}, **more)


def release(name, expect=None, **more):
    return op("release", object=name, **more, **({"expect": expect} if expect else {}))


def alive(count, **more):
    return call("counter.alive", None, answer(str(count)), **more)


def refused():
    """Numbers that are no object of the instance's, wherever one can be lent: the plugin isn't asked."""
    gone, never = failure("NOT_FOUND"), failure("INVALID_ARGUMENT")
    two = {"instances": {"a": {}, "b": {}}}
    # What is made before, the object that's lent, what comes of it, fields of the case.
    wrong = {
        "stale": ([make("x"), release("x")], "x", gone, {}),
        "forged": ([], 0x7fff_ffff_0000_0001, never, {"needs": ["c-abi"]}),
        "null": ([], 0, never, {"needs": ["c-abi"]}),
        "foreign": ([make("x", instance="b")], "x", never, two),
        "of_a_closed_instance": ([make("x", instance="b"), op("close", instance="b", expect={"status": "OK"})], "x", gone, two),
    }
    # How it's lent: what's called, with which request and objects.
    lent = {
        "called": ("Counter.add", "1", ["{}"]),
        "called_later": ("Counter.add_later", "1", ["{}"]),
        "streamed_from": ("Counter.upto", "99", ["{}"]),
        "passed": ("Counter.absorb", "1", ["c", "{}"]),
        "received": ("Counter.absorb", "1", ["{}", "c"]),
        "listed": ("counter.total", "[0,1,2]", ["c", "{}", "d"]),
        "listed_and_not_named": ("counter.total", "[0]", ["c", "d", "{}"]),
    }
    for name, (before, number, found, more) in wrong.items():
        for how, (method, request, places) in lent.items():
            header = {"objects": [number if place == "{}" else place for place in places]}
            before_it = [*before, make("c", 1), make("d", 2)]
            after = [get("c", answer("1")), get("d", answer("2")), alive(2)]
            if how != "streamed_from":
                blocking = carrying(method, request, found, header=header)
                yield objects(f"{name}.{how}", *before_it, blocking, *after, **more)
            demand = (9, 99) if how == "streamed_from" else None
            begun = begin("a", method, request, demand, header=header)
            yield objects(f"{name}.{how}_as_begun", *before_it, begun, end("a", found), *after, **more)


def cases():
    ok = {"status": "OK"}
    gone, closed = failure("NOT_FOUND"), failure("UNAVAILABLE")
    never = failure("INVALID_ARGUMENT")
    yield objects("made_called_released", make("c"), alive(1), add("c", 2, 42), get("c", answer("42")), release("c"), alive(0))
    yield objects("two_count_by_themselves", make("c", 1), make("d", 10), add("c", 1, 2), add("d", 1, 11), alive(2), release("c"),
                  get("d", answer("11")), release("d"), alive(0))
    yield objects("made_later", begin("a", "counter.open_later", "3"), end("a", answer("0"), objects=["c"]), get("c", answer("3")))
    yield objects("called_later", make("c"), begin("a", "Counter.add_later", "2", header={"objects": ["c"]}), end("a", answer("42")))
    yield objects("streams", make("c", 5), begin("a", "Counter.upto", "8", (9, 99), header={"objects": ["c"]}), items("a", "5", "6", "7"), end("a"))
    yield objects("listed", carrying("counter.list", "[7,8,9]", answer("[0,1,2]"), objects=["c", "d", "e"]), get("d", answer("8")), alive(3),
                  release("d"), release("c"), release("e"), alive(0))
    yield objects("listed_empty", carrying("counter.list", "[]", answer("[]"), objects=[]))
    yield objects("streamed", begin("a", "counter.stream", "3", (9, 99)), items("a", "0", "0", "0", objects=["c", "d", "e"]), end("a"),
                  get("e", answer("2")), alive(3))
    yield objects("streamed_and_cancelled", begin("a", "counter.stream", "1000000", (2, 99)), items("a", "0", "0", objects=["c", "d"]), act("cancel", "a"),
                  end("a", failure("CANCELLED")), release("c"), release("d"), alive(0))
    yield objects("lent_as_arguments", make("c", 1), make("d", 2),
                  carrying("counter.total", "[0,1,0]", answer("4"), header={"objects": ["c", "d"]}))
    yield objects("lent_none", carrying("counter.total", "[]", answer("0")))
    yield objects("not_lent", make("c"), carrying("counter.total", "[1]", never, header={"objects": ["c"]}))
    yield objects("without_receiver", call("Counter.get", None, failure("FAILED_PRECONDITION", type="rustbridge.NoReceiver")), needs=["objects"])
    yield objects("without_a_place_for_it", call("counter.open", "1", failure("FAILED_PRECONDITION", type="rustbridge.NoPlaceForObjects")), alive(0),
                  needs=["objects", "c-abi"])
    yield objects("an_error_gives_none", carrying("counter.open", "-1", never, objects=[]), alive(0))
    yield objects("of_the_wrong_kind", carrying("bomb.open", None, answer("0"), objects=["b"]), get("b", never))
    yield objects("stale", make("c"), release("c"), get("c", gone), release("c", gone))
    yield objects("forged", get(0x7fff_ffff_0000_0001, never), release(0x7fff_ffff_0000_0001, never), release(0, never), needs=["c-abi"])
    two = {"a": {}, "b": {}}
    yield objects("foreign", make("c", instance="a"), get("c", never, instance="b"), get("c", answer("40"), instance="a"), instances=two)
    yield from refused()
    yield objects("absorbs", make("c", 1), make("d", 2), carrying("Counter.absorb", "1", answer("3"), header={"objects": ["c", "d"]}), get("d", answer("2")))
    yield objects("absorbs_itself", make("c", 3), carrying("Counter.absorb", "0", answer("6"), header={"objects": ["c"]}))
    yield objects("called_back", make("c"), begin("a", "Counter.add_later", "2", header={"objects": ["c"]}, how="callback"), end("a", answer("42")))
    yield objects("offloaded", make("c"), begin("a", "Counter.add", "2", header={"objects": ["c"]}, how="offload"), end("a", answer("42")))
    yield objects("of_a_queue_that_is_abandoned", begin("a", "counter.stream", "3", (9, 99)), op("abandon"), alive(0),
                  notes="An iterator has sent before it was begun; what nobody fetched is released.")
    yield objects("lent_to_what_is_abandoned", make("c"), begin("a", "Counter.upto", "1000000", (1, 99), header={"objects": ["c"]}), release("c"), alive(1),
                  op("abandon"), alive(0))
    yield objects("gone_with_their_instance", make("c"), op("close", expect=ok), get("c", closed), release("c", gone))
    yield objects("of_one_instance_of_two", make("c", instance="a"), make("d", 7, instance="b"), op("close", instance="a", expect=ok),
                  get("d", answer("7"), instance="b"), release("c", gone, instance="b"), instances=two)
    yield objects("released_while_lent", make("c"), begin("a", "Counter.upto", "1000000", (1, 99), header={"objects": ["c"]}), items("a", "40"), release("c"),
                  alive(1), op("demand", of="a", items=1, bytes=99), items("a", "41"), act("cancel", "a"), end("a", failure("CANCELLED")), alive(0))
    yield objects("panics_when_called", carrying("bomb.open", None, answer("0"), objects=["b"]),
                  carrying("Bomb.touch", None, failure("INTERNAL", type="panic", message="touched"), header={"objects": ["b"]}))
    yield objects("panics_when_dropped", carrying("bomb.open", None, answer("0"), objects=["b"]), release("b"), make("c"), get("c", answer("40")))
    yield objects("closed_with_one_that_panics_when_dropped", carrying("bomb.open", None, answer("0"), objects=["b"]), op("close", expect=ok),
                  op("state", expect={"state": "closed"}))
    yield objects("poisoned", make("c"), carrying("bomb.open", None, answer("0"), objects=["b"]),
                  carrying("Bomb.touch", None, failure("INTERNAL", type="panic"), header={"objects": ["b"]}),
                  get("c", failure("FAILED_PRECONDITION")), op("close", expect=ok), on_panic="poison")
