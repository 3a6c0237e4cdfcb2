"""What a peer is: the scenarios it can do, each as a function without arguments."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ECHO = '{"message":"Hello, World!"}'
REASON = "Error"

#: The catalogue's scenarios by the method of `Peer` that prepares them, and what reads the answer for the check before.
SCENARIOS = {
    "empty": "empty call",
    "pod8": "pod 8/8",
    "small": "bench.small 76/80",
    "echo": "json echo 13 B",
    "primitive": "M primitive",
    "join": "M string join",
    "sum_1000": "M sum 1000",
    "sum_10000": "M sum 10000",
    "error": "error, message read",
    "answer": "get_answer",
    "blob_64k": "get_blob 64 KB",
    "blob_1m": "get_blob 1 MB",
    "structs": "get_structs",
    "text": "typed text",
    "reading": "typed numbers",
    "records": "typed 100 records",
    "variant": "typed enum",
    "doubles": "typed 1000 doubles",
    "ready": "ready",
}

#: How many calls are made in one where it isn't one: what entering an event loop costs is shared by them.
AWAITED = 64
OPERATIONS = {"ready": AWAITED}


class Peer(ABC):
    """A way to call native code. Its methods that `SCENARIOS` names give what is timed; what one lacks isn't measured.

    Making a peer imports nothing native, so that a list needs no builds; `load` does.
    """

    subject = ""

    @abstractmethod
    def load(self) -> None:
        """Import or open what is measured."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Close what its scenarios have opened."""

    def scenarios(self) -> Iterator[str]:
        """Give the names of the methods for the scenarios that this peer can do, in the catalogue's order."""
        return (name for name in SCENARIOS if hasattr(self, name))

    def prepare(self, name: str) -> Callable[[], Any]:
        """Give what is timed, after a look at its answer: what answers wrongly isn't measured."""
        call: Callable[[], Any] = getattr(self, name)()
        answer = call()
        if not RIGHT[name](self, answer):
            raise ValueError(f"{self.subject}, {SCENARIOS[name]}: {str(answer)[:80]} is wrong")
        return call

    # How the answers of this peer are read; by default fields of objects.

    def pair_of(self, answer: Any) -> tuple[int, int]:
        """Read sum and exclusive or."""
        return answer.sum, answer.xor

    def found_of(self, answer: Any) -> tuple[str, int, bool]:
        """Read value, seconds and hit."""
        return answer.value, answer.ttl_seconds, answer.cache_hit

    def emails_of(self, answer: Any) -> list[str]:
        """Read the addresses of the last school of the last student."""
        return answer[33].schools[33].emails  # type: ignore[no-any-return]


#: Whether an answer is right.
RIGHT: dict[str, Callable[[Peer, Any], bool]] = {
    "empty": lambda _, answer: not answer,
    "pod8": lambda peer, answer: peer.pair_of(answer) == (42, 42),
    "small": lambda peer, answer: peer.found_of(answer) == ("value_for_bench_key", 3600, True),
    "echo": lambda _, answer: json.loads(answer) == {"message": "Hello, World!", "length": 13},
    "primitive": lambda _, answer: answer == 5.0,
    "join": lambda _, answer: answer == "hello,world",
    "sum_1000": lambda _, answer: answer == 500_500,
    "sum_10000": lambda _, answer: answer == 50_005_000,
    "error": lambda _, answer: REASON in answer,
    "answer": lambda _, answer: answer == 64,
    "blob_64k": lambda _, answer: len(answer) == 1 << 16 and answer[:2] == b"\x00\x01",
    "blob_1m": lambda _, answer: len(answer) == 1 << 20 and answer[:2] == b"\x00\x01",
    "structs": lambda peer, answer: [len(text) for text in peer.emails_of(answer)] == [37] * 34,
    "text": lambda _, answer: answer == "Hello, Ada Lovelace!",
    "reading": lambda _, answer: (answer[1], answer[2], answer[3], answer[5]) == (1060, -3.0, 5.0, 12),
    "records": lambda _, answer: [price for _, _, price in answer] == [n / (1 + (n + 1) % 2) for n in range(1, 101)],
    "variant": lambda _, answer: answer == 2.5,
    "doubles": lambda _, answer: answer == [float(n) for n in range(1000)],
    "ready": lambda _, answer: answer == 64,
}
