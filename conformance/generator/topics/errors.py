"""Failures a handler chooses: every status, messages of any text, types and details."""

from ..build import answer, call, case, failure, js

NAME = "errors"

# https://github.com/grpc/grpc/blob/master/doc/statuscodes.md, in numeric order from 1.
STATUSES = ("CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
            "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
            "DATA_LOSS", "UNAUTHENTICATED")


def message(name, words):
    return case(f"errors.message_{name}", "spec", call("status.fail", js({"status": "ABORTED", "message": words}),
                failure("ABORTED", message=words, no_details=True)))


def typed(name, request, expect):
    return case(f"errors.typed_{name}", "spec", call("error.typed", js(request), expect))


def cases():
    yield case("errors.status_ok", "grpc", call("status.fail", js({"status": "OK", "message": ""}), answer("null")))
    for status in STATUSES:
        yield case(f"errors.status_{status.lower()}", "grpc",
                   call("status.fail", js({"status": status, "message": f"asked for {status}"}),
                        failure(status, message=f"asked for {status}", no_details=True)))
    for words, name in (("", "empty"), ("größer 🦀", "unicode"), ('"quoted" \\ and\nnew line', "escapes"), ("a\0b", "nul"), ("x" * 4000, "long")):
        yield message(name, words)

    yield typed("fields", {"kind": "not_found"},
                failure("NOT_FOUND", type="CaseError.NotFound", message="user 42 (ada) does not exist", details={"user_id": 42, "name": "ada"}))
    yield typed("unit", {"kind": "busy"}, failure("RESOURCE_EXHAUSTED", type="CaseError.Busy", message="too busy", no_details=True))
    yield typed("tuple", {"kind": "invalid"},
                failure("INVALID_ARGUMENT", type="CaseError.Invalid", message="field age: -1", details={"0": "age", "1": -1}))
    yield typed("nested", {"kind": "conflict"},
                failure("ALREADY_EXISTS", type="CaseError.Conflict", message="conflict at (1, -2)",
                        details={"at": {"x": 1, "y": -2}, "tags": ["ä", "b"], "limit": None}))
    yield typed("wrapped", {"kind": "parse", "text": "12x"}, failure("INVALID_ARGUMENT", type="CaseError.Parse", message_contains=["invalid digit"]))
    yield case("errors.details_of_the_authors_own", "spec",
               call("error.details", js({"retry_after_ms": 250}),
                    failure("UNAVAILABLE", type="Retry", message="try later", details={"retry_after_ms": 250, "hint": "größer"})))
    yield case("errors.after_an_error_the_instance_goes_on", "spec",
               call("status.fail", js({"status": "DATA_LOSS", "message": "m"}), failure("DATA_LOSS")),
               call("types.value", "[1]", answer("[1]")))
