"""Where the plugins to measure are, and which backends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PLUGINS = Path(os.environ.get("RUSTBRIDGE_PLUGIN_DIR") or Path(__file__).resolve().parents[2] / "target" / "release")
CHOSEN = os.environ.get("RUSTBRIDGE_BACKEND")
BACKENDS = [CHOSEN] if CHOSEN else (["native", "ctypes"] if sys.version_info >= (3, 11) else ["ctypes"])


def plugin_path(name: str) -> Path:
    """Give the path of a plugin of the repository."""
    names = {"win32": f"{name}.dll", "darwin": f"lib{name}.dylib"}
    path = PLUGINS / names.get(sys.platform, f"lib{name}.so")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: run `cargo build --release`, or set RUSTBRIDGE_PLUGIN_DIR")
    return path
