"""What the mails say is true and reads well: found by playing each game by mail and reading every
mail that came back."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.periods import record
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.installation import Installation, text_of

FIVE = ("A", "B", "C", "D", "E")


def send(at: Installation, seat: str, text: str) -> str:
    """A letter, and the newest mail after it with its blanks folded."""
    at.send(seat, text)
    return " ".join(at.newest(seat).split())


@pytest.mark.game("parlement-1966", trust="proven")
def test_nobody_else_can_answer_whether_a_player_plays_on(at: Installation) -> None:
    """What only reads is answered without proof; it does not say that the player is there."""
    with exclusive_transaction(at.daemon.engine) as conn:
        record.ask_to_go_on(at.work(conn), games.game_at(conn, "g"), "S", 2)
    assert "STATUS (game" in send(at, "S", "STATUS")
    assert at.table().holders["S"].asked_until is not None


@pytest.mark.game("coalition", late="deadline")
def test_after_the_deadline_no_time_is_left_and_nothing_closes_early(at: Installation) -> None:
    due = at.table().period.due
    assert due is not None
    at.clock = due + timedelta(minutes=3)
    send(at, "C", "SPECIAL ENV\nREADY\nQUIT")
    told = next(
        " ".join(text_of(m).split()) for m in at.mails("C") if str(m["Subject"]).startswith("Re:")
    )
    assert "Its orders were not taken, nor READY, QUIT." in told and "it has passed." in told
    assert "minutes left" not in told and "You have not said READY" not in told


@pytest.mark.game("coalition", house={"early": "ready"})
def test_ready_beside_a_press_that_hides_orders_is_not_taken(at: Installation) -> None:
    held = "READY\nPRESS TO B\nI am with you.\nSPECIAL AGR"
    assert "READY was not taken" in send(at, "A", held) and "not said READY" in " ".join(
        at.newest("A").split()
    )
    told = send(at, "A", "READY\nPRESS TO B\nI am with you.\nSPECIAL AGR\nEND PRESS")
    assert "READY: at 20:00" in told
    assert "Your READY is taken back" in send(at, "A", "PRESS TO B\nI am with you.\nSPECIAL AGR")


@pytest.mark.parametrize(
    ("period", "options", "said"),
    [
        (1, {}, "before the deadline ("),
        (2, {}, "at its deadline ("),
        (2, {"EARLY": "OFF"}, "before the deadline ("),
    ],
)
def test_a_code_is_asked_for_before_the_period_closes(
    period: int, options: dict[str, str], said: str, tmp_path: Path
) -> None:
    """It may close before its deadline: then the code comes too late, and the mail must not have
    promised otherwise."""
    with Installation(tmp_path, "coalition", seats=FIVE, trust="proven", options=options) as at:
        at.start()
        if period > 1:
            at.to_deadline()
        assert at.table().period.number == period
        told, early = send(at, "A", "SPECIAL AGR"), period > 1 and not options
        assert said in told and (") or early with the one line" in told) == early
        sender = str(at.mails("A")[-1]["Reply-To"])
        at.send("A", "RESIGN", To=sender)
        asked = next(
            " ".join(text_of(m).split())
            for m in at.mails("A")
            if "do you mean it" in str(m["Subject"])
        )
        assert said in asked and (") or early. If" in asked) == early
