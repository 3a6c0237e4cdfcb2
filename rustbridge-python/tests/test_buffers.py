"""Everything that has the buffer protocol, and what must not be taken for it."""

from __future__ import annotations

import array
import ctypes
import mmap
import struct
import sys
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]


class Add(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int64), ("b", ctypes.c_int64))


class Sum(ctypes.Structure):
    _fields_ = (("result", ctypes.c_int64),)


class Wrong(ctypes.Structure):
    _fields_ = (("result", ctypes.c_int32),)


@pytest.fixture
def add(hello: rustbridge.Plugin) -> rustbridge.Method:
    return hello.method("math.add", "pod")


def test_every_kind_of_buffer_is_a_request(add: rustbridge.Method) -> None:
    packed = struct.pack("=qq", 40, 2)
    mapped = mmap.mmap(-1, 16)
    mapped[:] = packed
    answer = struct.pack("=q", 42)
    for request in (
        packed,
        bytearray(packed),
        memoryview(packed),
        memoryview(b"x" + packed)[1:],
        array.array("q", [40, 2]),
        mapped,
        Add(40, 2),
        (ctypes.c_int64 * 2)(40, 2),
    ):
        assert add.call_raw(request) == answer
        with add.lease(request) as lease:
            assert bytes(lease.view) == answer
    mapped.close()


def test_a_read_only_mapping_is_a_request(conformance: rustbridge.Plugin, tmp_path: Any) -> None:
    file = tmp_path / "data"
    file.write_bytes(bytes(range(256)) * 16)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert conformance.call_raw("raw.echo", mapped) == bytes(range(256)) * 16


def test_a_structure_goes_in_and_a_structure_comes_out(add: rustbridge.Method, hello: rustbridge.Plugin) -> None:
    answer = add.call_raw(Add(40, 2), Sum)
    assert isinstance(answer, Sum)
    assert answer.result == 42
    assert hello.call_raw("math.add", Add(1, 2), Sum, encoding="pod").result == 3


def test_a_writable_buffer_takes_the_response(add: rustbridge.Method) -> None:
    for room in (bytearray(8), bytearray(20), array.array("q", [0]), Sum(), memoryview(bytearray(9))):
        assert add.call_raw(Add(40, 2), into=room) == 8
        assert bytes(room)[:8] == struct.pack("=q", 42)
    room = bytearray(8)
    assert add.call_raw(request=Add(1, 1), into=room) == 8
    assert add.call_raw(Add(1, 1), None) == struct.pack("=q", 2)


def test_a_response_may_go_where_its_request_was(add: rustbridge.Method, conformance: rustbridge.Plugin) -> None:
    room = bytearray(struct.pack("=qq", 40, 2))
    assert add.call_raw(room, into=room) == 8
    assert room[:8] == struct.pack("=q", 42)
    data = bytearray(b"abcdefgh")
    echo = conformance.method("raw.echo", "raw")
    assert echo.call_raw(memoryview(data)[:6], into=memoryview(data)[2:]) == 6
    assert data == b"ababcdef"


def test_sizes_that_do_not_fit_are_told_before_the_call(add: rustbridge.Method) -> None:
    with pytest.raises(ValueError, match="has 8 bytes, but Wrong has 4"):
        add.call_raw(Add(1, 2), Wrong)
    with pytest.raises(ValueError, match="has 8 bytes"):
        add.call_raw(Add(1, 2), into=bytearray(7))


