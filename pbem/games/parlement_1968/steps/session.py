"""A period of the session, to the next phase: Program, Budget, votes, records, orders kept
(sections 3 to 6, 8.1-8.3, R7, R8, house rule 9)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pbem.games.frame.events import Orders
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import formation, lists
from pbem.games.parlement_1968.steps.house import (
    House,
    Period,
    is_independent,
    of_power,
    officer,
    party_of,
)
from pbem.orders.order import Order


def _missing(at: Period, bill: str | None = None, item: str | None = None) -> list[str]:
    """Return ministries without approval; own ones imply it (R7), vacant ones cannot (R2)."""
    slot = f"APPROVE BILL {bill}" if bill else f"APPROVE {item}".upper()
    wanting = []
    for office in at.offices_for(bill, item):
        party = at.ministry(office)
        order = at.orders.get(party, {}).get(slot)
        given = isinstance(order, o.Approve) and order.level == "L"
        if not party or (party != at.premier and not given):
            wanting.append(at.tables.offices[office].name)
    return wanting


def adopt(at: Period) -> None:
    """Adopt what is approved; without s.Program, Budget H and no bills (4.1-4.4, R7)."""
    order = at.orders.get(at.premier, {}).get("PROGRAM")
    due = not at.state.budget_passed
    if not isinstance(order, o.Propose):
        order = o.Propose((), ())
        at.minutes.public("no_program", "R7", budget=due)
    high = dict.fromkeys(at.tables.items, "H")
    levels, dropped = _levels(at, high, order.levels if due else ())
    agenda: list[str] = []
    struck: list[str] = []
    for bill in order.bills:
        if at.state.has_passed(bill) or bill in agenda or bill not in at.tables.bills:
            struck.append(bill)
        elif wanting := _missing(at, bill=bill):
            dropped.append({"item": f"bill {bill}", "wanting": wanting})
        else:
            agenda.append(bill)
    told = {"budget": due, "levels": levels, "bills": agenda, "struck": struck}
    at.minutes.public("program", "4.1", year=at.state.year, **told)
    if dropped:
        at.minutes.public("dropped", "R7", dropped=dropped)
    at.state = replace(at.state, program=s.Program(levels, tuple(agenda), False))


def _resubmit(at: Period, program: s.Program) -> s.Program:
    """Change a defeated Budget; newly low items need approval (5.7, R8)."""
    order = at.orders.get(at.premier, {}).get("PROGRAM")
    if not isinstance(order, o.Propose) or not at.state.government:
        return program
    before = {item: program.levels[item] for item in at.tables.items}
    levels, dropped = _levels(at, before, order.levels)
    at.minutes.public("resubmitted", "5.7", levels=levels)
    if dropped:
        at.minutes.public("dropped", "R7", dropped=dropped)
    return replace(program, levels=levels)


def _levels(
    at: Period, before: Mapping[str, str], asked: Iterable[tuple[str, str]]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the levels, and the newly low ones that lack approval."""
    levels, dropped = dict(before), list[dict[str, Any]]()
    for item, level in asked:
        low = level == "L" and levels[item] != "L"
        if wanting := _missing(at, item=item) if low else []:
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


def _ballots(at: Period, item: str, slot: str, stands: Mapping[str, str]) -> dict[str, str]:
    """5.5: independents vote as their bloc stands."""
    votes = {}
    for unit in at.factions():
        party = party_of(unit)
        if is_independent(unit):
            stand = stands[party[4:]][0]
            votes[unit] = {"Y": "YES", "N": "NO"}.get(stand, stand)
        else:
            votes[unit] = ballot(at.state, at.orders, party, at.region_of(unit), item, slot)
    return votes


def vote_bill(at: Period, bill: str) -> bool:
    """Vote on a bill (5.2-5.6, 6.1-6.4, 6.7). Return whether it passed."""
    state, stands, sizes = at.state, at.tables.bills[bill].stands, at.factions()
    votes = _ballots(at, bill, f"VOTE {bill}", stands)
    yes, no, abstain = (
        sum(sizes[u] for u, v in votes.items() if v == word) for word in ("YES", "NO", "ABSTAIN")
    )
    passed = _passes(at.tables, yes, no)
    balance = _balanceof_power(at.tables, votes, sizes, yes, no) if passed else frozenset()
    sheets = dict(state.sheets)
    for unit, voted in votes.items():
        more = voted == "YES" and of_power(unit) in balance  # 6.2
        gained = {bloc: n + more for bloc, n in right_vote(stands, voted).items()}
        sheets[unit] = {**sheets.get(unit, {}), f"bill {bill}": s.Line(voted, gained)}
    division = s.Division(yes, no, abstain, passed)
    at.minutes.public(
        "bill_vote",
        "5.6",
        bill=bill,
        **asdict(division),
        again=state.program is not None and state.program.again,
        votes=votes,
        sizes=sizes,
        balance=sorted(balance),
        quorum=yes + no >= at.tables.quorum,
    )
    counted = state.counted + (bill not in state.bills)
    bills = {**state.bills, bill: division}
    at.state = replace(state, sheets=sheets, counted=counted, bills=bills)
    return passed


