"""Tells how a conformance case ended, for the table of all hosts (`docs/conformance.md`)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The folder for the lines; without it there are none.
FOLDER = os.environ.get("RUSTBRIDGE_CONFORMANCE_RESULTS")


@contextlib.contextmanager
def recorded(case: str, backend: str) -> Iterator[None]:
    """Append a line for a case: its id and how it ended, with a tab between."""
    try:
        yield
    except BaseException as problem:
        write(case, backend, f"failed: {' '.join(f'{type(problem).__name__}: {problem}'.split())}")
        raise
    write(case, backend, "passed")


def write(case: str, backend: str, outcome: str) -> None:
    if FOLDER:
        with Path(FOLDER, f"python-{backend}.tsv").open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{case}\t{outcome}\n")
