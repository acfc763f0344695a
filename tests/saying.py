"""A word that a player says of himself, as a letter would carry it out."""

from typing import Any, cast

from pbem.games.frame.events import Seat
from pbem.orders.mailwords import Command
from pbem.post.work import Work
from pbem.referee.words import play
from pbem.store.games.games import GameAt


def says(work: Work, at: GameAt, seat: Seat, name: str, argument: str) -> list[str]:
    """Return its notes."""
    holder = at.holders[seat]
    assert holder.player_id is not None
    whose = play.OwnWords(work, cast("Any", None), at, seat, holder, holder.player_id)
    return list(play.WORDS[name](whose, [Command(name, argument, 1)]))
