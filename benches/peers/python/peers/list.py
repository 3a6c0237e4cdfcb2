"""Prints what would be measured: scenario, host, transport, subject and threads, a line each, between tabs.

    python -m peers.list [TEXT ...]

With texts, only scenarios that contain one of them. It needs nothing built and nothing installed.
"""

from __future__ import annotations

import sys

from peers.every import cases
from peers.peer import SCENARIOS


def main(texts: list[str]) -> None:
    """Print."""
    for subject, name in cases([], texts):
        print(SCENARIOS[name], "python", "", subject, 1, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
