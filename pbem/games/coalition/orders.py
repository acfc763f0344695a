"""Orders: how they read, their slots, and whether they may be filed. The first rule broken counts
(3)."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import takewhile
from typing import Any, ClassVar, TypeAlias

from lark import Token

from pbem.games.coalition import state as s
from pbem.games.coalition.state import State, compulsory
from pbem.games.frame.conditions import ConditionalReader, WhatIf
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Rulebook
from pbem.orders import declared
from pbem.orders.characters import first_word, plain
from pbem.orders.declared import Declared
from pbem.orders.language import Ifs, Language, ambiguous, resolve
from pbem.orders.order import Problem, Wording
from pbem.orders.splitter import LogicalLine
from pbem.orders.writing import is_blank
from pbem.text import safe

_WORD = re.compile(r"[A-Za-z0-9]+")
_PIECE = re.compile(r"""[\w/]+|&|"[^"\n]*"?|[^\w/&"]+""")
_LONG = 4  # least letters of a ministry's word
_BRITISH = {"DEFENSE": "DEFENCE"}


Full: TypeAlias = Mapping[tuple[str, ...], str]
"""Names of several words: {name, word by word in capitals: code}."""


def party_named(state: State, words: str) -> str | Problem | None:
    """Return the letter meant by letter, name or unique beginning; a Problem for several, None
    for none."""
    if words.upper() in state.parties:
        return words.upper()
    names = {party.name: letter for letter, party in state.parties.items() if len(party.name) > 1}
    return resolve(words, names) if len(words) > 1 else None


def _words(name: str) -> list[str]:
    return _WORD.findall(name.upper().replace("&", "AND"))


def spellings(order: Sequence[str], ministries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return {capitals: code}: codes, also without slash, and unique words."""
    found = {spelt: code for code in order for spelt in (code, code.replace("/", ""))}
    words = {code: set(_words(str(ministries[code]["name"]))) for code in order}
    times = Counter(word for names in words.values() for word in names)
    for code in order:
        for word in sorted(words[code]):
            if times[word] == 1 and len(word) >= _LONG:
                found.setdefault(word, code)
                found.setdefault(_BRITISH.get(word, word), code)
    return found


def coded(line: str, full: Full) -> str:
    """Replace full names by codes, except in quotes."""
    upper = line.upper()
    if not any(words[0] in upper for words in full):
        return line
    pieces, found, at = _PIECE.findall(line), list[str](), 0
    longest_first = sorted(full, key=len, reverse=True)
    said = ["AND" if piece == "&" else piece.upper() for piece in pieces]
    while at < len(pieces):
        for words in (one for one in longest_first if one[0] == said[at]):
            span = said[at : at + 2 * len(words) - 1]
            if tuple(span[::2]) == words and not "".join(span[1::2]).strip():
                found.append(full[words])
                at += len(span)
                break
        else:
            found.append(pieces[at])
            at += 1
    return "".join(found)


NONE = "NONE"
LONGEST_NAME = 30
Case: TypeAlias = declared.Case[State, None]


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
        junior = s.juniors(state)
        fits = set(codes) <= set(junior) and len(set(codes)) == len(codes)
        message, note = "Name one to four different Junior Ministries.", ", ".join(junior)
        wrong = not fits or not 1 <= len(codes) <= s.MOST_SPECIALS
        case.refuse_if(wrong, "E_SPECIAL", message, "3.1", f"Junior are {note}")
        return Special(tuple(code for code in junior if code in codes))


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
        slate = s.in_order(state, {code: str(letters[word]) for code, word in self.slate.items()})
        if missing := [code for code in compulsory(state) if code not in slate]:
            note = f"send the whole slate again, with a party for each: {missing[0]} A and so on"
            case.refuse("E_MISSING", f"Not assigned: {', '.join(missing)}.", "1.3", note)
        for party, held in s.portfolios(state, slate).items():
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
        said = code.upper()
        alike = [m.code for m in state.ministries if said in _words(m.name) and said != "AND"]
        if len(alike) > 1:
            problems.append(replace(ambiguous(code, alike), rule="1.2"))
            continue
        near = difflib.get_close_matches(code.upper(), known, n=1, cutoff=0.5)
        note = f"did you mean {near[0]}?" if near else "the word TABLES brings all ministries"
        problems.append(Problem("E_MINISTRY", f'"{code}" is not a ministry.', "1.2", (note,)))
    return tuple(problems)


