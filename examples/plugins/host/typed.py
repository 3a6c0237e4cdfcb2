"""Calls the plugin in C through its generated client. Usage: typed.py PATH-OF-THE-PLUGIN FOLDER-OF-THE-CLIENT."""

from __future__ import annotations

import importlib
import sys

import rustbridge


def main(path: str, folder: str) -> None:
    """Add Python integers, once with a sum that fits and once with one that doesn't."""
    sys.path.insert(0, folder)
    shout = importlib.import_module("shout_c").ShoutC.load(path)
    with shout:
        if shout.add(-40, 82) != 42:
            raise SystemExit("-40 and 82 aren't 42")
        try:
            shout.add(2**63 - 1, 1)
        except rustbridge.OutOfRangeError as error:
            if error.message != "the sum has no 64 bits":
                raise SystemExit(f"the message is {error.message!r}") from error
        else:
            raise SystemExit("the sum of 65 bits was answered")
    print("shout-c: right by its types")


if __name__ == "__main__":
    main(*sys.argv[1:])
