"""The hook of PyInstaller for programs with this package. The package's entry point refers to this folder."""

from __future__ import annotations

from pathlib import Path


def get_hook_dirs() -> list[str]:
    """Return the folder of the hook."""
    return [str(Path(__file__).parent)]
