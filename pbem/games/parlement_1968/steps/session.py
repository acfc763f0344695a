"""A period of the session, to the next phase (sections 3 to 5, 8.1-8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Program, State, limit, members
from pbem.games.parlement_1968.steps import formation, lists
from pbem.games.parlement_1968.steps.house import makeup, ministry, officer, supporters
from pbem.games.parlement_1968.steps.money import (
    pay_before_election,
    pay_ministers,
    settle_payments,
)
from pbem.games.parlement_1968.steps.program import adopt, resubmit
from pbem.games.parlement_1968.steps.voting import vote_bill, vote_budget
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing

Orders = Mapping[str, Standing]


def form(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Run a period of the interregnum to the first complete Government (R1)."""
    state = formation.register_all(state, tables, orders, minutes)
    ready = formation.complete(state, tables)
    if not ready:
        state = settle_payments(state, orders, minutes, held=True)
        state = lists.announce(state, tables, orders, minutes)
        minutes.public("progress", "R1", attempts=formation.report(state, tables))
        if not formation.caretaker_due(state):  # by mail its days are told before
            state = formation.days_pass(state, formation.REPORT_DAYS)
        return _caretaker(state, tables, minutes) if formation.caretaker_due(state) else state
    proposal = next(p for p in state.proposals if p.number == ready[0].number)
    behind = supporters(state, tables, proposal.officers.values(), proposal.endorsers)
    minutes.public(
        "installed",
        "3.3",
        number=proposal.number,
        support=behind,
        total=sum(behind.values()),
        officers={office.name: proposal.officers[key] for key, office in tables.offices.items()},
    )
    state = settle_payments(state, orders, minutes)
    state = lists.announce(state, tables, orders, minutes)
    state = replace(state, government=dict(proposal.officers), proposals=(), formation_days=0)
    if not state.paid:
        state = pay_ministers(state, tables, minutes)
    return _succeed(state, tables, minutes)


def _succeed(state: State, tables: Tables, minutes: Minutes) -> State:
    """Go on voting if every ministry keeps its faction; else a new Program (4.1, 4.5, R9)."""
    assert state.government is not None
    if state.program is not None and state.former == makeup(tables, state.government):
        minutes.public(
            "resumes", "4.5", bills=list(state.program.agenda), budget=not state.budget_passed
        )
        return proceed(state, tables, minutes)
    return replace(state, phase="program", program=None)


def _caretaker(state: State, tables: Tables, minutes: Minutes) -> State:
    """Vote once on the budget without Government, then elect (R31)."""
    minutes.public("caretaker", "R31", days=state.formation_days, budget=not state.budget_passed)
    state = replace(
        state,
        proposals=(),
        caretaker=True,
        program=Program(dict.fromkeys(tables.items, "H"), (), False),
    )
    return (
        _open_lists(state, tables, minutes)
        if state.budget_passed
        else replace(state, phase="budget")
    )


