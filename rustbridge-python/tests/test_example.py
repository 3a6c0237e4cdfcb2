"""The example for newcomers runs and prints what it promises."""

from __future__ import annotations

import sys

from tests.children import run_to_its_end
from tests.plugins import REPOSITORY, plugin_path

EXAMPLE = REPOSITORY / "examples" / "python" / "hello.py"


def test_the_example_runs(backend: str) -> None:
    result = run_to_its_end(
        [
            sys.executable,
            "-X",
            "utf8",
            str(REPOSITORY / "examples" / "python" / "hello.py"),
            plugin_path("hello-plugin"),
        ],
        backend,
        encoding="utf-8",
    )
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if not line.startswith("INFO")]
    assert lines[:4] == [
        "Hello, Ada! Welcome to rustbridge.",
        '{"message":"größer","length":8}',
        "42",
        "3",
    ]
    assert lines[4].startswith("OUT_OF_RANGE: ")
