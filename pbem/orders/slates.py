"""A slate in words: "A as Prime Minister, me in Defence, B gets Finance".

``//: slate: PROPOSE PM DEF WP1?`` in a grammar names the order that fills each of several offices
(``?``: it may lack), and ``WITH BILL #`` behind them what may follow with a number. What is read so
is only offered, or shown with what is still open.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pbem.orders.correcting import Corrector
from pbem.orders.other_words import plain
from pbem.orders.sentences import word_set

_STOP = re.compile(r"(?<=[.;!?])(?:\s++|\Z)|\n")
_CLAUSE = re.compile(r"([,;:()]|\s/\s|\s-\s|&|\band\b|\bplus\b)", re.IGNORECASE)
_WORD = re.compile(r"([\w'][\w/'-]*+)(?: (?:in |of |from )?([A-Za-z][0-9]{1,2})(?!\w))?")
"""A word, and the district of a member."""
_SAID, _NUMBERED = re.compile(r"[\w']+"), re.compile(r"\b([A-Za-z]{1,20}+) ([0-9]{1,4}+)")
_ARTICLE = re.compile(
    r"\bA (?=(?:[a-z]+ ){0,2}(?:government|goverment|cabinet|coalition|slate|draft|proposal)\b)"
)
_SUPPOSED = re.compile(r"\A\s*(?:if|unless|should) [^,:]*[,:]", re.IGNORECASE)
_FROM = re.compile(r" from \w+(?= to\b)")
_CHANGES = re.compile(
    r"\b(?:also|instead|mine|not quite|but|move|change|swap|same|give|should)\b", re.IGNORECASE
)
_WHOLE = re.compile(r"\b(?:the rest|everything else|all the others)\b", re.IGNORECASE)
_EMPTY = re.compile(r"\bnobody without portfolio\b|\bWPs? (?:empty|none|vacant)\b", re.IGNORECASE)
_SPEAKER = word_set("i i'll i'd me myself we us ourselves mine im i'm")
_REST = word_set("else rest others remaining everyone's")
_OTHERWISE = word_set("high low budget program programme special specials secret double bloc blocs")
"""With one of these offices are spoken of otherwise."""
_ENGLISH = word_set("for me")
"""In small letters no FOR and no M/E, but in "for C" alone."""
_LEAST = 3  # so many offices make a slate
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
    """The writer, who may only speak: "I propose"."""


def read(
    corrector: Corrector, slate: tuple[str, ...], text: str, seat: str, stands: str = ""
) -> Slate | None:
    """Return a letter's slate, None if it has none. slate: the order's word and its offices. seat:
    of who says "me". stands: the slate on file, which a letter may change."""
    if not slate:
        return None
    at = slate.index("WITH") if "WITH" in slate else len(slate)
    (verb, *offices), tail = slate[:at], slate[at:-1]
    named, of_it = {one.rstrip("?"): OPEN for one in offices}, set[str]()
    may_lack = [one.rstrip("?") for one in offices if one.endswith("?")]
    before, new = _on_file(stands, named), dict[str, str]()
    if {*before, *may_lack} >= {*named} and not _changes(text):
        before = {}
    named |= before
    for sentence in _STOP.split(text):
        said = _FROM.sub(" ", _ARTICLE.sub("", _SUPPOSED.sub("", _EMPTY.sub("", sentence))))
        if "?" in said or not _OTHERWISE.isdisjoint(_SAID.findall(said.lower())):
            continue
        marks, clauses = _clauses(corrector, named, plain(said), seat)
        for office, who in _paired(marks, clauses, named, may_lack).items():
            if new.get(office, who) != who:
                return None  # two of one office
            named[office] = new[office] = who
            of_it.add(sentence.strip(" .;!"))
    if len(new) < (1 if before else _LEAST):
        return None
    near = [one for one in _STOP.split(text) if one.strip(" .;!") in of_it or one[:4] == "With"]
    more = [n for word, n in _NUMBERED.findall(" ".join(near)) if word.upper() in tail[-1:]]
    end = " ".join((*tail, *more[:1])) if more else ""
    told = {one: who for one, who in named.items() if who != OPEN or one not in may_lack}
    return Slate(verb, told, frozenset(of_it), end)


def _changes(text: str) -> bool:
    """Return whether it changes a slate, and is none of its own."""
    return bool(_CHANGES.search(text)) and not _WHOLE.search(text)


def _on_file(stands: str, offices: Collection[str]) -> dict[str, str]:
    """Return who has each office of an order."""
    pairs = (one.strip().partition(" ") for one in stands.partition(" ")[2].split(","))
    return {office: who for office, _, who in pairs if office in offices}


def _clauses(
    corrector: Corrector, offices: Mapping[str, str], sentence: str, seat: str
) -> tuple[list[str], list[list[_Item]]]:
    """Return what stands before each clause, and its offices and names."""
    parts = [":", *_CLAUSE.split(sentence)]
    found = [[*_items(corrector, offices, one, seat)] for one in parts[1::2]]
    kept = [
        (mark.strip().lower(), _without_speaker(items))
        for mark, items in zip(parts[::2], found, strict=True)
        if _without_speaker(items) or mark == ":"
    ]
    return [mark for mark, _ in kept], [items for _, items in kept]


def _without_speaker(items: list[_Item]) -> list[_Item]:
    """Leave out who only speaks: "I propose PM A"."""
    others = [one for one in items if not one.speaker]
    named = any(one.who for one in others)
    return others if named or not any(one.offices for one in items) else items


def _items(
    corrector: Corrector, offices: Mapping[str, str], clause: str, seat: str
) -> Iterator[_Item]:
    """Yield the offices and names of a clause."""
    said, short = _WORD.findall(clause), {one.replace("/", ""): one for one in offices}
    if not (corrector.lists["not"] | corrector.lists["if"]).isdisjoint(clause.lower().split()):
        return
    tokens, place = [corrector.token(word) for word, _ in said], 0
    phrases, own = corrector.phrases_in(tokens), seat.partition("-")[0]
    while place < len(tokens):
        (word, district), token = said[place], tokens[place]
        one = (token.stands or token.text).upper()
        begun = [full for full in offices if len(one) >= _LEAST and full.startswith(one)]
        office = short.get(word.upper(), begun[0] if len(begun) == 1 else one)
        ways = [(end, of) for end, of in phrases[place] if of and {*of} <= {*offices}]
        end, of = max(ways, default=(place + 1, ()))
        english = word.lower() in _ENGLISH and not word.isupper() and len(said) > 2
        speaks = word.lower() in _SPEAKER or (bool(district) and word.lower() == "my")
        if not (speaks and word.islower()) and (of or (office in offices and not english)):
            yield _Item(of or (office,))
        elif word.lower() in _REST:
            yield _Item((OPEN,))
        elif speaks:
            yield _Item(who=f"{own} {district}".strip(), speaker=not district)
        elif one in corrector.names and one not in offices and (word.isupper() or len(word) > 2):
            yield _Item(who=" ".join(filter(None, (token.stands or token.text, district))))
        elif district and one not in corrector.words:
            yield _Item(who=district)
        place = end


def _paired(
    marks: list[str],
    clauses: list[list[_Item]],
    named: Mapping[str, str],
    may_lack: Collection[str] = (),
) -> dict[str, str]:
    """Return who gets each office. A clause has a name before its offices, or behind them; one of
    offices alone goes with the clause before it, or waits for the next. {} if unclear."""
    who, waits, given = "", list[str](), dict[str, str]()
    for at, (mark, items) in enumerate(zip(marks, clauses, strict=True)):
        if mark == ":" or (mark == "," and _is_behind(clauses[at:]) and not _named(items)):
            who = ""
        kinds = [bool(one.who) for one in items]
        if any(one and other for one, other in pairwise(kinds)) or (
            kinds and kinds[0] == kinds[-1] and len({*kinds}) > 1
        ):
            return {}
        behind = bool(kinds) and kinds[-1] and (not kinds[0] or bool(waits))
        if kinds and kinds[0] and not kinds[-1] and waits:
            return {}  # whose are those before?
        for item in items[::-1] if behind else items:
            if item.who:
                who = item.who
                given |= dict.fromkeys(waits, who)
                waits = []
                continue
            known = {*given, *(one for one, holder in named.items() if holder != OPEN)}
            rest = [one for one in named if one not in known and one not in may_lack]
            rest = rest if len(known) > 1 else []  # "the others" may be people
            these = rest if item.offices == (OPEN,) else [*item.offices]
            waits += these if not who else ()
            given |= dict.fromkeys(these, who) if who else {}
        who = "" if behind else who
    return {} if waits else given


def _named(items: list[_Item]) -> bool:
    return any(one.who for one in items)


def _is_behind(clauses: list[list[_Item]]) -> bool:
    """Return whether the next name of some clauses stands behind its offices."""
    items = next(filter(_named, clauses), [])
    return bool(items) and not items[0].who
