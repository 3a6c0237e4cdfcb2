"""How much storage a call is offered, and up to what size a leaf keeps the GIL: the library's rules, followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rustbridge

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
