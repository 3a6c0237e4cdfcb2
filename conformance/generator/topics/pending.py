"""Calls that end later: at once, after a while, cancelled, given up, failed, panicked; and streams of items in each direction."""

import struct

from .. import wire
from ..build import act, answer, as_json, begin, call, case, end, failure, items, js, op, raw, repeat, send, text

NAME = "pending"

MANY = (1000, 1 << 20)
WRONG = failure("INVALID_ARGUMENT")


def pending(id, *steps, **more):
    return case(f"pending.{id}", "spec", *steps, plugin="operations", **more)


def pods(*numbers):
    return [raw(struct.pack("<Q", number)) for number in numbers]


def numbers(*found):
    return [text(str(number)) for number in found]


def values(*found):
    return [text(f'{{"value":{number}}}') for number in found]


def calls():
    note = js({"text": "größer"})
    same = answer(as_json({"text": "größer"}))
    nobody = failure("NOT_FOUND")
    yield pending("ready", begin("a", "async.now", note), end("a", same))
    yield pending("later", begin("a", "async.later", note), end("a", same))
    yield pending("a_plain_method", begin("a", "call.carried"), end("a", trailers=[]))
    for size in (0, 1, 255, 256, 257, 4096, 1_000_000):
        yield pending(f"filled_{size}", begin("a", "async.fill", str(size), encoding="raw"), end("a", answer(repeat(text("x"), size))))
    yield pending("many_at_once", *[begin(f"a{i}", "async.later", js({"text": str(i)})) for i in range(16)],
                  *[end(f"a{i}", answer(as_json({"text": str(i)}))) for i in reversed(range(16))])
    yield pending("bad_request", begin("a", "async.later", "{"), end("a", WRONG))
    yield pending("no_such_method", begin("a", "async.nowhere", note), end("a", nobody))
    yield pending("fail", begin("a", "async.fail", js({"text": "broken"})),
                  end("a", failure("DATA_LOSS", message="broken", details={"n": 7})))
    for when in ("now", "later"):
        yield pending(f"panic_{when}", begin("a", f"async.panic_{when}", js({"text": "boom"})),
                      end("a", failure("INTERNAL", type="panic", message="boom")), begin("b", "async.later", note), end("b", same))
    yield pending("cancel", begin("a", "async.never"), act("cancel", "a"), end("a", failure("CANCELLED")),
                  call("async.dropped", None, answer("1")))
    yield pending("cancel_one_of_two", begin("a", "async.never"), begin("b", "async.later", note), act("cancel", "a"), end("b", same),
                  end("a", failure("CANCELLED")))
    yield pending("cancel_what_ended_at_once", begin("a", "async.now", note), act("cancel", "a", nobody), end("a", same))
    yield pending("detach", begin("a", "async.never"), act("detach", "a"), op("quiet", of="a"), op("close", expect={"status": "OK"}))
    yield pending("the_time_ends", begin("a", "async.never", header={"timeout_ms": 5}), end("a", failure("DEADLINE_EXCEEDED")),
                  call("async.dropped", None, answer("1")))
    yield pending("no_time_at_all", begin("a", "async.never", header={"timeout_ms": 0}), end("a", failure("DEADLINE_EXCEEDED")),
                  call("async.dropped", None, answer("0")))
    yield pending("metadata_and_trailers", begin("a", "call.carried_later", header={"metadata": [["k", "v"]]}), end("a", trailers=[["k", "v"]]))
    # Without it the judge would wait for the host, and the host for the method.
    offload = {"how": "offload"}
    yield pending("offloaded.plain", begin("a", "call.carried", **offload), end("a", trailers=[]))
    yield pending("offloaded.metadata_and_trailers", begin("a", "call.carried", header={"metadata": [["k", "v"]]}, **offload), end("a", trailers=[["k", "v"]]))
    yield pending("offloaded.cancelled", begin("a", "call.sleep", js({"ms": 600_000}), **offload), act("cancel", "a"), end("a", failure("CANCELLED")))
    yield pending("offloaded.the_time_ends", begin("a", "call.sleep", js({"ms": 600_000}), header={"timeout_ms": 5}, **offload),
                  end("a", failure("DEADLINE_EXCEEDED")))
    yield pending("offloaded.detached", begin("a", "call.sleep", js({"ms": 600_000}), **offload), act("detach", "a"), op("close", expect={"status": "OK"}))
    yield pending("offloaded.fails", begin("a", "call.fail", **offload), end("a", failure("ABORTED", message="it had to be", details={"n": 7}),
                  trailers=[["why", "because"]]))
    yield pending("offloaded.beside_others", *[begin(f"a{i}", "call.sleep", js({"ms": 600_000}), **offload) for i in range(4)],
                  begin("b", "async.later", note), end("b", same), *[act("cancel", f"a{i}") for i in range(4)],
                  *[end(f"a{i}", failure("CANCELLED")) for i in range(4)])
    yield pending("offloaded.async", begin("a", "async.later", note, **offload), end("a", same))
    yield pending("offloaded.async_ready", begin("a", "async.now", note, **offload), end("a", same))
    yield pending("offloaded.async_panics", begin("a", "async.panic_now", js({"text": "boom"}), **offload), end("a", failure("INTERNAL", type="panic", message="boom")))
    yield pending("offloaded.async_cancelled", begin("a", "async.never", **offload), act("cancel", "a"), end("a", failure("CANCELLED")))
    for method in ("numbers", "ticks"):
        yield pending(f"offloaded.{method}", begin("a", f"stream.{method}", js({"to": 5}), (2, 99), **offload), items("a", *numbers(0, 1)), op("quiet", of="a"),
                      op("demand", of="a", items=9, bytes=99), items("a", *numbers(2, 3, 4)), end("a", answer(None)))
        yield pending(f"offloaded.{method}_cancelled", begin("a", f"stream.{method}", js({"to": 10**15}), (2, 99), **offload), items("a", *numbers(0, 1)),
                      act("cancel", "a"), end("a", failure("CANCELLED")))
    yield pending("offloaded.close_waits", begin("a", "call.sleep", js({"ms": 600_000}), **offload), op("close", timeout_ms=5, expect=failure(
                  "DEADLINE_EXCEEDED", message_contains=["call.sleep"])), act("cancel", "a"), end("a", failure("CANCELLED")),
                  op("close", expect={"status": "OK"}))
    told = {"how": "callback"}
    yield pending("called_back.ready", begin("a", "async.now", note, **told), end("a", same))
    yield pending("called_back.later", begin("a", "async.later", note, **told), end("a", same))
    yield pending("called_back.a_plain_method", begin("a", "call.carried", **told), end("a", trailers=[]))
    yield pending("called_back.large", begin("a", "async.fill", "1000000", encoding="raw", **told), end("a", answer(repeat(text("x"), 1_000_000))))
    yield pending("called_back.metadata_and_trailers", begin("a", "call.carried_later", header={"metadata": [["k", "v"]]}, **told), end("a", trailers=[["k", "v"]]))
    yield pending("called_back.fail", begin("a", "async.fail", js({"text": "broken"}), **told), end("a", failure("DATA_LOSS", message="broken", details={"n": 7})))
    yield pending("called_back.panic", begin("a", "async.panic_later", js({"text": "boom"}), **told),
                  end("a", failure("INTERNAL", type="panic", message="boom")))
    yield pending("called_back.cancel", begin("a", "async.never", **told), act("cancel", "a"), end("a", failure("CANCELLED")))
    yield pending("called_back.detach", begin("a", "async.never", **told), act("detach", "a"), op("quiet", of="a"), op("close", expect={"status": "OK"}))
    yield pending("called_back.the_time_ends", begin("a", "async.never", header={"timeout_ms": 5}, **told), end("a", failure("DEADLINE_EXCEEDED")))
    yield pending("called_back.beside_a_queue", begin("a", "async.later", note, **told), begin("b", "async.later", note), end("a", same), end("b", same))
    for method in ("numbers", "ticks"):
        yield pending(f"called_back.{method}", begin("a", f"stream.{method}", js({"to": 5}), (2, 99), **told), items("a", *numbers(0, 1)), op("quiet", of="a"),
                      op("demand", of="a", items=9, bytes=99), items("a", *numbers(2, 3, 4)), end("a", answer(None)))
    yield pending("called_back.sum", begin("a", "items.sum", js({"value": 1}), **told), send("a", *values(2, 3)), act("finish", "a"),
                  end("a", answer(as_json({"value": 6}))))
    yield pending("called_back.closed", begin("a", "stream.ticks", js({"to": 10**15}), (2, 99), **told), items("a", *numbers(0, 1)),
                  op("close", expect={"status": "OK"}), end("a", failure("UNAVAILABLE")))
    yield pending("poison", begin("a", "async.never"), begin("b", "async.panic_later", js({"text": "boom"})),
                  end("b", failure("INTERNAL", type="panic")), end("a", failure("FAILED_PRECONDITION")),
                  op("state", expect={"state": "poisoned"}), begin("c", "async.now", note), end("c", failure("FAILED_PRECONDITION")),
                  on_panic="poison")


