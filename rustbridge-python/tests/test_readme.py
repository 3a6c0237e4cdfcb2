"""The programs in the READMEs run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plugins import REPOSITORY, plugin_path


def blocks(readme: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("readme", "library", "says"),
    [
        # The plugin of the first answers as hello-plugin does; that it builds is tested beside the C examples.
        ("README.md", "target/release/libhello.so", ["Hello, Ada! Welcome to rustbridge."]),
        (
            "rustbridge-python/README.md",
            "target/release/libhello_plugin.so",
            [
                "Hello, Ada! Welcome to rustbridge.",
                '{"message":"Hi","length":2}',
                r"b'*\x00\x00\x00\x00\x00\x00\x00'",
                "42",
                "80",
            ],
        ),
    ],
)
def test_a_readme_does_what_it_shows(
    readme: str,
    library: str,
    says: list[str],
    backend: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RUSTBRIDGE_BACKEND", backend)
    [block] = blocks(REPOSITORY / readme)
    assert library in block
    # Its path stands in a string literal, where a backslash would begin an escape.
    exec(compile(block.replace(library, Path(plugin_path("hello-plugin")).as_posix()), readme, "exec"), {})
    assert capsys.readouterr().out.splitlines() == says
