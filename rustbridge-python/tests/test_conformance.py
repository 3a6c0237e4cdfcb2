"""Every case of `conformance/`, in each of the ways Python has to call a method: the judge runs them on `testee.py`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.children import run_to_its_end
from tests.plugins import PLUGINS, REPOSITORY

#: Longer than building the judge and running every case take on a slow machine.
LIMIT = 900


def judge() -> list[str]:
    """Give the command of the judge: the one that was built before, or cargo's, which builds it."""
    built = os.environ.get("RUSTBRIDGE_CONFORMANCE_JUDGE")
    if built:
        return [built]
    return ["cargo", "run", "--quiet", "--package", "rustbridge-conformance", "--bin", "rustbridge-conformance", "--"]


@pytest.mark.timeout(LIMIT + 60)
def test_the_judge_finds_every_case_right(backend: str) -> None:
    testee = Path(__file__).with_name("testee.py")
    judged = run_to_its_end(
        [
            *(*judge(), "run", "--host", f"python/{backend}", "--plugins", str(PLUGINS), "--total", "600"),
            *("--testee", sys.executable, "-X", "dev", "-W", "error", str(testee), backend),
        ],
        backend,
        folder=REPOSITORY,
        seconds=LIMIT,
    )
    print(judged.stdout)
    assert judged.returncode == 0, f"{judged.stdout}\n{judged.stderr}"
