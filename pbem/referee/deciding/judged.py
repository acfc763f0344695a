"""A letter on which the verdict has been given, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.post.seats import as_deputy
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.letters.letter_rows import LetterRow
from pbem.store.people import deputies


@dataclass(frozen=True, slots=True)
class Judged:
    """A letter: its row on file, what it says, and the verdict on it."""

    row: LetterRow
    letter: Letter
    decision: Decision

    @property
    def deputy(self) -> int:
        """The deputy who wrote it for a seat's player; 0 where he did himself."""
        who = self.decision.registration
        return who.deputy if who else 0

    @property
    def proven(self) -> bool:
        """Whether the letter proves that its seat's player, his deputy or the gamesmaster wrote it,
        as surely as is asked of him. Only such a letter is a sign of life."""
        return self.decision.registration is not None and self.decision.proven

    @property
    def personal(self) -> bool:
        """Whether what it says of the player's person counts: he wrote it himself, as far as is
        known."""
        said = self.decision.directed
        return not self.deputy and (said is None or said.own)

    def writer(self, work: Work, at: GameAt) -> Holder:
        """Its seat, as whoever wrote it has its mails."""
        holder = at.holders[self.decision.seat]
        return as_deputy(holder, deputies.one(work.conn, self.deputy)) if self.deputy else holder


class Outcome(NamedTuple):
    """What becomes of a letter, and why."""

    state: LetterState
    reason: str
    period: int | None = None
    """The number of the period that the letter is for, if any."""
    receipt: int | None = None
    """The number of its receipt, if it has one."""
    owed: str = ""
    """The kind of mail that its writer gets when there is room for it; "" if nothing waits."""
    place: tuple[str, str] | None = None
    """The game and seat, if a code showed others than the verdict's."""


@dataclass(frozen=True, slots=True)
class Logged:
    """What the log says of a letter: the ``verdict``, what became of it (None: it waits), and the
    game, seat and receipt that it has. No word of the letter, and nobody's address."""

    verdict: str = ""
    outcome: LetterState | None = None
    game: str = ""
    seat: str = ""
    receipt: int | None = None
