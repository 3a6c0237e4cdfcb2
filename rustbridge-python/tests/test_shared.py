"""Requests in memory that another thread writes to while a plugin reads them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    import rustbridge

    Script = Callable[..., subprocess.CompletedProcess[str]]


# `raw.text` looks at the whole text first and then goes through it from the end, so that it relies on what the
# beginning was for as long as it takes to read all of it, twice.
def test_a_text_that_changes_while_it_is_read_is_read_as_it_was(python: Script) -> None:
    result = python(
        f"""
        import sys, threading, rustbridge
        sys.setswitchinterval(1e-5)
        plugin = rustbridge.load({plugin_path("conformance-plugin")!r}, {{"label": "x"}})
        method = plugin.method("raw.text", "raw")
        text, room = bytearray(b"abcd" + ("é" * 20_000).encode()), bytearray(50_000)
        stop = threading.Event()
        def write():
            while not stop.is_set():
                text[:4] = b"abcd"
                for _ in range(20):
                    pass
                text[:4] = b"\\xa9\\xa9\\xa9\\xa9"
        def lease():
            with method.lease(text) as lease:
                return bytes(lease.view)
        ways = (
            lambda: method.call_raw(text),
            lambda: method.call_raw(memoryview(text).toreadonly()),
            lambda: bytes(room[:method.call_raw(text, room)]),
            lambda: bytes(room[:method.call_raw(text, into=room)]),
            lambda: plugin.call_raw("raw.text", text),
            lease,
        )
        writer = threading.Thread(target=write)
        writer.start()
        try:
            for way in ways:
                for _ in range(1_500):
                    try:
                        way().decode()
                    except rustbridge.InvalidArgumentError:
                        pass
        finally:
            stop.set()
            writer.join()
        plugin.close()
        print("all of them")
        """,
        dev=False,
    )
    assert result.stdout == "all of them\n"


def test_a_promise_that_nobody_writes_changes_no_answer(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    for size in (0, 10, 100_000):
        data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
        for request in (data, bytearray(data), memoryview(data), memoryview(bytearray(data))):
            assert echo.call_raw(request, unshared=True) == data
            assert echo.call_raw(request=request, unshared=False) == data
            room = bytearray(size)
            assert echo.call_raw(request, room, unshared=True) == size
            assert room == data
            with echo.lease(request, unshared=True) as lease:
                assert lease.view == data
            assert conformance.call_raw("raw.echo", request, unshared=True) == data
            with conformance.call_raw_zero_copy("raw.echo", request, unshared=True) as lease:
                assert echo.call_raw(lease.view) == data


def test_a_pod_in_memory_of_others_is_read_whole(hello: rustbridge.Plugin) -> None:
    add = hello.method("math.add", "pod")
    request = bytearray(b"x" + struct.pack("=qq", 40, 2))
    assert add.call_raw(memoryview(request)[1:]) == struct.pack("=q", 42)
    assert add.call_raw(memoryview(request)[1:], unshared=True) == struct.pack("=q", 42)


def test_the_promise_is_given_by_its_name(hello: rustbridge.Plugin) -> None:
    add = hello.method("math.add", "pod")
    with pytest.raises(TypeError):
        add.call_raw(bytes(16), None, True)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        add.call_raw(bytes(16), shared=True)  # type: ignore[call-overload]
