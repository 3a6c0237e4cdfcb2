"""The hand-written calls that ours are compared with: a C extension, and ctypes with prebuilt blocks of arguments."""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import os
import struct
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

from benchmarks import typed_floors
from benchmarks.clients import bench_client

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

SOURCES = [str(Path(__file__).with_name(name)) for name in ("floor_extension.c", "floor_typed.c")]
#: The functions of benches/floor, without their prefix.
FUNCTIONS = (
    "empty",
    "pod8",
    "nested",
    "small",
    "big",
    "add16",
    "echo_json",
    "small_json",
    "join",
    "raw_echo",
    "raw_fail",
    "div",
    "answer",
    "sum",
    "numbers",
    "blob",
    "later",
    "never",
    "abort",
    "count",
    "ticks",
    "adder_new",
    "adder_add",
    "adder_drop",
    "greet",
    "next_reading",
    "discount",
    "around",
    "twice",
)


def library(folder: Path) -> ctypes.CDLL:
    """Load the library of benches/floor."""
    names = {"win32": "floor.dll", "darwin": "libfloor.dylib"}
    path = folder / names.get(sys.platform, "libfloor.so")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: run `cargo build --release -p floor`")
    return ctypes.CDLL(str(path))


def compile_extension() -> Any:
    """Compile the C extension and import it; or the one that a cross compiler has made, if the environment names it."""
    path = os.environ.get("RUSTBRIDGE_FLOOR_EXTENSION")
    if path is None:
        folder = tempfile.mkdtemp(prefix="rustbridge-floor-")
        command = build_ext(Distribution({"ext_modules": [Extension("floor_extension", SOURCES)]}))
        command.build_lib = command.build_temp = folder
        command.ensure_finalized()
        command.run()
        path = command.get_outputs()[0]
    spec = importlib.util.spec_from_file_location("floor_extension", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no floor extension came out of {SOURCES}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Block(ctypes.Structure):
    """``struct floor_block`` of the C file."""

    _fields_ = (
        ("function", ctypes.c_uint64),
        ("request", ctypes.c_char_p),
        ("len", ctypes.c_uint64),
        ("response", ctypes.c_char_p),
        ("capacity", ctypes.c_uint64),
        ("response_len", ctypes.c_uint64),
    )


# Where the parts of a block are when it's seen as 64-bit words.
REQUEST, LEN, RESPONSE, CAPACITY, RESPONSE_LEN = range(1, 6)


#: What is told of an end: ``done(data, status, value)``.
Told = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32)


class Callback(ctypes.Structure):
    """Whom to tell of an end, as in benches/floor."""

    _fields_ = (("done", Told), ("data", ctypes.c_void_p))


