"""What is known of a letter's addresses before it is read.

A link in a seat's mails has a secret that proves little: mails are forwarded. The address to answer
a press, one for each mail, proves nothing. The code in that of a mail which asks somebody something
counts only from the address mailed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.letters.authentication import Level

_LINK = re.compile(
    r"([a-z][a-z0-9-]{0,38})\.([a-z0-9]{1,10})\.([0-9]{1,4})\.([0-9]{1,4})\.([a-z2-7]{16})"
)


@dataclass(frozen=True, slots=True)
class Link:
    """What such an address says."""

    game: str
    seat: str
    """In small letters."""
    period: int
    edition: int
    secret: str

    def __str__(self) -> str:
        return f"{self.said}.{self.secret}"

    @property
    def said(self) -> str:
        """The plus part without the secret."""
        return f"{self.game}.{self.seat}.{self.period}.{self.edition}"

    def is_of(self, game: str, seat: str) -> bool:
        return (self.game, self.seat) == (game, seat.lower())


def read(part: str) -> Link | None:
    found = _LINK.fullmatch(part)
    if found is None:
        return None
    game, seat, period, edition, secret = found.groups()
    link = Link(game, seat, int(period), int(edition), secret)
    return link if str(link) == part else None


_PRESS = re.compile(r"press\.([a-z2-7]{24})")
BEGINS = "press."
"""No game's name has a full stop."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """A press as mailed to one seat."""

    part: str
    game: str
    seat: str
    """"GM" for the gamesmaster."""
    number: int


def secret_of(part: str) -> str:
    """Return the secret in a plus part, or ""."""
    found = _PRESS.fullmatch(part)
    return found[1] if found else ""


GAMESMASTER = "GM"
"""The gamesmaster's seat in a :class:`Registration`."""
STANDBY = "standby"
DEPUTY = "deputy"
"""Seat marker of a deputy invited, not started, or finished."""

NO_SEATS = (GAMESMASTER, STANDBY, DEPUTY)


@dataclass(frozen=True, slots=True)
class Registration:
    """Who may write for a seat, and the required proof."""

    address: str
    """As :func:`pbem.letters.reading.headers.address` gives it."""
    game: str
    seat: str
    level: Level = Level.OPEN
    token_hash: str = ""
    """Of the secret reply address, or ""."""
    bounced: bool = False
    """Mail came back, not for good."""
    over: bool = False
    ended: bool = False
    deputy: int = 0
    """0: the player."""


@dataclass(frozen=True, slots=True)
class Directed:
    """The gamesmaster's word on a letter's seat and period."""

    game: str
    seat: str
    period: int
    own: bool
    """Words about the sender count."""


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Facts known before reading."""

    addresses: Mapping[str, str]
    """Ours, each with its game ("" for all)."""
    authserv_ids: frozenset[str]
    """Of our mail servers, in small letters."""
    registrations: tuple[Registration, ...]
    games: frozenset[str]
    verp_key: bytes = b""
    date_days: int = 3
    """Most days between Date and receipt."""
    links: frozenset[Link] = frozenset()
    presses: frozenset[Addressed] = frozenset()
    """The letter's press addresses, likewise."""
    directed: Directed | None = None
    """If set, the sender is in ``registrations``."""


_BEGINS = "yes."
"""No game's name has a full stop."""
_PART = re.compile(r"yes\.([a-z2-7]{16})")


def part_of(code: str) -> str:
    """Return the plus part for a code."""
    return f"{_BEGINS}{code}"


def code_in(parts: Iterable[str]) -> str:
    """Return the first code in plus parts, or ""."""
    return next((found[1] for part in parts if (found := _PART.fullmatch(part))), "")
