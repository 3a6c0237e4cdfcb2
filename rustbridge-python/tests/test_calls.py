"""Loading, calling, describing: what a first program does, and what it gets wrong."""

from __future__ import annotations

import copy
import json
import os
import pickle
import shutil
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import Encoding, State, _backend, _description
from tests.plugins import BACKENDS, plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[..., rustbridge.Plugin]


def test_an_object_goes_in_and_an_object_comes_out(hello: rustbridge.Plugin) -> None:
    assert hello.call("greet", {"name": "Ada"}) == {"greeting": "Hello, Ada! Welcome to rustbridge."}


def test_text_goes_in_and_text_comes_out(hello: rustbridge.Plugin) -> None:
    assert json.loads(hello.call_json("echo", '{"message": "größer 🦀"}')) == {"message": "größer 🦀", "length": 13}
    assert json.loads(hello.call_json("echo", b'{"message": "Hi"}')) == {"message": "Hi", "length": 2}


class OddText(str):
    __slots__ = ()

    def encode(self, *_: Any) -> Any:
        return bytearray(b"something else")


class OddBytes(bytes):
    __slots__ = ()

    def __len__(self) -> int:
        return 1

    def __bytes__(self) -> bytes:
        return self


def test_what_a_subclass_of_text_or_bytes_makes_of_itself_is_not_asked(hello: rustbridge.Plugin) -> None:
    for text in (OddText('{"message": "Hi"}'), OddBytes(b'{"message": "Hi"}')):
        assert json.loads(hello.call_json("echo", text)) == {"message": "Hi", "length": 2}
    assert json.loads(hello.method("echo").call_raw(OddBytes(b'{"message": "Hi"}')))["length"] == 2


class OddName(str):
    __slots__ = ()

    def encode(self, *_: Any) -> Any:
        return b"x"

    def __len__(self) -> int:
        return 10_000

    def __str__(self) -> str:
        return "something else"


def test_what_a_subclass_makes_of_itself_is_not_asked_in_a_load_either(load: Load) -> None:
    config = b'{"label":"bytes"}'
    for given in (OddText(config.decode()), OddBytes(config)):
        plugin = load("conformance-plugin", given, name=OddName("odd"))
        assert (plugin.name, type(plugin.name)) == ("odd", str)
        assert plugin.method(OddName("types.value")).call(1) == 1
    image = OddBytes(Path(plugin_path("hello-plugin")).read_bytes())
    with rustbridge.load(image, backend=plugin.backend) as hello:  # type: ignore[arg-type]
        assert hello.call("echo", {"message": "x"})["length"] == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="paths are text there")
def test_a_path_need_not_be_text(tmp_path: Path, backend: Any) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/na\xefve.so")
    shutil.copy(plugin_path("hello-plugin"), path)
    for source in (path, Path(path)):
        with rustbridge.load(source, backend=backend) as plugin:
            assert plugin.call("echo", {"message": "x"})["length"] == 1
    with pytest.raises(rustbridge.NotFoundError, match="gone"):
        rustbridge.load(os.fsdecode(b"gone\xff"), backend=backend)


def test_what_lives_in_this_process_is_neither_copied_nor_pickled(conformance: rustbridge.Plugin) -> None:
    method = conformance.method("raw.echo", "raw")
    with method.lease(b"kept") as lease:
        for value in (conformance, method, lease, conformance.call, method.call_raw):
            for act in (copy.copy, copy.deepcopy, pickle.dumps):
                if act is pickle.dumps or not callable(value):
                    with pytest.raises(TypeError, match="lives in this process"):
                        act(value)
        assert bytes(lease) == b"kept"
    assert conformance.state is State.ACTIVE
    assert method.call_raw(b"on") == b"on"


