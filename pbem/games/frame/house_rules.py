"""The house rules about early closing, late lists and silent players (house rules 6, 7 and 8), as
decisions over plain facts.

What must live here: what is to be done. What must not: doing it. A move of a deadline of the kind
"list" is the time that a period waits for late lists, one of the kind "standby" what a replacement
gets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.calendar import NEVER, OWED, READY, House, Move
from pbem.games.frame.events import Seat
from pbem.games.frame.length import NONE, Length
from pbem.games.frame.ruleset import Awaited

WAITING, STANDBY = "list", "standby"


@dataclass(frozen=True, slots=True)
class AtDeadline:
    """What a deadline that has come leads to: closing (``by`` 0), or so much more, of the kind
    and for the reason given; ``remind`` get a second letter, ``replace`` lose their seats to
    stand-by players."""

    by: Length = NONE
    kind: str = ""
    why: str = ""
    remind: tuple[Seat, ...] = ()
    replace: tuple[Seat, ...] = ()


def closes_early(house: House, asked: Mapping[Seat, Sequence[str]]) -> str:
    """On what condition a period closes early that asks this of those who may act: where it asks
    nobody for anything, it can only be that all are ready."""
    if not house.early_hour or house.early == NEVER:
        return NEVER
    return READY if house.early == READY or not any(asked.values()) else OWED


def is_early(
    condition: str,
    asked: Collection[Seat],
    owing: Collection[Seat],
    ready: Collection[Seat],
    waiting: Collection[Seat],
) -> bool:
    """Whether the condition is met: ``asked`` may act, ``owing`` owe something still, ``ready`` and
    ``waiting`` have said READY and WAIT. Who is out of the game has no say."""
    if condition == NEVER or any(seat in waiting for seat in asked):
        return False
    return not owing if condition == OWED else bool(asked) and all(seat in ready for seat in asked)


def missing_lists(owed: Mapping[Seat, Sequence[str]], awaited: Awaited | None) -> tuple[Seat, ...]:
    """The seats that owe what the period waits for."""
    return tuple(seat for seat, slots in owed.items() if awaited and awaited.slot in slots)


def at_deadline(
    owed: Mapping[Seat, Sequence[str]],
    awaited: Awaited | None,
    moves: Sequence[Move],
    house: House,
    standbys: int,
) -> AtDeadline:
    """House rule 8: at the deadline a second letter, and the period waits; then a stand-by player,
    with a deadline of his own; then, or where nobody stands by, the default of the rules."""
    missing, more = missing_lists(owed, awaited), house.rule("late_list_days", 0)
    if awaited is None or not missing or not more:
        return AtDeadline()
    if not waits(moves):
        why = f"house rule 8: not all {awaited.several} are in"
        return AtDeadline(more, WAITING, why, remind=missing)
    if any(move.kind == STANDBY for move in moves) or not standbys:
        return AtDeadline()
    replaced = missing[:standbys]
    why = f"house rule 8: a new player for {', '.join(replaced)}"
    more = house.rule("standby_days", 0) if "standby_days" in house.rules else more
    return AtDeadline(more, STANDBY, why, replace=replaced)


def waits(moves: Sequence[Move]) -> bool:
    """Whether a period is open only because it waits for lists: it closes as soon as they are
    in."""
    return any(move.kind in (WAITING, STANDBY) for move in moves)


def is_idle(periods: int, after: int) -> bool:
    """Whether so many periods in a row are to be told the gamesmaster: each multiple of ``after``,
    which is 0 for never."""
    return bool(after) and periods > 0 and periods % after == 0


def asks(missed: int, house: House) -> bool:
    """House rule 7: whether a player who has missed so many moves in a row is now asked if he plays
    on."""
    after = int(house.rules.get("ask_after_missed", 0))
    return bool(after) and missed > 0 and missed % after == 0
