"""May an order be given (paragraphs 3.1 to 3.8)? Judged from what its seat may know and nothing
else.

The refusals come in the order of the rulebook: out of the game, a gap not yet open (in the place of
the phase), role, option, player, then each order's own.
"""

from __future__ import annotations

from difflib import get_close_matches

from pbem.games.politics_1935.orders import (
    MOST,
    SELF,
    Bid,
    Campaign,
    Item,
    Speak,
    StandingList,
    TakeCard,
)
from pbem.games.politics_1935.state import State
from pbem.games.politics_1935.steps import board
from pbem.orders.language import resolve
from pbem.orders.order import Checked, Order, Problem, Standing


def check(state: State, seat: str, standing: Standing, order: Order) -> Checked:
    """The order in the form that goes on file, or the refusal."""
    if seat not in state.alive:
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.8")
    match order:
        case Campaign():
            return _campaign(state, seat, order)
        case StandingList(items=items):
            return _items(state, items, "3.2") or Checked((order,))
        case Speak():
            return _speak(state, seat, standing, order)
        case Bid():
            return _bid(state, seat, order)
        case TakeCard():
            return _take(state, seat, order)
        case _:
            return Checked((order,))


def _take(state: State, seat: str, order: TakeCard) -> Checked:
    """3.5."""
    if state.choices.fund:
        return _switched_off("TAKE CARD", "ON", "3.5")
    if seat not in state.shown:
        return Checked.refused("E_TAKE", "No card was shown to you.", "3.5")
    return Checked((order,))


def _switched_off(word: str, value: str, rule: str) -> Checked:
    return Checked.refused("E_OPTION", f"{word} is switched off in this game (FUND={value}).", rule)


def _campaign(state: State, seat: str, order: Campaign) -> Checked:
    """3.1."""
    if state.choices.turns and seat != state.turn:
        return Checked.refused("E_ROLE", "Only the thrower may give CAMPAIGN.", "3.1")
    refusal = _items(state, order.items, "3.1")
    if refusal:
        return refusal
    needed, dice = board.cost(state.atlas, order.items), state.total(seat)
    if needed > dice:
        return Checked.refused(
            "E_POINTS", f"That play costs {needed} points; your dice show {dice}.", "3.1"
        )
    return Checked((order,))


def _items(state: State, items: tuple[Item, ...], rule: str) -> Checked | None:
    """States that there are, one to eight counties each."""
    for item in items:
        if item.state not in state.atlas.states:
            near = get_close_matches(item.state.upper(), list(state.atlas.named()), n=1, cutoff=0.6)
            notes = [f"did you mean {near[0]}?"] if near else []
            return Checked.refused(
                "E_STATE", f'"{item.state}" is not one of the 48 states.', rule, *notes
            )
    for item in items:
        if not 1 <= item.count <= MOST:
            return Checked.refused(
                "E_COUNT",
                f"You can capture 1 to {MOST} counties at a time, not {item.count}.",
                rule,
            )
    return None


def _speak(state: State, seat: str, standing: Standing, order: Speak) -> Checked:
    """3.3: the gap open, its seat known, the card at hand when the time comes; one early speech and
    one late."""
    turns, names = state.choices.turns, {SELF: seat, **{one: one for one in state.alive}}
    after = seat if turns else resolve(order.after, names)
    if not _open(state, state.turn if turns else after):
        first = state.choices.speech_from - 1
        return Checked.refused(
            "E_EARLY", f"Speeches open in the gap after {state.last_seat} of round {first}.", "R4"
        )
    if after is None:
        return Checked.refused(
            "E_PLAYER", f'There is no player "{order.after}" in this game.', "3.3"
        )
    if isinstance(after, Problem):
        return Checked((), (after,))
    kept = Speak(order.card, SELF if after == seat else after)
    late = is_late(state, seat, kept)
    taken = late and "TAKE" in standing and state.shown.get(seat) == order.card
    if order.card not in state.hands[seat] and f"BID {order.card}" not in standing and not taken:
        return Checked.refused("E_CARD", f"You do not hold {order.card}.", "3.3")
    others = (
        other for other in standing.values() if isinstance(other, Speak) and other.slot != kept.slot
    )
    return Checked(
        (kept,),
        replaces=tuple(other.slot for other in others if is_late(state, seat, other) == late),
    )


def _open(state: State, after: object) -> bool:
    """Whether speeches are open in the gap after that seat (R4)."""
    first = state.choices.speech_from - 1
    return state.round > first or (state.round == first and after == state.last_seat)


def is_late(state: State, seat: str, order: Speak) -> bool:
    """Whether the gap lies behind the seat's own throw of this round (speak-late) or before it
    (speak-early)."""
    return order.after == SELF or state.order.index(order.after) >= state.order.index(seat)


def _bid(state: State, seat: str, order: Bid) -> Checked:
    """3.4."""
    if not state.choices.fund:
        return _switched_off("BID", "OFF", "3.4")
    if order.card not in {lot.card for lot in state.lots}:
        return Checked.refused("E_LOT", f"{order.card} is not up for auction.", "3.4")
    if order.amount < state.atlas.unit or order.amount % state.atlas.unit:
        return Checked.refused("E_UNIT", f"Bids are multiples of ${state.atlas.unit:,}.", "3.4")
    if order.amount > state.cash(seat):
        return Checked.refused("E_CASH", f"You have only ${state.cash(seat):,}.", "3.4")
    return Checked((order,))
