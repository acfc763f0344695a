"""MUTE: a player gets no more press of a seat. Nobody else is told.

It stops only press under the seat's own name; else it would show who writes hidden press.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.frame.events import Seat
from pbem.orders.mailwords import Command
from pbem.post.work import Work
from pbem.referee.game import relaying
from pbem.store.games import press
from pbem.store.games.games import GameAt
from pbem.text import listed, safe

WORD, OFF = "MUTE", "OFF"


def carry_out(work: Work, at: GameAt, seat: Seat, commands: Sequence[Command]) -> Iterator[str]:
    for said in dict.fromkeys(one.argument for one in commands if one.name == WORD):
        yield _told(work, at, seat, said.upper().split())


def _told(work: Work, at: GameAt, seat: Seat, words: list[str]) -> str:
    if not words:
        return _stands(work, at, seat)
    off = words[-1] == OFF
    named = relaying.addressed(at, tuple(words[: len(words) - off]))
    keys = {one.upper(): one for one in at.seats}
    if len(named) != 1 or named[0] not in keys:
        return (
            f'MUTE was not taken: "{safe(" ".join(words))}" is no seat here. Write one of them'
            f" behind it: {listed(at.seats, 'or')}."
        )
    other = keys[named[0]]
    if other == seat:
        return "MUTE was not taken: that is your own seat."
    if off:
        press.unmute(work.conn, at.id, at.holders, seat, other)
        return f"You get the press of {other} again."
    press.mute(work.conn, at.id, at.holders, seat, other)
    return (
        f"You get no more press that {other} signs. Nobody else is told. What {other} writes to ALL"
        f" still stands in the bulletins, and press without a name still comes. MUTE\u00a0{other}"
        " OFF ends this."
    )


def _stands(work: Work, at: GameAt, seat: Seat) -> str:
    pairs = press.stopped(work.conn, at.id, at.holders)
    if mine := [one for one in at.seats if (seat, one) in pairs]:
        return f"You get no press that {listed(mine)} signs."
    return "You get the press of all. MUTE and a seat behind it ends that for one of them."
