"""The hand-written calls that ours are compared with: a C extension, and ctypes with one prebuilt block."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).with_name("floor_extension.c")
FUNCTIONS = ("floor_pod8", "floor_small", "floor_big", "floor_echo_json")


def library(folder: Path) -> ctypes.CDLL:
    """Load the library of benches/floor."""
    names = {"win32": "floor.dll", "darwin": "libfloor.dylib"}
    path = folder / names.get(sys.platform, "libfloor.so")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: run `cargo build --release -p floor`")
    return ctypes.CDLL(str(path))


def extension(floor: ctypes.CDLL) -> Any:
    """Compile the C extension and bind it to the floor's functions."""
    folder = tempfile.mkdtemp(prefix="rustbridge-floor-")
    command = build_ext(Distribution({"ext_modules": [Extension("floor_extension", [str(SOURCE)])]}))
    command.build_lib = command.build_temp = folder
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("floor_extension", command.get_outputs()[0])
    if spec is None or spec.loader is None:
        raise ImportError(f"no floor extension came out of {SOURCE}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.bind(*(ctypes.cast(getattr(floor, name), ctypes.c_void_p).value for name in FUNCTIONS))
    return module


class Block(ctypes.Structure):
    """``struct floor_block`` of the C file."""

    _fields_ = (
        ("function", ctypes.c_uint64),
        ("request", ctypes.c_void_p),
        ("len", ctypes.c_uint64),
        ("response", ctypes.c_void_p),
        ("capacity", ctypes.c_uint64),
        ("response_len", ctypes.c_uint64),
    )


def by_hand(floor: ctypes.CDLL, module_file: str) -> Any:
    """Give the same calls over ctypes. One thread, one block, one size: no tool could know that much."""

    def prepare(name: str, keep_gil: bool, request_size: int, response_size: int) -> tuple[Any, ...]:
        kind = ctypes.PyDLL if keep_gil else ctypes.CDLL
        call = kind(module_file).floor_call_block
        call.argtypes, call.restype = [ctypes.POINTER(Block)], ctypes.c_int32
        source, target = (ctypes.c_char * request_size)(), (ctypes.c_char * response_size)()
        block = Block(
            ctypes.cast(getattr(floor, name), ctypes.c_void_p).value,
            ctypes.addressof(source),
            request_size,
            ctypes.addressof(target),
            response_size,
            0,
        )
        return call, block, memoryview(block).cast("B").cast("Q"), source, target

    def pod(name: str, request_size: int, response_size: int) -> Callable[[bytes], bytes]:
        call, block, _, source, target = prepare(name, True, request_size, response_size)

        def run(request: bytes) -> bytes:
            source.raw = request
            if call(block):
                raise ValueError("the floor refused")
            return target.raw  # type: ignore[no-any-return]

        return run

    def text(capacity: int) -> Callable[[str], str]:
        call, block, words, source, target = prepare("floor_echo_json", False, capacity, capacity)

        def run(message: str) -> str:
            request = message.encode()
            source.raw = request
            words[2] = len(request)
            if call(block):
                raise ValueError("the floor refused")
            return target[: words[5]].decode()  # type: ignore[no-any-return]

        return run

    return SimpleNamespace(
        pod8=pod("floor_pod8", 8, 8),
        small=pod("floor_small", 76, 80),
        big=pod("floor_big", 268, 272),
        echo=text(200_000),
    )
