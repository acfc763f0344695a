"""The time line of a game."""

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
    """Originally, or ""."""
    moves: Sequence[str]
    due: str
    closed: str
    edition: int
    """Above 1 if the period was adjudicated again."""


@dataclass(frozen=True, slots=True)
class TimelinePart:
    """Periods, the newest first. ``before``: where the next piece begins, or 0."""

    stretches: Sequence[Stretch]
    before: int


def timeline_part(sight: Sight, at: GameAt, newest: int | None = None) -> TimelinePart:
    """newest: None for all."""
    last = at.period.number - (at.period.status == PeriodState.REVIEW or _is_final(at))
    first = min(last, newest or last)
    numbers = range(first, max(0, first - PAGE), -1)
    older = first - PAGE
    return TimelinePart(
        [_stretch(at, games.game_at(sight.conn, at.id, n)) for n in numbers], max(0, older)
    )


def _is_final(at: GameAt) -> bool:
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
