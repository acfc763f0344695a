"""Close a period: OPEN -> CLOSING -> adjudicated -> (review) -> published, a transaction each.

Compare-and-set lets one daemon through. Position, events, bulletins and next deadline are committed
together.

House rule 7: ask whether a silent player plays on.

Retry orders that a rewind took back, as periods open again.

A beginner's lessons in a practice game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.games.frame import calendar, codec, house_rules
from pbem.games.frame.adjudication import Taken, canonical, play_period, take
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.games.frame.ruleset import Outcome, Ruleset
from pbem.house import shelf
from pbem.orders.order import Order, staying
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import (
    amendments,
    deadline_acts,
    drawing,
    ending,
    formation,
    house_bots,
    own_page,
    persons,
    publishing,
)
from pbem.post import alarms, seats
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Installation, Work
from pbem.store.engine.database import reading
from pbem.store.games import bulletins, games, order_sets, periods, positions
from pbem.store.games.game_rows import ClosedRow, Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import PeriodState
from pbem.store.schema.tables import FreeSeat, KeptOrders, OrderSet
from pbem.text import counted


def ask_to_go_on(work: Work, at: GameAt, seat: str, missed: int) -> None:
    until = calendar.by_when(work.now, at.house.rule("reply_days", 7), at.house, at.zone)
    games.set_seat(work.conn, at.id, seat, asked_until=until)
    notes.note(work.conn, at.id, work.now, "asked", seat=seat, until=until.isoformat())
    text = (
        f"You ({seat}) have missed {counted(missed, 'move')} in a row. Do you play on? Write by"
        f" {until:%Y-%m-%d %H:%M} UTC: orders, or the one word {at.ruleset.about.plays_on}. By"
        " house rule 7 your seat is offered to others if nothing comes."
    )
    key = f"asked:{at.id}:{at.term}:{seat}"
    put_to_seat(work, at, at.holders[seat], Draft(key, "asked", f"[{at.id}] Do you play on?", text))


_APART = timedelta(microseconds=1)
"""Keeps them in sequence."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A seat's retried orders."""

    stand: tuple[str, ...]
    fallen: tuple[tuple[str, str], ...]
    """(order, why not)."""


def try_anew(work: Work, at: GameAt) -> dict[Seat, Tried]:
    """Store kept orders that can be taken, without READY and RESIGN."""
    rows = [
        row
        for row in order_sets.kept(work.conn, at.id, at.period.number - 1)
        if row.period == at.period.number
    ]
    if not rows:
        return {}
    KeptOrders.drop(work.conn, game_id=at.id, period=at.period.number)
    newest = {row.seat: row for row in rows}
    for n, row in enumerate(rows):
        # letters work on receipt there, each alone
        if formation.is_continuous(at) or newest[row.seat] is row:
            _file(work, at, row, work.now + n * _APART)
    tried = {seat: _tried(row, _taken(at, row)) for seat, row in newest.items()}
    for seat, one in tried.items():
        if one.stand or one.fallen:
            _tell_of_kept(work, games.game_at(work.conn, at.id), seat, one)
    stands = {seat: one.stand for seat, one in sorted(tried.items())}
    notes.note(work.conn, at.id, work.now, "kept", period=at.period.number, orders=stands)
    return tried


def _taken(at: GameAt, row: OrderSet) -> Taken:
    return take(at.ruleset, at.state, row.seat, "\n".join(row.orders), {})


def _file(work: Work, at: GameAt, row: OrderSet, moment: datetime) -> None:
    last = order_sets.last_set(work.conn, at.id, at.period.number, row.seat)
    standing = staying(_taken(at, row).standing)
    order_sets.save_orders(
        work.conn, at, row.seat, standing, last, said=Said.NOTHING, letter_id=None, now=moment
    )
    if formation.is_continuous(at):
        formation.letter_taken(work, games.game_at(work.conn, at.id))


