"""Who may have written a letter: the registrations that it is held against, and what else the
referee knows before it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.letters.authentication import Level
from pbem.letters.links import Link
from pbem.letters.press_address import Addressed

GAMESMASTER = "GM"
"""The seat of a game's gamesmaster in a :class:`Registration`."""
STANDBY = "standby"
"""What stands for a seat in the :class:`Registration` of somebody who stands by for a game."""
DEPUTY = "deputy"
"""The same of somebody who was asked to be the deputy of a player, or whose time as his deputy has
not come, or is over."""


NO_SEATS = (GAMESMASTER, STANDBY, DEPUTY)
"""What is no seat of a game."""


@dataclass(frozen=True, slots=True)
class OpenPeriod:
    """A game's open period, and when it ``began``: nothing was signed for it before that."""

    number: int
    began: datetime


@dataclass(frozen=True, slots=True)
class Registration:
    """Who may write for a seat, and how sure one must be that it was he.

    ``address`` in the form of :func:`pbem.letters.reading.headers.address`; ``token_hash`` of the
    seat's secret reply address, ``pgp_key`` its ASCII-armoured public key, "" where there is none;
    ``bounced``: mail to ``address`` came back that may go through another time; ``over``: its game
    is over and takes statements only, others of its player's may run; ``deputy``: which deputy of
    its player writes from this address, 0 where it is his own; ``open``: its game's open period,
    None where there is none.
    """

    address: str
    game: str
    seat: str
    level: Level = Level.NONE
    token_hash: str = ""
    pgp_key: str = ""
    bounced: bool = False
    over: bool = False
    deputy: int = 0
    open: OpenPeriod | None = None


@dataclass(frozen=True, slots=True)
class Directed:
    """For which seat of which game, and for which of its periods, a letter counts by the
    gamesmaster's word, whatever it says itself. ``own``: its sender is the seat's player, or his
    deputy, so that what it says of his person counts too."""

    game: str
    seat: str
    period: int
    own: bool


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What the referee knows before it reads: ``addresses`` are its own, each with the game it is
    for ("" for all); ``authserv_ids`` the names our mail servers sign their findings with (small
    letters); ``games`` the keys of the running games; ``verp_key`` the key of our envelope
    addresses; ``date_days`` how far the Date of a letter that a server vouches for may be from its
    receipt; ``links`` those of the letter's that stood in a mail of ours and have not lapsed;
    ``presses`` the same of the addresses of press; ``directed``: what the gamesmaster says of it,
    who has then put its sender among the ``registrations`` of that seat."""

    addresses: Mapping[str, str]
    authserv_ids: frozenset[str]
    registrations: tuple[Registration, ...]
    games: frozenset[str]
    verp_key: bytes = b""
    date_days: int = 3
    links: frozenset[Link] = frozenset()
    presses: frozenset[Addressed] = frozenset()
    directed: Directed | None = None
