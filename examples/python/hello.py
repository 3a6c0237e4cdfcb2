"""Loads hello-plugin, and calls it with objects, text and structures. Usage: hello.py PATH-OF-THE-PLUGIN."""

from __future__ import annotations

import ctypes
import logging
import sys

import rustbridge


class Add(ctypes.Structure):
    """The request of `math.add`, with the layout that `describe()` returns."""

    _fields_ = (("a", ctypes.c_int64), ("b", ctypes.c_int64))


class Sum(ctypes.Structure):
    """The response of `math.add`."""

    _fields_ = (("result", ctypes.c_int64),)


def main(path: str) -> None:
    """Call everything once."""
    logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
    with rustbridge.load(path, log_level="info") as hello:
        print(hello.call("greet", {"name": "Ada"})["greeting"])
        print(hello.call_json("echo", '{"message":"größer"}'))

        add = hello.method("math.add", encoding="pod")
        print(add.call_raw(Add(40, 2), Sum).result)
        with add.lease(Add(1, 2)) as lease:
            print(int.from_bytes(lease.view, sys.byteorder))

        try:
            hello.call("math.add", {"a": 2**63 - 1, "b": 1})
        except rustbridge.OutOfRangeError as error:
            print(f"{error.status.name}: {error.message}")


if __name__ == "__main__":
    main(*sys.argv[1:])