@pytest.mark.parametrize("number", [0, 6, 99])
def test_the_state_of_a_newer_library_is_unknown(load: Load, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    with load("hello-plugin") as plugin:
        monkeypatch.setattr(plugin, "_backend", SimpleNamespace(state=lambda _handle: number))
        assert plugin.state is State.UNKNOWN
        monkeypatch.undo()


def test_a_load_reads_no_more_of_a_description_than_the_name(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: bytes) -> Any:
        raise AssertionError("all of it was read")

    monkeypatch.setattr(_description, "read", read)
    assert load("conformance-plugin", {"label": "x"}).name == "conformance"


def test_a_prepared_method_is_called_in_every_way(hello: rustbridge.Plugin) -> None:
    echo = hello.method("echo")
    wanted = {"message": "Hi", "length": 2}
    assert echo.call({"message": "Hi"}) == wanted
    assert json.loads(echo.call_json('{"message":"Hi"}')) == wanted
    assert json.loads(echo.call_raw(b'{"message":"Hi"}')) == wanted
    assert (echo.name, echo.encoding, echo.leaf, echo.request_size) == ("echo", Encoding.JSON, False, 0)


def test_a_method_is_found_by_its_numeric_id(hello: rustbridge.Plugin) -> None:
    request = struct.pack("=B3x64sII", 1, b"bench_key", 9, 1)
    response = hello.call_raw(1, request)
    version, value, length, ttl, hit = struct.unpack("=B3x64sIIB3x", response)
    assert (version, value[:length], ttl, hit) == (1, b"value_for_bench_key", 3600, 1)
    small = hello.method(1, "pod")
    assert (small.request_size, small.response_size) == (76, 80)


def test_call_raw_takes_the_encoding_it_is_told_or_finds_one(conformance: rustbridge.Plugin) -> None:
    assert conformance.call_raw("raw.echo", b"\0\xff") == b"\0\xff"
    assert conformance.call_raw("pod.add32", struct.pack("=ii", 2, 3)) == struct.pack("=ii", 5, 1)
    assert conformance.call_raw("types.nothing", b"", encoding="json") == b"null"
    assert conformance.call_raw("raw.echo", b"x", encoding=Encoding.RAW) == b"x"
    with pytest.raises(rustbridge.UnimplementedError, match=r"has no encoding raw; it has json.*as raw or pod unless"):
        conformance.call_raw("types.nothing", b"")


def test_a_leaf_knows_that_it_is_one(hello: rustbridge.Plugin) -> None:
    assert hello.method("math.add", "pod").leaf
    assert repr(hello.method("math.add", "pod")) == "<rustbridge.Method 'math.add' in pod, leaf>"


def test_a_plugin_describes_itself(hello: rustbridge.Plugin) -> None:
    description = hello.describe()
    assert description["name"] == "hello"
    assert {method["name"] for method in description["methods"]} >= {"echo", "greet", "math.add", "bench.small"}


def test_a_plugin_is_loaded_from_a_path_object_or_its_bytes(backend: Any) -> None:
    path = Path(plugin_path("hello-plugin"))
    image = path.read_bytes()
    for source in (path, str(path), image, bytearray(image), memoryview(image)):
        with rustbridge.load(source, backend=backend) as plugin:
            assert plugin.call("echo", {"message": ""}) == {"message": "", "length": 0}


def test_instances_have_names_and_configs_of_their_own(load: Load) -> None:
    one = load("conformance-plugin", {"label": "one"}, name="first")
    other = load("conformance-plugin", '{"label":"other"}')
    assert (one.name, other.name) == ("first", "conformance")
    names = {instance["name"] for instance in rustbridge.inspect()["instances"]}
    assert names >= {"first", "conformance"}


def test_a_context_manager_closes(backend: Any) -> None:
    with rustbridge.load(plugin_path("hello-plugin"), backend=backend) as plugin:
        assert plugin.state.value == "active"
        assert repr(plugin) == f"<rustbridge.Plugin 'hello' open by {backend}>"
    assert plugin.state is State.CLOSED
    assert repr(plugin) == f"<rustbridge.Plugin 'hello' closed by {backend}>"
    plugin.close()


def test_a_method_kept_past_the_close_says_so(load: Load) -> None:
    plugin = load()
    echo, add = plugin.method("echo"), plugin.method("math.add", "pod")
    plugin.close()
    for call in (
        lambda: echo.call_json('{"message":""}'),
        lambda: echo.call_raw(b"{}"),
        lambda: echo.call({}),
        lambda: add.call_raw(bytes(16)),
        lambda: add.call_raw(bytes(16), bytearray(8)),
        lambda: add.lease(bytes(16)),
        lambda: plugin.call("echo", {"message": ""}),
        lambda: plugin.method("echo"),
        plugin.describe,
        lambda: plugin.set_logger(None),
    ):
        with pytest.raises(rustbridge.UnavailableError):
            call()


def test_a_method_keeps_its_plugin_alive(backend: Any) -> None:
    echo = rustbridge.load(plugin_path("hello-plugin"), backend=backend).method("echo")
    assert echo.call({"message": "x"})["length"] == 1
    assert echo.plugin is not None
    echo.plugin.close()


@pytest.mark.parametrize("source", [42, None, 1.5, ["x"]])
def test_a_source_that_is_neither_path_nor_bytes_is_a_type_error(source: Any, backend: Any) -> None:
    with pytest.raises(TypeError, match="must be a path or the bytes"):
        rustbridge.load(source, backend=backend)


def test_wrong_options_are_refused_by_name(backend: Any) -> None:
    path = plugin_path("hello-plugin")
    options: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (TypeError, "config", {"config": 42}),
        (TypeError, "name", {"name": 42}),
        (ValueError, "on_panic", {"on_panic": "explode"}),
        (ValueError, "log level", {"log_level": "loud"}),
        (TypeError, "log level", {"log_level": 1.5}),
        (TypeError, "logger", {"logger": print}),
        (TypeError, "log capacity", {"log_capacity": "many"}),
        (ValueError, "log capacity", {"log_capacity": 0}),
        (ValueError, "log capacity", {"log_capacity": 2**32}),
        (TypeError, "number of threads", {"threads": "many"}),
        (ValueError, "number of threads", {"threads": 0}),
    ]
    for error, words, option in options:
        with pytest.raises(error, match=words):
            rustbridge.load(path, backend=backend, **option)
    with pytest.raises(ValueError, match="unknown backend"):
        rustbridge.load(path, backend="cffi")  # type: ignore[arg-type]


