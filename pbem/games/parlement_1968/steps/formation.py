"""Forming Governments (section 3, house rules 3 and 4, R1).

By mail an interregnum is one period without deadline: :func:`register` applies each letter, and a
complete proposal waits five days before ``adjudicate`` installs it. In ``pbem play`` each folder is
a period: letters count in seat order, then complete proposals are installed or REPORT_DAYS pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from pbem.games.frame.codec import Json
from pbem.games.frame.events import Event, Minutes, Orders
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps import house
from pbem.orders.order import Standing

REPORT_DAYS = 7
"""Days of a period without installation (house rule 3)."""


@dataclass(frozen=True, slots=True)
class Complete:
    """A proposal with all signatures and a majority."""

    number: int
    key: str
    """Changes with the signatures."""


def register(
    state: State, tables: Tables, seat: str, standing: Standing
) -> tuple[State, tuple[Event, ...]]:
    """Register a seat's standing orders: proposal, signatures, expulsions. Repeating them changes
    nothing."""
    if state.phase != "formation":
        return state, ()
    minutes = Minutes()
    state = propose(state, tables, seat, standing, minutes)
    state = sign(state, tables, seat, standing)
    before = state
    for order in standing.values():
        if isinstance(order, o.Expel):
            state = expel(state, tables, f"{seat}-{tables.region_named(order.faction)}", minutes)
    if state is not before:
        tell_dead(before, state, tables, minutes)
    return state, tuple(minutes.events)


def tell_dead(before: State, state: State, tables: Tables, minutes: Minutes) -> None:
    """Tell only the parties named that a proposal died (R33)."""
    alive = {p.number for p in before.proposals if not house.dead(before, tables, p)}
    for proposal in state.proposals:
        why = house.dead(state, tables, proposal)
        if why and proposal.number in alive:
            minutes.private(
                "proposal_dead",
                "R33",
                house.parties_named(proposal, tables),
                number=proposal.number,
                why=why,
            )


def propose(state: State, tables: Tables, seat: str, standing: Standing, minutes: Minutes) -> State:
    """Number a new proposal, tell the parties named and sign it; only sign an identical one (3.3,
    R1)."""
    order = standing.get("GOVERNMENT")
    if not isinstance(order, o.Government):
        return state
    if any(same(p, order) for p in state.proposals):
        return state
    officers = {office: f"{party} {district}" for office, party, district in order.officers}
    number = state.proposed + 1
    new = s.Proposal(number, officers, order.endorsers, frozenset())
    behind = house.supporters(state, tables, officers.values(), new.endorsers)
    minutes.private(
        "proposal",
        "R1",
        house.parties_named(new, tables),
        number=number,
        by=seat if _signs_for_all(seat, new, tables, standing) else "",
        officers=officers,
        endorsers=list(new.endorsers),
        support=sum(behind.values()),
        independents=[unit for unit in behind if house.is_independent(unit)],
        dead=house.dead(state, tables, new),
    )
    return replace(state, proposals=(*state.proposals, new), proposed=number)


def _signs_for_all(seat: str, proposal: s.Proposal, tables: Tables, standing: Standing) -> bool:
    own = {unit for unit in house.named(proposal, tables) if house.party_of(unit) == seat}
    signs = {
        f"{seat}-{tables.region_named(x.faction)}"
        for x in standing.values()
        if isinstance(x, o.Sign) and not x.withdraw and x.number in (0, proposal.number)
    }
    return bool(own) and own <= signs


def sign(state: State, tables: Tables, seat: str, standing: Standing) -> State:
    """Count a faction's last signature (house rule 4, R1); not without members (R33)."""
    own = [order for order in standing.values() if isinstance(order, o.Sign)]
    if not s.first_rulings(state):
        there = house.factions(state, tables)
        own = [one for one in own if f"{seat}-{tables.region_named(one.faction)}" in there]
    number = 0
    if isinstance(mine := standing.get("GOVERNMENT"), o.Government):
        number = next((p.number for p in state.proposals if same(p, mine)), 0)
    for order in own:
        target = order.number or number
        faction = f"{seat}-{tables.region_named(order.faction)}"
        proposals = []
        for proposal in state.proposals:
            signed = proposal.signed
            if proposal.number == target and faction in house.named(proposal, tables):
                signed = signed - {faction} if order.withdraw else signed | {faction}
            elif not order.withdraw and any(
                p.number == target and faction in house.named(p, tables) for p in state.proposals
            ):
                signed = signed - {faction}
            proposals.append(_with_signatures(proposal, signed))
        state = replace(state, proposals=tuple(proposals))
    return state


