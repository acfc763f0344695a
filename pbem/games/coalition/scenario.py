"""Scenario fields of Coalition, with the names and shapes of the views."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.games.coalition import state
from pbem.games.coalition.orders import LONGEST_NAME, NONE
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.frame.scenario import (
    At,
    Either,
    Kind,
    Listed,
    Made,
    Name,
    Names,
    Part,
    Pattern,
    Table,
    Text,
    Whole,
    Word,
    entry,
    exact,
    in_capitals,
    read,
    wrong,
)

_ID = re.compile(r"[Vv]([0-9]{1,4})")
_LETTER = re.compile(r"[A-Z]")
_PERIODS = 99


def _motion_id(_: At, word: str) -> str | None:
    found = _ID.fullmatch(word)
    return f"V{int(found[1])}" if found else None


def _specials(at: At, listed: tuple[str, ...] | str) -> tuple[str, ...] | None:
    """Also as ordered."""
    if isinstance(listed, str):
        words = [] if listed.upper() == NONE else listed.replace(",", " ").split()
        listed = Listed(Name("ministry")).read(at, words)
    fits = set(listed) <= set(at.names["junior"].listed) and len(set(listed)) == len(listed)
    return listed if fits and len(listed) <= state.MOST_SPECIALS else None


class Slate(Kind[dict[str, str]]):
    """A slate by ministry or party; parts may lack."""

    about = 'a table of ministries, as { PM = "A" } or { A = ["PM", "INF"] }'
    form = (Mapping,)

    def made(self, at: At, given: Mapping[str, Any]) -> dict[str, str]:
        if isinstance(given.get("slate"), Mapping):
            given = given["slate"]
        party, ministry, find = Name("party"), Name("ministry"), at.names["party"].find
        slate = {
            ministry.read(at, code): party.read(at / code, value)
            for code, value in given.items()
            if not find(code)
        }
        for code, value in given.items():
            if named := find(code):
                codes = [value] if isinstance(value, str) else value
                for one in Listed(ministry).read(at / code, codes):
                    slate[one] = named
        return slate


_VOTE = Word(state.AYE, state.NAY, state.ABSTAIN)
_MOTION_ID = Made(Text(), _motion_id, "a motion's id, as V1,")


@dataclass(frozen=True, slots=True)
class Motion:
    id: str | None = entry(_MOTION_ID, "its number", "the next one")
    sponsor: str | None = entry(Name("party"), "who moved it", "as private.PARTY.motions has it")
    slate: dict[str, str] | None = entry(Slate(), "who gets which ministry", "none")


@dataclass(frozen=True, slots=True)
class Division:
    id: str | None = entry(_MOTION_ID, "its number", "its place in the list")
    sponsor: str | None = entry(Name("party"), "who moved it", "as private.PARTY.motions has it")
    slate: dict[str, str] | None = entry(Slate(), "who gets which ministry", "none")
    votes: dict[str, str] | None = entry(
        Table(Name("party"), _VOTE), "how each party voted", "as private.PARTY.votes has it"
    )
    aye: int | None = entry(Whole(), "MPs for it", "by the votes")
    nay: int | None = entry(Whole(), "MPs against it", "by the votes")
    abstain: int | None = entry(Whole(), "all other MPs", "the rest")
    verdict: str | None = entry(
        Word(state.MAJORITY, state.MINORITY, state.DEFEATED), "the outcome", "by the votes"
    )
    period: int | None = entry(Whole(2, _PERIODS), "when it was voted on", "its number and one")


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        "options",
        "majority",
        "ministries",
        "juniors",
        "compulsory",
        "drafts",
        "specials",
        "raw",
        "scores",
        "result",
    )
    phase: str | None = entry(Word(state.OPENING, state.SITTING), "the phase, also as `phase`")
    period: int | None = entry(
        Whole(1, _PERIODS), "the period now running, up to MAX_PERIODS", "the earliest that fits"
    )
    periods_left: int | None = entry(Whole(0, _PERIODS), "instead of `period`: how many remain")
    status: str | None = entry(
        Word("OPEN", "OVER"), "OVER: the game is over, and scored from its history", "OPEN"
    )
    seats: dict[str, int] | None = entry(Table(Name("party"), Whole(1)), "MPs of the parties")
    names: dict[str, str] | None = entry(
        Table(Name("party"), Text(LONGEST_NAME)), "names of the parties", "their letters"
    )
    vacant: tuple[str, ...] | None = entry(
        Listed(Name("party")), "parties without a player, besides those nobody was seated for"
    )
    tabled: dict[str, int] | None = entry(
        Table(Name("party"), Whole()), "how many of a party's motions reached the floor", "0"
    )
    motion: Motion | None = entry(Part(Motion), "the motion on the floor", "none", also="floor")
    history: tuple[Division, ...] | None = entry(Listed(Part(Division)), "motions voted", "none")


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("party",)
    name: str | None = entry(Text(LONGEST_NAME), "the party's name", "as public.names has it")
    specials: tuple[str, ...] | None = entry(
        Made(
            Either(Listed(Name("ministry")), Text()),
            _specials,
            "a list of up to four different Junior Ministries",
        ),
        "its Special Ministries",
        "none",
    )
    standing: str | None = entry(Word(state.AYE, state.NAY, NONE), "its standing vote", "NONE")
    ifs: str | None = entry(Text(), "its votes with IF, as in an order", "none")
    draft: dict[str, str] | None = entry(Slate(), "its draft in the docket", "none")
    filed: int | None = entry(
        Whole(1, _PERIODS), "the period the draft's letter came in", "the last one"
    )
    tabled: int | None = entry(Whole(), "as public.tabled, for SPONSOR=SECRET")
    motions: tuple[str, ...] | None = entry(Listed(_MOTION_ID), "the motions it moved")
    votes: dict[str, str] | None = entry(Table(_MOTION_ID, _VOTE), "its votes, for BALLOTS=SECRET")


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        Word(state.OPENING, state.SITTING),
        "OPENING is period 1, SITTING any later one",
        "as the period has it",
    )
    public: Public | None = entry(Part(Public), "what everybody may know")
    private: dict[str, Private] | None = entry(
        Table(Name("party"), Part(Private)), "what a party alone knows"
    )


@dataclass(frozen=True, slots=True)
class MinistryRow:
    name: str = entry(Text(60), "its name", needed=True)
    value: int = entry(Whole(), "points", needed=True)
    rank: str = entry(
        Word("prime", "senior", state.JUNIOR, state.OPTIONAL, exact=True), "its rank", needed=True
    )


@dataclass(frozen=True, slots=True)
class Tables:
    majority: int | None = entry(Whole(1), "MPs that make a majority of all")
    order: tuple[str, ...] | None = entry(
        Listed(Text(10), least=1, once=True), "the table's order of the ministries"
    )
    parties: dict[str, int] | None = entry(
        Table(Pattern(_LETTER, "a capital letter"), Whole(1)), "MPs of the parties"
    )
    ministries: dict[str, MinistryRow] | None = entry(
        Table(Text(10), Part(MinistryRow)), "the ministries"
    )


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for code in tables["order"]:
        if code not in tables["ministries"]:
            wrong("tables.order", f"{code!r} is none of tables.ministries")


def names(tables: Mapping[str, Any], seats: Sequence[Seat]) -> dict[str, Names]:
    """Return a scenario's names; ministries also without slash."""
    codes = {code.replace("/", ""): code for code in tables["order"]} | {
        code: code for code in tables["order"]
    }
    juniors = [
        code for code in tables["order"] if tables["ministries"][code]["rank"] == state.JUNIOR
    ]
    return {
        "party": in_capitals(tables["parties"]),
        "ministry": Names(tuple(tables["order"]), lambda word: codes.get(word.upper())),
        "junior": exact(juniors),
    }


def reading(scenario: Json, tables: Mapping[str, Any], seats: Sequence[Seat]) -> Scenario:
    return read(Scenario, scenario, At("", names(tables, seats)))
