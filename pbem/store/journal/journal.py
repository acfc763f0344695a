"""The journal of a game: hashed entries, so that a later change is noticed.

``hash = SHA-256(previous hash + nonce + canonical JSON of {n, at, kind, data})``. The caller gives
the nonce (128 random bits), because orders can be guessed. Nonces and seed are revealed when the
game is over.
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
    """One entry: ``n`` from 1, ``at`` an ISO time in UTC, ``kind`` and plain JSON ``data``."""

    n: int
    at: str
    kind: str
    data: dict[str, Any]
    nonce: str
    hash: str


def seal(
    previous: str, n: int, at: str, kind: str, data: dict[str, Any], nonce: str
) -> JournalEntry:
    """The entry that follows the one whose hash is ``previous`` (:data:`GENESIS` for the first)."""
    text = codec.text({"n": n, "at": at, "kind": kind, "data": data})
    return JournalEntry(
        n, at, kind, data, nonce, hashlib.sha256(f"{previous}{nonce}{text}".encode()).hexdigest()
    )


def broken_at(entries: Iterable[JournalEntry]) -> int | None:
    """Return the number of the first entry whose hash does not follow from the one before; None:
    all is whole."""
    previous = GENESIS
    for entry in entries:
        if (
            seal(previous, entry.n, entry.at, entry.kind, entry.data, entry.nonce).hash
            != entry.hash
        ):
            return entry.n
        previous = entry.hash
    return None
