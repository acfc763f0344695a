"""Whether a proposed Government is ready, open or dead (3.3, R1, R33)."""

from __future__ import annotations

from pbem.games.parlement_1968.state import Proposal, State, first_rulings, members
from pbem.games.parlement_1968.steps.house import (
    affiliation,
    better,
    factions,
    is_independent,
    officer,
    officer_faction,
    party_of,
    points,
    region_of,
    supporters,
)
from pbem.games.parlement_1968.tables import Tables


def named(proposal: Proposal, tables: Tables) -> tuple[str, ...]:
    inside = [officer_faction(tables, proposal.officers[office]) for office in tables.offices]
    return tuple(dict.fromkeys((*inside, *proposal.endorsers)))


def parties_named(proposal: Proposal, tables: Tables) -> tuple[str, ...]:
    """Return the parties named, in table order."""
    named_parties = {party_of(unit) for unit in named(proposal, tables)}
    return tuple(party for party in tables.parties if party in named_parties)


def ready(state: State, tables: Tables, proposal: Proposal) -> bool:
    """Return whether all signed and sit, with a majority (3.3, R1)."""
    held = members(state)
    sits = all(held.get(officer(m)[1]) == officer(m)[0] for m in proposal.officers.values())
    if not sits or not set(named(proposal, tables)) <= proposal.signed:
        return False
    if dead(state, tables, proposal):
        return False
    behind = supporters(state, tables, proposal.officers.values(), proposal.endorsers)
    return sum(behind.values()) >= tables.majority


def dead(state: State, tables: Tables, proposal: Proposal) -> str:
    """Return why it can never take office; "" while it can, or by the first rulings (R33)."""
    if first_rulings(state):
        return ""
    held, there = members(state), factions(state, tables)
    for member in proposal.officers.values():
        party, district = officer(member)
        if held.get(district) != party:
            return f"{district} has no member of {party} any more"
    for unit in named(proposal, tables):
        if unit not in there:
            return f"{unit} has no members any more"
    most, needed = most_behind(state, tables, proposal), tables.majority
    if most >= needed:
        return ""
    return f"never more than {most} members can stand behind it, and {needed} are needed"


def most_behind(state: State, tables: Tables, proposal: Proposal) -> int:
    """Return the members who may ever support it, also after expulsion (1.8, 3.6)."""
    officers = proposal.officers.values()
    inside = {officer_faction(tables, member) for member in officers}
    behind = supporters(state, tables, officers, proposal.endorsers)
    total = sum(behind.values())
    for unit, size in factions(state, tables).items():
        if unit in behind or is_independent(unit):
            continue
        bloc = affiliation(state, tables, unit, region_of(unit, tables))
        if all(better(points(state, tables, one)[bloc], state.counted) for one in inside):
            total += size
    return total
