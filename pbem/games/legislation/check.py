"""May an order stand (§3)? The first reason against it is told: out, period, role, option, then the
order's own.

Judged from public facts and what the seat itself holds; ``standing`` is what already stands for it
this period.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import (
    ADD,
    ALL,
    CARRIED,
    ME,
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
)
from pbem.games.legislation.state import (
    AMEND,
    AMENDVOTE,
    BILL,
    CAMPAIGN,
    VOTE,
    State,
    amendable,
    moved,
)
from pbem.games.legislation.steps.returning import ends_clash, legal_returns
from pbem.orders.language import ambiguous
from pbem.orders.order import Checked, Order, Standing


def check(
    state: State, seat: Seat, standing: Standing, order: Order, tables: Mapping[str, Any]
) -> Checked:
    """The orders to put on file for this one, or why it cannot be."""
    if seat not in state.alive:
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.10")
    match order:
        case FileBill():
            role = None if seat in state.turns else "the chair"
            answer = _gate(state, "BILL", (BILL,), role) or _bill(state, order)
        case NextBill():
            answer = _bill(state, order)
        case Amend():
            answer = _gate(state, "AMEND", (AMEND,)) or _amend(state, order)
        case Vote():
            answer = _gate(state, "VOTE", (AMENDVOTE, VOTE)) or _vote(state, order)
        case Accept():
            answer = _accept(state, seat, order)
        case Position():
            answer = (
                _gate(state, "TOKEN", (AMEND, AMENDVOTE, VOTE))
                or _known(state, [order.card])
                or _in_a_bill(order.card, [card for bill in state.docket for card in bill.cards])
                or Checked((order,))
            )
        case Spend() | Void() | Give():
            answer = _tokens(state, seat, standing, order, tables)
        case Return():
            answer = _return(state, seat, order)
        case _:
            answer = Checked((order,))
    return answer


def _gate(
    state: State, word: str, phases: Sequence[str], role: str | None = None, option: str = ""
) -> Checked | None:
    """E_PHASE, E_ROLE, E_OPTION: ``role`` is the one the seat lacks, ``option`` the NAME=VALUE that
    bars the order."""
    if state.phase not in phases:
        return Checked.refused(
            "E_PHASE", f"{word} is not possible in the {state.phase} period.", "3.1"
        )
    if role:
        return Checked.refused("E_ROLE", f"Only {role} may give {word}.", "3.5")
    if option:
        return Checked.refused(
            "E_OPTION", f"{word} is switched off in this game ({option}).", "1.4"
        )
    return None


def _player(state: State, seat: Seat, word: str) -> Checked | Seat:
    """The living player a word names; ME is the writer."""
    if word == ME or word in state.alive:
        return seat if word == ME else word
    return Checked.refused(
        "E_PLAYER",
        f'There is no player "{word}" in this game.',
        "",
        f"living: {_list(state.alive)}",
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _known(state: State, named: Iterable[str]) -> Checked | None:
    """E_ISSUE: every card is of an issue in play (the blank card where the game has some)."""
    for card in named:
        if card == cards.CROWN and not state.on("CROWN", "OFF"):
            continue
        if cards.issue(card) not in state.issues:
            near = difflib.get_close_matches(cards.issue(card), state.issues, n=1)
            notes = [
                f"issues in play: {_list(state.issues)}",
                *(f"did you mean {one}?" for one in near),
            ]
            return Checked.refused(
                "E_ISSUE", f'"{cards.issue(card)}" is not an issue in this game.', "1.2", *notes
            )
    return None


def bill_problem(state: State, named: tuple[str, ...]) -> Checked | None:
    """Why these cards cannot be a core bill: E_ISSUE, E_POOL, E_SHORT, E_BOTH."""
    if refused := _known(state, named):
        return refused
    for card in named:
        if card in state.law:
            return Checked.refused(
                "E_POOL", f"{card} is not available: it is already in the law.", "R7"
            )
    if len(named) < 2:
        return Checked.refused("E_SHORT", "A bill needs at least two blue cards.", "3.5")
    for card in named:
        if cards.opposite(card) in named:
            name = cards.issue(card)
            return Checked.refused(
                "E_BOTH", f"A bill cannot contain both {name}+ and {name}-.", "3.5"
            )
    return None


def _bill(state: State, order: FileBill | NextBill) -> Checked:
    return (bill_problem(state, order.cards) if order.cards is not None else None) or Checked(
        (order,)
    )


def _which(order: Order, word: str, named: str, among: Sequence[str]) -> Checked | str:
    """The bill an order means: the one it names, or the only one there is (E_AMBIGUOUS,
    E_NOBILL)."""
    if not named and len(among) > 1:
        return Checked(
            (), (replace(ambiguous(str(order), [f"ON {one}" for one in among]), rule="3.11"),)
        )
    if not named and among:
        return among[0]
    if named not in among:
        return Checked.refused(
            "E_NOBILL", f"There is no bill {named} open to {word}.", "3.11", *_open(among)
        )
    return named


def _open(among: Sequence[str]) -> list[str]:
    return [f"there is: {_list(among)}"] if among else []


def _amend(state: State, order: Amend) -> Checked:
    among = [bill.id for bill in state.docket if amendable(state, bill)]
    found = _which(order, "AMEND", order.bill, among)
    if isinstance(found, Checked):
        return found
    bill = state.bill(found)
    assert bill is not None
    if refused := _known(state, [order.card]):
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
                "E_POOL", f"{order.card} is not available: it is already {where}.", "3.5"
            )
    else:
        if refused := _in_a_bill(order.card, bill.cards):
            return refused
        if bill.crisis and order.card in bill.core:
            return Checked.refused("E_CORE", "The core of a Crisis bill cannot be altered.", "R14")
    return Checked((replace(order, bill=found),))


def _in_a_bill(card: str, among: Iterable[str]) -> Checked | None:
    return (
        None
        if card in among
        else Checked.refused("E_NOTINBILL", f"{card} is not in the bill.", "3.5")
    )


def _vote(state: State, order: Vote) -> Checked:
    """A vote on each bill (VOTE) or amendment (AMENDVOTE) it names."""
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
        wanted = order.on
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


def _accept(state: State, seat: Seat, order: Accept) -> Checked:
    own = [bill for bill in state.docket if bill.chair == seat and amendable(state, bill)]
    option = "BINDING=ON" if state.on("BINDING") else ""
    if refused := _gate(state, "ACCEPT", (AMENDVOTE,), None if own else "the chair", option):
        return refused
    mine = [amendment.id for bill in own for amendment in bill.amendments]
    for word in order.words:
        if word not in (NONE, CARRIED, ALL, *mine):
            return Checked.refused(
                "E_NOAMEND", f"There is no amendment {word}.", "R6", *_open(mine)
            )
    return Checked((order,))


def cost(order: Order, tables: Mapping[str, Any]) -> int:
    """The tokens an order takes from the purse."""
    if isinstance(order, Spend | Give):
        return order.tokens
    return int(tables["void_cost"]) if isinstance(order, Void) else 0


def _tokens(
    state: State,
    seat: Seat,
    standing: Standing,
    order: Spend | Void | Give,
    tables: Mapping[str, Any],
) -> Checked:
    """SPEND, VOID and GIVE, put in canonical form (oneself is ME), within the purse."""
    word = str(order).split()[0]
    if isinstance(order, Give):
        refused = _gate(
            state, word, (state.phase,), option="" if state.on("TRANSFERS") else "TRANSFERS=OFF"
        )
    else:
        refused = _gate(state, word, (CAMPAIGN,))
    target = _player(state, seat, order.target)
    if refused or isinstance(target, Checked):
        return refused or target  # type: ignore[return-value]
    own = target == seat
    order = replace(order, target=ME if own else target)
    refused = (_known(state, [f"{order.issue}+"]) if isinstance(order, Void) else None) or _amount(
        order, own, tables
    )
    if refused:
        return refused
    purse, need = (
        state.tokens(seat),
        sum(cost(o, tables) for o in {**standing, order.slot: order}.values()),
    )
    if need > purse:
        return Checked.refused(
            "E_TOKENS", f"You have {purse} tokens; these orders need {need}.", "4.9.3"
        )
    return Checked((order,))


def _amount(order: Spend | Void | Give, own: bool, tables: Mapping[str, Any]) -> Checked | None:
    """E_UNITS, E_GIVE, E_SELF."""
    match order:
        case Spend(tokens=tokens) if tokens <= 0 or tokens % tables["point_cost"]:
            return Checked.refused(
                "E_UNITS", f"Points cost {tables['point_cost']} tokens each.", "4.9.3"
            )
        case Give(tokens=0):
            return Checked.refused("E_GIVE", "Give at least one token.", "3.8")
        case Spend(against=False) if not own:
            return Checked.refused("E_SELF", "You can buy points only for yourself.", "4.9.3")
        case Spend(against=True) | Void() if own:
            return Checked.refused("E_SELF", "You cannot campaign against yourself.", "4.9.3")
        case Give() if own:
            return Checked.refused("E_SELF", "You cannot give tokens to yourself.", "3.8")
    return None


def _return(state: State, seat: Seat, order: Return) -> Checked:
    """RETURN: by a re-elected player, in the first period of the session, a card that may go."""
    phases = (state.phase,) if state.first_period else ()
    if refused := _gate(
        state, "RETURN", phases, None if seat in state.drawn else "a re-elected player"
    ):
        return refused
    if refused := _known(
        state,
        [order.card if order.card[-1] in "+-" or order.card == cards.CROWN else f"{order.card}+"],
    ):
        return refused
    if order.card not in state.hand[seat]:
        return Checked.refused("E_CARD", f"You do not hold {order.card}.", "3.9")
    if order.card in legal_returns(state, seat):
        return Checked((order,))
    clash = ends_clash(state, seat)
    if not clash or (order.card == state.drawn[seat] and not state.on("RETURN_DRAWN")):
        return Checked.refused("E_RETURN", "You may not return the card just drawn.", "R12")
    both = sorted(clash, key=cards.sign, reverse=True)
    return Checked.refused("E_RETURN", f"You must return {' or '.join(both)}.", "4.9.4")
