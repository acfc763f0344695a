"""What players are told at the end of a game."""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.games.frame import agreement
from pbem.games.frame.events import Seat
from pbem.house import houses, shelf
from pbem.orders.called import with_seat
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.text import listed

MOST_TABLES = 3
AGAIN = (
    "Again, with the same players? Answer with the one word\u00a0AGAIN {when}. A table opens as"
    " soon as two of you have said so, with a new draw of the seats."
)


def who_has_won(at: GameAt, seat: Seat | None = None) -> str:
    """Return who has won, for a seat (None: everybody), or "" while the game runs."""
    if at.result is None:
        return ""
    winners = at.result["winners"]
    others = listed(_named(at, one) for one in winners if one != seat)
    if at.game.agreed and len(winners) > 1:
        return f"The game is over: all have agreed on {agreement.end_in_words(at.game.agreed)}."
    if seat and seat in winners:
        name = at.player(seat, over=True)
        you = f"You have won, {name}" if name else "You have won"
        return f"{you}, together with {others}." if others else f"{you}!"
    if not others:
        return "The game is over, and nobody has won."
    return f"The game is over: {others} {'has' if len(winners) == 1 else 'have'} won."


def _named(at: GameAt, seat: Seat) -> str:
    return with_seat(at.player(seat, over=True), seat)


def again(at: GameAt) -> str | None:
    return None if at.practice else AGAIN.format(when="within two weeks")


def what_next(conn: Connection) -> str:
    found = open_tables.listed(conn)[:MOST_TABLES]
    if not found:
        return "What next? No table is open just now; the word\u00a0GAMES tells what runs."
    lines = "\n".join(
        f"* {one.id}: {shelf.open_ruleset(one.ruleset).about.title}. {houses.about(one.ruleset)}"
        for one in found
    )
    return (
        f"What next? To join an open table, write that you would like to, with its name:\n\n{lines}"
    )
