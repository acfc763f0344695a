"""Seats go by the names of their players: all in orders, those that are only a number in mails."""

from pathlib import Path

import pytest

from pbem.referee.acts import seat_acts
from tests.installation import Installation, surely, told

SEATS = ("P1", "P2", "P3")


def test_mails_and_orders_have_the_name(tmp_path: Path) -> None:
    with Installation(tmp_path, "legislation", seats=SEATS) as at:
        at.start()
        assert "You are P2 in Legislation" in told(at, "P2")
        at.send("P2", "GIVE 2 TO Player P3\nBILL NONE")
        assert "GIVE 2 TO P3" in at.standing("P2")
        at.send("P2", "CANCEL GIVE Player P3\nGIVE 1 TO Player P1\nGIVE 1 TO Nobody")
        assert "GIVE 1 TO P1" in at.standing("P2") and "GIVE 2 TO P3" not in at.standing("P2")
        assert "living:" in told(at, "P2") and "Player P1" in told(at, "P2")
        at.to_deadline()
        said = " ".join(
            part.get_content()
            for one in at.mails("P3")
            for part in one.walk()
            if not part.is_multipart() and part.get_content_type() == "text/plain"
        )
        assert "Player P2 gives 1 token to Player P1." in " ".join(said.split())


@pytest.mark.parametrize("game", ["legislation", "politics-1935"])
def test_hidden_names_stay_hidden(tmp_path: Path, game: str) -> None:
    with Installation(tmp_path, game, seats=SEATS, house={"names": "hidden"}) as at:
        at.start()
        order = {"legislation": "GIVE 2 TO Player P3", "politics-1935": "STANDING P1"}[game]
        at.send("P2", order)
        assert at.standing("P2") == []
        at.to_deadline()
        for seat in ("P1", "P3"):  # the letter of P2 has a name, and its receipt quotes it
            others = [f"Player {one}" for one in SEATS if one != seat]
            for mail in at.mails(seat):
                assert not [one for one in others if one in mail.as_string()], mail["Subject"]


def test_why_and_agree_take_the_name(tmp_path: Path) -> None:
    with Installation(tmp_path, "politics-1935", seats=SEATS) as at:
        at.start()
        at.send("P1", "WHY Player P2")
        assert "Nothing here is called" not in told(at, "P1")
        surely(at, "P1", "AGREE DRAW Player P1, Player P2")
        at.once()
        assert "Your secret ballot for the end of the game is" in told(at, "P1")


def test_a_name_that_two_share_or_a_former_player_had_is_asked_about(tmp_path: Path) -> None:
    names = ("Anna Able", "Boris Bear", "Anna Cole", "Quentin Ash", "Mia Moor")
    with Installation(
        tmp_path, "parlement-1966", names=names, strangers=("new@else.example",)
    ) as at:
        at.start()
        at.to_deadline()
        at.act(seat_acts.replace, "g", "R", "new@else.example", "Nora", "moved away")
        at.send("C", "PAY 500 TO Anna\nPAY 300 TO Boris\nPAY 200 TO Mia\nPAY 100 TO Anna Cole")
        assert at.standing("C") == ["PAY 200 TO M", "PAY 100 TO L"]
        assert '"Anna" may mean PAY 500 TO L or PAY 500 TO S.' in at.newest("C")
        assert "did you mean PAY 300 TO R?" in at.newest("C")
        at.send("C", "PAY 50 TO Nora")
        assert "PAY 50 TO R" in at.standing("C")
