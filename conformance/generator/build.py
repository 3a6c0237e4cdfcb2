"""The words the topics are written in: payloads, expectations, cases."""

import json

# What the conformance plugin needs at least; cases about config say their own.
CONFIG = {"label": "conformance"}


def text(value):
    return {"text": value}


def js(value):
    """A JSON text of `value`, compact, as a payload."""
    return text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def raw(data):
    return {"hex": bytes(data).hex()}


def repeat(payload, count):
    return {"repeat": payload, "count": count}


def concat(*payloads):
    return {"concat": list(payloads)}


def nested(opening, middle, closing, depth):
    """`depth` openings, the middle, `depth` closings."""
    return concat(repeat(text(opening), depth), text(middle), repeat(text(closing), depth))


def check(path, **what):
    return {"path": path, **what}


def payload(value):
    if isinstance(value, (bytes, bytearray)):
        return raw(value)
    return text(value) if isinstance(value, str) else value


def answer(value):
    """An expectation of success. A dict that is no payload is compared as JSON; bytes and text exactly."""
    expect = {"status": "OK"}
    if value is not None:
        expect["response"] = value if isinstance(value, dict) else payload(value)
    return expect


def as_json(value):
    return {"json": value}


def checks(*items):
    return {"checks": list(items)}


def failure(status, stage=None, **error):
    expect = {"status": status}
    if stage:
        expect["stage"] = stage
    if error:
        expect["error"] = error
    return expect


def call(method, request=None, expect=None, encoding="json", **more):
    step = {}
    if isinstance(method, int):
        step["method_id"] = method
    elif isinstance(method, bytes):
        step["method_bytes"] = raw(method)
    else:
        step["method"] = method
    step["encoding"] = encoding
    if request is not None:
        step["request"] = payload(request)
    step.update(more)
    step["expect"] = expect if expect is not None else {"status": "OK"}
    return step


def case(id, provenance, *steps, plugin=None, notes=None, **more):
    """One case. A single call is written flat; `more` holds fields of the case."""
    plugin = plugin or ("hello" if id.startswith("hello.") else "conformance")
    out = {"id": id, "plugin": plugin, "provenance": provenance}
    if notes:
        out["notes"] = notes
    if plugin == "conformance" and not {"config", "config_bytes", "instances", "load"} & more.keys():
        out["config"] = CONFIG
    out.update(more)
    if len(steps) == 1 and "op" not in steps[0]:
        out.update(steps[0])
    elif steps:
        out["steps"] = list(steps)
    return out


def op(name, **fields):
    return {"op": name, **fields}
