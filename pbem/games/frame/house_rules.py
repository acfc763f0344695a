"""House rules 6, 7 and 8, and grace, as pure decisions. Moves: "list" for late lists, "standby" for
a replacement, "grace" for players who sent nothing. A seat may have missed its move; a letter
counts for the open period, for the next only if it names that."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.games.frame import calendar
from pbem.games.frame.calendar import Deadline, Move, left
from pbem.games.frame.events import Seat
from pbem.games.frame.house import ALL, MINUTE, NEVER, OWED, READY, House
from pbem.games.frame.length import NONE, Days, Length, whole_minutes
from pbem.games.frame.ruleset import Awaited, Ruleset
from pbem.orders.order import Standing

_FIRST = 1
_NEAR = timedelta(days=6)
"""Within it a weekday names one day only."""
WAITING, STANDBY, GRACE = "list", "standby", "grace"


@dataclass(frozen=True, slots=True)
class AtDeadline:
    """Close (``by`` 0), or wait."""

    by: Length = NONE
    kind: str = ""
    why: str = ""
    remind: tuple[Seat, ...] = ()
    replace: tuple[Seat, ...] = ()


def closes_early(house: House, asked: Mapping[Seat, Sequence[str]], period: int) -> str:
    """Return when to close early; READY counts if nobody owes. ``period``: its number."""
    if not house.early_hour or house.early == NEVER or (house.early == ALL and period == _FIRST):
        return NEVER
    return READY if house.early in (READY, ALL) or not any(asked.values()) else OWED


def may_close_early(house: House, period: int) -> bool:
    """Return whether a period may close early. ``period``: its number."""
    return closes_early(house, {}, period) != NEVER


def not_before(house: House, opened: datetime, due: datetime | None) -> datetime | None:
    """Return half-time, before which it does not close early; None: no such rule."""
    return opened + (due - opened) / 2 if house.early == ALL and due else None


def early_when(house: House, opened: datetime, due: datetime | None, zone: ZoneInfo) -> str:
    """Return in words when an early end is considered: "from Thursday on at 20:00", with the date
    if the deadline is a week later."""
    half = not_before(house, opened, due)
    if half is None:
        return house.early_when
    if house.elapsed:
        return f"from {half.astimezone(zone):%H:%M} on, {house.early_when}"
    look = calendar.early_look(half - MINUTE, house, zone)
    if not look:
        return ""
    when = house.early_when if house.at_once else f"at {house.early_hour}"
    day = look.astimezone(zone)
    last = due.astimezone(zone) - MINUTE if due else day
    if day.date() == last.date():
        return f"on the last day {when}"
    return f"from {day:%A}{'' if last - day < _NEAR else f' {day.day} {day:%B}'} on {when}"


def is_early(
    condition: str,
    asked: Collection[Seat],
    owing: Collection[Seat],
    ready: Collection[Seat],
    waiting: Collection[Seat],
) -> bool:
    """Return whether the early condition is met by seats in the game. ``asked`` may act, ``owing``
    still owe, ``ready`` and ``waiting`` said so."""
    if condition == NEVER or any(seat in waiting for seat in asked):
        return False
    return not owing if condition == OWED else bool(asked) and all(seat in ready for seat in asked)


def missing_lists(owed: Mapping[Seat, Sequence[str]], awaited: Awaited | None) -> tuple[Seat, ...]:
    """Return seats that owe what the period waits for."""
    return tuple(seat for seat, slots in owed.items() if awaited and awaited.slot in slots)


def at_deadline(
    owed: Mapping[Seat, Sequence[str]],
    awaited: Awaited | None,
    moves: Sequence[Move],
    house: House,
    standbys: int,
) -> AtDeadline:
    """Apply house rule 8: write and wait, then offer to ``standbys`` and wait, then go on."""
    missing, more = missing_lists(owed, awaited), house.rule("late_list_days", 0)
    if awaited is None or not missing or not more:
        return AtDeadline()
    if not waits(moves):
        why = f"not all {awaited.several} are in (house rule 8)"
        return AtDeadline(more, WAITING, why, remind=missing)
    if any(move.kind == STANDBY for move in moves) or not standbys:
        return AtDeadline()
    replaced = missing[:standbys]
    why = f"a new player for {', '.join(replaced)} (house rule 8)"
    more = house.rule("standby_days", 0) if "standby_days" in house.rules else more
    return AtDeadline(more, STANDBY, why, replace=replaced)


def late_list(house: House, awaited: Awaited | None, a: str = "a") -> str:
    """Describe house rule 8, or "" if off. ``a``: "your" to the player."""
    more = house.rule("late_list_days", 0)
    if awaited is None or not more:
        return ""
    return (
        f"House rule 8: a period waits up to {more} for {a} {awaited.short}, then"
        f" {house.rule('standby_days', 0)} for a new player."
    )


def would_ask(missed: int, house: House) -> str:
    """Describe what one more missed move means (house rule 7), or ""."""
    if not asks(missed + 1, house):
        return ""
    return (
        f"It would be move {missed + 1} missed in a row: you would be asked whether you play on"
        " (house rule 7)."
    )


def waits(moves: Sequence[Move]) -> bool:
    """Return whether only lists keep the period open."""
    return any(move.kind in (WAITING, STANDBY) for move in moves)


def silence_has_rules(house: House) -> bool:
    """Return whether house rules 7 and 8 leave no grace."""
    return any(house.rules.get(name) for name in ("ask_after_missed", "late_list_days"))


def in_grace(moves: Sequence[Move]) -> bool:
    """Return whether only grace keeps the period open."""
    return [move.kind for move in moves if move.kind in (GRACE, "extension")][-1:] == [GRACE]


def grace(deadline: Deadline, now: datetime, house: House, zone: ZoneInfo) -> Length:
    """Return grace's move; 0 if none. A late look adds its delay."""
    wanted = house.grace
    if not wanted or any(move.kind == GRACE for move in deadline.moves):
        return NONE
    if after_grace(deadline, wanted, house, zone) <= now:
        late = now - deadline.due
        more = late.days + 1 if isinstance(wanted, Days) else whole_minutes(late).n
        wanted = replace(wanted, n=wanted.n + more)
    by = calendar.automatic(deadline.moves, wanted, house)
    return by if by and after_grace(deadline, by, house, zone) > now else NONE


