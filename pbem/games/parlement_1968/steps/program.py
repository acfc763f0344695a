"""The Program's approvals (section 4, R7), and the Budget put again (5.7, R8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Program, State
from pbem.games.parlement_1968.steps.house import ministry, offices_for
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def missing(
    state: State,
    tables: Tables,
    orders: Mapping[str, Standing],
    bill: str | None = None,
    item: str | None = None,
) -> list[str]:
    """Return ministries without approval; own ones imply it (R7), vacant ones cannot (R2)."""
    premier, slot = (
        ministry(state, tables.premier),
        f"APPROVE BILL {bill}" if bill else f"APPROVE {item}".upper(),
    )
    wanting = []
    for office in offices_for(tables, bill, item):
        party = ministry(state, office)
        order = orders.get(party, {}).get(slot)
        given = isinstance(order, o.Approve) and order.level == "L"
        if not party or (party != premier and not given):
            wanting.append(tables.offices[office].name)
    return wanting


def adopt(state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """Adopt what is approved; without Program, Budget H and no bills (4.1-4.4, R7)."""
    order = orders.get(ministry(state, tables.premier), {}).get("PROGRAM")
    due = not state.budget_passed
    if not isinstance(order, o.Propose):
        order = o.Propose((), ())
        minutes.public("no_program", "R7", budget=due)
    levels, dropped = dict.fromkeys(tables.items, "H"), []
    for item, level in order.levels if due else ():
        wanting = missing(state, tables, orders, item=item) if level == "L" else []
        if wanting:
            dropped.append({"item": f"{item} L", "wanting": wanting})
        elif level in ("H", "L"):
            levels[item] = level
    agenda: list[str] = []
    struck: list[str] = []
    for bill in order.bills:
        passed = bill in state.bills and state.bills[bill].passed
        if passed or bill in agenda or bill not in tables.bills:
            struck.append(bill)
        elif wanting := missing(state, tables, orders, bill=bill):
            dropped.append({"item": f"bill {bill}", "wanting": wanting})
        else:
            agenda.append(bill)
    minutes.public(
        "program", "4.1", year=state.year, budget=due, levels=levels, bills=agenda, struck=struck
    )
    if dropped:
        minutes.public("dropped", "R7", dropped=dropped)
    return replace(state, program=Program(levels, tuple(agenda), False))


def resubmit(
    state: State, tables: Tables, orders: Mapping[str, Standing], program: Program, minutes: Minutes
) -> Program:
    """Change a defeated Budget; newly low items need approval (5.7, R8)."""
    order = orders.get(ministry(state, tables.premier), {}).get("PROGRAM")
    if not isinstance(order, o.Propose) or not state.government:
        return program
    levels, dropped = {item: program.levels[item] for item in tables.items}, []
    for item, level in order.levels:
        wanting = (
            missing(state, tables, orders, item=item)
            if level == "L" and levels[item] != "L"
            else []
        )
        if wanting:
            dropped.append({"item": f"{item} L", "wanting": wanting})
        elif level in ("H", "L"):
            levels[item] = level
    minutes.public("resubmitted", "5.7", levels=levels)
    if dropped:
        minutes.public("dropped", "R7", dropped=dropped)
    return replace(program, levels=levels)
