"""A person's moves due and missed, seats given up, games finished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.frame import house_rules
from pbem.games.frame.events import Seat
from pbem.orders.order import Standing, staying
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder, Tally
from pbem.store.games.games import GameAt
from pbem.store.people import player_records
from pbem.store.schema.states import RecordKind


def count_period(work: Work, at: GameAt, standing: Mapping[Seat, Standing]) -> None:
    """Count what was owed and sent. Drop older counts of this and later periods."""
    player_records.take_back(work.conn, at.id, at.period.number)
    counted = []
    for seat in at.ruleset.asked(at.state):
        if seat in at.bots:
            continue
        holder, sent = at.holders[seat], standing.get(seat, {})
        if house_rules.wanted(at.ruleset, at.state, seat):
            missed = house_rules.missed(at.ruleset, at.state, seat, sent)
            counted.append((holder, RecordKind.MISSED if missed else RecordKind.MADE))
        if staying(sent) != sent:
            counted.append((holder, RecordKind.LEFT))
    _add(work, at, counted)


def count_given_up(work: Work, at: GameAt, seat: Seat) -> None:
    _add(work, at, [(at.holders[seat], RecordKind.GIVEN)])


def count_finished(work: Work, at: GameAt) -> None:
    left = player_records.left(work.conn, at.id)
    stayed = [
        one for one in at.holders.values() if (one.seat, one.player_id) not in left and not one.bot
    ]
    _add(work, at, [(holder, RecordKind.FINISHED) for holder in stayed])


def _add(work: Work, at: GameAt, counted: Sequence[tuple[Holder, RecordKind]]) -> None:
    if at.practice:
        return
    rows = [(who.seat, who.player_id, kind) for who, kind in counted if who.player_id is not None]
    player_records.add_all(work.conn, at.id, at.period.number, rows)


def tally_in_words(tally: Tally) -> str:
    return (
        f"{_number(tally.due, 'move')} due, {tally.missed} missed;"
        f" {_number(tally.given_up, 'seat')} given up; {_number(tally.finished, 'game')} finished"
    )


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
