"""Addresses in links of a seat's mails. Their secret proves little: mails are forwarded."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
