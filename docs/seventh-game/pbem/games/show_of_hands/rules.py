"""The rules of Show of Hands. ``adjudicate`` reads like the rulebook: numbered steps, one function
a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.show_of_hands.about import ABOUT
from pbem.games.show_of_hands.orders import Bet, Case, Raise, language
from pbem.games.show_of_hands.setup import reading
from pbem.games.show_of_hands.state import HANDS, State

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Event, Minutes, Seat, Tell
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Offer, Outcome, Result, Rulebook, Ruleset, ToldEvent
from pbem.orders import declared
from pbem.orders.order import Checked, Order, Pass, Standing


class ShowOfHands(Ruleset[State]):
    """The rule-set."""

    about = ABOUT
    position = State

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        """Paragraph 1: beans for everybody."""
        told = reading(scenario, seats).public
        beans = dict.fromkeys(seats, self.book.tables["beans"]) | (told.beans or {})
        goal = int(options["GOAL"])
        state = State(tuple(seats), goal, told.phase, told.round, beans)
        minutes = Minutes()
        minutes.public("opening", "1", beans=dict(beans))
        return Outcome(state, tuple(minutes.events))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        """A hand of everybody."""
        return {} if self.result(state) else dict.fromkeys(state.seats, ("RAISE",))

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Paragraphs 2 and 3."""
        return declared.checked(order, Case(state, seat, standing, None))

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """No hand at all."""
        return (Pass(),)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        """No hand, no bean."""
        tell("no_hand", "2")

    def form(self, state: State, seat: Seat) -> tuple[Offer, ...]:
        """A hand, which is owed, and a bet while there are beans, with what fills each blank."""
        hand, have = Offer("hand", (HANDS,), {}), state.beans[seat]
        others = tuple(other for other in state.seats if other != seat)
        return (
            (hand, Offer("bet", (("1", str(have)), others), {"beans": have})) if have else (hand,)
        )

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        """The range of beans that one can end with; paragraph 3."""
        staked = sum(order.beans for order in standing.values() if isinstance(order, Bet))
        have, earned = state.beans[seat], int("RAISE" in standing)
        tell("stake", "3", staked=staked, least=have - staked, most=have + staked + earned)

    def questions(self, state: State, seat: Seat | None) -> tuple[str, ...]:
        """Of a span the first and the last are enough."""
        return (f"BEANS {state.seats[0]}", f"BEANS {state.seats[-1]}")

    def why(
        self, state: State, seat: Seat | None, told: Sequence[ToldEvent], words: str
    ) -> tuple[Event, ...]:
        """The rounds that this player won, and one's own bets; () where nothing is called so."""
        who = words.upper().removeprefix("BEANS").strip() or seat
        if who not in state.seats:
            return ()
        shows = [one for one in told if one.event.kind == "show" and one.event.data["majority"]]
        won = [
            one.period
            for one in shows
            if who in one.event.data["shown"][one.event.data["majority"]]
        ]
        bets = [one.event for one in told if one.event.kind == "bets" and who == seat]
        audience = PUBLIC if seat is None else frozenset([seat])
        data = {"who": who, "rounds": won, "beans": state.beans[who]}
        return (Event("why_beans", "2", audience, data), *bets)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Standing], dice: Dice
    ) -> Outcome[State]:
        """Paragraphs 2 to 4."""
        minutes = Minutes()
        winners = _show(state, orders, minutes)
        state = _settle(state, orders, winners, minutes)
        return Outcome(replace(state, round=state.round + 1), tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        """Beans are public; no seat knows more."""
        public = {"phase": state.phase, "round": state.round, "beans": dict(state.beans)}
        return public if seat is None else {}

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        """Everybody's beans."""
        return dict(state.beans)

    def result(self, state: State) -> Result | None:
        """Paragraph 4."""
        best = max(state.beans.values())
        if best < state.goal:
            return None
        return Result(tuple(s for s in state.seats if state.beans[s] == best), dict(state.beans))


def _show(state: State, orders: Mapping[Seat, Standing], minutes: Minutes) -> frozenset[Seat]:
    """Paragraph 2: who is in the majority; a tie has none."""
    hands = {
        s: o.hand for s in state.seats if isinstance(o := orders.get(s, {}).get("RAISE"), Raise)
    }
    shown = {hand: sorted(seat for seat, h in hands.items() if h == hand) for hand in HANDS}
    majority = max(HANDS, key=lambda hand: len(shown[hand]))
    tied = len(shown["LEFT"]) == len(shown["RIGHT"])
    minutes.public("show", "2", shown=shown, majority=None if tied else majority)
    return frozenset() if tied else frozenset(shown[majority])


def _settle(
    state: State, orders: Mapping[Seat, Standing], winners: frozenset[Seat], minutes: Minutes
) -> State:
    """Paragraph 3: bets are paid; each seat is told its own."""
    beans: dict[str, Any] = dict(state.beans)
    for seat in state.seats:
        bets = [order for order in orders.get(seat, {}).values() if isinstance(order, Bet)]
        gain = sum(bet.beans if bet.on in winners else -bet.beans for bet in bets) + (
            seat in winners
        )
        beans[seat] = max(0, beans[seat] + gain)
        if bets:
            minutes.private("bets", "3", [seat], gain=gain)
    return replace(state, beans=beans)
