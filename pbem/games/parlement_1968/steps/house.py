"""Who sits where (sections 1, 3.1-3.6), the mark of 8.7, and whether a proposed Government is
ready, open or dead (3.3, R1, R33)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pbem.games.frame import events
from pbem.games.frame.events import grouped
from pbem.games.frame.treasury import Payment, pay
from pbem.games.parlement_1968.state import Line, Proposal, State, Tables, first_rulings


def is_independent(unit: str) -> bool:
    return unit.startswith("Ind-")


def party_of(unit: str) -> str:
    """Return the party; "Ind-W" of an independent."""
    return unit.split(" ", 1)[0] if is_independent(unit) else unit.partition("-")[0]


def of_power(unit: str) -> str:
    """Return the party; an independent is their own (6.4)."""
    return unit if is_independent(unit) else party_of(unit)


def better(n: int, counted: int) -> bool:
    """Return whether ``n`` exceeds 25% of the bills voted on (8.7, R14)."""
    return 4 * n > counted


def officer(member: str) -> tuple[str, str]:
    party, _, district = member.partition(" ")
    return party, district


@dataclass(frozen=True, slots=True)
class Control:
    """A party's control of a bloc (8.15)."""

    party: str
    lowest: int
    """Of its lowest faction, in points."""
    regions: frozenset[str]


