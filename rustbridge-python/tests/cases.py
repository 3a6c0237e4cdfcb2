"""Reads the conformance cases and compares what came back with what they expect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "conformance" / "cases"

Json = dict[str, Any]


def all_cases() -> list[Json]:
    """Give every case of every file."""
    files = sorted(FOLDER.glob("*.json"))
    if not files:
        raise FileNotFoundError(f"no conformance cases in {FOLDER}")
    return [case for file in files for case in json.loads(file.read_text("utf-8"))["cases"]]


def payload(spec: Json | None) -> bytes:
    """Give the bytes a payload describes."""
    if spec is None:
        return b""
    if "text" in spec:
        return str(spec["text"]).encode()
    if "hex" in spec:
        return bytes.fromhex(spec["hex"])
    if "repeat" in spec:
        return payload(spec["repeat"]) * int(spec["count"])
    if "concat" in spec:
        return b"".join(payload(part) for part in spec["concat"])
    raise ValueError(f"not a payload: {spec}")


def same(found: Any, expected: Any) -> bool:
    """Tell whether two JSON values are equal: integers exactly, other numbers as doubles, booleans not as numbers."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(same(found[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(same(one, other) for one, other in zip(found, expected, strict=True))
        )
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None:
        return found is expected
    if isinstance(expected, (int, float)):
        return isinstance(found, (int, float)) and found == expected
    return bool(found == expected)


_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


def check(value: Any, rule: Json) -> None:
    """Assert one CHECK of the cases' README."""
    place = value
    for step in filter(None, rule["path"].split(".")):
        try:
            place = place[int(step)] if isinstance(place, list) else place[step]
        except (KeyError, IndexError, TypeError):
            assert rule.get("absent"), f"{rule['path']} is missing in {value!r}"
            return
    assert not rule.get("absent"), f"{rule['path']} is there in {value!r}"
    if "equals" in rule:
        assert same(place, rule["equals"]), f"{rule['path']} is {place!r}, expected {rule['equals']!r}"
    if "length" in rule:
        assert len(place) == rule["length"], f"{rule['path']} has length {len(place)}, expected {rule['length']}"
    if "type" in rule:
        assert isinstance(place, _TYPES[rule["type"]]), f"{rule['path']} is {place!r}, expected a {rule['type']}"
        assert isinstance(place, bool) == (rule["type"] == "boolean")
    if "min" in rule:
        assert place >= rule["min"]
    if "contains" in rule:
        assert rule["contains"] in place


def compare_response(found: bytes, expected: Json | None) -> None:
    """Assert that a response is the one expected."""
    if expected is None:
        return
    if "json" in expected:
        assert same(json.loads(found), expected["json"]), f"{found[:500]!r} is not {expected['json']!r}"
    elif "checks" in expected:
        value = json.loads(found)
        for rule in expected["checks"]:
            check(value, rule)
    else:
        wanted = payload(expected)
        assert found == wanted, f"{found[:500]!r} is not {wanted[:500]!r}"


def compare_error(error: Any, expected: Json) -> None:
    """Assert that an exception is the one expected."""
    assert error.status.name == expected["status"], f"{error} instead of {expected['status']}"
    wanted = expected.get("error", {})
    if "type" in wanted:
        assert error.type == wanted["type"]
    if "message" in wanted:
        assert error.message == wanted["message"]
    for part in wanted.get("message_contains", []):
        assert part in error.message
    if "details" in wanted:
        assert same(error.details, wanted["details"]), f"{error.details!r} is not {wanted['details']!r}"
    if wanted.get("no_details"):
        assert error.details == {}
    whole: Json = {"code": error.status.name, "message": error.message, "type": error.type}
    if error.details:
        whole["details"] = error.details
    if error.backtrace is not None:
        whole["backtrace"] = error.backtrace
    for rule in wanted.get("checks", []):
        check(whole, rule)
