"""What the binding has of the ABI, against the C headers: its numbers, its structures, the functions it calls."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import pytest

from rustbridge import Encoding, Status, _abi, _constants, _logging
from rustbridge._status import STATES
from tests.plugins import REPOSITORY

HEADERS = "\n".join(
    re.sub(r"/\*.*?\*/", "", (REPOSITORY / "include" / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in ("rustbridge_plugin.h", "rustbridge.h")
)
NUMBERS = {name: int(value, 0) for name, value in re.findall(r"#define RB_(\w+) (-?(?:0x)?[0-9a-fA-F]+)\b", HEADERS)}

STRUCTS: dict[str, type[ctypes.Structure]] = {
    "text": _abi.Text,
    "response": _abi.Response,
    "call_args": _abi.CallArgs,
    "log_record": _abi.LogRecord,
    "log_sink": _abi.LogSink,
    "load_options": _abi.LoadOptions,
    "method": _abi.PreparedMethod,
}

SIZES = {
    "uint8_t": 1,
    "uint32_t": 4,
    "int32_t": 4,
    "rb_status": 4,
    "rb_level": 4,
    "rb_encoding": 4,
    "rb_record_kind": 4,
    "uint64_t": 8,
    "rb_instance": 8,
    "size_t": ctypes.sizeof(ctypes.c_size_t),
    **{f"rb_{name}": ctypes.sizeof(kind) for name, kind in STRUCTS.items()},
}


def fields(struct: str) -> list[tuple[str, int]]:
    """Name and size of each field, as the header declares them."""
    [body] = re.findall(rf"typedef struct rb_{struct} {{(.*?)}} rb_{struct};", HEADERS, re.DOTALL)
    found = []
    for declaration in filter(None, (" ".join(part.split()) for part in body.split(";"))):
        function = re.fullmatch(r".*\(\*(\w+)\)\(.*\)", declaration)
        if function:
            found.append((function[1], ctypes.sizeof(ctypes.c_void_p)))
            continue
        kind, name, count = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", declaration).groups()  # type: ignore[union-attr]
        size = ctypes.sizeof(ctypes.c_void_p) if "*" in kind else SIZES[kind.strip()]
        found.append((name, size * int(count or 1)))
    return found


def test_statuses_and_encodings_have_the_headers_numbers() -> None:
    assert {status.name: NUMBERS[status.name] for status in Status} == {status.name: status for status in Status}
    encodings = {name.removeprefix("ENCODING_"): n for name, n in NUMBERS.items() if name.startswith("ENCODING_")}
    assert encodings.pop("BYTES") == 2**32 - 1
    assert encodings == {encoding.name: encoding for encoding in Encoding}


def test_states_have_the_headers_numbers() -> None:
    states = {name.removeprefix("STATE_"): number for name, number in NUMBERS.items() if name.startswith("STATE_")}
    assert states == {state.name: number for number, state in enumerate(STATES, 1)}


def test_levels_have_the_headers_numbers() -> None:
    for name in ("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"):
        assert _logging.to_abi(name) == NUMBERS[f"LOG_{name}"]
    assert _logging._KINDS[NUMBERS["RECORD_EVENT"]] == "event"
    assert _logging._KINDS[NUMBERS["RECORD_SPAN"]] == "span"


def test_flags_have_the_headers_numbers() -> None:
    constants = {name: value for name, value in vars(_constants).items() if name.isupper()}
    assert constants["METHOD_LEAF"] == 1
    assert constants == {name: NUMBERS[name] for name in constants}


@pytest.mark.parametrize("struct", STRUCTS)
def test_a_structure_is_the_headers(struct: str) -> None:
    kind: Any = STRUCTS[struct]
    assert fields(struct) == [(name, getattr(kind, name).size) for name, _ in kind._fields_]


def test_functions_take_as_many_arguments_as_the_header_says() -> None:
    for name, (_, arguments) in _abi._FUNCTIONS.items():
        [parameters] = re.findall(rf"\b{name}\(([^)]*)\);", HEADERS)
        count = 0 if parameters.strip() == "void" else parameters.count(",") + 1
        assert (name, len(arguments)) == (name, count)
