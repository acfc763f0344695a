"""Figures of a bill or amendment for conditional votes, at the opening (3.14)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.frame import conditions
from pbem.games.frame.conditions import Choice, Figure, WhatIf
from pbem.games.frame.events import Event, Minutes, Orders, Seat, grouped
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ADD, REMOVE, Vote
from pbem.games.legislation.state import AMENDVOTE, VOTE, Amendment, Bill, Public, State, moved
from pbem.orders import declared
from pbem.orders.order import Checked, Order, Standing


def known(state: Public) -> dict[str, Figure]:
    bill, motion = Bill("", "", (), ()), Amendment("", "", "", "", ())
    every = dict.fromkeys(of_bill(state, bill) | of_amendment(state, motion), Figure())
    numbers = {"CARDS": len(state.issues), "SESSION": state.number("MAX_SESSIONS")}
    return every | {name: Figure(1, most, flag=False) for name, most in numbers.items()}


def of_bill(state: Public, bill: Bill) -> dict[str, int]:
    blue = cards.blue(state.issues)
    issues = [cards.issue(card) for card in bill.cards]
    return {
        "CARDS": len(bill.cards),
        "SESSION": state.session,
        "CRISIS": int(bill.crisis),
        **{card: int(card in bill.cards) for card in blue},
        **{issue: int(issue in issues) for issue in state.issues},
        **{f"LAW {card}": int(card in state.law) for card in blue},
        **{f"CHAIR {seat}": int(seat == bill.chair) for seat in state.order},
    }


def of_amendment(state: Public, amendment: Amendment) -> dict[str, int]:
    blue = cards.blue(state.issues)
    moves = {
        f"{action} {card}": int((action, card) == (amendment.action, amendment.card))
        for action in (ADD, REMOVE)
        for card in blue
    }
    return moves | {f"MOVER {seat}": int(seat in amendment.movers) for seat in state.order}


def check(order: WhatIf, case: declared.Case[State, Any]) -> WhatIf | Checked:
    """3.13, 3.14."""
    return conditions.checked(order, case, known(case.state), "3.14")


@dataclass(frozen=True, slots=True)
class JudgedBill:
    """A bill or amendment judged."""

    id: str
    reads: tuple[str, ...]
    """Its cards, or the amendment's."""
    case: Choice | None


def asked(state: Public, ifs: WhatIf | None, standing: Standing) -> tuple[JudgedBill, ...]:
    """Judge whatever has no vote of the seat; ELSE does not apply to amendments."""
    order = conditions.on_file(ifs, standing)
    if order is None:
        return ()
    found: list[JudgedBill] = []
    if state.phase == VOTE:
        for bill in state.docket:
            case = conditions.first(order.cases, of_bill(state, bill))
            found.append(JudgedBill(bill.id, bill.cards, case))
    elif state.phase == AMENDVOTE:
        cases = [case for case in order.cases if case.condition]
        for one in moved(state):
            case = conditions.first(cases, of_amendment(state, one))
            found.append(JudgedBill(one.id, (one.action, one.card), case))
    return tuple(one for one in found if f"VOTE {one.id}" not in standing)


def votes(state: Public, ifs: WhatIf | None, standing: Standing) -> dict[str, Order]:
    made = (Vote(one.case.choice, (one.id,)) for one in asked(state, ifs, standing) if one.case)
    return {vote.slot: vote for vote in made}


def results(
    kind: str, state: Public, seat: Seat, ifs: WhatIf | None, standing: Standing
) -> Iterator[Event]:
    """Yield what a seat's conditional votes come to, an event per case."""
    said = WhatIf((), "VOTE").said
    groups = grouped((said(x.case) if x.case else "", x) for x in asked(state, ifs, standing))
    for words, judged in sorted(groups.items(), key=lambda group: not group[0]):
        on = [[one.id, list(one.reads)] for one in judged]
        choice = judged[0].case.choice if judged[0].case else None
        data = {"order": words or None, "choice": choice, "on": on}
        yield Event(kind, "3.13", frozenset([seat]), data)


def filed(state: State, orders: Orders) -> State:
    """Return the position with conditional votes on file."""
    ifs = {
        seat: conditions.on_file(state.ifs.get(seat), orders.get(seat, {})) for seat in state.alive
    }
    return replace(state, ifs={seat: order for seat, order in ifs.items() if order})


def filled(opened: State, orders: Orders, minutes: Minutes) -> dict[Seat, Standing]:
    """Return all orders with the resulting votes, judged by the opening position. Tell each seat
    its own."""
    filled_up = dict[Seat, Standing]()
    for seat, standing in orders.items():
        ifs = opened.ifs.get(seat)
        minutes.events += results("if_acted", opened, seat, ifs, standing)
        filled_up[seat] = {**standing, **votes(opened, ifs, standing)}
    return filled_up
