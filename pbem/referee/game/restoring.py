"""Letters that came after the backup from which a game was restored.

The open period may have closed early. Letters between the last journal entry and the game's
resumption are held.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import after_backup
from pbem.periods import guards, issue_mails
from pbem.periods.guards import guarded
from pbem.post.compose import message_id
from pbem.post.seats import KINDS
from pbem.post.work import Work
from pbem.referee.deciding import trust
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import ACCEPTED
from pbem.store.games import games, periods
from pbem.store.games.game_rows import GameRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.store.schema.tables import Letter as LetterRecord
from pbem.text import counted

AHEAD = 12  # periods the game may have advanced since its backup


def came_after_backup(conn: Connection, game_id: str, received: datetime) -> bool:
    """Return whether it came after the game's backup; game_id "": any game's."""
    return any(after_backup(received, *backup) for backup in games.backups(conn, game_id))


def came_after(game: GameAt, received: datetime) -> bool:
    """Return whether it came after the backup of a game that is not over."""
    row = game.row
    return row.status != GameState.OVER and after_backup(
        received, row.restored_to, row.restored_until
    )


def meant_for(work: Work, judged: Judged, game: GameAt) -> int:
    """Return the period a letter speaks of, or 0: by PERIOD, else by the newest mail it answers."""
    letter, decision = judged.letter, judged.decision
    if decision.period is not None:
        return decision.period
    ours = (
        one
        for one in (*letter.in_reply_to, *reversed(letter.references))
        if one.endswith(f"@{work.mark.domain}>")
    )
    answered = next(ours, "")
    if not answered:
        return 0
    begins = dict(_beginnings(work, game, decision.seat))
    if answered in begins:
        return begins[answered]
    for mail in mails.of_game(work.conn, game.id, (answered,)):
        if mail.kind in ("receipt", "reminder"):
            return periods.opened_by(work.conn, game.id, mail.created)
    return 0


def _beginnings(work: Work, game: GameAt, seat: Seat) -> Iterator[tuple[str, int]]:
    """Yield (Message-ID, period) of the mails that began periods, also those newer than the
    backup."""
    generation = notes.memo(work.conn, "generation")
    for made in (work.mark.generation, *generation.get("former", ())):
        then = replace(work.mark, generation=int(made))
        for number in range(game.period.number + AHEAD):
            for kind in KINDS:
                for edition in (1, 2):
                    key = issue_mails.key(kind, game, number, edition, game.holders[seat])
                    yield message_id(then, key), number + 1


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of the letters that a restore held."""

    taken: tuple[int, ...]
    left: tuple[int, ...]
    closed: tuple[str, ...]
    """When the open period and later ones had closed in truth."""


def accept(
    work: Work, game_id: str, before: datetime | None, period: int | None = None
) -> Accepted:
    """Accept held letters plainly of the open period: they name it, in time, before any that names
    a later one. before: accept all received by then that name no other. Raise OperatorError unless
    ``period`` is open."""
    game = guarded(work.conn, game_id, period, PeriodState.OPEN)
    number, until = game.period.number, game.period.due
    rows = held(work.conn, game.row)
    later = [row.received for row in rows if row.period > number]
    taken = []
    for row in rows:
        if before is not None:
            fits = row.period in (0, number) and row.received <= before
        else:
            timely = until is None or row.received <= until
            fits = row.period == number and timely and all(row.received < one for one in later)
        if fits:
            trust.release(work.conn, row.id, ACCEPTED)
            guards.looked(work, game, LookKind.ACCEPT, letter=row.id)
            taken.append(row.id)
    if taken:
        notes.note(work.conn, game_id, work.now, "letters-accepted", letters=taken)
        count = counted(len(taken), "letter that was", "letters that were")
        notes.rule(
            work.conn,
            game_id,
            NoteKind.HOUSE,
            f"The gamesmaster accepted {count} held after a restore.",
            work.now,
        )
    left = tuple(row.id for row in rows if row.id not in taken)
    return Accepted(tuple(taken), left, tuple(_closed(game, rows)))


def _closed(game: GameAt, rows: Sequence[LetterRecord]) -> Iterator[str]:
    """Tell by the first letter that speaks of a later period when each period had closed."""
    for number in range(game.period.number, max((row.period for row in rows), default=0)):
        first = next(row for row in rows if row.period > number)
        when = game.minute(first.received)
        yield (
            f"Period {number} had closed by {when}: letter {first.id} speaks of period"
            f" {first.period}."
        )


def held(conn: Connection, game: GameRow) -> list[LetterRecord]:
    """Return the letters that the restore holds, in the order in which they were received."""
    found = (
        row
        for row in letters.held(conn, game.id)
        if after_backup(row.received, game.restored_to, game.restored_until)
    )
    return sorted(found, key=lambda row: (row.received, row.id))
