"""Callbacks: the host's objects, which the plugin calls by services and releases once, and the plugin's own behind the same trait."""

from .. import wire
from ..build import answer, begin, call, carrying, case, end, failure, js, op, service

NAME = "callbacks"

# A call of the host's object has its number in front of the parameters.
TOLD = ("struct", {"object": "u64", "text": "str", "times": "u32"})
PARAMETERS = ("struct", {"listener": "u32", "text": "str"})


def number(value):
    return wire.encode("wire", "u64", value)


def told(object, text, times):
    return ("Listener.told", {"hex": wire.encode("wire", TOLD, {"object": object, "text": text, "times": times}).hex()})


def released(object):
    return ("Listener:release", {"hex": number(object).hex()})


def asked(*pairs):
    return op("asked", expect=[list(pair) for pair in pairs])


def new(name, object=5, **more):
    """Creates the plugin's object for the host's object with that number."""
    return carrying("Listener:new", number(object), answer(b"\0\0\0\0"), objects=[name], encoding="wire", **more)


def tell(name, expect, text="Hi", **more):
    return carrying("listener.tell", js({"listener": 0, "text": text}), expect, header={"objects": [name]}, **more)


def release(name, **more):
    return op("release", object=name, **more)


def own(name):
    return carrying("listener.own", None, answer("0"), objects=[name])


RELEASE = service("Listener:release", b"", encoding="wire")
SERVICES = [service("Listener.told", number(7), encoding="wire"), service("Listener.ping", b"", encoding="wire"), RELEASE]


def callbacks(id, *steps, services=tuple(SERVICES), **more):
    return case(f"callbacks.{id}", "spec", *steps, plugin="operations", **({"services": list(services)} if services else {}), **more)


def failing(*, status, mode=None, **error):
    """The services, of which the function fails."""
    payload = js({"code": status, "message": "no", **error})
    return [service("Listener.told", payload, encoding="wire", status=status, mode=mode), RELEASE]


def lifetimes():
    """When the plugin releases an object of the host: once, with its last reference."""
    keep = carrying("listener.keep", "0", answer("null"), header={"objects": ["l"]})
    yield callbacks("released_by_the_host", new("l"), asked(), release("l"), asked(released(5)))
    yield callbacks("released_once_for_each_object", new("l"), new("m"), release("m"), asked(released(5)), tell("l", answer("7")),
                    asked(told(5, "Hi", 1)), release("l"), asked(released(5)), notes="Two objects may have one number.")
    yield callbacks("released_in_any_order", new("l", 1), new("m", 2**64 - 1), release("m"), asked(released(2**64 - 1)), release("l"),
                    asked(released(1)))
    yield callbacks("kept", new("l"), keep, release("l"), asked(), call("listener.tell_kept", '"a"', answer("7")), asked(told(5, "a", 3)),
                    call("listener.forget", None, answer("null")), asked(released(5)))
    yield callbacks("kept_and_replaced", new("l"), keep, release("l"), new("l", 6), keep, release("l"), asked(released(5)),
                    call("listener.tell_kept", '"a"', answer("7")), asked(told(6, "a", 3)))
    yield callbacks("kept_and_taken_back", new("l"), keep, release("l"), carrying("listener.take", None, answer("0"), objects=["m"]), asked(),
                    carrying("Listener:number", None, answer(number(5)), header={"objects": ["m"]}, encoding="wire"), release("m"), asked(released(5)))
    yield callbacks("kept_until_the_end", new("l"), keep, release("l"), op("close", expect={"status": "OK"}), asked(),
                    notes="The plugin's value is dropped when services can no longer be called; the host's client releases its object.")
    yield callbacks("released_without_the_service", new("l"), release("l"), asked(), call("listener.tell_kept", '"a"', answer("0")),
                    services=[service("Listener.told", number(7), encoding="wire")])