def ended():
    """What ends everything that's pending."""
    boom = [begin("p", "async.panic_later", js({"text": "boom"})), end("p", failure("INTERNAL", type="panic"))]
    refused = failure("FAILED_PRECONDITION")
    yield pending("poison_ends_streams", begin("a", "stream.numbers", js({"to": 10**15}), (1, 99)), begin("b", "stream.ticks", js({"to": 10**15}), (1, 99)),
                  begin("c", "items.sum", js({"value": 1})), items("a", *numbers(0)), items("b", *numbers(0)), *boom,
                  *[end(name, refused) for name in "abc"], op("close", expect={"status": "OK"}), on_panic="poison")
    clean = answer(as_json({"text": "cleaned up"}))
    none, one = call("async.dropped", None, answer("0")), call("async.dropped", None, answer("1"))
    # Not of an offloaded one, which may be cancelled before its handler has begun.
    for how in (None, "callback"):
        more = {"how": how} if how else {}
        name = f"_{how}" if how else ""
        yield pending(f"cleans_up_when_cancelled{name}", begin("a", "call.cleanup", **more), act("cancel", "a"), end("a", clean), none,
                      notes="Who waits to be told of it is polled once more, and may answer.")
    yield pending("cleans_up_when_closed", begin("a", "call.cleanup"), op("close", timeout_ms=30_000, cancel_after_ms=0, expect={"status": "OK"}), end("a", clean))
    yield pending("cleans_up_when_given_up", begin("a", "call.cleanup"), act("detach", "a"), begin("b", "async.later", js({"text": ""})), end("b"), none)
    yield pending("is_dropped_when_its_time_ends", begin("a", "call.cleanup", header={"timeout_ms": 5}), end("a", failure("DEADLINE_EXCEEDED")), one)


