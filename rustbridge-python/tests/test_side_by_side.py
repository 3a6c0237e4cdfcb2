"""What the guides that go side by side show of hosts in Python: `cargo xtask tidy` looks for it here."""

from __future__ import annotations

import asyncio
import ctypes
import logging

import pytest

import rustbridge
from rustbridge import CallOptions
from tests.plugins import plugin_path

library = plugin_path("hello-plugin")
operations = plugin_path("operations-plugin")


@pytest.fixture(autouse=True)
def _chosen(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSTBRIDGE_BACKEND", backend)


def test_a_call_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with rustbridge.load(library) as hello:
        try:
            hello.call("math.add", {"a": 2**63 - 1, "b": 1})
        except rustbridge.OutOfRangeError as error:
            print(f"{error.type}: {error.details['a']} is too large")
    assert capsys.readouterr().out == f"MathError.Overflow: {2**63 - 1} is too large\n"


def test_a_stream_that_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    with rustbridge.load(operations) as plugin:
        try:
            for number in plugin.stream("stream.numbers", {"from": 0, "to": 5, "fail_at": 3}):
                print(number)
        except rustbridge.DataLossError as broken:
            print(f"then {broken.status.name}")  # 0, 1, 2, then DATA_LOSS
    assert capsys.readouterr().out == "0\n1\n2\nthen DATA_LOSS\n"


def test_an_awaited_call_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        async with rustbridge.load(operations) as plugin:
            try:
                await plugin.call_async("async.fail", {"text": "gone"})
            except rustbridge.DataLossError as failed:
                print(failed.message, failed.details)  # gone {'n': 7}

    asyncio.run(main())
    assert capsys.readouterr().out == "gone {'n': 7}\n"


def test_a_panic() -> None:
    with rustbridge.load(operations, log_level="off") as plugin:
        try:
            plugin.call("async.panic_now", {"text": "oh"})
        except rustbridge.InternalError as error:
            said = (error.type, error.message, sorted(error.details))
    assert said == ("panic", "oh", ["column", "file", "line"])


def test_records(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("rustbridge.users").setLevel(logging.DEBUG)
    users = rustbridge.load(library, name="users")
    users.call("user.create", {"username": "ada", "email": "ada@example.org"})
    users.flush_logs(1)  # waits until all so far was delivered
    users.log_level = "warning"  # takes effect at once
    with users:
        [record] = [record for record in caplog.records if record.name.startswith("rustbridge.users")]
        print(record.getMessage(), vars(record)["rustbridge"]["fields"])
        assert record.name == "rustbridge.users.hello_plugin.hello"
        assert vars(record)["rustbridge"]["fields"]["username"] == "ada"
        assert users.log_level == logging.WARNING
    logging.getLogger("rustbridge.users").setLevel(logging.NOTSET)


def test_a_trace_goes_along() -> None:
    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with rustbridge.load(operations) as plugin:
        options = CallOptions(metadata={"user": "ada"}, trace=traceparent)
        carried = plugin.call("call.carried", None, options)
    assert carried["trace"] == traceparent
    assert carried["metadata"] == [["user", "ada"]]


class Add(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int64), ("b", ctypes.c_int64))


class Sum(ctypes.Structure):
    _fields_ = (("result", ctypes.c_int64),)


def test_structs_and_bytes_without_copies() -> None:
    hello = rustbridge.load(library)
    conformance = rustbridge.load(plugin_path("conformance-plugin"), {"label": "copies"})
    add = hello.method("math.add", encoding="pod")
    total = add.call_raw(Add(40, 2), Sum).result
    assert total == 42

    fill = conformance.method("raw.fill", encoding="raw")
    storage = bytearray(4096)
    length = fill.call_raw(b"1000", storage)
    assert length == 1000
    assert storage[999] == 999 % 251

    with fill.lease(b"100000") as lease:
        last = bytes(lease.view[-10:])  # a copy of ten bytes; the others stay in the plugin
    assert last == bytes(number % 251 for number in range(99_990, 100_000))
    assert lease.released
    conformance.close()
    hello.close()