class Withdraw(Declared):
    """The draft leaves the docket (3.3)."""

    slot: ClassVar[str] = "DRAFT"
    written = Wording("WITHDRAW")

    def check(self, case: Case) -> None:
        nothing = case.state.parties[case.seat].draft is None and self.slot not in case.standing
        case.refuse_if(nothing, "E_NODRAFT", "You have no draft to withdraw.", "3.3")


class Vote(Declared):
    """AYE, NAY or ABSTAIN (3.4)."""

    ballot: str
    on: str | None = None
    """The motion's id, if named."""
    slot: ClassVar[str] = "VOTE"

    def __str__(self) -> str:
        return f"VOTE {self.ballot}" + (f" ON {self.on}" if self.on else "")

    def check(self, case: Case) -> Vote | None:
        floor = case.state.floor
        if floor is None:
            note = "nothing is voted on in this period"
            if case.state.chosen("STANDING", "ON"):
                lasting = NONE if self.ballot == s.ABSTAIN else self.ballot
                note = f"for all motions to come you can send STANDING {lasting}"
            case.refuse("E_NOFLOOR", "There is no motion on the floor.", "3.4", note)
        message = f"{self.on} is not on the floor; the motion is {floor.id}."
        note = f"if you mean it: VOTE {self.ballot} ON {floor.id}"
        if self.on == floor.sponsor and case.state.chosen("SPONSOR", "PUBLIC"):
            return replace(self, on=floor.id)  # "Clara's motion"
        case.refuse_if(self.on not in (None, floor.id), "E_WRONGV", message, "3.4", note)
        return None


def not_off(case: Case, word: str) -> None:
    """Refuse votes for what may come where STANDING=OFF."""
    message = f"{word} is switched off in this game (STANDING=OFF)."
    case.refuse_if(case.state.chosen("STANDING", "OFF"), "E_OPTION", message, "3.5")


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

_NAME_OR_CODE = re.compile(r"[\w/]+")
_SAID = {"YES": "AYE", "Y": "AYE", "FOR": "AYE", "NO": "NAY", "N": "NAY", "AGAINST": "NAY"}
_SEMICOLON = re.compile(r"; {0,3}(?=([\w/]+))")
_NAME_MINISTRIES = frozenset(["PROPOSE", "SPECIAL"])
_NAMING = re.compile(r"^[^\S\n]*+(?:PROPOSE|SPECIAL)(?![A-Za-z_/])", re.IGNORECASE | re.MULTILINE)
"""Begins a line of ministries."""
_BARE_NAME = re.compile(r'^([^\S\n]*+NAME:?+[^\S\n]++)([^\s".#][^"#\n]{0,80})$', re.MULTILINE)
"""A name without quotes, to the end of its line."""


def _stance(word: Token) -> str:
    return _SAID.get(word.upper(), word.upper())


