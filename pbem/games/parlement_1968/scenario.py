"""Scenario fields of Parlement of 1968, with the names and shapes of the views."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pbem.games.frame.codec import Json
from pbem.games.frame.scenario import (
    At,
    Either,
    Flag,
    Kind,
    Listed,
    Made,
    Name,
    Names,
    Nothing,
    Numbered,
    Part,
    Share,
    Table,
    Text,
    Whole,
    Word,
    entry,
    exact,
    in_capitals,
    or_nothing,
    read_whole,
    wrong,
)
from pbem.games.parlement_1968 import state
from pbem.games.parlement_1968.state import PHASES, spread

_EMPTY = ("", "null", "none", "vacant")
_INDEPENDENT = re.compile(r"ind-(\w+)", re.IGNORECASE)


def _member(at: At, text: str) -> str | None:
    party, _, district = text.partition(" ")
    found = at.names["district"].find(district)
    return f"{party} {found}" if found and party in at.names["party"].listed else None


def _span(at: At, text: str) -> tuple[str, ...] | None:
    names = at.names["district"]
    rank = {district: place for place, district in enumerate(names.listed)}
    found = [names.find(district) for district in spread([text], rank)]
    return tuple(filter(None, found)) if all(found) else None


def _flat(_: At, spans: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(district for span in spans for district in span)


def _matter(at: At, text: str) -> str | None:
    """Read a standing vote's bill or item, and a region or none."""
    matter, stroke, region = text.partition("/")
    known = matter in at.names["bill"].listed or matter in at.names["item"].listed
    return text if known and stroke and (not region or at.names["region"].find(region)) else None


_NOBODY = Nothing(*_EMPTY)
_PARTY, _REGION, _DISTRICT = Name("party"), Name("region"), Name("district")
_CANDIDATE = Name("candidate")
_SPAN = Made(Text(40), _span, 'a district or a row of them, as "N1-N3"')
_DISTRICTS: Kind[tuple[str, ...]] = Made(
    Listed(_SPAN), _flat, 'a list of districts, as ["C1-C6", "E1"]'
)
_CANDIDATES = Table(_CANDIDATE, _DISTRICTS)
_MEMBERS = Table(Name("office"), Either(_NOBODY, Made(Text(60), _member, 'a member, as "Soc E5"')))
_GOVERNMENT = Either(_NOBODY, _MEMBERS)
_LEVEL = Word("H", "L")

_HOLDER = or_nothing(_CANDIDATE, *_EMPTY)


@dataclass(frozen=True, slots=True)
class Division:
    yes: int = entry(Whole(), "members for it", default=0)
    no: int = entry(Whole(), "members against it", default=0)
    abstain: int = entry(Whole(), "abstentions", default=0)
    passed: bool | None = entry(Flag(), "whether it passed", "by the members")


@dataclass(frozen=True, slots=True)
class ItemVote:
    H: int = entry(Whole(), "members for the high level", default=0)
    L: int = entry(Whole(), "members for the low level", default=0)
    level: str | None = entry(_LEVEL, "the Government's level", "by the members")
    passed: bool = entry(Flag(), "whether it passed", default=True)


@dataclass(frozen=True, slots=True)
class Program:
    levels: dict[str, str] | None = entry(Table(Name("item"), _LEVEL), "the Budget proposed", "H")
    bills: tuple[str, ...] = entry(
        Listed(Numbered("bill")), "still to be voted on, the first is before the house", default=()
    )
    again: bool = entry(Flag(), "what is before the house is being put again", default=False)


@dataclass(frozen=True, slots=True)
class District:
    holder: str | None = entry(
        _HOLDER, 'who holds it: a party, "Ind-W", or "" for nobody', "as the tables have it"
    )
    incumbent: str | None = entry(_HOLDER, "in an election: who held it before", "as holder has it")
    tally: dict[str, Fraction] | None = entry(
        Table(_CANDIDATE, Share()), "the votes of the last ballot there", "none"
    )


