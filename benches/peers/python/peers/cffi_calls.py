"""cffi over the library of `benches/floor`: as a compiled module (API mode) and by declarations alone (ABI mode).

Memory for requests and responses is kept from call to call, as one would who cares.
"""

from __future__ import annotations

import importlib
import os
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers.peer import ECHO, REASON, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS = ("empty", "pod8", "small", "echo_json", "div", "answer", "join", "sum", "blob", "raw_fail")
PARAMETERS = (
    "void *handle, uint32_t id, const void *request, size_t len, void *response, size_t capacity, size_t *response_len"
)
STRUCTS = """
    struct pair { int32_t a, b; };
    struct pair_answer { int32_t sum, xor; };
    struct key { uint8_t version, reserved[3]; char key[64]; uint32_t key_len, flags; };
    struct found {
        uint8_t version, reserved[3]; char value[64]; uint32_t value_len, ttl_seconds; uint8_t cache_hit, padding[3];
    };
    struct division { int64_t a, b; };
"""
DECLARATIONS = STRUCTS + "\n".join(f"int32_t floor_{name}({PARAMETERS});" for name in FUNCTIONS)
MODULE = "peer_cffi"


def floor_folder() -> Path:
    """Give the folder with the library, and on Windows with the one to link with."""
    return Path(os.environ["RUSTBRIDGE_PLUGIN_DIR"]).resolve()


def compile_module(folder: Path) -> None:
    """Compile the module of API mode into a folder."""
    from cffi import FFI

    builder = FFI()
    builder.cdef(DECLARATIONS)
    library = "floor.dll" if sys.platform == "win32" else "floor"
    builder.set_source(
        MODULE,
        "#include <stddef.h>\n#include <stdint.h>\n" + DECLARATIONS,
        libraries=[library],
        library_dirs=[str(floor_folder())],
        runtime_library_dirs=[] if sys.platform == "win32" else [str(floor_folder())],
    )
    builder.compile(tmpdir=str(folder))


class FloorError(Exception):
    """The function said no; the text is its message."""


class Cffi(Peer):
    """API mode, which cffi recommends: the calls are compiled C."""

    subject = "cffi"

    def __init__(self) -> None:
        self.ffi: Any = None
        self.library: Any = None

    def load(self) -> None:
        """Import the module that the build has compiled."""
        folder = Path(os.environ["RUSTBRIDGE_PEERS_DIR"]) / "cffi"
        sys.path.insert(0, str(folder))
        module = importlib.import_module(MODULE)
        self.ffi, self.library = module.ffi, module.lib

    def found_of(self, answer: Any) -> tuple[str, int, bool]:
        """Read the struct."""
        value = self.ffi.buffer(answer.value, answer.value_len)[:].decode()
        return value, answer.ttl_seconds, bool(answer.cache_hit)

    def empty(self) -> Callable[[], Any]:
        """Do nothing."""
        call, null = self.library.floor_empty, self.ffi.NULL
        return lambda: call(null, 0, null, 0, null, 0, null)

    def pod8(self) -> Callable[[], Any]:
        """Add two numbers of a struct that exists, into one that exists."""
        return self._structs(self.library.floor_pod8, "struct pair", {"a": 40, "b": 2}, "struct pair_answer")

    def small(self) -> Callable[[], Any]:
        """Look a key up, likewise."""
        key = {"version": 1, "key": b"bench_key", "key_len": 9, "flags": 1}
        return self._structs(self.library.floor_small, "struct key", key, "struct found")

    def echo(self) -> Callable[[], Any]:
        """Echo a text of JSON."""
        call = self._bytes(self.library.floor_echo_json, 256)
        return lambda: call(ECHO.encode()).decode()

    def primitive(self) -> Callable[[], Any]:
        """Divide two integers that are put into a struct within the timing."""
        call, null, len_ = self.library.floor_div, self.ffi.NULL, self.ffi.new("size_t *")
        request, response = self.ffi.new("struct division *"), self.ffi.new("double *")

        def divide() -> float:
            request.a, request.b = 10, 2
            if call(null, 0, request, 16, response, 8, len_):
                raise FloorError
            return response[0]  # type: ignore[no-any-return]

        return divide

    def sum_1000(self) -> Callable[[], Any]:
        """Add up numbers that exist."""
        return self._sum(1000)

    def sum_10000(self) -> Callable[[], Any]:
        """Add up more numbers that exist."""
        return self._sum(10_000)

    def error(self) -> Callable[[], Any]:
        """Fail, and read why."""
        call = self._bytes(self.library.floor_raw_fail, 256)

        def caught() -> str:
            try:
                call(REASON.encode())
            except FloorError as error:
                return str(error)
            return ""

        return caught

    def answer(self) -> Callable[[], Any]:
        """Ask with 23."""
        call, null, len_ = self.library.floor_answer, self.ffi.NULL, self.ffi.new("size_t *")
        request, response = self.ffi.new("int32_t *"), self.ffi.new("int32_t *")

        def ask() -> int:
            request[0] = 23
            if call(null, 0, request, 4, response, 4, len_):
                raise FloorError
            return response[0]  # type: ignore[no-any-return]

        return ask

    def blob_64k(self) -> Callable[[], Any]:
        """Get bytes, copied once from kept memory."""
        return self._blob(1 << 16)

    def blob_1m(self) -> Callable[[], Any]:
        """Get more bytes."""
        return self._blob(1 << 20)

    def _structs(self, call: Any, request_type: str, fields: dict[str, Any], response_type: str) -> Callable[[], Any]:
        ffi = self.ffi
        null, len_ = ffi.NULL, ffi.new("size_t *")
        request, response = ffi.new(request_type + " *", fields), ffi.new(response_type + " *")
        request_size, response_size = ffi.sizeof(request_type), ffi.sizeof(response_type)

        def run() -> Any:
            if call(null, 0, request, request_size, response, response_size, len_):
                raise FloorError
            return response

        return run

    def _bytes(self, call: Any, capacity: int) -> Callable[[bytes], bytes]:
        buffer, null, len_ = self.ffi.buffer, self.ffi.NULL, self.ffi.new("size_t *")
        response = self.ffi.new("char[]", capacity)

        def run(request: bytes) -> bytes:
            if call(null, 0, request, len(request), response, capacity, len_):
                raise FloorError(buffer(response, len_[0])[:].decode())
            return buffer(response, len_[0])[:]  # type: ignore[no-any-return]

        return run

    def _sum(self, count: int) -> Callable[[], Any]:
        ffi, call, null, len_ = self.ffi, self.library.floor_sum, self.ffi.NULL, self.ffi.new("size_t *")
        numbers, response, size = array("q", range(1, count + 1)), ffi.new("int64_t *"), 8 * count

        def run() -> int:
            if call(null, 0, ffi.from_buffer(numbers), size, response, 8, len_):
                raise FloorError
            return response[0]  # type: ignore[no-any-return]

        return run

    def _blob(self, size: int) -> Callable[[], Any]:
        call, number = self._bytes(self.library.floor_blob, size), size
        return lambda: call(number.to_bytes(4, "little"))


class CffiAbi(Cffi):
    """ABI mode: no compiler needed, and the arguments of every call are converted by libffi."""

    subject = "cffi abi"

    def load(self) -> None:
        """Open the library."""
        from cffi import FFI

        names = {"win32": "floor.dll", "darwin": "libfloor.dylib"}
        self.ffi = FFI()
        self.ffi.cdef(DECLARATIONS)
        self.library = self.ffi.dlopen(str(floor_folder() / names.get(sys.platform, "libfloor.so")))


if __name__ == "__main__":
    compile_module(Path(sys.argv[1]))
