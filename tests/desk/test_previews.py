"""What an act's page shows of the mails that would go out: all whole and by name, but of those with
secrets only what is in them."""

from __future__ import annotations

import re

import pytest

from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, Installation, text_of

NEW = "new@else.example"
pytestmark = pytest.mark.game("coalition", strangers=(NEW,))


def test_a_code_is_not_shown(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/second?game=g")
    visitor.press("See what it would do", address=NEW)
    shown = visitor.text
    assert "You are asked to be the second gamesmaster" in visitor.words
    assert "CONFIRM (the code)" in visitor.words
    visitor.press("Do it")
    at.once()
    codes = [
        found[1]
        for who in (NEW, GAMESMASTER)
        for mail in at.mails(who)
        if (found := re.search(r"CONFIRM (\S+)", text_of(mail)))
    ]
    assert codes and not any(code in shown for code in codes)


def test_of_a_seats_welcome_it_says_what_is_in_it(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/replace?game=g&seat=A")
    visitor.press("See what it would do", address=NEW, name="Nora", why="he has moved")
    shown = visitor.text
    assert "In it: the seat's welcome, with its secrets and its reply address" in visitor.words
    assert "Nora (A)" in visitor.words
    visitor.press("Do it")
    at.once()
    welcome = next(mail for mail in at.mails(NEW) if "+" in str(mail["Reply-To"]))
    assert str(welcome["Reply-To"]) not in shown
    said = [line for line in text_of(welcome).split("\n") if len(line) > 60]
    assert said and not any(line in shown for line in said)


def test_words_of_his_own_are_shown_whole_and_to_whom(at: Installation) -> None:
    visitor = Visitor(at).come_in().get("/do/warn?game=g&seat=A")
    visitor.press("See what it would do", why="Mind your words, please")
    assert "Mind your words, please." in " ".join(visitor.find(".would pre")[-1].text().split())
    assert "to Player A (A)" in visitor.words
