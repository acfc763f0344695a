"""The journal of a game, hashed in a chain, so that changes are noticed.

``hash = SHA-256(previous hash + nonce + canonical JSON of {n, at, kind, data})``. Nonces (128 bits,
because orders can be guessed) and seed are revealed at the end.
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
    """An entry: ``n`` from 1, ``at`` ISO in UTC."""

    n: int
    at: str
    kind: str
    data: dict[str, Any]
    nonce: str
    hash: str


def seal(
    previous: str, n: int, at: str, kind: str, data: dict[str, Any], nonce: str
) -> JournalEntry:
    """Return the entry after hash ``previous`` (:data:`GENESIS`)."""
    text = codec.text({"n": n, "at": at, "kind": kind, "data": data})
    return JournalEntry(
        n, at, kind, data, nonce, hashlib.sha256(f"{previous}{nonce}{text}".encode()).hexdigest()
    )


def broken_at(entries: Iterable[JournalEntry]) -> int | None:
    """Return the first wrong entry, or None."""
    previous = GENESIS
    for entry in entries:
        if (
            seal(previous, entry.n, entry.at, entry.kind, entry.data, entry.nonce).hash
            != entry.hash
        ):
            return entry.n
        previous = entry.hash
    return None
