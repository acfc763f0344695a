"""A period of the session, to the next phase: Program, Budget, votes, records, orders kept
(sections 3 to 6, 8.1-8.3, R7, R8, house rule 9)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.frame.events import Minutes, Orders
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import (
    ELECTION,
    Division,
    ItemVote,
    Line,
    Program,
    State,
    Tables,
    limit,
    members,
)
from pbem.games.parlement_1968.steps import formation, house, lists
from pbem.orders.order import Order


def missing(
    state: State, tables: Tables, orders: Orders, bill: str | None = None, item: str | None = None
) -> list[str]:
    """Return ministries without approval; own ones imply it (R7), vacant ones cannot (R2)."""
    premier = house.ministry(state, tables.premier)
    slot = f"APPROVE BILL {bill}" if bill else f"APPROVE {item}".upper()
    wanting = []
    for office in house.offices_for(tables, bill, item):
        party = house.ministry(state, office)
        order = orders.get(party, {}).get(slot)
        given = isinstance(order, o.Approve) and order.level == "L"
        if not party or (party != premier and not given):
            wanting.append(tables.offices[office].name)
    return wanting


def adopt(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Adopt what is approved; without Program, Budget H and no bills (4.1-4.4, R7)."""
    order = orders.get(house.ministry(state, tables.premier), {}).get("PROGRAM")
    due = not state.budget_passed
    if not isinstance(order, o.Propose):
        order = o.Propose((), ())
        minutes.public("no_program", "R7", budget=due)
    high = dict.fromkeys(tables.items, "H")
    levels, dropped = _levels(state, tables, orders, high, order.levels if due else ())
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
    state: State, tables: Tables, orders: Orders, program: Program, minutes: Minutes
) -> Program:
    """Change a defeated Budget; newly low items need approval (5.7, R8)."""
    order = orders.get(house.ministry(state, tables.premier), {}).get("PROGRAM")
    if not isinstance(order, o.Propose) or not state.government:
        return program
    before = {item: program.levels[item] for item in tables.items}
    levels, dropped = _levels(state, tables, orders, before, order.levels)
    minutes.public("resubmitted", "5.7", levels=levels)
    if dropped:
        minutes.public("dropped", "R7", dropped=dropped)
    return replace(program, levels=levels)


