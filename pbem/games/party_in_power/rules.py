"""The rule-set of Party In Power, and what is known without a game: seats, phases, options
(1.12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import Ended, Plan
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Option, Options, one_of, switch, timing
from pbem.games.frame.ruleset import About, Outcome, Result, Rulebook, Ruleset
from pbem.games.party_in_power import orders as filed
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power import views
from pbem.games.party_in_power.advice import advice, offers, silence
from pbem.games.party_in_power.orders import Decline, Draft, Draw, Field, language
from pbem.games.party_in_power.plans import PLANS
from pbem.games.party_in_power.setup import start
from pbem.games.party_in_power.state import State
from pbem.games.party_in_power.steps import campaign, nomination, polling, resignations
from pbem.games.party_in_power.why import REASONS
from pbem.orders.order import Checked, Order, Standing

CODES = ("PIP", "LAN", "COM", "KIT", "NLP", "VER", "TID", "CMP", "HAH", "OWP")
_SIZES = (4, 2, 3, 5, 6, 7, 8, 9, 10)
ABOUT = About(
    key="party-in-power",
    title="Party In Power",
    seats=tuple(CODES[:size] for size in _SIZES),
    schema=2,
    phases=s.PHASES,
    options=(
        Option(
            "CONSTITUENCIES",
            12,
            "constituencies to be polled, 3 to 27 (27: the table game)",
            least=3,
            most=27,
        ),
        switch("SHARED", "a polling and the next campaign share one period", "ON"),
        Option(
            "MINISTERS",
            "AUTO",
            "Ministers in play, 3 to 13",
            least=3,
            most=13,
            words=("AUTO",),
            says=(
                "the three seniors, and by lot ten others for 27 constituencies, fewer for fewer",
            ),
        ),
        Option(
            "INCUMBENCY",
            "AUTO",
            "added to every Incumbent Advantage",
            least=-99,
            words=("AUTO",),
            says=("by the number of parties, from -2 to +2",),
        ),
        Option(
            "DRAFT",
            "AUTO",
            "cards drafted on each Nomination Day",
            least=0,
            words=("AUTO",),
            says=("by the number of parties, from 4 to 2",),
        ),
        one_of(
            "TIE",
            "who wins a tie between the PIP and an Opposition Party",
            PIP="the PIP",
            OPPOSITION="the best of the tied Opposition Parties",
            LADDER="most Helpers, then Momentum, then the lowest number",
        ),
        one_of(
            "POOL",
            "whether the PIP's pool is public",
            PRIVATE="only the PIP is told",
            OPEN="all are told",
        ),
        one_of(
            "MINORITY",
            "MINISTER: any Minister serves as Minority",
            STRICT="only a Minister who is Minority",
            MINISTER="any Minister",
        ),
        one_of(
            "HELPERS",
            "VOTE: each Helper gives a vote too",
            TIEBREAK="they break ties, and do not vote",
            VOTE="each gives a vote too",
        ),
        one_of(
            "FAST",
            "the PIP fields in the NOMINATION period; no POLLING",
            OFF="it has a period of its own",
            ON="it is held with the nomination",
        ),
        one_of(
            "LAPSE",
            "after the PIP resigns: automatic Teams, or VACANT",
            PIP="automatic Teams",
            VACANT="nobody is fielded",
        ),
        *timing(3),
    ),
    status="complete",
    seat_tables=("won", "ncmp", "bonus"),
    told_since=("drew_fewer", "shuffled"),
)


class PartyInPower(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    form = staticmethod(offers)
    upgrades: ClassVar = {1: lambda dumped: {**dumped, "plans": {}}}

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        outcome = start(seats, options, scenario, self.book.tables, dice)
        return replace(outcome, state=PLANS.told_at_start(outcome.state, self.language))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        over = state.phase == s.OVER
        return {} if over else {seat: _required(state, seat) for seat in state.living}

    def filled(self, state: State, seat: Seat, standing: Standing) -> Standing:
        return PLANS.works(state, seat, standing, self.language)[0]

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Check an order (3.11) or plan (3.13)."""
        if isinstance(order, Plan | Ended):
            return PLANS.checked(state, seat, standing, order)
        return filed.check(state, seat, standing, order)

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return what silence gives (3.2 to 3.9), after plans (3.13)."""
        stands, _ = PLANS.works(state, seat, {}, self.language)
        made: dict[str, Order] = {
            "DRAW": Draw((("TALENT", state.k),)),
            "DRAFT": Draft(()),
            "CONTEST": Decline(),
        }
        if seat == s.PIP:
            made["FIELD"] = Field(s.automatic_team(state, state.issue))
        return tuple(stands.get(slot) or made[slot] for slot in _required(state, seat))

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        """Adjudicate by phase, a polling before the next campaign."""
        minutes, phase = Minutes(), state.phase
        state, orders = PLANS.carry_out(state, orders, self.language, minutes)
        state, orders = resignations(state, orders, minutes)
        if state.phase != s.OVER and phase in (s.POLLING, s.SHARED):
            state = polling(state, orders, dice, minutes)
        if state.phase != s.OVER and phase in (s.CAMPAIGN, s.SHARED):
            state = campaign(state, orders, dice, minutes)
        if state.phase != s.OVER and phase == s.NOMINATION:
            state = nomination(state, orders, dice, minutes)
        return Outcome(state, tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, _ = PLANS.works(state, seat, standing, self.language)
        advice(state, seat, standing, given, tell)
        PLANS.tell_advice(state, seat, standing, self.language, tell)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, done = PLANS.works(state, seat, standing, self.language)
        silence(state, seat, given, tell)
        PLANS.tell_silence(done, tell)

    def foreseen(self, state: State, seat: Seat) -> bool:
        """Return whether plans fill all asked (3.13)."""
        return bool(self.asked(state).get(seat)) and not self.due(state, seat, {})

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        return state.plans.get(seat, ())

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders except OVERRIDE: unspent cards stay secret (R1)."""
        return {slot: order for slot, order in standing.items() if "OVERRIDE" not in slot.split()}

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        return {seat: state.points(seat) for seat in state.order}

    def result(self, state: State) -> Result | None:
        """Return the winner (4.10): most points, then seats; or the last one left."""
        if state.phase != s.OVER:
            return None
        figures = {seat: (state.points(seat), state.seats_won(seat)) for seat in state.living}
        best = max(figures.values(), default=None)
        winners = tuple(seat for seat in state.living if figures[seat] == best)
        return Result(winners, {seat: state.points(seat) for seat in state.order})


def _required(state: State, seat: Seat) -> tuple[str, ...]:
    """3.1. Return them filled or not."""
    if seat in state.out or state.phase == s.OVER:
        return ()
    words = ("FIELD", "DRAW") if seat == s.PIP else ("DRAFT", "CONTEST")
    return tuple(word for word in words if filed.possible(state, word))
