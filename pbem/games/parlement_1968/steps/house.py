"""Who sits where (sections 1, 3.1-3.6), the mark of 8.7, and whether a proposed Government is
ready, open or dead (3.3, R1, R33)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pbem.games.parlement_1968.state import Line, Proposal, State, Tables, first_rulings, members


def faction_of(tables: Tables, holder: str, district: str) -> str:
    """Return a member's faction (1.4); an independent is their own (6.4)."""
    return (
        f"{holder} {district}" if is_independent(holder) else f"{holder}-{tables.region(district)}"
    )


def factions(state: State, tables: Tables) -> dict[str, int]:
    """Return members by faction or independent, in table order (1.4, 6.4)."""
    by_party: dict[str, dict[str, int]] = {party: {} for party in tables.parties}
    for district in tables.districts:
        holder = state.holders[district]
        if holder:
            unit = (
                f"{holder}-{tables.region_of[district]}"
                if holder in by_party
                else f"{holder} {district}"
            )
            sizes = by_party[holder] if holder in by_party else by_party.setdefault("", {})
            sizes[unit] = sizes.get(unit, 0) + 1
    return {unit: size for own in by_party.values() for unit, size in own.items()}


def is_independent(unit: str) -> bool:
    return unit.startswith("Ind-")


def party_of(unit: str) -> str:
    """Return the party; "Ind-W" of an independent."""
    return unit.split(" ", 1)[0] if is_independent(unit) else unit.partition("-")[0]


def region_of(unit: str, tables: Tables) -> str:
    """Return the region; "" for a party without seats."""
    if is_independent(unit):
        return tables.region(unit.split(" ")[1])
    return unit.partition("-")[2]


def own_factions(state: State, tables: Tables, party: str) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for district in tables.districts:
        if state.holders[district] == party:
            unit = f"{party}-{tables.region_of[district]}"
            sizes[unit] = sizes.get(unit, 0) + 1
    return sizes


def points(state: State, tables: Tables, unit: str) -> dict[str, int]:
    """Return points by bloc (6.1-6.4): Table 2's without seats (R15), none if unknown (R19)."""
    sheet = state.sheets.get(unit)
    if sheet is None:
        return {bloc: tables.records.get(unit, {}).get(bloc, 0) for bloc in tables.blocs}
    totals = dict.fromkeys(tables.blocs, 0)
    for line in sheet.values():
        for bloc, n in line.points.items():
            totals[bloc] += n
    return totals


def better(n: int, counted: int) -> bool:
    """Return whether ``n`` exceeds 25% of the bills voted on (8.7, R14)."""
    return 4 * n > counted


def affiliation(state: State, tables: Tables, unit: str, region: str) -> str:
    """Return a new independent's bloc: most points, then votes there, then the alphabet (1.8)."""
    record = points(state, tables, unit)
    return min(
        tables.alphabetical,
        key=lambda bloc: (
            -record[bloc],
            -tables.votes[bloc][region],
            tables.alphabetical.index(bloc),
        ),
    )


def officer(member: str) -> tuple[str, str]:
    party, _, district = member.partition(" ")
    return party, district


def officer_faction(tables: Tables, member: str) -> str:
    party, district = officer(member)
    return faction_of(tables, party, district)


def ministry(state: State, office: str) -> str:
    """Return the office's party; "" if vacant."""
    return officer((state.government or {}).get(office, ""))[0]


def makeup(tables: Tables, government: Mapping[str, str]) -> dict[str, str]:
    """Return {office: faction} (4.5)."""
    return {
        office: officer_faction(tables, member) if member else ""
        for office, member in government.items()
    }


def cabinet_districts(state: State) -> frozenset[str]:
    return frozenset(officer(member)[1] for member in (state.government or {}).values() if member)


def supporters(
    state: State, tables: Tables, officers: Iterable[str], endorsers: Iterable[str]
) -> dict[str, int]:
    """Return a Government's supporters and their members; independents if their bloc accepts every
    faction in it (3.3, 3.6)."""
    sizes = factions(state, tables)
    inside = {officer_faction(tables, member) for member in officers}
    behind = {unit: sizes.get(unit, 0) for unit in (*sorted(inside), *endorsers)}
    for unit, size in sizes.items():
        if is_independent(unit):
            bloc = party_of(unit)[4:]
            if all(
                better(points(state, tables, faction)[bloc], state.counted) for faction in inside
            ):
                behind[unit] = size
    return behind


def made_independent(
    state: State, tables: Tables, districts: Iterable[str]
) -> tuple[State, dict[str, str]]:
    """Make these members independents on their faction's record, out of the Cabinet (1.8). Return
    the state and {district: "Ind-W"}."""
    holders, sheets, became = dict(state.holders), dict(state.sheets), dict[str, str]()
    for district in districts:
        party = holders[district]
        assert party
        unit, region = faction_of(tables, party, district), tables.region(district)
        became[district] = f"Ind-{affiliation(state, tables, unit, region)}"
        holders[district] = became[district]
        sheets[f"{became[district]} {district}"] = state.sheets.get(unit, {"start": Line("", {})})
    government = state.government
    if government is not None:
        government = {
            office: "" if member and officer(member)[1] in became else member
            for office, member in government.items()
        }
    return replace(state, holders=holders, sheets=sheets, government=government), became


def offices_for(
    tables: Tables, bill: str | None = None, item: str | None = None
) -> tuple[str, ...]:
    """Return the ministries that must approve (4.2, Table 1)."""
    return tuple(
        key
        for key, office in tables.offices.items()
        if (bill and bill in office.bills) or (item and item == office.item)
    )


def lawful_record(state: State, tables: Tables, seat: str, region: str) -> bool:
    """Return whether the designated faction has a fifth of the members (8.8)."""
    own = own_factions(state, tables, seat)
    return 5 * own.get(f"{seat}-{region}", 0) >= sum(own.values()) > 0 and f"{seat}-{region}" in own


@dataclass(frozen=True, slots=True)
class Control:
    """A party's control of a bloc (8.15)."""

    party: str
    lowest: int
    """Of its lowest faction, in points."""
    regions: frozenset[str]


def controls(state: State, tables: Tables) -> dict[str, Control]:
    """Return blocs' controllers: every faction leads all others by 5 points (8.15). Independents do
    not count (R22)."""
    records: dict[str, list[tuple[str, dict[str, int]]]] = {}
    for unit in factions(state, tables):
        if not is_independent(unit):
            records.setdefault(party_of(unit), []).append(
                (unit.partition("-")[2], points(state, tables, unit))
            )
    found: dict[str, Control] = {}
    for bloc in tables.blocs:
        lowest = {party: min(record[bloc] for _, record in own) for party, own in records.items()}
        first = max(lowest, key=lowest.__getitem__, default="")
        others = [
            record[bloc] for party, own in records.items() if party != first for _, record in own
        ]
        if first and lowest[first] - max(others, default=-99) >= tables.figures["control_lead"]:
            found[bloc] = Control(
                first, lowest[first], frozenset(region for region, _ in records[first])
            )
    return found


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
