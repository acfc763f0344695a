"""Check orders (3.1 to 3.8) from what the seat knows.

Refusals by order: out, gap closed (or phase), role, option, player, the order's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from pbem.games.politics_1935 import names
from pbem.games.politics_1935.orders import (
    ANY,
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
from pbem.orders.language import ambiguous, resolve
from pbem.orders.order import Checked, Order, Problem, Standing
from pbem.text import listed

_TOLD = 6
"""In a note."""
_NO_LOT = "no card is up now; a throw of 7 or 11 turns one up"
_HOW = "write its code or name, then how many counties: OH 2, New York 1"


def check(state: State, seat: str, standing: Standing, order: Order) -> Checked:
    if seat not in state.alive:
        note = "you can still send PRESS to the others"
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.8", note)
    match order:
        case Campaign():
            return _campaign(state, seat, order)
        case StandingList(items=items):
            refused = _items(state, items, "3.2")
            return _with_whole_line(state, seat, order, refused) if refused else Checked((order,))
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
        return switched_off("TAKE CARD", "ON", "3.5")
    if seat not in state.shown:
        note = "spend your points with CAMPAIGN; a card is shown for a throw of 7 or 11"
        return Checked.refused("E_TAKE", "No card was shown to you.", "3.5", note)
    return Checked((order,))


def switched_off(word: str, value: str, rule: str) -> Checked:
    """Refuse what FUND switches off."""
    note = (
        "cards are bought: send BID, an amount, ON and a card that is up for auction"
        if value == "ON"
        else "there is no money: a throw of 7 or 11 shows you a card, and TAKE CARD takes it"
    )
    message = f"{word} is switched off in this game (FUND={value})."
    return Checked.refused("E_OPTION", message, rule, note)


def _campaign(state: State, seat: str, order: Campaign) -> Checked:
    """3.1."""
    if state.choices.turns and seat != state.turn:
        note = f"{state.turn} has the dice now; STANDING is kept for your own turns"
        return Checked.refused("E_ROLE", "Only the thrower may give CAMPAIGN.", "3.1", note)
    refusal = _items(state, order.items, "3.1")
    if refusal:
        return _with_whole_line(state, seat, order, refusal)
    needed, dice = board.cost(state.atlas, order.items), state.total(seat)
    if needed > dice:
        return Checked.refused(
            "E_POINTS",
            f"That play costs {needed} points; your dice show {dice}.",
            "3.1",
            f"leave out {needed - dice} or more of: {_priced(state, order.items)}",
        )
    return Checked((order,))


def _priced(state: State, items: Sequence[Item]) -> str:
    told = [f"{item} ({board.cost(state.atlas, (item,))})" for item in items[:_TOLD]]
    return ", ".join(told) + (", ..." if len(items) > _TOLD else "")


def _items(state: State, items: tuple[Item, ...], rule: str) -> Checked | None:
    problems = [
        problem
        for item in dict.fromkeys(items)
        for problem in (*_unknown(state, item, rule), *_miscounted(state, item, rule))
    ]
    return Checked((), tuple(problems)) if problems else None


def _unknown(state: State, item: Item, rule: str) -> tuple[Problem, ...]:
    if item.state in state.atlas.states:
        return ()
    meant = [_place(state, code) for code in names.states(state.atlas, item.state)]
    meant += [f'the word "{item.state}"'] if item.state in names.PLAIN else []
    if len(meant) > 1:
        return (ambiguous(item.state, meant),)
    near = _near(state, item)
    notes = (f"did you mean {_place(state, near)}?",) if near else (_HOW,)
    return (Problem("E_STATE", f'"{item.state}" is not one of the 48 states.', rule, notes),)


def _near(state: State, item: Item) -> str:
    named = state.atlas.named()
    found = get_close_matches(item.state.upper(), list(named), n=1, cutoff=0.6)
    return named[found[0]] if found else ""


def _miscounted(state: State, item: Item, rule: str) -> tuple[Problem, ...]:
    if 1 <= item.count <= MOST or item.state not in state.atlas.states:
        return ()
    message = f"You can capture 1 to {MOST} counties at a time, not {item.count}."
    note = (
        f"{_place(state, item.state)} has {state.atlas.states[item.state].lines} county"
        " lines, and its capital is one step beyond"
    )
    return (Problem("E_COUNT", message, rule, (note,)),)


def _with_whole_line(
    state: State, seat: str, order: Campaign | StandingList, refused: Checked
) -> Checked:
    items = tuple(
        item if item.state in state.atlas.states else replace(item, state=_near(state, item))
        for item in order.items
    )
    meant = replace(order, items=items)
    many = len(refused.problems) > 1 and all(item.state for item in items)
    if not many or items == order.items or not check(state, seat, {}, meant).orders:
        return refused
    *others, last = refused.problems
    whole = replace(last, notes=(*last.notes, f"did you mean {meant}?"))
    return Checked((), (*others, whole))


def _place(state: State, code: str) -> str:
    return f"{code} ({state.atlas.states[code].name})"


def _card(state: State, card: str) -> str:
    return f"{card} ({state.atlas.cards[card].title})" if card in state.atlas.cards else card


def unclear(state: State, card: str) -> Checked | None:
    meant = [_card(state, key) for key in names.speeches(state.atlas, card)]
    return Checked((), (ambiguous(card, meant[:_TOLD]),)) if len(meant) > 1 else None


def _speak(state: State, seat: str, standing: Standing, order: Speak) -> Checked:
    """3.3. The gap is open, the card in hand by then; one speech early, one late."""
    turns, names = state.choices.turns, {SELF: seat, **{one: one for one in state.alive}}
    after = seat if turns else resolve(order.after, names)
    if not gap_open(state, state.turn if turns else after):
        return _early(state, order)
    if after is None:
        return Checked.refused(
            "E_PLAYER",
            f'There is no player "{order.after}" in this game.',
            "3.3",
            f"still in: {listed(state.alive)}; SELF is the gap after your own play",
        )
    if isinstance(after, Problem):
        return Checked((), (after,))
    if doubt := unclear(state, order.card):
        return doubt
    kept = Speak(order.card, SELF if after == seat else after)
    late = is_late(state, seat, kept)
    taken = late and "TAKE" in standing and state.shown.get(seat) == order.card
    if order.card not in state.hands[seat] and f"BID {order.card}" not in standing and not taken:
        held = [_card(state, card) for card in sorted(state.hands[seat])[:3]]
        more = ", and others" if len(state.hands[seat]) > len(held) else ""
        note = f"you hold {listed(held)}{more}" if held else "you hold no card"
        return Checked.refused("E_CARD", f"You do not hold {order.card}.", "3.3", note)
    others = (
        other for other in standing.values() if isinstance(other, Speak) and other.slot != kept.slot
    )
    return Checked(
        (kept,),
        replaces=tuple(other.slot for other in others if is_late(state, seat, other) == late),
    )


def _early(state: State, order: Speak) -> Checked:
    """R4."""
    first, last = state.choices.speech_from - 1, state.last_seat
    now = not state.choices.turns and state.round == first
    then = f"in round {first} with AFTER {last}, or in round {first + 1}"
    if state.choices.turns:
        then = f"when {last} has the dice in round {first}, or later"
    note = f"say AFTER {last}, or send it in round {first + 1}" if now else f"send it {then}"
    message = f"Speeches open in the gap after {last} of round {first}."
    return Checked.refused("E_EARLY", message, "R4", note)


def gap_open(state: State, after: object) -> bool:
    """Return whether the gap after that seat is open (R4)."""
    first = state.choices.speech_from - 1
    return state.round > first or (state.round == first and after == state.last_seat)


def is_late(state: State, seat: str, order: Speak) -> bool:
    """Return whether the gap follows the seat's own throw of this round."""
    return order.after == SELF or state.order.index(order.after) >= state.order.index(seat)