def streams():
    ok = answer(None)
    for name in ("numbers", "ticks"):
        method = f"stream.{name}"
        some = js({"to": 5})
        yield pending(f"{name}.all", begin("a", method, some, MANY), items("a", *numbers(0, 1, 2, 3, 4)), end("a", ok))
        yield pending(f"{name}.none", begin("a", method, js({"to": 0}), MANY), end("a", ok))
        yield pending(f"{name}.credit", begin("a", method, some, (2, 1 << 20)), items("a", *numbers(0, 1)), op("quiet", of="a"),
                      op("demand", of="a", items=1, bytes=0), items("a", *numbers(2)), op("quiet", of="a"),
                      op("demand", of="a", items=9, bytes=0), items("a", *numbers(3, 4)), end("a", ok))
        yield pending(f"{name}.credit_in_bytes", begin("a", method, some, (100, 2)), items("a", *numbers(0, 1)), op("quiet", of="a"),
                      op("demand", of="a", items=0, bytes=1), items("a", *numbers(2)), op("quiet", of="a"),
                      op("demand", of="a", items=0, bytes=100), items("a", *numbers(3, 4)), end("a", ok))
        yield pending(f"{name}.no_credit_at_first", begin("a", method, some), op("quiet", of="a"),
                      op("demand", of="a", items=9, bytes=99), items("a", *numbers(0, 1, 2, 3, 4)), end("a", ok))
        yield pending(f"{name}.error", begin("a", method, js({"to": 5, "fail_at": 2}), MANY), items("a", *numbers(0, 1)),
                      end("a", failure("DATA_LOSS", message="broken at 2")))
        yield pending(f"{name}.panic", begin("a", method, js({"to": 5, "panic_at": 2}), MANY), items("a", *numbers(0, 1)),
                      end("a", failure("INTERNAL", type="panic", message="boom at 2")))
        yield pending(f"{name}.cancel", begin("a", method, js({"to": 10**15}), (2, 1 << 20)), items("a", *numbers(0, 1)), act("cancel", "a"),
                      end("a", failure("CANCELLED")))
        yield pending(f"{name}.detach", begin("a", method, js({"to": 10**15}), (2, 1 << 20)), items("a", *numbers(0, 1)), act("detach", "a"),
                      op("close", expect={"status": "OK"}))
        yield pending(f"{name}.bad_request", begin("a", method, "[", MANY), end("a", WRONG))
        yield pending(f"{name}.two_at_once", begin("a", method, some, (1, 99)), begin("b", method, js({"from": 7, "to": 9}), MANY),
                      items("b", *numbers(7, 8)), end("b", ok), items("a", *numbers(0)), op("demand", of="a", items=9, bytes=99),
                      items("a", *numbers(1, 2, 3, 4)), end("a", ok))
        yield pending(f"{name}.by_postcard", begin("a", method, raw([1, 4, 0, 0]), MANY, encoding="postcard"),
                      items("a", raw([1]), raw([2]), raw([3])), end("a", ok))
        yield pending(f"{name}.called_as_if_it_were_one_answer", call(method, some, failure("UNIMPLEMENTED", type="rustbridge.StreamOnly")), needs=["operations"])
    yield pending("ticks.dropped_when_cancelled", begin("a", "stream.ticks", js({"to": 10**15}), (1, 99)), items("a", *numbers(0)),
                  act("cancel", "a"), end("a", failure("CANCELLED")), call("async.dropped", None, answer("1")))
    yield pending("ticks.the_time_ends", begin("a", "stream.ticks", js({"to": 10**15}), (0, 0), header={"timeout_ms": 5}),
                  end("a", failure("DEADLINE_EXCEEDED")))
    yield pending("refused_before_it_begins", begin("a", "stream.numbers", js({"from": 2, "to": 1}), MANY), end("a", WRONG))
    yield pending("pods", begin("a", "stream.pods", struct.pack("<Q", 3), MANY, encoding="pod"), items("a", *pods(0, 1, 2)), end("a", ok))
    yield pending("texts", begin("a", "stream.texts", "3", MANY, encoding="raw"), items("a", "x", "xx", "xxx"), end("a", ok))
    yield pending("an_item_beyond_the_window", begin("a", "stream.texts", "3", (9, 1), encoding="raw"), items("a", "x"), op("quiet", of="a"),
                  op("demand", of="a", items=0, bytes=1), items("a", "xx"), op("quiet", of="a"), op("demand", of="a", items=0, bytes=9),
                  items("a", "xxx"), end("a", ok), notes="One item may overdraw the bytes, and then has to be paid for.")
    yield pending("a_hundred_thousand", begin("a", "stream.numbers", js({"from": 10**6, "to": 10**6 + 1000}), (10**6, 1 << 30)),
                  items("a", *numbers(*range(10**6, 10**6 + 1000))), end("a", ok))


