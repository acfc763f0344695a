"""Orders: text, slot, and whether they may be filed. The first rule broken counts (3)."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from pbem.games.coalition.names import party_named, several_ministries
from pbem.games.coalition.state import (
    ABSTAIN,
    MOST_SPECIALS,
    State,
    compulsory,
    in_order,
    juniors,
    portfolios,
)
from pbem.games.frame import conditions
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Seat
from pbem.orders import declared
from pbem.orders.declared import Declared
from pbem.orders.order import Problem, Wording
from pbem.text import safe

NONE = "NONE"
VOTE_IF = "VOTE IF"
LONGEST_NAME = 30
Case: TypeAlias = declared.Case[State, None]


@dataclass(frozen=True, slots=True)
class Special(Declared):
    """Junior ministries that count double; NONE clears them (3.1)."""

    codes: tuple[str, ...]
    slot: ClassVar[str] = "SPECIAL"
    written = Wording("SPECIAL {codes:, }")

    @property
    def chosen(self) -> tuple[str, ...]:
        """Codes; () for NONE."""
        return () if self.codes == (NONE,) else self.codes

    def check(self, case: Case) -> Special | None:
        state, codes = case.state, self.codes
        lock = int(state.options["SPECIAL_LOCK"])
        message = f"Special Ministries were fixed at the end of period {lock}."
        case.refuse_if(state.period > lock, "E_LOCKED", message, "R7")
        if codes == (NONE,):
            return None
        if unknown := _unknown(state, codes):
            case.stop(*unknown)
        junior = juniors(state)
        fits = set(codes) <= set(junior) and len(set(codes)) == len(codes)
        message, note = "Name one to four different Junior Ministries.", ", ".join(junior)
        wrong = not fits or not 1 <= len(codes) <= MOST_SPECIALS
        case.refuse_if(wrong, "E_SPECIAL", message, "3.1", f"Junior are {note}")
        return Special(tuple(code for code in junior if code in codes))


@dataclass(frozen=True, slots=True)
class Propose(Declared):
    """A slate of (ministry, party); "" for an optional one left open (3.2)."""

    items: tuple[tuple[str, str], ...]
    slot: ClassVar[str] = "DRAFT"

    @property
    def slate(self) -> dict[str, str]:
        """Without open ones."""
        return {code: party for code, party in self.items if party}

    def __str__(self) -> str:
        named = ", ".join(f"{code} {party}" for code, party in self.items if party)
        return f"PROPOSE {named}".rstrip()

    def check(self, case: Case) -> Propose:
        state = case.state
        message = "No motion proposed now could still be voted on."
        note = "this is the last period: you can only vote on what is before Parliament"
        case.refuse_if(state.period >= state.last_period, "E_LAST", message, "3.2", note)
        words = dict.fromkeys(word for _, word in self.items if word)
        letters = {word: _party(state, word) for word in words}
        strange = (one for one in letters.values() if isinstance(one, Problem))
        if problems := (*_unknown(state, (code for code, _ in self.items)), *strange):
            case.stop(*problems)
        times = Counter(code for code, word in self.items if word)
        if twice := [code for code, count in times.items() if count > 1]:
            note = f"name {twice[0]} once in the slate, with one party"
            case.refuse("E_TWICE", f"{twice[0]} is assigned twice.", "1.3", note)
        slate = in_order(state, {code: str(letters[word]) for code, word in self.slate.items()})
        if missing := [code for code in compulsory(state) if code not in slate]:
            note = f"send the whole slate again, with a party for each: {missing[0]} A and so on"
            case.refuse("E_MISSING", f"Not assigned: {', '.join(missing)}.", "1.3", note)
        for party, held in portfolios(state, slate).items():
            mps = state.parties[party].seats
            message = f"Party {party} has {mps} MPs and cannot hold {len(held)} ministries."
            note = f"send the whole slate again, with at most {mps} ministries for {party}"
            case.refuse_if(len(held) > mps, "E_CAP", message, "1.4", note)
        return Propose(tuple(slate.items()))


def _party(state: State, word: str) -> str | Problem:
    """Return its letter (3.6)."""
    letter = party_named(state, word)
    if isinstance(letter, Problem):
        return replace(letter, rule="3.6")
    if letter in state.living:
        return letter
    note = f"the parties are {', '.join(state.living)}"
    return Problem("E_PARTY", f'"{word}" is not a party in this Parliament.', "R12", (note,))


def _unknown(state: State, codes: Iterable[str]) -> tuple[Problem, ...]:
    """Return a problem for each that is not a ministry."""
    known, problems = [ministry.code for ministry in state.ministries], list[Problem]()
    for code in dict.fromkeys(codes):
        if code in known:
            continue
        if several := several_ministries(state, code):
            problems.append(replace(several, rule="1.2"))
            continue
        near = difflib.get_close_matches(code.upper(), known, n=1, cutoff=0.5)
        note = f"did you mean {near[0]}?" if near else "the word TABLES brings all ministries"
        problems.append(Problem("E_MINISTRY", f'"{code}" is not a ministry.', "1.2", (note,)))
    return tuple(problems)


@dataclass(frozen=True, slots=True)
class Withdraw(Declared):
    """The draft leaves the docket (3.3)."""

    slot: ClassVar[str] = "DRAFT"
    written = Wording("WITHDRAW")

    def check(self, case: Case) -> None:
        nothing = case.state.parties[case.seat].draft is None and self.slot not in case.standing
        case.refuse_if(nothing, "E_NODRAFT", "You have no draft to withdraw.", "3.3")


@dataclass(frozen=True, slots=True)
class Vote(Declared):
    """AYE, NAY or ABSTAIN (3.4)."""

    ballot: str
    on: str | None = None
    """The motion's id, if named."""
    slot: ClassVar[str] = "VOTE"

    def __str__(self) -> str:
        return f"VOTE {self.ballot}" + (f" ON {self.on}" if self.on else "")

    def check(self, case: Case) -> None:
        floor = case.state.floor
        if floor is None:
            note = "nothing is voted on in this period"
            if case.state.chosen("STANDING", "ON"):
                lasting = NONE if self.ballot == ABSTAIN else self.ballot
                note = f"for all motions to come you can send STANDING {lasting}"
            case.refuse("E_NOFLOOR", "There is no motion on the floor.", "3.4", note)
        message = f"{self.on} is not on the floor; the motion is {floor.id}."
        note = f"if you mean it: VOTE {self.ballot} ON {floor.id}"
        case.refuse_if(self.on not in (None, floor.id), "E_WRONGV", message, "3.4", note)


