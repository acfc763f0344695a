"""The state of a game, and the tables of ``rules/parlement-1966.toml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.scenario import Flag, Listed, Name, Text, Whole, Word, entry
from pbem.games.frame.treasury import Accounts
from pbem.orders.language import resolve
from pbem.orders.spelling import is_number

OFFICES = ("premier", "foreign", "defense", "finance")
PARTIES = {"S": "Socialist", "R": "Radical", "L": "Liberal", "C": "Conservative", "M": "Monarchist"}
"""From left to right."""

PARTY_NAMES = {
    **{key: key for key in PARTIES},
    **{f"{name}s": key for key, name in PARTIES.items()},
}
OFFICE_NAMES = {**{office: office for office in OFFICES}, "defence": "defense", "prime": "premier"}
VOTES = {
    **dict.fromkeys(("yes", "y", "aye", "for"), "yes"),
    **dict.fromkeys(("no", "n", "nay", "against"), "no"),
    **dict.fromkeys(("abstain", "a", "abstention"), "abstain"),
}
_NO_NAMES = {*VOTES, "bill", "bills", "amendment", "on", "the", "with", "instead", "of", "and"}


def bill_names(names: Mapping[int, str]) -> dict[str, int]:
    """Return {small letters: number} of names of one bill."""
    called: dict[str, set[int]] = {}
    for number, name in names.items():
        for words in (name, *name.split()):
            called.setdefault(" ".join(words.casefold().split()), set()).add(number)
    kept = {words: min(found) for words, found in called.items() if len(found) == 1}
    return {
        words: number
        for words, number in kept.items()
        if words.isascii() and words[0].isalpha() and words not in _NO_NAMES
    }


def party(word: str) -> str:
    key = word.upper()
    if key in PARTIES:
        return key
    found = resolve(word, PARTY_NAMES)
    return found if isinstance(found, str) else key


def office(word: str) -> str:
    found = resolve(word, OFFICE_NAMES)
    return found if isinstance(found, str) else word.upper()


def vote(word: str) -> str:
    return VOTES.get(word.lower(), word.upper())


DISTRICTS = 50
PHASES = ("session", "primary", "runoff")
PARTY = Name("party")
LISTED, MEMBERS = Listed(PARTY), Whole(0, DISTRICTS)
LATER = {"rulings": "first"}
"""Values in older games, which lack these options (R22)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options; None for off. ``first_rulings``: those before November 2026 (R22). ``cheques``:
    payees cash them (R23)."""

    emergency_after: int | None = None
    record_per_session: bool = False
    notices: bool = False
    house_rules: bool = True
    max_sessions: int | None = None
    first_rulings: bool = True
    cheques: bool = False


@dataclass(frozen=True, slots=True)
class Government:
    """Who governs. ``number``: of its installation. An emergency Government (10) has no offices."""

    number: int
    offices: Mapping[str, str]
    emergency: bool = False

    @property
    def premier(self) -> str:
        """Its party; "" in an emergency."""
        return self.offices.get("premier", "")

    @property
    def parties(self) -> frozenset[str]:
        return frozenset(self.offices.values())

    def leader_of(self, party: str) -> str:
        """Return the Premier as whom a minister's party votes (16); "" for others."""
        return self.premier if party in self.parties - {self.premier} else ""

    def held_by(self, party: str) -> tuple[str, ...]:
        return tuple(office for office in OFFICES if self.offices.get(office) == party)


@dataclass(frozen=True, slots=True)
class Called:
    """A bill put. ``by``: government, opposition or gamesmaster; only ``government`` is bound."""

    bill: int
    by: str
    signers: tuple[str, ...]
    government: int | None


@dataclass(frozen=True, slots=True)
class Voted:
    """A bill's result in this session."""

    yes: int = entry(MEMBERS, "votes for it", default=0)
    no: int = entry(MEMBERS, "votes against it", default=0)
    abstain: int = entry(MEMBERS, "abstentions", default=0)
    passed: bool = entry(Flag(), "whether it passed", default=False)


