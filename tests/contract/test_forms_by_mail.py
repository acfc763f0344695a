"""The form of every game as it comes back: by any mail program, filled in or not, in a quotation."""

import textwrap
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from pbem.games.frame.adjudication import take
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.letters.letter import read
from pbem.letters.verdict import understood
from pbem.pages import page
from pbem.pages.plain import plain
from tests.bots import bot_game
from tests.letter.letters import decided
from tests.letter.programs import built

TOP = ("gmail", "outlook", "apple-mail", "iphone", "thunderbird-top", "k9", "web-page", "samsung")
MOST = 24
"""So many forms of each game are tried."""


def _forms(ruleset: Ruleset[Any]) -> Iterator[tuple[Any, str, str, str]]:
    """Positions and seats, each with its form and the form with its first line filled."""
    for turn in bot_game(ruleset, 0):
        for seat in ruleset.asked(turn.before):
            offers = ruleset.offers(turn.before, seat)
            says = templates.words(ruleset, turn.before, seat)
            if offers:
                order = says.lines(offers)[0][0]
                text = plain(says.form(offers))
                filled = page.filled(order, [words[0] for words in offers[0].fills])
                yield turn.before, seat, text, filled


def _wrapped(text: str, width: int) -> str:
    lines = (textwrap.wrap(line, width, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join(part for line in lines for part in line)


@pytest.fixture
def forms(key: str) -> list[tuple[Any, str, str, str]]:
    found = list(islice(_forms(shelf.open_ruleset(key)), 0, 4 * MOST, 4))
    assert found
    return found


@pytest.mark.parametrize("width", [60, 65, 72, 76, 78])
def test_what_is_not_filled_in_is_passed_over(
    key: str, forms: list[tuple[Any, str, str, str]], width: int
) -> None:
    ruleset = shelf.open_ruleset(key)
    for state, seat, text, _ in forms:
        for lines in (text, text.replace("...", "\u2026"), text.replace("...", ". . .")):
            taken = take(ruleset, state, seat, _wrapped(lines, width), {})
            assert not taken.standing
            assert [one.line.text for one in taken.answers if not one.quiet] == []


def test_what_is_filled_in_is_read(key: str, forms: list[tuple[Any, str, str, str]]) -> None:
    ruleset = shelf.open_ruleset(key)
    for number, (state, seat, text, filled) in enumerate(forms):
        wanted = [str(one) for one in ruleset.language.parse(filled)]
        raw = built(
            TOP[number % len(TOP)], f"Hello,\n\n{filled}   # as you say\n{text}\n\nAnn", text
        )
        letter = read(raw)
        peeled = decided(letter, raw).peeled
        assert understood(ruleset.language, peeled.text) == wanted, letter.text
        answers = take(ruleset, state, seat, peeled.text, {}).answers
        assert not [one.line.text for one in answers if not (one.orders or one.quiet)]


def test_a_form_filled_in_within_a_quotation_is_not_read(
    key: str, forms: list[tuple[Any, str, str, str]]
) -> None:
    ruleset = shelf.open_ruleset(key)
    for number, (_, _, text, filled) in enumerate(forms):
        raw = built(TOP[number % len(TOP)], "See below", f"{filled}\n{text}")
        letter = read(raw)
        assert understood(ruleset.language, letter.text) == []
        assert any(filled.split()[0] in cut.text for cut in letter.cut)
