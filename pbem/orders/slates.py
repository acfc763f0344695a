"""A slate in words: "A as Prime Minister, me in Defence, B gets Finance".

``//: slate: PROPOSE PM DEF`` in a grammar names the order that fills each of several offices, and
``WITH BILL #`` behind them what may follow with a number. What is read so is only offered, or shown
with what is still open.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pbem.orders.correcting import Corrector
from pbem.orders.sentences import word_set

_STOP = re.compile(r"(?<=[.;!?])(?:\s++|\Z)|\n")
_WORD = re.compile(r"([\w'][\w/'-]*+)(?: (?:in |of |from )?([A-Za-z][0-9]{1,2})(?!\w))?")
"""A word, and the district of a member."""
_SPEAKER = word_set("i me myself we us ourselves mine im i'm")
_REST = word_set("else rest others remaining everyone's")
_ARTICLE = re.compile(r"\bA (?=[a-z])(?!(?:as|is|for|gets?|in|takes?|has|to|the|and|becomes?)\b)")
_CLAUSE = re.compile(r"[,;:()&]|\band\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\A\s*(?:if|unless|should) [^,:]*[,:]", re.IGNORECASE)
_LEAST = 3
"""So many offices make a slate."""
OPEN = "..."


@dataclass(frozen=True, slots=True)
class Slate:
    """What a letter says of each office."""

    verb: str
    named: Mapping[str, str]
    """Office -> who gets it, OPEN if nobody is named; in the grammar's order."""
    sentences: frozenset[str]
    tail: str = ""

    def __str__(self) -> str:
        given = (" ".join(pair) for pair in self.named.items() if pair[1] != OPEN)
        return f"{self.verb} {', '.join(given)} {self.tail}".rstrip()

    @property
    def open(self) -> list[str]:
        return [office for office, who in self.named.items() if who == OPEN]

    def has(self, line: str) -> bool:
        """Return whether a line of the letter says some of it."""
        return any(one in line or line.rstrip(".!; ") in one for one in self.sentences)


@dataclass(frozen=True, slots=True)
class _Item:
    """Offices, or who gets some."""

    offices: tuple[str, ...] = ()
    who: str = ""
    speaker: bool = False
    """It may only say who writes: "I propose"."""


def read(corrector: Corrector, slate: tuple[str, ...], text: str, seat: str) -> Slate | None:
    """Return a letter's slate, None if it has none. slate: the order's word and its offices. seat:
    of who says "me"."""
    if not slate:
        return None
    at = slate.index("WITH") if "WITH" in slate else len(slate)
    (verb, *offices), tail = slate[:at], " ".join(slate[at:-1])
    named, of_it = dict.fromkeys(offices, OPEN), set[str]()
    denied = corrector.lists["not"] | corrector.lists["if"]
    more = re.search(rf"\b{tail} ([0-9]++)", text, re.IGNORECASE) if tail else None
    for sentence in _STOP.split(text):
        said = _ARTICLE.sub("", _SUPPOSED.sub("", sentence))
        clauses = _CLAUSE.split(said)
        unsure = "?" in said or denied & {*said.lower().split()}
        items = [[*_items(corrector, offices, one, seat)] for one in clauses if not unsure]
        for office, who in _paired(items, named).items():
            if named.get(office, who) not in (OPEN, who):
                return None  # two of one office
            named[office] = who
            of_it.add(sentence.strip(" .;!"))
    given = len(offices) - [*named.values()].count(OPEN)
    end = f"{tail} {more[1]}" if more else ""
    return Slate(verb, named, frozenset(of_it), end) if given >= _LEAST else None


def _items(corrector: Corrector, offices: list[str], clause: str, seat: str) -> Iterator[_Item]:
    """Yield the offices and names of a clause."""
    said = _WORD.findall(clause)
    tokens, place = [corrector.token(word) for word, _ in said], 0
    phrases, own = corrector.phrases_in(tokens), seat.partition("-")[0]
    while place < len(tokens):
        (word, district), token = said[place], tokens[place]
        one = (token.stands or token.text).upper()
        ways = [(end, of) for end, of in phrases[place] if of and {*of} <= {*offices}]
        end, of = max(ways, default=(place + 1, ()))
        if of or (one in offices and (word.isupper() or len(word) > _LEAST)):
            yield _Item(of or (one,))
        elif word.lower() in _REST:
            yield _Item((OPEN,))
        elif word.lower() in _SPEAKER or (district and word.lower() == "my"):
            idle = not district and "".join(said[end][:1] if end < len(said) else "").islower()
            yield _Item(who=f"{own} {district}".strip(), speaker=idle)
        elif one in corrector.names and (word.isupper() or len(word) > 2):
            yield _Item(who=" ".join(filter(None, (token.stands or token.text, district))))
        place = end


def _paired(clauses: list[list[_Item]], named: Mapping[str, str]) -> dict[str, str]:
    """Return who gets each office. A clause has a name before its offices, or behind them; one of
    offices alone goes on with the clause before it, or waits for the next. {} if unclear."""
    who, waits, given = "", list[str](), dict[str, str]()
    for said in clauses:
        idle = bool(said) and said[0].speaker and (said[-1].who or said[1].who)
        items = said[bool(idle) :]  # "I propose PM A"
        first, last = (bool(items[0].who), bool(items[-1].who)) if items else (True, True)
        if any(one.who and other.who for one, other in pairwise(items)) or (
            first == last and len({bool(one.who) for one in items}) > 1
        ):
            return {}
        behind = last and (not first or bool(waits))
        if first and not last and waits:
            return {}  # whose are those before?
        for item in items[::-1] if behind else items:
            if item.who:
                who = item.who
                given |= dict.fromkeys(waits, who)
                waits = []
                continue
            rest = [one for one in named if named[one] == OPEN and one not in given]
            rest = rest if len(named) - len(rest) > 1 else []  # "the others" may be people
            these = rest if item.offices == (OPEN,) else [*item.offices]
            waits += these if not who else ()
            given |= dict.fromkeys(these, who) if who else {}
        who = "" if behind else who
    return {} if waits else given
