"""Every case of `conformance/`, in each of the ways Python has to call a method."""

from __future__ import annotations

import ctypes
import functools
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.cases import Json, all_cases, compare_error, compare_response, payload, same
from tests.plugins import plugin_path
from tests.recorder import Recorder, extra, quiet_logger
from tests.results import recorded

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = all_cases()
#: What Python's API can't express: see `needs` in the cases' README.
BEYOND = {"c-abi"}
EXPRESSIBLE = [case for case in CASES if not BEYOND & set(case.get("needs", []))]
LEVELS = {"TRACE": rustbridge.TRACE, "WARN": logging.WARNING, "OFF": rustbridge.OFF}


def level_number(name: str) -> int:
    return LEVELS.get(name) or int(getattr(logging, name))


def by_bytes(method: rustbridge.Method, request: bytes) -> bytes:
    return method.call_raw(request)


def by_buffer(method: rustbridge.Method, request: bytes) -> bytes:
    return method.call_raw(bytearray(request))


def by_lease(method: rustbridge.Method, request: bytes) -> bytes:
    with method.lease(request) as lease:
        return bytes(lease)


def by_text(method: rustbridge.Method, request: bytes) -> bytes:
    try:
        return method.call_json(request.decode()).encode()
    except UnicodeDecodeError:
        return method.call_json(request).encode()


WAYS: dict[str, Callable[[rustbridge.Method, bytes], bytes]] = {
    "bytes": by_bytes,
    "buffer": by_buffer,
    "lease": by_lease,
    "text": by_text,
}


def misaligned(request: bytes, offset: int) -> memoryview:
    """Copy the request to an address that is so much past a multiple of 16."""
    room = bytearray(len(request) + 32)
    start = (offset - ctypes.addressof(ctypes.c_char.from_buffer(room))) % 16
    room[start : start + len(request)] = request
    return memoryview(room)[start : start + len(request)]


class Run:
    """One case, run on instances of its own."""

    def __init__(self, case: Json, backend: str, way: Callable[[rustbridge.Method, bytes], bytes]) -> None:
        self.case = case
        self.backend = backend
        self.way = way
        self.instances: dict[str, rustbridge.Plugin] = {}
        self.recorders: dict[str, Recorder] = {}
        self.methods: dict[tuple[int, str | int, str], rustbridge.Method] = {}

    def config(self, instance: str) -> Any:
        if "config_bytes" in self.case:
            return payload(self.case["config_bytes"])
        if "instances" in self.case:
            return json.dumps(self.case["instances"][instance])
        return json.dumps(self.case["config"]) if "config" in self.case else None

    def load(self, instance: str) -> rustbridge.Plugin:
        logger, self.recorders[instance] = quiet_logger()
        level = self.case.get("logs", {}).get(instance, {}).get("level", "OFF")
        return rustbridge.load(
            plugin_path(f"{self.case['plugin']}-plugin"),
            self.config(instance),
            backend=self.backend,  # type: ignore[arg-type]
            on_panic=self.case.get("on_panic", "continue"),
            log_level=level_number(level),
            logger=logger,
        )

    def run(self) -> None:
        expected = self.case.get("load")
        if expected is not None:
            with pytest.raises(rustbridge.PluginError) as caught:
                self.load("a")
            compare_error(caught.value, expected)
            return
        try:
            for instance in self.case.get("instances", ["a"]):
                self.instances[instance] = self.load(instance)
            for step in self.case.get("steps", [self.case]):
                self.step(step)
            for instance, logs in self.case.get("logs", {}).items():
                self.compare_logs(instance, logs)
        finally:
            for plugin in self.instances.values():
                plugin.close()

    def step(self, step: Json) -> None:
        plugin = self.instances[step.get("instance", "a")]
        operation = step.get("op", "call")
        if operation == "state":
            assert plugin.state.value == step["expect"]["state"]
        elif operation == "log_level":
            plugin.log_level = level_number(step["level"])
        elif operation == "close":
            self.attempt(step["expect"], "call", lambda: plugin._backend.close(plugin.handle, 10_000))
        else:
            self.call(plugin, step)

    def call(self, plugin: rustbridge.Plugin, step: Json) -> None:
        expected = step["expect"]
        name = step["method_id"] if "method_id" in step else step["method"]
        key = (plugin.handle, name, step["encoding"])
        if key not in self.methods:
            prepared = self.attempt(expected, "prepare", lambda: plugin.method(name, step["encoding"]))
            if prepared is None:
                return
            self.methods[key] = prepared
        method = self.methods[key]
        request = payload(step.get("request"))
        for offset in step.get("misalign", []):
            placed = misaligned(request, offset)
            response = self.attempt(expected, "call", functools.partial(method.call_raw, placed))
            if response is not None:
                compare_response(response, expected.get("response"))
        for capacity in step.get("capacity", []):
            response = self.attempt(expected, "call", functools.partial(into, method, request, capacity))
            if response is not None:
                compare_response(response, expected.get("response"))
        if not step.get("misalign") and not step.get("capacity"):
            response = self.attempt(expected, "call", lambda: self.way(method, request))
            if response is not None:
                compare_response(response, expected.get("response"))

    def attempt(self, expected: Json, stage: str, act: Callable[[], Any]) -> Any:
        """Do it; the result, or None when it failed as expected."""
        try:
            result = act()
        except rustbridge.PluginError as error:
            assert expected["status"] != "OK", str(error)
            assert expected.get("stage", "call") == stage
            compare_error(error, expected)
            return None
        if stage == "call" or expected.get("stage") == "prepare":
            assert expected["status"] == "OK", f"it succeeded instead of failing with {expected['status']}"
        return result

    def compare_logs(self, instance: str, logs: Json) -> None:
        plugin = self.instances[instance]
        if plugin.state is not rustbridge.State.CLOSED:
            plugin.flush_logs(10)
        found = [record for record in self.recorders[instance].records if extra(record)["kind"] == "event"]
        assert [record.getMessage() for record in found] == [record["message"] for record in logs["records"]]
        for record, wanted in zip(found, logs["records"], strict=True):
            assert record.levelno == level_number(wanted["level"])
            if "target" in wanted:
                assert extra(record)["target"] == wanted["target"]
            if "fields" in wanted:
                assert same(extra(record)["fields"], wanted["fields"])
            if "spans" in wanted:
                assert [span["name"] for span in extra(record)["spans"]] == wanted["spans"]


def into(method: rustbridge.Method, request: bytes, capacity: int) -> bytes:
    """Call with storage of that size, which a pod's response must fit to begin with."""
    room = bytearray(max(capacity, method.response_size))
    try:
        length = method.call_raw(request, into=room)
    except rustbridge.ResponseTooLargeError as error:
        assert len(error.response) > capacity
        return error.response
    return bytes(room[:length])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", EXPRESSIBLE, ids=lambda case: case["id"])
def test_a_case_gives_what_every_host_must_get(case: Json, way: str, backend: str) -> None:
    if way == "text" and any(step.get("encoding") != "json" for step in case.get("steps", [case]) if "op" not in step):
        way = "bytes"
    with recorded(case["id"], backend):
        Run(case, backend, WAYS[way]).run()


def test_only_the_cases_beyond_a_typed_api_are_left_out() -> None:
    left_out = [case for case in CASES if case not in EXPRESSIBLE]
    assert len(left_out) == 17
    assert all(case["needs"] == ["c-abi"] for case in left_out)
