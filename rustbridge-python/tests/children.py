"""Processes that tests start."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Below pytest's own limit, which would say nothing of what the process printed.
SECONDS = 100


#: How many times as often as here a soak does what few repetitions don't show.
SOAK = int(os.environ.get("RUSTBRIDGE_SOAK", "1"))


def run_to_its_end(
    command: list[str],
    backend: str,
    *,
    encoding: str | None = None,
    folder: Path | None = None,
    seconds: int = SECONDS,
) -> subprocess.CompletedProcess[str]:
    """Run a command; one that hangs is ended with all it has started, and the test fails with what it printed."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "RUSTBRIDGE_BACKEND": backend},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding=encoding,
        errors="backslashreplace",
        start_new_session=True,
    )
    late = False
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        late = True
        # A forked child would hold the pipes open.
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        output, errors = process.communicate(timeout=SECONDS)
    if late:
        pytest.fail(f"ended after {seconds} s; it printed:\n{output}\n{errors}", pytrace=False)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
