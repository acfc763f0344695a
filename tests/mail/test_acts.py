"""The gamesmaster's acts, on a clock of ours."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, replay
from pbem.store.schema.tables import Bulletin, Journal, Period
from tests.installation import Installation, desk


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
