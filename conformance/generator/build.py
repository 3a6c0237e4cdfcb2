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
    needs = {need for step in steps for need in needed(step)} | {need for one in more.get("services", ()) for need in offered(one)}
    if needs:
        out["needs"] = sorted(needs | set(out.get("needs", [])))
    if len(steps) == 1 and "op" not in steps[0]:
        out.update(steps[0])
    elif steps:
        out["steps"] = list(steps)
    return out


def op(name, **fields):
    return {"op": name, **fields}


def needed(step):
    """What a host needs for a step, beside the ordinary."""
    kind = step.get("op", "call")
    if kind in ("begin", "end", "items", "quiet", "cancel", "detach", "demand", "send", "finish"):
        yield "operations"
    if kind in ("begin", "with") and step.get("header", {}).keys() - {"objects"}:
        yield "header"
    if kind == "with" or "trailers" in expected(step):
        yield "header"
    if kind == "release" or "objects" in expected(step) or step.get("header", {}).get("objects"):
        yield "objects"
    if kind == "asked":
        yield "services"
    if kind == "abandon":
        yield "queues"
    if "cancel_after_ms" in step:
        yield "operations"
    if "how" in step:
        yield {"offload": "offload", "callback": "callbacks"}[step["how"]]


def offered(one):
    """What a host needs for a service."""
    yield "services"
    if one.get("mode") in ("queue", "throw"):
        yield {"queue": "queues", "throw": "exceptions"}[one["mode"]]


def expected(step):
    expect = step.get("expect", {})
    return expect if isinstance(expect, dict) else {}


def carrying(method, request=None, expect=None, trailers=None, objects=None, encoding="json", **more):
    """A call that carries something, or gives more than a response."""
    expect = dict(expect or {"status": "OK"})
    if trailers is not None:
        expect["trailers"] = trailers
    if objects is not None:
        expect["objects"] = objects
    return {"op": "with", **call(method, request, expect, encoding, **more)}


def begin(name, method, request=None, demand=None, encoding="json", **more):
    """Begins a call that `end(name, ..)` waits for."""
    step = {"op": "begin", "as": name, **call(method, request, None, encoding, **more)}
    del step["expect"]
    if demand:
        step["demand"] = list(demand)
    return step


def end(name, expect=None, trailers=None, objects=None, **more):
    expect = dict(expect or {"status": "OK"})
    if trailers is not None:
        expect["trailers"] = trailers
    if objects is not None:
        expect["objects"] = objects
    return op("end", of=name, **more, expect=expect)


def items(name, *wanted, objects=None, **more):
    expect = {"items": [item if isinstance(item, dict) else payload(item) for item in wanted]}
    if objects:
        expect["objects"] = objects
    return op("items", of=name, **more, expect=expect)


def act(kind, name, expect=None, **more):
    return op(kind, of=name, **more, **({"expect": expect} if expect else {}))


def send(name, *sent, expect=None, **more):
    return act("send", name, expect, items=[payload(item) for item in sent], **more)


def service(name, response=None, encoding="json", mode=None, status=None):
    out = {"name": name, "encoding": encoding}
    if mode:
        out["mode"] = mode
    if status:
        out["status"] = status
    if response is not None:
        out["answer"] = payload(response)
    return out
