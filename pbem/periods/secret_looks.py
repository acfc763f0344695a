"""Record looks at secrets. If the gamesmaster plays, the next bulletin counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.post import masters
from pbem.post.work import Work
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind, LooksRow
from pbem.store.schema.states import GameState, PeriodState
from pbem.text import counted

_WORDS: Mapping[LookKind, tuple[str, str]] = {
    LookKind.PREVIEW: ("preview", "previews"),
    LookKind.DRY_RUN: ("dry run of a rewind", "dry runs of a rewind"),
    LookKind.ORDER: ("entry of orders for a seat", "entries of orders for a seat"),
    LookKind.ACCEPT: ("letter accepted", "letters accepted"),
    LookKind.LETTER: ("letter opened", "letters opened"),
    LookKind.PRESS: ("letter with private press opened", "letters with private press opened"),
    LookKind.EXPORT: ("export of all its files", "exports of all its files"),
    LookKind.MAIL: ("private mail to a seat opened", "private mails to seats opened"),
}


def secret(at: GameAt) -> bool:
    return at.game.status in (GameState.RUNNING, GameState.HELD)


def period_of(at: GameAt) -> int:
    return at.period.number - (at.period.status == PeriodState.REVIEW)


def looked(work: Work, at: GameAt, kind: LookKind, **of: Any) -> str:
    """Record a look. Return what to say; "" after the game. ``of``: the letter, mail or seat."""
    if not secret(at):
        return ""
    number, one = period_of(at), _WORDS[kind][0]
    told = masters.of(work.conn, work.mark, at.id).seat is not None
    notes.looked(work.conn, at.id, number, kind, work.now, told, **of)
    counts = f", and bulletin {number} of {at.id} counts it" if told else ""
    return f"this look is in the journal{counts}: 1 {one}"


def line(rows: Sequence[LooksRow], number: int) -> str:
    told = []
    for period, found in groupby(rows, key=lambda row: row.period):
        when = "in this period" if period == number else f"in period {period}"
        told.append(f"{when}: {', '.join(counted(row.number, *_WORDS[row.kind]) for row in found)}")
    return f"The gamesmaster has looked {'; '.join(told)}." if told else ""
