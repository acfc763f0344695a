"""The gamesmaster's acts, on a clock of ours."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, replay
from pbem.referee.acts import word_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.schema.tables import Bulletin, Journal, Period
from tests.installation import SLATE, Installation, desk, text_of


def test_extension_is_explained_and_guarded(at: Installation) -> None:
    due = at.table().period.due
    with desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(3), "post strike")
        with pytest.raises(OperatorError, match="in period 1, not 2"):
            deadline_acts.extend(work, "g", 2, Days(3), "again")
    at.once()
    assert at.table().period.due - due == timedelta(days=3)
    assert "+3 days  extension: post strike" in at.newest("B")
    at.send("A", "STATUS")
    assert "+3 days  extension: post strike" in at.newest("A")
    at.to_deadline()
    with desk(at) as work, pytest.raises(OperatorError, match="in period 2, not 1"):
        deadline_acts.extend(work, "g", 1, Days(3), "too late")


@pytest.mark.game("coalition", publish="review")
def test_review_waits_for_the_release(at: Installation) -> None:
    count = len(at.mails("A"))
    at.to_deadline()
    assert len(at.mails("A")) == count
    at.send("A", "SPECIAL AGR")
    assert at.outcomes() == [("stored", "")]
    at.clock += timedelta(days=2)
    with desk(at) as work:
        word_acts.rule(work, "g", "A ruling of mine.")
        text = word_acts.preview(work, "g").seen.text
        assert "Bulletin 1" in text
        word_acts.release(work, "g", 1)
    at.once()
    assert "Ruling of the gamesmaster: A ruling of mine." in text_of(at.mails("B")[-2])
    assert at.table().period.status == "open"
    assert at.table().period.due > at.clock + timedelta(days=6)


def test_preview_stores_nothing(at: Installation) -> None:
    before = at.table().period.state_hash
    with desk(at) as work:
        seen = word_acts.preview(work, "g").seen
    assert "PREVIEW" in seen.text and seen.missing == []
    assert at.table().period.state_hash == before and at.table().period.number == 1


def test_the_queue_says_who_is_missing_and_how_to_release(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.write("B", "VOTE AYE")
    at.send("C", "GAME nosuch\nVOTE AYE")
    told = at.act(queue.queue)
    game = told["games"][0]
    assert game["in"] == ["B"] and sorted(game["missing"]) == ["A", "C", "D", "E"]
    assert (
        told["letters"][0]["outcome"] == "held" and "pbem dismiss" in told["letters"][0]["release"]
    )
    assert "missing: A" in queue.text(told, Face.SHELL)


ON_FILE = {
    "period 1: another position comes out": update(Period)
    .where(Period.number == 2)
    .values(state_hash="0" * 64),
    "period 1: other events come out": update(Period).where(Period.number == 1).values(events=[]),
    "period 1: other draws come out": update(Period)
    .where(Period.number == 1)
    .values(draws=[["deck", 6, 1]]),
    "bulletin 1 for A: another text comes out": update(Bulletin)
    .where(Bulletin.number == 1, Bulletin.seat == "A")
    .values(text="Nothing has happened."),
    "the journal's entry 3 does not follow from the one before": update(Journal)
    .where(Journal.n == 3)
    .values(data={}),
}


@pytest.mark.parametrize("says", ON_FILE)
def test_a_replay_finds_what_is_otherwise_on_file(at: Installation, says: str) -> None:
    at.to_deadline()
    with desk(at) as work:
        work.conn.execute(ON_FILE[says])
        assert says in replay.replay(work.conn, "g").faults
