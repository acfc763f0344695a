"""Grace: once a player a game, the period waits for one who owes and has sent nothing; in games of
days and of minutes, around an outage, and with nobody told for whom."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Elapsed, Length
from pbem.periods import deadline_acts, opening, publishing, replay
from pbem.referee.acts import clock_acts, seat_acts
from tests.grace import (
    MOVES,
    away,
    due,
    kinds,
    number,
    playing,
    propose,
    seen,
    to_the_deadline,
    votes,
    waiting,
    waits_for,
)
from tests.installation import SEATS, Installation, desk, text_of, told
from tests.parsed import attached
from tests.rewinds import rewind
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
            assert waits == [f"[g] Period 2 waits until {publishing.local_deadline(at.table())}"]
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


@pytest.mark.parametrize(("late_by", "moved"), [(5, 30), (14, 30), (40, 70)])
def test_a_daemon_that_was_away_gives_a_grace_that_is_still_to_come(
    tmp_path: Path, late_by: int, moved: int
) -> None:
    house = {"grace": "30 minutes", "max_late": 112}
    with playing(tmp_path, "90 minutes", house=house) as at:
        votes(at, "ABCD")
        before = due(at)
        at.clock = before + timedelta(minutes=late_by)
        at.once(minutes=0)
        assert due(at) - before == timedelta(minutes=moved)
        to_the_deadline(at)
        assert number(at) == 3


def test_an_extension_meanwhile_opens_the_period_to_all_again(tmp_path: Path) -> None:
    with playing(tmp_path, late="deadline") as at:
        before = waiting(at)
        at.act(deadline_acts.extend, "g", 2, Days(3), "a strike")
        assert due(at) - before == timedelta(days=4)
        votes(at, "B", "NAY")
        votes(at, "E", "NAY")
        assert at.standing("B") == ["VOTE NAY"]
        assert number(at) == 2, "all have the time that they were told of"
        at.clock = due(at) + timedelta(seconds=20)
        at.write("E", "PERIOD 2\nVOTE AYE")
        at.once(minutes=0)
        assert number(at) == 3 and at.view()["history"][-1]["nay"] == 75 + 55
        assert at.outcomes()[-1] == ("late", "It was received after the deadline of period 2.")


def test_what_came_while_the_waiting_game_was_held_ends_the_wait(at: Installation) -> None:
    before = waiting(at)
    at.act(deadline_acts.hold, "g", "illness")
    votes(at, "E")
    at.clock += timedelta(days=2)
    at.once(minutes=0)
    assert number(at) == 2
    at.act(deadline_acts.resume, "g")
    assert kinds(at) == ["grace", "pause"] and due(at) > at.clock > before + timedelta(days=2)
    at.once(minutes=0)
    assert number(at) == 3


def test_the_gamesmaster_closes_the_period_or_sends_what_it_waits_for(tmp_path: Path) -> None:
    for name in ("closes", "sends"):
        (tmp_path / name).mkdir()
        with playing(tmp_path / name) as at:
            waiting(at)
            with desk(at) as work:
                if name == "closes":
                    clock_acts.close(work, "g", 2, unread=True)
                else:
                    seat_acts.order(work, "g", 2, "E", "VOTE NAY")
            at.once(minutes=0)
            assert number(at) == 3


def test_a_new_player_has_the_time_that_was_given_and_his_own_later(tmp_path: Path) -> None:
    new = "new@else.example"
    with playing(tmp_path, late="deadline", strangers=(new,)) as at:
        waiting(at)
        at.act(seat_acts.replace, "g", "E", new, "Nora New", "by his wish")
        at.clock += timedelta(minutes=5)
        at.write(new, "PERIOD 2\nVOTE NAY")
        at.once(minutes=0)
        assert number(at) == 3 and at.view()["history"][-1]["nay"] == 55
        propose(at)
        at.clock += timedelta(seconds=10)
        for seat in "ABCD":
            at.write(seat, "PERIOD 4\nVOTE AYE")
        at.once(minutes=0)
        to_the_deadline(at)
        assert number(at) == 4 and "[g] Period 4 waits for you" in subjects(at, new)


def test_he_is_told_once_and_reminded_only_before_the_new_deadline(tmp_path: Path) -> None:
    house = {"grace": "3 days", "reminders": {"*": [1, 4]}}
    with playing(tmp_path, house=house) as at:
        waiting(at)
        told_so = len(at.mails("E"))
        for _ in range(3):
            at.once(minutes=30)
        assert subjects(at, "E")[told_so - 1] == "[g] Period 2 waits for you"
        assert len(at.mails("E")) == told_so
        at.clock = due(at) - timedelta(hours=23)
        at.once(minutes=0)
        (reminder,) = subjects(at, "E")[told_so:]
        assert reminder.startswith("[g] Reminder: you owe ")
        assert "Reminder" not in " ".join(subjects(at, "D")[-2:])


def test_a_rewind_gives_back_what_came_after(at: Installation) -> None:
    waiting(at)
    rewind(at, 1)
    at.once(minutes=0)
    assert number(at) == 2 and kinds(at) == []
    votes(at, "ABCD")
    at.clock += timedelta(minutes=1)
    to_the_deadline(at)
    assert kinds(at) == ["grace"], "E has his once again"
    votes(at, "E", "NAY")
    assert number(at) == 3
    rewind(at, 2, why="misread again")
    at.once(minutes=0)
    assert number(at) == 3, "period 2 is only made anew: its wait has been"
    propose(at)
    at.clock += timedelta(seconds=10)
    for seat in "ABCD":
        at.write(seat, "PERIOD 4\nVOTE AYE")
    at.once(minutes=0)
    to_the_deadline(at)
    assert number(at) == 5
    with desk(at) as work:
        assert replay.replay(work.conn, "g").faults == []


def test_nobody_can_tell_for_whom_the_period_waits(
    twins: tuple[Installation, Installation],
) -> None:
    for at, silent in zip(twins, "DE", strict=True):
        votes(at, "ABC" + ("E" if silent == "D" else "D"))
        to_the_deadline(at)
        assert waits_for(at) == {silent}
        at.write("A", "STATUS", Message_ID="<a1@legit.example>")
        at.write("B", "PERIOD 2\nVOTE NAY\nWAIT", Message_ID="<b1@legit.example>")
        at.once(minutes=30)
        votes(at, silent)
        assert number(at) == 3
        at.write("C", "STATUS\nHISTORY 2", Message_ID="<c1@legit.example>")
        at.once(minutes=0)
    for seat in "ABC":
        first, second = (seen(at, seat) for at in twins)
        assert len(first) == len(second) > 5
        for mail, twin in zip(first, second, strict=True):
            assert mail.decode().splitlines() == twin.decode().splitlines()


def test_the_mails_say_what_happens(tmp_path: Path, late: str) -> None:
    with playing(tmp_path, late=late) as at:
        waiting(at)
        rules = attached(at.mails("A")[0])
        assert "whose deadline has come waits 1 day for them if they owe something" in rules
        to_all = told(at, "D")
        strict = late == "deadline"
        assert ("from all others it is too late" in to_all) is strict
        assert ("Changes are taken until it closes." in to_all) is not strict
        assert ("Meanwhile only they may send orders" in rules) is strict
        assert "grace: the period waits" in to_all
        assert not re.search(r"\bE\b|Player", to_all), "no name"
        his = told(at, "E")
        assert "no letter of yours (E) has been taken for it. The period waits for you until" in his
        assert "You owe: " in his and "each player once in a game" in his
        deadline = publishing.deadline_of(at.table())
        assert deadline is not None
        said = deadline.explained(at.table().house.hour, at.table().zone)
        assert said[1].endswith("grace: the period waits")


@pytest.mark.parametrize(
    ("ruleset", "lengths", "grace", "kept"),
    [
        ("coalition", 7, "24h", Days(1)),
        ("coalition", 7, "48 hours", Days(2)),
        ("politics-1935", 7, "2 days", Days(2)),
        ("coalition", "36 hours", "24h", Elapsed(1440)),
        ("coalition", "36 hours", "1 day", Elapsed(1440)),
        ("legislation", "90 minutes", "30 minutes", Elapsed(30)),
        ("coalition", 7, "12h", "grace is 12 hours; the deadlines of this game move by whole days"),
        ("coalition", 7, "-1", "grace cannot be negative"),
        ("coalition", 7, "15", "grace is 15 days, and the referee moves a deadline by 14 days at"),
        ("coalition", "15 minutes", "24h", "give less, or --house most_automatic='24 hours'"),
        ("coalition", 7, "soon", "is not of the kind"),
        ("parlement-1966", 14, "24h", "parlement-1966 has house rules 7 and 8 for silent players"),
        ("parlement-1968", 14, "24h", "parlement-1968 has house rules 7 and 8 for silent players"),
    ],
)
def test_what_grace_a_game_can_have(
    ruleset: str, lengths: int | str, grace: str, kept: Length | str
) -> None:
    options = {"PERIOD": lengths} if ruleset == "coalition" else {}
    house = {"grace": grace} | ({} if options else {"lengths": lengths})
    if isinstance(kept, str):
        with pytest.raises(OperatorError, match=re.escape(kept)):
            opening.house_rules(ruleset, options, house)
    else:
        assert opening.house_rules(ruleset, options, house).grace == kept