@dataclass(frozen=True, slots=True)
class Public:
    phase: str | None = entry(Word(*PHASES), "the phase, also as `phase`")
    period: int = entry(Whole(1, 9999), "number of the first period", default=1)
    session: int = entry(Whole(1, 9999), "number of the session", default=1)
    year: int = entry(Whole(1, 9999), "year of the session", default=1)
    falls: int = entry(Whole(), "Governments fallen this year (8.3)", default=0)
    budget_passed: bool | None = entry(
        Flag(), "this year's Budget has passed", "by `budget` and the phase"
    )
    bills_voted: int | None = entry(
        Whole(), "bills voted on this session, each Budget counting four (8.7)", "counted"
    )
    election_year: int = entry(
        Whole(), "an election is called, for the end of this year (8.1)", default=0
    )
    government: dict[str, str | None] | None = entry(
        _GOVERNMENT, "the Government; an office left out is vacant", "none"
    )
    former: dict[str, str | None] | None = entry(
        _GOVERNMENT, "the Government before, for the formation of the next", "none"
    )
    paid: bool | None = entry(Flag(), "this year's salaries are paid", "true after a Government")
    records: dict[str, dict[str, int]] | None = entry(
        Table(Name("bloc"), Table(Text(40), Whole())),
        "points of each faction, party or independent with each bloc",
        "as the tables have it",
    )
    districts: dict[str, District] | None = entry(
        Table(_DISTRICT, Part(District)), "who holds which district", "as the tables have it"
    )
    seats: dict[str, int] | None = entry(
        Table(_CANDIDATE, Whole()), "seats of the parties, as a check of the districts"
    )
    budget: dict[str, ItemVote] | None = entry(
        Table(Name("item"), Part(ItemVote)), "the Budget voted on already: all items", "none"
    )
    bills: dict[str, Division] | None = entry(
        Table(Numbered("bill"), Part(Division)), "bills voted on already", "none"
    )
    program: Program | None = entry(Part(Program), "the Government's Program", "none")
    announced: dict[str, tuple[str, ...]] | None = entry(
        Table(_PARTY, _DISTRICTS), "candidates announced early (8.5)", "none"
    )
    candidates: dict[str, tuple[str, ...]] | None = entry(_CANDIDATES, "also as `candidates`")
    runoffs: tuple[str, ...] | None = entry(
        _DISTRICTS, "districts still open", "those without a holder"
    )
    bought: dict[str, dict[str, int]] | None = entry(
        Table(_DISTRICT, Table(_CANDIDATE, Whole())), "votes bought on the first ballot", "none"
    )


@dataclass(frozen=True, slots=True)
class Cheque:
    """A waiting payment."""

    to: str = entry(_PARTY, "who gets it", needed=True)
    amount: int = entry(Whole(), "crowns", needed=True)
    period: int = entry(Whole(), "the period it waits for", needed=True)


