"""What is known before a letter is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.letters.authentication import Level
from pbem.letters.links import Link
from pbem.letters.press_address import Addressed

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
    """Words about the sender himself count."""


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