def _readers(codes: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
    """codes: spells ministries: {"EC": "E/C", "CULTURE": "E/C", ...}."""

    def code(word: str) -> str:
        return codes.get(word.upper(), word)

    def item(ministry: Token, *rest: Token) -> tuple[str, str]:
        """Read a ministry and its party, punctuation between or not."""
        party = rest[-1].strip('"').strip()
        return code(ministry), party.upper() if len(party) == 1 else party

    def special(*words: Token) -> Special:
        none = [word.upper() for word in words] == [NONE]
        return Special((NONE,) if none else tuple(map(code, words)))

    return {
        "special": special,
        "item": item,
        "open": lambda ministry, *_: (code(ministry), ""),
        "propose": lambda *items: Propose(items),
        "stance": _stance,
        "ballot": _stance,
        "on": lambda word: f"V{word}" if isinstance(word, int) else "".join(word.upper().split()),
        "figure": lambda *words: " ".join(code(word.upper()) for word in words),
        "whatif": lambda *cases: WhatIf(cases, "VOTE"),
        "name": lambda text: Name(text[1:-1].strip()),
    }


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows when PROPOSE needs lines."""

    codes: Mapping[str, str] = field(default_factory=dict)
    compulsory: frozenset[str] = frozenset()
    """Those every slate assigns."""
    full: Full = field(default_factory=dict)

    @cached_property
    def far(self) -> frozenset[str]:
        """First words after which ministries are read up to the next order."""
        return _NAME_MINISTRIES

    def split(
        self, text: str, extra: Iterable[str] = (), *, readable: bool = False
    ) -> list[LogicalLine]:
        """Return logical orders, with codes for full names."""
        if _NAMING.search(text):
            text = "\n".join(self._named(text.split("\n")))
        if "NAME" in text:
            text = _BARE_NAME.sub(lambda found: f'{found[1]}"{found[2].rstrip(" .")}"', plain(text))
        return Language.split(self, text, extra, readable=readable)

    def _named(self, written: Sequence[str]) -> Iterator[str]:
        lines, names_them = list[str](), False
        for line in written:
            if (first := first_word(line)) in self.words:
                names_them = first in _NAME_MINISTRIES
            lines.append(self._plain(line) if names_them else line)
        return (self._opened(lines, at) for at in range(len(lines)))

    def _opened(self, lines: Sequence[str], at: int) -> str:
        """Open a block if a form's slate is blank but ministries follow."""
        line = lines[at]
        if first_word(line) != "PROPOSE" or not line.rstrip().endswith(",") or not is_blank(line):
            return line
        slate = takewhile(lambda one: first_word(one) not in self.words, lines[at + 1 :])
        given = (_NAME_OR_CODE.match(one.upper().strip()) for one in slate if not is_blank(one))
        codes = (self.codes.get(word[0]) for word in given if word)
        return line if self.compulsory.isdisjoint(codes) else "PROPOSE"

    def _plain(self, line: str) -> str:
        """Return a line with codes. A ; before a ministry is a comma."""
        spelt = coded(line, self.full)
        return _SEMICOLON.sub(lambda m: ", " if m[1].upper() in self.codes else m[0], spelt)

    def complete(self, text: str) -> bool:
        """Let a slate without all compulsory ministries, or a bare SPECIAL, go on."""
        if first_word(text) == "PROPOSE":
            named = map(self.codes.get, _NAME_OR_CODE.findall(text.upper()))
            if not self.compulsory <= set(named):
                return False
        elif text.strip(" :").upper() == "SPECIAL":
            return False
        return Language.complete(self, text)

    def goes_on(self, order: str, following: str) -> bool:
        """Return whether ``following`` continues ``order``: whole pairs need a ministry in its
        place."""
        if (
            first_word(order) == "PROPOSE"
            and not order.endswith(",")
            and Language.complete(self, order)
        ):
            ministries = _NAME_OR_CODE.findall(following.upper())[::2]
            if not any(word in self.codes for word in ministries):
                return False
        return Language.goes_on(self, order, following)


def language(book: Rulebook) -> Orders:
    order, ministries = book.tables["order"], book.tables["ministries"]
    codes = spellings(order, ministries)
    named = {tuple(_words(str(ministries[code]["name"]))): code for code in order}
    return Orders(
        book.grammar,
        book.terminals,
        partial(ConditionalReader, ORDERS, **_readers(codes)),
        labels={
            **_SAID,
            "IF_NAMED": '"(if named)"',
            **dict.fromkeys(("COLON", "HASH", "MY", "MOTION"), ""),
            "STANDING.VOTE": "",
            "SPECIAL.WORD": "a ministry",
            "PROPOSE.WORD": "a ministry, a party",
            "PROPOSE.STRING": "a party",
            **dict.fromkeys(("VOTE.WORD", "VOTE.INT", "NUMBERED"), "a motion (V3)"),
        },
        blocks={"PROPOSE": "END PROPOSE"},
        names=(*codes, *book.tables["parties"]),
        codes=codes,
        full={words: code for words, code in named.items() if len(words) > 1},
        ifs=Ifs(
            ("VOTE",),
            "3.9",
            "for a vote that is yet to come, as in: VOTE AYE IF POINTS >= 30",
            "3.10",
        ),
        compulsory=frozenset(code for code in order if ministries[code]["rank"] != "optional"),
    )
