"""Grace: once a player a game, the period waits for one who owes and has sent nothing; in games of
days and of minutes, around an outage, and with nobody told for whom."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.periods import publishing, replay
from tests.grace import (
    MOVES,
    away,
    due,
    kinds,
    number,
    playing,
    propose,
    to_the_deadline,
    votes,
    waits_for,
)
from tests.installation import SEATS, Installation, desk, text_of, told
from tests.subjects import subjects


def test_the_period_waits_once_and_closes_as_soon_as_he_has_written(
    tmp_path: Path, period: str, late: str
) -> None:
    with playing(tmp_path, period, late=late) as at:
        votes(at, "ABCD")
        before = due(at)
        to_the_deadline(at)
        assert (number(at), due(at) - before, kinds(at)) == (2, MOVES[period], ["grace"])
        assert waits_for(at) == {"E"}
        for seat in SEATS:
            waits = [s for s in subjects(at, seat) if "waits until" in s]
            assert waits == [f"[g] Period 2 waits until {publishing.deadline_text(at.table())}"]
        votes(at, "E", "NAY")
        assert number(at) == 3
        assert at.view()["history"][-1]["nay"] == 55


def test_it_closes_where_nothing_comes_and_waits_for_him_no_more(
    tmp_path: Path, period: str
) -> None:
    with playing(tmp_path, period) as at:
        votes(at, "ABC")
        to_the_deadline(at)
        assert waits_for(at) == {"D", "E"}, "both use theirs up together"
        to_the_deadline(at)
        assert number(at) == 3
        propose(at)
        assert number(at) == 4 and kinds(at) == []
        to_the_deadline(at)
        assert kinds(at) == ["grace"] and waits_for(at) == set(SEATS), "it waits for A, B and C"
        at.clock += timedelta(seconds=10)
        for seat in "ABC":
            at.write(seat, "PERIOD 4\nVOTE AYE")
        at.once(minutes=0)
        assert number(at) == 5, "D and E owe still, and have had theirs"
        with desk(at) as work:
            assert replay.replay(work.conn, "g").faults == []


def test_who_has_sent_anything_at_all_is_not_waited_for(at: Installation) -> None:
    votes(at, "ABC")
    at.clock += timedelta(minutes=1)
    at.write("D", "STATUS")
    at.write("E", "PRESS TO ALL\nI shall write soon.\nEND PRESS")
    at.once(minutes=0)
    to_the_deadline(at)
    assert number(at) == 3 and waits_for(at) == set()


def test_where_nothing_is_owed_nobody_is_waited_for(tmp_path: Path, late: str) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, late=late, house={"grace": "24h"}) as at:
        at.start()
        to_the_deadline(at)
        assert number(at) == 2 and waits_for(at) == set()


def test_changes_by_others_follow_the_late_rule(tmp_path: Path, period: str, late: str) -> None:
    with playing(tmp_path, period, late=late) as at:
        votes(at, "ABC")
        at.clock += timedelta(minutes=1)
        at.write("D", "STATUS")
        at.once(minutes=0)
        to_the_deadline(at)
        votes(at, "BD", "NAY")
        strict = late == "deadline"
        assert at.standing("B") == ["VOTE AYE" if strict else "VOTE NAY"]
        assert at.standing("D") == ([] if strict else ["VOTE NAY"])
        said = (
            "received after the deadline of period 2. Its orders were not taken. The period waits"
        )
        assert (said in told(at, "B")) is strict
        assert number(at) == 2, "E is still waited for"
        votes(at, "E", "NAY")
        assert number(at) == 3
        assert at.view()["history"][-1]["nay"] == (55 if strict else 75 + 61 + 55)


def test_ready_and_wait_change_nothing_meanwhile(at: Installation) -> None:
    votes(at, "ABCD")
    to_the_deadline(at)
    for seat in "ABCD":
        at.write(seat, "WAIT" if seat == "A" else "READY")
    at.once(minutes=0)
    assert "READY and WAIT change nothing now: the period waits" in told(at, "A")
    assert "does not close before its deadline" not in told(at, "A")
    at.clock += timedelta(hours=21)
    at.once(minutes=0)
    assert number(at) == 2
    votes(at, "E")
    assert number(at) == 3, "WAIT was about the deadline, which has come"


def test_half_of_what_he_owes_is_not_enough(tmp_path: Path) -> None:
    """Whoever is waited for is waited for until he owes nothing more, or the time is over."""
    with playing(tmp_path) as at:
        votes(at, "ABCD")
        to_the_deadline(at)
        at.write("E", 'NAME "Harbour"')
        at.once(minutes=0)
        assert number(at) == 2 and at.standing("E") == ['NAME "Harbour"']
        to_the_deadline(at)
        assert number(at) == 3


def test_his_letter_just_after_the_deadline_is_his_grace(tmp_path: Path, period: str) -> None:
    """It comes before the referee has looked: where nothing counts after the deadline it would have
    been waited for, so it counts, and the next does not."""
    with playing(tmp_path, period, late="deadline") as at:
        votes(at, "ABC")
        at.clock = due(at) + timedelta(seconds=20)
        at.write("E", "PERIOD 2\nVOTE NAY")
        at.write("D", "PERIOD 2\nHELP")
        at.clock += timedelta(seconds=10)
        at.once(minutes=0)
        receipt = next(
            mail for mail in reversed(at.mails("E")) if "1 order taken" in mail["Subject"]
        )
        said = " ".join(text_of(receipt).split())
        assert "It counts by grace, which each player has once in a game" in said
        assert number(at) == 2 and waits_for(at) == {"D"}
        votes(at, "D")
        assert number(at) == 3 and at.view()["history"][-1]["nay"] == 55
        propose(at)
        at.clock += timedelta(seconds=10)
        for seat in "ABCD":
            at.write(seat, "PERIOD 4\nVOTE AYE")
        at.once(minutes=0)
        at.clock = due(at) + timedelta(seconds=20)
        at.write("E", "PERIOD 4\nVOTE NAY")
        at.once(minutes=0)
        assert at.outcomes()[-1] == ("late", "It was received after the deadline of period 4.")
        assert number(at) == 5 and waits_for(at) == {"D"}


@pytest.mark.parametrize("period", ["7 days", "90 minutes"], indirect=True)
def test_a_server_that_is_away_at_the_deadline(tmp_path: Path, period: str, late: str) -> None:
    """Nothing is decided until all letters are there; then it waits for whoever sent none in time."""
    with playing(tmp_path, period, late=late) as at:
        votes(at, "ABC")
        before = due(at)
        at.clock = before - timedelta(seconds=30)
        at.write("D", "PERIOD 2\nVOTE AYE")
        with away(at):
            at.clock = before + timedelta(minutes=2)
            at.once(minutes=0)
            assert number(at) == 2 and kinds(at) == []
        at.clock = before + timedelta(minutes=4)
        at.once(minutes=0)
        assert waits_for(at) == {"E"} and due(at) == before + MOVES[period]
        assert at.standing("D") == ["VOTE AYE"]
        votes(at, "E")
        assert number(at) == 3
