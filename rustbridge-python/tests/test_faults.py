"""What would kill a host if we were wrong, in a process of its own, and what would fill its memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]

HEAD = """
import ctypes, gc, logging, os, struct, sys, threading, time, rustbridge
logging.basicConfig(level=logging.CRITICAL)
fault, hello, conformance, status = {fault!r}, {hello!r}, {conformance!r}, {status!r}
def fails(act, *statuses):
    try:
        act()
    except rustbridge.PluginError as error:
        assert not statuses or error.status.name in statuses, error
        return error
    raise AssertionError("it succeeded")
"""


def script(body: str) -> str:
    head = HEAD.format(
        fault=plugin_path("fault-plugin"),
        hello=plugin_path("hello-plugin"),
        conformance=plugin_path("conformance-plugin"),
        status=plugin_path("fault-status"),
    )
    return head + body


def test_a_panic_in_every_place_leaves_the_process_alive(python: Script) -> None:
    python(
        script("""
fails(lambda: rustbridge.load(fault, {"create": "panic"}), "INTERNAL")
fails(lambda: rustbridge.load(fault, {"create": "error"}), "UNAVAILABLE")
plugin = rustbridge.load(fault, {"destroy": "panic"})
for _ in range(20):
    for name in ("panic.call", "panic.leaf", "panic.lock", "panic.async", "panic.task", "panic.thread"):
        error = fails(lambda: plugin.call(name, {"message": "boom"}))
    fails(lambda: plugin.call("panic.bomb"), "INTERNAL")
plugin.call("count")
fails(plugin.close, "INTERNAL")
assert plugin.state is rustbridge.State.CLOSED
""")
    )


def test_panics_on_many_threads_at_once(python: Script) -> None:
    python(
        script("""
plugin = rustbridge.load(fault, {}, backtrace=True, log_level="trace")
def work():
    for _ in range(50):
        assert fails(lambda: plugin.call("panic.call", {"message": "x"})).type == "panic"
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
plugin.close()
""")
    )


def test_made_up_handles_and_entries_are_refused(python: Script) -> None:
    python(
        script("""
from rustbridge import _backend
from rustbridge._status import Encoding
backend = _backend.choose()
plugin, other = rustbridge.load(hello), rustbridge.load(conformance, {"label": "x"})
closed = rustbridge.load(hello)
stale = closed.handle
closed.close()
for handle in (0, 1, 2**64 - 1, 0xdeadbeef, plugin.handle + 2**40, plugin.handle ^ 1):
    fails(lambda: backend.describe(handle), "INVALID_ARGUMENT")
    fails(lambda: backend.method(None, handle, "echo", Encoding.JSON), "INVALID_ARGUMENT")
    fails(lambda: backend.close(handle, 0, None), "INVALID_ARGUMENT")
    for ask in (
        lambda: backend.state(handle),
        lambda: backend.set_log_level(handle, 3),
        lambda: backend.set_log_sink(handle, print, 0),
        lambda: backend.flush_logs(handle, 0),
    ):
        assert "instance" in fails(ask, "INVALID_ARGUMENT").message
fails(lambda: backend.describe(stale), "UNAVAILABLE")
fails(lambda: backend.close(stale, 0, None), "UNAVAILABLE")

def at(handle, entry, encoding, flags=0):
    if backend.NAME == "native":
        from rustbridge import _native
        return _native.Method(handle, entry, encoding, 8, 4096 * flags, 4096, 2**18)
    from rustbridge import _abi, _ctypes_method
    prepared = _abi.PreparedMethod(48, entry, flags, encoding, 16, 8, 4096 * flags, 4096, 2**18)
    return _ctypes_method.make(None, handle, "x", prepared)

for encoding in Encoding:
    for flags in (0, 1):
        for handle in (0, 1, 2**64 - 1):
            fails(lambda: at(handle, 0, encoding, flags).call_raw(bytes(16)), "INVALID_ARGUMENT")
            fails(lambda: at(handle, 0, encoding, flags)._lease(bytes(16), False), "INVALID_ARGUMENT")
        for entry in (2**32 - 1, 0x7fff, 0xffff0000, 0):
            fails(lambda: at(plugin.handle, entry, encoding, flags).call_raw(bytes(16)))
        fails(lambda: at(stale, 0x10000, encoding, flags).call_raw(bytes(16)), "UNAVAILABLE")

if backend.NAME == "native":
    from rustbridge import _native
    entry = _native.prepare(other.handle, "raw.echo", 1)[0]
    slow = _native.prepare(plugin.handle, "echo", 0)[0]
else:
    entry = other.method("raw.echo", "raw")._entry
    slow = plugin.method("echo")._entry
fails(lambda: at(plugin.handle, entry, Encoding.RAW).call_raw(b"x"), "NOT_FOUND")
fails(lambda: at(plugin.handle, slow, Encoding.JSON, 1).call_json("{}"), "FAILED_PRECONDITION")
plugin.close(); other.close()
""")
    )


def test_statuses_and_answers_in_unusual_forms(python: Script) -> None:
    python(
        script("""
plugin = rustbridge.load(status)
for method in plugin.describe()["methods"]:
    for entry in method["entries"]:
        prepared = plugin.method(method["name"], entry["encoding"])
        for request in (b"", b"null", bytes(64)):
            for act in (
                lambda: prepared.call_raw(request),
                lambda: prepared.call_raw(bytearray(request)),
                lambda: prepared.call_raw(request, into=bytearray(4096)),
                lambda: bytes(prepared.lease(request)),
            ):
                try:
                    act()
                except rustbridge.PluginError as error:
                    assert error.status is not rustbridge.Status.OK
                except ResourceWarning:
                    pass
