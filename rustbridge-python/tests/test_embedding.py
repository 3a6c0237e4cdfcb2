"""Programs that embed Python: one that ends it and begins it anew, and one with several interpreters."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rustbridge
from rustbridge._backend import check_build
from tests.children import run_to_its_end
from tests.plugins import plugin_path

if TYPE_CHECKING:
    from collections.abc import Callable

    Script = Callable[..., subprocess.CompletedProcess[str]]

COMPILER = shutil.which("cc")
SHARED = sysconfig.get_config_var("Py_ENABLE_SHARED")


@pytest.mark.skipif(not (COMPILER and SHARED), reason="needs a C compiler and a Python that's a shared library")
def test_python_may_be_ended_and_begun_anew(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "embedding"
    folder = sysconfig.get_config_var("LIBDIR")
    library = Path(str(sysconfig.get_config_var("LDLIBRARY"))).stem.removeprefix("lib")
    subprocess.run(
        [
            str(COMPILER),
            str(Path(__file__).with_name("embedding.c")),
            f"-I{sysconfig.get_path('include')}",
            f"-L{folder}",
            f"-Wl,-rpath,{folder}",
            f"-l{library}",
            "-o",
            str(program),
        ],
        check=True,
        timeout=60,
    )
    script = textwrap.dedent(
        f"""
        import logging, rustbridge
        seen = []
        class Handler(logging.Handler):
            def emit(self, record):
                seen.append(record.getMessage())
        logger = logging.Logger("embedded", 1)
        logger.addHandler(Handler())
        plugin = rustbridge.load({plugin_path("fault-plugin")!r}, {{}}, logger=logger, log_level="info")
        plugin.call("log.flood", {{"n": 3}})
        plugin.call("leak.thread", {{"n": 500}})
        plugin.flush_logs(30)
        assert seen.count("flood") == 3, seen
        try:
            plugin.method("none")
        except rustbridge.NotFoundError:
            print("ran", flush=True)
        """
    )
    monkeypatch.setenv("PYTHONHOME", sys.base_prefix)
    monkeypatch.setenv("PYTHONPATH", str(Path(rustbridge.__file__).parent.parent))
    # Codecs of others needn't bear to be imported twice.
    monkeypatch.setenv("RUSTBRIDGE_JSON", "json")
    result = run_to_its_end([str(program), script], backend)
    assert (result.returncode, result.stdout) == (0, 3 * "ran\n"), result.stderr


IN_ANOTHER = """
try:
    import rustbridge
    rustbridge.load("any")
except ImportError as error:
    assert "main interpreter" in str(error), error
else:
    raise SystemExit("it was imported")
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module that makes interpreters has another name")
def test_another_interpreter_is_told_to_leave_it_to_the_main_one(python: Script) -> None:
    python(
        f"""
        import _xxsubinterpreters as interpreters
        other = interpreters.create()
        interpreters.run_string(other, {IN_ANOTHER!r})
        interpreters.destroy(other)
        import rustbridge
        rustbridge.native_version()
        """,
        dev=False,
    )


def test_a_build_without_the_gil_is_refused() -> None:
    with pytest.raises(ImportError, match="free-threaded"):
        check_build(True)
    check_build(False)