def _passes(tables: Tables, for_it: int, against: int) -> bool:
    """5.6."""
    return for_it > against and for_it + against >= tables.quorum


def _balanceof_power(
    tables: Tables, votes: Mapping[str, str], sizes: Mapping[str, int], yes: int, no: int
) -> frozenset[str]:
    """6.2."""
    given = Counter[str]()
    for unit, voted in votes.items():
        if voted == "YES":
            given[of_power(unit)] += sizes[unit]
    return frozenset(party for party, n in given.items() if not _passes(tables, yes - n, no))


def right_vote(stands: Mapping[str, str], voted: str) -> dict[str, int]:
    """Return points by bloc before any bonus (6.1, 6.3)."""
    return {
        bloc: 1 + stand.endswith("!")
        for bloc, stand in stands.items()
        if voted in ("YES", "NO") and stand[0] == voted[0]
    }


def vote_budget(at: Period, levels: Mapping[str, str]) -> bool:
    """Vote on the Budget; every level must pass (5.3, 5.6, 5.7, R10)."""
    state, sizes, result = at.state, at.factions(), dict[str, s.ItemVote]()
    sheets = {unit: dict(sheet) for unit, sheet in state.sheets.items()}
    votes: dict[str, dict[str, str]] = {}
    for item, entry in at.tables.items.items():
        cast = _ballots(at, item, "VOTE BUDGET", entry.stands)
        high, low = (sum(sizes[u] for u, v in cast.items() if v == level) for level in ("H", "L"))
        mine, other = (high, low) if levels[item] == "H" else (low, high)
        result[item] = s.ItemVote(high, low, levels[item], _passes(at.tables, mine, other))
        for unit, voted in cast.items():
            gained = {bloc: 1 for bloc, stand in entry.stands.items() if voted == stand}
            sheets.setdefault(unit, {})[f"{state.year} {item}"] = s.Line(voted, gained)
            votes.setdefault(unit, {})[item] = voted
    failed = [key for key, v in result.items() if not v.passed]
    first = state.budget_year != state.year
    at.minutes.public(
        "budget_vote",
        "5.7" if failed else "5.6",
        year=state.year,
        passed=not failed,
        again=not first,
        votes=votes,
        items={key: vote.json() for key, vote in result.items()},
        failed=failed,
    )
    at.state = replace(
        state,
        sheets=sheets,
        budget=result,
        budget_year=state.year,
        counted=state.counted + (at.tables.figures["budget_weight"] if first else 0),
        budget_passed=not failed,
    )
    return not failed


def form(at: Period) -> None:
    """Run a period of the interregnum to the first complete Government (R1)."""
    given = [seat for seat in at.state.seats if seat in at.orders]
    for seat in given:  # all proposals in seat order, then signatures and expulsions
        formation.propose(at, seat)
    for seat in given:
        at.state, events = formation.register(at, seat, at.orders[seat])
        at.minutes.events.extend(events)
    proposal = next(filter(at.ready, at.state.proposals), None)
    if proposal is None:
        lists.settle_payments(at, held=True)
        lists.announce(at)
        at.minutes.public("progress", "R1", attempts=formation.report(at))
        if not formation.caretaker_due(at.state):  # by mail its days are told before
            at.state = formation.days_pass(at.state, formation.REPORT_DAYS)
        if formation.caretaker_due(at.state):
            _caretaker(at)
        return
    behind = at.supporters(proposal.officers.values(), proposal.endorsers)
    at.minutes.public(
        "installed",
        "3.3",
        number=proposal.number,
        support=behind,
        total=sum(behind.values()),
        officers={office.name: proposal.officers[key] for key, office in at.tables.offices.items()},
    )
    lists.settle_payments(at)
    lists.announce(at)
    government = dict(proposal.officers)
    at.state = replace(at.state, government=government, proposals=(), formation_days=0)
    if not at.state.paid:
        lists.pay_ministers(at)
    program = at.state.program
    if program is None or at.state.former != at.makeup(government):
        at.state = replace(at.state, phase="program", program=None)
        return
    # every ministry keeps its faction: voting goes on (4.1, 4.5, R9)
    told = {"bills": list(program.agenda), "budget": not at.state.budget_passed}
    at.minutes.public("resumes", "4.5", **told)
    proceed(at)


def _caretaker(at: Period) -> None:
    """Vote once on the budget without Government, then elect (R31)."""
    state, due = at.state, not at.state.budget_passed
    at.minutes.public("caretaker", "R31", days=state.formation_days, budget=due)
    program = s.Program(dict.fromkeys(at.tables.items, "H"), (), False)
    at.state = replace(state, phase="budget", proposals=(), caretaker=True, program=program)
    if not due:
        _open_lists(at)


