"""Leaving a game: RESIGN where it is for good, and QUIT everywhere, wait for a code that only the
address of record gets."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.games import GAMES
from pbem.house import shelf
from pbem.orders.order import Resign
from pbem.periods import claims, paper, persons
from pbem.referee.acts import seat_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from tests.installation import GAMESMASTER, Installation, address, text_of, told
from tests.offering import holder

FORGER, STANDBY = "forger@else.example", "standby@else.example"
FIVE = ("A", "B", "C", "D", "E")
FOR_GOOD = ("coalition", "legislation", "politics-1935", "party-in-power")
"""The games that RESIGN leaves; in the Parlements it leaves an office."""


pytestmark = pytest.mark.game("coalition", strangers=(FORGER, STANDBY))


def table(folder: Path, game: str, **more: Any) -> Installation:
    return Installation(folder, game, strangers=(FORGER, STANDBY), **more)


def alarms(at: Installation, word: str) -> list[str]:
    return [
        " ".join(text_of(m).split())
        for m in at.mails(GAMESMASTER)
        if str(m["Subject"]).endswith(word)
    ]


# --- RESIGN ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FOR_GOOD)
def test_a_newcomer_resigns(game: str, tmp_path: Path) -> None:
    with table(tmp_path, game) as at:
        at.start()
        seat = at.seats[1]
        at.send(seat, "PASS\nRESIGN\nThank you all.")
        assert at.standing(seat) == ["PASS"], "the rest of the letter was taken"
        receipt = next(
            " ".join(text_of(m).split()) for m in at.mails(seat) if "Receipt" in text_of(m)
        )
        assert (
            "RESIGN leaves the game for good, so it is not on file yet" in receipt
            and "[+] PASS" in receipt
        )
        question = next(
            " ".join(text_of(m).split())
            for m in at.mails(seat)
            if "do you mean it" in str(m["Subject"])
        )
        assert "says RESIGN" in question and "Nothing has happened yet" in question
        (code,) = at.codes(seat)
        at.send(seat, f"> quoted\nCONFIRM {code}")
        assert at.standing(seat) == ["PASS", "RESIGN"] and "#2 RESIGN" in told(at, seat)
        at.to_deadline()
        after = at.table()
        assert seat not in after.ruleset.asked(after.state)
        at.send(seat, "QUIT")
        assert "out of the game already" in told(at, seat) and len(at.codes(seat)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_resign_means_the_game_in_four_games_and_an_office_in_two(game: str) -> None:
    given = shelf.open_ruleset(game).language.parse("RESIGN")
    assert all(isinstance(order, Resign) for order in given) == (game in FOR_GOOD)


def test_leaving_an_office_needs_no_code(tmp_path: Path) -> None:
    with table(tmp_path, "parlement-1966") as at:
        at.start()
        at.send("S", "RESIGN")
        assert "NOT TAKEN: " in told(at, "S") and at.codes("S") == []


def test_a_forger_gets_no_code_and_does_nothing(at: Installation) -> None:
    for _ in range(4):
        at.send("A", "RESIGN\nQUIT", Reply_To=FORGER, Return_Path=FORGER, Sender=FORGER)
    assert at.mails(FORGER) == [] and at.standing("A") == [] and holder(at, "A").quits is None
    assert len(at.codes("A")) == 2, "one of each within the hour, however often it is asked for"
    resigning, quitting = at.codes("A")
    for seat, text in (
        ("A", "CONFIRM abcd-efgh"),
        ("B", f"CONFIRM {resigning}"),
        ("C", f"CONFIRM {quitting}"),
    ):
        at.send(seat, text)
    assert "works only from the address" in told(at, "B")
    at.send(FORGER, f"CONFIRM {resigning}")
    assert at.standing("A") == [] and holder(at, "A").quits is None
    at.clock += timedelta(hours=1)
    at.send("A", "RESIGN")
    assert at.codes("A")[-1] == resigning, "another's noise voids no code"
    at.send("A", f"CONFIRM {resigning}")
    assert at.standing("A") == ["RESIGN"]


def test_a_letter_without_proof_that_resigns(tmp_path: Path) -> None:
    """The question about it says so, and one code is enough."""
    with table(tmp_path, "coalition", seats=FIVE, trust="proven") as at:
        at.start()
        at.send("A", 'NAME "Harbour"\nRESIGN')
        assert at.standing("A") == [] and at.outcomes()[-1][0] == "unverified"
        assert "NOTE: it says RESIGN, by which you leave the game for good." in told(at, "A")
        at.send("A", f"CONFIRM {at.codes('A')[-1]}")
        assert at.standing("A") == ['NAME "Harbour"', "RESIGN"] and len(at.codes("A")) == 1
        at.send("B", "RESIGN", To=str(at.mails("B")[-1]["Reply-To"]))
        assert at.standing("B") == [], "proven, but not by a code"
        at.send("B", f"CONFIRM {at.codes('B')[-1]}")
        assert at.standing("B") == ["RESIGN"]


def test_a_code_works_once_and_in_its_period(at: Installation) -> None:
    at.send("A", "RESIGN")
    at.to_deadline()
    at.send("A", f"CONFIRM {at.codes('A')[0]}")
    assert at.standing("A") == [] and "That code is too old" in told(at, "A")
    at.send("A", "RESIGN")
    code = at.codes("A")[-1]
    at.send("A", f"CONFIRM {code}")
    at.send("A", "CANCEL RESIGN")
    assert at.standing("A") == [], "until the deadline it can be taken back"
    at.send("A", f"CONFIRM {code}")
    assert at.standing("A") == [] and "nothing that waits for that code" in told(at, "A")


@pytest.mark.parametrize("text", ["CANCEL RESIGN", "CANCEL ALL"])
def test_a_resign_that_waits_is_taken_back(at: Installation, text: str) -> None:
    at.send("A", "RESIGN")
    at.send("A", text)
    assert "The RESIGN that waited for its code is void" in told(at, "A")
    at.send("A", f"CONFIRM {at.codes('A')[0]}")
    assert at.standing("A") == []


def test_orders_after_a_resign_and_beside_it(at: Installation) -> None:
    at.send("A", "READY\nRESIGN")
    at.send("A", "STATUS")
    assert "You have said READY" in told(at, "A")
    at.send("A", f"CONFIRM {at.codes('A')[0]}")
    assert "Your READY is taken back" in told(at, "A"), "it is an order like another"
    at.send("A", "STATUS")
    assert "said READY" not in told(at, "A")
    at.send("A", 'NAME "Farewell"')
    assert at.standing("A") == ["RESIGN", 'NAME "Farewell"']
    at.send("A", "CHECK\nCANCEL RESIGN\nRESIGN")
    assert at.standing("A") == ["RESIGN", 'NAME "Farewell"'] and len(at.codes("A")) == 1


def test_only_tried_nothing_is_asked(at: Installation) -> None:
    at.send("A", "CHECK\nRESIGN\nQUIT")
    assert at.codes("A") == []


def test_a_letter_that_is_confirmed_late_brings_no_resign_on_file(tmp_path: Path) -> None:
    """The orders behind it are read again then, and a RESIGN among them that nobody confirmed stays
    out."""
    with table(tmp_path, "coalition", seats=FIVE, trust="proven") as at:
        at.start()
        at.send("A", "SPECIAL AGR")
        (code,) = at.codes("A")
        at.send("A", 'RESIGN\nNAME "Harbour"', To=str(at.mails("A")[-1]["Reply-To"]))
        at.send("A", f"CONFIRM {code}")
        assert at.standing("A") == ["SPECIAL AGR", 'NAME "Harbour"']
        at.send("B", "SPECIAL AGR")
        (code,) = at.codes("B")
        at.send("B", "RESIGN", To=str(at.mails("B")[-1]["Reply-To"]))
        at.send("B", f"CONFIRM {at.codes('B')[-1]}")
        at.send("B", f"CONFIRM {code}")
        assert sorted(at.standing("B")) == ["RESIGN", "SPECIAL AGR"], "one that was confirmed stays"


def test_offline_it_is_taken_at_once() -> None:
    game = paper.step(
        paper.begin(paper.Setup("coalition", seats=FIVE)), {"A": "RESIGN\nQUIT\nREADY"}
    )
    assert "A" not in game.ruleset.asked(game.state) and not game.periods[0].taken["A"].problems


def test_a_gamesmaster_who_plays_confirms_his_own(at: Installation) -> None:
    at.act(persons.change_address, address("A"), GAMESMASTER)
    at.send(GAMESMASTER, "GAME g\nRESIGN")
    code = re.findall(
        r"(?m)^ +CONFIRM (\S+)", "\n".join(text_of(mail) for mail in at.mails(GAMESMASTER))
    )[-1]
    at.send(GAMESMASTER, f"CONFIRM {code}")
    assert at.standing("A") == ["RESIGN"]


# --- QUIT -----------------------------------------------------------------------------------------


def enlist(at: Installation) -> None:
    at.act(claims.enlist, "g", STANDBY, "Stella")


def take(at: Installation) -> None:
    """Whoever stands by is asked, and takes the seat by the code."""
    at.once()
    at.send(STANDBY, f"CONFIRM {at.codes(STANDBY)[-1]}")


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_asks_to_be_relieved(game: str, tmp_path: Path) -> None:
    with table(tmp_path, game) as at:
        at.start()
        seat = at.seats[0]
        at.send(seat, "QUIT")
        receipt = next(
            " ".join(text_of(m).split()) for m in at.mails(seat) if "QUIT asks that" in text_of(m)
        )
        assert (
            "waits for the code" in receipt
            and holder(at, seat).quits is None
            and alarms(at, "QUIT") == []
        )
        assert "Your seat is then offered to others" in " ".join(
            " ".join(text_of(m).split()) for m in at.mails(seat)
        )
        at.send(seat, f"CONFIRM {at.codes(seat)[0]}")
        assert "the gamesmaster has been told. Nobody stands by yet. You play on" in told(at, seat)
        assert "You have asked to be relieved (QUIT)" in told(at, seat)
        assert "Nobody stands by: `pbem standby g" in alarms(at, "QUIT")[0]
        with exclusive_transaction(at.daemon.engine) as conn:
            assert f"{seat} asks to be relieved" in queue.text(
                queue.queue(at.work(conn)), Face.SHELL
            )
        at.send(seat, "PASS")
        assert at.standing(seat) == ["PASS"], "he plays on"
        at.send(seat, "QUIT")
        assert "You have asked to be relieved already" in told(at, seat)
        enlist(at)
        take(at)
        assert holder(at, seat).address == STANDBY and holder(at, seat).quits is None
        assert "You no longer play in game g as" in told(at, seat)
        assert any("The seat is yours" in str(mail["Subject"]) for mail in at.mails(STANDBY))
        assert at.standing(seat) == ["PASS"], "what stood stays for the successor to change"


def test_a_quit_is_taken_back(at: Installation) -> None:
    at.send("A", "CANCEL QUIT")
    assert "There was no QUIT of yours" in told(at, "A")
    at.send("A", "QUIT")
    at.send("A", "CANCEL QUIT")
    assert "The QUIT that waited for its code is void" in told(at, "A")
    at.send("A", f"CONFIRM {at.codes('A')[0]}")
    assert holder(at, "A").quits is None
    at.send("A", "QUIT")
    at.send("A", f"CONFIRM {at.codes('A')[1]}")
    assert holder(at, "A").quits is not None
    at.send("A", "CANCEL QUIT")
    assert "Your QUIT is taken back" in told(at, "A") and holder(at, "A").quits is None
    enlist(at)
    at.once()
    assert holder(at, "A").address == address("A") and len(alarms(at, "QUIT")) == 2
    at.send("A", "QUIT\nCANCEL QUIT")
    assert len(at.codes("A")) == 2, "the last word counts"


def test_the_code_of_a_player_who_was_replaced_has_no_effect(at: Installation) -> None:
    at.send("A", "QUIT\nRESIGN")
    resigning, quitting = at.codes("A")
    at.act(seat_acts.replace, "g", "A", STANDBY, "Stella", "by the gamesmaster")
    for code in (resigning, quitting):
        at.send(STANDBY, f"CONFIRM {code}")
    assert at.standing("A") == [] and holder(at, "A").quits is None
    at.send(STANDBY, "QUIT")
    at.send(STANDBY, f"CONFIRM {at.codes(STANDBY)[-1]}")
    assert holder(at, "A").quits is not None


def test_a_successor_takes_over_no_resign_and_no_ready(at: Installation) -> None:
    enlist(at)
    at.send("A", 'NAME "Harbour"\nRESIGN\nQUIT')
    resigning, quitting = at.codes("A")
    at.send("A", f"CONFIRM {resigning}")
    at.send("A", "READY")
    at.send("A", "STATUS")
    assert "You have said READY" in told(at, "A")
    assert at.standing("A") == ['NAME "Harbour"', "RESIGN"]
    at.send("A", f"CONFIRM {quitting}")
    take(at)
    assert holder(at, "A").address == STANDBY and at.standing("A") == ['NAME "Harbour"']
    at.send(STANDBY, "STATUS")
    assert "WHAT STANDS FOR PERIOD" in told(at, STANDBY) and "said READY" not in told(at, STANDBY)


def test_a_quit_that_came_too_late_is_told(tmp_path: Path) -> None:
    with table(tmp_path, "coalition", seats=FIVE, late="deadline") as at:
        at.start()
        at.to_deadline()
        at.send("A", "PERIOD 1\nQUIT\nREADY")
        assert "It was too late for QUIT or READY." in told(at, "A") and at.codes("A") == []
