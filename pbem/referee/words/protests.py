"""PROTEST: a player says that a period was adjudicated wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.frame.events import Seat
from pbem.orders import inquiry
from pbem.orders.mailwords import Command
from pbem.periods import protests
from pbem.post.work import Work
from pbem.store.games.games import GameAt

WORD, OFF = inquiry.PROTEST, "OFF"


def carry_out(work: Work, at: GameAt, seat: Seat, commands: Sequence[Command]) -> Iterator[str]:
    """Carry out a letter's last PROTEST. Yield the answer."""
    said = [one.argument for one in commands if one.name == WORD]
    if not said:
        return
    if said[-1].strip(" .!").upper() == OFF:
        yield protests.taken_back(work, at, seat)
    elif why := inquiry.too_long(said[-1]):
        yield f"PROTEST was not taken: {why}."
    elif said[-1]:
        yield protests.protest(work, at, seat, said[-1])
    else:
        yield "PROTEST was not taken: say behind it, on the same line, what is wrong."