def sit(at: Period) -> None:
    """Run a period in the rulings' order, then the next phase."""
    before = at.state
    felled = _vote(at)
    resign(at)
    resigned = _is_headless(at)
    if at.state.phase != "candidates":
        for seat, order in at.sent(at.state.seats, o.Expel):  # 1.8, R16
            formation.expel(at, at.unit(seat, order.faction))
        felled = felled or _is_headless(at)
    _reshuffle(at)
    _call(at, before)
    felled = felled and before.government is not None
    if felled:
        _fall(at, before, resigned)
    elif at.state.phase == "program":
        adopt(at)
    lists.settle_payments(at)
    lists.announce(at)
    if at.state.phase == "candidates":
        lists.close_lists(at)
    else:
        _next(at, felled)


def _is_headless(at: House) -> bool:
    return at.state.government is not None and not at.premier


def _vote(at: Period) -> bool:
    """5.1-5.8. Return whether the Government fell."""
    program = at.state.program
    if at.state.phase == "budget":
        assert program is not None
        if program.again:
            program = _resubmit(at, program)
        at.state = replace(at.state, program=program)
        passed = vote_budget(at, program.levels)
        defeats = at.state.budget_defeats + (not passed)
        program = replace(program, again=not passed)
        at.state = replace(at.state, program=program, budget_defeats=defeats)
        if passed or at.state.caretaker or not _in_crisis(at.state):
            return False
        at.minutes.public("budget_fall", "R31", defeats=defeats)
        return True
    if program is None or not program.agenda or at.state.phase not in ("bill", "candidates"):
        return False
    bill, done = program.agenda[0], s.Program(program.levels, program.agenda[1:], False)
    resigning = any(x.office == at.tables.premier for _, x in at.sent((at.premier,), o.Resign))
    if program.again and resigning:
        at.minutes.public("not_put", "R4", bill=bill)
        at.state = replace(at.state, program=done)
        return False
    passed = vote_bill(at, bill)
    if passed or program.again or at.state.phase == "candidates":
        if not (passed or program.again):
            at.minutes.public("lapses", "R11", bill=bill)
        at.state = replace(at.state, program=done)
        return program.again and not passed
    at.minutes.public("put_again", "5.8", bill=bill)
    at.state = replace(at.state, program=replace(program, again=True))
    return False


def _in_crisis(state: State) -> bool:
    """Return whether defeats of the Budget bring down the Government (R31)."""
    return 0 < s.limit(state, "budget_defeats_fall") <= state.budget_defeats


def resign(at: Period) -> None:
    """Empty the offices of those who resign (3.7, R4, R5)."""
    if not at.state.government:
        return
    government = dict(at.state.government)
    for seat, order in at.sent(at.state.seats, o.Resign):
        if officer(government.get(order.office, ""))[0] == seat:
            fell = "3.7" if order.office == at.tables.premier else "R4"
            at.minutes.public(
                "resigned",
                "R5" if at.state.phase in s.ELECTION else fell,
                party=seat,
                office=at.tables.offices[order.office].name,
                member=government[order.office],
            )
            government[order.office] = ""
    at.state = replace(at.state, government=government)


def _reshuffle(at: Period) -> None:
    """3.8, R3."""
    if at.state.government is None:
        return
    premier, government, held = at.premier, dict(at.state.government), s.members(at.state)
    for _, order in at.sent((premier,), o.Reshuffle):
        if order.consent:
            continue
        wanted = f"{order.party} {order.district}"
        asked = {order.party, officer(government[order.office])[0]} - {premier, ""}
        consented = {
            seat
            for seat, x in at.sent(asked, o.Reshuffle)
            if x.consent and replace(x, consent=False) == order
        }
        sits = held.get(order.district) == order.party
        done = consented == asked and sits and order.office != at.tables.premier
        at.minutes.public(
            "reshuffle",
            "3.8",
            office=at.tables.offices[order.office].name,
            member=wanted,
            done=done,
            before=government[order.office],
            missing=sorted(asked - consented),
        )
        if done:
            government[order.office] = wanted
    at.state = replace(at.state, government=government)


def _call(at: Period, before: State) -> None:
    """8.1, R12. In the last bill's vote it is for next year."""
    premier = House(before, at.tables).premier
    called = "CALL ELECTION" in at.orders.get(premier, {})
    if not called or before.call_year or before.phase == "candidates":
        return
    late = before.phase == "bill" and before.program is not None and len(before.program.agenda) == 1
    year = before.year + late
    at.minutes.public("called", "8.1", party=premier, late=late, year=year)
    at.state = replace(at.state, call_year=year)


