"""Index rules, order guide, house rules and tables for questions about a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.frame.house import House
from pbem.house import lookup, templates
from pbem.house.lookup import Index
from pbem.pages import guide
from pbem.pages.guide import Paragraph, of_guide, of_sheet
from pbem.periods import start_mails
from pbem.periods.start_mails import Terms


def index(key: str, house: House, terms: Terms, values: Mapping[str, Any]) -> Index:
    return lookup.index(key, tuple(_paragraphs(key, house, terms, values)))


def _paragraphs(
    key: str, house: House, terms: Terms, values: Mapping[str, Any]
) -> Iterator[Paragraph]:
    yield from of_guide(guide.guide(templates.environment(), key, house))
    yield from of_sheet(start_mails.house_text(key, house, terms), "The house rules")
    for name in templates.tables(key):
        yield from of_sheet(templates.table(key, name, values), f"The table {name}")
