"""Does a letter count for the open period? A letter that crossed a deadline is explained, never
applied to the next period unless the player names it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.frame.calendar import left

SOON = timedelta(hours=6)
SKEW = timedelta(seconds=60)
UNAWARE = timedelta(hours=1)
"""So soon after the end of a period a letter may have been written by somebody who had not read its
bulletin."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What bears on the question. ``number`` and ``due``: of the open period; ``named``: the
    letter's PERIOD line; ``received``: by the mail server; ``strict``: nothing counts after the
    deadline; ``last_due``, ``last_closed``: of the period before (None without a deadline);
    ``answered``: when the receipt or reminder that it answers was made, and ``read``: when the
    newest mail of any kind was; ``confirmed_for``: the period a held letter was held in (0: it was
    not held); ``opened``: when the open period began, with the bulletin of the one before;
    ``went_back``: when the game was last rewound (None: never); ``soon`` and ``unaware``:
    :data:`SOON` and :data:`UNAWARE` at the pace of the game; ``of_before``: it was sent by a link
    in a mail from before the game was last rewound."""

    number: int
    received: datetime
    due: datetime | None = None
    named: int | None = None
    strict: bool = False
    last_due: datetime | None = None
    last_closed: datetime | None = None
    answered: datetime | None = None
    confirmed_for: int = 0
    opened: datetime | None = None
    read: datetime | None = None
    went_back: datetime | None = None
    soon: timedelta = SOON
    unaware: timedelta = UNAWARE
    of_before: bool = False


def too_late(at: Arrival) -> str:
    """Why a letter does not count for the open period, as its writer is told; "" where it does."""
    if at.confirmed_for > at.number:
        return _other_period(at.confirmed_for, at.number, "is of period")
    if at.confirmed_for not in (0, at.number):
        return f"It was confirmed after period {at.confirmed_for} had closed."
    if at.confirmed_for and at.went_back is not None and at.received < at.went_back:
        return _BEFORE_IT_WENT_BACK
    if at.named not in (None, at.number):
        return _other_period(at.named, at.number)
    if missed(at):
        return f"It was received after the deadline of period {at.number}."
    if at.of_before:
        return "Its link is in a mail from before the game went back to an earlier period."
    return "" if at.named else _went_back(at) or _crossed(at)


_BEFORE_IT_WENT_BACK = "It was received before the game went back to an earlier period."


def _went_back(at: Arrival) -> str:
    """A letter that was on its way when the game was rewound, or answers a mail from before."""
    if at.went_back is None:
        return ""
    if at.received < at.went_back:
        return _BEFORE_IT_WENT_BACK
    soon = at.received < at.went_back + at.soon
    if soon and at.read is not None and at.read < at.went_back:
        return "It answers a mail from before the game went back to an earlier period."
    return ""


def missed(at: Arrival) -> bool:
    """Whether a letter came after the deadline of the open period, and nothing that does counts."""
    return at.strict and at.due is not None and at.received > at.due


def other_period(said: int, number: int) -> str:
    """Why a letter that was accepted for a period does not count for the open one; "" where they
    are the same."""
    return _other_period(said, number, "was accepted for period") if said != number else ""


def _other_period(named: int, number: int, says: str = "says PERIOD") -> str:
    state = "is closed" if named < number else "has not begun"
    return f"It {says} {named}, which {state}; the open period is {number}."


def _crossed(at: Arrival) -> str:
    """A letter that was on its way when the last deadline passed, or answers a mail from before
    it."""
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
    """Whether a letter came after the backup that its game came back from (which ``ended`` then;
    None: it came back from none), and before the game ``went_on`` (None: it has not): its writer
    may have known later periods."""
    return ended is not None and received > ended and (went_on is None or received < went_on)


def crossing(at: Arrival) -> str:
    """What the writer of a letter is told whom a deadline overtook and who cannot have known; ""
    where none did, or where what he wrote, or answers, shows that he knew."""
    why = too_late(at)
    if at.due is not None and at.received > at.due and (not why or missed(at)):
        counts = (
            "" if why else f" It counts all the same: period {at.number} had not been closed yet."
        )
        return f"Your letter came {left(at.received - at.due)} after the deadline.{counts}"
    if (
        at.last_closed is None
        or at.number == 1
        or at.named not in (None, at.number - 1)
        or at.confirmed_for
    ):
        return ""
    late = at.received - (
        at.last_closed if at.last_due is None else min(at.last_due, at.last_closed)
    )
    knew = at.read is not None and at.opened is not None and at.read >= at.opened
    if knew or not timedelta(0) < late <= (at.soon if why else at.unaware):
        return ""
    came = f"Your letter came {left(late)} after the end of period {at.number - 1}"
    if why:
        return f"{came}."
    return (
        f"{came}, and counts for period {at.number}. If you had not read the bulletin yet, see"
        " whether you still mean it."
    )


def skew(received: datetime, seen: datetime, sent: datetime | None) -> timedelta:
    """How far the mail server's clock is surely off ours: ahead where it received a letter later
    than we saw it, behind (negative) where it received a mail of ours, or the answer to one, before
    that was ``sent``."""
    if received > seen:
        return received - seen
    return min(received - sent, timedelta(0)) if sent is not None else timedelta(0)
