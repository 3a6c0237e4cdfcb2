"""One call, ours and by hand: the budgets are on these."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    import rustbridge

PAIR = struct.pack("=ii", 40, 2)
SMALL = struct.pack("=B3x64sII", 1, b"bench_key", 9, 1)
ECHOES = {"json echo 13 B": "Hello, World!", "json echo 1 KB": "x" * 900, "json echo 100 KB": "x" * 100_000}


def big_request(conformance: rustbridge.Plugin) -> bytes:
    """Give a request of `pod.big` that the plugin takes."""
    size = conformance.method("pod.big", "pod").request_size
    return bytes(size)


@pytest.mark.parametrize("who", ["ours", "floor"])
def test_pod_8_8(who: str, conformance: rustbridge.Plugin, floor: Any, measure: Callable[..., None]) -> None:
    call = conformance.method("pod.add32", "pod").call_raw
    assert call(PAIR) == floor.pod8(PAIR)
    measure("pod 8/8", call if who == "ours" else floor.pod8, PAIR, floor=who == "floor")


@pytest.mark.parametrize("who", ["ours", "floor"])
def test_small_76_80(who: str, hello: rustbridge.Plugin, floor: Any, measure: Callable[..., None]) -> None:
    call = hello.method(1, "pod").call_raw
    assert call(SMALL) == floor.small(SMALL)
    measure("bench.small 76/80", call if who == "ours" else floor.small, SMALL, floor=who == "floor")


@pytest.mark.parametrize("who", ["ours", "floor"])
def test_small_76_80_with_its_request_built_inside(
    who: str, hello: rustbridge.Plugin, floor: Any, measure: Callable[..., None]
) -> None:
    function = hello.method(1, "pod").call_raw if who == "ours" else floor.small
    pack = struct.Struct("=B3x64sII").pack

    def call() -> Any:
        return function(pack(1, b"bench_key", 9, 1))

    measure("bench.small 76/80, request built inside", call, floor=who == "floor")


@pytest.mark.parametrize("who", ["ours", "floor"])
def test_pod_268_272(who: str, conformance: rustbridge.Plugin, floor: Any, measure: Callable[..., None]) -> None:
    call, request = conformance.method("pod.big", "pod").call_raw, big_request(conformance)
    assert call(request) == floor.big(request)
    measure("pod 268/272", call if who == "ours" else floor.big, request, floor=who == "floor")


@pytest.mark.parametrize("who", ["ours", "floor"])
@pytest.mark.parametrize("scenario", ECHOES)
def test_json_echo(scenario: str, who: str, hello: rustbridge.Plugin, floor: Any, measure: Callable[..., None]) -> None:
    text = json.dumps({"message": ECHOES[scenario]})
    call = hello.method("echo").call_json
    assert json.loads(call(text)) == json.loads(floor.echo(text))
    measure(scenario, call if who == "ours" else floor.echo, text, floor=who == "floor")


def test_json_echo_of_objects(hello: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    measure("json echo 13 B, object to object", hello.method("echo").call, {"message": "Hello, World!"})


def test_pod_8_8_into_a_buffer(conformance: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    call, room = conformance.method("pod.add32", "pod").call_raw, bytearray(8)

    def into() -> Any:
        return call(PAIR, room)

    measure("pod 8/8, into a buffer", into)


@pytest.mark.parametrize("size", [1_000, 100_000, 10_000_000])
def test_a_lease_of_a_raw_response(size: int, conformance: rustbridge.Plugin, measure: Callable[..., None]) -> None:
    method, request = conformance.method("raw.blob", "raw"), struct.pack("<I", size)

    def lease() -> Any:
        with method.lease(request) as lease:
            return lease.view[0]

    measure(f"lease {size}", lease)