def after_grace(deadline: Deadline, by: Length, house: House, zone: ZoneInfo) -> datetime:
    """Return when a period at its deadline would close."""
    return calendar.moved(deadline, [Move(GRACE, by, "")], house, zone).due


def before_grace(deadline: Deadline, house: House, zone: ZoneInfo) -> datetime:
    kinds = [move.kind for move in deadline.moves]
    if GRACE not in kinds:
        return deadline.due
    before = [move.by for move in deadline.moves[: kinds.index(GRACE)]]
    if house.elapsed:
        return deadline.base + sum((by.time for by in before), timedelta(0))
    day = calendar.day_of(deadline.base, house.hour, zone)
    return calendar.moment(day + timedelta(days=sum(by.n for by in before)), house.hour, zone)


def is_idle(periods: int, after: int) -> bool:
    """Return whether to tell the gamesmaster: at multiples of ``after``."""
    return bool(after) and periods > 0 and periods % after == 0


def asks(missed: int, house: House) -> bool:
    """Return whether house rule 7 asks now."""
    return is_idle(missed, int(house.rules.get("ask_after_missed", 0)))


def is_asked(missed: int, house: House) -> bool:
    after = int(house.rules.get("ask_after_missed", 0))
    return bool(after) and missed >= after


def wanted(ruleset: Ruleset[Any], state: Any, seat: Seat) -> bool:
    """Return whether a move is asked, even if kept orders fill it."""
    return bool(ruleset.due(state, seat, {}))


def missed(ruleset: Ruleset[Any], state: Any, seat: Seat, standing: Standing) -> bool:
    """Return whether a wanted move got no order at all."""
    return wanted(ruleset, state, seat) and not standing


SOON = timedelta(hours=6)
SKEW = timedelta(seconds=60)
UNAWARE = timedelta(hours=1)
"""How long a writer may not know the last bulletin."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What decides whether a letter counts."""

    number: int
    """The open period."""
    received: datetime
    """By the mail server."""
    due: datetime | None = None
    named: int | None = None
    """Its PERIOD line."""
    strict: bool = False
    """Nothing counts after the deadline."""
    last_due: datetime | None = None
    last_closed: datetime | None = None
    answered: datetime | None = None
    """When the receipt or reminder it answers was made."""
    confirmed_for: int = 0
    """In which period it was held; 0 for none."""
    opened: datetime | None = None
    """With the last bulletin."""
    read: datetime | None = None
    """When the newest mail it answers was made."""
    names_new: bool = False
    """It names the open period, or the bulletin before."""
    went_back: datetime | None = None
    """The last rewind."""
    soon: timedelta = SOON
    unaware: timedelta = UNAWARE
    of_before: bool = False
    """By a link older than the last rewind."""


