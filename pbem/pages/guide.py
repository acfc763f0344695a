"""A game's order guide: examples with their effects.

``templates/<key>/guide.txt.j2`` calls ``entry("PAY 1000 TO L", "a cheque (27)")``. The number keeps
a quoted line from being an order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment

from pbem.pages import sheet

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