@dataclass(frozen=True, slots=True)
class Ballot:
    """A further ballot. ``free``: party blocs are (25); ``round`` 2: the runoff."""

    entrants: tuple[str, ...] = entry(LISTED, "who is in it", needed=True)
    free: bool = entry(Flag(), "whether the party blocs are free", default=False)
    round: int = entry(Whole(2, 99), "2 for a runoff, 3 for a third ballot", default=2)


@dataclass(frozen=True, slots=True)
class Instructions:
    """Where blocs without candidate vote: by district, else by preference (24)."""

    blocs: Mapping[str, str] = field(default_factory=dict)
    prefer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Amendment:
    """A proposed amendment (35). ``stage``: signing, put (voted on now), carried (put again in the
    session after ``session``), adopted or rejected. ``done``: how it was carried out."""

    follows: ClassVar = ("put",)
    number: int = entry(Whole(1), "its number", needed=True)
    text: str = entry(Text(4000), "its words", needed=True)
    signers: tuple[str, ...] = entry(LISTED, "who signed it", "nobody", default=())
    stage: str = entry(
        Word("signing", "put", "carried", "adopted", "rejected"), "how far it is", default="signing"
    )
    session: int = entry(Whole(), "the session it was carried in", default=0)
    done: tuple[str, ...] = entry(
        Listed(Text(200)), "how it was carried out: name=value, or by hand", "not yet", default=()
    )

    def voted_in(self, session: int, period: int) -> bool:
        return self.stage == "put" or (
            self.stage == "carried" and session == self.session + 1 and period == 1
        )


@dataclass(frozen=True, slots=True)
class OpenCheque:
    """A cheque not cashed (27, R23)."""

    number: int
    payer: str
    payee: str
    crowns: int


@dataclass(frozen=True, slots=True)
class State:
    """The position between two periods. ``period`` counts in its ``session``, ``number`` all;
    ``extensions``: of the first. ``turn``: who may propose, government or opposition (13).
    ``election``: who called it (premier, gamesmaster, emergency) or None. ``crisis``: paragraph 10
    waits. ``local``: party blocs' votes in districts 1 to 50 (negative: debt). ``waiting``: orders
    kept through an extension. ``listed``: treasuries as published. ``missed``: moves in a row.
    ``winners``: None during the game. ``changed``: by amendments."""

    settings: Settings
    phase: str
    session: int
    period: int
    number: int
    seats: Mapping[str, int]
    accounts: Accounts
    local: Mapping[str, tuple[int, ...]]
    records: Mapping[str, Mapping[str, int]]
    holders: tuple[str | None, ...] = (None,) * DISTRICTS
    extensions: int = 0
    government: Government | None = None
    installed: int = 0
    turn: str = "government"
    called: tuple[Called, ...] = ()
    bills: Mapping[str, Voted] = field(default_factory=dict)
    election: str | None = None
    crisis: bool = False
    candidates: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tallies: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    ballots: Mapping[str, Ballot] = field(default_factory=dict)
    instructions: Mapping[str, Instructions] = field(default_factory=dict)
    standing_votes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    amendments: tuple[Amendment, ...] = ()
    waiting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listed: Mapping[str, int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] | None = None
    cheques: tuple[OpenCheque, ...] = ()
    changed: Mapping[str, int] = field(default_factory=dict)

    @property
    def last(self) -> bool:
        """Whether lists and votes are due, and no new bill (19)."""
        return self.phase == "session" and self.election is not None

    @property
    def unformed(self) -> bool:
        """Whether the first Government is to be formed; until then the period goes on (4)."""
        first = (self.phase, self.session, self.period) == ("session", 1, 1)
        return first and self.government is None

    def has_passed(self, bill: int | None) -> bool:
        """Return whether the bill has passed in this session (17)."""
        vote = self.bills.get(str(bill))
        return vote is not None and vote.passed

    def governing(self) -> Government | None:
        """Return the Government that binds and is paid; None in an emergency."""
        return None if self.government is None or self.government.emergency else self.government

    def led_by(self, seat: str) -> bool:
        """Return whether ``seat`` is the Premier."""
        government = self.governing()
        return government is not None and government.premier == seat


