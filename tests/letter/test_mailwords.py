"""The mail-level words and those that anybody may write: what is taken off a text, and what stays the game's."""

from pathlib import Path

import pytest

from pbem.orders.asking import ANYBODY
from pbem.orders.mailwords import Command, Press, peel
from pbem.orders.muting import muted
from tests.letter.letters import lines_of, table, written

ROWS = table(Path(__file__).with_name("heard.tsv"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["line"])
def test_what_is_heard(row: dict[str, str]) -> None:
    line, name, argument = map(written, row.values())
    peeled = peel(f"PASS\n{line}\nVOTE YES ON 4")
    assert peeled.commands == (Command(name, argument, 2),)
    assert peeled.text == "PASS\n\nVOTE YES ON 4"


@pytest.mark.parametrize("line", lines_of(Path(__file__).with_name("not_heard.txt")))
def test_what_is_not(line: str) -> None:
    """What people say, and what is the game's, stays."""
    peeled = peel(f"{line}\nVOTE YES ON 4")
    assert peeled.text == f"{line}\nVOTE YES ON 4"
    assert (peeled.commands, peeled.period, peeled.game, peeled.ended) == ((), None, "", 0)


@pytest.mark.parametrize(
    "line",
    ["The end.", "End.", "end!", "The first line of a long sentence goes on until the very\nend"],
)
def test_the_end_of_a_story_ends_no_letter(line: str) -> None:
    peeled = peel(f"{line}\n\nHELP")
    assert (peeled.ended, peeled.unread) == (0, 0) and peeled.asks("HELP")


@pytest.mark.parametrize("line", ["END", "end", "End", "END.", "End of message."])
def test_what_ends_a_letter(line: str) -> None:
    peeled = peel(f"PASS\n{line}\n\nHELP\nAnn")
    assert (peeled.ended, peeled.unread, peeled.commands) == (2, 2, ())


@pytest.mark.parametrize("line", ["Game on!", "Game over.", "GAME ON!", "game time", "Game set"])
def test_what_people_say_names_no_game(line: str) -> None:
    assert not peel(line, games=("autumn",)).game


@pytest.mark.parametrize("line", ["game autumn", "Game atumn", "GAME nosuch", "Game g2", "GAME x!"])
def test_what_names_a_game(line: str) -> None:
    assert peel(line, games=("autumn",)).game
    assert peel("Game on", games=("on",)).game == "on"


@pytest.mark.parametrize("line", ["AGREE WIN S?", "Agree draw S, R?!", "agree win s..."])
def test_a_question_is_no_ballot(line: str) -> None:
    """A ballot may end the game; a line that asks or trails off is left for the refusal."""
    peeled = peel(f"PASS\n{line}")
    assert peeled.commands == () and peeled.text == f"PASS\n{line}"


def test_game_and_period() -> None:
    peeled = peel("game G1\nPERIOD 7\nPASS")
    assert (peeled.game, peeled.period, peeled.text) == ("g1", 7, "\n\nPASS")


def test_end() -> None:
    peeled = peel("PASS\nend\nVOTE NO ON 4\nHELP")
    assert (peeled.text, peeled.commands, peeled.ended) == ("PASS\n\n\n", (), 2)
    assert peel("VOTE YES ON 3; END; PAY 3 TO L").text == "VOTE YES ON 3"


def test_pieces() -> None:
    peeled = peel("VOTE YES ON 4; wait; PASS")
    assert (peeled.text, peeled.commands) == ("VOTE YES ON 4; PASS", (Command("WAIT", "", 1),))


def test_press() -> None:
    peeled = peel(
        "PASS\nPress to s, R and L Anonymous\nDear all,\n\n  HELP; “me”\nend press\n"
        "VOTE YES ON 4\nPRESS TO ALL\nBye\nEND\nPASS"
    )
    assert peeled.press == (
        Press(("S", "R", "L"), True, "Dear all,\n\n  HELP; “me”", 2),
        Press(("ALL",), False, "Bye", 8),
    )
    assert peeled.text == "PASS\n\n\n\n\n\nVOTE YES ON 4\n\n\n\n"
    assert not peeled.commands and peeled.ended == 10


def test_press_to_the_end_of_the_letter_and_empty_press() -> None:
    assert peel("PRESS TO S\nhello").press == (Press(("S",), False, "hello", 1),)
    assert peel("PRESS TO S\nPRESS TO R\nhello").press == (Press(("R",), False, "hello", 2),)
    assert peel("PRESS TO S\n\n").press == ()


def test_a_statement() -> None:
    peeled = peel("HELP\nStatement:\n\nPASS\n  GAME x; AGREE NONE\n\nend statement.\nPASS")
    assert peeled.commands == (
        Command("HELP", "", 1),
        Command("STATEMENT", "PASS\n  GAME x; AGREE NONE", 2),
    )
    assert (peeled.text, peeled.game) == ("\n\n\n\n\n\n\nPASS", "")
    peeled = peel("STATEMENT\nOne.\n\nTwo.\nEND\nPASS")
    assert peeled.commands == (Command("STATEMENT", "One.\n\nTwo.", 1),)
    assert (peeled.text, peeled.ended) == ("\n" * 5, 5)
    assert peel("STATEMENT").commands == (Command("STATEMENT", "", 1),)


def test_lines_keep_their_numbers() -> None:
    text = "GAME g1\nHELP\nVOTE YES ON 4\nPRESS TO S\nx\nEND PRESS\nPASS\nEND\nrest"
    assert [n for n, line in enumerate(peel(text).text.split("\n"), 1) if line] == [3, 7]
    assert peel(text).text.count("\n") == text.count("\n")


def test_gamesmaster() -> None:
    text = "QUEUE\nEXTEND g1 2 days\nREPLACE S new@legit.example\nRULE The vote stands.\nCLOSE"
    assert [one.name for one in peel(text, gamesmaster=True).commands] == [
        "QUEUE",
        "EXTEND",
        "REPLACE",
        "RULE",
        "CLOSE",
    ]
    assert not peel(text).commands


def test_empty() -> None:
    assert peel("\nHELP\n # nothing\n").empty
    assert not peel("HELP\nPASS").empty


def test_a_text_of_ours_that_is_quoted_bare_asks_for_nothing() -> None:
    text = (
        "No more of your\norders.\n  END\nHOLD 347 seats.\nPRESS TO ALL\nwords; help\n    CONFIRM"
        " abcdef"
    )
    assert muted(text).split("\n") == [
        "No more of your",
        "| orders.",
        "| END",
        "HOLD 347 seats.",
        "| PRESS TO ALL",
        "| words; | help",
        "    CONFIRM abcdef",
    ]
    assert "| HOLD 347 seats." in muted(text, gamesmaster=True)
    assert (
        muted("PASS\nno", orders=lambda said: [1] if said.startswith("PASS") else [])
        == "| PASS\nno"
    )


def test_wishes_stand_below_a_signon() -> None:
    text = "PREFER A\nSIGNON autumn AS Sue\nPREFER L, S\n\nSeat: L.\nVOTE AYE"
    peeled = peel(text)
    assert peeled.commands == (
        Command("SIGNON", "autumn AS Sue", 2),
        Command("PREFER", "L, S", 3),
        Command("SEAT", "L", 5),
    )
    assert peeled.text == "PREFER A\n\n\n\n\nVOTE AYE"


def test_quoted_bare_they_are_barred() -> None:
    for line in (
        *ANYBODY - {"SIGNON", "WATCH", "INVITE"},
        "GAMES",
        "WATCH autumn",
        "SIGNON autumn AS Sue",
        "SIGNOFF",
        "UNWATCH",
        "INVITE a@b.c",
    ):
        assert muted(f"{line}\n") == f"| {line}\n"
        assert not peel(muted(line)).commands
