"""The journal of a game: entries hashed in a chain, so that changes are noticed.

``hash = SHA-256(previous hash + nonce + canonical JSON of {n, at, kind, data})``. The nonce has 128
random bits, because orders can be guessed. Nonces and seed are revealed at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbem.games.frame import codec

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An entry: ``n`` from 1, ``at`` in ISO form and UTC, JSON ``data``."""

    n: int
    at: str
    kind: str
    data: dict[str, Any]
    nonce: str
    hash: str


def seal(
    previous: str, n: int, at: str, kind: str, data: dict[str, Any], nonce: str
) -> JournalEntry:
    """Return the entry after the one with hash ``previous`` (:data:`GENESIS` for the first)."""
    text = codec.text({"n": n, "at": at, "kind": kind, "data": data})
    return JournalEntry(
        n, at, kind, data, nonce, hashlib.sha256(f"{previous}{nonce}{text}".encode()).hexdigest()
    )


def broken_at(entries: Iterable[JournalEntry]) -> int | None:
    """Return the first entry whose hash is wrong; None if all are right."""
    previous = GENESIS
    for entry in entries:
        if (
            seal(previous, entry.n, entry.at, entry.kind, entry.data, entry.nonce).hash
            != entry.hash
        ):
            return entry.n
        previous = entry.hash
    return None