def sit(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Run a period in the rulings' order, then the next phase."""
    before = state
    state, felled = _vote(state, tables, orders, minutes)
    state, resigned = _resign(state, tables, orders, minutes)
    if state.phase != "candidates":
        state = _expel(state, tables, orders, minutes)
        felled = felled or _headless(state, tables)
    state = _reshuffle(state, tables, orders, minutes)
    state = _call(state, before, tables, orders, minutes)
    felled = felled and before.government is not None
    if felled:
        state = _fall(state, before, tables, minutes, resigned)
    elif state.phase == "program":
        state = adopt(state, tables, orders, minutes)
    state = settle_payments(state, orders, minutes)
    state = lists.announce(state, tables, orders, minutes)
    if state.phase == "candidates":
        return lists.close_lists(state, tables, orders, minutes)
    return _next(state, tables, minutes, felled)


def _vote(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> tuple[State, bool]:
    """5.1-5.8. Return whether the Government fell."""
    program = state.program
    if state.phase == "budget":
        assert program is not None
        if program.again:
            program = resubmit(state, tables, orders, program, minutes)
        state, passed = vote_budget(
            replace(state, program=program), tables, orders, program.levels, minutes
        )
        defeats = state.budget_defeats + (not passed)
        state = replace(state, program=replace(program, again=not passed), budget_defeats=defeats)
        if (
            not passed
            and not state.caretaker
            and 0 < limit(state, "budget_defeats_fall") <= defeats
        ):
            minutes.public("budget_fall", "R31", defeats=defeats)
            return state, True
        return state, False
    if program is None or not program.agenda or state.phase not in ("bill", "candidates"):
        return state, False
    bill, rest = program.agenda[0], program.agenda[1:]
    done = Program(program.levels, rest, False)
    if program.again and _resigns(state, tables, orders):
        minutes.public("not_put", "R4", bill=bill)
        return replace(state, program=done), False
    state, passed = vote_bill(state, tables, orders, bill, minutes)
    if passed or program.again:
        return replace(state, program=done), not passed
    if state.phase == "candidates":
        minutes.public("lapses", "R11", bill=bill)
        return replace(state, program=done), False
    minutes.public("put_again", "5.8", bill=bill)
    return replace(state, program=replace(program, again=True)), False


def _resigns(state: State, tables: Tables, orders: Orders) -> bool:
    premier = (ministry(state, tables.premier),)
    return any(order.office == tables.premier for _, order in o.sent(orders, premier, o.Resign))


def _resign(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> tuple[State, bool]:
    """3.7, R4. Return whether the Premier went."""
    if state.government is None:
        return state, False
    government = dict(state.government)
    for seat, order in o.sent(orders, state.seats, o.Resign):
        if officer(government.get(order.office, ""))[0] == seat:
            minutes.public(
                "resigned",
                "3.7" if order.office == tables.premier else "R4",
                party=seat,
                office=tables.offices[order.office].name,
                member=government[order.office],
            )
            government[order.office] = ""
    return replace(state, government=government), not government[tables.premier]


def _expel(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """1.8, R16."""
    for seat, order in o.sent(orders, state.seats, o.Expel):
        faction = f"{seat}-{tables.region_named(order.faction)}"
        state = formation.expel(state, tables, faction, minutes)
    return state


def _headless(state: State, tables: Tables) -> bool:
    return state.government is not None and not state.government[tables.premier]


def _reshuffle(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """3.8, R3."""
    if state.government is None:
        return state
    premier, government = ministry(state, tables.premier), dict(state.government)
    held = members(state)
    for _, order in o.sent(orders, (premier,), o.Reshuffle):
        if order.consent:
            continue
        wanted = f"{order.party} {order.district}"
        asked = {order.party, officer(government[order.office])[0]} - {premier, ""}
        consented = {seat for seat in asked if _consents(orders.get(seat, {}), order)}
        done = (
            consented == asked
            and held.get(order.district) == order.party
            and order.office != tables.premier
        )
        minutes.public(
            "reshuffle",
            "3.8",
            office=tables.offices[order.office].name,
            member=wanted,
            done=done,
            before=government[order.office],
            missing=sorted(asked - consented),
        )
        if done:
            government[order.office] = wanted
    return replace(state, government=government)


def _consents(sent: Standing, order: o.Reshuffle) -> bool:
    return any(
        isinstance(x, o.Reshuffle) and x.consent and replace(x, consent=False) == order
        for x in sent.values()
    )


def _call(state: State, before: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """8.1, R12. In the last bill's vote it is for next year."""
    sent = orders.get(ministry(before, tables.premier), {})
    if "CALL ELECTION" not in sent or before.call_year or before.phase == "candidates":
        return state
    late = before.phase == "bill" and before.program is not None and len(before.program.agenda) == 1
    year = before.year + late
    minutes.public("called", "8.1", party=ministry(before, tables.premier), late=late, year=year)
    return replace(state, call_year=year)


def _fall(state: State, before: State, tables: Tables, minutes: Minutes, resigned: bool) -> State:
    """3.7, R5, R6. A second fall in a year leads to an election (8.3)."""
    assert before.government is not None
    falls = state.falls + 1
    minutes.public(
        "fall", "3.7", premier=before.government[tables.premier], resigned=resigned, falls=falls
    )
    program = state.program
    if program is not None and resigned and program.again and before.phase == "bill":
        program = Program(program.levels, program.agenda[1:], False)
    return replace(
        state,
        government=None,
        former=makeup(tables, before.government),
        falls=falls,
        program=program,
    )


def _next(state: State, tables: Tables, minutes: Minutes, felled: bool) -> State:
    crisis = (
        felled
        and 0 < limit(state, "budget_defeats_fall") <= state.budget_defeats
        and not state.budget_passed
    )
    if felled and (state.falls >= 2 or crisis):
        minutes.public("election_due", "8.3" if state.falls >= 2 else "R31", falls=state.falls)
        program = state.program and replace(state.program, agenda=())
        return _open_lists(replace(state, program=program), tables, minutes)
    if felled:
        return replace(state, phase="formation", proposals=(), formation_days=0)
    if state.caretaker:
        return _open_lists(state, tables, minutes)
    return proceed(state, tables, minutes)


def ending(state: State, tables: Tables) -> bool:
    """Return whether lists are due after this year: called (8.1), or year five (8.2, R13)."""
    return 0 < state.call_year <= state.year or state.year >= tables.figures["session_years"]


def proceed(state: State, tables: Tables, minutes: Minutes) -> State:
    """Go on to the Budget, the bills, then next year or the lists (5.1, R12)."""
    program = state.program
    if program is None:
        return replace(state, phase="program")
    if not state.budget_passed:
        return replace(state, phase="budget")
    if program.agenda:
        last = len(program.agenda) == 1 and not program.again and ending(state, tables)
        return _open_lists(state, tables, minutes) if last else replace(state, phase="bill")
    if ending(state, tables):
        return _open_lists(state, tables, minutes)
    state = replace(
        state,
        phase="program",
        year=state.year + 1,
        program=None,
        former=None,
        budget_passed=False,
        budget_defeats=0,
        falls=0,
        paid=False,
    )
    minutes.public("year", "2.1", year=state.year, session=state.session)
    return pay_ministers(state, tables, minutes)


def _open_lists(state: State, tables: Tables, minutes: Minutes) -> State:
    """7.3, 7.4, R22."""
    if state.year >= tables.figures["session_years"] and not state.call_year:
        minutes.public("five_years", "8.2", years=state.year)
    return pay_before_election(replace(state, phase="candidates"), tables, minutes)
