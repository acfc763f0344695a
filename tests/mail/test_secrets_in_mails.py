"""What the rules keep from a player no mail of the referee tells him: accounts where they are not
published, what others have ordered, the writer of anonymous press."""

from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.orders.order import Standing
from pbem.referee.words import questions
from tests.bots import bot_game
from tests.installation import Installation, text_of
from tests.keys import GAME_TESTS, module

GAMES_PLAYED = 2
NAMED = {"{number}": "4", "{place}": "NY"}
BESIDES = {
    **dict.fromkeys(("deadline", "left", "period", "gamesmaster", "nothing", "open"), ""),
    **{"lasts": "", "order": "VOTE"},
    **{"question": "workers", "over": False, "result": None, "bots": (), "owes": (), "silence": ()},
    **{"standing": (), "written": str, "paragraph": str, "entry": lambda *words: ""},
    "happened": questions.happened("", ()),
}
GOVERNMENT = "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R"
ODD = 137
"""So many crowns are paid: no sum that comes up by itself ends like a balance after it."""


def test_every_text_of_a_seat_is_the_same_whatever_others_hide(key: str) -> None:
    """What notices, reminders, receipts, CHECK, STATUS, WHY and subjects are made of."""
    ruleset, told = shelf.open_ruleset(key), 0
    twin = module(GAME_TESTS / key / "secrets.py").twin
    chance = Dice("twins", key).stream("mails")
    for number in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, number):
            for seat, standing in turn.standing.items():
                other = twin(turn.before, seat, chance)
                if other == turn.before:
                    continue
                texts = _texts(ruleset, turn.before, seat, standing)
                assert _texts(ruleset, other, seat, standing) == texts
                told += 1
    assert told


def told(ruleset: Ruleset[Any], state: Any, seat: str) -> list[str]:
    """Every fact that a question brings, of each seat."""
    players = dict.fromkeys(ruleset.asked(state), "")
    given = questions.known(ruleset, state, seat, players, BESIDES)
    return [
        questions.say(one, given, {**NAMED, "{seat}": other})
        for one in questions.by_game(ruleset.about.key)[-1]
        for other in (*players, seat)[-2:]
    ]


def _texts(ruleset: Ruleset[Any], state: Any, seat: str, standing: Standing) -> list[object]:
    return [
        templates.page_words(ruleset, state, seat, {}),
        templates.page_words(ruleset, state, seat, standing),
        templates.owed_words(ruleset, state, seat, standing),
        templates.events_in_words(ruleset, state, seat, ruleset.advice(state, seat, standing)),
        templates.words(ruleset, state, None).period(),
        told(ruleset, state, seat),
        [str(order) for order in ruleset.default(state, seat)],
        *(
            templates.explained(ruleset, state, seat, (), words)
            for words in ("", "MONEY", *ruleset.questions(state, seat))
        ),
    ]


@pytest.mark.parametrize("notices", ["off", "on"])
def test_no_mail_tells_an_account_where_they_are_not_told(notices: str, tmp_path: Path) -> None:
    """1966, paragraph 34: between two listings nobody is told what he has, but by the option."""
    options = {"private_treasury_notices": notices}
    with Installation(tmp_path, "parlement-1966", options=options) as at:
        at.start()
        for seat, order in (("S", GOVERNMENT), ("R", GOVERNMENT), ("L", "ENDORSE S")):
            at.write(seat, order)
        at.once()
        at.to_deadline()  # the listing
        before = {seat: len(at.mails(seat)) for seat in at.seats}
        asks = "STATUS\nORDERS\nWHY MONEY\nWHY"
        at.write("S", f"CHECK\nPAY {ODD} TO R\n{asks}")
        at.send("S", f"PAY {ODD} TO R\n{asks}")
        at.to_deadline()
        for seat in ("S", "R"):
            at.write(seat, f"CHECK\nPAY 1 TO L\n{asks}")
        at.once()
        table = at.table()
        for seat in ("S", "R"):
            balance = table.state.accounts.balances[seat]
            assert balance % 100 in (ODD % 100, -ODD % 100)
            said = "\n".join(text_of(mail) for mail in at.mails(seat)[before[seat] :])
            assert (f"{balance:,}" in said) is (notices == "on"), seat


def test_anonymous_press_stays_anonymous(key: str, tmp_path: Path) -> None:
    with Installation(tmp_path, key) as at:
        at.start()
        writer, reader = at.seats[:2]
        at.send(writer, "PRESS TO ALL ANONYMOUS\nThe tide turns.\nEND PRESS\nORDERS")
        if at.table().period.due is not None:
            at.to_deadline()
        for mail in at.mails(reader):
            if "The tide turns." in text_of(mail):
                lines = text_of(mail).partition("    | The tide turns.")[0].split("\n")
                above = [line for line in lines if line][-1]
                assert "anonymous" in above and writer not in above.split()
        assert any("an anonymous player" in str(mail["Subject"]) for mail in at.mails(reader))
