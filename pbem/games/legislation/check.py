"""Check orders (§3) from public facts and the seat's own. The first reason counts: out, period,
role, option, then the order's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame.conditions import WhatIf, joined, refusal
from pbem.games.frame.events import Seat
from pbem.games.legislation import cards, figures
from pbem.games.legislation.checks.gate import gate, known, names
from pbem.games.legislation.checks.purse import tokens
from pbem.games.legislation.orders import (
    ADD,
    ALL,
    CARRIED,
    NONE,
    Accept,
    Amend,
    FileBill,
    Give,
    NextBill,
    Position,
    Return,
    Spend,
    Void,
    Vote,
    votes_if,
)
from pbem.games.legislation.state import (
    AMEND,
    AMENDVOTE,
    BILL,
    VOTE,
    Bill,
    State,
    amendable,
    moved,
)
from pbem.games.legislation.steps.returning import ends_clash, legal_returns
from pbem.orders.language import ambiguous
from pbem.orders.order import Checked, Order, Standing
from pbem.orders.spelling import is_number

_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def check(
    state: State, seat: Seat, standing: Standing, order: Order, tables: Mapping[str, Any]
) -> Checked:
    if seat not in state.alive:
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.10")
    match order:
        case FileBill():
            role = None if seat in state.turns else "the chair"
            chairs = f"in the chair now: {names(state.turns)}; NEXTBILL keeps a bill for your turn"
            answer = gate(state, "BILL", (BILL,), role, instead=[chairs]) or _bill(state, order)
        case NextBill():
            answer = _bill(state, order)
        case Amend():
            answer = gate(state, "AMEND", (AMEND,)) or _amend(state, order)
        case Vote():
            answer = gate(state, "VOTE", (AMENDVOTE, VOTE)) or _vote(state, order)
        case WhatIf():
            answer = _whatif(state, standing, order)
        case Accept():
            answer = _accept(state, seat, order)
        case Position():
            answer = (
                gate(state, "TOKEN", (AMEND, AMENDVOTE, VOTE))
                or known(state, [order.card])
                or _in_a_bill(order.card, [c for bill in state.docket for c in bill.cards], "3.7")
                or Checked((order,))
            )
        case Spend() | Void() | Give():
            answer = tokens(state, seat, standing, order, tables)
        case Return():
            answer = _return(state, seat, order)
        case _:
            answer = Checked((order,))
    return answer


def bill_problem(state: State, named: tuple[str, ...], word: str = "BILL") -> Checked | None:
    """Return E_ISSUE, E_POOL, E_SHORT, E_BOTH, or None for a lawful core."""
    if refused := known(state, named):
        return refused
    for card in named:
        if card in state.law:
            return Checked.refused(
                "E_POOL",
                f"{card} is not available: it is already in the law.",
                "R7",
                f"in the pool: {names(state.pool)}",
            )
    if len(named) < state.bill_cards:
        note = f"as in: {word} {' '.join(_example(state, named))}"
        cards_of = _WORDS.get(state.bill_cards, str(state.bill_cards))
        message = f"A bill needs at least {cards_of} blue card{'s' * (state.bill_cards > 1)}."
        return Checked.refused("E_SHORT", message, "3.5", note)
    for card in named:
        if cards.opposite(card) in named:
            name = cards.issue(card)
            return Checked.refused(
                "E_BOTH",
                f"A bill cannot contain both {name}+ and {name}-.",
                "3.5",
                "leave one of the two out",
            )
    return None


def _example(state: State, named: Sequence[str]) -> list[str]:
    """Return a lawful bill that begins with these cards."""
    found = list(dict.fromkeys(named))
    for card in state.pool:
        if len(found) < state.bill_cards and cards.issue(card) not in map(cards.issue, found):
            found.append(card)
    return found


def _bill(state: State, order: FileBill | NextBill) -> Checked:
    accepted = Checked((order,))
    if order.cards is None:
        return accepted
    return bill_problem(state, order.cards, order.slot) or accepted


def _which(order: Order, word: str, named: str, among: Sequence[str]) -> Checked | str:
    """Return the bill named, or the only one; else E_AMBIGUOUS or E_NOBILL."""
    if not named and len(among) > 1:
        return Checked(
            (), (replace(ambiguous(str(order), [f"ON {one}" for one in among]), rule="3.11"),)
        )
    if not named and among:
        return among[0]
    named = _code(named, "B")
    if named not in among:
        return Checked.refused(
            "E_NOBILL", f"There is no bill {named} open to {word}.", "3.11", *_open(among)
        )
    return named


def _code(named: str, kind: str) -> str:
    return f"{kind}{named}" if is_number(named) else named


def _open(among: Sequence[str]) -> list[str]:
    return [f"there is: {names(among)}"] if among else []


def _amend(state: State, order: Amend) -> Checked:
    among = [bill.id for bill in state.docket if amendable(state, bill)]
    found = _which(order, "AMEND", order.bill, among)
    if isinstance(found, Checked):
        return found
    bill = state.bill(found)
    assert bill is not None
    if refused := known(state, [order.card]):
        return refused
    if order.action == ADD:
        where = (
            "in the law"
            if order.card in state.law
            else "in the bill"
            if order.card in bill.cards
            else ""
        )
        if where:
            return Checked.refused(
                "E_POOL",
                f"{order.card} is not available: it is already {where}.",
                "3.5",
                f"{bill.id} reads: {' '.join(bill.cards)}",
            )
    else:
        if refused := _in_a_bill(order.card, bill.cards):
            return refused
        if bill.crisis and order.card in bill.core:
            note = f"a card can be added, as in: AMEND ADD {_spare(state, bill)} ON {bill.id}"
            return Checked.refused(
                "E_CORE", "The core of a Crisis bill cannot be altered.", "R14", note
            )
    return Checked((replace(order, bill=found),))


def _spare(state: State, bill: Bill) -> str:
    held = [cards.issue(card) for card in bill.cards]
    return next((card for card in state.pool if cards.issue(card) not in held), state.pool[0])


def _in_a_bill(card: str, among: Iterable[str], rule: str = "3.5") -> Checked | None:
    named = tuple(dict.fromkeys(among))
    note = f"there is: {names(named)}"
    return (
        None
        if card in named
        else Checked.refused("E_NOTINBILL", f"{card} is not in the bill.", rule, note)
    )


def _vote(state: State, order: Vote) -> Checked:
    on_bills = state.phase == VOTE
    among = (
        [bill.id for bill in state.docket]
        if on_bills
        else [amendment.id for amendment in moved(state)]
    )
    if ALL in order.on:
        wanted: Sequence[str] = among
    elif not order.on:
        found = _which(order, "VOTE", "", among)
        if isinstance(found, Checked):
            return found
        wanted = [found]
    else:
        wanted = [_code(one, "B" if on_bills else "A") for one in order.on]
    for one in wanted:
        if one not in among:
            if on_bills:
                return Checked.refused(
                    "E_NOBILL", f"There is no bill {one} open to VOTE.", "3.11", *_open(among)
                )
            return Checked.refused(
                "E_NOAMEND", f"There is no amendment {one}.", "3.11", *_open(among)
            )
    return Checked(tuple(Vote(order.choice, (one,)) for one in wanted))


def _whatif(state: State, standing: Standing, order: WhatIf) -> Checked:
    """Check conditional votes, a list for each period (3.13, 3.14)."""
    known_figures = figures.known(state)
    if refused := refusal(order, known_figures, "3.14"):
        return refused
    before = standing.get(order.slot)
    if order.cases and isinstance(before, WhatIf):
        whole = votes_if(joined(before.cases, order.cases))
        return refusal(whole, known_figures, "3.14") or Checked((whole,))
    return Checked((order,))


def _accept(state: State, seat: Seat, order: Accept) -> Checked:
    own = [bill for bill in state.docket if bill.chair == seat and amendable(state, bill)]
    option = "BINDING=ON" if state.on("BINDING") else ""
    role = None if own else "the chair"
    note = ["amendments that are carried go into their bills without it"] if option else []
    if refused := gate(state, "ACCEPT", (AMENDVOTE,), role, option, note):
        return refused
    mine = [amendment.id for bill in own for amendment in bill.amendments]
    order = replace(order, words=tuple(_code(word, "A") for word in order.words))
    for word in order.words:
        if word not in (NONE, CARRIED, ALL, *mine):
            return Checked.refused(
                "E_NOAMEND", f"There is no amendment {word}.", "R6", *_open(mine)
            )
    return Checked((order,))


def _return(state: State, seat: Seat, order: Return) -> Checked:
    phases = (state.phase,) if state.first_period else ()
    role = None if seat in state.drawn else "a re-elected player"
    if refused := gate(state, "RETURN", phases, role):
        return refused
    if refused := known(
        state,
        [order.card if order.card[-1] in "+-" or order.card == cards.CROWN else f"{order.card}+"],
    ):
        return refused
    if order.card not in state.hand[seat]:
        may = f"you may return: {names(legal_returns(state, seat))}"
        return Checked.refused("E_CARD", f"You do not hold {order.card}.", "3.9", may)
    if order.card in legal_returns(state, seat):
        return Checked((order,))
    clash = ends_clash(state, seat)
    if not clash or (order.card == state.drawn[seat] and not state.on("RETURN_DRAWN")):
        may = f"you may return: {names(legal_returns(state, seat))}"
        return Checked.refused("E_RETURN", "You may not return the card just drawn.", "R12", may)
    both = sorted(clash, key=cards.sign, reverse=True)
    return Checked.refused("E_RETURN", f"You must return {' or '.join(both)}.", "4.9.4")
