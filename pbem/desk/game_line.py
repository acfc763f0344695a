"""The time line of a game: its periods with their deadlines, and each move of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pbem.desk.game import when
from pbem.periods import own_page, publishing
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.schema.states import GameState, PeriodState

PAGE = 8
"""So many periods are in one piece of a time line."""
_WORDS = {
    PeriodState.OPEN: "open",
    PeriodState.CLOSING: "being closed",
    PeriodState.CLOSED: "closed",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A period in a time line."""

    number: int
    name: str
    stands: str
    open: bool
    opened: str
    first: str
    """Its deadline as first set; "" for none."""
    moves: Sequence[str]
    """Each move of the deadline."""
    due: str
    """The deadline after all moves."""
    closed: str
    edition: int
    """Above 1 if the period was adjudicated again."""


@dataclass(frozen=True, slots=True)
class TimelinePart:
    """A piece of a time line, the newest period first; ``before``: where the piece of older ones
    begins, 0 for none."""

    stretches: Sequence[Stretch]
    before: int


def timeline_part(sight: Sight, at: GameAt, newest: int | None = None) -> TimelinePart:
    """Return the periods of a game up to ``newest`` (None: all that have begun). A period whose
    bulletin is not out is left out."""
    last = at.period.number - (at.period.status == PeriodState.REVIEW or _is_final(at))
    first = min(last, newest or last)
    numbers = range(first, max(0, first - PAGE), -1)
    older = first - PAGE
    return TimelinePart(
        [_stretch(at, games.game_at(sight.conn, at.id, n)) for n in numbers], max(0, older)
    )


def _is_final(at: GameAt) -> bool:
    """Return whether the game's last row is the position in which its rules ended it, and no
    period."""
    return at.game.status == GameState.OVER and at.ruleset.result(at.state) is not None


def _stretch(now: GameAt, at: GameAt) -> Stretch:
    own, deadline = partial(when, at.zone), publishing.deadline_of(at)
    last = now.game.status == GameState.OVER and at.period.number == now.period.number
    return Stretch(
        at.period.number,
        own_page.name(at),
        "the game ended in it" if last else _WORDS[at.period.status],
        at.period.status == PeriodState.OPEN,
        own(at.period.opened),
        own(deadline.base) if deadline else "",
        [f"{one.by.signed}, {one.kind}: {one.why}" for one in deadline.moves] if deadline else [],
        own(deadline.due) if deadline else "",
        own(at.period.closed),
        at.period.edition,
    )
