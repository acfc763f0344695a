"""RULES and TABLES, by mail or in the shell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from pbem.house import shelf, templates
from pbem.pages import rulebook
from pbem.periods import amendments, charter, start_mails
from pbem.store.games.games import GameAt


def rules(key: str, words: str) -> str:
    """Return the contents of the rules for "", else the paragraphs named."""
    book = shelf.rules(key)
    if not words.strip(" .?!"):
        return rulebook.contents(book, templates.tables(key))
    return rulebook.read(book, words.strip(" .?!"))


HOUSE = ("HOUSE", "HOUSE RULES")
AMENDMENTS = ("AMENDMENTS", "AMENDMENT", "RULINGS", "RULING")


def of_game(conn: Connection, at: GameAt, words: str) -> str | None:
    """Return the charter, house rules, or amendments and rulings, if ``words`` ask for one."""
    if charter.asked(words):
        return charter.page(conn, at) or None
    if words.strip(" .?!").upper() in AMENDMENTS:
        return amendments.page(conn, at)
    if words.strip(" .?!").upper() in HOUSE:
        return start_mails.house_text(at.ruleset.about.key, at.house, at.game)
    return None


def tables(key: str, values: Mapping[str, Any], words: str) -> str:
    """Return a table by name or its beginning, all, or their names. values: the game's own."""
    names, asked = templates.tables(key), words.strip(" .?!").lower()
    if asked == rulebook.ALL.lower():
        return "\n\n".join(templates.table(key, name, values) for name in names)
    found = (
        [asked] if asked in names else [name for name in names if asked and name.startswith(asked)]
    )
    if len(found) == 1:
        return templates.table(key, found[0], values)
    told = f"The tables are {', '.join(names)}. Ask for one by its name, or for ALL."
    return f'There is no one table "{asked}". {told}' if asked else told
