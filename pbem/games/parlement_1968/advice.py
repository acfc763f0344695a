"""Receipt notes on standing orders, from what the seat knows (R30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.frame.events import Event
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import ELECTION, Proposal, State
from pbem.games.parlement_1968.steps.formation import same
from pbem.games.parlement_1968.steps.hopes import dead, most_behind, named, parties_named
from pbem.games.parlement_1968.steps.house import (
    affiliation,
    is_independent,
    ministry,
    offices_for,
    own_factions,
    party_of,
    supporters,
)
from pbem.games.parlement_1968.steps.lists import default_list, without_expelled
from pbem.games.parlement_1968.steps.tally import too_poor
from pbem.games.parlement_1968.steps.voting import right_vote
from pbem.games.parlement_1968.tables import Tables, spans
from pbem.orders.order import Standing

Facts = Iterator[tuple[str, str, Mapping[str, Any]]]
"""Kind, paragraph and data of an event."""


def advice(state: State, seat: str, standing: Standing, tables: Tables) -> tuple[Event, ...]:
    given = [order for order in standing.values() if not _is_standing(order)]
    found = (
        *_for_later(tables, seat, standing),
        *_government(state, tables, seat, given),
        *_program(state, tables, seat, given),
        *_votes(state, tables, seat, given),
        *_offices(state, tables, seat, given),
        *_lists(state, tables, seat, given),
        *_ballot(state, tables, seat, given),
        *_money(state, tables, seat, given),
    )
    return tuple(Event(kind, rule, frozenset([seat]), data) for kind, rule, data in found)


def _is_standing(order: object) -> bool:
    return isinstance(order, o.Vote | o.VoteBudget) and order.standing


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
    known = {p.number: p for p in state.proposals if seat in parties_named(p, tables)}
    signed: dict[int, list[str]] = {}
    for one in signs:
        if one.number and not one.withdraw and not (mine and one.number == number):
            signed.setdefault(one.number, []).append(_unit(tables, seat, one))
    backed = sorted({x.number for x in signs if x.withdraw})
    if backed:
        yield "backs_out", "H4", {"numbers": backed}
    for target, units in signed.items():
        wanted = named(known[target], tables) if target in known else ()
        left = [unit for unit in wanted if party_of(unit) == seat and unit not in units]
        why = dead(state, tables, known[target]) if target in known else ""
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
    proposal = Proposal(number, officers, order.endorsers, frozenset())
    behind = supporters(state, tables, officers.values(), order.endorsers)
    parties = {party_of(u) for u in behind if party_of(u) in tables.parties}
    own = [unit for unit in behind if party_of(unit) == seat]
    filed = {_unit(tables, seat, x): x for x in signs}
    signed = [
        unit
        for unit in own
        if unit in filed and not filed[unit].withdraw and filed[unit].number in (0, number)
    ]
    why = dead(state, tables, proposal)
    most = most_behind(state, tables, proposal)
    data = {
        "total": sum(behind.values()),
        "majority": tables.majority,
        "independents": [unit for unit in behind if is_independent(unit)],
        "most": most,
        "others": [party for party in tables.parties if party in parties - {seat}],
        "number": number,
        "own": own,
        "signed": signed,
        "dead": why,
    }
    return "stands_behind", "R33" if why else "3.3", data


def _program(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    """4.2, R2, R7."""
    approved = [
        {"bill": x.bill} if x.bill else {"item": x.item} for x in given if isinstance(x, o.Approve)
    ]
    premier = ministry(state, tables.premier)
    if approved:
        mine = premier == seat
        yield (
            "approves",
            "R7" if mine else "4.2",
            {
                "approved": approved,
                "premier": premier,
                "mine": mine,
            },
        )
    for order in given:
        if not isinstance(order, o.Propose):
            continue
        asked = [("bill", bill, offices_for(tables, bill=bill)) for bill in order.bills]
        asked += [
            ("item", item, offices_for(tables, item=item))
            for item, level in order.levels
            if level == "L"
        ]
        struck = [
            b for b in dict.fromkeys(order.bills) if b in state.bills and state.bills[b].passed
        ]
        wanting, vacant = [], []
        for kind, name, offices in asked:
            if kind == "bill" and name in struck:
                continue
            holders = {office: ministry(state, office) for office in offices}
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
    sizes = own_factions(state, tables, seat)
    rows: dict[str, list[dict[str, Any]]] = {}
    for order in given:
        if isinstance(order, o.Vote):
            region, choice = order.choices[0]
            earned = right_vote(tables.bills[order.bill].stands, choice)
            line, said = order.bill, choice
        elif isinstance(order, o.VoteBudget):
            region, levels = order.groups[0]
            earned, said = (
                dict.fromkeys(tables.blocs, 0),
                ", ".join(f"{item} {level}" for item, level in levels),
            )
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
                if state.phase in (*ELECTION, "candidates"):
                    yield "would_empty", "R5", {"office": office}
                elif order.office == tables.premier:
                    yield "would_fall", "3.7", {"falls": state.falls + 1}
                else:
                    yield "would_empty", "R4", {"office": office}
            case o.Reshuffle():
                leaving = ministry(state, order.office)
                premier = ministry(state, tables.premier)
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
                waits = state.phase in ELECTION
                rule = "R16" if waits or state.phase == "candidates" else "1.8"
                data = {
                    "unit": unit,
                    "size": own_factions(state, tables, seat).get(unit, 0),
                    "bloc": affiliation(state, tables, unit, region),
                    "when": "later" if waits else "now" if state.phase == "formation" else "end",
                }
                yield "would_leave", rule, data


def _lists(state: State, tables: Tables, seat: str, given: Sequence[object]) -> Facts:
    gone = [x.district for x in given if isinstance(x, o.Withdraw)]
    if gone:
        yield "fee_lost", "8.19", {"districts": spans(gone, tables)}
    for order in given:
        if not isinstance(order, o.Candidates):
            continue
        announced = state.announced.get(seat, ())
        stand = order.districts
        if state.phase == "candidates":
            stand = without_expelled(state, tables, seat, given, stand)
        told = {*stand, *announced}
        data = {"districts": spans(told, tables), "candidates": len(told)}
        if state.phase != "candidates":
            yield "list_is_sealed", "R20", data
            continue
        fee = tables.figures["filing_fee"]
        pays = len([d for d in stand if d not in announced])
        yield "list_comes_to", "7.5", {**data, "crowns": pays * fee, "announced": len(announced)}
        own = without_expelled(state, tables, seat, given, default_list(state, tables, seat))
        left = [d for d in own if d not in told]
        if left:
            yield "not_put_up", "8.11", {"districts": spans(left, tables)}


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
        data = {"bloc": bloc, "candidate": who, "districts": spans(districts, tables)}
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
