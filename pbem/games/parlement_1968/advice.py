"""What follows from standing orders and from silence, and a form of what can be sent now: all by
what the seat knows (R30)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame.events import Tell
from pbem.games.frame.ruleset import Offer
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import house
from pbem.games.parlement_1968.steps.election import too_poor
from pbem.games.parlement_1968.steps.formation import same
from pbem.games.parlement_1968.steps.lists import default_list, without_expelled
from pbem.games.parlement_1968.steps.session import ballot, keep_on_file, request, right_vote
from pbem.orders.order import Standing

Facts = Iterator[tuple[str, str, Mapping[str, Any]]]
"""Kind, paragraph and data of an event."""


def advice(state: State, seat: str, standing: Standing, tables: Tables) -> Facts:
    given = [
        order
        for order in standing.values()
        if not (isinstance(order, o.Vote | o.VoteBudget) and order.standing)
    ]
    yield from _for_later(tables, seat, standing)
    for found in (_government, _program, _votes, _offices, _lists, _ballot, _money):
        yield from found(state, tables, seat, given)


def _for_later(tables: Tables, seat: str, standing: Standing) -> Facts:
    """Report standing votes (house rule 9) and borrowed records (8.8)."""
    votes: dict[str, dict[str, str]] = {}
    for x in standing.values():
        if isinstance(x, o.Vote) and x.standing:
            votes.setdefault(x.bill, {}).update(x.choices)
    budget = any(isinstance(x, o.VoteBudget) and x.standing for x in standing.values())
    if votes or budget:
        bills = [
            {"bill": bill, "votes": {f: c for f, c in said.items() if not f or c != said.get("")}}
            for bill, said in sorted(votes.items(), key=lambda one: int(one[0]))
        ]
        yield "kept_for_later", "H9", {"bills": bills, "budget": budget}
    for x in standing.values():
        if isinstance(x, o.Record):
            region = tables.region_named(x.region)
            unit = f"{seat}-{tables.region_named(x.source)}"
            yield "runs_on", "8.8", {"region": tables.regions[region], "unit": unit}


def _government(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    """3.3, R1."""
    signs = [x for x in given if isinstance(x, o.Sign)]
    mine = next((x for x in given if isinstance(x, o.Government)), None)
    number = next((p.number for p in state.proposals if mine and same(p, mine)), 0)
    if mine:
        yield _own_proposal(state, tables, seat, mine, number, signs)
    known = {p.number: p for p in state.proposals if seat in house.parties_named(p, tables)}
    signed: dict[int, list[str]] = {}
    for one in signs:
        if one.number and not one.withdraw and not (mine and one.number == number):
            signed.setdefault(one.number, []).append(_unit(tables, seat, one))
    backed = sorted({x.number for x in signs if x.withdraw})
    if backed:
        yield "backs_out", "H4", {"numbers": backed}
    for target, units in signed.items():
        wanted = house.named(known[target], tables) if target in known else ()
        left = [unit for unit in wanted if house.party_of(unit) == seat and unit not in units]
        why = house.dead(state, tables, known[target]) if target in known else ""
        data = {"number": target, "units": units, "left": left, "dead": why}
        yield "signs", "R33" if why else "R1", data


def _unit(tables: Tables, seat: str, sign: o.Sign) -> str:
    return f"{seat}-{tables.region_named(sign.faction)}"


def _own_proposal(
    state: State,
    tables: Tables,
    seat: str,
    order: o.Government,
    number: int,
    signs: Sequence[o.Sign],
) -> tuple[str, str, Mapping[str, Any]]:
    officers = {office: f"{party} {district}" for office, party, district in order.officers}
    proposal = s.Proposal(number, officers, order.endorsers, frozenset())
    behind = house.supporters(state, tables, officers.values(), order.endorsers)
    parties = {house.party_of(u) for u in behind if house.party_of(u) in tables.parties}
    own = [unit for unit in behind if house.party_of(unit) == seat]
    filed = {_unit(tables, seat, x): x for x in signs}
    signed = [
        unit
        for unit in own
        if unit in filed and not filed[unit].withdraw and filed[unit].number in (0, number)
    ]
    why = house.dead(state, tables, proposal)
    most = house.most_behind(state, tables, proposal)
    data = {
        "total": sum(behind.values()),
        "majority": tables.majority,
        "independents": [unit for unit in behind if house.is_independent(unit)],
        "most": most,
        "others": [party for party in tables.parties if party in parties - {seat}],
        "number": number,
        "own": own,
        "signed": signed,
        "dead": why,
    }
    return "stands_behind", "R33" if why else "3.3", data


def _program(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    approved = [
        {"bill": x.bill} if x.bill else {"item": x.item} for x in given if isinstance(x, o.Approve)
    ]
    premier = house.ministry(state, tables.premier)
    if approved:
        mine = premier == seat
        data = {"approved": approved, "premier": premier, "mine": mine}
        yield "approves", "R7" if mine else "4.2", data
    for order in given:
        if not isinstance(order, o.Propose):
            continue
        asked = [("bill", bill, house.offices_for(tables, bill=bill)) for bill in order.bills]
        asked += [
            ("item", item, house.offices_for(tables, item=item))
            for item, level in order.levels
            if level == "L"
        ]
        struck = [bill for bill in dict.fromkeys(order.bills) if _passed(state, bill)]
        wanting, vacant = [], []
        for kind, name, offices in asked:
            if kind == "bill" and name in struck:
                continue
            holders = {office: house.ministry(state, office) for office in offices}
            if "" in holders.values():
                vacant.append({kind: name})
            elif others := [x for x, party in holders.items() if party != seat]:
                told = [{"office": tables.offices[x].name, "party": holders[x]} for x in others]
                wanting.append({kind: name, "ministers": told})
        if struck:
            yield "would_be_struck", "5.9", {"bills": struck}
        if vacant:
            yield "vacant_office", "R2", {"dropped": vacant}
        if wanting:
            yield "needs_approval", "4.2", {"wanting": wanting}
        elif not vacant and not struck:
            yield "needs_nobody", "R7", {}


def _votes(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    sizes = house.own_factions(state, tables, seat)
    rows: dict[str, list[dict[str, Any]]] = {}
    for order in given:
        if isinstance(order, o.Vote):
            region, choice = order.choices[0]
            earned = right_vote(tables.bills[order.bill].stands, choice)
            line, said = order.bill, choice
        elif isinstance(order, o.VoteBudget):
            region, levels = order.groups[0]
            earned = dict.fromkeys(tables.blocs, 0)
            said = ", ".join(f"{item} {level}" for item, level in levels)
            for item, level in levels:
                for bloc, stand in tables.items[item].stands.items():
                    earned[bloc] += level == stand
            line = ""
        else:
            continue
        unit = f"{seat}-{tables.region_named(region)}"
        row = {
            "unit": unit,
            "size": sizes.get(unit, 0),
            "vote": said,
            "points": {bloc: earned[bloc] for bloc in tables.blocs if earned.get(bloc)},
        }
        rows.setdefault(line, []).append(row)
    for bill, told in rows.items():
        if bill:
            yield "vote_sheet", "6.1", {"bill": bill, "rows": told}
            if any(row["vote"] == "YES" for row in told):
                yield "may_earn_more", "6.2", {"bill": bill}
        else:
            yield "budget_sheet", "6.1", {"rows": told}


def _offices(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    """3.7, 3.8, 8.1, 1.8."""
    for order in given:
        match order:
            case o.Resign():
                office = tables.offices[order.office].name
                if state.phase in (*s.ELECTION, "candidates"):
                    yield "would_empty", "R5", {"office": office}
                elif order.office == tables.premier:
                    yield "would_fall", "3.7", {"falls": state.falls + 1}
                else:
                    yield "would_empty", "R4", {"office": office}
            case o.Reshuffle():
                leaving = house.ministry(state, order.office)
                premier = house.ministry(state, tables.premier)
                asked = sorted({order.party, leaving} - {premier, ""})
                data = {
                    "office": tables.offices[order.office].name,
                    "member": f"{order.party} {order.district}",
                    "asked": [party for party in asked if party != seat],
                    "mine": order.consent,
                    "premier": premier,
                }
                yield "needs_consent", "R3", data
            case o.Call():
                agenda = state.program.agenda if state.program else ()
                late = state.phase == "bill" and len(agenda) == 1
                yield "lists_then", "R12", {"year": state.year + late, "late": late}
            case o.Expel():
                region = tables.region_named(order.faction)
                unit = f"{seat}-{region}"
                waits = state.phase in s.ELECTION
                rule = "R16" if waits or state.phase == "candidates" else "1.8"
                data = {
                    "unit": unit,
                    "size": house.own_factions(state, tables, seat).get(unit, 0),
                    "bloc": house.affiliation(state, tables, unit, region),
                    "when": "later" if waits else "now" if state.phase == "formation" else "end",
                }
                yield "would_leave", rule, data


def _lists(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    gone = [x.district for x in given if isinstance(x, o.Withdraw)]
    if gone:
        yield "fee_lost", "8.19", {"districts": s.spans(gone, tables)}
    for order in given:
        if not isinstance(order, o.Candidates):
            continue
        announced = state.announced.get(seat, ())
        stand = order.districts
        if state.phase == "candidates":
            stand = without_expelled(state, tables, seat, given, stand)
        told = {*stand, *announced}
        data = {"districts": s.spans(told, tables), "candidates": len(told)}
        if state.phase != "candidates":
            yield "list_is_sealed", "R20", data
            continue
        fee = tables.figures["filing_fee"]
        pays = len([d for d in stand if d not in announced])
        yield "list_comes_to", "7.5", {**data, "crowns": pays * fee, "announced": len(announced)}
        own = without_expelled(state, tables, seat, given, default_list(state, tables, seat))
        left = [d for d in own if d not in told]
        if left:
            yield "not_put_up", "8.11", {"districts": s.spans(left, tables)}


def _ballot(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    cap, bought = tables.figures["bought_votes"], []
    for order in given:
        if isinstance(order, o.Spend):
            who = tables.candidate_named(order.candidate)
            room = cap - state.bought.get(order.district, {}).get(who, 0)
            bought.append([who, order.district, order.amount, min(order.amount, max(0, room))])
    if bought:
        yield "votes_bought", "8.17", {"bought": bought, "cap": cap}
    told: dict[tuple[str, str, bool], list[str]] = {}
    for order in given:
        if isinstance(order, o.Bloc):
            who = tables.candidate_named(order.candidate)
            poor = too_poor(state, tables, order.bloc, order.where, who)
            told.setdefault((order.bloc, who, poor), []).append(order.where)
    for (bloc, who, poor), districts in told.items():
        data = {"bloc": bloc, "candidate": who, "districts": s.spans(districts, tables)}
        yield ("would_not_obey" if poor else "would_obey"), "8.15", data


def _money(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    """Take the own orders off the last notice (house rule 10, R27)."""
    paid = {x.payee: x.amount for x in given if isinstance(x, o.Pay) and not x.period}
    for x in given:
        if isinstance(x, o.Pay) and x.period:
            data = {"payee": x.payee, "amount": x.amount, "period": x.period}
            yield "cheque_later", "H11", data
    if state.options["private_treasury_notices"] != "on":
        return
    for cheque in state.cheques:
        if cheque.payer == seat and cheque.period <= state.period:
            paid.setdefault(cheque.payee, cheque.amount)
    fee = tables.figures["filing_fee"]
    announced = state.announced.get(seat, ())
    listed = [
        d
        for x in given
        if isinstance(x, o.Candidates) and state.phase == "candidates"
        for d in without_expelled(state, tables, seat, given, x.districts)
        if d not in announced
    ]
    fees = fee * (len(listed) + sum(isinstance(x, o.Announce) for x in given))
    spent = sum(x.amount for x in given if isinstance(x, o.Spend))
    balance = state.accounts.balance(seat)
    left = balance - sum(paid.values()) - fees - spent
    data = {"balance": balance, "paid": sum(paid.values()), "fees": fees, "spent": spent}
    yield "would_be_left", "H10", {**data, "left": left}
    if left < 0:
        yield "would_be_short", "R27", {"short": -left}


def silence(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    state = keep_on_file(state, tables, {seat: standing})
    _of_phase(state, tables, seat, standing, tell)
    if asked := request(state, tables, seat):
        tell("asked_standing", "H9", bills=asked.bills, budget=asked.budget)


def cheques_due(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    """Tell cheques that fall due; a payment now to the same payee replaces one (H11)."""
    payments = [
        one for one in standing.values() if isinstance(one, o.Pay) and one.period <= state.period
    ]
    paid_now = {one.payee for one in payments}
    due = [
        cheque
        for cheque in state.cheques
        if cheque.payer == seat and cheque.period == state.period and cheque.payee not in paid_now
    ]
    total = sum(one.amount for one in due) + sum(one.amount for one in payments)
    short = total > state.accounts.balance(seat)
    for cheque in due:
        tell("cheque_due", "H11", payee=cheque.payee, amount=cheque.amount, short=short)


def _of_phase(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    match state.phase:
        case "formation":
            _formation(state, tables, seat, tell)
        case "program":
            _no_program(state, tables, seat, tell)
        case "budget":
            _budget(state, tables, seat, standing, tell)
        case "bill":
            _bill(state, tables, seat, standing, tell)
        case "candidates":
            _bill(state, tables, seat, standing, tell)
            _list(state, tables, seat, standing, tell)
        case "withdrawals":
            own = [d for d in state.runoffs if seat in state.candidates.get(d, {})]
            if own:
                tell("stand_on", "8.19", districts=s.spans(own, tables))
        case _:
            tell("no_money", "8.17")
            for bloc, held in house.controls(state, tables).items():
                if held.party == seat:
                    tell("no_instruction", "8.14", bloc=bloc)


def _formation(state: State, tables: Tables, seat: str, tell: Tell) -> None:
    tell("not_signed", "R1")
    for proposal in state.proposals:
        mine = [
            u
            for u in house.named(proposal, tables)
            if house.party_of(u) == seat and u in proposal.signed
        ]
        if mine:
            why = house.dead(state, tables, proposal)
            rule = "R33" if why else "H4"
            tell("stays_signed", rule, number=proposal.number, units=mine, dead=why)


def _no_program(state: State, tables: Tables, seat: str, tell: Tell) -> None:
    if house.ministry(state, tables.premier) == seat:
        tell("without_program", "R7", budget=not state.budget_passed)
        return
    bills, items = _controlled(state, tables, seat)
    if bills or items:
        tell("unapproved", "R7", bills=bills, items=items)


def _budget(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for unit in house.own_factions(state, tables, seat):
        region = house.region_of(unit, tables)
        levels = tuple(
            (item, ballot(state, {seat: standing}, seat, region, item, "VOTE BUDGET"))
            for item in tables.items
        )
        alike.setdefault(levels, []).append(unit)
    for levels, units in alike.items():
        if all(level == "ABSTAIN" for _, level in levels):
            tell("abstains_budget", "R10", units=units, whole=len(alike) == 1)
        else:
            tell("stands_budget", "H9", units=units, levels=dict(levels))


def _bill(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    """5.2, house rule 9."""
    if not state.program or not state.program.agenda:
        return
    bill, alike = state.program.agenda[0], dict[str, list[str]]()
    for unit in house.own_factions(state, tables, seat):
        choice = ballot(
            state, {seat: standing}, seat, house.region_of(unit, tables), bill, f"VOTE {bill}"
        )
        alike.setdefault(choice, []).append(unit)
    for choice, units in alike.items():
        if choice == "ABSTAIN":
            tell("abstains", "R10", units=units, bill=bill, whole=len(alike) == 1)
        else:
            tell("stands", "H9", units=units, bill=bill, choice=choice)


def _list(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    given = standing.values()
    if seat in state.sealed:
        sealed = without_expelled(state, tables, seat, given, state.sealed[seat])
        tell("sealed_list", "R20", districts=s.spans(sealed, tables))
        return
    held = without_expelled(state, tables, seat, given, default_list(state, tables, seat))
    if held:
        wanted = [d for d in held if d not in state.announced.get(seat, ())]
        fees = len(wanted) * tables.figures["filing_fee"]
        told = {"districts": s.spans(held, tables), "fees": fees}
        tell("put_up_again", "R28", **told, short=fees > state.accounts.balance(seat))
    else:
        tell("nobody_put_up", "R28")


_CROWNS = ("1000", "500")
_CHOICES = ("YES", "NO", "ABSTAIN")
_LEVELS = ("H", "L", "ABSTAIN")


def offers(state: State, tables: Tables, seat: str) -> Iterator[Offer]:
    own = house.own_factions(state, tables, seat)
    regions = [unit.partition("-")[2].upper() for unit in own]
    asked = {
        "formation": _form_formation,
        "program": _form_program,
        "budget": _form_budget,
        "bill": _form_bill,
        "candidates": _form_candidates,
        "ballot": _money_and_blocs,
        "withdrawals": _withdrawals,
        "runoff": _money_and_blocs,
    }[state.phase]
    yield from asked(state, tables, seat, regions)
    yield from _form_offices(state, tables, seat)
    yield from _party(state, tables, seat, regions)


def _offer(kind: str, *fills: Iterable[str], **data: Any) -> Offer:
    return Offer(kind, tuple(tuple(words) for words in fills), data)


def _members_of(state: State, tables: Tables, first: str) -> list[str]:
    """Return a member of each party as orders name them, ``first``'s first."""
    found: dict[str, str] = {}
    for district, holder in s.members(state, tables.districts).items():
        if not house.is_independent(holder):
            found.setdefault(holder, f"{holder} {district}")
    return [found[party] for party in sorted(found, key=lambda party: (party != first, party))]


