"""The bytes that the page of the wire form says, read and written by typed clients."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rustbridge
from tests.clients import types_client as t

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = Path(__file__).resolve().parents[2] / "conformance" / "wire" / "vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]


@pytest.fixture
def plugin(load: Callable[..., rustbridge.Plugin]) -> rustbridge.Plugin:
    return load("types-plugin")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_every_vector_holds(plugin: rustbridge.Plugin, vector: dict[str, Any]) -> None:
    method, wire = vector["method"], bytes.fromhex(vector["wire"])
    own = t._CLIENT_SCHEMA._coders(plugin._backend, t._CLIENT_SCHEMA._types(method)[1])
    for encode, decode in (t._CLIENT_SCHEMA.codec(method), own):
        if "refused" in vector:
            with pytest.raises(rustbridge.PluginError):
                decode(wire)
            continue
        value = decode(wire)
        assert encode(value) == wire
        # What it means is said in JSON, which the plugin's own tests compare with it.
        client = t.Types(plugin)
        call = getattr(client, method, None) or getattr(client, f"{method}_")
        assert (call(value) == value) != vector.get("filled", False)
