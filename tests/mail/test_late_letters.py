"""Letters that come late: explained, not applied to the next period, or let in."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.periods import deadline_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal
from tests.installation import SEATS, Installation, text_of


@pytest.mark.game("coalition", late="deadline")
def test_where_the_deadline_counts_no_period_line_brings_a_late_letter_in(at: Installation) -> None:
    at.clock = at.table().period.due + timedelta(seconds=30)
    at.send("A", "PERIOD 1\nSPECIAL AGR")
    assert at.table().period.number == 2
    assert at.outcomes() == [("late", "It was received after the deadline of period 1.")]
    assert at.view("A")["specials"] == []
    receipt = next(text_of(mail) for mail in at.mails("A") if mail["Subject"] == "Re: orders")
    assert "Its orders were not taken." in receipt and "PERIOD 1 on top" not in " ".join(
        receipt.split()
    )


@pytest.mark.parametrize("late", ["deadline", "adjudication"])
def test_a_held_game_takes_orders_although_its_deadline_has_passed(
    tmp_path: Path, late: str
) -> None:
    """As the mail about the hold promises; the receipt says that the game is held."""
    with Installation(tmp_path, "coalition", seats=SEATS, late=late) as at:
        at.start()
        at.act(deadline_acts.hold, "g", "the gamesmaster is ill")
        at.clock = at.table().period.due + timedelta(days=3)
        at.send("A", "SPECIAL AGR")
        assert at.standing("A") == ["SPECIAL AGR"]
        receipt = " ".join(at.newest("A").split())
        assert (
            "The game is held: the gamesmaster is ill. You will be told when it goes on" in receipt
        )
        assert "0 minutes left" not in receipt


def test_the_journal_says_what_was_read_before_a_period_was_closed(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    due = at.table().period.due
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        drained = (
            conn.execute(select(Journal.data).where(Journal.kind == "drained")).scalars().all()
        )
    assert [(one["period"], one["due"]) for one in drained] == [(1, due.isoformat())]
    folder = drained[0]["folders"]["INBOX"]
    assert folder["uid"] >= 1 and folder["uidvalidity"] > 0
