"""The club's table: the games, seats and finishes of those who agreed to stand in it.

It tells what the games' own pages tell. Names that a game hides stay hidden here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.store.games.club import Listed
from pbem.text import counted, safe
from pbem.website.public import GameSummary


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat in a game."""

    game: GameSummary
    seat: str

    @property
    def won(self) -> bool:
        """Whether it has won."""
        return self.seat in self.game.winners

    @property
    def finish(self) -> str:
        """In words."""
        if not self.game.over:
            return "plays"
        if not self.won:
            return "played to the end" if self.game.winners else "ended without a winner"
        others = len(self.game.winners) - 1
        shared = f" with {counted(others, 'other')}" if others else ""
        return f"has won{shared}"


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the table."""

    name: str
    seats: Sequence[Seated]

    @property
    def games(self) -> int:
        """Their number."""
        return len({one.game.id for one in self.seats})

    @property
    def finished(self) -> int:
        """How many of them are over."""
        return len({one.game.id for one in self.seats if one.game.over})


def members(seats: Sequence[Listed], games: Mapping[str, GameSummary]) -> list[Member]:
    """Return the table. seats: by person. games: those with pages."""
    found = []
    for (_, name), own in groupby(seats, key=lambda one: (one.player_id, one.name)):
        shown = [
            Seated(games[one.game_id], one.seat)
            for one in own
            if one.game_id in games and games[one.game_id].named
        ]
        if shown:
            found.append(Member(safe(name), shown))
    return found
