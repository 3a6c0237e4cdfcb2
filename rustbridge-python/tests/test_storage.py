"""How much storage a call is offered, and up to what size a leaf keeps the GIL: the library's rules, followed."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

import rustbridge
from rustbridge import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

SIZES = (0, 1, 4095, 4096, 4097, 8192, 8193, 65_535, 65_536, 65_537, 262_144, 262_145, 1_000_000, 4097, 3)


def test_a_response_of_any_size_arrives_whole_whatever_came_before(conformance: rustbridge.Plugin) -> None:
    for name in ("raw.echo", "raw.leaf"):
        method = conformance.method(name, "raw")
        for size in SIZES:
            data = bytes(index * 7 % 251 for index in range(min(size, 1000))) * (size // 1000 + 1)
            data = data[:size]
            assert method.call_raw(data) == data
            assert method.call_raw(bytearray(data)) == data
            room = bytearray(size)
            assert method.call_raw(data, into=room) == size
            assert room == data


def test_a_response_is_whole_whether_or_not_it_is_as_long_as_those_before(conformance: rustbridge.Plugin) -> None:
    fill = conformance.method("raw.fill", "raw")
    for size in (
        5000,
        5000,
        5000,
        4999,
        5000,
        5000,
        9,
        5000,
        5000,
        70_000,
        70_000,
        70_000,
        0,
        70_000,
        300_000,
        300_000,
        300_000,
    ):
        assert fill.call_raw(str(size).encode()) == (bytes(range(251)) * (size // 251 + 1))[:size]
        # A failure tells its own, whatever was expected.
        with pytest.raises(rustbridge.InvalidArgumentError, match="`many` is no number"):
            fill.call_raw(b"many")


def test_text_of_any_size_arrives_whole_whatever_came_before(conformance: rustbridge.Plugin) -> None:
    value = conformance.method("types.value")
    for size in SIZES:
        text = '"' + "x" * size + '"'
        assert value.call_json(text) == text


def test_an_error_leaves_the_storage_as_it_was(conformance: rustbridge.Plugin) -> None:
    method = conformance.method("raw.leaf", "raw")
    failing = conformance.method("status.fail")
    for size in (10, 100_000, 10):
        data = bytes(size)
        assert method.call_raw(data) == data
        for _ in range(2):
            try:
                failing.call({"status": "ABORTED", "message": "x" * size})
            except Exception as error:
                assert str(error).endswith("x" * 10)


def test_an_error_leaves_a_pod_its_places(hello: rustbridge.Plugin) -> None:
    add = hello.method("math.add", "pod")
    for number in range(3):
        assert add.call_raw(struct.pack("=qq", number, 2)) == struct.pack("=q", number + 2)
        for _ in range(2):
            with pytest.raises(rustbridge.OutOfRangeError, match="9223372036854775807"):
                add.call_raw(struct.pack("=qq", 2**63 - 1, 1))
        with pytest.raises(rustbridge.InvalidArgumentError, match="15"):
            add.call_raw(bytes(15))


def test_storage_that_is_not_worth_keeping_is_not_kept_for_a_large_pod(load: Load, backend: str) -> None:
    if backend != "ctypes":
        pytest.skip("the extension has the answer of a pod written where it stays")
    from rustbridge import _abi, _ctypes_method

    plugin = load("fault-plugin", {})
    entry = getattr(plugin.method("raw.fill", "raw"), "_entry")  # noqa: B009
    size, kept = 1_000_000, 2**18
    prepared = _abi.PreparedMethod(48, entry, 0, Encoding.POD, len(str(size)), size, 0, size, kept)
    method = _ctypes_method.make(None, plugin.handle, "raw.fill", prepared)
    room = bytearray(size)
    for _ in range(2):
        answer = method.call_raw(str(size).encode())
        assert len(answer) == size
        assert method.call_raw(str(size).encode(), room) == size
        assert room == answer
    assert [len(block[2]) for block in method._blocks] == [kept]
    assert not method._pods  # type: ignore[attr-defined]