def encoded():
    """The same in each binary encoding."""
    span = ("struct", {"from": "u64", "to": "u64", "fail_at": ("opt", "u64"), "panic_at": ("opt", "u64")})
    number, note = ("struct", {"value": "u64"}), ("struct", {"text": "str"})
    for encoding in ("msgpack", "bincode", "postcard"):
        def of(kind, value, encoding=encoding):
            return raw(wire.encode(encoding, kind, value))

        def some(*values, of=of):
            return [of(number, {"value": value}) for value in values]

        text = of(note, {"text": "größer 🦀"})
        yield pending(f"{encoding}.later", begin("a", "async.later", text, encoding=encoding), end("a", answer(text)))
        for method in ("numbers", "ticks"):
            name = f"{encoding}.{method}"
            asked = {"from": 126, "to": 130, "fail_at": None, "panic_at": None}
            sent = [of("u64", value) for value in range(126, 130)]
            yield pending(name, begin("a", f"stream.{method}", of(span, asked), MANY, encoding=encoding), items("a", *sent), end("a", answer(None)))
            yield pending(f"{name}.error", begin("a", f"stream.{method}", of(span, {**asked, "fail_at": 127}), MANY, encoding=encoding),
                          items("a", sent[0]), end("a", failure("DATA_LOSS", message="broken at 127")))
            yield pending(f"{name}.panic", begin("a", f"stream.{method}", of(span, {**asked, "panic_at": 127}), MANY, encoding=encoding),
                          items("a", sent[0]), end("a", failure("INTERNAL", type="panic", message="boom at 127")))
        yield pending(f"{encoding}.sum", begin("a", "items.sum", *some(1), encoding=encoding), send("a", *some(2, 300)), act("finish", "a"),
                      end("a", answer(*some(303))))
        yield pending(f"{encoding}.sum.wrong_item", begin("a", "items.sum", *some(1), encoding=encoding), send("a", raw(b"")), end("a", WRONG))
        yield pending(f"{encoding}.double", begin("a", "items.double", None, MANY, encoding=encoding), send("a", *some(1, 64)), items("a", *some(2, 128)),
                      act("finish", "a"), end("a", answer(None)))


