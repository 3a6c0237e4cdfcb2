"""What a call carries and what comes back beside its response: time, metadata, trace, trailers."""

from ..build import answer, as_json, carrying, case, failure, js, raw

NAME = "carrying"

TRACE = {"id": raw(range(1, 17)), "span": raw(range(1, 9)), "flags": 1}
PARENT = "00-" + bytes(range(1, 17)).hex() + "-" + bytes(range(1, 9)).hex() + "-01"


def seen(deadline=False, metadata=(), trace=None, state=None):
    return answer(as_json({"has_deadline": deadline, "metadata": [list(pair) for pair in metadata], "trace": trace, "state": state}))


def carried(id, expect, method="call.carried", request=None, **more):
    fields = {name: more.pop(name) for name in ("needs", "notes") if name in more}
    return case(f"carrying.{id}", "spec", carrying(method, request, expect, **more), plugin="operations", **fields)


def cases():
    pairs = [["user", "ada"], ["user", "bob"], ["empty", ""], ["x-größe".encode("ascii", "ignore").decode(), "größer 🦀"]]
    for suffix in ("", "_later"):
        method = "call.carried" + suffix
        yield carried("nothing" + suffix, seen(), method, trailers=[])
        yield carried("a_deadline" + suffix, seen(deadline=True), method, header={"timeout_ms": 60_000})
        yield carried("metadata" + suffix, seen(metadata=pairs), method, header={"metadata": pairs}, trailers=pairs)
        yield carried("a_trace" + suffix, seen(trace=PARENT, state=""), method, header={"trace": TRACE})
        yield carried("a_trace_with_state" + suffix, seen(trace=PARENT, state="a=b"), method, header={"trace": {**TRACE, "state": "a=b"}})
        yield carried("everything" + suffix, seen(True, pairs, PARENT, "a=b"), method, trailers=pairs,
                      header={"timeout_ms": 60_000, "metadata": pairs, "trace": {**TRACE, "state": "a=b"}})
    late = failure("DEADLINE_EXCEEDED", type="rustbridge.DeadlineExceeded")
    yield carried("no_time_at_all", late, header={"timeout_ms": 0}, trailers=[])
    yield carried("no_time_at_all_for_an_async_method", late, "call.carried_later", header={"timeout_ms": 0})
    yield carried("the_time_ends_in_a_plain_method", failure("DEADLINE_EXCEEDED"), "call.sleep", js({"ms": 600_000}), header={"timeout_ms": 5})
    yield carried("the_time_ends_in_an_async_method", failure("DEADLINE_EXCEEDED"), "async.never", header={"timeout_ms": 5})
    yield carried("trailers_of_a_failure", failure("ABORTED", message="it had to be", details={"n": 7}), "call.fail",
                  trailers=[["why", "because"]])
    refused = failure("INVALID_ARGUMENT", type="rustbridge.InvalidContext")
    for name, odd in {"cut": "0100", "too_long": "00000000ff", "in_capitals": "010000000100000000000000" + "41",
                        "an_empty_key": "010000000000000000000000", "more_than_there_is": "02000000" + "01000000" + "00000000" + "61"}.items():
        yield carried(f"metadata_{name}", refused, header={"metadata_bytes": {"hex": odd}}, needs=["c-abi"])
    yield carried("metadata_of_no_pairs", seen(), header={"metadata_bytes": {"hex": "00000000"}}, needs=["c-abi"])
    zero = {"id": raw(bytes(16)), "span": raw(bytes(8)), "flags": 0}
    yield carried("a_trace_of_zeros", refused, header={"trace": zero}, needs=["c-abi"])