def test_a_response_too_large_for_its_buffer_is_not_lost(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    room = bytearray(3)
    with pytest.raises(rustbridge.ResponseTooLargeError, match="5 bytes") as caught:
        echo.call_raw(b"hello", into=room)
    assert caught.value.response == b"hello"
    # As the message advises.
    room[:] = caught.value.response
    assert room == b"hello"
    with pytest.raises(ValueError, match="has 5 bytes, but Sum has 8"):
        echo.call_raw(b"hello", Sum)
    with pytest.raises(ValueError, match="has 9 bytes, but Sum has 8"):
        echo.call_raw(b"hello too", Sum)


def test_a_buffer_may_have_another_length_as_soon_as_a_call_has_failed(conformance: rustbridge.Plugin) -> None:
    fill, room = conformance.method("raw.fill", "raw"), bytearray(3)
    with pytest.raises(rustbridge.InvalidArgumentError) as caught:
        fill.call_raw(b"many", into=room)
    room.extend(caught.value.message.encode())
    assert fill.call_raw(b"5", into=room) == 5


def test_a_read_only_buffer_takes_no_response(add: rustbridge.Method) -> None:
    for room in (bytes(8), memoryview(bytes(8))):
        with pytest.raises(BufferError):
            add.call_raw(Add(1, 2), into=room)
    with pytest.raises(TypeError):
        add.call_raw(Add(1, 2), into=42)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        add.call_raw(Add(1, 2), int)


def test_a_buffer_with_gaps_is_refused(add: rustbridge.Method) -> None:
    gaps = memoryview(bytes(32))[::2]
    with pytest.raises(BufferError, match="contiguous"):
        add.call_raw(gaps)
    with pytest.raises(BufferError, match="contiguous"):
        add.lease(gaps)
    with pytest.raises(BufferError, match="contiguous"):
        add.call_raw(bytes(16), into=memoryview(bytearray(16))[::2])


def test_a_released_memoryview_is_refused(add: rustbridge.Method) -> None:
    view = memoryview(bytes(16))
    view.release()
    with pytest.raises(ValueError, match="released"):
        add.call_raw(view)


def test_a_wrong_size_has_a_clear_status(add: rustbridge.Method) -> None:
    for size in (0, 1, 8, 15, 17, 32, 100_000):
        for request in (bytes(size), bytearray(size)):
            with pytest.raises(rustbridge.InvalidArgumentError, match="16"):
                add.call_raw(request)
            with pytest.raises(rustbridge.InvalidArgumentError, match="16"):
                add.call_raw(request, into=bytearray(8))
            with pytest.raises(rustbridge.InvalidArgumentError, match="16"):
                add.lease(request)
    assert add.call_raw(bytes(16)) == bytes(8)


def test_a_misaligned_pod_is_read_all_the_same(add: rustbridge.Method) -> None:
    room = bytearray(40)
    for offset in range(16):
        room[offset : offset + 16] = struct.pack("=qq", 40, offset)
        assert add.call_raw(memoryview(room)[offset : offset + 16]) == struct.pack("=q", 40 + offset)


def test_nothing_goes_in_and_nothing_comes_out(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    assert echo.call_raw(b"") == b""
    assert echo.call_raw(bytearray()) == b""
    assert echo.call_raw(b"", into=bytearray(4)) == 0
    with echo.lease(b"") as lease:
        assert bytes(lease.view) == b""
        assert len(lease) == 0


def test_a_hundred_megabytes_arrive_whole(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    data = bytes(range(250)) * 400_000
    assert len(data) == 100_000_000
    assert echo.call_raw(data) == data
    with echo.lease(data) as lease:
        assert lease.view == data
    room = bytearray(len(data))
    assert echo.call_raw(data, into=room) == len(data)
    assert room == data


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a private mapping that costs no memory")
def test_a_length_past_32_bits_is_not_cut(conformance: rustbridge.Plugin) -> None:
    size = 2**32 + 10
    # Pages of a private mapping that nobody has written are one shared page of zeros.
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ) as mapped:
        # Unshared, because a copy of it would need the memory.
        assert conformance.call_raw("raw.sum", mapped, unshared=True) == struct.pack("<QQ", size, 0)


def test_a_request_is_not_kept_after_the_call(conformance: rustbridge.Plugin) -> None:
    echo = conformance.method("raw.echo", "raw")
    for size in (10, 5_000, 200_000):
        request = bytes(size)
        before = sys.getrefcount(request)
        for _ in range(10):
            echo.call_raw(request)
            echo.call_raw(memoryview(request))
            with echo.lease(request):
                pass
        assert sys.getrefcount(request) == before
        room = bytearray(size)
        echo.call_raw(room, into=bytearray(size))
        room.append(1)
