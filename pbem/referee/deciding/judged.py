"""A letter with its verdict, and its outcome."""

from dataclasses import dataclass
from typing import NamedTuple

from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.post.seats import as_deputy
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.letters.undecided import LetterRow
from pbem.store.people import deputies


@dataclass(frozen=True, slots=True)
class Judged:
    """A letter: row, contents, verdict."""

    row: LetterRow
    letter: Letter
    decision: Decision

    @property
    def deputy(self) -> int:
        """The writing deputy; 0 for the player."""
        who = self.decision.registration
        return who.deputy if who else 0

    @property
    def proven(self) -> bool:
        """Whether player, deputy or gamesmaster is proven as required: a sign of life."""
        return self.decision.registration is not None and self.decision.proven

    @property
    def personal(self) -> bool:
        """Whether words on the player's person count: they seem to have written it."""
        said = self.decision.directed
        return not self.deputy and (said is None or said.own)

    def writer(self, work: Work, game: GameAt) -> Holder:
        holder = game.holders[self.decision.seat]
        return as_deputy(holder, deputies.deputy(work.conn, self.deputy)) if self.deputy else holder


class LetterOutcome(NamedTuple):
    """What becomes of a letter, and why."""

    state: LetterState
    reason: str
    period: int | None = None
    receipt: int | None = None
    place: tuple[str, str] | None = None
    """Game and seat, if a code showed others than the verdict's."""


@dataclass(frozen=True, slots=True)
class Logged:
    """What the log says of a letter: no words, no address."""

    verdict: str = ""
    outcome: LetterState | None = None
    """None: it waits."""
    game: str = ""
    seat: str = ""
    receipt: int | None = None