def votes_if(cases: Sequence[conditions.Case]) -> WhatIf:
    """Return conditional votes on later motions; no cases end them (3.9)."""
    return WhatIf(tuple(cases), "VOTE")


def not_off(case: Case, word: str) -> None:
    """Refuse votes for what may come where STANDING=OFF."""
    message = f"{word} is switched off in this game (STANDING=OFF)."
    case.refuse_if(case.state.chosen("STANDING", "OFF"), "E_OPTION", message, "3.5")


@dataclass(frozen=True, slots=True)
class StandingVote(Declared):
    """The vote if none is sent, until changed (3.5)."""

    stance: str
    slot: ClassVar[str] = "STANDING"
    written = Wording("STANDING {stance}")

    @property
    def vote(self) -> str | None:
        """AYE, NAY or None."""
        return None if self.stance == NONE else self.stance

    def check(self, case: Case) -> None:
        not_off(case, "STANDING")


@dataclass(frozen=True, slots=True)
class Name(Declared):
    """The party's name (3.6)."""

    text: str
    slot: ClassVar[str] = "NAME"
    written = Wording('NAME "{text}"')

    def check(self, case: Case) -> Name:
        name = " ".join(safe(word) for word in self.text.split(" ")).strip()  # blanks in quotes
        fits = 1 <= len(name) <= LONGEST_NAME and not (len(name) == 1 and name.isalpha())
        message = "A party name has 1 to 30 characters, is not a single letter and not taken."
        case.refuse_if(not fits or taken(case.state, case.seat, name), "E_NAME", message, "3.6")
        return Name(name)


def taken(state: State, seat: Seat, name: str) -> bool:
    """Return whether another party has this name, in any case."""
    others = (party.name for letter, party in state.parties.items() if letter != seat)
    return name.casefold() in map(str.casefold, others)


ORDERS = tuple(one for one in Declared.__subclasses__() if one.__module__ == __name__)
