"""Every scenario of the Python lanes."""

from benchmarks.scenario import REGISTERED
from benchmarks.scenarios import lifecycle, metaffi, objects, operations, raws, rpclib, structs, tables, texts, typed

ALL = tuple(REGISTERED)

__all__ = [
    "ALL",
    "lifecycle",
    "metaffi",
    "objects",
    "operations",
    "raws",
    "rpclib",
    "structs",
    "tables",
    "texts",
    "typed",
]
