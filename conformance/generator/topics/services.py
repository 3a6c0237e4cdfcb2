"""What a plugin asks its host: found, missing, answered later, failed, and where it may not ask."""

from ..build import act, answer, begin, call, carrying, case, end, failure, js, op, service

NAME = "services"


def asks(id, *steps, services=(), **more):
    more = {**more, "services": list(services)} if services else {**more, "needs": ["services"]}
    return case(f"services.{id}", "spec", *steps, plugin="operations", **more)


def error(status, message, type, **details):
    out = {"code": status, "message": message, "type": type}
    return js({**out, "details": details} if details else out)


def asked(*pairs):
    return op("asked", expect=[[name, {"text": request}] for name, request in pairs])


def cases():
    price, later, never = service("prices.get", "250"), service("prices.get", "250", mode="later"), service("prices.get", mode="never")
    total = call("service.total", "[1,2]", answer("500"))
    both = asked(("prices.get", "1"), ("prices.get", "2"))
    ok = {"status": "OK"}
    yield asks("found", total, both, services=[price])
    yield asks("answered_later", total, both, services=[later])
    yield asks("none_asked_for", call("service.total", "[]", answer("0")), asked(), services=[price])
    yield asks("others_are_no_matter", total, services=[service("other", "1"), price, service("prices.get2", "1")])
    yield asks("raw", call("service.upper", "abc", answer("ABC"), encoding="raw"), asked(("prices.upper", "abc")),
               services=[service("prices.upper", "ABC", encoding="raw")])
    missing = failure("NOT_FOUND", type="rustbridge.NoSuchService", message_contains=["prices.get"])
    yield asks("missing", call("service.total", "[1]", missing))
    yield asks("missing_in_that_encoding", call("service.upper", "abc", failure("NOT_FOUND", type="rustbridge.NoSuchService"), encoding="raw"),
               services=[service("prices.upper", "\"ABC\"")])
    for mode in (None, "later"):
        refused = service("prices.get", error("NOT_FOUND", "no such article", "PriceError.Unknown", id=7), mode=mode, status="NOT_FOUND")
        yield asks("error_" + (mode or "now"), call("service.total", "[7]", failure(
            "NOT_FOUND", message="no such article", type="PriceError.Unknown", details={"id": 7})), services=[refused])
    yield asks("wrong_answer", call("service.total", "[1]", failure("INTERNAL", type="rustbridge.InvalidResponse",
               message_contains=["prices.get"])), services=[service("prices.get", "\"much\"")])
    yield asks("in_a_leaf_method", call("service.leaf", "1", failure("FAILED_PRECONDITION", type="rustbridge.ServiceInLeaf")), asked(),
               services=[price])
    for name in ("quote", "task"):
        asked_for = "prices.quote" if name == "quote" else "prices.get"
        for mode in (None, "later"):
            offered = service(asked_for, "99", mode=mode)
            yield asks(f"{name}_{mode or 'now'}", call(f"service.{name}", "5", answer("99")), asked((asked_for, "5")), services=[offered])
            yield asks(f"{name}_{mode or 'now'}_pending", begin("a", f"service.{name}", "5"), end("a", answer("99")), services=[offered])
    yield asks("quote_cancelled", begin("a", "service.quote", "5"), act("cancel", "a"), end("a", failure("CANCELLED")),
               services=[service("prices.quote", mode="never")])
    yield asks("the_callers_time_ends", carrying("service.total", "[5]", failure("DEADLINE_EXCEEDED"), header={"timeout_ms": 20}),
               services=[never])
    yield asks("the_callers_time_ends_while_it_awaits", begin("a", "service.quote", "5", header={"timeout_ms": 20}),
               end("a", failure("DEADLINE_EXCEEDED")), services=[service("prices.quote", mode="never")])
    yield asks("close_with_one_that_waits", begin("a", "service.quote", "5"), op("close", timeout_ms=20, expect=failure("DEADLINE_EXCEEDED")),
               act("cancel", "a"), end("a", failure("CANCELLED")), op("close", expect=ok), services=[service("prices.quote", mode="never")])
    yield asks("after_close", op("close", expect=ok), call("service.total", "[1]", failure("UNAVAILABLE")), asked(), services=[price])
    yield asks("two_instances_ask_their_own", call("service.total", "[1]", answer("250"), instance="a"),
               call("service.total", "[1,2]", answer("500"), instance="b"), op("asked", instance="b", expect=[["prices.get", {"text": "1"}],
               ["prices.get", {"text": "2"}]]), op("asked", instance="a", expect=[["prices.get", {"text": "1"}]]),
               services=[price], instances={"a": {}, "b": {}})
