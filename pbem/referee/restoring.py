"""A game that came back from a backup, and the letters that came after that: which period were they
meant for?

The backup does not know how far the game had gone on without it: the period that is open again may
have closed early, and a letter received before its deadline be meant for the next. So all that was
received after the backup's last journal entry and before the game went on is held, with the period
it speaks of, until the gamesmaster accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.games.frame.lateness import after_backup
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.periods import publishing
from pbem.post.compose import Postmark, message_id
from pbem.referee import player_words
from pbem.referee.player_words import ACCEPTED
from pbem.store import games, notes
from pbem.store.games import Table
from pbem.store.records import Game, Outgoing, Period
from pbem.store.records import Letter as LetterRow
from pbem.store.states import GameState, NoteKind, PeriodState

AHEAD = 12  # periods by which the game may have been further on than its backup


def came_after_backup(conn: Connection, game_id: str, received: datetime) -> bool:
    """Whether a letter came after the backup that the game it names (if there is one) came back
    from."""
    row = conn.execute(
        select(Game.restored_to, Game.restored_until).where(Game.id == game_id)
    ).first()
    return row is not None and after_backup(received, *row)


def meant_for(
    conn: Connection, mark: Postmark, at: Table, seat: Seat, letter: Letter, named: int | None
) -> int:
    """The period that a letter speaks of: by its line PERIOD, else by the newest mail of ours that
    it answers (the bulletin or notice with which a period began, or a receipt or reminder on file);
    0 where it speaks of none."""
    if named is not None:
        return named
    ours = (
        one
        for one in (*letter.in_reply_to, *reversed(letter.references))
        if one.endswith(f"@{mark.domain}>")
    )
    answered = next(ours, "")
    if not answered:
        return 0
    begins = dict(_beginnings(conn, mark, at, seat))
    if answered in begins:
        return begins[answered]
    made = select(Outgoing.created).where(
        Outgoing.message_id == answered,
        Outgoing.game_id == at.id,
        Outgoing.kind.in_(("receipt", "reminder")),
    )
    then = select(func.max(Period.number)).where(
        Period.game_id == at.id, Period.opened <= made.scalar_subquery()
    )
    return int(conn.execute(then).scalar() or 0)


def _beginnings(
    conn: Connection, mark: Postmark, at: Table, seat: Seat
) -> Iterator[tuple[str, int]]:
    """The Message-IDs under which each period began for a seat, those of mails that the backup does
    not know too."""
    generation = notes.memo(conn, "generation")
    for made in (mark.generation, *generation.get("former", ())):
        then = replace(mark, generation=int(made))
        for number in range(at.period.number + AHEAD):
            for kind in publishing.KINDS:
                for edition in (1, 2):
                    yield (
                        message_id(
                            then, publishing.issue_key(kind, at, number, edition, at.holders[seat])
                        ),
                        number + 1,
                    )


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of the letters of a game that a restore held."""

    taken: tuple[int, ...]
    left: tuple[int, ...]


def accept(conn: Connection, game_id: str, before: datetime | None, now: datetime) -> Accepted:
    """Accept the letters of a game, held after a restore, that are plainly of its open period: they
    speak of it, and were received by its deadline and before the first letter that speaks of a
    later one. With ``before``, the gamesmaster's word that the period was open until then: all
    received by then that speak of no other."""
    at = games.table(conn, game_id)
    if at.period.status != PeriodState.OPEN or at.game.status not in (
        GameState.RUNNING,
        GameState.HELD,
    ):
        raise OperatorError(f"game {game_id} has no open period now; see `pbem queue {game_id}`")
    number, until = at.period.number, at.period.due
    rows = held(conn, at.game)
    later = [row.received for row in rows if row.period > number]
    taken = []
    for row in rows:
        if before is not None:
            fits = row.period in (0, number) and row.received <= before
        else:
            timely = until is None or row.received <= until
            fits = row.period == number and timely and all(row.received < one for one in later)
        if fits:
            player_words.release(conn, row.id, ACCEPTED)
            taken.append(row.id)
    if taken:
        notes.note(conn, game_id, now, "letters-accepted", letters=taken)
        count = "a letter that was" if len(taken) == 1 else f"{len(taken)} letters that were"
        notes.rule(
            conn,
            game_id,
            NoteKind.HOUSE,
            f"The gamesmaster accepted {count} held after a restore.",
            now,
        )
    return Accepted(tuple(taken), tuple(row.id for row in rows if row.id not in taken))


def held(conn: Connection, game: Any) -> list[Any]:
    """The letters of a game that a restore holds, in the order of first sight."""
    where = (
        LetterRow.game_id == game.id,
        LetterRow.outcome == LetterState.HELD,
        LetterRow.seat != "",
        LetterRow.raw.is_not(None),
    )
    rows = conn.execute(
        select(LetterRow.id, LetterRow.received, LetterRow.period)
        .where(*where)
        .order_by(LetterRow.id)
    ).all()
    return [
        row for row in rows if after_backup(row.received, game.restored_to, game.restored_until)
    ]
