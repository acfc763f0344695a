"""The state of a game and its tables; no party, bloc or region is named in code.

A *unit* has a record: a faction ("Soc-Eas"), a party without seats ("Soc") or an independent member
("Ind-W N2"). A *candidate* is a party key or "Ind-W".
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from pbem.games.frame.codec import Json
from pbem.games.frame.treasury import Accounts
from pbem.orders.language import resolve
from pbem.orders.order import Problem
from pbem.text import wrap

PHASES = ("formation", "program", "budget", "bill", "candidates", "ballot", "withdrawals", "runoff")
SESSION = ("program", "budget", "bill", "candidates")
ELECTION = ("ballot", "withdrawals", "runoff")
LATER = {"rulings": "first"}
"""Values in older games, which lack these options (R33)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A record's line (6.1-6.3)."""

    vote: str
    """The unit's vote; "" for its start."""
    points: Mapping[str, int]
    """By bloc."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed Government (3.3)."""

    number: int
    officers: Mapping[str, str]
    """{office: "Soc E5"}."""
    endorsers: tuple[str, ...]
    signed: frozenset[str]
    changes: int = 0
    """How often ``signed`` changed."""


@dataclass(frozen=True, slots=True)
class Division:
    """A bill's last vote, in members (6.7)."""

    yes: int
    no: int
    abstain: int
    passed: bool


@dataclass(frozen=True, slots=True)
class ItemVote:
    """A budget item's vote, in members."""

    high: int
    low: int
    level: str
    passed: bool

    def json(self) -> Json:
        return {"H": self.high, "L": self.low, "level": self.level, "passed": self.passed}


@dataclass(frozen=True, slots=True)
class Candidacy:
    """A candidate."""

    unit: str
    """Whose record is used; "" for none."""
    origin: str
    """Why they stand: "party", "8.6", "8.7", "8.11"."""


@dataclass(frozen=True, slots=True)
class BlocCount:
    """A bloc's vote in a district."""

    votes: int
    points: Mapping[str, int]
    """By candidate."""
    shares: Mapping[str, Fraction]
    """Votes by candidate."""
    rule: str
    """The deciding paragraph."""
    by: str
    """Who ordered it (8.15), or ""."""


@dataclass(frozen=True, slots=True)
class Count:
    """A district's last count."""

    ballot: str
    session: int
    period: int
    bills: int
    """Bills of which a quarter is the mark (8.7)."""
    blocs: Mapping[str, BlocCount]
    incumbency: Mapping[str, int]
    """8.16."""
    bought: Mapping[str, int]
    """8.17."""
    tally: Mapping[str, Fraction]
    winner: str
    rule: str
    """What elected them."""


@dataclass(frozen=True, slots=True)
class Cheque:
    """A waiting payment (house rule 11)."""

    payer: str
    payee: str
    amount: int
    period: int
    """0: the end of this interregnum."""


@dataclass(frozen=True, slots=True)
class Program:
    """This year's Program."""

    levels: Mapping[str, str]
    """{item: H or L}."""
    agenda: tuple[str, ...]
    """Bills to vote on, the next first."""
    again: bool
    """Whether the matter is put again (5.7, 5.8)."""


