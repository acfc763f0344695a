"""The rule-set of Politics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from pbem.games.frame import conditions
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import Ended, Plan
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import About, Outcome, Result, Rulebook, Ruleset
from pbem.games.frame.treasury import listed_anew
from pbem.games.politics_1935 import advice, counting, setup, steps, views
from pbem.games.politics_1935 import orders as o
from pbem.games.politics_1935.counting import final_standing
from pbem.games.politics_1935.state import Atlas, State
from pbem.games.politics_1935.why import REASONS
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order, Pass, Standing

_SEATS = ("P1", "P2", "P3", "P4", "P5")
ABOUT = About(
    key="politics-1935",
    title="The Game of Politics",
    seats=tuple(_SEATS[:size] for size in (3, 2, 4, 5)),
    schema=3,
    phases=("ROUND", "TURN", "OVER"),
    options=views.OPTIONS,
    status="complete",
    seat_tables=("alive", "cash", "votes_out"),
    seat_rows=("pins",),
    told_since=("race", "no_speech", "no_lot", "no_count", "you_are_out", "your_states"),
)


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
        super().__init__(book, o.language(book, self.atlas))

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
        kept = steps.filed(state, {seat: standing}).lists[seat]
        return ("CAMPAIGN",) if kept or "TAKE" in standing else ()

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Check an order (3.1 to 3.10); a plan's card may be spoken too."""
        if isinstance(order, Plan | Ended):
            return PLANS.checked(state, seat, standing, order)
        if isinstance(order, o.Speak):
            standing, _ = PLANS.works(state, seat, standing, self.language)
        return o.check(state, seat, standing, order)

    def slot_name(self, state: State, seat: Seat, order: Order) -> str:
        """Return SPEAK-EARLY or SPEAK-LATE, else the order's slot (3.3)."""
        if not isinstance(order, o.Speak):
            return order.slot
        return "SPEAK-LATE" if order.late(state, seat) else "SPEAK-EARLY"

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return the list on file, else by NMR (R9)."""
        kept = state.lists[seat]
        return (o.StandingList(kept),) if kept else (Pass(),)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, done = PLANS.works(state, seat, standing, self.language)
        advice.silence(state, seat, given, tell)
        PLANS.tell_silence(done, tell)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        """Adjudicate by section 4, in MODE=TURN 4a."""
        minutes = Minutes()
        state = replace(state, accounts=listed_anew(state.accounts))
        state, orders = PLANS.carry_out(state, orders, self.language, minutes)
        state = settled(steps.adjudicated(state, orders, dice, minutes), self.language)
        return Outcome(state, tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        stands, _ = PLANS.works(state, seat, standing, self.language)
        advice.advice(state, seat, stands, tell)
        PLANS.tell_advice(state, seat, standing, self.language, tell)

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return the list (3.2) and bid plans (3.9)."""
        listed = [str(o.StandingList(kept))] if (kept := state.lists.get(seat)) else []
        return (*listed, *state.plans.get(seat, ()))

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        return standing

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        return counting.votes_of(state.pins, state.atlas, state.alive)

    def result(self, state: State) -> Result | None:
        return None if state.winners is None else Result(state.winners, final_standing(state))


RULE, CONDITIONS = "3.9", "3.10"


def _check(order: conditions.Plan | conditions.Ended, case: o.Case) -> Checked | None:
    """Check a plan; its card need not be up."""
    o.needs_fund(case, "BID", True, "3.4")
    if isinstance(order, conditions.Ended):
        return conditions.ended(case.standing, order)
    bid, cards = order.order, case.tables.cards
    assert isinstance(bid, o.Bid)
    o.unclear(case, bid.card)
    message = f"{bid.card} is not up for auction."
    note = f"name one of the cards S01 to S{len(cards):02d}, or {o.ANY}"
    case.refuse_if(bid.card not in (o.ANY, *cards), "E_LOT", message, RULE, note)
    if refused := conditions.senseless(order, known(case.state), CONDITIONS):
        return refused
    bid.payable(case)
    return None


def _able(state: State, seat: str, order: Order) -> Checked:
    if not isinstance(order, o.Bid):
        return Checked()
    up = [lot.card for lot in state.lots if order.card in (o.ANY, lot.card)]
    cash = state.cash(seat) // state.atlas.unit * state.atlas.unit
    if up and not cash:
        return Checked.refused("E_CASH", "You have no money left.", RULE)
    return Checked(tuple(o.Bid(min(order.amount, cash), card) for card in up))


def settled(state: State, language: Language) -> State:
    """Drop plans of seats out, and for cards bought."""
    left = dict[Seat, tuple[str, ...]]()
    for seat in state.alive:
        mine = (*state.hands[seat], *state.played[seat])
        plans = conditions.kept(language, state.plans.get(seat, ()))
        kept = [one for one in plans if getattr(one.order, "card", "") not in mine]
        left |= {seat: tuple(map(str, kept))} if kept else {}
    return replace(state, plans=left)


PLANS = conditions.Plans(
    RULE,
    partial(o.check, by=_check),
    _able,
    lambda state, seat, _: values(state, seat),
    lambda state: state.alive,
)


def known(state: State) -> dict[str, conditions.Figure]:
    """Return figures with bounds; cash only if public."""
    atlas, figure = state.atlas, partial(conditions.Figure, flag=False)
    electors = sum(row.votes for row in atlas.states.values())
    return {
        **({} if state.choices.secret_holdings else {"CASH": figure(0, atlas.campaign_fund)}),
        "EMPTY": figure(0, len(atlas.states)),
        "ROUND": figure(1, state.choices.max_rounds),
        "VOTES": figure(0, electors),
        "CLOSED": conditions.Figure(),
    }


def values(state: State, seat: str) -> conditions.Figures:
    empty = len(counting.pinless(state.pins, state.atlas))
    every = {
        "CASH": state.cash(seat),
        "EMPTY": empty,
        "ROUND": state.round,
        "VOTES": counting.votes_of(state.pins, state.atlas, state.seats)[seat],
        "CLOSED": int(not empty),
    }
    return {name: every[name] for name in known(state)}