def _form_formation(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    """R1."""
    if not regions:
        return
    known = [
        p for p in state.proposals if any(house.party_of(u) == seat for u in house.named(p, tables))
    ]
    later = [str(state.proposed + n) for n in (1, 2, 3)]
    alive = [p for p in known if not house.dead(state, tables, p)]
    numbers = [str(p.number) for p in alive] or later
    own = [
        region
        for region in regions
        if not alive or f"{seat}-{tables.region_named(region)}" in house.named(alive[0], tables)
    ]
    if alive or not known:
        yield replace(_offer("sign", numbers, known=bool(known)), few=bool(known))
        if len(own) > 1:
            yield _offer("sign_one", numbers[:1], own)
        yield replace(_offer("back_out", numbers), few=bool(known))
    people = _members_of(state, tables, seat)
    endorsers = [f"{seat}-{tables.region_named(region)}" for region in regions]
    offices = [key.upper() for key in tables.offices]
    yield _offer("government", *[people for _ in offices], endorsers, offices=offices)


def _form_program(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    open_bills = [bill for bill in tables.bills if not _passed(state, bill)]
    premier = house.ministry(state, tables.premier)
    if premier == seat:
        several = [", ".join(open_bills[:2])] if len(open_bills) > 1 else []
        words = [*several, *open_bills[:1], "NONE"]
        if state.budget_passed:
            yield _offer("program_bills", words)
        else:
            items = [item.upper() for item in tables.items]
            yield _offer("program", *[("H", "L") for _ in items], words, items=items)
        return
    bills, _ = _controlled(state, tables, seat)
    if bills:
        yield _offer("approve_bill", bills, bills=bills)
    yield from _approve_items(state, tables, seat)


def _passed(state: State, bill: str) -> bool:
    return bill in state.bills and state.bills[bill].passed


def _controlled(state: State, tables: Tables, seat: str) -> tuple[list[str], list[str]]:
    """Return the open bills and items that need the approval of a minister of this party (4.2)."""
    own = {office for office in tables.offices if house.ministry(state, office) == seat}
    bills = [
        bill for bill in tables.bills if own.intersection(house.offices_for(tables, bill=bill))
    ]
    items = [
        item for item in tables.items if own.intersection(house.offices_for(tables, item=item))
    ]
    return [b for b in bills if not _passed(state, b)], [] if state.budget_passed else items


def _approve_items(state: State, tables: Tables, seat: str) -> Iterator[Offer]:
    own = [item.upper() for item in _controlled(state, tables, seat)[1]]
    if own:
        yield _offer("approve_item", own, items=own)


def _form_budget(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    """5.3, 5.7."""
    items = [item.upper() for item in tables.items]
    levels = [_LEVELS for _ in items]
    if regions:
        yield _offer("vote_budget", *levels, items=items)
    if len(regions) > 1:
        yield _offer("vote_budget_one", regions, *levels, items=items)
    if state.program and state.program.again and state.government:
        if house.ministry(state, tables.premier) == seat:
            yield _offer("change_budget", *[("H", "L") for _ in items], items=items)
        else:
            yield from _approve_items(state, tables, seat)


def _form_bill(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    if regions and state.program and state.program.agenda:
        bill = state.program.agenda[0]
        yield _offer("vote", _CHOICES, bill=bill)
        if len(regions) > 1:
            yield _offer("vote_one", regions, _CHOICES, bill=bill)


def _form_candidates(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    yield from _form_bill(state, tables, seat, regions)
    yield from _form_list(state, tables, seat, kind="candidates")


def _form_list(state: State, tables: Tables, seat: str, kind: str) -> Iterator[Offer]:
    held = [d for d in tables.districts if state.holders.get(d) == seat]
    words = [s.spans(held, tables)] if held else []
    yield _offer(kind, [*words, tables.districts[0], "NONE"])
    own = house.own_factions(state, tables, seat)
    elsewhere = [r.upper() for r in tables.regions if f"{seat}-{r}" not in own]
    lending = [r.upper() for r in tables.regions if house.lawful_record(state, tables, seat, r)]
    if elsewhere and len(lending) > 1:
        yield _offer("record", elsewhere, lending)


def _money_and_blocs(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    """8.15, 8.17."""
    contested = tables.districts if state.phase == "ballot" else state.runoffs
    held = {d: list(state.candidates.get(d, {})) for d in contested}
    if found := _candidate_and_place(held, seat):
        yield _offer("spend", _CROWNS, *found)
    for bloc, control in house.controls(state, tables).items():
        reached = {d: who for d, who in held.items() if tables.region(d) in control.regions}
        if control.party == seat and (found := _candidate_and_place(reached, seat)):
            yield _offer("bloc", found[1], found[0], bloc=bloc)


def _candidate_and_place(
    held: Mapping[str, Sequence[str]], seat: str
) -> tuple[list[str], list[str]] | None:
    first = next((d for d, who in held.items() if seat in who), next(iter(held), None))
    if first is None or not held[first]:
        return None
    who = sorted(held[first], key=lambda name: name != seat)
    places = [d for d, standing in held.items() if who[0] in standing and d != first]
    return [o.written(name) for name in who], [first, *places]


def _withdrawals(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    own = [d for d in state.runoffs if seat in state.candidates.get(d, {})]
    if own:
        yield _offer("withdraw", own, districts=s.spans(own, tables))


def _form_offices(state: State, tables: Tables, seat: str) -> Iterator[Offer]:
    if state.government is None:
        return
    mine = [office for office in tables.offices if house.ministry(state, office) == seat]
    premier = house.ministry(state, tables.premier) == seat
    if state.phase in s.SESSION:
        posts = [office.upper() for office in tables.offices if office != tables.premier]
        own = [d for d in tables.districts if state.holders.get(d) == seat]
        if premier and posts:
            yield _offer("reshuffle", posts, _members_of(state, tables, seat))
        elif own and posts:
            yield _offer("consent", posts, [f"{seat} {own[0]}"])
    if premier and state.phase in ("program", "budget", "bill") and not state.call_year:
        yield _offer("call", ["ELECTION"])
    if mine and state.phase in (*s.SESSION, *s.ELECTION):
        yield _offer("resign", [office.upper() for office in mine], premier=premier)


def _party(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    others = [party for party in tables.parties if party != seat]
    yield _offer("pay", _CROWNS, others)
    if regions and state.phase in ("formation", *s.SESSION[:-1]):
        before = state.program.agenda[:1] if state.program else ()
        bills = [b for b in tables.bills if not _passed(state, b) and b not in before]
        if bills:
            yield _offer("standing", bills, (*_CHOICES, "NONE"))
        if not state.budget_passed:
            items = [item.upper() for item in tables.items]
            yield _offer("standing_budget", *[_LEVELS for _ in items], items=items)
    if state.phase in ("formation", "program", "budget", "bill"):
        yield from _form_list(state, tables, seat, kind="sealed")
        announced = state.announced.get(seat, ())
        free = [d for d in tables.districts if d not in announced]
        free.sort(key=lambda district: state.holders.get(district) != seat)
        if free:
            yield _offer("announce", free[:5])
    if regions:
        yield _offer("expel", regions)
