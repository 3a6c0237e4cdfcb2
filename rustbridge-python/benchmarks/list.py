"""Prints what would be measured: scenario, host, transport, subject and threads, a line each, between tabs.

    python -m benchmarks.list [TEXT ...]

With texts, only scenarios that contain one of them. It needs neither the natives nor the installed package.
"""

from __future__ import annotations

import sys

from benchmarks.plugins import BACKENDS
from benchmarks.scenarios import ALL


def main(texts: list[str]) -> None:
    for backend in BACKENDS:
        for scenario in ALL:
            if texts and not any(text.lower() in scenario.name.lower() for text in texts):
                continue
            for subject, threads in scenario.subjects():
                print(scenario.name, "python", backend, subject, threads, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