class Waiting:
    """Who waits for what ends later: what completes takes the GIL, by ctypes, and tells the loop."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[Any, Any]] = {}
        # Kept alive, as every callback of ctypes has to be.
        self._done = Told(self._told)
        self.pack = struct.Struct("=i").pack

    def callback(self, soon: Any, set_result: Any) -> Callback:
        """Give one that is told by ``soon(set_result, answer)``."""
        number = next(self._numbers)
        self._waiting[number] = (soon, set_result)
        return Callback(self._done, number)

    def _told(self, data: int, status: int, value: int) -> None:
        soon, set_result = self._waiting.pop(data)
        soon(set_result, None if status else self.pack(value))


class Prepared:
    """One function behind one block, with room for both messages: for one thread, as no tool could assume."""

    def __init__(self, call: Callable[[Block], int], address: int, request: int, response: int) -> None:
        self.call = call
        self.source = (ctypes.c_char * request)()
        # Slices of it are bytes, which the stubs don't know.
        self.target: Any = (ctypes.c_char * response)()
        self.block = Block(address, None, request, None, response, 0)
        self.words = memoryview(self.block).cast("B").cast("Q")
        self.words[REQUEST] = ctypes.addressof(self.source)
        self.words[RESPONSE] = ctypes.addressof(self.target)


def uninitialised_bytes() -> Callable[[None, int], bytes]:
    """Give the function that makes bytes for C to write into, as nobody else has seen them yet.

    It costs more than a copy for a small response, and saves one for a large.
    """
    function = ctypes.pythonapi.PyBytes_FromStringAndSize
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_ssize_t], ctypes.py_object
    return function


class Floors:
    """All of them, over the functions in the library of benches/floor."""

    def __init__(self, folder: Path) -> None:
        self._library = library(folder)
        self._extension = compile_extension()
        self._waiting = Waiting()
        for name in FUNCTIONS:
            self._extension.bind(name, self._address(name))
        self._extension.bind_classes(bench_client)

    def native(self, name: str) -> Callable[..., Any]:
        """Give a function of the C extension, which does large messages as it does small ones."""
        found: Callable[..., Any] = getattr(self._extension, name.removesuffix("_large"))
        return found

    def by_hand(self, name: str) -> Callable[..., Any]:
        """Give the same call over ctypes, with a block of its own."""
        pods = {"pod8": (8, 8), "nested": (32, 32), "small": (76, 80), "big": (268, 272), "add16": (16, 8)}
        if name in pods:
            return self._pod(name, *pods[name])
        text = 17 << 20
        makers: dict[str, Callable[[], Callable[..., Any]]] = {
            "empty": lambda: self._pod("empty", 0, 0),
            "echo_json": lambda: self._text("echo_json", 4096),
            "echo_json_large": lambda: self._large_text("echo_json", text),
            "echo_utf8": lambda: self._utf8("echo_json", 256),
            "small_json": lambda: self._text("small_json", 256),
            "small_utf8": lambda: self._utf8("small_json", 256),
            "join_utf8": lambda: self._utf8("join", 256),
            "raw_echo": lambda: self._utf8("raw_echo", 10_000),
            "raw_echo_large": self._large_echo,
            "raw_fail": self._fail,
            "div": self._div,
            "answer": self._answer,
            "sum": self._sum,
            "numbers": lambda: self._counted("numbers", 8, 10_000),
            "blob": lambda: self._counted("blob", 1, 1 << 10),
            "blob_large": self._large_blob,
            "answer_bytes": lambda: self._pod("answer", 4, 4),
            "later": self._later,
            "never": self._never,
            "abort": self._abort,
            "count": lambda: self._range("count", 8192),
            "ticks": lambda: self._range("ticks", 128),
            "adder_new": self._adder_new,
            "adder_add": self._adder_add,
            "adder_drop": self._adder_drop,
            **{name: partial(maker, self._prepare) for name, maker in typed_floors.MAKERS.items()},
        }
        return makers[name]()

    def into(self, backend: str, name: str, request: bytes, room: bytearray) -> Callable[[], int]:
        """Give a call that always fills the same buffer; over ctypes its address is looked up once."""
        if backend == "native":
            function = self.native(f"{name}_into")

            def fast() -> int:
                return function(request, room)  # type: ignore[no-any-return]

            return fast
        made = self._prepare(name, 0, 0, keep_gil=name.startswith("pod"))
        view = (ctypes.c_char * len(room)).from_buffer(room)
        call, block, words = made.call, made.block, made.words
        block.request = request
        words[LEN], words[RESPONSE], words[CAPACITY] = len(request), ctypes.addressof(view), len(room)

        def run(_alive: object = view) -> int:
            if call(block):
                raise ValueError("the floor refused")
            return words[RESPONSE_LEN]

        return run

    def upcall(self, backend: str, function: Callable[[int], int]) -> int:
        """Give the bare address by which a plugin calls a function of Python's, on a thread that has no GIL."""
        if backend == "native":
            return self._extension.upcall(function)  # type: ignore[no-any-return]
        self._upcall = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(function)
        return ctypes.cast(self._upcall, ctypes.c_void_p).value or 0

    def _address(self, name: str) -> int:
        address = ctypes.cast(getattr(self._library, f"floor_{name}"), ctypes.c_void_p).value
        if address is None:
            raise LookupError(f"floor_{name} has no address")
        return address

    def _prepare(self, name: str, request: int, response: int, *, keep_gil: bool) -> Prepared:
        kind = ctypes.PyDLL if keep_gil else ctypes.CDLL
        call = kind(self._extension.__file__).floor_call_block
        call.argtypes, call.restype = [ctypes.POINTER(Block)], ctypes.c_int32
        return Prepared(call, self._address(name), request, response)

    def _pod(self, name: str, request_size: int, response_size: int) -> Callable[[bytes], bytes]:
        made = self._prepare(name, request_size, response_size, keep_gil=True)
        call, block, source, target = made.call, made.block, made.source, made.target

        def run(request: bytes) -> bytes:
            source.raw = request
            if call(block):
                raise ValueError("the floor refused")
            return target.raw  # type: ignore[no-any-return]

        return run

    def _text(self, name: str, capacity: int) -> Callable[[str], str]:
        made = self._prepare(name, capacity, capacity, keep_gil=False)
        call, block, words, source, target = made.call, made.block, made.words, made.source, made.target

        def run(message: str) -> str:
            request = message.encode()
            source.raw = request
            words[LEN] = len(request)
            if call(block):
                raise ValueError("the floor refused")
            return target[: words[RESPONSE_LEN]].decode()  # type: ignore[no-any-return]

        return run

    def _large_text(self, name: str, capacity: int) -> Callable[[str], str]:
        """Give one that copies no more than coding does, which for a small text takes longer than a copy."""
        made = self._prepare(name, 0, capacity, keep_gil=False)
        call, block, words, view = made.call, made.block, made.words, memoryview(made.target).cast("B")

        def run(message: str) -> str:
            block.request = request = message.encode()
            words[LEN] = len(request)
            if call(block):
                raise ValueError("the floor refused")
            return str(view[: words[RESPONSE_LEN]], "utf-8")

        return run

    def _utf8(self, name: str, capacity: int) -> Callable[[bytes], bytes]:
        made = self._prepare(name, capacity, capacity, keep_gil=False)
        call, block, words, source, target = made.call, made.block, made.words, made.source, made.target

        def run(request: bytes) -> bytes:
            source.raw = request
            words[LEN] = len(request)
            if call(block):
                raise ValueError("the floor refused")
            return target[: words[RESPONSE_LEN]]  # type: ignore[no-any-return]

        return run

    def _large_echo(self) -> Callable[[bytes], bytes]:
        made = self._prepare("raw_echo", 0, 0, keep_gil=False)
        call, block, words, new_bytes = made.call, made.block, made.words, uninitialised_bytes()

        def run(request: bytes) -> bytes:
            size = words[LEN] = words[CAPACITY] = len(request)
            block.request = request
            block.response = response = new_bytes(None, size)
            if call(block):
                raise ValueError("the floor refused")
            return response

        return run

    def _large_blob(self) -> Callable[[int], bytes]:
        made = self._prepare("blob", 4, 0, keep_gil=False)
        call, block, words, new_bytes = made.call, made.block, made.words, uninitialised_bytes()
        wanted = memoryview(made.source).cast("B").cast("I")

        def run(size: int) -> bytes:
            wanted[0] = words[CAPACITY] = size
            block.response = response = new_bytes(None, size)
            if call(block):
                raise ValueError("the floor refused")
            return response

        return run

    def _fail(self) -> Callable[[bytes], None]:
        made = self._prepare("raw_fail", 256, 256, keep_gil=False)
        call, block, words, source, target = made.call, made.block, made.words, made.source, made.target

        def run(request: bytes) -> None:
            source.raw = request
            words[LEN] = len(request)
            if call(block):
                raise ValueError(target[: words[RESPONSE_LEN]].decode())

        return run

    def _div(self) -> Callable[[int, int], float]:
        made = self._prepare("div", 16, 8, keep_gil=True)
        call, block = made.call, made.block
        numbers = memoryview(made.source).cast("B").cast("q")
        quotient = memoryview(made.target).cast("B").cast("d")

        def run(a: int, b: int) -> float:
            numbers[0] = a
            numbers[1] = b
            if call(block):
                raise ValueError("the floor refused")
            return quotient[0]

        return run

    def _answer(self) -> Callable[[int], int]:
        made = self._prepare("answer", 4, 4, keep_gil=True)
        call, block = made.call, made.block
        source, target = (memoryview(part).cast("B").cast("i") for part in (made.source, made.target))

        def run(value: int) -> int:
            source[0] = value
            if call(block):
                raise ValueError("the floor refused")
            return target[0]

        return run

    def _sum(self) -> Callable[[array[int]], int]:
        made = self._prepare("sum", 0, 8, keep_gil=True)
        call, block, words = made.call, made.block, made.words
        total = memoryview(made.target).cast("B").cast("q")

        def run(numbers: array[int]) -> int:
            words[REQUEST], count = numbers.buffer_info()
            words[LEN] = 8 * count
            if call(block):
                raise ValueError("the floor refused")
            return total[0]

        return run

    def _counted(self, name: str, unit: int, most: int) -> Callable[[int], bytes]:
        made = self._prepare(name, 4, unit * most, keep_gil=False)
        call, block, words, target = made.call, made.block, made.words, made.target
        wanted = memoryview(made.source).cast("B").cast("I")

        def run(count: int) -> bytes:
            wanted[0] = count
            if call(block):
                raise ValueError("the floor refused")
            return target[: words[RESPONSE_LEN]]  # type: ignore[no-any-return]

        return run

    def _later(self) -> Callable[[Any, Any, bytes], None]:
        call, callback = self._bare("later"), self._waiting.callback

        def run(soon: Any, set_result: Any, request: bytes) -> None:
            if call(ctypes.byref(callback(soon, set_result)), 0, request, len(request), None, 0, None):
                raise ValueError("the floor refused")

        return run

    def _never(self) -> Callable[[Any, Any], int]:
        call, callback, size = self._bare("never"), self._waiting.callback, ctypes.sizeof(ctypes.c_void_p)

        def run(soon: Any, set_result: Any) -> int:
            task = ctypes.c_void_p()
            if call(ctypes.byref(callback(soon, set_result)), 0, None, 0, ctypes.byref(task), size, None):
                raise ValueError("the floor refused")
            return task.value or 0

        return run

    def _abort(self) -> Callable[[int], None]:
        call = self._bare("abort")

        def run(task: int) -> None:
            if call(task, 0, None, 0, None, 0, None):
                raise ValueError("the floor refused")

        return run

    def _range(self, name: str, capacity: int) -> Callable[[int, int], bytes]:
        made = self._prepare(name, 16, capacity, keep_gil=False)
        call, block, words, target = made.call, made.block, made.words, made.target
        numbers = memoryview(made.source).cast("B").cast("Q")

        def run(begin: int, end: int) -> bytes:
            numbers[0] = begin
            numbers[1] = end
            if call(block):
                raise ValueError("the floor refused")
            return target[: words[RESPONSE_LEN]]  # type: ignore[no-any-return]

        return run

    def _adder_new(self) -> Callable[[], int]:
        call, size = self._bare("adder_new"), ctypes.sizeof(ctypes.c_void_p)

        def run() -> int:
            made = ctypes.c_void_p()
            if call(None, 0, None, 0, ctypes.byref(made), size, None):
                raise ValueError("the floor refused")
            return made.value or 0

        return run

    def _adder_add(self) -> Callable[[int, bytes], bytes]:
        call, target, size = self._bare("adder_add"), (ctypes.c_char * 4)(), ctypes.c_size_t()
        length: Any = ctypes.byref(size)

        def run(made: int, request: bytes) -> bytes:
            if call(made, 0, request, 4, target, 4, length):
                raise ValueError("the floor refused")
            return target.raw

        return run

    def _adder_drop(self) -> Callable[[int], None]:
        call = self._bare("adder_drop")

        def run(made: int) -> None:
            if call(made, 0, None, 0, None, 0, None):
                raise ValueError("the floor refused")

        return run

    def _bare(self, name: str) -> Any:
        """Give a function of the library as ctypes has it, with all its arguments."""
        call = getattr(self._library, f"floor_{name}")
        call.argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
        ]
        call.restype = ctypes.c_int32
        return call