@dataclass
class House:
    """A position and its tables."""

    state: State
    tables: Tables

    @property
    def premier(self) -> str:
        """The party; "" for none."""
        return self.ministry(self.tables.premier)

    def ministry(self, office: str) -> str:
        """Return the office's party; "" if vacant."""
        return officer((self.state.government or {}).get(office, ""))[0]

    def sits(self, member: str) -> bool:
        party, district = officer(member)
        return self.state.holders.get(district) == party

    def cabinet_districts(self) -> frozenset[str]:
        members = filter(None, (self.state.government or {}).values())
        return frozenset(officer(member)[1] for member in members)

    def faction_of(self, holder: str, district: str) -> str:
        """Return a member's faction (1.4); an independent is their own (6.4)."""
        if is_independent(holder):
            return f"{holder} {district}"
        return f"{holder}-{self.tables.region_of[district]}"

    def officer_faction(self, member: str) -> str:
        return self.faction_of(*officer(member))

    def region_of(self, unit: str) -> str:
        """Return the region; "" for a party without seats."""
        if is_independent(unit):
            return self.tables.region_of[unit.split(" ")[1]]
        return unit.partition("-")[2]

    def unit(self, seat: str, region: str) -> str:
        return f"{seat}-{self.tables.region_named(region)}"

    def factions(self) -> dict[str, int]:
        """Return members by faction or independent, in table order (1.4, 6.4)."""
        members = ((holder, d) for d in self.tables.districts if (holder := self.state.holders[d]))
        sizes, places = Counter(self.faction_of(*one) for one in members), list(self.tables.parties)
        rank = {party: at for at, party in enumerate(places)}
        return dict(sorted(sizes.items(), key=lambda pair: rank.get(party_of(pair[0]), len(rank))))

    def own_factions(self, party: str) -> dict[str, int]:
        own = (d for d in self.tables.districts if self.state.holders[d] == party)
        return dict(Counter(self.faction_of(party, district) for district in own))

    def points(self, unit: str) -> dict[str, int]:
        """Return points by bloc (6.1-6.4): Table 2's without seats (R15), none if unknown (R19)."""
        sheet = self.state.sheets.get(unit)
        if sheet is None:
            known = self.tables.records.get(unit, {})
            return {bloc: known.get(bloc, 0) for bloc in self.tables.blocs}
        totals = dict.fromkeys(self.tables.blocs, 0)
        for line in sheet.values():
            for bloc, n in line.points.items():
                totals[bloc] += n
        return totals

    def affiliation(self, unit: str, region: str) -> str:
        """Return a new independent's bloc: most points, then votes there, then the alphabet
        (1.8)."""
        record, votes = self.points(unit), self.tables.votes
        return min(self.tables.alphabetical, key=lambda bloc: (-record[bloc], -votes[bloc][region]))

    def makeup(self, government: Mapping[str, str]) -> dict[str, str]:
        """Return {office: faction} (4.5)."""
        return {x: member and self.officer_faction(member) for x, member in government.items()}

    def _accepts(self, bloc: str, inside: Iterable[str]) -> bool:
        """3.6."""
        return all(better(self.points(unit)[bloc], self.state.counted) for unit in inside)

    def supporters(self, officers: Iterable[str], endorsers: Iterable[str]) -> dict[str, int]:
        """Return a Government's supporters and their members; independents if their bloc accepts
        every faction in it (3.3, 3.6)."""
        sizes, inside = self.factions(), set(map(self.officer_faction, officers))
        behind = {unit: sizes.get(unit, 0) for unit in (*sorted(inside), *endorsers)}
        for unit, size in sizes.items():
            if is_independent(unit) and self._accepts(party_of(unit)[4:], inside):
                behind[unit] = size
        return behind

    def offices_for(self, bill: str | None = None, item: str | None = None) -> tuple[str, ...]:
        """Return the ministries that must approve (4.2, Table 1)."""
        return tuple(
            key
            for key, office in self.tables.offices.items()
            if (bill and bill in office.bills) or (item and item == office.item)
        )

    def lawful_record(self, seat: str, region: str) -> bool:
        """Return whether the designated faction has a fifth of the members (8.8)."""
        own = self.own_factions(seat)
        return 5 * own.get(f"{seat}-{region}", 0) >= sum(own.values()) and f"{seat}-{region}" in own

    def controls(self) -> dict[str, Control]:
        """Return blocs' controllers: every faction leads all others by 5 points (8.15).
        Independents do not count (R22)."""
        records = grouped(
            (party_of(unit), (unit.partition("-")[2], self.points(unit)))
            for unit in self.factions()
            if not is_independent(unit)
        )
        found: dict[str, Control] = {}
        for bloc in self.tables.blocs:
            lowest = {party: min(x[bloc] for _, x in own) for party, own in records.items()}
            first = max(lowest, key=lowest.__getitem__, default="")
            others = [x[bloc] for party, own in records.items() if party != first for _, x in own]
            lead = self.tables.figures["control_lead"]
            if first and lowest[first] - max(others, default=-99) >= lead:
                regions = frozenset(region for region, _ in records[first])
                found[bloc] = Control(first, lowest[first], regions)
        return found

    def named(self, proposal: Proposal) -> tuple[str, ...]:
        officers = [proposal.officers[office] for office in self.tables.offices]
        return tuple(dict.fromkeys((*map(self.officer_faction, officers), *proposal.endorsers)))

    def own_named(self, proposal: Proposal, seat: str) -> list[str]:
        return [unit for unit in self.named(proposal) if party_of(unit) == seat]

    def parties_named(self, proposal: Proposal) -> tuple[str, ...]:
        """Return the parties named, in table order."""
        parties = set(map(party_of, self.named(proposal)))
        return tuple(party for party in self.tables.parties if party in parties)

    def ready(self, proposal: Proposal) -> bool:
        """Return whether all signed and sit, with a majority (3.3, R1)."""
        officers = proposal.officers.values()
        signed = set(self.named(proposal)) <= proposal.signed
        if not signed or not all(map(self.sits, officers)) or self.dead(proposal):
            return False
        behind = self.supporters(officers, proposal.endorsers)
        return sum(behind.values()) >= self.tables.majority

    def dead(self, proposal: Proposal) -> str:
        """Return why it can never take office; "" while it can, or by the first rulings (R33)."""
        if first_rulings(self.state):
            return ""
        for member in proposal.officers.values():
            if not self.sits(member):
                party, district = officer(member)
                return f"{district} has no member of {party} any more"
        there = self.factions()
        for unit in self.named(proposal):
            if unit not in there:
                return f"{unit} has no members any more"
        most, needed = self.most_behind(proposal), self.tables.majority
        if most >= needed:
            return ""
        return f"never more than {most} members can stand behind it, and {needed} are needed"

    def most_behind(self, proposal: Proposal) -> int:
        """Return the members who may ever support it, also after expulsion (1.8, 3.6)."""
        officers = proposal.officers.values()
        inside = set(map(self.officer_faction, officers))
        behind = self.supporters(officers, proposal.endorsers)
        return sum(behind.values()) + sum(
            size
            for unit, size in self.factions().items()
            if unit not in behind
            and not is_independent(unit)
            and self._accepts(self.affiliation(unit, self.region_of(unit)), inside)
        )


@dataclass
class Period(House, events.Period[State, Tables]):
    """A period."""

    def pay(self, *entries: Payment) -> None:
        self.state = replace(self.state, accounts=pay(self.state.accounts, entries))

    def made_independent(self, districts: Iterable[str]) -> dict[str, str]:
        """Make these members independents on their faction's record, out of the Cabinet (1.8).
        Return {district: "Ind-W"}."""
        state, became = self.state, dict[str, str]()
        holders, sheets = dict(state.holders), dict(state.sheets)
        for district in districts:
            party = holders[district]
            assert party
            unit = self.faction_of(party, district)
            bloc = self.affiliation(unit, self.tables.region_of[district])
            became[district] = holders[district] = f"Ind-{bloc}"
            sheets[f"Ind-{bloc} {district}"] = state.sheets.get(unit, {"start": Line("", {})})
        government = state.government and {
            office: "" if officer(member)[1] in became else member
            for office, member in state.government.items()
        }
        self.state = replace(state, holders=holders, sheets=sheets, government=government)
        return became