def _fall(at: Period, before: State, resigned: bool) -> None:
    """3.7, R5, R6. A second fall in a year leads to an election (8.3)."""
    assert before.government is not None
    falls, premier = at.state.falls + 1, before.government[at.tables.premier]
    at.minutes.public("fall", "3.7", premier=premier, resigned=resigned, falls=falls)
    program = at.state.program
    if program is not None and resigned and program.again and before.phase == "bill":
        program = s.Program(program.levels, program.agenda[1:], False)
    former = at.makeup(before.government)
    at.state = replace(at.state, government=None, former=former, falls=falls, program=program)


def _next(at: Period, felled: bool) -> None:
    state = at.state
    twice = state.falls >= 2
    if felled and (twice or (_in_crisis(state) and not state.budget_passed)):
        at.minutes.public("election_due", "8.3" if twice else "R31", falls=state.falls)
        at.state = replace(state, program=state.program and replace(state.program, agenda=()))
        _open_lists(at)
    elif felled:
        at.state = replace(state, phase="formation", proposals=(), formation_days=0)
    elif state.caretaker:
        _open_lists(at)
    else:
        proceed(at)


def proceed(at: Period) -> None:
    """Go on to the Budget, the bills, then next year or the lists (5.1, R12)."""
    program, called, year = at.state.program, at.state.call_year, at.state.year
    ends = 0 < called <= year or year >= at.tables.figures["session_years"]  # 8.1, 8.2, R13
    if program is None:
        at.state = replace(at.state, phase="program")
    elif not at.state.budget_passed:
        at.state = replace(at.state, phase="budget")
    elif ends and (not program.agenda or (len(program.agenda) == 1 and not program.again)):
        _open_lists(at)
    elif program.agenda:
        at.state = replace(at.state, phase="bill")
    else:
        at.state = replace(
            at.state,
            phase="program",
            year=at.state.year + 1,
            program=None,
            former=None,
            budget_passed=False,
            budget_defeats=0,
            falls=0,
            paid=False,
        )
        at.minutes.public("year", "2.1", year=at.state.year, session=at.state.session)
        lists.pay_ministers(at)


def _open_lists(at: Period) -> None:
    """7.3, 7.4, R22."""
    if at.state.year >= at.tables.figures["session_years"] and not at.state.call_year:
        at.minutes.public("five_years", "8.2", years=at.state.year)
    at.state = replace(at.state, phase="candidates")
    lists.pay_before_election(at)


@dataclass(frozen=True, slots=True)
class Request:
    """What a party has not said, and what its records suggest."""

    bills: tuple[str, ...]
    budget: bool
    orders: tuple[str, ...]


def request(house: House, seat: str) -> Request | None:
    """Return what is asked now; None if nothing is."""
    state, sizes = house.state, house.own_factions(seat)
    if state.over or state.counted or state.phase not in ("formation", "program") or not sizes:
        return None
    bills = [key for key in house.tables.bills if not _on_file(state, seat, key, sizes)]
    budget = not state.budget_passed and not all(
        _on_file(state, seat, item, sizes) for item in house.tables.items
    )
    if not bills and not budget:
        return None
    orders = [line for key in bills for line in _standing_votes(house, key, sizes)]
    orders += _standing_votes(house, "BUDGET", sizes) if budget else []
    return Request(tuple(bills), budget, tuple(orders))


def _on_file(state: State, seat: str, line: str, sizes: Mapping[str, int]) -> bool:
    filed = state.standing.get(seat, {})
    regions = [unit.partition("-")[2] for unit in sizes]
    return standing_key(line) in filed or all(standing_key(line, r) in filed for r in regions)


def _wish(house: House, unit: str, what: str) -> str:
    if what != "BUDGET":
        return _choice(house, unit, house.tables.bills[what].stands, "Y", ("YES", "NO"))
    return ", ".join(
        f"{item.upper()} {_choice(house, unit, one.stands, 'H', ('H', 'L'))}"
        for item, one in house.tables.items.items()
    )


def _standing_votes(house: House, what: str, sizes: Mapping[str, int]) -> list[str]:
    """Return the party's vote, as most of its members wish, and those of other factions."""
    wish, behind = {unit: _wish(house, unit, what) for unit in sizes}, Counter[str]()
    for unit, said in wish.items():
        behind[said] += sizes[unit]
    usual = max(behind, key=behind.__getitem__)
    return [f"STANDING VOTE {what} {usual}"] + [
        f"STANDING VOTE {what} {unit.partition('-')[2].upper()} {said}"
        for unit, said in wish.items()
        if said != usual
    ]


def _choice(
    house: House, unit: str, stands: Mapping[str, str], first: str, words: tuple[str, str]
) -> str:
    """Return the side of the blocs with more points; "!" counts twice."""
    weight = 0
    for bloc, n in house.points(unit).items():
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
