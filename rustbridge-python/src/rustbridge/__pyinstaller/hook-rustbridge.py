"""PyInstaller's hook: the modules of both backends, and the native library, which `ctypes` loads by its path."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_NATIVE = [path for path in sorted(_PACKAGE.iterdir()) if path.suffix in {".so", ".pyd", ".dll", ".dylib"}]
_MODULES = [*_PACKAGE.glob("*.py"), *(path for path in _NATIVE if path.name.startswith("_"))]

#: What isn't a module of Python's is collected as it is, next to the modules, where the package looks for it.
binaries = [(str(path), "rustbridge") for path in _NATIVE]

#: Which of them a program uses is decided when it runs.
hiddenimports = sorted(f"rustbridge.{path.name.split('.')[0]}" for path in _MODULES if path.name != "__init__.py")