def _tried(row: OrderSet, taken: Taken) -> Tried:
    fallen = [
        (answer.line.text, problem.message)
        for answer in taken.answers
        for problem in answer.problems
        if not problem.warning and not answer.orders
    ]
    leaves = [
        order for slot, order in taken.standing.items() if slot not in staying(taken.standing)
    ]
    fallen += [(str(order), "It leaves the game, and has to be meant again.") for order in leaves]
    return Tried(tuple(canonical(staying(taken.standing))), tuple(fallen))


def _tell_of_kept(work: Work, at: GameAt, seat: Seat, tried: Tried) -> None:
    number = at.period.number
    called = own_page.called(at)
    said = [
        f"Period {number} ({called}) is open again. What had been sent for {seat} when it"
        " was open before has been tried again on the position as it is now.",
    ]
    if tried.stand:
        said.append(f"These orders stand:\n{sheet.order_list(tried.stand)}")
    if tried.fallen:
        fallen = [f"{order}: {sentence}" for order, sentence in tried.fallen]
        said.append(f"These can no longer be taken:\n{sheet.order_list(fallen)}")
    said.append(
        f"All of it is yours to change {publishing.before_closing(at)}. What you had said of the"
        " period's end (the words READY and WAIT) is forgotten."
    )
    key = f"kept:{at.id}:{at.term}:{seat}"
    subject = f"[{at.id}] Period {number} is open again: your orders"
    text = "\n\n".join(said) + "\n"
    put_to_seat(work, at, at.holders[seat], Draft(key, "kept", subject, text))


def taught(work: Work, at: GameAt) -> Mapping[Seat, str]:
    """Return additions to the player's notices."""
    if at.result is not None:
        return {}
    return {
        seat: _lesson(work, at, seat)
        for seat, holder in at.holders.items()
        if holder.player_id is not None
    }


def _lesson(work: Work, at: GameAt, seat: Seat) -> str:
    said, ready = list[str](), "READY"
    teaches = at.period.number <= shelf.PERIODS
    if teaches and (orders := house_bots.letter(formation.seen(work, at, seat), seat)):
        lines = orders.split("\n")
        ready = "; ".join([*lines, "READY"])
        said += [sheet.heading("A lesson"), shelf.of(at.ruleset.about.key, at.period.phase)]
        said.append("A beginner could send this:")
        said.append("\n".join(sheet.entry(number, one, "") for number, one in enumerate(lines, 1)))
    said.append(sheet.heading("Go on"))
    said.append(
        "The period closes, and the next bulletin comes, when you say READY."
        + (" This letter has the orders above, and READY:" if ready != "READY" else "")
    )
    address = seats.link_address(work, at, at.holders[seat])
    links = Links(address or work.mark.address, f"[{at.id}] {seat}, period {at.period.number}")
    said.append(sheet.answer_line("READY", links.line(ready)))
    return "\n\n".join(filter(None, said)) + "\n"


log = structlog.get_logger()
ADJUDICATION = 300
"""In letters' processor time."""


def open_first(work: Work, game_id: str, outcome: Outcome[Any], ruleset: Ruleset[Any]) -> None:
    """Store periods 0 (closed) and 1 (open); mail the welcome or have it reviewed."""
    events = [event.json() for event in outcome.events]
    columns = positions.dumped(ruleset, outcome.state)
    opening, first = PeriodState.CLOSED, PeriodState.REVIEW
    periods.new(
        work.conn, game_id, 0, "", opening, columns, work.now, events=events, closed=work.now
    )
    periods.new(work.conn, game_id, 1, outcome.state.phase, first, columns, work.now)
    games.set_game(work.conn, game_id, period=1)
    games.goes_on(work.conn, game_id, work.now)
    _begin(work, games.game_at(work.conn, game_id), None)
    _tell(work, games.game_at(work.conn, game_id))


