"""What press is: with END PRESS all before it; without one, nothing that may have been meant for
the referee."""

import re

import pytest

from pbem.games.frame import press_rules
from pbem.house import shelf
from pbem.orders import mailwords
from pbem.orders.language import Language
from pbem.orders.mailwords import peel
from tests.keys import printed_guide

PROSE = """\
Let us talk about the budget before anybody votes.
I will vote with you if you pay me 500 crowns.
Dear friends,
No more of this! We pass, you pay: that was the deal, and the deal stands.
What do you propose? I would rather wait; perhaps R does too.
Why not vote together on bill 4?
Agree with me, and we both win.
Agreed.
This is my last statement.
Why?
Pass me the salt
He said "PASS" and left. 347 seats are not enough.
Yours, L
Paris, 2 November 2026
> as I told you
The NATO question is settled
1. First we take the south
2. then the north.
- the others know nothing
Bids are high this year: 3 to 1.""".splitlines()
FORMS = ("{}", "{}.", "*{}*", "- {}", "  {}", "1. {}", "3) {}", "**{}**", "Well; {}", "\u2022 {}")


def language(key: str) -> Language:
    return shelf.open_ruleset(key).language


def samples(key: str) -> list[str]:
    """The orders of the game's guide, one of each kind."""
    guide = printed_guide(key)
    found = [line.strip() for line in re.findall(r"(?m)^ *#\d+ (.+?)(?:  .*)?$", guide)]
    return [line for line in found if language(key).reads(line)]


def test_an_order_is_never_taken_for_words(key: str) -> None:
    reads, tried = language(key), 0
    assert len(samples(key)) >= 6
    for order in samples(key):
        for form in FORMS:
            for written in {form.format(order), form.format(order.lower())}:
                (press,) = peel(f"PRESS TO ALL\nHello all.\n{written}\nBye.").press
                assert written.strip() in press_rules.not_words(reads, press), written
                tried += 1
    assert tried >= 100


def test_words_are_no_orders(key: str) -> None:
    for line in PROSE:
        for text in (line, f"Hello,\n\n{line}\n\nBye"):
            (press,) = peel(f"PRESS TO ALL\n{text}").press
            assert press_rules.not_words(language(key), press) == [], line


@pytest.mark.parametrize(
    "line",
    [
        "VTOE YES ON 4",
        "PAYY 500 TO M",
        "vtoe yes on 4",
        "VOTE",
        "PAY M 500",
        "Vote YES on bill 4 please",
    ],
)
def test_what_is_nearly_an_order_is_no_words(line: str) -> None:
    assert press_rules.not_words(
        language("parlement-1966"), peel(f"PRESS TO R\nHi\n{line}").press[0]
    ) == [line]


def test_words_for_the_referee_are_none_either() -> None:
    for line in (
        "HELP",
        "status",
        "WAIT",
        "GAME g",
        "PERIOD 3",
        "HISTORY 2",
        "CONFIRM abcd-efgh",
        "CANCEL ALL",
        "Check",
        "ABSENT 2026-07-01 TO 2026-07-20",
        "ABSENT next week",
        "WHY N2",
        "ORDERS",
        "agree draw S, R",
        "Agree to a draw of all",
        "AGREE NONE",
        "hello; WAIT",
    ):
        peeled = peel(f"PASS\nPRESS TO R\nHi\n{line}\nBye")
        assert press_rules.not_words(language("coalition"), peeled.press[0]) == [line], line
        assert (
            not peeled.commands
            and not peeled.game
            and peeled.period is None
            and peeled.text == "PASS\n\n\n\n"
        )


def test_a_statement_within_a_press_holds_it() -> None:
    (press,) = peel("PRESS TO R\nHi\nStatement\nIt was fun.").press
    assert press_rules.not_words(language("coalition"), press) == ["Statement", "It was fun."]


def test_with_end_press_all_before_it_is_words() -> None:
    said = "VOTE YES ON 4\nHELP\nEND\nPAY 500 TO M\nGAME x"
    peeled = peel(f"PASS\nPRESS TO R\n{said}\nEND PRESS\nVOTE NO ON 4\nHELP")
    (press,) = peeled.press
    assert (press.text, press.closed, peeled.ended, peeled.game) == (said, True, 0, "")
    assert press_rules.not_words(language("parlement-1966"), press) == []
    assert [line for line in peeled.text.split("\n") if line] == ["PASS", "VOTE NO ON 4"]
    assert [one.name for one in peeled.commands] == ["HELP"]


def test_press_ends_with_the_next_press_and_with_end() -> None:
    peeled = peel(
        "PRESS TO S\none\nPRESS TO R\ntwo\nEND PRESS\nPASS\nPRESS TO L\nthree\nEND\nPASS\nEND"
        " PRESS\n"
    )
    assert [(one.to, one.text, one.closed) for one in peeled.press] == [
        (("S",), "one", False),
        (("R",), "two", True),
        (("L",), "three\nEND\nPASS", True),
    ]
    peeled = peel("PRESS TO L\nthree\nEND\nPASS\nPRESS TO S\nfour\nEND PRESS\nPASS")
    assert [(one.text, one.closed) for one in peeled.press] == [
        ("three", False)
    ] and peeled.ended == 3
    assert peeled.text == "\n" * 7
    assert len(peel("PRESS TO L\n\n\nEND PRESS\nPASS").text.split("\n")) == 5


def test_the_words_for_the_referee_are_all_known() -> None:
    assert {"HELP", "PRESS", "CANCEL", "CONFIRM"} <= mailwords.WORDS


def test_press_without_a_name_loses_its_signature_and_nothing_else() -> None:
    names = ("Quentin Ash",)
    said = "Cheers to all.\n\nQuentin pays.\nBest of luck"
    below = "\n\nBest wishes,\nQuentin Ash\n+44 20 7946 0000\nSent from Quentin's iPhone\n"
    assert press_rules.unsigned(said + below, names) == said
    assert press_rules.unsigned(said, names) == said
    assert press_rules.of_writer(said, names) == "Quentin"
    assert press_rules.of_writer("Call 020 7946 0000", names) == "020 7946 0000"
    assert press_rules.of_writer("PAY 10000 TO L in period 5", names) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Will you vote for it? I will.\nWILL THEY?", ""),
        ('He asks: "Will they pay?"\n\nWill it pass', ""),
        ("Ask Will about it.", "Will"),
        ("The next vote is what\nWill wants.", "Will"),
        ("Will Ash pays.", "Will"),
        ("It was me.\nWill\nNo, it was not.", "Will"),
        ("Quentin pays.", "Quentin"),
        ("QUENTIN pays.", "Quentin"),
    ],
)
def test_a_name_that_is_a_word_tells_its_writer_only_as_a_name(text: str, shown: str) -> None:
    assert press_rules.of_writer(text, ("Will Ash", "Quentin")) == shown
