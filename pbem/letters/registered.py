"""Who may have written a letter, and what else is known before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.letters.authentication import Level
from pbem.letters.links import Link
from pbem.letters.press_address import Addressed

GAMESMASTER = "GM"
"""The gamesmaster's seat in a :class:`Registration`."""
STANDBY = "standby"
"""Seat marker of a stand-by."""
DEPUTY = "deputy"
"""Seat marker of a deputy who is not acting: invited, not started, or finished."""


NO_SEATS = (GAMESMASTER, STANDBY, DEPUTY)
"""Markers that are no seat."""


@dataclass(frozen=True, slots=True)
class OpenPeriod:
    """A game's open period."""

    number: int
    began: datetime
    """Earlier signatures are not for it."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Who may write for a seat, and the required proof."""

    address: str
    """As :func:`pbem.letters.reading.headers.address` gives it."""
    game: str
    seat: str
    level: Level = Level.NONE
    token_hash: str = ""
    """Of the seat's secret reply address, or ""."""
    pgp_key: str = ""
    """ASCII-armoured public key, or ""."""
    bounced: bool = False
    """Mail came back, but may go through later."""
    over: bool = False
    """The game is over and takes only statements."""
    deputy: int = 0
    """Which deputy writes from here; 0: the player."""
    open: OpenPeriod | None = None
    """None if no period is open."""


@dataclass(frozen=True, slots=True)
class Directed:
    """The gamesmaster's word on which seat and period a letter is for."""

    game: str
    seat: str
    period: int
    own: bool
    """The sender is the seat's player or deputy: words about himself count."""


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What the referee knows before reading a letter."""

    addresses: Mapping[str, str]
    """Our addresses, each with its game ("" for all)."""
    authserv_ids: frozenset[str]
    """Of our mail servers, in small letters."""
    registrations: tuple[Registration, ...]
    games: frozenset[str]
    """Keys of running games."""
    verp_key: bytes = b""
    """Signs our envelope addresses."""
    date_days: int = 3
    """Most days between Date and receipt if a server vouches."""
    links: frozenset[Link] = frozenset()
    """The letter's links from our mails, still valid."""
    presses: frozenset[Addressed] = frozenset()
    """The letter's press addresses, likewise."""
    directed: Directed | None = None
    """If set, the sender is among the seat's ``registrations``."""