plugin.close()
""")
        .replace("bytes(prepared.lease(request))", "take(prepared.lease(request))")
        .replace("plugin = rustbridge.load(status)", TAKE + "plugin = rustbridge.load(status)")
    )


TAKE = """
def take(lease):
    with lease:
        return bytes(lease)
"""


def test_a_response_is_where_the_plugin_says_and_the_next_call_has_its_storage_again(python: Script) -> None:
    python(
        script("""
from rustbridge import _backend
from rustbridge._status import Encoding
plugin = rustbridge.load(status)
raw = plugin.method("where", "raw")
if _backend.choose().NAME == "native":
    from rustbridge import _native
    pod = _native.Method(plugin.handle, _native.prepare(plugin.handle, "where", 1)[0], Encoding.POD, 6, 0, 6, 2**18)
else:
    from rustbridge import _abi, _ctypes_method
    prepared = _abi.PreparedMethod(48, raw._entry, 0, Encoding.POD, 1, 6, 0, 6, 2**18)
    pod = _ctypes_method.make(None, plugin.handle, "where", prepared)
for method in (raw, pod):
    for _ in range(3):
        assert method.call_raw(b"") == b""
        assert method.call_raw(b"w") == b"static"
        assert method.call_raw(b"h") == b"static"
        fails(lambda: method.call_raw(b"c"), "INTERNAL")
        assert method.call_raw(bytearray(b"w")) == b"static"
        target = bytearray(6)
        assert method.call_raw(b"w", into=target) == 6 and target == b"static"
        target = bytearray(6)
        fails(lambda: method.call_raw(b"c", into=target), "INTERNAL")
plugin.close()
""")
    )


def test_a_plugin_that_describes_nonsense_is_refused(python: Script) -> None:
    python(script(f"fails(lambda: rustbridge.load({plugin_path('fault-describe')!r}))"))


def test_threads_that_outlive_their_instance_do_no_harm(python: Script) -> None:
    python(
        script("""
for _ in range(5):
    plugin = rustbridge.load(fault, {}, log_level="trace")
    plugin.call("leak.thread", {"n": 300})
    plugin.close()
time.sleep(0.2)
""")
    )


def test_the_process_ends_while_a_handler_blocks(python: Script) -> None:
    python(
        script("""
class Slow(logging.Handler):
    def emit(self, record):
        time.sleep(0.05)
logger = logging.Logger("slow", 1)
logger.addHandler(Slow())
plugin = rustbridge.load(fault, {}, logger=logger, log_level="info")
plugin.call("log.flood", {"n": 200})
""")
    )


def test_nested_loads_in_a_sinks_callback(python: Script) -> None:
    python(
        script("""
done = threading.Event()
class Loader(logging.Handler):
    def emit(self, record):
        if not done.is_set():
            with rustbridge.load(hello) as inner:
                assert inner.call("echo", {"message": "x"})["length"] == 1
            done.set()
logger = logging.Logger("loader", 1)
logger.addHandler(Loader())
with rustbridge.load(fault, {}, logger=logger, log_level="info") as plugin:
    plugin.call("log.flood", {"n": 3})
    assert done.wait(30)
""")
    )


MEMORY = """
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
def grows(work, rounds, allowed):
    work(rounds)
    gc.collect()
    before, objects = resident(), len(gc.get_objects())
    work(rounds)
    gc.collect()
    after = resident()
    assert after - before < allowed, f"{work.__name__} grew by {after - before} bytes"
    assert len(gc.get_objects()) - objects < 100
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_calls_leak_nothing(python: Script) -> None:
    python(
        script(
            MEMORY
            + """
plugin = rustbridge.load(conformance, {"label": "x"})
hello = rustbridge.load(hello)
raw, value = plugin.method("raw.echo", "raw"), plugin.method("types.value")
add = hello.method("math.add", "pod")
big, large = bytes(16), bytes(50_000)
def raws(n):
    for _ in range(n): raw.call_raw(big); raw.call_raw(large); raw.call_raw(bytearray(large))
def texts(n):
    for _ in range(n): value.call_json('"x"'); value.call_json('"' + "x" * 50_000 + '"')
def objects(n):
    for _ in range(n): value.call(["größer", 1]); plugin.call("types.value", {"a": 1})
def pods(n):
    for _ in range(n): add.call_raw(big); add.call_raw(big, into=bytearray(8))
def leases(n):
    for _ in range(n):
        with raw.lease(large) as lease: lease.view[:2].tobytes()
def errors(n):
    for _ in range(n):
        fails(lambda: value.call_raw(b"{")); fails(lambda: add.call_raw(b"x")); fails(lambda: plugin.method("none"))
        try: raw.call_raw(large, into=bytearray(3))
        except rustbridge.ResponseTooLargeError: pass
for work in (raws, texts, objects, pods, leases, errors):
    grows(work, 2_000, 4_000_000)
plugin.close(); hello.close()
"""
        ),
        dev=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_loads_and_records_leak_nothing(python: Script) -> None:
    python(
        script(
            MEMORY
            + """
quiet = logging.Logger("quiet", 1)
def loads(n):
    for _ in range(n):
        with rustbridge.load(fault, {"log": True}, logger=quiet, log_level="trace") as plugin:
            plugin.method("count").call()
            plugin.set_logger(quiet)
        fails(lambda: rustbridge.load(fault, {"create": "error"}, logger=quiet))
kept = rustbridge.load(fault, {}, logger=quiet, log_level="trace")
def records(n):
    for _ in range(n):
        kept.call("log.flood", {"n": 20})
    kept.flush_logs(30)
grows(loads, 500, 4_000_000)
grows(records, 500, 4_000_000)
kept.close()
"""
        ),
        dev=False,
    )
