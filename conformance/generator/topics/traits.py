"""The traits of objects: text, equality, hash and order, which clients call by methods with reserved names."""

from .. import wire
from ..build import answer, call, carrying, case, failure, op

NAME = "traits"


def traits(id, *steps, **more):
    return case(f"traits.{id}", "spec", *steps, plugin="operations", **more)


def card(name, text, **more):
    return carrying("card.open", f'"{text}"', answer("0"), objects=[name], **more)


def of(method, expect, *objects, encoding="wire", **more):
    """Calls a method of the first object, with the second as its parameter."""
    request = None
    if len(objects) > 1:
        request = wire.encode("wire", "u32", 1) if encoding == "wire" else "1"
    return carrying(method, request, expect, header={"objects": list(objects)}, encoding=encoding, **more)


def text(value):
    return answer(wire.encode("wire", "str", value))


def cases():
    yes, no = answer(b"\1"), answer(b"\0")
    invalid = failure("INVALID_ARGUMENT")
    yield traits("text_for_users", card("a", "7"), of("Card:display", text("the card 7"), "a"), of("Card:display", answer('"the card 7"'), "a", encoding="json"))
    yield traits("text_for_programmers", card("a", "7"), of("Card:debug", text('Card { text: "7" }'), "a"))
    yield traits("text_that_fails", card("a", ""), of("Card:display", failure("INTERNAL"), "a"), of("Card:debug", text('Card { text: "" }'), "a"))
    yield traits("equal", card("a", "7"), card("b", "7"), of("Card:eq", yes, "a", "b"), of("Card:eq", yes, "b", "a"))
    yield traits("unequal", card("a", "7"), card("b", "8"), of("Card:eq", no, "a", "b"), of("Card:eq", answer("false"), "a", "b", encoding="json"))
    yield traits("equal_to_itself", card("a", "7"), of("Card:eq", yes, "a", "a"))
    yield traits("hash", card("a", "7"), of("Card:hash", {"status": "OK"}, "a"), op("release", object="a"), of("Card:hash", failure("NOT_FOUND"), "a"))
    for name, one, other, order in (("less", "a", "b", -1), ("equal", "a", "a", 0), ("greater", "b", "a", 1)):
        yield traits(f"order_{name}", card("a", one), card("b", other), of("Card:cmp", answer(wire.encode("wire", "i8", order)), "a", "b"))
    for method in ("Card:display", "Card:debug", "Card:hash"):
        name = method.split(":")[1]
        yield traits(f"{name}_of_another_type", carrying("counter.open", "1", answer("0"), objects=["c"]), of(method, invalid, "c"))
        yield traits(f"{name}_of_none", call(method, None, failure("FAILED_PRECONDITION", type="rustbridge.NoReceiver"), encoding="wire"))
    for method in ("Card:eq", "Card:cmp"):
        name = method.split(":")[1]
        counter = carrying("counter.open", "1", answer("0"), objects=["c"])
        yield traits(f"{name}_with_another_type", card("a", "7"), counter, of(method, invalid, "a", "c"), of(method, invalid, "c", "a"))
        yield traits(f"{name}_with_one_that_is_released", card("a", "7"), card("b", "7"), op("release", object="b"), of(method, failure("NOT_FOUND"), "a", "b"))
        yield traits(f"{name}_with_none", card("a", "7"), of(method, invalid, "a"))
        two = {"instances": {"a": {}, "b": {}}}
        yield traits(f"{name}_with_one_of_another_instance", card("a", "7"), card("b", "7", instance="b"), of(method, invalid, "a", "b"), **two)
