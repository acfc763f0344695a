"""The addresses in the links of a seat's mails.

Such an address says of which game, seat and period a letter is, as a player may say in words, and
in which edition of the game; by its secret it is known that the address stood in a mail of ours.
That proves little: mails are forwarded, and links with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINK = re.compile(
    r"([a-z][a-z0-9-]{0,38})\.([a-z0-9]{1,10})\.([0-9]{1,4})\.([0-9]{1,4})\.([a-z2-7]{16})"
)


@dataclass(frozen=True, slots=True)
class Link:
    """What the address says: the key of its ``game``, its ``seat`` in small letters, the ``period``
    and the game's ``edition``; and the ``secret``."""

    game: str
    seat: str
    period: int
    edition: int
    secret: str

    def __str__(self) -> str:
        """The plus part of the address."""
        return f"{self.said}.{self.secret}"

    @property
    def said(self) -> str:
        """What the address says, without the secret."""
        return f"{self.game}.{self.seat}.{self.period}.{self.edition}"

    def is_of(self, game: str, seat: str) -> bool:
        """Whether it is of a mail to this seat of this game."""
        return (self.game, self.seat) == (game, seat.lower())


def read(part: str) -> Link | None:
    """The link that the plus part of an address is; None where it is something else."""
    found = _LINK.fullmatch(part)
    if found is None:
        return None
    game, seat, period, edition, secret = found.groups()
    link = Link(game, seat, int(period), int(edition), secret)
    return link if str(link) == part else None
