"""A rewind over several periods: in every game, of a formation, across an election, and with chance:
a replay finds all of it again."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.house import shelf
from pbem.periods import claims
from pbem.referee.acts import clock_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Period
from tests.installation import Installation
from tests.rewinds import bots, clean, letter_of, rewind


@pytest.mark.parametrize("game", GAMES)
def test_three_periods_back_and_again_in_every_game(game: str, tmp_path: Path) -> None:
    seats = min(shelf.open_ruleset(game).about.seats, key=len)
    with Installation(tmp_path, game, seats=seats) as at:
        at.start()
        for _ in range(5):
            bots(at)
        reached = at.table().period.number
        rewind(at, reached - 3, done=False)
        clean(at)
        rewind(at, reached - 3)
        clean(at)
        for _ in range(2):
            bots(at)
        clean(at)
        rewind(at, at.table().period.number - 2)
        clean(at)
        for _ in range(2):
            bots(at)
        clean(at)
        at.once()
        assert len({key for key, _ in at.outbox()}) == len(at.outbox())


def drawn(at: Installation) -> dict[int, list[Any]]:
    """The draws of each period that had any."""
    with exclusive_transaction(at.daemon.engine) as conn:
        found = conn.execute(select(Period.number, Period.draws).order_by(Period.number))
        return {row.number: row.draws for row in found if row.number and row.draws}


@pytest.mark.game("politics-1935", seats=("P1", "P2", "P3"))
def test_throws_that_were_seen_are_not_played_again(at: Installation) -> None:
    while len(drawn(at)) < 2:
        bots(at)
    first = drawn(at)
    number = min(first)
    tried = rewind(at, number, done=False)
    assert drawn(at) == first and "it throws again" in " ".join(tried.split())
    assert "It says the same" not in tried  # but for chance: the notes and the deadline
    done = rewind(at, number)
    second = drawn(at)[number]
    assert second != first[number] and "carried out, it throws again" in " ".join(done.split())
    assert {stream for stream, _, _ in second} == {
        f"edition 2/{stream}" for stream, _, _ in first[number]
    }
    clean(at)
    bots(at)
    rewind(at, number)
    assert {stream.partition("/")[0] for stream, _, _ in drawn(at)[number]} == {"edition 3"}
    clean(at)
    game = at.table().row
    by_hand = Dice(game.seed, "g").stream(drawn(at)[number][0][0])
    assert by_hand.below(drawn(at)[number][0][1]) == drawn(at)[number][0][2]


GOVERNMENT = """GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,
  AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes, Mon-Nor"""
FORMING = pytest.mark.game("parlement-1968")


def formed(at: Installation) -> None:
    """A Government is formed in period 1, and sits from period 2 on."""
    at.send("Soc", GOVERNMENT)
    for seat in ("Rad", "Ctr", "Con", "Mon"):
        at.send(seat, "SIGN GOVERNMENT 1")
    at.to_deadline()
    assert at.table().period.phase == "program"


@FORMING
def test_a_formation_is_adjudicated_again_as_it_was(at: Installation) -> None:
    formed(at)
    at.send("Soc", "PROGRAM BILLS 1, 2, 3")
    program = at.standing("Soc")
    said = rewind(at, 1)
    assert at.view()["government"]["premier"] == "Soc E5" and "Program" in said
    assert at.standing("Soc") == program
    clean(at)


@FORMING
def test_a_signature_that_is_dropped_brings_no_government(at: Installation) -> None:
    formed(at)
    mon = letter_of(at)
    rewind(at, 1, drop=[mon])
    at.once()
    assert at.table().period.phase == "formation" and at.table().period.due is None
    clean(at)
    at.send("Mon", "SIGN GOVERNMENT 1")
    assert at.table().period.due is not None, "the proposal and the others' signatures stand"
    at.to_deadline()
    assert at.table().period.phase == "program"
    clean(at)


@FORMING
def test_letters_of_a_formation_are_tried_anew_in_their_order(at: Installation) -> None:
    """Period 1 ends without a Government, period 2 brings one; the game goes back to period 1."""
    at.send("Com", "PASS")
    at.act(clock_acts.close, "g", None, unread=True)
    at.once()
    assert at.table().period.phase == "formation" and at.table().period.number == 2
    at.send("Soc", GOVERNMENT)
    at.send("Rad", "SIGN GOVERNMENT 1")
    for seat in ("Ctr", "Con"):
        at.send(seat, "SIGN GOVERNMENT 1")
    at.write("Soc", "PAY 100 TO Rad")
    at.send("Mon", "SIGN GOVERNMENT 1")
    at.clock += timedelta(days=7)
    reports = [m for m in at.mails("Com") if "Progress" in str(m["Subject"])]
    at.to_deadline()
    at.to_deadline()
    rewind(at, 1)
    at.once()
    assert at.table().period.number == 2
    due = at.table().period.due
    assert due is not None and timedelta(days=5) < due - at.clock < timedelta(days=6)
    assert len([m for m in at.mails("Com") if "Progress" in str(m["Subject"])]) > len(reports)
    at.to_deadline()
    assert at.view()["government"]["premier"] == "Soc E5"
    clean(at)


@pytest.mark.game("parlement-1966", strangers=("new@legit.example",))
def test_who_missed_no_move_after_all_is_not_replaced(at: Installation) -> None:
    """House rule 7 asks M, whose votes were lost; once they count, no stand-by player is called."""
    at.act(claims.enlist, "g", "new@legit.example", "Nora New")
    at.write("S", "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4")
    at.write("R", "JOIN S\nSIGN BILL 4")
    at.send("L", "ENDORSE S")
    at.to_deadline()
    for bill in ("4", "2"):
        at.write("L", f"PROPOSE BILL 2\nVOTE {bill} YES")
        at.write("C", f"SIGN BILL 2\nVOTE {bill} YES")
        at.send_each("SR", f"VOTE {bill} YES")
        at.to_deadline()
    assert at.table().holders["M"].asked_until is not None
    number = at.table().period.number - 1
    rewind(at, number, order=[("M", "VOTE 2 YES")])
    holder = at.table().holders["M"]
    assert (holder.asked_until, holder.missed) == (None, 0)
    at.later(days=8)
    assert at.table().holders["M"].address == "m@legit.example"
    clean(at)