@dataclass(frozen=True, slots=True)
class State:
    """A game of Parlement 1968."""

    seats: tuple[str, ...]
    options: Mapping[str, str | int]
    phase: str
    period: int
    session: int
    year: int
    holders: Mapping[str, str | None]
    sheets: Mapping[str, Mapping[str, Line]]
    accounts: Accounts
    government: Mapping[str, str] | None = None
    """By office; "" if vacant."""
    former: Mapping[str, str] | None = None
    """The last one's factions, {office: faction} (4.5)."""
    proposals: tuple[Proposal, ...] = ()
    proposed: int = 0
    formation_days: int = 0
    caretaker: bool = False
    program: Program | None = None
    budget: Mapping[str, ItemVote] = field(default_factory=dict)
    """Last voted on, in ``budget_year``."""
    budget_year: int = 0
    budget_passed: bool = False
    """This year, like ``budget_defeats`` and ``falls``."""
    budget_defeats: int = 0
    falls: int = 0
    paid: bool = False
    call_year: int = 0
    bills: Mapping[str, Division] = field(default_factory=dict)
    """This session's, like ``counted``."""
    counted: int = 0
    standing: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """{seat: {"8/Eas": "NO"}}."""
    sealed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    designated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    announced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cheques: tuple[Cheque, ...] = ()
    expelling: tuple[str, ...] = ()
    # the election
    candidates: Mapping[str, Mapping[str, Candidacy]] = field(default_factory=dict)
    elected: Mapping[str, str] = field(default_factory=dict)
    """Of the next Parlement."""
    runoffs: tuple[str, ...] = ()
    bought: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    counts: Mapping[str, Count] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    over: bool = False

    def has_passed(self, bill: str) -> bool:
        return bill in self.bills and self.bills[bill].passed


@dataclass(frozen=True, slots=True)
class Seen(State):
    """A position without proposals that do not name the seat; never stored."""

    attempts: tuple[Json, ...] = ()
    """What is public of all proposals (house rule 3)."""


def members(state: State, districts: Iterable[str] = ()) -> dict[str, str]:
    return {
        district: holder
        for district in districts or state.holders
        if (holder := state.holders[district])
    }


def shown_holder(state: State, district: str) -> str | None:
    """Return the holder; None while undecided."""
    if state.phase in ("withdrawals", "runoff"):
        return state.elected.get(district)
    return state.holders.get(district)


def first_rulings(state: State) -> bool:
    """Return whether the first rulings hold (R33)."""
    return state.options.get("rulings", LATER["rulings"]) == "first"


def limit(state: State, option: str) -> int:
    """Return a limit of R31; 0 for none."""
    value = state.options[option]
    return 0 if value == "off" else int(value)


def seat_counts(state: State) -> dict[str, int]:
    held = Counter(filter(None, (shown_holder(state, district) for district in state.holders)))
    return {**dict.fromkeys(state.seats, 0), **held}


