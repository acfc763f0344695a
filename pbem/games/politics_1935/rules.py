"""The rule-set of Politics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import Ended, Plan
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome, Result, Rulebook, Ruleset
from pbem.games.frame.treasury import listed_anew
from pbem.games.politics_1935 import advice, setup, views
from pbem.games.politics_1935.orders import Speak, StandingList, check, language
from pbem.games.politics_1935.plans import PLANS, settled
from pbem.games.politics_1935.state import Atlas, State
from pbem.games.politics_1935.steps import counting, rounds
from pbem.games.politics_1935.steps.counting import final_standing
from pbem.games.politics_1935.views import ABOUT
from pbem.games.politics_1935.why import REASONS
from pbem.orders.order import Checked, Order, Pass, Standing


class Politics(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    form = staticmethod(advice.offers)
    upgrades: ClassVar = {
        1: lambda dumped: {**dumped, "dealt": {}},
        2: lambda dumped: {**dumped, "plans": {}},
    }

    def __init__(self, book: Rulebook) -> None:
        self.atlas = Atlas.of(book.tables)
        super().__init__(book, language(book, self.atlas))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        minutes = Minutes()
        state = setup.start(self.atlas, seats, options, scenario, dice, minutes)
        return Outcome(PLANS.told_at_start(state, self.language), tuple(minutes.events))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        """Ask all, in MODE=TURN the thrower, for a play (3.1)."""
        if state.winners is not None:
            return {}
        return {s: ("CAMPAIGN",) if advice.to_throw(state, s) else () for s in state.alive}

    def filled(self, state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return the play if a list or TAKE CARD fills it (3.1)."""
        listed = standing.get("STANDING")
        kept = listed.items if isinstance(listed, StandingList) else state.lists[seat]
        return ("CAMPAIGN",) if kept or "TAKE" in standing else ()

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Check an order (3.1 to 3.10); a plan's card may be spoken too."""
        if isinstance(order, Plan | Ended):
            return PLANS.checked(state, seat, standing, order)
        if isinstance(order, Speak):
            standing, _ = PLANS.works(state, seat, standing, self.language)
        return check(state, seat, standing, order)

    def slot_name(self, state: State, seat: Seat, order: Order) -> str:
        """Return SPEAK-EARLY or SPEAK-LATE, else the order's slot (3.3)."""
        if not isinstance(order, Speak):
            return order.slot
        return "SPEAK-LATE" if order.late(state, seat) else "SPEAK-EARLY"

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return the list on file, else by NMR (R9)."""
        kept = state.lists[seat]
        return (StandingList(kept),) if kept else (Pass(),)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, done = PLANS.works(state, seat, standing, self.language)
        advice.silence(state, seat, given, tell)
        PLANS.tell_silence(done, tell)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        """Adjudicate by section 4, in MODE=TURN 4a."""
        minutes = Minutes()
        state = replace(state, accounts=listed_anew(state.accounts))
        state, orders = PLANS.carry_out(state, orders, self.language, minutes)
        state = settled(rounds.adjudicated(state, orders, dice, minutes), self.language)
        return Outcome(state, tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        stands, _ = PLANS.works(state, seat, standing, self.language)
        advice.advice(state, seat, stands, tell)
        PLANS.tell_advice(state, seat, standing, self.language, tell)

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return the list (3.2) and bid plans (3.9)."""
        listed = [str(StandingList(kept))] if (kept := state.lists.get(seat)) else []
        return (*listed, *state.plans.get(seat, ()))

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        return standing

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        return counting.votes_of(state.pins, state.atlas, state.alive)

    def result(self, state: State) -> Result | None:
        return None if state.winners is None else Result(state.winners, final_standing(state))
