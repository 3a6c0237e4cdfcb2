"""Every peer, and what there is to measure of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peers.cffi_calls import Cffi, CffiAbi
from peers.peer import SCENARIOS
from peers.predecessor import Predecessor
from peers.typed import Boltffi, Pyo3, Uniffi

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from peers.peer import Peer

PEERS: dict[str, type[Peer]] = {peer.subject: peer for peer in (Uniffi, Boltffi, Pyo3, Cffi, CffiAbi, Predecessor)}


def cases(subjects: Iterable[str], texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give subject and method of what is to be measured: of these peers, or all; and these scenarios, or all."""
    wanted, parts = list(subjects), [text.lower() for text in texts]
    for subject, peer in PEERS.items():
        if wanted and subject not in wanted:
            continue
        for name in peer().scenarios():
            if not parts or any(part in SCENARIOS[name].lower() for part in parts):
                yield subject, name
