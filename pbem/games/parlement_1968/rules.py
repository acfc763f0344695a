"""The rule-set of Parlement 1968."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.games.frame import house_rules
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Offer, Outcome, Result, Rulebook, Ruleset
from pbem.games.frame.treasury import listed_anew
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import views
from pbem.games.parlement_1968.advice import advice, cheques_due, offers, silence
from pbem.games.parlement_1968.orders import check
from pbem.games.parlement_1968.reading import language
from pbem.games.parlement_1968.setup import start
from pbem.games.parlement_1968.state import ELECTION, Names, State, Tables, read, seat_counts
from pbem.games.parlement_1968.steps import election, formation, session
from pbem.games.parlement_1968.steps.house import ministry, own_factions, region_of
from pbem.games.parlement_1968.steps.lists import default_list, statements
from pbem.games.parlement_1968.steps.session import ballot, keep_on_file, on_file
from pbem.games.parlement_1968.views import about
from pbem.games.parlement_1968.why import REASONS
from pbem.orders.order import Checked, Order, Pass, Standing


class Parlement1968(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    position = State
    reasons = REASONS
    continuous = frozenset({"formation"})
    days_pass = staticmethod(formation.days_pass)
    lapsed = staticmethod(formation.caretaker_due)
    gathered = staticmethod(o.gathered)

    def __init__(self, book: Rulebook) -> None:
        self.tables = read(book.tables)
        self.names = Names(self.tables)
        super().__init__(book, language(book, self.names))
        self.about = about(self.tables)

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        return start(tuple(seats), options, scenario, self.tables)

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        return (
            {} if state.over else {seat: self._asked(state, seat) for seat in self.tables.parties}
        )

    def filled(self, state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return a sealed list (R20). A standing vote is no move (R29)."""
        return ("CANDIDATES",) if seat in state.sealed else ()

    def _asked(self, state: State, seat: Seat) -> tuple[str, ...]:
        owed: list[str] = []
        regions = [
            region_of(unit, self.tables).upper() for unit in own_factions(state, self.tables, seat)
        ]
        if state.phase == "program" and ministry(state, self.tables.premier) == seat:
            owed.append("PROGRAM")
        if state.phase == "budget":
            owed += [f"VOTE BUDGET {region}" for region in regions]
        if state.phase in ("bill", "candidates") and state.program and state.program.agenda:
            owed += [f"VOTE {state.program.agenda[0]} {region}" for region in regions]
        if state.phase == "candidates":
            owed.append("CANDIDATES")
        return tuple(owed)

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        return check(state, self.names, seat, standing, order)

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return standing votes (house rule 9) or abstentions, and the sealed list or incumbents
        (R28)."""
        orders: list[Order] = []
        for slot in self.due(state, seat, {}):
            *_, region = slot.split()
            key = next((r for r in self.tables.regions if r.upper() == region), "")
            if slot.startswith("VOTE BUDGET"):
                levels = tuple(
                    (i, ballot(state, {}, seat, key, i, "VOTE BUDGET")) for i in self.tables.items
                )
                orders.append(o.VoteBudget(((region, levels),)))
            elif slot.startswith("VOTE"):
                bill = slot.split()[1]
                orders.append(
                    o.Vote(bill, ((region, ballot(state, {}, seat, key, bill, f"VOTE {bill}")),))
                )
            elif slot == "CANDIDATES":
                orders.append(o.Candidates(default_list(state, self.tables, seat)))
        return tuple(orders) or (Pass(),)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        minutes = Minutes()
        state = keep_on_file(state, self.tables, orders)
        if state.phase == "formation":
            state = session.form(state, self.tables, orders, minutes)
        elif state.phase in ELECTION:
            state = election.hold(state, self.tables, orders, minutes)
        else:
            state = session.sit(state, self.tables, orders, minutes)
        if state.options["private_treasury_notices"] == "on":
            statements(state, state.seats, minutes)
        state = replace(state, period=state.period + 1, accounts=listed_anew(state.accounts))
        return Outcome(state, tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        if seat is None:
            return views.public(state, self.tables)
        return views.own(state, self.tables, seat)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        silence(state, self.tables, seat, standing, tell)
        if house_rules.missed(self, state, seat, standing):
            tell("miss", "R29")
        cheques_due(state, seat, standing, tell)

    def form(self, state: State, seat: Seat) -> Iterator[Offer]:
        return offers(state, self.tables, seat)

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        for kind, rule, data in advice(state, seat, standing, self.tables):
            tell(kind, rule, **data)

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return standing votes (house rule 9), the early list (R20) and borrowed records (8.8)."""
        return on_file(state, self.tables, seat)

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        counts = seat_counts(state)
        return {seat: counts[seat] for seat in state.seats}

    def result(self, state: State) -> Result | None:
        """Return the result: 26 seats (1.1), or max_sessions (R31)."""
        if not state.over:
            return None
        counts = seat_counts(state)
        return Result(state.winners, {seat: counts[seat] for seat in state.seats})

    # --- the formation of a Government by mail: letters work on receipt (house rules 3 and 4) -----

    def register(self, state: State, seat: Seat, standing: Standing) -> Outcome[State]:
        """Register a letter of an interregnum (R1)."""
        return Outcome(*formation.register(state, self.tables, seat, standing))

    def seen(self, state: State, seat: Seat) -> State:
        """Return the position as the seat knows it (R1, house rule 3)."""
        return formation.seen(state, self.tables, seat)

    def ripe(self, state: State) -> tuple[str, ...]:
        """Return the completed proposals, lowest number first (house rule 4)."""
        return tuple(one.key for one in formation.complete(state, self.tables))

    def report(self, state: State) -> Json:
        return formation.report(state, self.tables)

    def _tables(self, state: State) -> Tables:
        return self.tables
