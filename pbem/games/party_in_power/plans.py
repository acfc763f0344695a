"""Plans (3.13): orders on conditions or kept on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.frame.conditions import Case, WhatIf, refusal
from pbem.games.frame.plans import Ended, Plan, Plans, replaced
from pbem.games.party_in_power.cards import PIP
from pbem.games.party_in_power.check import check, issues, judge, possible, refused_role
from pbem.games.party_in_power.figures import known, values
from pbem.games.party_in_power.names import copies
from pbem.games.party_in_power.orders import TOP, Contest, Draft, Draw, Override
from pbem.games.party_in_power.state import State
from pbem.games.party_in_power.steps.campaign import content_of
from pbem.orders.order import Checked, Order, Problem, Standing

RULE, CONDITIONS = "3.13", "3.14"
_OWN_DECKS = {True: "MT", False: "GLR"}
"""First letters of the PIP's cards, and the Opposition's."""


def _checked(state: State, seat: str, standing: Standing, order: Plan | Ended) -> Checked:
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, Ended):
        return Checked((order,), replaces=replaced(standing, order))
    if role := refused_role(state, seat, str(order.order).split()[0]):
        return role
    if order.when:
        asked = WhatIf((Case("", order.when),), order.word)
        if no := refusal(asked, known(state), CONDITIONS):
            return no
    sort = _OWN_DECKS[seat == PIP]
    held = tuple(id for id in state.cards if id[0] in sort)
    found = _judged(state, seat, order.order, held)
    return found if isinstance(found, Checked) else Checked((replace(order, order=found),))


def _judged(state: State, seat: str, order: Order, held: tuple[str, ...]) -> Order | Checked:
    """Return the order as kept, or a refusal. ``held``: its side's cards."""
    at, problem = judge(state, seat, RULE, held), None
    match order:
        case Draw():
            answer = at.of(order)
            return answer.orders[0] if isinstance(answer, Checked) else Checked((), (answer,))
        case Override():
            problem = _unfit(state, seat, order.cards, held)
            if not problem and (wrong := at.no_candidate(order.cards)):
                problem = replace(wrong, notes=())
            problem = problem or at.no_issue(order.content or ())
            if not problem and order.content is not None:
                order = replace(order, content=issues(order.content))
        case Draft():
            problem = _unfit(state, seat, [card for card in order.cards if card != TOP], held)
        case Contest():
            items = at.options(order.items)
            if not isinstance(items, tuple):
                return Checked((), (items,))
            problem = _unfit(state, seat, [item.card for item in items], held)
            problem = problem or at.no_issue([item.on for item in items if item.on])
            problem = problem or at.no_target(items)
            if not problem:
                named = [replace(i, on=issues([i.on])[0]) if i.on else i for i in order.items]
                order = Contest(tuple(named))
    return Checked((), (problem,)) if problem else order


def _unfit(state: State, seat: str, cards: Sequence[str], held: Sequence[str]) -> Problem | None:
    at, named = judge(state, seat, RULE, held), copies(cards, held)
    if unknown := at.unknown(named):
        return unknown
    if alien := next((id for id in named if id not in held), None):
        whose = "the PIP holds cards T and M" if seat == PIP else "the Opposition holds G, L and R"
        return at.no("E_HOLD", f"You do not hold {alien}.", RULE, whose)
    return at.twice(named)


def _able(state: State, seat: str, order: Order) -> Checked:
    if not possible(state, str(order).split()[0]):
        return Checked()
    match order:
        case Override():
            held = tuple(id for id in order.cards if id in state.held(seat))
            if order.cards and not held:
                return Checked.refused("E_HOLD", "You hold none of its cards.", RULE)
            return Checked((replace(order, cards=held, content=content_of(state, order)),))
        case Draft():
            there = [[*copies(wish, state.row)] for wish in order.wishes]
            found = [tuple(id for id in wish if id == TOP or id in state.row) for wish in there]
            return Checked((Draft(tuple(wish for wish in found if wish)),))
        case Contest():
            answer = check(state, seat, {}, order)
            return Checked((), answer.problems) if answer.problems else answer
    return Checked((order,))


PLANS = Plans(RULE, _checked, _able, values, lambda state: state.living, once=Contest)
