"""A game's order guide: examples with their effects.

``templates/<key>/guide.txt.j2`` calls ``entry("PAY 1000 TO L", "a cheque (27)")``. The number keeps
a quoted line from being an order.

Then: paragraphs that may answer a question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment

from pbem.pages import sheet
from pbem.pages.rulebook import Rules

IF = "IF"


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """An example and its effect."""

    order: str
    does: str


@dataclass(slots=True)
class Guide:
    """A guide's text and entries."""

    text: str = ""
    entries: list[GuideEntry] = field(default_factory=list)

    def entry(self, order: str, does: str) -> str:
        """Return a printed entry with the next number."""
        self.entries.append(GuideEntry(order, does))
        return sheet.entry(str(len(self.entries)), order, does)

    def about(self, word: str) -> list[GuideEntry]:
        """Return entries of orders that begin with word; for IF those that contain it."""
        asked = word.upper()
        return [
            one
            for one in self.entries
            if one.order.split()[0] == asked or (asked == IF and f" {IF} " in one.order)
        ]


def guide(env: Environment, key: str, house: Any) -> Guide:
    made = Guide()
    page = env.get_template(f"{key}/guide.txt.j2")
    made.text = page.render(house=house, entry=made.entry).strip("\n")
    return made


MOST_QUOTED = 90
_PASSAGE = 45  # a passage of so many words gets no further sentence
_SHORT = 6  # a line of no more words is no paragraph
_ENTRY, _GUIDE, _ROW, _CASE = 0.8, 0.85, 0.75, 0.6
"""Weights: an example of the order guide, a guide for all games, a row of a table, an option."""
_LINKED = re.compile(r"[*`]++|\]\([^()\s]*+\)|\[(?=[^\[\]]++\]\()")
_ITEM = re.compile(r"(?:[*-]|[0-9]{1,3}\.) ++")
_TITLE = re.compile(r"#{1,6} (.*)")
_SENTENCE = re.compile(r"(?<=[.;:?!]) (?=[A-Z(\"'])")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    label: str
    """Its number or heading."""
    heading: str
    """Above a numbered paragraph."""
    text: str
    """On one line, without marks."""
    weight: float = 1.0
    """How well it answers, compared with a paragraph of the rules."""

    def passages(self) -> Iterator[str]:
        """Yield runs of sentences, or a short paragraph whole."""
        run: list[str] = []
        for sentence in _SENTENCE.split(self.text):
            if run and len(" ".join(run).split()) >= _PASSAGE:
                yield " ".join(run)
                run = []
            run.append(sentence)
        yield " ".join(run)

    def quoted(self, passage: str) -> str:
        """Return the text, or if it is long the passage between dots."""
        if len(self.text.split()) <= MOST_QUOTED:
            return self.text
        before = "" if self.text.startswith(passage) else "... "
        after = "" if self.text.endswith(passage) else " ..."
        return f"{before}{passage}{after}"


def of_rules(rules: Rules) -> Iterator[Paragraph]:
    """Yield the rules' paragraphs, first the game in short."""
    for one in rules.short.split("\n\n"):
        label, _, text = one.partition(". ")
        if text:
            yield Paragraph(label, "", text)
    for section in rules.sections:
        for number, text in section.paragraphs.items():
            weight = _CASE if text.startswith("With ") else 1.0
            yield Paragraph(number, section.heading, text, weight)


def of_guide(guide: Guide) -> Iterator[Paragraph]:
    for entry in guide.entries:
        yield Paragraph("The orders", "", f"{entry.order}: {entry.does}", _ENTRY)
    yield from of_sheet(guide.text, "The orders")


def of_sheet(source: str, title: str) -> Iterator[Paragraph]:
    for block in sheet.blocks(source):
        match block:
            case sheet.Heading(text):
                title = text
            case sheet.Text(text):
                yield from of_document(text, title)
            case sheet.Table(columns, rows):
                titles = [column.title for column in columns]
                for first, *others in rows:
                    said = (f"{name} {cell}" for name, cell in zip(titles[1:], others, strict=True))
                    yield Paragraph(title, "", _one_line(f"{first}: {'; '.join(said)}"), _ROW)


def of_document(text: str, title: str) -> Iterator[Paragraph]:
    """Yield paragraphs, items and table rows of Markdown or plain text, without code."""
    heading, code = title, False
    held: list[str] = []
    for line in [*text.split("\n"), ""]:
        said = line.strip()
        fence = said.startswith("```")
        code ^= fence
        found = _TITLE.match(said)
        begins = bool(_ITEM.match(said)) or said.startswith("|")
        if held and (not said or found or begins or fence):
            yield from _paragraph(" ".join(held), heading)
            held = []
        if found:
            heading = _one_line(found[1])
        elif said and not code and not fence:
            held.append(_ITEM.sub("", said, count=1) if begins else said)


def _paragraph(text: str, heading: str) -> Iterator[Paragraph]:
    if text.startswith("|"):
        text = ": ".join(cell.strip() for cell in text.strip("| ").split("|"))
    if len(text.split()) >= _SHORT and not text.startswith("[More on"):
        yield Paragraph(heading, "", _one_line(text), _GUIDE)


def _one_line(text: str) -> str:
    return " ".join(_LINKED.sub("", text).split())
