"""What a plugin says of its answers and can't be true: found out by the core, for every host alike, and the process lives."""

import struct

from ..build import act, answer, begin, call, case, end, failure, items, op, raw

NAME = "lies"

# Names of `CLAIMS` in plugins/lying-plugin/src/lib.rs, and what the error has to say of them. What's said of storage depends on
# how much there is of it, which hosts decide where a case doesn't.
LIES = {
    "one_beyond": "returned an invalid response",
    "million_beyond": "returned an invalid response",
    "most": "returned an invalid response",
    "negative": "9223372036854775808 bytes without a release",
    "all_ones": "18446744073709551615 bytes without a release",
    "null": "8 bytes at null without a release",
    "null_all_ones": "18446744073709551615 bytes without a release",
    "null_released": "8 bytes at null with a release",
    "constant": "8 bytes outside the caller's buffer without a release",
    "nowhere": "8 bytes outside the caller's buffer without a release",
    "released_negative": "9223372036854775808 bytes with a release",
    "released_all_ones": "18446744073709551615 bytes with a release",
    "released_storage": "1 bytes",
}
ODD = ("empty_null", "empty_nowhere", "empty_released")
REQUESTS = {"raw": b"12345678", "json": "{}", "pod": b"12345678"}
CAPACITIES = [1, 8, 64, 4096, 65536]


def lie(end, name, encoding, **more):
    says = [f"{end}.{name} ({encoding})", "plugin `lying`", LIES[name]]
    expect = failure("INTERNAL", type="rustbridge.InvalidResponse", message_contains=says)
    return call(f"{end}.{name}", REQUESTS[encoding], expect, encoding=encoding, **more)


def lies(id, *steps, **more):
    return case(f"lies.{id}", "spec", *steps, plugin="lying", **more)


def cases():
    for name in LIES:
        for ending in ("ok", "error", "panic"):
            yield lies(f"{ending}_{name}_raw", lie(ending, name, "raw", capacity=CAPACITIES))
            yield lies(f"{ending}_{name}_without_storage", lie(ending, name, "raw", capacity=[0]))
            yield lies(f"{ending}_{name}_json", lie(ending, name, "json"))
            yield lies(f"{ending}_{name}_pod", lie(ending, name, "pod"))
    for name in ODD:
        yield lies(f"ok_{name}", call(f"ok.{name}", b"12345678", answer(b""), encoding="raw", capacity=[0, *CAPACITIES]))
    yield lies("ok_silent", call("ok.silent", b"12345678", answer(b""), encoding="raw", capacity=[0, *CAPACITIES]),
               notes="A response that's left as it was has no bytes.")
    for number in (17, 255, 0x7FFFFEFF, -1, -(2**31)):
        yield lies(f"status_{number}".replace("-", "minus_"),
                   call("ok.status", struct.pack("<i", number), failure("UNKNOWN", message="odd"), encoding="raw", capacity=[0, 10, 1000]))
    for number in (0x100, 0x10D):
        yield lies(f"panicked_{number}", call("ok.status", struct.pack("<i", number), failure("INTERNAL", message="odd"), encoding="raw"))
    yield lies("after_lies_the_instance_goes_on",
               *(lie(ending, name, "raw") for ending in ("ok", "error") for name in LIES),
               call("ok.ticks", b"", answer(raw(b"\1" + bytes(7))), encoding="raw"),
               notes="The plugin has a thread of its own, too, which began when it was loaded.")
    yield lies("a_panic_that_lies_poisons", lie("panic", "one_beyond", "raw"), call("ok.ticks", b"", failure("FAILED_PRECONDITION"), encoding="raw"),
               on_panic="poison")
    yield from operations()


def operations():
    def lying(name, *steps, demand=None, suffix=""):
        return lies(f"op_{name}{suffix}", begin("a", f"op.{name}", b"", demand, encoding="raw"), *steps, call(
                    "ok.ticks", b"", answer(raw(b"\1" + bytes(7))), encoding="raw"))

    ok, late = {"status": "OK"}, answer("at last")
    cancelled = failure("CANCELLED")
    yield lying("stubborn", end("a", late))
    yield lying("stubborn", act("cancel", "a"), end("a", late), suffix="_cancelled")
    yield lying("stubborn", act("detach", "a"), suffix="_detached")
    yield lies("op_stubborn_closed", begin("a", "op.stubborn", b"", encoding="raw"), op("close", timeout_ms=5, expect=failure(
        "DEADLINE_EXCEEDED", message_contains=["op.stubborn"])), op("close", expect=ok), end("a", late))
    yield lies("op_stubborn_detached_and_closed", begin("a", "op.stubborn", b"", encoding="raw"), act("detach", "a"), op("close", timeout_ms=5, expect=failure(
        "DEADLINE_EXCEEDED", message_contains=["op.stubborn"])), op("close", expect=ok), op("state", expect={"state": "closed"}))
    yield lies("op_stubborn_time_ends", begin("a", "op.stubborn", b"", encoding="raw", header={"timeout_ms": 5}), end("a", late),
               notes="A plugin that doesn't look at its deadline is waited for: what it answers is what the call answers.")
    yield lying("twice", end("a", answer("first")))
    yield lying("early", end("a", answer("early")))
    yield lying("both", end("a", answer("started")))
    yield lying("late", end("a", answer("in time")))
    yield lying("forged", end("a", answer("its own")))
    yield lying("slow_cancel", act("cancel", "a"), end("a", cancelled))
    yield lying("odd_status", end("a", failure("UNKNOWN", message="odd")))
    yield lying("odd_response", end("a", failure("INTERNAL", type="rustbridge.InvalidResponse")))
    yield lying("panicked", end("a", failure("INTERNAL", message="boom", type="panic")))
    yield lies("op_panicked_poisons", begin("a", "op.panicked", b"", encoding="raw"), end("a", failure("INTERNAL")),
               op("state", expect={"state": "poisoned"}), on_panic="poison")
    yield lying("beyond", items("a", "0", "1"), end("a", answer("two")), demand=(2, 99))
    yield lying("beyond", items("a", "0", "1"), end("a", answer("two")), demand=(99, 2), suffix="_bytes")
    yield lying("odd_batch", items("a", "7"), end("a"), demand=(99, 99))
    yield lying("after_end", items("a", "1"), end("a"), demand=(99, 99))
    yield lying("no_stream", end("a", answer("refused")))
