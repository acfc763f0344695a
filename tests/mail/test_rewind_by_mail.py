"""REWIND by mail: tried first, with what it puts right on the lines below it; its code does exactly
that."""

import re

import pytest

from pbem.orders.mailwords import peel
from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from tests.installation import GAMESMASTER, SLATE, Installation, text_of
from tests.masters import reply_to

pytestmark = pytest.mark.game("coalition")


def command(at: Installation, text: str) -> str:
    """A letter of the gamesmaster's to his secret address; the answer."""
    at.send(GAMESMASTER, text, To=reply_to(at, GAMESMASTER))
    return at.newest(GAMESMASTER)


def code(text: str) -> str:
    found = re.search(r"CONFIRM (\S+)", text)
    assert found, text
    return found[0]


def voted(at: Installation) -> None:
    """Period 2 is closed: A and B have voted for A's motion."""
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.write("A", "VOTE AYE")
    at.send("B", "VOTE AYE")
    at.to_deadline()
    at.send("D", 'NAME "Later"')


BLOCK = "GAME g\nPERIOD 3\nREWIND 2 the letter of C was read wrongly\nDROP 2\nORDER c\nVOTE AYE"


def test_it_is_tried_and_its_code_does_exactly_that(at: Installation) -> None:
    voted(at)
    shown = command(at, BLOCK)
    for said in ("- VOTE AYE", "+ VOTE AYE", "157 Aye", "143 Aye", "Bulletin 2 is void"):
        assert said in shown, said
    assert at.view()["history"][-1]["aye"] == 157
    assert not any("goes back" in str(mail["Subject"]) for mail in at.mails("E"))
    done = command(at, code(shown))
    assert "REWIND: Period 2 is adjudicated again; the game g is in period 3" in " ".join(
        done.split()
    )
    assert at.view()["history"][-1]["aye"] == 143 and at.standing("D") == ['NAME "Later"']
    told = next(m for m in at.mails("E") if "goes back to period 2" in str(m["Subject"]))
    assert "the letter of C was read wrongly" in text_of(told)
    again = command(at, code(shown))
    assert "nothing that waits for that code" in " ".join(again.split())
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


def test_a_code_of_before_another_rewind_does_nothing(at: Installation) -> None:
    voted(at)
    shown = command(at, BLOCK)
    other = command(at, "GAME g\nPERIOD 3\nREWIND 2 something else")
    command(at, code(other))
    assert "has been rewound since" in " ".join(command(at, code(shown)).split())
    assert at.view()["history"][-1]["aye"] == 157


def test_what_is_wrong_is_refused_and_has_no_code(at: Installation) -> None:
    voted(at)
    for lines, why in (
        ("REWIND 3 x", "rewind to one of 1 to 2"),
        ("REWIND two x", "not understood, nothing was done"),
        ("REWIND 2 x\nACCEPT 1", "letter 1 is orders"),
        ("REWIND 2 x\nDROP 99", "letter 99 has no orders in period 2"),
        ("REWIND 2 x\nORDER Z VOTE AYE", "no seat 'Z'"),
        ("REWIND 2 x\nVOTE AYE", "lines begin with ORDER, ACCEPT or DROP"),
    ):
        said = " ".join(command(at, f"GAME g\nPERIOD 3\n{lines}").split())
        assert why in said and "CONFIRM" not in said, said


def test_its_lines_are_no_commands_of_their_own() -> None:
    peeled = peel(f"{BLOCK}\n\nRESUME", gamesmaster=True)
    assert [one.name for one in peeled.commands] == ["REWIND", "RESUME"]
    assert peeled.commands[0].argument.split("\n") == [
        "2 the letter of C was read wrongly",
        "DROP 2",
        "ORDER c",
        "VOTE AYE",
    ]
    assert (peeled.game, peeled.period, peeled.empty) == ("g", 3, True)
    first = peel("REWIND 2 x\nDROP 2\nGAME g\nPERIOD 3", gamesmaster=True)
    assert (first.game, first.period) == ("g", 3) and first.commands[0].argument == "2 x\nDROP 2"
    assert peel("REWIND 2 x").commands == (), "a player's line is none"


def test_orders_below_a_rewind_may_end_as_an_order_does(at: Installation) -> None:
    voted(at)
    lines = "REWIND 2 misread\nORDER A\nVOTE NAY\nEND ORDER\nORDER B VOTE NAY"
    said = " ".join(command(at, f"GAME g\nPERIOD 3\n{lines}").split())
    assert "CONFIRM" in said
    assert "line 3" not in said  # END ORDER is none of the orders
    assert "B: | - VOTE AYE | + VOTE NAY" in said, said