def test_wrong_types_are_type_errors_and_reach_no_plugin(hello: rustbridge.Plugin) -> None:
    echo, add = hello.method("echo"), hello.method("math.add", "pod")
    wrong: list[Any] = [None, 42, object()]
    for bad in wrong:
        with pytest.raises(TypeError):
            echo.call_json(bad)
        with pytest.raises(TypeError):
            add.call_raw(bad)
        with pytest.raises(TypeError):
            add.lease(bad)
    with pytest.raises(TypeError):
        add.call_raw("text is not bytes")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        echo.call({"message": object()})
    for name in (None, 1.5, True, b"echo"):
        with pytest.raises(TypeError, match="method"):
            hello.method(name)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="method"):
        hello.call(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        add.call_raw()  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        add.call_raw(bytes(16), None, 3)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        add.call_raw(bytes(16), onto=None)  # type: ignore[call-overload]


def test_a_number_that_is_no_id_and_an_encoding_nobody_knows_are_value_errors(hello: rustbridge.Plugin) -> None:
    for number in (-1, 2**32, 2**80):
        with pytest.raises(ValueError, match="numeric id"):
            hello.method(number)
    for encoding in ("yaml", 99, -1):
        with pytest.raises(ValueError, match="unknown encoding"):
            hello.method("echo", encoding)  # type: ignore[arg-type]


def test_json_functions_refuse_a_method_prepared_for_something_else(hello: rustbridge.Plugin) -> None:
    add = hello.method("math.add", "pod")
    with pytest.raises(TypeError, match="was prepared with pod"):
        add.call_json('{"a":1,"b":2}')
    with pytest.raises(TypeError, match="was prepared with pod"):
        add.call({"a": 1, "b": 2})


def test_lone_surrogates_never_reach_a_plugin(hello: rustbridge.Plugin) -> None:
    with pytest.raises(UnicodeEncodeError):
        hello.call_json("echo", '{"message":"\ud800"}')
    with pytest.raises((TypeError, ValueError)):
        hello.call("echo", {"message": "\ud800"})
    with pytest.raises(UnicodeEncodeError):
        hello.method("\ud800")


def test_bytes_that_are_not_utf8_are_refused_by_the_plugin(hello: rustbridge.Plugin) -> None:
    with pytest.raises(rustbridge.InvalidArgumentError):
        hello.call_json("echo", b'{"message":"\xff"}')


def test_a_name_may_hold_anything_and_is_simply_not_found(hello: rustbridge.Plugin) -> None:
    for name in ("", "echo\0", "é" * 10_000, "ECHO", "echo "):
        with pytest.raises(rustbridge.NotFoundError):
            hello.call(name, {})


def test_deep_json_is_refused_and_the_instance_goes_on(hello: rustbridge.Plugin) -> None:
    for deep in ("[" * 100_000, '{"message":' * 100_000):
        with pytest.raises(rustbridge.InvalidArgumentError):
            hello.call_json("echo", deep)
    assert hello.call("echo", {"message": "on"})["length"] == 2


@pytest.mark.parametrize("size", [0, 1, 4000, 4096, 4097, 10_000, 100_000, 1_000_000])
def test_requests_and_responses_of_every_size_arrive_whole(size: int, hello: rustbridge.Plugin) -> None:
    text = "xé" * (size // 2)
    assert hello.call("echo", {"message": text}) == {"message": text, "length": len(text.encode())}
    assert json.loads(hello.call_json("echo", json.dumps({"message": text})))["message"] == text


def test_both_backends_share_one_core(load: Load) -> None:
    load(name="seen-by-both")
    for backend in BACKENDS:
        instances = json.loads(_backend.choose(backend).inspect())["instances"]
        assert "seen-by-both" in {instance["name"] for instance in instances}
    assert rustbridge.native_version() == rustbridge.__version__