@dataclass(frozen=True, slots=True)
class Played:
    """A period played."""

    term: str
    position: Any
    """Before it; with ``standing``."""
    standing: dict[Seat, dict[str, Order]]
    outcome: Outcome[Any]
    draws: list[list[Json]]
    drawn: Mapping[str, str] = field(default_factory=dict)


def _in_order(
    standing: dict[Seat, dict[str, Order]],
) -> list[tuple[Seat, list[tuple[str, Order]]]]:
    return [(seat, list(orders.items())) for seat, orders in standing.items()]


def ahead(installation: Installation, game_id: str, number: int, now: datetime) -> Played | None:
    """Play a period in CLOSING and draw, before its transaction, which reuses it unless orders
    changed. None on failure, which the transaction repeats and reports."""
    with reading(installation.engine) as conn:
        at = games.begun(conn, game_id, number)
        if at is None or at.period.status != PeriodState.CLOSING:
            return None
        try:
            played = _played(conn, at, now, installation.mark.seconds)
            closed = ClosedRow(at.period.phase, played.outcome.events)
            before = bulletins.scores(conn, at.id, number)
            drawn = drawing.svgs(at, number, closed, before, played.outcome.state)
            if any(holder.face != PLAIN for holder in at.holders.values()):
                drawing.pngs(drawn)
        except (Exception, OverBudget):
            log.exception("not played ahead", game=game_id, period=number)
            return None
    return replace(played, drawn=drawn)


def _played(
    conn: Connection, at: GameAt, now: datetime, seconds: float, before: Played | None = None
) -> Played:
    """Return ``before`` if position and orders are the same."""
    standing, number = order_sets.all_standing(conn, at), at.period.number
    position = formation.position(conn, at, at.period.closed or now)
    same = before and (at.term, position) == (before.term, before.position)
    if before and same and _in_order(standing) == _in_order(before.standing):
        return before
    dice = at.dice()
    with Budget(seconds * ADJUDICATION, f"adjudicating period {number} of game {at.id}"):
        outcome = play_period(at.ruleset, position, standing, dice)
    draws = [[draw.stream, draw.n, draw.value] for draw in dice.draws]
    return Played(at.term, position, standing, outcome, draws)


def close_period(work: Work, at: GameAt, before: Played | None = None) -> None:
    """Adjudicate a period; publish it unless reviewed. ``before``: from :func:`ahead`. Raise
    RefereeError if it is not closing."""
    if at.period.status != PeriodState.CLOSING:
        raise RefereeError(
            f"game {at.id}, period {at.period.number} is {at.period.status}, not closing"
        )
    played, number = _played(work.conn, at, work.now, work.mark.seconds, before), at.period.number
    standing, outcome, draws = played.standing, played.outcome, played.draws
    closed = at.period.closed or work.now  # a rewound period keeps its time
    periods.set_state(
        work.conn,
        at.id,
        number,
        PeriodState.CLOSED,
        closed=closed,
        draws=draws,
        next_look=None,
        events=codec.plain([event.json() for event in outcome.events]),
    )
    columns = positions.dumped(at.ruleset, outcome.state)
    phase = outcome.state.phase
    after, edition = PeriodState.REVIEW, at.game.edition
    periods.new(work.conn, at.id, number + 1, phase, after, columns, work.now, edition=edition)
    games.set_game(work.conn, at.id, period=number + 1)
    notes.note(
        work.conn,
        at.id,
        work.now,
        "adjudicated",
        period=number,
        state=columns["state_hash"],
        draws=draws,
        orders={seat: canonical(orders) for seat, orders in sorted(standing.items())},
    )
    _count_missed(work, at, standing)
    persons.count_period(work, at, standing)
    if at.game.publish == "auto":
        release(work, games.game_at(work.conn, at.id), at.period.due, played.drawn)
    else:
        text = f"Bulletin {number} of game {at.id} waits for your release: `pbem release {at.id}`."
        subject = f"bulletin {number} of {at.id} waits"
        public = "It waits for its release."
        key, commands = f"review:{at.id}:{at.term}", (f"release {at.id}",)
        alarms.tell(work, key, subject, text, at.id, public, commands)


