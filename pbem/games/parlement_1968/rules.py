"""The rule-set of Parlement 1968."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pbem.games.frame import house_rules
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Offer, Outcome, Result, Rulebook, Ruleset
from pbem.games.frame.treasury import listed_anew
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import views
from pbem.games.parlement_1968.advice import Own, advice, cheques_due, offers, silence
from pbem.games.parlement_1968.orders import check
from pbem.games.parlement_1968.reading import language
from pbem.games.parlement_1968.setup import start
from pbem.games.parlement_1968.state import ELECTION, Names, State, Tables, read, seat_counts
from pbem.games.parlement_1968.steps import election, formation, session
from pbem.games.parlement_1968.steps.house import House, Period
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
        seats = () if state.over else tuple(self.tables.parties)
        return {seat: self._asked(state, seat) for seat in seats}

    def filled(self, state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return a sealed list (R20). A standing vote is no move (R29)."""
        return ("CANDIDATES",) if seat in state.sealed else ()

    def _asked(self, state: State, seat: Seat) -> tuple[str, ...]:
        owed, house = list[str](), self._house(state)
        regions = [house.region_of(unit).upper() for unit in house.own_factions(seat)]
        if state.phase == "program" and house.premier == seat:
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
            vote = partial(ballot, state, {}, seat, self.tables.region_named(region))
            if slot.startswith("VOTE BUDGET"):
                levels = tuple((item, vote(item, "VOTE BUDGET")) for item in self.tables.items)
                orders.append(o.VoteBudget(((region, levels),)))
            elif slot.startswith("VOTE"):
                bill = slot.split()[1]
                orders.append(o.Vote(bill, ((region, vote(bill, f"VOTE {bill}")),)))
            elif slot == "CANDIDATES":
                orders.append(o.Candidates(default_list(self._house(state), seat)))
        return tuple(orders) or (Pass(),)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        state = keep_on_file(state, self.tables, orders)
        at = Period(state, self.tables, orders, Minutes())
        if state.phase == "formation":
            session.form(at)
        elif state.phase in ELECTION:
            election.hold(at)
        else:
            session.sit(at)
        if state.options["private_treasury_notices"] == "on":
            statements(at)
        accounts = listed_anew(at.state.accounts)
        after = replace(at.state, period=state.period + 1, accounts=accounts)
        return Outcome(after, tuple(at.minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        house = self._house(state)
        return views.public(house) if seat is None else views.own(house, seat)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        silence(state, self.tables, seat, standing, tell)
        if house_rules.missed(self, state, seat, standing):
            tell("miss", "R29")
        cheques_due(state, seat, standing, tell)

    def form(self, state: State, seat: Seat) -> Iterator[Offer]:
        return offers(Own(state, self.tables, seat, {}))

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        for kind, rule, data in advice(Own(state, self.tables, seat, standing)):
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
        return Outcome(*formation.register(self._house(state), seat, standing))

    def seen(self, state: State, seat: Seat) -> State:
        """Return the position as the seat knows it (R1, house rule 3)."""
        return formation.seen(self._house(state), seat)

    def ripe(self, state: State) -> tuple[str, ...]:
        """Return the completed proposals, lowest number first (house rule 4)."""
        return formation.ripe(self._house(state))

    def report(self, state: State) -> Json:
        return formation.report(self._house(state))

    def _tables(self, state: State) -> Tables:
        return self.tables

    def _house(self, state: State) -> House:
        return House(state, self.tables)
