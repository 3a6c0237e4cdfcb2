"""Which native library the ctypes backend takes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rustbridge import _abi
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.skipif(sys.version_info < (3, 11), reason="CPython 3.10 has no extension")
def test_the_extension_is_found_where_the_modules_lie_in_an_archive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from rustbridge import _native

    monkeypatch.delenv("RUSTBRIDGE_LIBRARY", raising=False)
    monkeypatch.setattr(_abi, "__file__", str(tmp_path / "library.zip" / "rustbridge" / "_abi.py"))
    assert _abi._find_library() == str(Path(str(_native.__file__)).absolute())


#: The C compiler; a library that takes memory of each thread is made by it.
COMPILER = shutil.which("cc")


@pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None, reason="glibc has such a reserve, and it takes a C compiler"
)
def test_the_error_has_advice_where_threads_have_no_memory_left(python: Script, tmp_path: Path) -> None:
    source = tmp_path / "taker.c"
    variable = '__thread char taken[64] __attribute__((tls_model("initial-exec")));'
    source.write_text(f"{variable} char *take(void) {{ return taken; }}\n")
    taker = tmp_path / "taker.so"
    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-o", str(taker), str(source)], check=True, timeout=60)
    result = python(
        f"""
        import ctypes, os, shutil
        # Each file takes some of the reserve, until nothing is left.
        for number in range(1000):
            copy = os.path.join({str(tmp_path)!r}, f"taker{{number}}.so")
            shutil.copy({str(taker)!r}, copy)
            try:
                ctypes.CDLL(copy)
            except OSError as error:
                assert "static TLS" in str(error), error
                break
        else:
            raise SystemExit("a libc without a reserve")
        import rustbridge
        try:
            rustbridge.load({plugin_path("hello-plugin")!r})
        except ImportError as error:
            print(error)
        """
    )
    assert "GLIBC_TUNABLES=glibc.rtld.optional_static_tls" in result.stdout, result