def _with_signatures(proposal: s.Proposal, signed: frozenset[str]) -> s.Proposal:
    if signed == proposal.signed:
        return proposal
    return replace(proposal, signed=signed, changes=proposal.changes + 1)


def expel(state: State, tables: Tables, faction: str, minutes: Minutes) -> State:
    """Make members independents, out of the Cabinet, their signatures void (1.8, R16)."""
    if faction not in house.factions(state, tables):
        return state
    party, _, region = faction.partition("-")
    districts = [d for d in tables.of_region(region) if state.holders.get(d) == party]
    state, became = house.made_independent(state, tables, districts)
    minutes.public("expelled", "1.8", party=party, faction=faction, became=became)
    proposals = tuple(_with_signatures(p, p.signed - {faction}) for p in state.proposals)
    return replace(state, proposals=proposals)


def complete(state: State, tables: Tables) -> tuple[Complete, ...]:
    """Return proposals ready to install, lowest number first (3.3, R1)."""
    return tuple(
        Complete(proposal.number, f"{proposal.number}/{proposal.changes}")
        for proposal in state.proposals
        if house.ready(state, tables, proposal)
    )


def report(state: State, tables: Tables) -> list[Json]:
    """Return each attempt's parties and complete signers (house rule 3). Omit the unsigned and
    those publicly dead (R33); other deaths would tell which factions are named."""
    if isinstance(state, s.Seen):
        return list(state.attempts)
    listed, sizes, first = [], s.seat_counts(state), s.first_rulings(state)
    for proposal in state.proposals:
        wanted = house.named(proposal, tables)
        parties = house.parties_named(proposal, tables)
        if proposal.signed and (first or all(sizes[p] for p in parties)):
            signed = [
                p
                for p in parties
                if all(u in proposal.signed for u in wanted if house.party_of(u) == p)
            ]
            listed.append({"number": proposal.number, "parties": list(parties), "signed": signed})
    return listed


def copies(state: State, tables: Tables, seat: str) -> list[Json]:
    """Return the proposals that name this party, and why one is dead (R1)."""
    return [
        {
            "number": p.number,
            "officers": {office: p.officers[office] for office in tables.offices},
            "endorsers": list(p.endorsers),
            "own": [unit for unit in house.named(p, tables) if house.party_of(unit) == seat],
            "signed": [
                unit
                for unit in house.named(p, tables)
                if house.party_of(unit) == seat and unit in p.signed
            ],
            "dead": house.dead(state, tables, p) or None,
        }
        for p in state.proposals
        if seat in house.parties_named(p, tables)
    ]


def seen(state: State, tables: Tables, seat: str) -> s.Seen:
    """Return what the seat may know (R1, house rule 3)."""
    known = {one.name: getattr(state, one.name) for one in fields(State)}
    known["proposals"] = tuple(
        replace(p, signed=frozenset(u for u in p.signed if house.party_of(u) == seat), changes=0)
        for p in state.proposals
        if seat in house.parties_named(p, tables)
    )
    known["proposed"] = max((p.number for p in known["proposals"]), default=0)
    return s.Seen(**known, attempts=tuple(report(state, tables)))


def same(proposal: s.Proposal, order: o.Government) -> bool:
    officers = {office: f"{party} {district}" for office, party, district in order.officers}
    return proposal.officers == officers and set(proposal.endorsers) == set(order.endorsers)


def days_pass(state: State, days: int) -> State:
    """Count days of the interregnum (R31)."""
    return replace(state, formation_days=state.formation_days + days)


def caretaker_due(state: State) -> bool:
    """Return whether ``caretaker_after_days`` ends the interregnum (R31)."""
    return (
        state.phase == "formation"
        and 0 < s.limit(state, "caretaker_after_days") <= state.formation_days
    )


def register_all(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Register a folder: all proposals in seat order, then signatures and expulsions."""
    for seat in _seated(state.seats, orders):
        state = propose(state, tables, seat, orders[seat], minutes)
    for seat in _seated(state.seats, orders):
        state, events = register(state, tables, seat, orders[seat])
        minutes.events.extend(events)
    return state


def _seated(seats: Sequence[str], orders: Orders) -> list[str]:
    return [seat for seat in seats if seat in orders]
