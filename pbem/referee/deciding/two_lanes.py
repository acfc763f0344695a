"""Two lanes for a crowd of letters: what may be proven is decided first.

The header decides. Each lane has hourly shares: forged letters delay no player.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from pbem.budget import Budget
from pbem.errors import OutsideError, OverBudget
from pbem.letters import case, letter
from pbem.post.work import Installation, Work
from pbem.referee.deciding import registry
from pbem.referee.deciding.judged import Judged
from pbem.store.letters import undecided
from pbem.store.letters.letter_rows import HeadRow

log = structlog.get_logger()
HOUR = timedelta(hours=1)
CROWD = 20
"""More unsorted letters are a crowd."""
_AT_ONCE = 50
_HEAD = 131_072
"""Bytes; more than the longest header read."""


def sort(installation: Installation, now: datetime, stopping: Callable[[], bool]) -> None:
    with installation.shared_work(now) as work:
        if undecided.unsorted(work.conn, CROWD + 1) <= CROWD:
            return
    while not stopping():
        with installation.shared_work(now) as work:
            found = undecided.heads(work.conn, _AT_ONCE, _HEAD)
            for row in found:
                undecided.sort(work.conn, row.id, proven=_is_proven(work, row))
        if len(found) < _AT_ONCE:
            return


def _is_proven(work: Work, row: HeadRow) -> bool:
    """Return False also if it cannot be read."""
    try:
        with Budget(work.limits.letter_seconds, "the look at this letter"):
            seen = letter.outside(row.head, work.limits.of_reading())
            if seen is None or seen.sender is None:
                return False
            where = registry.known_facts(
                work.conn, seen, work.config, work.mark, row.received, whole=False
            )
            return case.may_be_proven(seen, where, row.received)
    except OutsideError:
        raise
    except (Exception, OverBudget) as error:
        log.warning("not looked at", letter=row.id, error=type(error).__name__)
        return False


# --- the share of a sender in each line -----------------------------------------------------------


def sated(work: Work, *, front: bool) -> Sequence[str]:
    """Return waiting senders who had their hourly share."""
    since, share = work.now - HOUR, work.limits.letters_an_hour
    return undecided.sated(work.conn, since, share, proven=front)


def has_had_share(work: Work, judged: Judged) -> bool:
    sender, share = (judged.letter.sender or "")[:254], work.limits.letters_an_hour
    proven, conn = judged.proven, work.conn
    if not sender or undecided.had(conn, sender, work.now - HOUR, share, proven=proven) < share:
        return False
    undecided.waits_for_share(conn, judged.row.id, sender, proven=proven)
    return True


# --- batches of letters without a common game, for several daemons --------------------------------


MOST = 2_000
_SENDER_WITHIN = 8192  # bytes searched for From
_FROM = re.compile(rb"(?im)^from:((?:[^\r\n]|\r?\n[ \t]){0,998})")
_ADDRESS = re.compile(rb"(?<![\w.+-])[\w.+-]++@[\w.-]++")


class Batch(NamedTuple):
    """Letter numbers and their games."""

    games: tuple[str, ...]
    letters: tuple[int, ...]


def of_waiting(installation: Installation, now: datetime) -> list[Batch]:
    """Return batches: first what may be proven, else the longest waiting. A seat's letters share
    one. Games are guessed from From: wrong guesses are only slower. Letters of unknown senders are
    left out."""
    with installation.shared_work(now) as work:
        found = undecided.fresh(work.conn, MOST, _SENDER_WITHIN)
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
