"""Statuses and the exceptions they become."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import Status
from rustbridge._errors import error_from_payload
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]

FAILURES = [status for status in Status if status is not Status.OK]


@pytest.mark.parametrize("status", FAILURES)
def test_every_status_has_an_exception_of_its_own(status: Status, conformance: rustbridge.Plugin) -> None:
    with pytest.raises(rustbridge.error_class(status)) as caught:
        conformance.call("status.fail", {"status": status.name, "message": "as asked"})
    error = caught.value
    assert type(error) is rustbridge.error_class(status)
    assert (error.status, error.message) == (status, "as asked")
    assert str(error).startswith(status.name)
    assert isinstance(error, rustbridge.PluginError)


@pytest.mark.parametrize("odd", ['"', "\\", "\n", "\0", "\x1f", " ", "!", "\x7f", "\x80", "ü", "🦀", '"\\"'])
def test_a_message_is_what_the_plugin_has_said_wherever_something_odd_is_in_it(
    conformance: rustbridge.Plugin, odd: str
) -> None:
    for before in range(20):
        for behind in (0, 1, 9):
            message = "x" * before + odd + "y" * behind
            with pytest.raises(rustbridge.NotFoundError) as caught:
                conformance.call("status.fail", {"status": "NOT_FOUND", "message": message})
            assert caught.value.message == message


def test_no_two_statuses_share_an_exception() -> None:
    assert len({rustbridge.error_class(status) for status in FAILURES}) == len(FAILURES) == 16


@pytest.mark.parametrize("status", FAILURES)
def test_a_class_with_a_message_has_its_own_status(status: Status) -> None:
    error = rustbridge.error_class(status)("no record 5")
    assert (error.status, error.message, error.type, error.details) == (status, "no record 5", "", {})
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.status, again.message) == (status, "no record 5")


def test_an_error_may_have_fields_without_a_status() -> None:
    error = rustbridge.NotFoundError("no record 5", type="Store.Missing", details={"id": 5})
    assert str(error) == "NOT_FOUND (Store.Missing): no record 5"
    assert error.details == {"id": 5}
    assert rustbridge.NotFoundError().status is Status.NOT_FOUND
    assert rustbridge.PluginError("somehow").status is Status.UNKNOWN
    with pytest.raises(TypeError, match="two messages"):
        rustbridge.NotFoundError("one", "two")  # type: ignore[call-overload]


def test_builtin_exceptions_catch_what_they_mean() -> None:
    pairs = {
        Status.INVALID_ARGUMENT: ValueError,
        Status.OUT_OF_RANGE: ValueError,
        Status.DEADLINE_EXCEEDED: TimeoutError,
        Status.NOT_FOUND: LookupError,
        Status.PERMISSION_DENIED: PermissionError,
        Status.UNIMPLEMENTED: NotImplementedError,
    }
    for status in FAILURES:
        error = rustbridge.error_class(status)(status, "why", "Kind", {"n": 1}, "trace")
        expected = pairs.get(status)
        assert expected is None or isinstance(error, expected)
        assert str(error) == f"{status.name} (Kind): why"


@pytest.mark.parametrize("status", FAILURES)
def test_an_exception_survives_pickling(status: Status) -> None:
    error = rustbridge.error_class(status)(status, "why", "Kind", {"n": [1]}, "trace")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert copy.__dict__ == error.__dict__


def test_a_payload_that_is_not_the_agreed_object_still_tells_something() -> None:
    assert error_from_payload(13, b"").message == "the call failed with status INTERNAL and no message"
    for payload in (b"just text", b"[1]", b"\xff\xfe", b'"x"', b"null"):
        error = error_from_payload(13, payload)
        assert error.message == payload.decode("utf-8", "replace")
    payload = b'{"message":1,"type":2,"details":[3],"backtrace":4}'
    odd = error_from_payload(3, payload)
    assert (odd.message, odd.type, odd.details, odd.backtrace) == (payload.decode(), "", {"details": [3]}, None)


def test_an_error_whose_details_are_nested_too_deep_for_python_is_an_error_all_the_same() -> None:
    payload = b'{"message": "it failed", "details": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    error = error_from_payload(Status.NOT_FOUND, payload)
    assert type(error) is rustbridge.NotFoundError
    assert error.message == payload.decode()


@pytest.mark.parametrize("code", [-1, 17, 255, 2**31 - 1, -(2**31)])
def test_a_status_from_a_newer_version_is_unknown(code: int) -> None:
    assert error_from_payload(code, b"{}").status is Status.UNKNOWN


def test_overflow_is_out_of_range_in_every_encoding(hello: rustbridge.Plugin) -> None:
    top = 2**63 - 1
    with pytest.raises(rustbridge.OutOfRangeError):
        hello.call("math.add", {"a": top, "b": 1})
    with pytest.raises(rustbridge.OutOfRangeError):
        hello.call_raw("math.add", struct.pack("=qq", top, 1), encoding="pod")


def test_a_panic_tells_its_message_and_place_and_the_instance_goes_on(load: Load) -> None:
    plugin = load("fault-plugin", {}, backtrace=True)
    with pytest.raises(rustbridge.InternalError) as caught:
        plugin.call("panic.call", {"message": "on purpose"})
    error = caught.value
    assert (error.type, error.message) == ("panic", "on purpose")
    assert error.details["file"].endswith(".rs")
    assert error.details["line"] > 0
    assert error.backtrace
    assert plugin.state is rustbridge.State.ACTIVE


def test_a_poisoned_instance_refuses_and_its_neighbour_does_not(load: Load) -> None:
    poisoned = load("fault-plugin", {}, on_panic="poison")
    neighbour = load("fault-plugin", {})
    with pytest.raises(rustbridge.InternalError):
        poisoned.call("panic.call", {"message": "x"})
    assert poisoned.state is rustbridge.State.POISONED
    with pytest.raises(rustbridge.FailedPreconditionError):
        poisoned.call("count", None)
    neighbour.call("count", None)


def test_a_config_that_misses_a_field_names_it(backend: Any) -> None:
    with pytest.raises(rustbridge.InvalidArgumentError, match="label"):
        rustbridge.load(plugin_path("conformance-plugin"), {}, backend=backend)
    with pytest.raises(rustbridge.InvalidArgumentError):
        rustbridge.load(plugin_path("conformance-plugin"), "{not json", backend=backend)


def test_files_that_are_no_plugin_have_a_clear_status(tmp_path: Path, backend: Any) -> None:
    whole = Path(plugin_path("hello-plugin")).read_bytes()
    with pytest.raises(rustbridge.NotFoundError):
        rustbridge.load(tmp_path / "missing.so", backend=backend)
    for name, content in {"empty": b"", "text": b"not a library", "cut": whole[: len(whole) // 2]}.items():
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(rustbridge.InvalidArgumentError):
            rustbridge.load(file, backend=backend)
        with pytest.raises(rustbridge.InvalidArgumentError):
            rustbridge.load(content, backend=backend)
    with pytest.raises(rustbridge.PluginError):
        rustbridge.load(tmp_path, backend=backend)


@pytest.mark.parametrize(
    ("variant", "status"),
    [
        ("abi-major", Status.FAILED_PRECONDITION),
        ("short-table", Status.FAILED_PRECONDITION),
        ("null-table", Status.FAILED_PRECONDITION),
        ("null-function", Status.FAILED_PRECONDITION),
        ("no-symbol", Status.INVALID_ARGUMENT),
    ],
)
def test_a_plugin_of_another_shape_is_refused(variant: str, status: Status, backend: Any) -> None:
    with pytest.raises(rustbridge.PluginError) as caught:
        rustbridge.load(plugin_path(f"fault-{variant}"), backend=backend)
    assert caught.value.status is status, str(caught.value)
    assert caught.value.message


@pytest.mark.parametrize("text", [{"message": "x"}, 5, None])
def test_what_is_no_text_is_refused_in_the_same_words_by_both_backends(hello: rustbridge.Plugin, text: object) -> None:
    with pytest.raises(TypeError, match=f"call_json requires JSON text as str or bytes, not {type(text).__name__}"):
        hello.method("echo").call_json(text)  # type: ignore[arg-type]
