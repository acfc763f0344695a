"""Plans (3.13): orders on conditions or kept on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame import conditions
from pbem.games.frame.conditions import Ended, Figure, Figures, Plan, Plans
from pbem.games.party_in_power import orders
from pbem.games.party_in_power.state import ISSUES, PIP, State
from pbem.games.party_in_power.steps import content_of
from pbem.orders.declared import checked
from pbem.orders.order import Checked, Order, Standing


def known(state: State) -> dict[str, Figure]:
    most = max(state.place(id).seats for id in state.cards if id[0] == "K")
    numbers = {
        "SEATS": Figure(1, most, flag=False),
        "POINTS": Figure(-99, 999, flag=False),
        "LEFT": Figure(1, state.settings.constituencies, flag=False),
    }
    flags = ("GRC", "MOMENTUM", *ISSUES.values(), *sorted(id for id in state.cards if id[0] == "K"))
    return {**numbers, **dict.fromkeys(flags, Figure())}


def values(state: State, seat: str, order: Order) -> Figures:
    ahead = state.next if order.slot != "CONTEST" and state.next else None
    place = state.place(ahead)
    issue = place.issue if ahead else state.issue
    decided = sum(map(len, state.won.values())) + len(state.vacancies)
    return {
        **dict.fromkeys(known(state), 0),
        "SEATS": place.seats,
        "POINTS": state.points(seat),
        "LEFT": state.settings.constituencies - decided - bool(ahead),
        "GRC": int(place.grc),
        "MOMENTUM": int(state.momentum == seat),
        issue: 1,
        place.id: 1,
    }


RULE, CONDITIONS = "3.13", "3.14"
_OWN_DECKS = {True: "MT", False: "GLR"}
"""First letters of the PIP's cards, and the Opposition's."""


def _checked(state: State, seat: str, standing: Standing, order: Plan | Ended) -> Checked:
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, Ended):
        return conditions.ended(standing, order)
    sort = _OWN_DECKS[seat == PIP]
    held = tuple(id for id in state.cards if id[0] in sort)
    refused = orders.refused_role(state, seat, str(order.order).split()[0])
    return refused or checked(
        order, orders.Case(state, seat, {}, None, rule=RULE, held=held), _plan
    )


def _plan(plan: Plan, case: orders.Case) -> Plan | Checked:
    if refused := conditions.senseless(plan, known(case.state), CONDITIONS):
        return refused
    order: Any = plan.order
    match order:
        case orders.Draw():
            order = order.check(case)
        case orders.Override():
            _fit(case, order.cards)
            case.candidates(orders.copies(order.cards, case.held))
            order = replace(order, content=case.issues(order.content))
        case orders.Draft():
            _fit(case, [card for card in order.cards if card != orders.TOP])
        case orders.Contest():
            items = case.items(order.items)
            _fit(case, [item.card for item in items])
            named = case.on_issues(order.items)
            case.targeted(items)
            order = orders.Contest(named)
    return replace(plan, order=order)


def _fit(case: orders.Case, cards: Sequence[str]) -> None:
    """Refuse all but its side's cards."""
    named = orders.copies(cards, case.held)
    case.known(named)
    if alien := next((id for id in named if id not in case.held), None):
        pip = case.seat == PIP
        whose = "the PIP holds cards T and M" if pip else "the Opposition holds G, L and R"
        case.refuse("E_HOLD", f"You do not hold {alien}.", RULE, whose)
    case.once(named)


def _able(state: State, seat: str, order: Order) -> Checked:
    if not orders.possible(state, str(order).split()[0]):
        return Checked()
    match order:
        case orders.Override():
            held = tuple(id for id in order.cards if id in state.held(seat))
            if order.cards and not held:
                return Checked.refused("E_HOLD", "You hold none of its cards.", RULE)
            return Checked((replace(order, cards=held, content=content_of(state, order)),))
        case orders.Draft():
            there = [[*orders.copies(wish, state.row)] for wish in order.wishes]
            found = [
                tuple(id for id in wish if id == orders.TOP or id in state.row) for wish in there
            ]
            return Checked((orders.Draft(tuple(wish for wish in found if wish)),))
        case orders.Contest():
            answer = orders.check(state, seat, {}, order)
            return Checked((), answer.problems) if answer.problems else answer
    return Checked((order,))


PLANS = Plans(RULE, _checked, _able, values, lambda state: state.living, once=orders.Contest)
