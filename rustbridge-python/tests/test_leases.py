"""Leases: never a view of memory that is gone."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import TYPE_CHECKING

import pytest

import rustbridge
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]
    Load = Callable[..., rustbridge.Plugin]

DATA = bytes(range(256)) * 64


@pytest.fixture
def echo(conformance: rustbridge.Plugin) -> rustbridge.Method:
    return conformance.method("raw.echo", "raw")


def test_a_lease_shows_the_response_read_only(echo: rustbridge.Method) -> None:
    with echo.lease(DATA) as lease:
        assert lease.view == DATA
        assert lease.view is lease.view
        assert lease.view.readonly
        assert (lease.view.format, lease.view.itemsize, lease.view.ndim) == ("B", 1, 1)
        assert (len(lease), bytes(lease)) == (len(DATA), DATA)
        with pytest.raises(TypeError):
            lease.view[0] = 1


def test_use_after_release_raises(echo: rustbridge.Method) -> None:
    lease = echo.lease(DATA)
    view = lease.view
    lease.release()
    lease.release()
    assert lease.released
    for use in (lambda: lease.view, lambda: len(lease), lambda: bytes(lease), lambda: view[0], view.tobytes):
        with pytest.raises(ValueError, match="released"):
            use()
    assert repr(lease) == "<rustbridge.Lease released>"


def test_a_release_in_another_thread_leaves_nothing_to_see(echo: rustbridge.Method) -> None:
    lease = echo.lease(DATA)
    # What a thread has in its hands that is between `lease.view` and the view, while another releases.
    owner = lease._owner
    assert owner is not None
    lease.release()
    with pytest.raises(ValueError, match="released"):
        owner.view()
    owner.release()


def test_a_view_still_in_use_holds_the_release_off(echo: rustbridge.Method) -> None:
    lease = echo.lease(DATA)
    part = lease.view[10:20]
    with pytest.raises(BufferError, match="in use"):
        lease.release()
    assert not lease.released
    assert part == DATA[10:20]
    assert lease.view == DATA
    part.release()
    lease.release()


def test_a_view_outlives_its_lease_and_its_plugin(load: Load) -> None:
    plugin = load("conformance-plugin", {"label": "x"})
    lease = plugin.call_raw_zero_copy("raw.echo", DATA)
    part = lease.view[:]
    plugin.close()
    with pytest.warns(ResourceWarning, match="without release"):
        del lease
    gc.collect()
    assert part == DATA
    part.release()


def test_a_lease_outlives_its_plugin(load: Load) -> None:
    plugin = load("conformance-plugin", {"label": "x"})
    with plugin.call_raw_zero_copy("raw.echo", DATA) as lease:
        plugin.close()
        assert lease.view == DATA


def test_a_lease_that_is_dropped_warns(echo: rustbridge.Method) -> None:
    with pytest.warns(ResourceWarning, match="without release"):
        echo.lease(DATA)


def test_an_error_inside_the_block_is_the_one_that_is_seen(echo: rustbridge.Method) -> None:
    with pytest.raises(KeyError), echo.lease(DATA):
        raise KeyError("the user's own")


def test_a_lease_is_in_no_cycle(echo: rustbridge.Method) -> None:
    gc.collect()
    gc.disable()
    try:
        lease = echo.lease(DATA)
        owner = weakref.ref(lease.view)
        lease.release()
        assert owner() is None
    finally:
        gc.enable()


def test_a_failed_call_gives_no_lease(conformance: rustbridge.Plugin) -> None:
    with pytest.raises(rustbridge.PluginError):
        conformance.call_raw_zero_copy("raw.fail", b"ABORTED")


def test_forgotten_ones_are_looked_for_again_after_a_ctrl_c_while_they_were(python: Script) -> None:
    python(
        f"""
        import gc, rustbridge, warnings
        warnings.simplefilter("ignore", ResourceWarning)
        plugin = rustbridge.load({plugin_path("fault-plugin")!r}, {{}})
        fill = plugin.method("raw.fill", "raw")
        looked = []
        def collect(*_):
            looked.append(1)
            raise KeyboardInterrupt
        gc.collect = collect
        kept = [fill.lease(b"60000000")]
        for _ in range(3):
            try:
                fill.lease(b"10000000")
            except KeyboardInterrupt:
                continue
            raise SystemExit("nobody looked")
        assert len(looked) == 3
        plugin.close()
        """,
        dev=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("kept", ["lease", "view"])
def test_what_is_forgotten_in_cycles_is_freed_before_it_fills_the_memory(python: Script, kept: str) -> None:
    result = python(
        f"""
        import collections, rustbridge, warnings
        warnings.simplefilter("ignore", ResourceWarning)
        class Holder:
            pass
        # Old objects enough for the collector to have no reason of its own to look at them again.
        old = [[] for _ in range(1_000_000)]
        plugin = rustbridge.load({plugin_path("fault-plugin")!r}, {{}})
        fill = plugin.method("raw.fill", "raw")
        # They grow old, too, before they're forgotten.
        recent = collections.deque(maxlen=40)
        for _ in range(2_000):
            lease = fill.lease(b"1000000")
            holder = Holder()
            holder.itself = holder
            holder.kept = lease if {kept == "lease"} else lease.view
            recent.append(holder)
            young = [[] for _ in range(800)]
        del lease, holder
        with open("/proc/self/status") as file:
            print(*(line.split()[1] for line in file if line.startswith("VmHWM")))
        recent.clear()
        plugin.close()
        """,
        dev=False,
    )
    assert int(result.stdout) < 1_200_000
