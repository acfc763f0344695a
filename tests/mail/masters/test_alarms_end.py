"""Alarms end by themselves: each when what it told of is over, and not before."""

from datetime import timedelta

import pytest

from pbem.daemon import clocks
from pbem.periods import deadline_acts
from pbem.post import clock
from pbem.store.engine.database import shared_transaction
from pbem.store.journal import notes
from tests.installation import REFEREE, SLATE, Installation, desk
from tests.mail.masters.test_alarms import alarm, standing
from tests.mail.test_upkeep import changed
from tests.masters import ANNA, OTHERS

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def starting(at: Installation, begins: str) -> list[str]:
    return [one for one in standing(at) if one.startswith(begins)]


def test_that_somebody_quits_ends_when_he_stays(at: Installation) -> None:
    at.send("A", "QUIT")
    at.send("A", f"CONFIRM {at.codes('A')[-1]}")
    assert standing(at) == ["A in g: QUIT"]
    at.send("A", "CANCEL QUIT")
    at.once()
    with desk(at) as work:
        kinds = [one.kind for one in notes.journal_entries(work.conn, "g")]
    assert "stays" in kinds and standing(at) == ["A in g: QUIT"], "the news that he plays on"


def test_that_somebody_is_idle_ends_with_his_letter(at: Installation) -> None:
    for _ in range(4):
        at.write("A", f"PROPOSE {SLATE}")
        at.to_deadline()
        at.send_each("ABCD", "VOTE NAY")
        if starting(at, "IDLE"):
            break
    assert starting(at, "IDLE") == ["IDLE: E in g"]
    at.send("E", "VOTE NAY")
    assert starting(at, "IDLE") == []


def test_that_the_clocks_differ_ends_with_a_letter_of_one_time(at: Installation) -> None:
    def arrives(minutes: int) -> None:
        when = at.clock + timedelta(minutes=1 + minutes)
        at.office.deliver(REFEREE, at.letter("A", f"SPECIAL {minutes}"), when)
        at.once()

    arrives(3)
    assert standing(at) == ["the clocks differ"]
    arrives(5)
    assert standing(at) == ["the clocks differ"]
    arrives(0)
    assert standing(at) == []


def test_that_all_are_held_ends_when_the_clock_is_right_and_they_go_on(two: Installation) -> None:
    """A game that is held for another reason is another matter."""
    two.act(deadline_acts.hold, "g", "illness")
    two.clock += timedelta(hours=1)
    installation = two.daemon.installation
    clocks.hold_all(installation, "the clock jumped", two.clock, "jump")
    with shared_transaction(installation.engine) as conn:
        clock.doubt(conn, "the clock jumped")
    assert standing(two) == ["all games are held"] == standing(two, ANNA)
    two.act(deadline_acts.resume, "h")
    assert standing(two) == ["all games are held"] == standing(two, ANNA)
    with shared_transaction(installation.engine) as conn:
        clock.doubt(conn, None)
    assert standing(two) == [] == standing(two, ANNA)


def test_that_a_folder_is_missing_ends_when_it_is_there(at: Installation) -> None:
    (reader,) = at.daemon.readers
    had = reader.imap
    reader.imap = had.model_copy(update={"junk": ["Gone"]})
    for _ in range(2):
        at.once()
        assert standing(at) == ["there is no folder Gone"]
    reader.imap = had
    at.once()
    assert standing(at) == []


def test_that_the_mailbox_fills_ends_when_there_is_room(at: Installation) -> None:
    alarm(at, "full", "the mailbox is nearly full")
    for raised in (["full"], []):
        with desk(at) as work:
            later = (at.clock + timedelta(minutes=5)).isoformat()
            said = {"at": later, "trouble": [], "alarms": raised}
            notes.set_memo(work.conn, "last_pass", said)
        assert standing(at) == (["the mailbox is nearly full"] if raised else [])


def test_that_the_canary_is_late_ends_when_one_comes(at: Installation) -> None:
    changed(at, canary_minutes=60)
    at.once()
    at.office.reject_next(550)
    for _ in range(3):
        at.once(minutes=61)
        if standing(at):
            break
    assert standing(at) == ["the canary is late"]
    at.once()
    assert standing(at) == []
