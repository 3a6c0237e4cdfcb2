"""Config of an instance: parsed by its type, refused with the reason. `state.config` answers with it."""

from ..build import answer, as_json, call, case, failure, raw, text

NAME = "config"

DEFAULTS = {"label": "l", "limit": None, "tags": [], "mode": "fast"}


def accepted(name, given, expected):
    return case(f"config.{name}", "serde", call("state.config", None, answer(as_json(expected))), config=given)


def refused(name, given, *contains, status="INVALID_ARGUMENT", provenance="serde", **error):
    if contains:
        error["message_contains"] = list(contains)
    where = {"config_bytes": given} if isinstance(given, dict) and ("text" in given or "hex" in given) else {"config": given}
    return case(f"config.{name}", provenance, load=failure(status, "load", **error), **where)


def cases():
    yield accepted("least", {"label": "l"}, DEFAULTS)
    yield accepted("everything", {"label": "größer 🦀", "limit": 4294967295, "tags": ["a", ""], "mode": "safe"},
                   {"label": "größer 🦀", "limit": 4294967295, "tags": ["a", ""], "mode": "safe"})
    yield accepted("null_option", {"label": "l", "limit": None}, DEFAULTS)
    yield refused("missing_field", {"limit": 1}, "label")
    yield case("config.none_given", "spec", load=failure("INVALID_ARGUMENT", "load", message_contains=["label"]),
               notes="No config is {}, which lacks the required field.")
    yield refused("empty_object", {}, "label")
    yield refused("unknown_field", {"label": "l", "lable": 1}, "lable")
    yield refused("wrong_type", {"label": 5})
    yield refused("number_too_large", {"label": "l", "limit": 4294967296})
    yield refused("unknown_variant", {"label": "l", "mode": "turbo"}, "turbo")
    yield refused("null", None)
    yield refused("list", [1])
    yield refused("array_of_fields", ["l"], "expected an object, found an array", provenance="spec")
    yield refused("text", "label")
    for name, written in {"not_json": "label = l", "cut": '{"label":', "trailing": '{"label":"l"} x', "duplicate": '{"label":"l","label":"m"}'}.items():
        yield refused(name, text(written), provenance="rfc8259" if name != "duplicate" else "serde")
    yield refused("not_utf8", raw(b'{"label":"\xff"}'), provenance="unicode")
    yield refused("deep", text('{"label":' + "[" * 10_000), provenance="serde")
    yield case("config.bytes_with_white_space", "rfc8259", call("state.config", None, answer(as_json(DEFAULTS))),
               config_bytes=text(' \n{ "label" : "l" }\t'))
    yield refused("refused_by_create", {"label": "refuse"}, status="PERMISSION_DENIED", type="CreateError.Refused",
                  message="label refuse is not allowed", details={"label": "refuse"}, provenance="spec")
    yield case("config.hello_needs_none", "spec", call("greet", '{"name":"n"}', answer(as_json({"greeting": "Hello, n! Welcome to rustbridge."}))),
               plugin="hello")
    yield case("config.each_instance_has_its_own", "spec",
               call("state.config", None, answer(as_json({**DEFAULTS, "label": "one"})), instance="a"),
               call("state.config", None, answer(as_json({**DEFAULTS, "label": "two"})), instance="b"),
               instances={"a": {"label": "one"}, "b": {"label": "two"}})
