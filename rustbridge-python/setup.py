"""Builds the native library of the package from the workspace this folder lives in.

CPython 3.11 and later get one abi3 extension, which also exports the host ABI for the ctypes backend. CPython 3.10
lacks the buffer protocol in its stable ABI, so there only the plain host ABI library is built.

For another system the extension is built beforehand, by a cross compiler. Then `RUSTBRIDGE_EXTENSION` names its file,
called as in the package, and `RUSTBRIDGE_WHEEL_PLATFORM` the wheel's platform tag: `cargo xtask windows test` does so.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools_rust import Binding, RustExtension, Strip

CRATES = Path(__file__).resolve().parent.parent / "crates"
ABI3 = sys.version_info >= (3, 11)
EXTENSION = os.environ.get("RUSTBRIDGE_EXTENSION")


class WithNative(Distribution):
    """A distribution that is specific to a platform, also if setuptools compiles no extension."""

    def has_ext_modules(self) -> bool:
        """Return true, because an extension that is already built is copied."""
        return True


class CopyExtension(build_py):
    """The build step that adds the extension, which is already built, to the package."""

    def run(self) -> None:
        """Copy the extension after the sources."""
        super().run()
        shutil.copy2(str(EXTENSION), Path(self.build_lib, "rustbridge"))


if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise SystemExit("rustbridge doesn't work in a free-threaded build of CPython yet: use the regular build")

if EXTENSION:
    setup(
        distclass=WithNative,
        cmdclass={"build_py": CopyExtension},
        options={"bdist_wheel": {"py_limited_api": "cp311", "plat_name": os.environ["RUSTBRIDGE_WHEEL_PLATFORM"]}},
        zip_safe=False,
    )
    sys.exit()

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
