"""The journal of a game without its orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.desk import journal_words
from pbem.desk.game import secret_table, when
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import JournalEntry

PAGE = 50
SECRET = ("orders", "draws", "state", "seed", "commitment", "sha256")
"""Also figures that tell a reader nothing."""


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One entry."""

    n: int
    made: str
    kind: str
    said: str
    by: str
    """An address, "the shell", or "" if nobody did it."""
    letters: Sequence[int]


@dataclass(frozen=True, slots=True)
class Entries:
    """Newest first. ``before``: where the next page begins, or 0."""

    entries: Sequence[JournalRow]
    before: int


def entries(sight: Sight, game_id: str, before: int | None = None) -> Entries:
    """Return a page of the journal. Raise OperatorError for a player, who would learn how many
    letters come."""
    at = secret_table(sight, game_id)
    found = notes.journal_page(sight.conn, at.id, PAGE, before)
    older = found[-1].n if found and found[-1].n > 1 else 0
    return Entries([_entry(at, one) for one in found], older)


def _entry(at: GameAt, one: JournalEntry) -> JournalRow:
    facts = {name: value for name, value in one.data.items() if name not in SECRET}
    made = when(at.zone, datetime.fromisoformat(one.at))
    by = str(facts.pop("by", ""))
    letters = journal_words.letters(facts)
    said = journal_words.words(one.kind, facts)
    return JournalRow(one.n, made, one.kind, said, by, letters)