def incoming():
    def total(value):
        return answer(as_json({"value": value}))
    start = js({"value": 1})
    yield pending("sum.items", begin("a", "items.sum", start), send("a", *values(2, 3)), send("a", *values(4)), act("finish", "a"),
                  end("a", total(10)))
    yield pending("sum.none", begin("a", "items.sum", start), act("finish", "a"), end("a", total(1)))
    yield pending("sum.pods", begin("a", "items.sum", struct.pack("<Q", 1), encoding="pod"), send("a", *pods(2, 3)), act("finish", "a"),
                  end("a", answer(struct.pack("<Q", 6))))
    yield pending("sum.postcard", begin("a", "items.sum", raw([1]), encoding="postcard"), send("a", raw([2]), raw([3])), act("finish", "a"),
                  end("a", answer(raw([6]))))
    yield pending("sum.many", begin("a", "items.sum", start), *[send("a", *values(*range(10))) for _ in range(30)], act("finish", "a"),
                  end("a", total(1351)))
    yield pending("sum.error", begin("a", "items.sum", start), send("a", *values(2)),
                  act("finish", "a", status="ABORTED", payload=js({"code": "ABORTED", "message": "no more", "type": "Host.Gone"})),
                  end("a", failure("ABORTED", message="no more", type="Host.Gone")))
    yield pending("sum.wrong_item", begin("a", "items.sum", start), send("a", "no json"), end("a", WRONG))
    yield pending("sum.wrong_request", begin("a", "items.sum", "no json"), end("a", WRONG))
    yield pending("sum.cancel", begin("a", "items.sum", start), send("a", *values(2)), act("cancel", "a"), end("a", failure("CANCELLED")))
    yield pending("sum.beyond_what_is_asked_for", begin("a", "items.sum", start),
                  send("a", *values(*range(5000)), at_once=True, expect=failure("RESOURCE_EXHAUSTED")), act("cancel", "a"),
                  end("a", failure("CANCELLED")))
    yield pending("sum.after_the_end", begin("a", "items.sum", start), act("finish", "a"),
                  send("a", *values(2), at_once=True, expect=failure("FAILED_PRECONDITION")), end("a", total(1)), needs=["c-abi"])
    yield pending("first.ends_early", begin("a", "items.first"), send("a", *values(7)), end("a", total(7)))
    yield pending("first.none", begin("a", "items.first"), act("finish", "a"), end("a", failure("OUT_OF_RANGE")))
    yield pending("double.one_by_one", begin("a", "items.double", None, MANY), send("a", *values(1)), items("a", *values(2)),
                  send("a", *values(3, 4)), items("a", *values(6, 8)), act("finish", "a"), end("a", answer(None)))
    yield pending("double.credit", begin("a", "items.double", None, (1, 99)), send("a", *values(1, 2, 3)), items("a", *values(2)),
                  op("quiet", of="a"), op("demand", of="a", items=9, bytes=99), items("a", *values(4, 6)), act("finish", "a"),
                  end("a", answer(None)))
    yield pending("double.error", begin("a", "items.double", None, MANY), send("a", *values(1)), items("a", *values(2)),
                  act("finish", "a", status="DATA_LOSS", payload=js({"code": "DATA_LOSS", "message": "cut", "type": "Cut"})),
                  end("a", failure("DATA_LOSS", message="cut")))
    yield pending("double.cancel", begin("a", "items.double", None, MANY), send("a", *values(1)), items("a", *values(2)), act("cancel", "a"),
                  end("a", failure("CANCELLED")))
    yield pending("sends_where_nothing_is_taken", begin("a", "async.never"),
                  send("a", *values(1), at_once=True, expect=failure("UNIMPLEMENTED")), act("cancel", "a"), end("a", failure("CANCELLED")),
                  needs=["c-abi"])


