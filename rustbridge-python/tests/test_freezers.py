"""Programs that PyInstaller makes of a script: what the package tells it, and that they run."""

from __future__ import annotations

import importlib.metadata
import os
import pkgutil
import runpy
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from rustbridge import _abi
from tests.children import run_to_its_end
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]

_HOOK = Path(rustbridge.__file__).parent / "__pyinstaller" / "hook-rustbridge.py"

#: A program with one plugin in its bundle, and another next to it.
_PROGRAM = """
import os, sys
from pathlib import Path
import rustbridge

name = sys.argv[1]
for folder in (Path(__file__).parent, Path(sys.executable).parent):
    with rustbridge.load(folder / name, services={"prices.get": lambda article: 10 * article}) as shop:
        print(shop.call("service.total", [1, 2]))
"""


@pytest.fixture
def hook() -> dict[str, Any]:
    return runpy.run_path(str(_HOOK))


def test_the_hook_names_the_library_that_the_package_loads(
    hook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUSTBRIDGE_LIBRARY", raising=False)
    assert (_abi._find_library(), "rustbridge") in hook["binaries"]


def test_the_hook_names_every_module_of_the_package(hook: dict[str, Any]) -> None:
    there = {f"rustbridge.{module.name}" for module in pkgutil.iter_modules(rustbridge.__path__) if not module.ispkg}
    assert "rustbridge._ctypes_backend" in there
    assert set(hook["hiddenimports"]) == there


def test_pyinstaller_finds_the_hook_by_the_entry_point_of_the_package() -> None:
    points = importlib.metadata.entry_points(group="pyinstaller40", name="hook-dirs")
    folders = [folder for point in points if point.module.startswith("rustbridge") for folder in point.load()()]
    assert [Path(folder) for folder in folders] == [_HOOK.parent]


@pytest.mark.timeout(240)
@pytest.mark.skipif(
    sys.platform == "linux" and not sysconfig.get_config_var("Py_ENABLE_SHARED"),
    reason="PyInstaller needs a Python with a shared library",
)
def test_a_program_made_by_pyinstaller_loads_plugins_in_it_and_next_to_it(
    python: Script, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUSTBRIDGE_LIBRARY", raising=False)
    monkeypatch.setenv("PYINSTALLER_CONFIG_DIR", str(tmp_path / "config"))
    script = tmp_path / "program.py"
    script.write_text(_PROGRAM, encoding="utf-8")
    plugin = Path(plugin_path("operations-plugin"))
    arguments = ["--log-level=ERROR", "--onedir", f"--add-binary={plugin}{os.pathsep}."]
    for option, folder in (("dist", "made"), ("work", "work"), ("spec", "")):
        arguments.append(f"--{option}path={tmp_path / folder}")
    python("import sys; from PyInstaller.__main__ import run; run(sys.argv[1:])", *arguments, str(script), dev=False)
    made = tmp_path / "made" / "program"
    shutil.copy(plugin, made)
    result = run_to_its_end([str(made / "program"), plugin.name], backend)
    assert (result.stdout, result.returncode) == ("30\n30\n", 0), result.stderr
