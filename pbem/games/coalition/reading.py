"""What rules make besides orders of their names; where an order ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import takewhile
from typing import Any

from lark import Token

from pbem.games.coalition import names
from pbem.games.coalition.orders import NONE, ORDERS, Name, Propose, Special, votes_if
from pbem.games.frame.conditions import ConditionalReader
from pbem.games.frame.ruleset import Rulebook
from pbem.orders.characters import first_word, plain
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.splitter import LogicalLine
from pbem.orders.writing import is_blank

_WORD = re.compile(r"[\w/]+")
_SAID = {"YES": "AYE", "Y": "AYE", "FOR": "AYE", "NO": "NAY", "N": "NAY", "AGAINST": "NAY"}
_SEMICOLON = re.compile(r"; {0,3}(?=([\w/]+))")
_NAME_MINISTRIES = frozenset(["PROPOSE", "SPECIAL"])
_NAMING = re.compile(r"^[^\S\n]*+(?:PROPOSE|SPECIAL)(?![A-Za-z_/])", re.IGNORECASE | re.MULTILINE)
"""Begins a line of ministries."""
_BARE_NAME = re.compile(r'^([^\S\n]*+NAME:?+[^\S\n]++)([^\s".#][^"#\n]{0,80})$', re.MULTILINE)
"""A name without quotes, to the end of its line."""


def _stance(word: Token) -> str:
    return _SAID.get(word.upper(), word.upper())


def _on(motion: Token | int) -> str:
    return f"V{motion}" if isinstance(motion, int) else "".join(motion.upper().split())


def _words(codes: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
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
        "on": _on,
        "figure": lambda *words: " ".join(code(word.upper()) for word in words),
        "whatif": lambda *cases: votes_if(cases),
        "name": lambda text: Name(text[1:-1].strip()),
    }


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows when PROPOSE needs lines."""

    codes: Mapping[str, str] = field(default_factory=dict)
    compulsory: frozenset[str] = frozenset()
    """Those every slate assigns."""
    full: names.Full = field(default_factory=lambda: names.Full({}))

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
        given = (_WORD.match(one.upper().strip()) for one in slate if not is_blank(one))
        codes = (self.codes.get(word[0]) for word in given if word)
        return line if self.compulsory.isdisjoint(codes) else "PROPOSE"

    def _plain(self, line: str) -> str:
        """Return a line with codes. A ; before a ministry is a comma."""
        spelt = names.coded(line, self.full)
        return _SEMICOLON.sub(lambda m: ", " if m[1].upper() in self.codes else m[0], spelt)

    def complete(self, text: str) -> bool:
        """Let a slate without all compulsory ministries, or a bare SPECIAL, go on."""
        if first_word(text) == "PROPOSE":
            named = {self.codes[word] for word in _WORD.findall(text.upper()) if word in self.codes}
            if not self.compulsory <= named:
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
            ministries = _WORD.findall(following.upper())[::2]
            if not any(word in self.codes for word in ministries):
                return False
        return Language.goes_on(self, order, following)


def language(book: Rulebook) -> Orders:
    order, ministries = book.tables["order"], book.tables["ministries"]
    codes = names.spellings(order, ministries)
    return Orders(
        book.grammar,
        book.terminals,
        partial(ConditionalReader, ORDERS, **_words(codes)),
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
        full=names.full_names(order, ministries),
        ifs=Ifs(
            ("VOTE",),
            "3.9",
            "for a vote that is yet to come, as in: VOTE AYE IF POINTS >= 30",
            "3.10",
        ),
        compulsory=frozenset(code for code in order if ministries[code]["rank"] != "optional"),
    )