def closing():
    ok = {"status": "OK"}
    waits = failure("DEADLINE_EXCEEDED")
    gone = failure("UNAVAILABLE")
    closed = op("state", expect={"state": "closed"})
    yield pending("close.waits_for_a_call", begin("a", "async.never"), op("close", timeout_ms=5, expect=failure(
                      "DEADLINE_EXCEEDED", message_contains=["async.never"])),
                  op("state", expect={"state": "closing"}), act("cancel", "a"), end("a", failure("CANCELLED")), op("close", expect=ok), closed)
    yield pending("close.nothing_begins_meanwhile", begin("a", "async.never"), op("close", timeout_ms=5, expect=waits),
                  begin("b", "async.now", js({"text": ""})), end("b", gone), act("detach", "a"), op("close", expect=ok), closed)
    yield pending("close.drains_a_call", begin("a", "async.later", js({"text": "x"})), op("close", expect=ok), end("a"), closed)
    for name, step in {"an_iterator": begin("a", "stream.numbers", js({"to": 10**15}), (2, 99)),
                       "a_stream": begin("a", "stream.ticks", js({"to": 10**15}), (2, 99))}.items():
        yield pending(f"close.ends_{name}", step, items("a", *numbers(0, 1)), op("close", expect=ok), end("a", gone), closed)
    yield pending("close.ends_a_stream_in", begin("a", "items.sum", js({"value": 1})), send("a", *values(2)), op("close", expect=ok),
                  end("a", gone), closed)
    yield pending("close.ends_a_stream_both_ways", begin("a", "items.double", None, MANY), send("a", *values(1)), items("a", *values(2)),
                  op("close", expect=ok), end("a", gone), closed)
    later = {"timeout_ms": 30_000, "cancel_after_ms": 5}
    cancelled = failure("CANCELLED")
    yield pending("close.cancels_after_a_time", begin("a", "async.never"), op("close", **later, expect=ok), end("a", cancelled), closed)
    yield pending("close.cancels_at_once", begin("a", "async.never"), begin("b", "async.never"),
                  op("close", timeout_ms=30_000, cancel_after_ms=0, expect=ok), end("a", cancelled), end("b", cancelled), closed)
    yield pending("close.cancels_what_was_offloaded", begin("a", "call.sleep", js({"ms": 600_000}), how="offload"), op("close", **later, expect=ok),
                  end("a", cancelled), closed)
    yield pending("close.cancels_what_a_function_is_told_of", begin("a", "async.never", how="callback"), op("close", **later, expect=ok), end("a", cancelled), closed)
    yield pending("close.cancels_and_ends_streams", begin("a", "stream.ticks", js({"to": 10**15}), (2, 99)), begin("b", "async.never"),
                  items("a", *numbers(0, 1)), op("close", **later, expect=ok), end("a", gone), end("b", cancelled), closed)
    yield pending("close.that_would_cancel_drains_first", begin("a", "async.later", js({"text": "x"})),
                  op("close", timeout_ms=30_000, cancel_after_ms=30_000, expect=ok), end("a"), closed)
    yield pending("close.is_over_before_it_would_cancel", begin("a", "async.never"), op("close", timeout_ms=5, cancel_after_ms=60_000, expect=waits),
                  op("state", expect={"state": "closing"}), op("close", timeout_ms=30_000, cancel_after_ms=0, expect=ok), end("a", cancelled), closed)
    yield pending("close.after_it_nothing_begins", op("close", expect=ok), begin("a", "async.now", js({"text": ""})), end("a", gone))


