"""Forming Governments (section 3, house rules 3 and 4, R1).

By mail an interregnum is one period without deadline: :func:`register` applies each letter, and a
complete proposal waits five days before ``adjudicate`` installs it. In ``pbem play`` each folder is
a period: letters count in seat order, then complete proposals are installed or REPORT_DAYS pass.
"""

from collections.abc import Iterator
from dataclasses import fields, replace

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Event, Minutes
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State
from pbem.games.parlement_1968.steps.house import House, Period, is_independent, party_of
from pbem.orders.order import Standing

REPORT_DAYS = 7
"""Days of a period without installation (house rule 3)."""


def register(house: House, seat: str, standing: Standing) -> tuple[State, tuple[Event, ...]]:
    """Register a seat's standing orders: proposal, signatures, expulsions. Repeating them changes
    nothing."""
    at = Period(house.state, house.tables, {seat: standing}, Minutes())
    if at.state.phase == "formation":
        propose(at, seat)
        _sign(at, seat)
        before = House(at.state, at.tables)
        for _, order in at.sent([seat], o.Expel):
            expel(at, at.unit(seat, order.faction))
        if at.state is not before.state:
            alive = {p.number for p in before.state.proposals if not before.dead(p)}
            for one in at.state.proposals:
                why = at.dead(one)
                if why and one.number in alive:  # R33
                    told = {"number": one.number, "why": why}
                    at.minutes.private("proposal_dead", "R33", at.parties_named(one), **told)
    return at.state, tuple(at.minutes.events)


def propose(at: Period, seat: str) -> None:
    """Number a new proposal, tell the parties named and sign it; only sign an identical one (3.3,
    R1)."""
    standing, state = at.orders[seat], at.state
    order = standing.get("GOVERNMENT")
    if not isinstance(order, o.Government) or any(same(p, order) for p in state.proposals):
        return
    number = state.proposed + 1
    new = s.Proposal(number, order.members, order.endorsers, frozenset())
    behind = at.supporters(new.officers.values(), new.endorsers)
    own = set(at.own_named(new, seat))
    signs = {
        at.unit(seat, x.faction)
        for _, x in at.sent([seat], o.Sign)
        if not x.withdraw and x.number in (0, number)
    }
    at.minutes.private(
        "proposal",
        "R1",
        at.parties_named(new),
        number=number,
        by=seat if own and own <= signs else "",
        officers=new.officers,
        endorsers=list(new.endorsers),
        support=sum(behind.values()),
        independents=[unit for unit in behind if is_independent(unit)],
        dead=at.dead(new),
    )
    at.state = replace(state, proposals=(*state.proposals, new), proposed=number)


def _sign(at: Period, seat: str) -> None:
    """Count a faction's last signature (house rule 4, R1); not without members (R33)."""
    mine, there = at.orders[seat].get("GOVERNMENT"), at.factions()
    number = 0
    if isinstance(mine, o.Government):
        number = next((p.number for p in at.state.proposals if same(p, mine)), 0)
    for _, order in at.sent([seat], o.Sign):
        target, faction = order.number or number, at.unit(seat, order.faction)
        if faction not in there and not s.first_rulings(at.state):
            continue
        here = {p.number for p in at.state.proposals if faction in at.named(p)}
        proposals = []
        for proposal in at.state.proposals:
            signed = proposal.signed
            if proposal.number == target in here:
                signed = signed - {faction} if order.withdraw else signed | {faction}
            elif target in here and not order.withdraw:
                signed = signed - {faction}
            proposals.append(_with_signatures(proposal, signed))
        at.state = replace(at.state, proposals=tuple(proposals))


def _with_signatures(proposal: s.Proposal, signed: frozenset[str]) -> s.Proposal:
    if signed == proposal.signed:
        return proposal
    return replace(proposal, signed=signed, changes=proposal.changes + 1)


def expel(at: Period, faction: str) -> None:
    """Make members independents, out of the Cabinet, their signatures void (1.8, R16)."""
    if faction not in at.factions():
        return
    party, _, region = faction.partition("-")
    districts = [d for d in at.tables.of_region(region) if at.state.holders.get(d) == party]
    became = at.made_independent(districts)
    at.minutes.public("expelled", "1.8", party=party, faction=faction, became=became)
    proposals = tuple(_with_signatures(p, p.signed - {faction}) for p in at.state.proposals)
    at.state = replace(at.state, proposals=proposals)


def ripe(house: House) -> tuple[str, ...]:
    """Return their names, which change with the signatures."""
    return tuple(f"{p.number}/{p.changes}" for p in house.state.proposals if house.ready(p))


def report(house: House) -> list[Json]:
    """Return each attempt's parties and complete signers (house rule 3). Omit the unsigned and
    those publicly dead (R33); other deaths would tell which factions are named."""
    state = house.state
    if isinstance(state, s.Seen):
        return list(state.attempts)
    listed, sizes, first = [], s.seat_counts(state), s.first_rulings(state)
    for proposal in state.proposals:
        parties = house.parties_named(proposal)
        if proposal.signed and (first or all(sizes[p] for p in parties)):
            signed = [p for p in parties if proposal.signed >= {*house.own_named(proposal, p)}]
            listed.append({"number": proposal.number, "parties": list(parties), "signed": signed})
    return listed


def _known(house: House, seat: str) -> Iterator[s.Proposal]:
    """Yield the proposals that name this party."""
    return (p for p in house.state.proposals if seat in house.parties_named(p))


def copies(house: House, seat: str) -> list[Json]:
    """Return the proposals that name this party, and why one is dead (R1)."""
    return [
        {
            "number": p.number,
            "officers": {office: p.officers[office] for office in house.tables.offices},
            "endorsers": list(p.endorsers),
            "own": house.own_named(p, seat),
            "signed": [unit for unit in house.own_named(p, seat) if unit in p.signed],
            "dead": house.dead(p) or None,
        }
        for p in _known(house, seat)
    ]


def seen(house: House, seat: str) -> s.Seen:
    """Return what the seat may know (R1, house rule 3)."""
    known = {one.name: getattr(house.state, one.name) for one in fields(State)}
    known["proposals"] = tuple(
        replace(p, signed=frozenset(u for u in p.signed if party_of(u) == seat), changes=0)
        for p in _known(house, seat)
    )
    known["proposed"] = max((p.number for p in known["proposals"]), default=0)
    return s.Seen(**known, attempts=tuple(report(house)))


def same(proposal: s.Proposal, order: o.Government) -> bool:
    return proposal.officers == order.members and set(proposal.endorsers) == set(order.endorsers)


def days_pass(state: State, days: int) -> State:
    """Count days of the interregnum (R31)."""
    return replace(state, formation_days=state.formation_days + days)


def caretaker_due(state: State) -> bool:
    """Return whether ``caretaker_after_days`` ends the interregnum (R31)."""
    most = s.limit(state, "caretaker_after_days")
    return state.phase == "formation" and 0 < most <= state.formation_days
