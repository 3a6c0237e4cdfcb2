"""Tells PyInstaller what a program with this package needs; it finds this folder by the package's entry point."""

from __future__ import annotations

from pathlib import Path


def get_hook_dirs() -> list[str]:
    """Return the folder of the hook."""
    return [str(Path(__file__).parent)]
