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


def queued(price):
    """Services that go to the host's queue."""
    quote = service("prices.quote", "99", mode="queue")
    get = service("prices.get", "250", mode="queue")
    ok = {"status": "OK"}
    gone = failure("UNAVAILABLE")
    yield asks("queued.awaited", begin("a", "service.quote", "5"), end("a", answer("99")), asked(("prices.quote", "5")), services=[quote])
    yield asks("queued.waited_for_elsewhere", begin("a", "service.total", "[1,2]", how="offload"), end("a", answer("500")),
               asked(("prices.get", "1"), ("prices.get", "2")), services=[get])
    yield asks("queued.by_a_task", begin("a", "service.task", "5"), end("a", answer("250")), asked(("prices.get", "5")), services=[get])
    refused = service("prices.quote", error("NOT_FOUND", "no such article", "PriceError.Unknown", id=7), mode="queue", status="NOT_FOUND")
    yield asks("queued.error", begin("a", "service.quote", "7"), end("a", failure(
        "NOT_FOUND", message="no such article", type="PriceError.Unknown", details={"id": 7})), services=[refused])
    yield asks("queued.by_who_drains", begin("b", "async.later", js({"text": ""})), end("b"), call("service.total", "[1]", failure(
               "FAILED_PRECONDITION", message_contains=["wait for itself"])), asked(), services=[get], notes="It would wait for itself.")
    yield asks("queued.cancelled_before_it_is_seen", begin("a", "service.quote", "5"), act("cancel", "a"), end("a", failure("CANCELLED")), asked(), services=[quote])
    yield asks("queued.the_callers_time_ends", begin("a", "service.quote", "5", header={"timeout_ms": 5}, how="callback"), op("close", timeout_ms=30_000, expect=ok),
               end("a", failure("DEADLINE_EXCEEDED")), services=[quote])
    yield asks("queued.abandoned", begin("a", "service.quote", "5", how="callback"), op("abandon"), end("a", gone), asked(),
               call("service.one", "5", gone), op("close", expect=ok), services=[quote, get],
               notes="What waits is answered that nobody will, and so is who asks later.")
    yield asks("queued.abandoned_while_a_thread_waits", begin("a", "service.total", "[1]", how="offload"), op("abandon"), op("close", expect=ok), asked(),
               services=[get], notes="The thread goes on, or closing wouldn't come to its end.")


def required():
    """A plugin that needs services, which loading names if they aren't there."""
    def needs(id, *steps, services=(), **more):
        more = {**more, "services": list(services)} if services else more
        return case(f"services.required.{id}", "spec", *steps, plugin="needy", **more)

    def lacks(*names):
        return failure("FAILED_PRECONDITION", "load", type="rustbridge.MissingService", message_contains=list(names))

    count, order = service("stock.count", "seven", encoding="raw"), service("stock.order", '{"id":1}')
    yield needs("none_there", load=lacks("`stock.count` (raw)", "`stock.order` (json)"), notes="Before `create`, so that it needs no code of its own.")
    yield needs("one_there", load=lacks("`stock.order` (json)"), services=[count])
    yield needs("in_another_encoding", load=lacks("`stock.count` (raw)"), services=[service("stock.count", '"seven"'), order])
    yield needs("by_another_name", load=lacks("`stock.count` (raw)", "`stock.order` (json)"),
                services=[service("stock.counts", "7", encoding="raw"), service("Stock.order", "7")])
    yield needs("all_there", call("count", "tea", answer("seven"), encoding="raw"), call("order", '{"tea":1}', answer('{"id":1}')),
                asked(("stock.count", "tea"), ("stock.order", '{"tea":1}')), services=[count, order])
    yield needs("and_one_that_it_can_do_without", call("count", "tea", answer("seven"), encoding="raw"), services=[service("stock.watch", "0"), order, count])


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
    again = service("prices.get", "service.one", mode="back")
    yield asks("nested_too_deep", call("service.one", "7", failure("RESOURCE_EXHAUSTED", type="rustbridge.NestedTooDeep")),
               asked(*[("prices.get", "7")] * 64), call("service.total", "[]", answer("0")), services=[again],
               notes="A service that calls the method that asks it. The 65th call is refused, and those before it pass that on.")
    thrown = failure("INTERNAL", message_contains=["thrown"])
    yield asks("throws", call("service.one", "7", thrown), asked(("prices.get", "7")), call("service.total", "[]", answer("0")),
               services=[service("prices.get", mode="throw")], notes="An exception is that call's status, and the host lives.")
    yield asks("throws_to_a_task", begin("a", "service.task", "7"), end("a", thrown), services=[service("prices.get", mode="throw")])
    yield asks("throws_and_nobody_is_poisoned", call("service.one", "7", thrown), op("state", expect={"state": "active"}),
               services=[service("prices.get", mode="throw")], on_panic="poison")
    yield from queued(price)
    yield from required()
    yield asks("two_instances_ask_their_own", call("service.total", "[1]", answer("250"), instance="a"),
               call("service.total", "[1,2]", answer("500"), instance="b"), op("asked", instance="b", expect=[["prices.get", {"text": "1"}],
               ["prices.get", {"text": "2"}]]), op("asked", instance="a", expect=[["prices.get", {"text": "1"}]]),
               services=[price], instances={"a": {}, "b": {}})
