"""Calls that end later: at once, after a while, cancelled, given up, failed, panicked."""

from ..build import act, as_json, answer, begin, case, end, failure, js

NAME = "pending"


def pending(id, *steps, **more):
    return case(f"pending.{id}", "spec", *steps, plugin="operations", **more)


def cases():
    note = js({"text": "größer"})
    same = answer(as_json({"text": "größer"}))
    yield pending("ready", begin("a", "async.now", note), end("a", same))
    yield pending("later", begin("a", "async.later", note), end("a", same))
