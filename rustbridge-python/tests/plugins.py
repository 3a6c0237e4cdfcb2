"""Where the plugins under test are, and which backends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PLUGINS = Path(os.environ.get("RUSTBRIDGE_PLUGIN_DIR") or REPOSITORY / "target" / "release")
CHOSEN = os.environ.get("RUSTBRIDGE_BACKEND")
# CPython 3.10 has no extension: its stable ABI lacks the buffer protocol.
BACKENDS = [CHOSEN] if CHOSEN else (["native", "ctypes"] if sys.version_info >= (3, 11) else ["ctypes"])


def plugin_path(name: str) -> str:
    """Give the path of one of the repository's plugins. A missing one is an error: a test that skips proves nothing."""
    stem = name.replace("-", "_")
    if sys.platform == "win32":
        file = f"{stem}.dll"
    else:
        file = f"lib{stem}.dylib" if sys.platform == "darwin" else f"lib{stem}.so"
    path = PLUGINS / file
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: run `cargo build --release`, or set RUSTBRIDGE_PLUGIN_DIR")
    return str(path)
