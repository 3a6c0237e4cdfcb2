"""Builds the native library of the package from the workspace this folder lives in.

CPython 3.11 and later get one abi3 extension, which also exports the host ABI for the ctypes backend. CPython 3.10
lacks the buffer protocol in its stable ABI, so there only the plain host ABI library is built.
"""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools_rust import Binding, RustExtension, Strip

CRATES = Path(__file__).resolve().parent.parent / "crates"
ABI3 = sys.version_info >= (3, 11)

if not CRATES.is_dir():
    raise SystemExit(f"{CRATES} not found: rustbridge-python builds inside a checkout of the repository")

if ABI3:
    # Not Binding.PyO3: that asks for a feature of the crate pyo3, and ours builds on pyo3-ffi alone.
    extension = RustExtension(
        "rustbridge._native",
        path=str(CRATES / "rustbridge-pyext" / "Cargo.toml"),
        binding=Binding.NoBinding,
        py_limited_api=True,
        strip=Strip.Debug,
        debug=False,
    )
else:
    extension = RustExtension(
        "rustbridge.librustbridge",
        path=str(CRATES / "rustbridge-capi" / "Cargo.toml"),
        binding=Binding.NoBinding,
        strip=Strip.Debug,
        debug=False,
    )

setup(
    rust_extensions=[extension],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
    zip_safe=False,
)