@dataclass(frozen=True, slots=True)
class Private:
    treasury: int | None = entry(Whole(), "crowns", "by its seats")
    standing: dict[str, str] | None = entry(
        Table(
            Made(Text(40), _matter, 'a bill or an item and its region, as "8/" or "Def/Eas",'),
            Word("YES", "NO", "ABSTAIN", "H", "L"),
        ),
        "standing votes",
        "none",
    )
    list: tuple[str, ...] | None = entry(_DISTRICTS, "a sealed list of candidates", "none")
    records_as: dict[str, str] | None = entry(
        Table(_REGION, _REGION), "on whose records its candidates run (8.8)", "none"
    )
    cheques: tuple[Cheque, ...] = entry(
        Listed(Part(Cheque)), "payments that wait", "none", default=()
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str | None = entry(Text(), "what the scenario is called")
    phase: str | None = entry(Word(*PHASES), "the phase to start in", "program with a Government")
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[str, Private] | None = entry(
        Table(_PARTY, Part(Private)), "what a party alone knows"
    )
    candidates: dict[str, tuple[str, ...]] | None = entry(
        _CANDIDATES, 'who stands where, for the phases of an election; also "Ind-W"', "nobody"
    )


_KEY, _LABEL = Text(30), Text(80)
_NUMBERS: Kind[Any] = Table(_KEY, Whole(-9999))


@dataclass(frozen=True, slots=True)
class PartyRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    record: dict[str, int] = entry(_NUMBERS, "points with each bloc at the start", needed=True)
    holds: tuple[str, ...] = entry(Listed(Text(40)), "districts it holds", needed=True)


@dataclass(frozen=True, slots=True)
class RegionRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    letter: str = entry(Text(1), "the letter of its districts", needed=True)
    seats: int = entry(Whole(1, 999), "how many districts", needed=True)


@dataclass(frozen=True, slots=True)
class BlocRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    votes: dict[str, int] = entry(_NUMBERS, "votes in a district of each region", needed=True)


_ANY_NUMBER: Kind[Any] = Either(Text(9), Whole())


@dataclass(frozen=True, slots=True)
class OfficeRow:
    """An office, the Premier's first."""

    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    bills: tuple[str | int, ...] = entry(Listed(_ANY_NUMBER), "bills it controls", needed=True)
    item: str | None = entry(Text(30, 0), "the item whose low level it approves (4.2)", "none")


@dataclass(frozen=True, slots=True)
class BillRow:
    key: str | int = entry(_ANY_NUMBER, "its number", needed=True)
    stands: dict[str, str] = entry(
        Table(_KEY, Text(2, about="Y, Y!, N or N!")), "the stand of each bloc", needed=True
    )
    name: str | None = entry(Text(80, 0), "its name", "none")


@dataclass(frozen=True, slots=True)
class ItemRow:
    key: str = entry(_KEY, "its key", needed=True)
    name: str = entry(_LABEL, "its name", needed=True)
    stands: dict[str, str] = entry(
        Table(_KEY, Text(2, about="H or L")), "the stand of each bloc", needed=True
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Crowns, votes, points and years."""

    per_seat: int | None = entry(Whole(), "crowns for each seat (7.3)")
    per_office: int | None = entry(Whole(), "crowns for each office and year (7.2)")
    favourite: int | None = entry(Whole(), "crowns to a bloc's favourite (7.4)")
    filing_fee: int | None = entry(Whole(), "crowns for each candidate (7.5)")
    incumbent_votes: int | None = entry(Whole(), "votes of an incumbent (8.16)")
    cabinet_votes: int | None = entry(Whole(), "votes of an incumbent in the Cabinet (8.16)")
    bought_votes: int | None = entry(Whole(), "the most that money buys one candidate (8.17)")
    control_lead: int | None = entry(Whole(), "points (8.15)")
    budget_weight: int | None = entry(Whole(), "bills that a Budget counts as (8.7)")
    session_years: int | None = entry(Whole(1, 9999), "years of a session (8.2)")


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables that a scenario may replace; a list of rows is replaced whole."""

    party: tuple[PartyRow, ...] | None = entry(Listed(Part(PartyRow)), "the parties")
    region: tuple[RegionRow, ...] | None = entry(Listed(Part(RegionRow)), "the regions")
    bloc: tuple[BlocRow, ...] | None = entry(Listed(Part(BlocRow)), "the blocs")
    office: tuple[OfficeRow, ...] | None = entry(Listed(Part(OfficeRow)), "the offices")
    bill: tuple[BillRow, ...] | None = entry(Listed(Part(BillRow)), "the bills")
    item: tuple[ItemRow, ...] | None = entry(Listed(Part(ItemRow)), "the budget items")
    figures: Figures | None = entry(Part(Figures), "figures")
    marks: dict[str, str] | None = entry(Table(Text(40), Text()), "which cells are attested")


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError with every fault of the merged tables. An unknown bloc or region instead
    of a required one is a fault; additional ones are ignored."""
    keys = {kind: [row["key"] for row in tables[kind]] for kind in ("bloc", "region")}
    for kind, column, of in _BY_NAME:
        for place, row in enumerate(tables[kind], 1):
            strange = [name for name in row[column] if name not in keys[of]]
            if strange and not set(keys[of]) <= set(row[column]):
                key = f"tables.{kind}[{place}].{column}.{strange[0]}"
                wrong(key, f"there is no such {of}; there are {', '.join(keys[of])}")
    state.read(tables)


_BY_NAME = (
    ("party", "record", "bloc"),
    ("bloc", "votes", "region"),
    ("bill", "stands", "bloc"),
    ("item", "stands", "bloc"),
)


def _candidates(known: state.Tables) -> Names:
    listed = (*known.parties, *(f"Ind-{bloc}" for bloc in known.blocs))

    def find(word: str) -> str | None:
        independent = _INDEPENDENT.fullmatch(word)
        if not independent:
            return word if word in known.parties else None
        bloc, upper = independent[1], independent[1].upper()
        named = f"Ind-{upper if upper in known.blocs else bloc}"
        return named if named in listed else None

    return Names(listed, find)


def _with_vacancies(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a view's null holder as ""."""
    public = scenario.get("public")
    districts = public.get("districts") if isinstance(public, Mapping) else None
    if not isinstance(public, Mapping) or not isinstance(districts, Mapping):
        return scenario
    told = {
        district: {k: "" if v is None and k != "tally" else v for k, v in row.items()}
        if isinstance(row, Mapping)
        else row
        for district, row in districts.items()
    }
    return {**scenario, "public": {**public, "districts": told}}


def reading(scenario: Json, known: state.Tables) -> Scenario:
    names = {
        "party": exact(known.parties),
        "bloc": exact(known.blocs),
        "region": exact(known.regions),
        "district": in_capitals(known.districts),
        "office": exact(known.offices),
        "bill": exact(known.bills),
        "item": exact(known.items),
        "candidate": _candidates(known),
    }
    return read_whole(Scenario, _with_vacancies(scenario), names)
