"""A game's deadlines as iCalendar (RFC 5545), without attendees (RFC 5546, 3.2.1) or secrets.

A period ends at the deadline; midnight falls on the day that closes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import cast

from icalendar import Alarm, Calendar, Event, vCalAddress, vDuration

SPAN = timedelta(minutes=30)


class Status(StrEnum):
    """HELD: its clock stands. CANCELLED: by a rewind or the game's end."""

    OPEN = "open"
    HELD = "held"
    CLOSED = "closed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a file comes from."""

    game: str
    address: str
    """The referee's."""
    name: str
    now: datetime
    """When the file is made."""
    revision: int
    """SEQUENCE, higher than in any earlier file."""
    alarm: timedelta
    """How long before a deadline to remind."""
    title: str | None = None
    """The calendar's own name, if it is read by itself; None in a mail."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A period in a calendar. Times are UTC."""

    number: int
    status: Status
    opened: datetime
    ends: datetime
    summary: str
    words: str


def calendar(source: Source, deadlines: Iterable[Deadline]) -> str:
    """Return the file: CR LF lines of at most 75 octets."""
    made = Calendar()
    made.add("PRODID", "-//pbem//referee//EN")
    made.add("VERSION", "2.0")
    made.add("CALSCALE", "GREGORIAN")
    made.add("METHOD", "PUBLISH")
    if source.title:
        made.calendar_name = source.title
    for one in deadlines:
        made.add_component(_event(source, one))
    return cast(bytes, made.to_ical()).decode()


def _event(source: Source, deadline: Deadline) -> Event:
    made = Event()
    domain = source.address.rpartition("@")[2]
    made.add("UID", f"{source.game}-period-{deadline.number}@{domain}")
    made.add("SEQUENCE", source.revision)
    made.add("DTSTAMP", source.now)
    made.add("LAST-MODIFIED", source.now)
    made.add("DTSTART", min(deadline.ends, max(deadline.opened, deadline.ends - SPAN)))
    made.add("DTEND", deadline.ends)
    made.add("SUMMARY", deadline.summary)
    made.add("DESCRIPTION", deadline.words)
    words = {Status.HELD: "TENTATIVE", Status.CANCELLED: "CANCELLED"}  # RFC 5545, 3.8.1.11
    made.add("STATUS", words.get(deadline.status, "CONFIRMED"))
    made.add("TRANSP", "TRANSPARENT")
    organizer = vCalAddress(f"mailto:{source.address}")
    organizer.params["CN"] = source.name
    made.add("ORGANIZER", organizer)
    if deadline.status is Status.OPEN:
        alarm = Alarm()
        alarm.add("ACTION", "DISPLAY")
        alarm.add("DESCRIPTION", deadline.summary)
        alarm.add("TRIGGER", vDuration(-source.alarm), parameters={"RELATED": "END"})
        made.add_component(alarm)
    return made