def cases():
    invalid = failure("INVALID_ARGUMENT")
    yield callbacks("called", new("l"), tell("l", answer("7")), asked(told(5, "Hi", 1)))
    yield callbacks("called_with_a_large_number", new("l", 2**63), tell("l", answer("7")), asked(told(2**63, "Hi", 1)))
    yield callbacks("called_with_the_wire_encoding", new("l"), carrying(
        "listener.tell", wire.encode("wire", PARAMETERS, {"listener": 0, "text": "é"}), answer(number(7)), header={"objects": ["l"]}, encoding="wire"),
        asked(told(5, "é", 1)))
    yield callbacks("called_later", new("l"), begin("a", "listener.tell_later", js({"listener": 0, "text": "x"}), header={"objects": ["l"]}),
                    end("a", answer("7")), asked(told(5, "x", 2)))
    yield callbacks("called_without_parameters", new("l"), carrying("listener.ping", "0", answer("null"), header={"objects": ["l"]}),
                    asked(("Listener.ping", {"hex": number(5).hex()})))
    yield callbacks("called_by_the_host", new("l"), carrying("Listener.told", js({"text": "x", "times": 4}), answer("7"), header={"objects": ["l"]}),
                    asked(told(5, "x", 4)), notes="The method of the object calls the service, too.")
    later = [service("Listener.told", number(7), encoding="wire", mode="later"), RELEASE]
    yield callbacks("answered_later", new("l"), tell("l", answer("7")), asked(told(5, "Hi", 1)), services=later)
    yield callbacks("several", new("l", 1), new("m", 2), tell("m", answer("7")), tell("l", answer("7")), asked(told(2, "Hi", 1), told(1, "Hi", 1)))

    deaf = {"type": "ListenerError.Deaf", "details": {"since": 2001}}
    yield callbacks("fails_with_an_error_of_its_type", new("l"), tell("l", failure(
        "FAILED_PRECONDITION", message="deaf since 2001", **deaf)), services=failing(status="FAILED_PRECONDITION", **deaf))
    yield callbacks("fails_with_another_error", new("l"), tell("l", failure("ABORTED", message="no", type="Other")),
                    services=failing(status="ABORTED", type="Other"))
    yield callbacks("fails_with_an_error_of_its_type_and_other_details", new("l"), tell("l", failure("FAILED_PRECONDITION", message="no")),
                    services=failing(status="FAILED_PRECONDITION", type="ListenerError.Deaf", details={"since": "ever"}))
    yield callbacks("throws", new("l"), tell("l", failure("INTERNAL", message_contains=["thrown"])), release("l"), asked(told(5, "Hi", 1), released(5)),
                    services=[service("Listener.told", mode="throw", encoding="wire"), RELEASE])
    yield callbacks("not_registered", new("l"), tell("l", failure("NOT_FOUND", type="rustbridge.NoSuchService", message_contains=["Listener.told"])),
                    services=[RELEASE])
    for name, response in {"nothing": b"", "cut": b"\1\0\0", "too_long": number(7) + b"\0"}.items():
        yield callbacks(f"answers_{name}", new("l"), tell("l", failure("INTERNAL")), release("l"), asked(told(5, "Hi", 1), released(5)),
                        services=[service("Listener.told", response, encoding="wire"), RELEASE])

    mine = carrying("Listener:number", None, answer(number(0)), header={"objects": ["o"]}, encoding="wire")
    yield callbacks("of_the_plugin", own("o"), tell("o", answer("2")), mine, release("o"), asked())
    yield callbacks("of_the_plugin_without_services", own("o"), tell("o", answer("2")), release("o"), services=())
    yield callbacks("of_the_plugin_fails_with_an_error_of_its_type", own("o"), carrying(
        "Listener.told", js({"text": "x", "times": 0}), failure("FAILED_PRECONDITION", type="ListenerError.Deaf", details={"since": 1999}),
        header={"objects": ["o"]}))
    swap = carrying("Listener.swap", "0", answer("null"), objects=[], header={"objects": ["o", "l"]})
    yield callbacks("of_the_plugin_keeps_the_hosts", own("o"), new("l"), {**swap, "request": {"text": "1"}}, release("l"), asked(),
                    release("o"), asked(released(5)))

    for name, request in {"nothing": b"", "cut": b"\5\0\0\0\0\0\0", "too_long": number(5) + b"\0", "zero": number(0)}.items():
        yield callbacks(f"new_with_{name}", carrying("Listener:new", request, invalid, encoding="wire"), asked())
    yield callbacks("another_type_of_object", carrying("card.open", '"a"', answer("0"), objects=["c"]), tell("c", invalid), asked())
    yield callbacks("an_object_that_is_released", new("l"), release("l"), tell("l", failure("NOT_FOUND")), asked(released(5)))
    yield callbacks("an_object_that_is_not_passed", call("listener.tell", js({"listener": 0, "text": "a"}), invalid))
    outside = failure("NOT_FOUND", type="rustbridge.NoSuchCall")
    for value in (0, 1, 2**64 - 1):
        yield callbacks(f"arguments_outside_of_a_call_{value}", carrying("Listener.swap:arguments", number(value), outside, encoding="wire"))
        absent = wire.encode("wire", ("tuple", "u64", ("opt", "u32")), (value, None))
        yield callbacks(f"return_outside_of_a_call_{value}", call("Listener.swap:return", absent, outside, encoding="wire"))
    yield from lifetimes()
