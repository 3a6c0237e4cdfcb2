"""What every test file needs: both backends, the plugins, and a Python process to sacrifice."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests import loops
from tests.children import run_to_its_end
from tests.plugins import BACKENDS, plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def load(backend: str) -> Iterator[Callable[..., rustbridge.Plugin]]:
    """Give `rustbridge.load` for the plugin of a name, on the backend under test; what it loads is closed after."""
    loaded: list[rustbridge.Plugin] = []

    def load_one(which: str = "hello-plugin", config: Any = None, /, **options: Any) -> rustbridge.Plugin:
        plugin = rustbridge.load(plugin_path(which), config, backend=backend, **options)  # type: ignore[arg-type]
        loaded.append(plugin)
        return plugin

    yield load_one
    for plugin in loaded:
        plugin.close()


@pytest.fixture
def hello(load: Callable[..., rustbridge.Plugin]) -> rustbridge.Plugin:
    return load("hello-plugin")


@pytest.fixture
def conformance(load: Callable[..., rustbridge.Plugin]) -> rustbridge.Plugin:
    return load("conformance-plugin", {"label": "python"})


@pytest.fixture
def operations(load: Callable[..., rustbridge.Plugin]) -> rustbridge.Plugin:
    return load("operations-plugin")


@pytest.fixture(params=loops.MAKERS)
def loop(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def python(backend: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a script in a process of its own, which may die without taking the tests along."""
    if "RUSTBRIDGE_NO_PROCESSES" in os.environ:
        pytest.skip("starting Python takes too long here; `cargo xtask windows test` does it")

    def run(script: str, *arguments: str, check: bool = True, dev: bool = True) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *(["-X", "dev", "-W", "error"] if dev else []), "-c", textwrap.dedent(script)]
        result = run_to_its_end([*command, *arguments], backend)
        if check:
            assert result.returncode == 0, f"exit {result.returncode}\n{result.stdout}\n{result.stderr}"
        return result

    return run