def _bid(state: State, seat: str, order: Bid) -> Checked:
    """3.4."""
    if not state.choices.fund:
        return switched_off("BID", "OFF", "3.4")
    if doubt := unclear(state, order.card):
        return doubt
    up = [lot.card for lot in state.lots]
    if order.card not in up:
        note = f"up now: {', '.join(_card(state, card) for card in up[:3])}" if up else _NO_LOT
        kept = order.card == ANY or order.card in state.atlas.cards
        later = (f"STANDING {order} keeps it until the card comes up",) if kept else ()
        return Checked.refused("E_LOT", f"{order.card} is not up for auction.", "3.4", note, *later)
    return payable(state, seat, order) or Checked((order,))


def payable(state: State, seat: str, order: Bid) -> Checked | None:
    """Refuse what notes or cash cannot pay (3.4)."""
    unit, cash = state.atlas.unit, state.cash(seat)
    if order.amount < unit or order.amount % unit:
        below = order.amount // unit * unit
        note = f"bid {f'{below:,} or ' if below else ''}{below + unit:,}"
        return Checked.refused("E_UNIT", f"Bids are multiples of ${unit:,}.", "3.4", note)
    if order.amount > cash:
        note = f"bid {cash // unit * unit:,} or less" if cash >= unit else "you cannot bid any more"
        return Checked.refused("E_CASH", f"You have only ${cash:,}.", "3.4", note)
    return None
