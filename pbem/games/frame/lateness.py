"""Whether a letter counts for the open period; for the next, only if it names that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.frame.calendar import left

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
    if missed(at):
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


def missed(at: Arrival) -> bool:
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
    """Return whether it came between a restored game's backup and its resumption.

    ``ended``: the backup's time, None if not restored. ``went_on``: None if not yet resumed.
    """
    return ended is not None and received > ended and (went_on is None or received < went_on)


def crossing(at: Arrival) -> str:
    """Return that a deadline overtook it, or "" if he knew."""
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
    if (
        knew
        or (at.names_new and not why)
        or not timedelta(0) < late <= (at.soon if why else at.unaware)
    ):
        return ""
    came = f"Your letter came {left(late)} after the end of period {at.number - 1}"
    if why:
        return f"{came}."
    return (
        f"{came}, and counts for period {at.number}. If you had not read the bulletin yet, see"
        " whether you still mean it."
    )


def skew(received: datetime, seen: datetime, sent: datetime | None) -> timedelta:
    """Return the certain error of the mail server's clock.

    Positive if it received a letter after we saw it, negative if it received an answer before we
    sent the mail.
    """
    if received > seen:
        return received - seen
    return min(received - sent, timedelta(0)) if sent is not None else timedelta(0)
