"""Batches of waiting letters without a common game, for several daemons.

A seat's letters share a batch. Games are guessed from From; wrong guesses are only slower. Letters
of unknown senders are left out.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from pbem.post.work import Installation
from pbem.referee.deciding import registry
from pbem.store.letters import undecided

MOST = 2_000
_HEAD = 8192  # bytes searched for From
_FROM = re.compile(rb"(?im)^from:((?:[^\r\n]|\r?\n[ \t]){0,998})")
_ADDRESS = re.compile(rb"(?<![\w.+-])[\w.+-]++@[\w.-]++")


class Batch(NamedTuple):
    """Letter numbers and their games."""

    games: tuple[str, ...]
    letters: tuple[int, ...]


def of_waiting(installation: Installation, now: datetime) -> list[Batch]:
    """Return batches: first what may be proven, else the longest waiting."""
    with installation.shared_work(now) as work:
        found = undecided.fresh(work.conn, MOST, _HEAD)
        known: dict[str, tuple[str, ...]] = {}
        games_of = {}
        for letter_id, head in found:
            games: set[str] = set()
            for sender in _senders(head):
                if sender not in known:
                    known[sender] = registry.games_of(work.conn, sender)
                games.update(known[sender])
            games_of[letter_id] = games
    return [Batch(games, tuple(letters)) for games, letters in _apart(games_of).items()]


def _senders(head: bytes) -> set[str]:
    found = _FROM.search(head.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0])
    named = _ADDRESS.findall(found[1]) if found else ()
    return {one.decode("ascii", "ignore").lower() for one in named}


def _apart(games_of: dict[int, set[str]]) -> dict[tuple[str, ...], list[int]]:
    group: dict[str, set[str]] = {}
    for games in games_of.values():
        whole = set(games).union(*(group.get(game, ()) for game in games))
        for game in whole:
            group[game] = whole
    found: dict[tuple[str, ...], list[int]] = {}
    for letter_id, games in games_of.items():
        if games:
            found.setdefault(tuple(sorted(group[next(iter(games))])), []).append(letter_id)
    return found
