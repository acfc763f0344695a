"""The steps of one deadline: OPEN -> CLOSING -> adjudicated -> (review) -> published, each in a
transaction.

A deadline is a row, not a timer. Whatever finds it due may try; the compare-and-set of the status
lets one through. The new position, its events, the bulletins and the next deadline become true
together.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.errors import RefereeError
from pbem.games.frame import calendar, codec, house_rules
from pbem.games.frame.adjudication import adjudicate as play_period
from pbem.games.frame.adjudication import canonical
from pbem.games.frame.ruleset import Outcome
from pbem.periods import asking, formation, publishing
from pbem.post import alarms
from pbem.post.compose import Postmark
from pbem.store import games, notes, order_sets, periods
from pbem.store.budget import Budget
from pbem.store.games import Table
from pbem.store.rows import Holder
from pbem.store.states import GameState, PeriodState

ADJUDICATION = 300
"""How many letters' processor time a period's adjudication may take: what is longer has no end, and
holds its game only."""


def open_first(
    conn: Connection,
    mark: Postmark,
    at_game: Any,
    outcome: Outcome[Any],
    ruleset: Any,
    now: datetime,
) -> None:
    """Periods 0 (the opening, closed) and 1 (open) of a game that starts, and its first mails."""
    events = [event.json() for event in outcome.events]
    columns = games.dumped(ruleset, outcome.state)
    opening, first = PeriodState.CLOSED, PeriodState.REVIEW
    periods.new(conn, at_game.id, 0, "", opening, columns, now, events=events, closed=now)
    periods.new(conn, at_game.id, 1, outcome.state.phase, first, columns, now)
    games.set_game(conn, at_game.id, period=1)
    games.goes_on(conn, at_game.id, now)
    at = games.table(conn, at_game.id)
    for holder in at.holders.values():
        if holder.address:
            publishing.start_mail(conn, mark, at, holder, now)
    release(conn, mark, at, now)


def adjudicate(conn: Connection, mark: Postmark, at: Table, now: datetime) -> None:
    """Adjudicate a period in CLOSING: the next position goes on file, and is published unless it is
    to be reviewed."""
    if at.period.status != PeriodState.CLOSING:
        raise RefereeError(
            f"game {at.id}, period {at.period.number} is {at.period.status}, not closing"
        )
    standing = order_sets.all_standing(conn, at)
    dice = at.dice()
    number, closed = (
        at.period.number,
        at.period.closed or now,
    )  # a period that is rewound closes when it had closed
    position = formation.position(conn, at, closed)
    with Budget(mark.seconds * ADJUDICATION, f"adjudicating period {number} of game {at.id}"):
        outcome = play_period(at.ruleset, position, standing, dice)
    draws = [[draw.stream, draw.n, draw.value] for draw in dice.draws]
    periods.set_state(
        conn,
        at.id,
        number,
        PeriodState.CLOSED,
        closed=closed,
        draws=draws,
        next_look=None,
        events=codec.plain([event.json() for event in outcome.events]),
    )
    columns = games.dumped(at.ruleset, outcome.state)
    phase = outcome.state.phase
    periods.new(conn, at.id, number + 1, phase, PeriodState.REVIEW, columns, now)
    games.set_game(conn, at.id, period=number + 1)
    notes.note(
        conn,
        at.id,
        now,
        "adjudicated",
        period=number,
        state=columns["state_hash"],
        draws=draws,
        orders={seat: canonical(orders) for seat, orders in sorted(standing.items())},
    )
    _count_missed(conn, mark, at, standing, now)
    if at.game.publish == "auto":
        release(conn, mark, games.table(conn, at.id), now, last_due=at.period.due)
    elif mark.gamesmaster:
        text = f"Bulletin {number} of game {at.id} waits for your release: pbem release {at.id}"
        alarms.tell(
            conn,
            mark,
            mark.gamesmaster,
            f"review:{at.id}:{number}",
            f"bulletin {number} of {at.id} waits",
            text,
            now,
        )


def release(
    conn: Connection, mark: Postmark, at: Table, now: datetime, last_due: datetime | None = None
) -> None:
    """Open the period that waits in REVIEW (or end the game) and publish the bulletin before it."""
    if at.period.status != PeriodState.REVIEW:
        raise RefereeError(
            f"game {at.id}, period {at.period.number} is {at.period.status}; there is nothing to"
            " release"
        )
    if at.ruleset.result(at.state) is not None:
        periods.set_state(conn, at.id, at.period.number, PeriodState.CLOSED, closed=now)
        games.set_state(conn, at.id, GameState.OVER)
        notes.note(conn, at.id, now, "over", seed=at.game.seed)
    else:
        set_deadline(conn, at, now, last_due)
    publishing.publish(conn, mark, games.table(conn, at.id), now)


def set_deadline(conn: Connection, at: Table, now: datetime, last_due: datetime | None) -> None:
    """The deadline of a period that opens now."""
    asked = sum(1 for slots in at.ruleset.asked(at.state).values() if slots)
    length = at.house.length(at.period.phase, asked)
    values: dict[str, Any] = {"opened": now, "base": None, "due": None, "moves": []}
    if length:
        made = calendar.first_deadline(now, last_due, length, at.house, at.zone)
        values |= {
            "base": made.base,
            "due": made.due,
            "moves": [move.json() for move in made.moves],
        }
    values["next_look"] = calendar.next_look(now, values["due"], at.period.phase, at.house, at.zone)
    periods.set_state(conn, at.id, at.period.number, PeriodState.OPEN, **values)
    opened = games.table(conn, at.id)
    if formation.is_continuous(opened):
        periods.set_period(
            conn, at.id, at.period.number, next_look=formation.next_look(opened, None, now)
        )


def _count_missed(
    conn: Connection, mark: Postmark, at: Table, standing: dict[str, Any], now: datetime
) -> None:
    """Moves missed in a row: a seat that owed something and sent no order. Only these count for
    house rule 7; a seat that owed nothing and sent no letter at all has missed no move, but the
    gamesmaster is told of its silence too."""
    for seat in at.ruleset.asked(at.state):
        holder = at.holders[seat]
        owed, missed = bool(at.ruleset.due(at.state, seat, {})), holder.missed
        if owed:
            missed = 0 if standing.get(seat) else missed + 1
        if missed != holder.missed:
            games.set_seat(conn, at.id, seat, missed=missed)
        if owed and house_rules.asks(missed, at.house) and holder.asked_until is None:
            asking.ask(conn, mark, at, seat, missed, now)
        _tell_idle(conn, mark, at, holder, missed * owed, now)


def _tell_idle(
    conn: Connection, mark: Postmark, at: Table, holder: Holder, missed: int, now: datetime
) -> None:
    """IDLE: the gamesmaster is told of a seat that has missed so many moves, or sent nothing for so
    many periods."""
    silent = at.period.number - holder.heard
    idle = max(silent, missed)
    if mark.gamesmaster and house_rules.is_idle(idle, at.house.idle_after):
        said = "owed orders and sent none" if idle == missed else "sent no letter at all"
        text = f"{holder.seat} ({holder.name}) in game {at.id} {said} in {idle} periods in a row."
        key = f"idle:{at.id}:{holder.seat}:{idle}"
        alarms.tell(conn, mark, mark.gamesmaster, key, f"IDLE: {holder.seat} in {at.id}", text, now)
