"""The rules on request: an overview, or paragraphs by number, span or subject.

``rules/<key>.md`` has headings, and paragraphs with bold numbers.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.orders.spelling import is_number
from pbem.pages import sheet
from pbem.text import UNBROKEN, listed

_HEADING = re.compile(r"^#{1,2} (?P<heading>.+)$", re.MULTILINE)
_PARAGRAPH = re.compile(
    r"^\*\*([A-Z]?[0-9][\w.]*?)\.?\*\*[ \t]+(.+?)(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL
)
_GAP = re.compile(r"\n[ \t]*+\n")
_MARKED = re.compile(r"[*`]+")
_WORD = re.compile(r"[\w/]+")
_SPAN = re.compile(r"([A-Z]?[0-9][\w.]*+) *+(?:(?:-|–|TO) *+([A-Z]?[0-9][\w.]*+))?")
_PART = re.compile(r"[A-Z]")
_PIECES = re.compile(r",|&| AND ")
MOST_FOUND = 12
ALL = "ALL"
SHORT = "the game in short"
"""A heading, in lower case."""
IN_CONTENTS = 2
"""Paragraphs of it in the overview: goal and turn."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs by number."""

    heading: str
    paragraphs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game."""

    title: str
    sections: tuple[Section, ...]
    short: str = ""

    @property
    def paragraphs(self) -> dict[str, str]:
        return {n: text for section in self.sections for n, text in section.paragraphs.items()}


def parse(text: str) -> Rules:
    """Parse rules. A paragraph ends at a blank line."""
    headings = list(_HEADING.finditer(text))
    ends = [*(found.start() for found in headings[1:]), len(text)]
    spans = zip(headings, ends, strict=True)
    parts = [(found["heading"], text[found.end() : end]) for found, end in spans]
    sections = [
        Section(heading, {n: _plain(words) for n, words in _PARAGRAPH.findall(body)})
        for heading, body in parts
    ]
    title = headings[0]["heading"] if headings else ""
    short = next((body for heading, body in parts if heading.casefold() == SHORT), "")
    short = "\n\n".join(map(_plain, _GAP.split(short.strip())))
    return Rules(title, tuple(section for section in sections if section.paragraphs), short)


def _plain(text: str) -> str:
    return " ".join(_MARKED.sub("", text).split())


def contents(rules: Rules, tables: Sequence[str]) -> str:
    rows = [(_span(section), section.heading) for section in rules.sections]
    in_short = rules.short.split("\n\n")
    lines = [rules.title, "", "\n\n".join(in_short[:IN_CONTENTS]), ""]
    lines.append(sheet.table(("Paragraphs", "Section"), rows))
    lines += [
        "",
        f"Its tables are {', '.join(tables)}.",
        "",
        "You can ask for more, each on a line of its own:",
        "",
        *(f"* {what}: {line}" for what, line in zip(_WHAT, _examples(rules), strict=True)),
        f"* a table: {_asked('TABLES', tables[0])}",
        *(f"* in short ({_asked('RULES', _lead(text))})" for text in in_short[IN_CONTENTS:]),
    ]
    return "\n".join(lines)


_WHAT = ("a paragraph", "several", "a subject", "all of them")


def _lead(text: str) -> str:
    """Return its title: "What you do first"."""
    return text.partition(".")[0]


def _examples(rules: Rules) -> list[str]:
    numbered = [one for one in rules.sections if is_number(next(iter(one.paragraphs))[0])]
    several = [one for one in numbered if len(one.paragraphs) > 2]
    section = min(several, key=lambda one: len(_subject(one.heading)))
    numbers, subject = list(section.paragraphs), " ".join(_subject(section.heading))
    asked = (numbers[0], f"{numbers[1]}-{numbers[-1]}", subject, ALL)
    return [_asked("RULES", words) for words in asked]


def _asked(word: str, words: str) -> str:
    return f"{word} {words}".replace(" ", UNBROKEN)


def read(rules: Rules, words: str) -> str:
    """Return the paragraphs by number, span, section or contained words, or say none."""
    wanted = " ".join(words.upper().split())
    if wanted == ALL:
        return _printed(rules, list(rules.paragraphs))
    numbers = _numbered(rules, wanted)
    if numbers is None:
        return _searched(rules, words)
    if not numbers:
        known = "; ".join(_span(section) for section in rules.sections)
        return f"There is no paragraph {words} in the rules. There are: {known}."
    return _printed(rules, numbers)


def _span(section: Section) -> str:
    numbers = list(section.paragraphs)
    return numbers[0] if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def _numbered(rules: Rules, wanted: str) -> list[str] | None:
    """Return the numbers asked for; [] if unknown, None for other words."""
    every = list(rules.paragraphs)
    places = {number.upper(): place for place, number in enumerate(every)}
    lines_found: list[str] = []
    for piece in _PIECES.split(wanted.removeprefix("PARAGRAPH ")):
        span = _SPAN.fullmatch(piece.strip().removeprefix("§"))
        if not span:
            return None
        first, last = (number.rstrip(".") for number in (span[1], span[2] or span[1]))
        begins = [place for number, place in places.items() if _within(number, first)]
        ends = [place for number, place in places.items() if _within(number, last)]
        if not (begins and ends):
            return []
        lines_found += every[begins[0] : ends[-1] + 1]
    return list(dict.fromkeys(lines_found))


def _within(number: str, asked: str) -> bool:
    """Return whether number is asked, in its section, or a part: 4.2a of 4.2."""
    if number == asked or number.startswith(f"{asked}."):
        return True
    return "." in asked and number.startswith(asked) and bool(_PART.fullmatch(number[len(asked) :]))


def _searched(rules: Rules, words: str) -> str:
    looked = tuple(words.casefold().split())
    for section in rules.sections:
        if _subject(words) == _subject(section.heading):
            return _printed(rules, list(section.paragraphs))
    for text in rules.short.split("\n\n"):
        if _subject(words) == _subject(_lead(text)):
            return text
    hits = [
        number
        for number, text in rules.paragraphs.items()
        if all(any(one.startswith(w) for one in _WORD.findall(text.casefold())) for w in looked)
    ]
    if not hits:
        return f'No paragraph of the rules has "{words}". RULES alone brings the list of them.'
    more = len(hits) - MOST_FOUND
    told = _printed(rules, hits[:MOST_FOUND])
    rest = listed(hits[MOST_FOUND:])
    return told + (f"\n\n{more} more have it: {rest}." if more > 0 else "")


def _subject(words: str) -> list[str]:
    return [w for w in _WORD.findall(words.casefold()) if w[0].isalpha() and w not in ("the", "a")]


def _printed(rules: Rules, numbers: Sequence[str]) -> str:
    printed: list[str] = []
    for section in rules.sections:
        chosen = {n: text for n, text in section.paragraphs.items() if n in numbers}
        if chosen:
            # "3. Orders" quoted would be the word ORDERS
            numbered = is_number(section.heading[0])
            printed.append(sheet.heading(f"{'Section ' if numbered else ''}{section.heading}"))
        printed += [f"[{number}] {text}" for number, text in chosen.items()]
    return "\n\n".join(printed)


_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_LONG_WORD = re.compile(r"[A-Za-z]{3,}")
_STEM = 4
"""Letters compared: "signed" and "signature" are one."""
_SMALL = frozenset(
    ("the", "and", "are", "for", "not", "may", "you", "has", "all", "one", "its", "his")
)
FEW = 2
"""A paragraph of so many sentences is quoted whole."""
_LEANS = frozenset(
    ("he", "it", "its", "they", "then", "else", "these", "such", "otherwise", "this")
)
"""Such a first word needs the sentence before."""


def quoted(paragraphs: Mapping[str, str], rule: str, message: str) -> str:
    text = paragraphs.get(rule, "")
    return f'"{_fitting(text, message)}" [{rule}]' if text else ""


def _fitting(text: str, message: str) -> str:
    """Return the sentence that shares most words, rare ones first; else the first."""
    sentences = _END.split(" ".join(text.split()))
    if len(sentences) <= FEW:
        return " ".join(sentences)
    stems = [_stems(one) for one in sentences]
    often, wanted = Counter(stem for one in stems for stem in one), _stems(message)
    shared = [sum(1 / often[stem] for stem in one & wanted) for one in stems]
    best = shared.index(max(shared))
    first = sentences[best].split(maxsplit=1)[0].strip(",").casefold()
    return " ".join(sentences[best - (first in _LEANS and best > 0) : best + 1])


def begun(text: str, most: int, kept_for: re.Pattern[str]) -> str:
    """Return a text's first sentences, of about most characters, or more while they match kept_for,
    with its last citation."""
    flat = " ".join(text.split())
    said, _, cited = flat.rpartition(" [")
    if not (said and cited.endswith("]")):
        said, cited = flat, ""
    kept, *more = _END.split(said)
    while more and (len(kept) + len(more[0]) < most or kept_for.search(more[0])):
        kept = f"{kept} {more.pop(0)}"
    return f"{kept} [{cited}" if cited else kept


def _stems(text: str) -> set[str]:
    words = (word.casefold() for word in _LONG_WORD.findall(text))
    return {word[:_STEM] for word in words if word not in _SMALL}
