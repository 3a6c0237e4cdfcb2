"""What is made of a plugin's description: the vectors that the readers of every language hold to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rustbridge
from rustbridge._description import read

FOLDER = Path(__file__).resolve().parents[2] / "conformance" / "descriptions"
VECTORS = [
    pytest.param(vector, id=f"{file.stem}: {vector['name']}")
    for file in sorted(FOLDER.glob("*.json"))
    for vector in json.loads(file.read_text("utf-8"))["vectors"]
]


def given(vector: dict[str, Any]) -> bytes:
    if "text" in vector:
        return str(vector["text"]).encode()
    if "hex" in vector:
        return bytes.fromhex(vector["hex"])
    return json.dumps(vector["description"]).encode()


#: Fields that the answers don't name: they say nothing, or a later version adds them.
UNNAMED = {"rustbridge", "kind", "later"}


def named(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: named(value) for name, value in found.items() if name not in UNNAMED}
    if isinstance(found, list):
        return [named(one) for one in found]
    return found


def test_there_are_vectors() -> None:
    assert len(VECTORS) > 70


@pytest.mark.parametrize("vector", VECTORS)
def test_a_description_is_read_as_the_vector_says(vector: dict[str, Any]) -> None:
    refused = vector.get("refused")
    if refused is None:
        assert named(read(given(vector))) == vector["answer"]
    elif refused["by"] == "everyone":
        with pytest.raises(rustbridge.DataLossError, match="the plugin's description") as caught:
            read(given(vector))
        assert caught.value.type == "rustbridge.InvalidDescription"
    else:
        # The core refuses it when the plugin is loaded: no reader of a host ever gets it.
        assert refused["by"] == "core"