_RANGE = re.compile(r"^([A-Za-z]+)([0-9]{1,6})(?:-([A-Za-z]*)([0-9]{1,6}))?$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a table."""

    key: str
    name: str
    stands: Mapping[str, str]
    """A bill's or item's, by bloc: Y, Y!, N, N!, H, L."""


@dataclass(frozen=True, slots=True)
class Office:
    """A Cabinet office (4.2)."""

    key: str
    name: str
    bills: tuple[str, ...]
    item: str
    """Whose low level it must approve."""


@dataclass(frozen=True)
class Tables:
    """All tables."""

    parties: Mapping[str, str]
    regions: Mapping[str, str]
    letters: Mapping[str, str]
    blocs: Mapping[str, str]
    offices: Mapping[str, Office]
    bills: Mapping[str, Entry]
    items: Mapping[str, Entry]
    figures: Mapping[str, int]
    """Crowns, votes, points, years."""
    votes: Mapping[str, Mapping[str, int]]
    """{bloc: {region: votes a district}}."""
    records: Mapping[str, Mapping[str, int]]
    """Table 2."""
    districts: tuple[str, ...]
    region_of: Mapping[str, str]
    start: Mapping[str, str]
    """{district: party}."""

    @cached_property
    def majority(self) -> int:
        """26 of 50 (3.3)."""
        return len(self.districts) // 2 + 1

    @cached_property
    def quorum(self) -> int:
        """Yes and No together: 25 of 50 (5.6)."""
        return len(self.districts) // 2

    @cached_property
    def premier(self) -> str:
        return next(iter(self.offices))

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """Districts' numerical order (R32)."""
        return {district: place for place, district in enumerate(self.districts)}

    @cached_property
    def alphabetical(self) -> tuple[str, ...]:
        """Blocs by name (R32)."""
        return tuple(sorted(self.blocs, key=self.blocs.__getitem__))

    def region_named(self, word: str) -> str:
        """Return a region's key by its capitals; "" if unknown."""
        return next((key for key in self.regions if key.upper() == word.upper()), "")

    def candidate_named(self, word: str) -> str:
        """Return a candidate's key as ordered: "Ind-W" for "IND-W"."""
        return next((f"Ind-{bloc}" for bloc in self.blocs if f"IND-{bloc.upper()}" == word), word)

    def of_region(self, region: str) -> tuple[str, ...]:
        return tuple(d for d in self.districts if self.region_of[d] == region)

    def candidate_name(self, candidate: str) -> str:
        """Return the name for ties (8.23)."""
        if candidate.startswith("Ind-"):
            return f"Independent {self.blocs.get(candidate[4:], candidate)}"
        return self.parties[candidate]


def spread(districts: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Expand N1, E5-E8 or e5-8; yield unknown words as they are."""
    for word in districts:
        found = _RANGE.match(word)
        if not found or not found.group(4):
            yield word.upper() if word.upper() in known else word
            continue
        letter, first, other, last = found.groups()
        low, high = sorted((int(first), int(last)))
        if (other and other.upper() != letter.upper()) or high - low > len(known):
            yield word
            continue
        names = [f"{letter.upper()}{number}" for number in range(low, high + 1)]
        yield from names if all(name in known for name in names) else [word]


def spans(districts: Iterable[str], tables: Tables) -> str:
    """Return districts in short: "C1-C6, E1"."""
    runs: list[list[str]] = []
    for district in sorted(districts, key=tables.rank.__getitem__):
        last = runs[-1][-1] if runs else ""
        near = last and tables.rank[last] + 1 == tables.rank[district]
        if near and tables.region_of[last] == tables.region_of[district]:
            runs[-1].append(district)
        else:
            runs.append([district])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def read(raw: Mapping[str, Any]) -> Tables:
    """Read TOML that fits together."""
    regions = raw["region"]
    region_of = {f"{r['letter']}{n}": r["key"] for r in regions for n in range(1, r["seats"] + 1)}
    return Tables(
        parties={p["key"]: p["name"] for p in raw["party"]},
        regions={r["key"]: r["name"] for r in regions},
        letters={r["key"]: r["letter"] for r in regions},
        blocs={b["key"]: b["name"] for b in raw["bloc"]},
        offices={
            o["key"]: Office(o["key"], o["name"], tuple(map(str, o["bills"])), o.get("item", ""))
            for o in raw["office"]
        },
        bills={
            str(b["key"]): Entry(str(b["key"]), b.get("name", ""), b["stands"]) for b in raw["bill"]
        },
        items={i["key"]: Entry(i["key"], i["name"], i["stands"]) for i in raw["item"]},
        figures=dict(raw["figures"]),
        votes={b["key"]: b["votes"] for b in raw["bloc"]},
        records={p["key"]: p["record"] for p in raw["party"]},
        districts=tuple(region_of),
        region_of=region_of,
        start={d: p["key"] for p in raw["party"] for d in spread(p["holds"], region_of)},
    )


_KINDS = {
    "party": ("E_PLAYER", 'There is no player "{}" in this game.'),
    "region": ("E_REGION", 'There is no region "{}".'),
    "bloc": ("E_BLOC", 'There is no bloc "{}".'),
    "office": ("E_OFFICE", 'There is no office "{}".'),
    "item": ("E_ITEM", 'There is no budget item "{}".'),
    "district": ("E_DISTRICT", 'There is no district "{}".'),
}
_NOTE = 70  # columns


@dataclass(frozen=True)
class Names:
    """The names in one set of tables."""

    tables: Tables

    @cached_property
    def _named(self) -> Mapping[str, Mapping[str, str]]:
        t = self.tables
        return {
            "party": t.parties,
            "region": t.regions,
            "bloc": t.blocs,
            "office": {key: office.name for key, office in t.offices.items()},
            "item": {key: item.name for key, item in t.items.items()},
            "district": {district: district for district in t.districts},
        }

    @cached_property
    def _known(self) -> Mapping[str, Mapping[str, str]]:
        letters = {letter: key for key, letter in self.tables.letters.items()}
        return {
            kind: {
                **(letters if kind == "region" else {}),
                **{name: key for key, name in names.items()},
                **{key: key for key in names},
            }
            for kind, names in self._named.items()
        }

    @cached_property
    def all(self) -> frozenset[str]:
        """Every name in every spelling."""
        return frozenset(name for known in self._known.values() for name in known)

    @cached_property
    def _exact(self) -> Mapping[str, Mapping[str, str]]:
        return {
            kind: {
                spelling: key for name, key in known.items() for spelling in _spellings(kind, name)
            }
            for kind, known in self._known.items()
        }

    def spelt(self, kind: str, word: str) -> str:
        """Return the key of an exact name, else the word."""
        return self._exact[kind].get(word.casefold(), word)

    def find(self, kind: str, word: str) -> str | Problem:
        exact = self._exact[kind].get(word.casefold())
        if exact is not None:
            return exact
        names = self._known[kind]
        keys = {key: key for key in names.values()}
        for known in (keys, names) if kind != "district" else ():
            found = resolve(word, known)
            if found is not None:
                return found
        code, message = _KINDS[kind]
        return Problem(code, message.format(word), notes=self._legal(kind))

    def _legal(self, kind: str) -> tuple[str, ...]:
        names = [f"{key} ({name})" for key, name in self._named[kind].items()]
        if kind == "office":
            names = list(self._named[kind].values())
        if kind == "district":
            names = [
                f"{(own := self.tables.of_region(region))[0]} to {own[-1]} ({name})"
                for region, name in self.tables.regions.items()
            ]
        return note(f"there are: {', '.join(names)}")

    def faction(self, word: str) -> str:
        """Spell a faction: "EAS" if own, "Soc-Eas" with its party."""
        party, dash, region = word.partition("-")
        if dash:
            return f"{self.spelt('party', party)}-{self.spelt('region', region)}"
        found = self._exact["region"].get(word.casefold())
        return found.upper() if found else word

    def own_region(self, word: str, seat: str) -> str | Problem:
        """Return an own faction's region: EAS, E, East or Soc-Eas."""
        party, dash, region = word.partition("-")
        if dash and self.spelt("party", party) != seat:
            return Problem("E_FACTION", f'"{word}" is not a faction of yours.', "1.6")
        return self.find("region", region if dash else word)

    def full_faction(self, word: str) -> str | Problem:
        party, dash, region = word.partition("-")
        if not dash:
            return Problem(
                "E_FACTION",
                f'"{word}" is not a faction: write party and region, as Soc-Cap.',
                "1.4",
            )
        found, place = self.find("party", party), self.find("region", region)
        if isinstance(found, Problem):
            return found
        return place if isinstance(place, Problem) else f"{found}-{place}"

    def candidate(self, word: str) -> str:
        """Spell a candidate: "Ctr", "IND-W"."""
        head, dash, bloc = word.partition("-")
        if dash and head.casefold() in ("ind", "independent"):
            return f"IND-{self.spelt('bloc', bloc).upper()}"
        return self.spelt("party", word)

    def find_candidate(self, word: str) -> str | Problem:
        head, dash, bloc = word.partition("-")
        if dash and head.casefold() in ("ind", "independent"):
            found = self.find("bloc", bloc)
            return found if isinstance(found, Problem) else f"Ind-{found}"
        return self.find("party", word)


def _spellings(kind: str, name: str) -> list[str]:
    """Return the spellings, folded, with a party's members and British forms."""
    folded = name.casefold()
    ways = [folded, f"{folded}s"] if kind == "party" else [folded]
    british = [way.replace("center", "centre").replace("defense", "defence") for way in ways]
    return list(dict.fromkeys((*ways, *british)))


def note(text: str) -> tuple[str, ...]:
    """Wrap a note to a receipt's width."""
    return tuple(wrap(text, 0, _NOTE).split("\n"))
