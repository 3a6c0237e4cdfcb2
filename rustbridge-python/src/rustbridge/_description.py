"""Reads a plugin's description. docs/describe.md specifies the format.

The core has refused every description that breaks a rule. This module fills in
missing fields, and removes the entries that this version can't call, as every binding does.
"""

from __future__ import annotations

import json
from typing import Any

from ._errors import DataLossError
from ._status import Encoding, Status

_KINDS = (None, "unary", "server_stream", "client_stream", "bidi_stream")
_ENCODINGS = {encoding.name.lower() for encoding in Encoding}


def read(data: bytes) -> dict[str, Any]:
    """Read a description; unknown fields stay in it."""
    try:
        description = json.loads(data)
    except ValueError as error:
        raise _invalid(f"can't be read: {error}") from error
    if not isinstance(description, dict) or not isinstance(description.get("name"), str):
        raise _invalid("isn't a JSON object with a name")
    _fill(description, abi="", version="", description="", rustbridge="")
    _drop_null(description, "config")
    description["methods"] = [_method(method) for method in description.get("methods") or ()]
    return description


def _invalid(problem: str) -> DataLossError:
    return DataLossError(Status.DATA_LOSS, f"the plugin's description {problem}", "rustbridge.InvalidDescription")


def _method(method: dict[str, Any]) -> dict[str, Any]:
    _fill(method, id=None, doc="")
    entries = method.get("entries") or ()
    method["entries"] = [_entry(entry) for entry in entries if _callable(entry)]
    return method


def _callable(entry: dict[str, Any]) -> bool:
    return entry.get("kind") in _KINDS and entry["encoding"] in _ENCODINGS


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    _fill(entry, leaf=False, **{"async": False})
    for side in ("request", "response"):
        entry[side] = _side(entry.get(side) or {})
    return entry


def _side(side: dict[str, Any]) -> dict[str, Any]:
    _drop_null(side, "schema", "layout")
    layout = side.get("layout")
    if layout is not None:
        _fill(layout, type="", align=0)
        layout["fields"] = layout.get("fields") or []
    return side


def _fill(holder: dict[str, Any], **absent: Any) -> None:
    for name, value in absent.items():
        if holder.get(name) is None:
            holder[name] = value


def _drop_null(holder: dict[str, Any], *names: str) -> None:
    for name in names:
        if holder.get(name, ...) is None:
            del holder[name]
