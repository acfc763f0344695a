"""The two faces of a mail say the same, and HTML is what mail programs take: over every bulletin and
notice of bot games of each rule-set."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.letters.reading import markup
from pbem.orders.mailwords import peel
from pbem.orders.muting import order_lines
from pbem.pages import bulletin, html
from pbem.pages.plain import plain
from tests.bots import bot_game
from tests.looks import whole

DIVIDER = "-------- reply above this line --------"
MOST_BYTES = 100_000
"""Beyond about so many bytes some mail programs cut HTML off."""
_LAYOUT = re.compile(r"^ *(?:=+|[|#*]|-)(?: |$)|\s#\s", re.MULTILINE)
"""What stands in plain text for what HTML draws: rules, bars, bullets, the mark of a comment."""


def _sheets(ruleset: Ruleset[Any], games: int) -> Iterator[str]:
    env = templates.environment()
    for number in range(games):
        for turn in bot_game(ruleset, number):
            seats = sorted(turn.standing)
            issue = templates.issue(
                ruleset,
                turn.outcome.state,
                seats,
                turn.number,
                turn.before.phase,
                turn.outcome.events,
                {"game": "g", "deadline": "Monday", "press": [{"by": "A", "text": "Hear me"}]},
            )
            yield bulletin.public_sheet(env, issue)
            yield from (bulletin.seat_sheet(env, issue, seat) for seat in seats)


def _words(text: str) -> Counter[str]:
    return Counter(_LAYOUT.sub(" ", text).replace("...", " ... ").casefold().split())


def _read(page: str) -> str:
    """Every word that is in the body."""
    tree = LexborHTMLParser(page)
    assert tree.body
    return tree.body.text(separator=" ").replace(DIVIDER, "")


@pytest.fixture
def sheets(key: str) -> list[str]:
    found = [sheet for sheet in _sheets(shelf.open_ruleset(key), 2) if sheet]
    assert len(found) > 10
    return found


def _html(sheet: str) -> str:
    return html.page(templates.environment(), sheet, "A title", DIVIDER)


def test_both_faces_say_the_same(sheets: list[str]) -> None:
    for sheet in sheets:
        one, other = _words(plain(sheet)), _words(_read(_html(sheet)))
        assert one == other, (one - other, other - one)


def test_looks_are_those_of_the_style_sheet(sheets: list[str]) -> None:
    """What is written into each element is what its style sheet gives it in the whole page."""
    for sheet in sheets:
        assert _html(sheet) == whole(sheet, "A title", DIVIDER)


def test_html_is_what_mail_programs_take(sheets: list[str]) -> None:
    """It is not cut off, has no script, asks for nothing from outside, and its tables have heads."""
    for sheet in sheets:
        page = _html(sheet)
        assert len(page.encode()) < MOST_BYTES
        tree = LexborHTMLParser(page)
        assert not tree.css("script, link, iframe, object, embed, form, input")
        for node in tree.css("[src], [href]"):
            where = node.attributes.get("src") or node.attributes.get("href") or ""
            assert where.startswith(("cid:", "mailto:")), where
        assert "url(" not in page and "@import" not in page and "http" not in page
        for table in tree.css("table"):
            rows = table.css("tr")
            assert rows and all(
                len(row.css("th, td")) == len(rows[0].css("th, td")) for row in rows
            )
            assert all(cell.attributes.get("scope") for cell in table.css("th"))


def test_html_that_is_quoted_bare_asks_for_nothing(key: str, sheets: list[str]) -> None:
    """As a letter's HTML part, without any mark of a quotation."""
    language = shelf.open_ruleset(key).language
    for sheet in sheets:
        said = markup.shown(_html(sheet)).text
        said = said.replace(DIVIDER, "")
        assert peel(said).empty or peel(said).text == said
        lines = said.split("\n")
        assert [lines[number - 1] for number in order_lines(language, said)] == []
