"""Votes with IF by mail: filed, shown, told when they acted and when not; a replay finds the game
again."""

import pytest

from pbem.periods.replay import replay
from tests.installation import SLATE, Installation, told


@pytest.mark.game("coalition", house={"early": "ready"})
def test_votes_with_if_by_mail(at: Installation) -> None:
    at.write("A", "VOTE AYE IF POINTS >= 30")
    at.send("B", f"PROPOSE {SLATE}\nVOTE AYE IF PM, NAY IF POINTS < 5")
    assert "[+] VOTE AYE IF POINTS >= 30" in at.newest("A")
    assert "they speak for you on every motion for which you send no vote" in told(at, "A")

    at.to_deadline()
    notice = told(at, "A")
    assert "You owe nothing." in notice
    points = "V1 gives you 34 points without doubles"
    assert "your 82 seats vote AYE on V1, which gives you 34 points without doubles" in notice
    assert "#1 VOTE AYE IF POINTS >= 30" in at.newest("A")
    assert "You owe a vote on motion V1" in at.newest("B"), "neither of his holds"

    at.write("A", "ORDERS")
    at.write("B", "STATUS")
    at.send("C", "HELP IF")
    assert f"VOTE AYE IF POINTS >= 30 holds: {points}." in told(at, "A")
    assert "counts as your READY until you send anything" in told(at, "A")
    assert "You have not said READY." in told(at, "B")
    assert "[3.10] An IF reads what is public" in told(at, "C")

    at.to_deadline()
    assert f"Your VOTE AYE IF POINTS >= 30 acted: {points}. [3.9]" in told(at, "A")
    assert "AYE (by your vote with IF)" in told(at, "A")
    assert "None of your votes with IF acted: V1" in told(at, "B")
    for seat in ("C", "D", "E"):
        assert "VOTE AYE IF" not in at.newest(seat).partition("FILL IN")[0]
        assert "by your vote with IF" not in at.newest(seat)
    with at.daemon.engine.connect() as conn:
        assert replay(conn, "g").faults == []