def abandoned():
    """The queue is closed: what's pending is given up, cancelled and never told of."""
    ok = {"status": "OK"}
    gone, closed = op("abandon"), op("state", expect={"state": "closed"})
    note = js({"text": "x"})
    same = answer(as_json({"text": "x"}))
    ends = [op("close", expect=ok), closed]
    yield pending("abandoned.a_call", begin("a", "async.never"), gone, op("quiet", of="a"), *ends)
    yield pending("abandoned.many", *[begin(f"a{i}", "async.never") for i in range(16)], gone, *ends)
    yield pending("abandoned.one_that_has_ended", begin("a", "async.fill", "1000", encoding="raw"), begin("b", "async.later", note), end("b", same), gone, *ends)
    yield pending("abandoned.an_offloaded_one", begin("a", "call.sleep", js({"ms": 600_000}), how="offload"), gone, op("quiet", of="a"), *ends)
    for name in ("numbers", "ticks"):
        yield pending(f"abandoned.{name}", begin("a", f"stream.{name}", js({"to": 10**15}), (2, 99)), items("a", *numbers(0)), gone, *ends)
    yield pending("abandoned.a_stream_in", begin("a", "items.sum", js({"value": 1})), send("a", *values(2)), gone, *ends)
    yield pending("abandoned.a_stream_both_ways", begin("a", "items.double", None, MANY), send("a", *values(1)), items("a", *values(2)), gone, *ends)
    yield pending("abandoned.others_go_on", begin("a", "async.never"), gone, begin("b", "async.later", note), end("b", same),
                  call("async.dropped", None, answer("1")), *ends)
    yield pending("abandoned.what_a_function_is_told_of_goes_on", begin("a", "async.never", how="callback"), begin("b", "async.never"), gone, op("quiet", of="a"),
                  act("cancel", "a"), end("a", failure("CANCELLED")), *ends)
    yield pending("abandoned.its_numbers_are_stale", begin("a", "stream.numbers", js({"to": 10**15}), (1, 99)), items("a", *numbers(0)), gone,
                  act("cancel", "a", failure("NOT_FOUND")), act("detach", "a", failure("NOT_FOUND")), *ends,
                  notes="An iterator runs on the threads of those who ask, so it's over when the queue is closed.")


def cases():
    yield from abandoned()
    yield from calls()
    yield from ended()
    yield from streams()
    yield from encoded()
    yield from incoming()
    yield from closing()
