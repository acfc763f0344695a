"""The rule-set of Legislation, in the steps of §4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Offer, Outcome, Result, Rulebook, Ruleset
from pbem.games.legislation import figures, setup, views
from pbem.games.legislation.about import ABOUT
from pbem.games.legislation.advice import advice, seen, silence
from pbem.games.legislation.offers import offers
from pbem.games.legislation.orders import (
    FileBill,
    NextBill,
    Return,
    Spend,
    StandingVote,
    Void,
    Vote,
    check,
)
from pbem.games.legislation.reading import language
from pbem.games.legislation.state import BILL, VOTE, Clerk, State, amendable, moved
from pbem.games.legislation.steps import deciding, election, floor, losing, session
from pbem.games.legislation.why import REASONS
from pbem.orders.order import NO_ORDERS, Checked, Order, Pass, Standing


class Legislation(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    upgrades: ClassVar = {
        1: lambda dumped: {**dumped, "ifs": {}},
        2: lambda dumped: {**dumped, "laid": {}, "numbers": {}},
    }

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        minutes = Minutes()
        clerk = Clerk(self.book.tables, dice, minutes)
        state = setup.start(seats, options, scenario, clerk, self.language)
        return Outcome(state, tuple(minutes.events))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        return (
            {}
            if state.winners is not None
            else {s: _asked(state, s, self.book.tables) for s in state.alive}
        )

    def due(self, state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
        if "PASS" in standing or "RESIGN" in standing or _filed(state, seat, standing):
            return ()
        filled = {*standing, *figures.votes(state, state.ifs.get(seat), standing)}
        return tuple(slot for slot in self.asked(state).get(seat, ()) if slot not in filled)

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        by = figures.check if isinstance(order, WhatIf) else None
        return check(state, seat, standing, order, self.book.tables, by)

    def foreseen(self, state: State, seat: Seat) -> bool:
        """Return whether conditional votes hold for all (3.13)."""
        slots = self.asked(state).get(seat, ())
        return bool(slots) and set(slots) <= figures.votes(state, state.ifs.get(seat), {}).keys()

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        if seat not in state.alive:
            return ()
        orders: list[Order] = []
        if state.first_period and seat in state.drawn:
            orders.append(Return(election.by_default(state, seat)))
        if state.phase == BILL and seat in state.taken:
            orders.append(FileBill(state.taken[seat]))
        votes: dict[str, Order] = {}
        if state.phase == VOTE and seat in state.standing:
            choice = state.standing[seat]
            votes = {f"VOTE {bill.id}": Vote(choice, (bill.id,)) for bill in state.docket}
        orders += (votes | figures.votes(state, state.ifs.get(seat), {})).values()
        return tuple(orders) or (Pass(),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Standing], dice: Dice
    ) -> Outcome[State]:
        """Adjudicate (§4): RESIGN, RETURN, GIVE, filing, then the phase."""
        clerk, opened = Clerk(self.book.tables, dice, Minutes()), state
        state = losing.resign(state, orders, clerk)
        given = {seat: orders.get(seat, {}) for seat in state.alive}
        if state.winners is None:
            state = election.give_back(state, given, clerk) if state.first_period else state
            state = session.give(state, given, clerk)
            state = session.file_nextbills(deciding.file_standing(state, given), given)
            given = figures.filled(opened, given, clerk.minutes)
            state = figures.filed(state, given)
            state = _phase(replace(state, first_period=False), given, clerk)
        return Outcome(replace(state, period=state.period + 1), tuple(clerk.minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def silence(
        self, state: State, seat: Seat, standing: Standing = NO_ORDERS
    ) -> tuple[Event, ...]:
        return tuple(silence(seen(state, seat, self.book.tables), standing))

    def offers(self, state: State, seat: Seat) -> tuple[Offer, ...]:
        return tuple(offers(seen(state, seat, self.book.tables)))

    def advice(self, state: State, seat: Seat, standing: Standing) -> tuple[Event | str, ...]:
        return tuple(advice(seen(state, seat, self.book.tables), standing))

    def told_at_once(
        self, state: State, seat: Seat, before: Standing, standing: Standing
    ) -> tuple[Event, ...]:
        return floor.token_told(state, seat, before, standing)

    def told_so_far(self, state: State, orders: Mapping[Seat, Standing]) -> tuple[Event, ...]:
        return floor.tokens_lie(state, orders)

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders; none if votes and purses are secret."""
        return {} if state.secret else standing

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return the standing vote (3.6), votes with IF (3.13) and the next bill (3.4)."""
        bill, vote, ifs = state.nextbill.get(seat), state.standing.get(seat), state.ifs.get(seat)
        orders = (bill and NextBill(bill), vote and StandingVote(vote), ifs)
        return tuple(str(order) for order in orders if order)

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        """Return scores; terms if scores are secret."""
        if not state.on("SCORES", "PUBLIC"):
            return dict(state.terms)
        return {seat: float(state.score(seat)) for seat in state.alive}

    def result(self, state: State) -> Result | None:
        return None if state.winners is None else Result(state.winners, dict(state.terms))


def _asked(state: State, seat: Seat, tables: Mapping[str, Any]) -> tuple[str, ...]:
    match state.phase:
        case "BILL":
            return ("BILL",) if seat in state.turns else ()
        case "AMEND":
            return tuple(f"AMEND {bill.id}" for bill in state.docket if amendable(state, bill))
        case "AMENDVOTE":
            own = any(bill.chair == seat and bill.amendments for bill in state.docket)
            accept = ("ACCEPT",) if own and state.on("BINDING", "OFF") else ()
            return (*(f"VOTE {amendment.id}" for amendment in moved(state)), *accept)
        case "VOTE":
            return tuple(f"VOTE {bill.id}" for bill in state.docket)
    cheapest = min(tables["point_cost"], tables["void_cost"])
    return ("SPEND",) if state.secret or state.tokens(seat) >= cheapest else ()


def _filed(state: State, seat: Seat, standing: Standing) -> bool:
    """Return whether another slot fills the one asked: §3.4, §3.6, or money spent."""
    match state.phase:
        case "BILL":
            return seat in state.taken
        case "VOTE":
            return deciding.standing_vote(state.standing.get(seat), standing) is not None
        case "CAMPAIGN":
            return any(isinstance(order, Spend | Void) for order in standing.values())
    return False


def _phase(state: State, orders: Mapping[Seat, Standing], clerk: Clerk) -> State:
    match state.phase:
        case "BILL":
            return session.after_bill(floor.lay_bills(state, orders, clerk), clerk)
        case "CAMPAIGN":
            return session.close_election(election.campaign(state, orders, clerk), clerk)
    if not state.docket:  # the chair of the only bill has resigned
        return session.to_vote(state, clerk)
    state = floor.positions(state, orders, clerk)
    match state.phase:
        case "AMEND":
            return session.after_amend(floor.move_amendments(state, orders, clerk), clerk)
        case "AMENDVOTE":
            return session.to_vote(floor.vote_amendments(state, orders, clerk), clerk)
    decided = floor.clear_tokens(deciding.decide(state, orders, clerk))
    return session.after_vote(decided, clerk)
