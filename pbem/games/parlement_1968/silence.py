"""What silence means for a seat, from what it knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.frame.events import Event
from pbem.games.parlement_1968.orders import Pay
from pbem.games.parlement_1968.state import State
from pbem.games.parlement_1968.steps.files import keep_on_file
from pbem.games.parlement_1968.steps.hopes import dead, named
from pbem.games.parlement_1968.steps.house import (
    controls,
    ministry,
    offices_for,
    own_factions,
    party_of,
    region_of,
)
from pbem.games.parlement_1968.steps.lists import default_list, without_expelled
from pbem.games.parlement_1968.steps.requests import request
from pbem.games.parlement_1968.steps.voting import ballot
from pbem.games.parlement_1968.tables import Tables, spans
from pbem.orders.order import Standing


def silence(
    state: State, tables: Tables, seat: str, standing: Standing, *, missed: bool
) -> tuple[Event, ...]:
    """Return one event per consequence. missed: the move is missed (R29)."""
    if state.over:
        return ()
    state = keep_on_file(state, tables, {seat: standing})
    asked = request(state, tables, seat)
    told = list(_of_phase(state, tables, seat, standing))
    if asked:
        told.append(_event(seat, "asked_standing", "H9", bills=asked.bills, budget=asked.budget))
    if missed:
        told.append(_event(seat, "miss", "R29"))
    told += _cheques(state, seat, standing)
    return tuple(told)


def _cheques(state: State, seat: str, standing: Standing) -> Iterator[Event]:
    """Tell cheques that fall due; a payment now to the same payee replaces one (H11)."""
    sent = [one for one in standing.values() if isinstance(one, Pay) and one.period <= state.period]
    anew = {one.payee for one in sent}
    due = [
        c
        for c in state.cheques
        if c.payer == seat and c.period == state.period and c.payee not in anew
    ]
    total = sum(one.amount for one in due) + sum(one.amount for one in sent)
    short = total > state.accounts.balance(seat)
    for c in due:
        yield _event(seat, "cheque_due", "H11", payee=c.payee, amount=c.amount, short=short)


def _event(seat: str, kind: str, rule: str, **data: Any) -> Event:
    return Event(kind, rule, frozenset([seat]), data)


def _of_phase(state: State, tables: Tables, seat: str, standing: Standing) -> Iterator[Event]:
    match state.phase:
        case "formation":
            yield from _formation(state, tables, seat)
        case "program":
            yield from _program(state, tables, seat)
        case "budget":
            yield from _budget(state, tables, seat, standing)
        case "bill":
            yield from _bill(state, tables, seat, standing)
        case "candidates":
            yield from _bill(state, tables, seat, standing)
            yield from _list(state, tables, seat, standing)
        case "withdrawals":
            own = [d for d in state.runoffs if seat in state.candidates.get(d, {})]
            if own:
                yield _event(seat, "stand_on", "8.19", districts=spans(own, tables))
        case _:
            yield _event(seat, "no_money", "8.17")
            for bloc, held in controls(state, tables).items():
                if held.party == seat:
                    yield _event(seat, "no_instruction", "8.14", bloc=bloc)


def _formation(state: State, tables: Tables, seat: str) -> Iterator[Event]:
    """H4."""
    yield _event(seat, "not_signed", "R1")
    for proposal in state.proposals:
        mine = [u for u in named(proposal, tables) if party_of(u) == seat and u in proposal.signed]
        if mine:
            why = dead(state, tables, proposal)
            rule = "R33" if why else "H4"
            yield _event(seat, "stays_signed", rule, number=proposal.number, units=mine, dead=why)


def _program(state: State, tables: Tables, seat: str) -> Iterator[Event]:
    if ministry(state, tables.premier) == seat:
        yield _event(seat, "without_program", "R7", budget=not state.budget_passed)
        return
    bills = [
        bill
        for bill in tables.bills
        if any(ministry(state, office) == seat for office in offices_for(tables, bill=bill))
        and not (bill in state.bills and state.bills[bill].passed)
    ]
    items = [
        item
        for item in tables.items
        if not state.budget_passed
        and any(ministry(state, office) == seat for office in offices_for(tables, item=item))
    ]
    if bills or items:
        yield _event(seat, "unapproved", "R7", bills=bills, items=items)


def _budget(state: State, tables: Tables, seat: str, standing: Standing) -> Iterator[Event]:
    """R10, house rule 9."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for unit in own_factions(state, tables, seat):
        region = region_of(unit, tables)
        levels = tuple(
            (item, ballot(state, {seat: standing}, seat, region, item, "VOTE BUDGET"))
            for item in tables.items
        )
        alike.setdefault(levels, []).append(unit)
    for levels, units in alike.items():
        if all(level == "ABSTAIN" for _, level in levels):
            yield _event(seat, "abstains_budget", "R10", units=units, whole=len(alike) == 1)
        else:
            yield _event(seat, "stands_budget", "H9", units=units, levels=dict(levels))


def _bill(state: State, tables: Tables, seat: str, standing: Standing) -> Iterator[Event]:
    """5.2, house rule 9."""
    if not state.program or not state.program.agenda:
        return
    bill, alike = state.program.agenda[0], dict[str, list[str]]()
    for unit in own_factions(state, tables, seat):
        choice = ballot(
            state, {seat: standing}, seat, region_of(unit, tables), bill, f"VOTE {bill}"
        )
        alike.setdefault(choice, []).append(unit)
    for choice, units in alike.items():
        if choice == "ABSTAIN":
            yield _event(seat, "abstains", "R10", units=units, bill=bill, whole=len(alike) == 1)
        else:
            yield _event(seat, "stands", "H9", units=units, bill=bill, choice=choice)


def _list(state: State, tables: Tables, seat: str, standing: Standing) -> Iterator[Event]:
    given = standing.values()
    if seat in state.sealed:
        sealed = without_expelled(state, tables, seat, given, state.sealed[seat])
        yield _event(seat, "sealed_list", "R20", districts=spans(sealed, tables))
        return
    held = without_expelled(state, tables, seat, given, default_list(state, tables, seat))
    if held:
        wanted = [d for d in held if d not in state.announced.get(seat, ())]
        fees = len(wanted) * tables.figures["filing_fee"]
        told = {"districts": spans(held, tables), "fees": fees}
        yield _event(seat, "put_up_again", "R28", **told, short=fees > state.accounts.balance(seat))
    else:
        yield _event(seat, "nobody_put_up", "R28")
