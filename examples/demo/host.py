"""A Python host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.

Usage: host.py {native,ctypes} PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR [FOLDER-OF-FLOOR-EXTENSION]
"""

from __future__ import annotations

import ctypes
import importlib
import json
import logging
import os
import statistics
import struct
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import rustbridge

ROUNDS = 201
BATCH = 500
TRANSPORT = {"native": "extension", "ctypes": "ctypes"}

ADD = struct.pack("=qq", 20, 22)
SMALL = struct.pack("=B3x64sII", 1, b"bench_key", 9, 1)
ECHO = '{"message":"Hello, World!"}'


def emit(backend: str, **fields: Any) -> None:
    # A single write, because log records are printed on a log thread.
    sys.stdout.write(json.dumps({"host": "Python", "transport": TRANSPORT[backend], **fields}) + "\n")
    sys.stdout.flush()


class Show(logging.Handler):
    """Prints every record that arrives from the plugin."""

    def __init__(self, backend: str) -> None:
        super().__init__(level=1)
        self.backend = backend

    def emit(self, record: logging.LogRecord) -> None:
        more = record.rustbridge  # type: ignore[attr-defined]
        text = f"{record.levelname} {more['target']}: {record.getMessage()} {json.dumps(more['fields'])}"
        emit(self.backend, event="log", text=text)


def bare_ctypes(floor_path: str) -> tuple[str, dict[str, Callable[[Any], Any]]]:
    """Return the name and functions of a hand-written ctypes binding: types are declared once, and buffers are allocated once."""
    floor = ctypes.CDLL(floor_path)
    response = ctypes.create_string_buffer(4096)
    length = ctypes.c_size_t()
    length_pointer = ctypes.pointer(length)
    window = memoryview(response)

    def function(name: str) -> Callable[..., int]:
        found = getattr(floor, name)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        found.argtypes = [pointer, ctypes.c_uint32, ctypes.c_char_p, size, ctypes.c_char_p, size, ctypes.POINTER(ctypes.c_size_t)]
        found.restype = ctypes.c_int32
        return found

    def raw(name: str) -> Callable[[bytes], bytes]:
        call = function(name)

        def run(request: bytes) -> bytes:
            if call(None, 0, request, len(request), response, 4096, length_pointer) != 0:
                raise RuntimeError(name)
            return bytes(window[: length.value])

        return run

    echo_call = function("floor_echo_json")

    def echo(text: str) -> str:
        request = text.encode()
        if echo_call(None, 0, request, len(request), response, 4096, length_pointer) != 0:
            raise RuntimeError("floor_echo_json")
        return str(window[: length.value], "utf-8")

    return "ctypes by hand, 7 arguments", {"echo": echo, "math.add": raw("floor_add16"), "bench.small": raw("floor_small")}


def bare_extension(folder: str) -> tuple[str, dict[str, Callable[[Any], Any]]]:
    """Return the name and functions of a hand-written C extension."""
    sys.path.insert(0, folder)
    floor = importlib.import_module("floor_extension")
    return "C extension by hand", {"echo": floor.echo_json, "math.add": floor.add16, "bench.small": floor.small}


def batch(function: Callable[[Any], Any], request: Any) -> float:
    start = perf_counter_ns()
    for _ in range(BATCH):
        function(request)
    return (perf_counter_ns() - start) / BATCH


def compare(ours: Callable[[Any], Any], bare: Callable[[Any], Any], request: Any) -> dict[str, float]:
    """Time both calls in alternating batches, so that both run under the same conditions, and return the medians."""
    batch(ours, request)
    batch(bare, request)
    pairs = [(batch(ours, request), batch(bare, request)) for _ in range(ROUNDS)]
    return {"ns": statistics.median(p[0] for p in pairs), "bare_ns": statistics.median(p[1] for p in pairs)}


def main() -> None:
    backend, plugin_path, floor_path, *extension = sys.argv[1:]
    if hasattr(os, "add_dll_directory"):
        os.add_dll_directory(os.path.dirname(os.path.abspath(floor_path)))
    logger = logging.getLogger("demo")
    logger.setLevel(1)
    logger.propagate = False
    logger.addHandler(Show(backend))
    bare_name, bare = bare_extension(extension[0]) if extension else bare_ctypes(floor_path)

    with rustbridge.load(plugin_path, logger=logger, log_level=rustbridge.TRACE, backend=backend) as plugin:
        created = plugin.call("user.create", {"username": "ada", "email": "ada@example.com"})
        plugin.flush_logs()
        emit(backend, method="user.create", encoding="json", answer=json.dumps(created))
        try:
            plugin.call("math.add", {"a": 2**63 - 1, "b": 1})
        except rustbridge.OutOfRangeError as error:
            emit(backend, event="error", text=f"{type(error).__name__}: {error}")
        # Turn logging off, so that only the calls are timed.
        plugin.log_level = rustbridge.OFF
        for method, request in {
            "greet": {"name": "Ada"},
            "test.sleep": {"duration_ms": 5},
            "math.add": {"a": 20, "b": 22},
            "bench.small": {"key": "bench_key", "flags": 1},
        }.items():
            emit(backend, method=method, encoding="json", answer=json.dumps(plugin.call(method, request)))

        echo = plugin.method("echo").call_json
        emit(backend, method="echo", encoding="json", answer=echo(ECHO), bare=bare_name, **compare(echo, bare["echo"], ECHO))
        add = plugin.method("math.add", "pod").call_raw
        answer = f"result {struct.unpack('=q', add(ADD))[0]}"
        emit(backend, method="math.add", encoding="pod", answer=answer, bare=bare_name, **compare(add, bare["math.add"], ADD))
        small = plugin.method(1, "pod").call_raw
        _, value, length, ttl, _ = struct.unpack("=B3x64sIIB3x", small(SMALL))
        answer = f"value {value[:length].decode()}, ttl_seconds {ttl}"
        emit(backend, method="bench.small", encoding="pod", answer=answer, bare=bare_name, **compare(small, bare["bench.small"], SMALL))


if __name__ == "__main__":
    main()