def _levels(
    state: State,
    tables: Tables,
    orders: Orders,
    before: Mapping[str, str],
    asked: Iterable[tuple[str, str]],
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the levels, and the newly low ones that lack approval."""
    levels, dropped = dict(before), list[dict[str, Any]]()
    for item, level in asked:
        low = level == "L" and levels[item] != "L"
        if wanting := missing(state, tables, orders, item=item) if low else []:
            dropped.append({"item": f"{item} L", "wanting": wanting})
        elif level in ("H", "L"):
            levels[item] = level
    return levels, dropped


def standing_key(item: str, region: str | None = None) -> str:
    """Return "8/Eas", "Def/Eas"; "8/" for the whole party."""
    return f"{item}/{region or ''}"


def ballot(state: State, orders: Orders, seat: str, region: str, item: str, slot: str) -> str:
    """Return the period's ballot, else the standing vote, else abstention (R10, house rule 9)."""
    order = orders.get(seat, {}).get(f"{slot} {region.upper()}")
    if isinstance(order, o.Vote):
        return order.choices[0][1]
    if isinstance(order, o.VoteBudget):
        given = dict(order.groups[0][1]).get(item)
        if given is not None:
            return given
    on_file = state.standing.get(seat, {})
    return on_file.get(standing_key(item, region), on_file.get(standing_key(item), "ABSTAIN"))


def _ballots(
    state: State, tables: Tables, orders: Orders, item: str, slot: str, stands: Mapping[str, str]
) -> dict[str, str]:
    """5.5: independents vote as their bloc stands."""
    votes = {}
    for unit in house.factions(state, tables):
        if house.is_independent(unit):
            stand = stands[house.party_of(unit)[4:]][0]
            votes[unit] = {"Y": "YES", "N": "NO"}.get(stand, stand)
        else:
            votes[unit] = ballot(
                state, orders, house.party_of(unit), house.region_of(unit, tables), item, slot
            )
    return votes


def vote_bill(
    state: State, tables: Tables, orders: Orders, bill: str, minutes: Minutes
) -> tuple[State, bool]:
    """Vote on a bill (5.2-5.6, 6.1-6.4, 6.7). Return whether it passed."""
    stands, sizes = tables.bills[bill].stands, house.factions(state, tables)
    votes = _ballots(state, tables, orders, bill, f"VOTE {bill}", stands)
    yes, no, abstain = (
        sum(sizes[u] for u, v in votes.items() if v == word) for word in ("YES", "NO", "ABSTAIN")
    )
    passed = _passes(tables, yes, no)
    balance = _balance_of_power(tables, votes, sizes, yes, no) if passed else frozenset()
    sheets = dict(state.sheets)
    for unit, voted in votes.items():
        gained = _points(stands, voted, party_of_power(unit) in balance)
        sheets[unit] = {**sheets.get(unit, {}), f"bill {bill}": Line(voted, gained)}
    counted = state.counted + (bill not in state.bills)
    minutes.public(
        "bill_vote",
        "5.6",
        bill=bill,
        yes=yes,
        no=no,
        abstain=abstain,
        passed=passed,
        again=state.program is not None and state.program.again,
        votes=votes,
        sizes=sizes,
        balance=sorted(balance),
        quorum=yes + no >= tables.quorum,
    )
    division = Division(yes, no, abstain, passed)
    return replace(
        state, sheets=sheets, counted=counted, bills={**state.bills, bill: division}
    ), passed


def _passes(tables: Tables, for_it: int, against: int) -> bool:
    """5.6."""
    return for_it > against and for_it + against >= tables.quorum


def party_of_power(unit: str) -> str:
    """Return the party for 6.2; an independent is their own (6.4)."""
    return unit if house.is_independent(unit) else house.party_of(unit)


def _balance_of_power(
    tables: Tables, votes: Mapping[str, str], sizes: Mapping[str, int], yes: int, no: int
) -> frozenset[str]:
    """6.2."""
    given: dict[str, int] = {}
    for unit, voted in votes.items():
        if voted == "YES":
            given[party_of_power(unit)] = given.get(party_of_power(unit), 0) + sizes[unit]
    return frozenset(party for party, n in given.items() if not _passes(tables, yes - n, no))


def _points(stands: Mapping[str, str], voted: str, bonus: bool) -> dict[str, int]:
    """6.1-6.3."""
    more = bonus and voted == "YES"
    return {bloc: n + more for bloc, n in right_vote(stands, voted).items()}


def right_vote(stands: Mapping[str, str], voted: str) -> dict[str, int]:
    """Return points by bloc before any bonus (6.1, 6.3)."""
    return {
        bloc: 1 + stand.endswith("!")
        for bloc, stand in stands.items()
        if voted in ("YES", "NO") and stand[0] == voted[0]
    }


def vote_budget(
    state: State, tables: Tables, orders: Orders, levels: Mapping[str, str], minutes: Minutes
) -> tuple[State, bool]:
    """Vote on the Budget; every level must pass (5.3, 5.6, 5.7, R10)."""
    sizes, result = house.factions(state, tables), dict[str, ItemVote]()
    sheets = {unit: dict(sheet) for unit, sheet in state.sheets.items()}
    votes: dict[str, dict[str, str]] = {}
    for item, entry in tables.items.items():
        cast = _ballots(state, tables, orders, item, "VOTE BUDGET", entry.stands)
        high, low = (sum(sizes[u] for u, v in cast.items() if v == level) for level in ("H", "L"))
        mine, other = (high, low) if levels[item] == "H" else (low, high)
        result[item] = ItemVote(high, low, levels[item], _passes(tables, mine, other))
        for unit, voted in cast.items():
            gained = {bloc: 1 for bloc, stand in entry.stands.items() if voted == stand}
            sheets.setdefault(unit, {})[f"{state.year} {item}"] = Line(voted, gained)
            votes.setdefault(unit, {})[item] = voted
    passed = all(item.passed for item in result.values())
    first = state.budget_year != state.year
    minutes.public(
        "budget_vote",
        "5.7" if not passed else "5.6",
        year=state.year,
        passed=passed,
        again=not first,
        votes=votes,
        items={
            key: {"H": v.high, "L": v.low, "level": v.level, "passed": v.passed}
            for key, v in result.items()
        },
        failed=[key for key, v in result.items() if not v.passed],
    )
    counted = state.counted + (tables.figures["budget_weight"] if first else 0)
    return replace(
        state,
        sheets=sheets,
        budget=result,
        budget_year=state.year,
        counted=counted,
        budget_passed=passed,
    ), passed


def form(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Run a period of the interregnum to the first complete Government (R1)."""
    state = formation.register_all(state, tables, orders, minutes)
    ready = formation.complete(state, tables)
    if not ready:
        state = lists.settle_payments(state, orders, minutes, held=True)
        state = lists.announce(state, tables, orders, minutes)
        minutes.public("progress", "R1", attempts=formation.report(state, tables))
        if not formation.caretaker_due(state):  # by mail its days are told before
            state = formation.days_pass(state, formation.REPORT_DAYS)
        return _caretaker(state, tables, minutes) if formation.caretaker_due(state) else state
    proposal = next(p for p in state.proposals if p.number == ready[0].number)
    behind = house.supporters(state, tables, proposal.officers.values(), proposal.endorsers)
    minutes.public(
        "installed",
        "3.3",
        number=proposal.number,
        support=behind,
        total=sum(behind.values()),
        officers={office.name: proposal.officers[key] for key, office in tables.offices.items()},
    )
    state = lists.settle_payments(state, orders, minutes)
    state = lists.announce(state, tables, orders, minutes)
    state = replace(state, government=dict(proposal.officers), proposals=(), formation_days=0)
    if not state.paid:
        state = lists.pay_ministers(state, tables, minutes)
    return _succeed(state, tables, minutes)


def _succeed(state: State, tables: Tables, minutes: Minutes) -> State:
    """Go on voting if every ministry keeps its faction; else a new Program (4.1, 4.5, R9)."""
    assert state.government is not None
    if state.program is not None and state.former == house.makeup(tables, state.government):
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
    if state.budget_passed:
        return _open_lists(state, tables, minutes)
    return replace(state, phase="budget")


def sit(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Run a period in the rulings' order, then the next phase."""
    before = state
    state, felled = _vote(state, tables, orders, minutes)
    state = resign(state, tables, orders, minutes)
    resigned = state.government is not None and not state.government[tables.premier]
    if state.phase != "candidates":
        for seat, order in o.sent(orders, state.seats, o.Expel):  # 1.8, R16
            faction = f"{seat}-{tables.region_named(order.faction)}"
            state = formation.expel(state, tables, faction, minutes)
        felled = felled or (state.government is not None and not state.government[tables.premier])
    state = _reshuffle(state, tables, orders, minutes)
    state = _call(state, before, tables, orders, minutes)
    felled = felled and before.government is not None
    if felled:
        state = _fall(state, before, tables, minutes, resigned)
    elif state.phase == "program":
        state = adopt(state, tables, orders, minutes)
    state = lists.settle_payments(state, orders, minutes)
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
    premier = (house.ministry(state, tables.premier),)
    resigning = any(x.office == tables.premier for _, x in o.sent(orders, premier, o.Resign))
    if program.again and resigning:
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


def resign(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Empty the offices of those who resign (3.7, R4, R5)."""
    government = dict(state.government or {})
    for seat, order in o.sent(orders, state.seats, o.Resign):
        if house.officer(government.get(order.office, ""))[0] == seat:
            fell = "3.7" if order.office == tables.premier else "R4"
            minutes.public(
                "resigned",
                "R5" if state.phase in ELECTION else fell,
                party=seat,
                office=tables.offices[order.office].name,
                member=government[order.office],
            )
            government[order.office] = ""
    return replace(state, government=government) if state.government else state


def _reshuffle(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """3.8, R3."""
    if state.government is None:
        return state
    premier, government = house.ministry(state, tables.premier), dict(state.government)
    held = members(state)
    for _, order in o.sent(orders, (premier,), o.Reshuffle):
        if order.consent:
            continue
        wanted = f"{order.party} {order.district}"
        asked = {order.party, house.officer(government[order.office])[0]} - {premier, ""}
        consented = {
            seat
            for seat, x in o.sent(orders, asked, o.Reshuffle)
            if x.consent and replace(x, consent=False) == order
        }
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


def _call(state: State, before: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """8.1, R12. In the last bill's vote it is for next year."""
    sent = orders.get(house.ministry(before, tables.premier), {})
    if "CALL ELECTION" not in sent or before.call_year or before.phase == "candidates":
        return state
    late = before.phase == "bill" and before.program is not None and len(before.program.agenda) == 1
    year = before.year + late
    minutes.public(
        "called", "8.1", party=house.ministry(before, tables.premier), late=late, year=year
    )
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
        former=house.makeup(tables, before.government),
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
    return lists.pay_ministers(state, tables, minutes)


def _open_lists(state: State, tables: Tables, minutes: Minutes) -> State:
    """7.3, 7.4, R22."""
    if state.year >= tables.figures["session_years"] and not state.call_year:
        minutes.public("five_years", "8.2", years=state.year)
    return lists.pay_before_election(replace(state, phase="candidates"), tables, minutes)


@dataclass(frozen=True, slots=True)
class Request:
    """What a party has not said, and what its records suggest."""

    bills: tuple[str, ...]
    budget: bool
    orders: tuple[str, ...]


def request(state: State, tables: Tables, seat: str) -> Request | None:
    """Return what is asked now; None if nothing is."""
    sizes = house.own_factions(state, tables, seat)
    if state.over or state.counted or state.phase not in ("formation", "program") or not sizes:
        return None
    bills = tuple(key for key in tables.bills if not _on_file(state, seat, key, sizes))
    budget = not state.budget_passed and not all(
        _on_file(state, seat, item, sizes) for item in tables.items
    )
    if not bills and not budget:
        return None
    orders = [line for key in bills for line in _bill(state, tables, sizes, key)]
    orders += _budget(state, tables, sizes) if budget else []
    return Request(bills, budget, tuple(orders))


def _on_file(state: State, seat: str, line: str, sizes: Mapping[str, int]) -> bool:
    filed = state.standing.get(seat, {})
    regions = [unit.partition("-")[2] for unit in sizes]
    return standing_key(line) in filed or all(standing_key(line, r) in filed for r in regions)


def _bill(state: State, tables: Tables, sizes: Mapping[str, int], key: str) -> list[str]:
    stands = tables.bills[key].stands
    wish = {unit: _choice(state, tables, unit, stands, "Y", ("YES", "NO")) for unit in sizes}
    return _standing_votes(key, wish, sizes)


def _budget(state: State, tables: Tables, sizes: Mapping[str, int]) -> list[str]:
    wish = {
        unit: ", ".join(
            f"{item.upper()} {_choice(state, tables, unit, one.stands, 'H', ('H', 'L'))}"
            for item, one in tables.items.items()
        )
        for unit in sizes
    }
    return _standing_votes("BUDGET", wish, sizes)


def _standing_votes(what: str, wish: Mapping[str, str], sizes: Mapping[str, int]) -> list[str]:
    """Return the party's vote, as most of its members wish, and those of other factions."""
    behind = Counter[str]()
    for unit, said in wish.items():
        behind[said] += sizes[unit]
    usual = max(behind, key=behind.__getitem__)
    return [f"STANDING VOTE {what} {usual}"] + [
        f"STANDING VOTE {what} {unit.partition('-')[2].upper()} {said}"
        for unit, said in wish.items()
        if said != usual
    ]


def _choice(
    state: State,
    tables: Tables,
    unit: str,
    stands: Mapping[str, str],
    first: str,
    words: tuple[str, str],
) -> str:
    """Return the side of the blocs with more points; "!" counts twice."""
    weight = 0
    for bloc, n in house.points(state, tables, unit).items():
        worth = n * (2 if stands[bloc].endswith("!") else 1)
        weight += worth if stands[bloc].startswith(first) else -worth
    return words[0] if weight > 0 else words[1] if weight < 0 else "ABSTAIN"


def keep_on_file(state: State, tables: Tables, orders: Orders) -> State:
    """File standing votes (house rule 9) and early lists (R20)."""
    votes = {seat: dict(on_file) for seat, on_file in state.standing.items()}
    sealed, designated = dict(state.sealed), {seat: dict(r) for seat, r in state.designated.items()}
    for seat, standing in orders.items():
        for order in standing.values():
            match order:
                case o.Vote(standing=True) | o.VoteBudget(standing=True):
                    _file(votes.setdefault(seat, {}), tables, order)
                case o.Candidates() if state.phase != "candidates":
                    sealed[seat] = order.districts
                case o.Record() if state.phase != "candidates":
                    designated.setdefault(seat, {})[tables.region_named(order.region)] = (
                        tables.region_named(order.source)
                    )
    kept = {seat: on_file for seat, on_file in votes.items() if on_file}
    return replace(state, standing=kept, sealed=sealed, designated=designated)


def on_file(state: State, tables: Tables, seat: str) -> list[str]:
    """Return what is on file, as orders."""
    levels, found = dict[str, list[tuple[str, str]]](), list[Order]()
    for key, choice in state.standing.get(seat, {}).items():
        item, _, region = key.partition("/")
        if item in tables.items:
            levels.setdefault(region.upper(), []).append((item, choice))
        else:
            found.append(o.Vote(item, ((region.upper(), choice),), standing=True))
    found += (o.VoteBudget(((one, tuple(at)),), standing=True) for one, at in levels.items())
    if seat in state.sealed:
        found.append(o.Candidates(state.sealed[seat]))
    borrowed = state.designated.get(seat, {})
    found += (o.Record(one.upper(), source.upper()) for one, source in borrowed.items())
    return list(map(str, found))


def _file(on_file: dict[str, str], tables: Tables, order: o.Vote | o.VoteBudget) -> None:
    """NONE ends a standing vote."""
    if isinstance(order, o.Vote):
        word, choice = order.choices[0]
        given = {order.bill: "" if choice == "NONE" else choice}
    else:
        word, levels = order.groups[0]
        given = {item: dict(levels).get(item, "") for item in tables.items}
    for item, choice in given.items():
        key = standing_key(item, tables.region_named(word))
        on_file.pop(key, None)
        if choice:
            on_file[key] = choice
