"""The guide's programs run as they stand there, one after the other."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from typing import TYPE_CHECKING, Any

from tests.plugins import REPOSITORY, plugin_path

if TYPE_CHECKING:
    import pytest


def test_the_guide_does_what_it_shows(
    backend: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUSTBRIDGE_BACKEND", backend)
    guide = (REPOSITORY / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    names: dict[str, Any] = {
        "asyncio": asyncio,
        "library": plugin_path("hello-plugin"),
        "operations": plugin_path("operations-plugin"),
    }

    async def main() -> None:
        for number, block in enumerate(blocks):
            code = compile(block, f"block {number} of the guide", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            done = eval(code, names)
            if inspect.iscoroutine(done):
                await done

    asyncio.run(main())
    assert len(blocks) > 15
    said = capsys.readouterr().out
    assert said.startswith("Hello, Ada! Welcome to rustbridge.\n")
    assert "0\n1\n2\n0\n1\n2\n" in said
