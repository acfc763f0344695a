"""The deadlines of a game for a calendar: a file of iCalendar (RFC 5545), published (RFC 5546,
3.2.1) and so without attendees.

Each period is one event, which is known again by its UID: it ends at the deadline, so that midnight
lies on the day that it closes. Nobody's secrets are in it: the file is the same for all seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import cast

from icalendar import Alarm, Calendar, Event, vCalAddress, vDuration

SPAN = timedelta(minutes=30)
"""So long before its deadline an event begins."""


class Status(StrEnum):
    """What has become of a deadline: its game may be held, so that its clock stands; the period
    closed; or it has been taken back, by a rewind or the end of its game."""

    OPEN = "open"
    HELD = "held"
    CLOSED = "closed"
    CANCELLED = "cancelled"

    @property
    def word(self) -> str:
        """STATUS (RFC 5545, 3.8.1.11)."""
        return {"held": "TENTATIVE", "cancelled": "CANCELLED"}.get(self, "CONFIRMED")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a file comes from: the ``game``, the referee's ``address`` and ``name``, the moment it
    is made. ``revision``: more than of any file of the game before (SEQUENCE). ``alarm``: so long
    before a deadline the calendar is to remind."""

    game: str
    address: str
    name: str
    now: datetime
    revision: int
    alarm: timedelta


@dataclass(frozen=True, slots=True)
class Deadline:
    """A period as a calendar has it: when it was opened, when it is (or was) to close or has closed
    (UTC), in ``summary`` what that is called in one line, in ``words`` what there is to know."""

    number: int
    status: Status
    opened: datetime
    ends: datetime
    summary: str
    words: str


def calendar(source: Source, deadlines: Iterable[Deadline]) -> str:
    """The file: lines of 75 octets at the most, each ended by CR LF."""
    made = Calendar()
    made.add("PRODID", "-//pbem//referee//EN")
    made.add("VERSION", "2.0")
    made.add("CALSCALE", "GREGORIAN")
    made.add("METHOD", "PUBLISH")
    for one in deadlines:
        made.add_component(_event(source, one))
    return cast(bytes, made.to_ical()).decode()


def _event(source: Source, one: Deadline) -> Event:
    made = Event()
    domain = source.address.rpartition("@")[2]
    made.add("UID", f"{source.game}-period-{one.number}@{domain}")
    made.add("SEQUENCE", source.revision)
    made.add("DTSTAMP", source.now)
    made.add("LAST-MODIFIED", source.now)
    made.add("DTSTART", min(one.ends, max(one.opened, one.ends - SPAN)))
    made.add("DTEND", one.ends)
    made.add("SUMMARY", one.summary)
    made.add("DESCRIPTION", one.words)
    made.add("STATUS", one.status.word)
    made.add("TRANSP", "TRANSPARENT")
    organizer = vCalAddress(f"mailto:{source.address}")
    organizer.params["CN"] = source.name
    made.add("ORGANIZER", organizer)
    if one.status is Status.OPEN:
        made.add_component(_alarm(source, one))
    return made


def _alarm(source: Source, one: Deadline) -> Alarm:
    made = Alarm()
    made.add("ACTION", "DISPLAY")
    made.add("DESCRIPTION", one.summary)
    made.add("TRIGGER", vDuration(-source.alarm), parameters={"RELATED": "END"})
    return made
