"""Which native library the ctypes backend takes."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from rustbridge import _abi
from tests.plugins import plugin_path

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Script = Callable[..., subprocess.CompletedProcess[str]]

NAME = {"win32": "rustbridge.dll", "darwin": "librustbridge.dylib"}.get(sys.platform, "librustbridge.so")


def test_a_library_is_named_by_its_file_or_its_folder(python: Script, tmp_path: Path) -> None:
    copy = tmp_path / NAME
    shutil.copy(_abi.LIBRARY._name, copy)
    for chosen in (copy, tmp_path):
        result = python(
            f"""
            import os, rustbridge
            os.environ["RUSTBRIDGE_LIBRARY"] = {str(chosen)!r}
            with rustbridge.load({plugin_path("hello-plugin")!r}, backend="ctypes") as hello:
                assert hello.call("echo", {{"message": "x"}})["length"] == 1
            from rustbridge import _abi
            print(_abi.LIBRARY._name)
            """
        )
        assert result.stdout.strip() == str(copy)


def test_a_library_that_is_not_there_is_named(python: Script, tmp_path: Path) -> None:
    python(
        f"""
        import os
        os.environ["RUSTBRIDGE_LIBRARY"] = {str(tmp_path)!r}
        try:
            from rustbridge import _abi
        except ImportError as error:
            assert repr({str(tmp_path)!r}) in str(error), error
        else:
            raise SystemExit("another library was taken")
        """
    )
