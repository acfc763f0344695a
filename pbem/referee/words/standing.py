"""What is awaited of somebody who holds no seat yet."""

from __future__ import annotations

from pbem.games.frame.dice import commitment
from pbem.periods import open_tables as tables
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import signing_on, watching
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import OpenTable
from pbem.text import listed

_CALLED = ApplicantState.CALLED


def awaited(work: Work, judged: Judged) -> Answer | None:
    """Return what is awaited of him, newest first, else his place. None if he has none."""
    sender = judged.letter.sender or ""
    player_id = players.at_address(work.conn, sender)
    mine = open_tables.known_of(work.conn, sender, player_id)
    there = [(one, row) for one in mine if (row := OpenTable.one(work.conn, id=one.game_id))]
    for one, table in sorted(there, key=lambda at: (at[0].state != _CALLED, -at[0].id)):
        if one.state in (_CALLED, ApplicantState.ASKED):
            return signing_on.asked_again(work, table, one)
    told = [_stands(work, table, one.id) for one, table in there]
    if watched := watching.watched(work, player_id):
        told.append(f"You watch {listed(watched)}.")
    seed = commitment(there[0][1].seed) if len(there) == 1 else None
    return Answer("\n\n".join(told), "How it stands", seed=seed) if told else None


def _stands(work: Work, table: OpenTable, number: int) -> str:
    one = open_tables.applicant(work.conn, number)
    assert one
    if one.state == ApplicantState.SURE:
        known = tables.facts(work, table)
        return f"You play in {table.id} ({known.title}). {tables.said('there', known)}"
    return signing_on.placed(work, table, one)