def too_late(at: Arrival) -> str:
    """Return why it does not count; "" if it does."""
    if at.confirmed_for > at.number:
        return _other_period(at.confirmed_for, at.number, "is of period")
    if at.confirmed_for not in (0, at.number):
        return f"It was confirmed after period {at.confirmed_for} had closed."
    if at.confirmed_for and at.went_back is not None and at.received < at.went_back:
        return _BEFORE_IT_WENT_BACK
    if at.named not in (None, at.number):
        return _other_period(at.named, at.number)
    if missed_deadline(at):
        return f"It was received after the deadline of period {at.number}."
    if at.of_before:
        return "Its link is in a mail from before the game went back to an earlier period."
    return "" if at.named else _went_back(at) or _crossed(at)


_BEFORE_IT_WENT_BACK = "It was received before the game went back to an earlier period."


def _went_back(at: Arrival) -> str:
    if at.went_back is None:
        return ""
    if at.received < at.went_back:
        return _BEFORE_IT_WENT_BACK
    soon = at.received < at.went_back + at.soon
    if soon and at.read is not None and at.read < at.went_back:
        return "It answers a mail from before the game went back to an earlier period."
    return ""


def missed_deadline(at: Arrival) -> bool:
    """Return whether it came after a ``strict`` deadline."""
    return at.strict and at.due is not None and at.received > at.due


def other_period(said: int, number: int) -> str:
    """Return why a letter for ``said`` does not count for ``number``, or ""."""
    return _other_period(said, number, "was accepted for period") if said != number else ""


def _other_period(named: int, number: int, says: str = "says PERIOD") -> str:
    state = "is closed" if named < number else "has not begun"
    return f"It {says} {named}, which {state}; the open period is {number}."


def _crossed(at: Arrival) -> str:
    if at.last_due is None or at.last_closed is None:
        return ""
    ended = min(at.last_due, at.last_closed)  # a period may have closed early
    if at.received <= ended:
        return (
            f"It was received before the end of period {at.number - 1}, but seen after that had"
            " closed."
        )
    if at.opened is not None and at.received < at.opened and not at.confirmed_for:
        return (
            f"It was received after the end of period {at.number - 1}, before its bulletin was"
            " published."
        )
    soon = at.received < at.last_closed + at.soon
    if soon and at.answered is not None and at.answered < ended:
        return f"It answers a mail of period {at.number - 1}, which closed before it came."
    return ""


def after_backup(received: datetime, ended: datetime | None, went_on: datetime | None) -> bool:
    """Return whether it came between a restored game's backup and its resumption. ``ended``: the
    backup's time, None if not restored. ``went_on``: None if not yet resumed."""
    return ended is not None and received > ended and (went_on is None or received < went_on)


def crossing(at: Arrival) -> str:
    """Return that a deadline overtook it, or "" if its writer knew."""
    why = too_late(at)
    if at.due is not None and at.received > at.due and (not why or missed_deadline(at)):
        counts = (
            "" if why else f" It counts all the same: period {at.number} had not been closed yet."
        )
        return f"Your letter came {left(at.received - at.due)} after the deadline.{counts}"
    names_other = at.named not in (None, at.number - 1)
    if at.last_closed is None or at.number == 1 or names_other or at.confirmed_for:
        return ""
    ended = at.last_closed if at.last_due is None else min(at.last_due, at.last_closed)
    late = at.received - ended
    knew = at.read is not None and at.opened is not None and at.read >= at.opened
    overtaken = timedelta(0) < late <= (at.soon if why else at.unaware)
    if knew or not overtaken or (at.names_new and not why):
        return ""
    came = f"Your letter came {left(late)} after the end of period {at.number - 1}"
    if why:
        return f"{came}."
    return (
        f"{came}, and counts for period {at.number}. If you had not read the bulletin yet, see"
        " whether you still mean it."
    )


def skew(received: datetime, seen: datetime, sent: datetime | None) -> timedelta:
    """Return the certain error of the mail server's clock. Positive if it received a letter after
    we saw it, negative if it received an answer before we sent the mail."""
    if received > seen:
        return received - seen
    return min(received - sent, timedelta(0)) if sent is not None else timedelta(0)
