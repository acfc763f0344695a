"""The house rules about early closing, late lists, silent players (house rules 6, 7 and 8) and
grace, as decisions over plain facts.

What must live here: what is to be done. What must not: doing it. A move of a deadline of the kind
"list" is the time that a period waits for late lists, one of the kind "standby" what a replacement
gets, one of the kind "grace" the time that a period waits for players who have sent nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.games.frame import calendar
from pbem.games.frame.calendar import NEVER, OWED, READY, Deadline, House, Move
from pbem.games.frame.events import Seat
from pbem.games.frame.length import NONE, Days, Length, whole_minutes
from pbem.games.frame.ruleset import Awaited

WAITING, STANDBY, GRACE = "list", "standby", "grace"


@dataclass(frozen=True, slots=True)
class AtDeadline:
    """What a deadline that has come leads to: closing (``by`` 0), or so much more, of the kind
    and for the reason given; ``remind`` get a second letter, the seats of ``replace`` are offered
    to others."""

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
    """House rule 8: at the deadline a second letter, and the period waits; then the seat is offered
    to others, of whom so many can be asked (``standbys``), and the period waits as long as that;
    then, or where nobody can be asked, the default of the rules."""
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


def late_list(house: House, awaited: Awaited | None, a: str = "a", the: str = "the") -> str:
    """Return what house rule 8 does about a late list, as all mails say it; "" where it does not
    hold. ``a`` list and ``the`` seat: "your" in a mail to the player himself."""
    more = house.rule("late_list_days", 0)
    if awaited is None or not more:
        return ""
    return (
        f"House rule 8: a period waits up to {more} for {a} {awaited.short}. If it is still"
        f" missing then, {the} seat is offered to others, if there are any, and the period waits"
        f" {house.rule('standby_days', 0)} more."
    )


def would_ask(missed: int, house: House) -> str:
    """Return what it means for a player to miss one more move, as mails to him say it; "" where
    house rule 7 does nothing."""
    if not asks(missed + 1, house):
        return ""
    return (
        f"It would be move {missed + 1} missed in a row: you would be asked whether you play on"
        " (house rule 7)."
    )


def waits(moves: Sequence[Move]) -> bool:
    """Whether a period is open only because it waits for lists: it closes as soon as they are
    in."""
    return any(move.kind in (WAITING, STANDBY) for move in moves)


def silence_has_rules(house: House) -> bool:
    """Whether house rules 7 and 8 say what becomes of silent players and late lists: then there is
    no grace."""
    return any(house.rules.get(name) for name in ("ask_after_missed", "late_list_days"))


def in_grace(moves: Sequence[Move]) -> bool:
    """Whether a period is open only because it waits by grace; where the gamesmaster has extended
    its deadline since, it is open to all again."""
    return [move.kind for move in moves if move.kind in (GRACE, "extension")][-1:] == [GRACE]


def grace(deadline: Deadline, now: datetime, house: House, zone: ZoneInfo) -> Length:
    """By how much a deadline that has come moves by grace: by as much more as it was found late
    where it would have passed again; 0 where it has moved so once, or cannot."""
    wanted = house.grace
    if not wanted or any(move.kind == GRACE for move in deadline.moves):
        return NONE
    if _moved(deadline, wanted, house, zone) <= now:
        late = now - deadline.due
        more = late.days + 1 if isinstance(wanted, Days) else whole_minutes(late).n
        wanted = replace(wanted, n=wanted.n + more)
    by = calendar.automatic(deadline.moves, wanted, house)
    return by if by and _moved(deadline, by, house, zone) > now else NONE


def after_grace(deadline: Deadline, house: House, zone: ZoneInfo) -> datetime:
    """When a period whose deadline has come would close if it waited by grace."""
    return _moved(deadline, house.grace, house, zone)


def _moved(deadline: Deadline, by: Length, house: House, zone: ZoneInfo) -> datetime:
    return calendar.moved(deadline, [Move(GRACE, by, "")], house, zone).due


def before_grace(deadline: Deadline, house: House, zone: ZoneInfo) -> datetime:
    """The deadline that had come when the period began to wait by grace; the deadline itself where
    it has not."""
    kinds = [move.kind for move in deadline.moves]
    if GRACE not in kinds:
        return deadline.due
    before = [move.by for move in deadline.moves[: kinds.index(GRACE)]]
    if house.elapsed:
        return deadline.base + sum((by.time for by in before), timedelta(0))
    day = calendar.day_of(deadline.base, house.hour, zone)
    return calendar.moment(day + timedelta(days=sum(by.n for by in before)), house.hour, zone)


def is_idle(periods: int, after: int) -> bool:
    """Whether so many periods in a row are to be told the gamesmaster: each multiple of ``after``,
    which is 0 for never."""
    return bool(after) and periods > 0 and periods % after == 0


def asks(missed: int, house: House) -> bool:
    """House rule 7: whether a player who has missed so many moves in a row is now asked if he plays
    on."""
    after = int(house.rules.get("ask_after_missed", 0))
    return bool(after) and missed > 0 and missed % after == 0


def is_asked(missed: int, house: House) -> bool:
    """Whether a player who has missed so many moves in a row has been asked it."""
    after = int(house.rules.get("ask_after_missed", 0))
    return bool(after) and missed >= after
