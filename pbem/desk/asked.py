"""Requests to a page of the desk, and answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from pbem.desk import times
from pbem.desk.times import Moment
from pbem.errors import OperatorError
from pbem.orders.called import with_seat
from pbem.orders.spelling import is_count
from pbem.post.work import Work
from pbem.referee.gamesmaster.waits import Sight
from pbem.store.games import games
from pbem.store.games.overview import ClockRow
from pbem.store.people import players

Given = ImmutableMultiDict[str, str]


class NotThere(OperatorError):
    """The page does not exist, or not for this gamesmaster."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request in a session."""

    work: Work
    who: str | None
    """The link's address; None for the shell's owner."""
    sight: Sight
    path: Mapping[str, str]
    given: Given
    sign: Callable[[str], str]
    """Returns the mark of a form of this session, by purpose."""
    root: str = ""
    at: str = ""
    session: str = ""
    """Its key."""

    def number(self, name: str, otherwise: int = 0) -> int:
        """Return a number of the query. Raise NotThere if malformed."""
        written = self.given.get(name, "") or str(otherwise)
        if not is_count(written):
            raise NotThere("There is no such page.")
        return int(written)

    def moment(self, when: datetime | None, of: Any = None) -> Moment | None:
        """Return it by the clock of what has a ``zone``, or of the installation."""
        zone = of.zone if of else self.work.config.referee.zone
        return times.moment(self.work, when, zone) if when else None

    def closes(self, game: ClockRow | None) -> Moment | None:
        if game is None or game.due is None:
            return None
        return times.deadline(self.work, game.due, game.house.hour, game.zone)

    def player(self, game: str, seat: str) -> str:
        """Return a seat with the name of its player, who writes."""
        return with_seat(games.holders(self.work.conn, game)[seat].name, seat)

    def writer(self, sender: str | None) -> str | None:
        return players.name_at(self.work.conn, sender or "")

    def url(self, path: str) -> str:
        return f"{self.root}{path}"

    @property
    def csrf(self) -> str:
        """The mark of every form of this session."""
        return self.sign("csrf")


@dataclass(frozen=True, slots=True)
class Page:
    """A template in ``_shared/desk`` and its facts."""

    template: str
    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that are no page of ours, with a content security ``policy``."""

    body: bytes
    media_type: str
    policy: str = "default-src 'none'; frame-ancestors 'self'; sandbox"


@dataclass(frozen=True, slots=True)
class Led:
    """A redirect to another page of the desk."""

    to: str


Answer = Page | Raw | Led