def release(
    work: Work,
    at: GameAt,
    last_due: datetime | None = None,
    drawn: Mapping[str, str] | None = None,
) -> None:
    """Open the period in REVIEW (or end the game) and publish. Raise RefereeError if nothing is in
    review."""
    if at.period.status != PeriodState.REVIEW:
        raise RefereeError(
            f"game {at.id}, period {at.period.number} is {at.period.status}; there is nothing to"
            " release"
        )
    _begin(work, at, last_due)
    _tell(work, games.game_at(work.conn, at.id), drawn)


def _begin(work: Work, at: GameAt, last_due: datetime | None) -> None:
    if at.ruleset.result(at.state) is not None:
        periods.set_state(work.conn, at.id, at.period.number, PeriodState.CLOSED, closed=work.now)
        ending.over(work, at)
    else:
        set_deadline(work, at, last_due)


def _tell(work: Work, at: GameAt, drawn: Mapping[str, str] | None = None) -> None:
    publishing.publish(work, at, drawn, taught if at.practice else None)
    if at.ruleset.result(at.state) is None and try_anew(work, at):
        at = games.game_at(work.conn, at.id)
    amendments.ask(work, at)
    ending.conclude(work, at)  # those left may have agreed before


def set_deadline(work: Work, at: GameAt, last_due: datetime | None) -> None:
    asked = sum(1 for slots in at.ruleset.asked(at.state).values() if slots)
    length = at.house.length(at.period.phase, asked)
    base, due, moves = None, None, []
    first = (
        calendar.first_deadline(work.now, last_due, length, at.house, at.zone) if length else None
    )
    at, made = deadline_acts.with_new_hour(work, at, first)
    if made:
        base, due, moves = made.base, made.due, [move.json() for move in made.moves]
    periods.set_state(
        work.conn,
        at.id,
        at.period.number,
        PeriodState.OPEN,
        opened=work.now,
        base=base,
        due=due,
        moves=moves,
        next_look=calendar.next_look(work.now, due, at.period.phase, at.house, at.zone),
    )
    if formation.is_continuous(at):
        opened = games.game_at(work.conn, at.id)
        periods.set_period(
            work.conn,
            at.id,
            at.period.number,
            next_look=formation.next_look(opened, None, work.now),
        )
    house_bots.write(work, at.id)


def _count_missed(work: Work, at: GameAt, standing: dict[str, Any]) -> None:
    for seat in at.ruleset.asked(at.state):
        if seat in at.bots:
            continue
        holder = at.holders[seat]
        owed = house_rules.wanted(at.ruleset, at.state, seat)
        missed = holder.missed
        if owed:
            silent = house_rules.missed(at.ruleset, at.state, seat, standing.get(seat, {}))
            missed = missed + 1 if silent else 0
        if missed != holder.missed:
            games.set_seat(work.conn, at.id, seat, missed=missed)
        ask = owed and house_rules.asks(missed, at.house) and holder.asked_until is None
        if ask and not FreeSeat.one(work.conn, game_id=at.id, seat=seat):
            ask_to_go_on(work, at, seat, missed)
        _tell_idle(work, at, holder, missed if owed else 0)


def _tell_idle(work: Work, at: GameAt, holder: Holder, missed: int) -> None:
    silent = at.period.number - holder.heard
    idle = max(silent, missed)
    if house_rules.is_idle(idle, at.house.idle_after):
        said = "owed orders and sent none" if idle == missed else "sent no letter at all"
        text = (
            f"{holder.seat} ({holder.name}) in game {at.id} {said} in {counted(idle, 'period')} in"
            " a row."
        )
        key = f"idle:{at.id}:{holder.seat}:{idle}:{at.period.number}"
        alarms.tell(work, key, f"IDLE: {holder.seat} in {at.id}", text, at.id)