def first_rulings(dumped: Json) -> Json:
    """Upgrade schema 1, keeping its rulings (R22)."""
    return {**dumped, "settings": {**dumped["settings"], "first_rulings": True}}


def second_rulings(dumped: Json) -> Json:
    """Upgrade schema 2, which knows PAY alone (R23)."""
    return {
        **dumped,
        "settings": {**dumped["settings"], "cheques": False},
        "amendments": [{**one, "done": []} for one in dumped["amendments"]],
        "cheques": [],
        "changed": {},
    }


def in_order(state: State, blocs: tuple[str, ...]) -> State:
    """Order parties from left to right, numbers rising: bulletins print alike."""
    rank = {name: at for at, name in enumerate((*blocs, *PARTIES, *OFFICES))}

    def place(key: str) -> int:
        return int(key) if is_number(key) else rank.get(key, 0)

    def ordered(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: ordered(value[key]) for key in sorted(value, key=place)}
        return whole(value) if isinstance(value, Instructions | Government) else value

    def whole(part: Any) -> Any:
        return replace(part, **{x.name: ordered(getattr(part, x.name)) for x in fields(part)})

    return whole(state)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Bill:
    """A row of Table 1. ``stances``: unrestrained votes. ``favours``: by independent bloc.
    ``minister``: who signs, or None."""

    number: int
    name: str
    stances: Mapping[str, str]
    favours: Mapping[str, str]
    minister: str | None

    def restrains(self, party: str, vote: str) -> bool:
        stance = self.stances.get(party)
        return (stance == "Y" and vote == "no") or (stance == "N" and vote == "yes")

    def earns(self, bloc: str, vote: str, restrained: bool, passed: bool) -> int:
        """Return a vote's points with a bloc (22)."""
        favours = self.favours.get(bloc) == "Y"
        if vote != ("yes" if favours else "no"):
            return 0
        if restrained:
            return 1
        return 5 if favours and passed else 2

    def worth(self, party: str, vote: str, passed: bool) -> dict[str, int]:
        """Return a vote's points, by blocs that give any (22)."""
        restrained = self.restrains(party, vote)
        points = {bloc: self.earns(bloc, vote, restrained, passed) for bloc in self.favours}
        return {bloc: earned for bloc, earned in points.items() if earned}


@dataclass(frozen=True, slots=True)
class Tables:
    """Table 1 and the figures. ``missing``: where a party has no bloc (21). Crowns: ``fee``,
    ``salary``, ``contribution``. Votes: ``independent`` and ``party_bloc`` at the start, ``loss``
    after an election."""

    bills: Mapping[int, Bill]
    blocs: tuple[str, ...]
    missing: Mapping[str, tuple[int, ...]]
    independent: int
    party_bloc: int
    loss: int
    fee: int
    salary: int
    contribution: int
    seats: int


def read(raw: Mapping[str, Any]) -> Tables:
    bills = {
        int(number): Bill(
            int(number),
            row.get("name", ""),
            {p: v for p, v in row.get("parties", {}).items() if v},
            dict(row["blocs"]),
            row.get("minister") or None,
        )
        for number, row in raw["bills"].items()
    }
    missing = {party: tuple(raw["missing"].get(party, ())) for party in PARTIES}
    votes, crowns = raw["votes"], raw["crowns"]
    return Tables(
        bills,
        tuple(raw["blocs"]),
        missing,
        votes["independent"],
        votes["party_bloc"],
        votes["loss"],
        crowns["fee"],
        crowns["salary"],
        crowns["contribution"],
        raw["seats"],
    )
