"""Games whose periods last hours or minutes, by mail and from the shell: receipts, reminders, extensions,
early ends and lateness, all in proportion; and what is stored of games of days stays as it was."""

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.house import House
from pbem.games.frame.length import Days, Elapsed
from pbem.periods import deadline_acts, replay
from pbem.periods.claims import enlist
from pbem.referee.acts import clock_acts
from pbem.store.joining import claimants
from tests.installation import GAMESMASTER, SEATS, SLATE, Installation, desk, flat, text_of
from tests.mail.test_formation import GOVERNMENT
from tests.masters import reply_to
from tests.parsed import attached
from tests.shell import Shell
from tests.subjects import subjects

LANDED = Path(__file__).parent.parent / "data" / "landed_states.json.gz"
PERIODS = {"90 minutes": timedelta(minutes=90), "36 hours": timedelta(hours=36)}
BEFORE = {"90 minutes": timedelta(minutes=12), "36 hours": timedelta(hours=5)}
"""Of reminders, and between two early looks."""


@contextmanager
def playing(
    tmp_path: Path, period: str, key: str = "coalition", **more: Any
) -> Iterator[Installation]:
    given = (
        {"options": {"PERIOD": period}} if key == "coalition" else {"house": {"lengths": period}}
    )
    with Installation(tmp_path, key, **{**given, **more}) as at:
        at.start()
        yield at


@pytest.fixture(params=PERIODS)
def period(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def at(tmp_path: Path, period: str) -> Iterator[Installation]:
    with playing(tmp_path, period, seats=SEATS) as made:
        yield made


def all_mails(at: Installation, seat: str) -> str:
    return flat(" ".join(text_of(mail) for mail in at.mails(seat)))


def voting(at: Installation) -> datetime:
    """To the second period, in which all are asked for their votes; its deadline."""
    at.write("A", f"PROPOSE {SLATE}")
    at.once(minutes=0)
    at.to_deadline()
    due = at.table().period.due
    assert at.table().period.number == 2 and due is not None
    return due


def test_a_period_lasts_its_time_from_its_bulletin(at: Installation, period: str) -> None:
    opened, due = at.table().period.opened, at.table().period.due
    assert due - opened == PERIODS[period]
    at.clock = due - timedelta(minutes=1)
    assert at.once(minutes=0).closed == 0
    at.clock = due + timedelta(seconds=90)  # the referee looks a little late: nobody loses a minute
    assert at.once(minutes=0).closed == 1
    assert at.table().period.due - due == PERIODS[period] + timedelta(minutes=2)


def test_the_house_rules_are_told_in_the_time_of_the_game(tmp_path: Path) -> None:
    with playing(tmp_path, "90 minutes", seats=SEATS, house={"early": "owed"}) as at:
        rules = attached(at.mails("A")[0])
    for said in (
        "* Periods last 90 minutes.",
        "the rules ask one player alone for anything lasts 25 minutes.",
        "* Periods are counted in hours and minutes from their bulletin on, on any day and at any"
        " hour; deadlines are told in Europe/Paris time.",
        "* Anyone who still owes something is reminded 12 minutes before the deadline.",
        "closes early, within 12 minutes, when everybody has sent",
        "moves a deadline by at most 3 hours;",
    ):
        assert said in rules
    assert "Deadlines fall at" not in rules and "of any day" not in rules and " days" not in rules


def test_house_rules_7_and_8_are_told_in_the_time_of_the_game(tmp_path: Path) -> None:
    with playing(tmp_path, "90 minutes", "parlement-1968") as at:
        rules = attached(at.mails("Com")[0])
    for said in (
        'Periods of the phases "candidates" and "withdrawals" last 135 minutes.',
        'A period of the phase "formation" has no deadline.',
        "Anyone who still owes a candidate list is reminded 32 minutes before",
        "Without an answer within 45 minutes, the seat is offered to others",
        "a period waits up to 45 minutes for a candidate list",
        "progress is reported every 45 minutes;",
        "any signer has 32 minutes to withdraw.",
        "back out within 32 minutes (H4)",
    ):
        assert said in rules
    assert "five days" not in rules


def test_a_receipt_tells_the_deadline_and_what_is_left(tmp_path: Path) -> None:
    with playing(tmp_path, "90 minutes", seats=SEATS) as at:
        at.send("A", "SPECIAL AGR")
        said = flat(at.newest("A"))
        due = "Monday 2 March 2026, 11:30 Europe/Paris"
        assert f"Deadline: {due}; 1 hour 29 minutes left." in said
        assert "You have not said READY." in said
        at.send("A", "READY\nSTATUS")
        said = flat(at.newest("A"))
        assert (
            "READY: within 12 minutes the period closes once all who may act have said so" in said
        )
        assert said.count(due) == 1


def test_those_who_owe_something_are_reminded_once(at: Installation, period: str) -> None:
    due = voting(at)
    at.send("B", "VOTE AYE")
    at.clock = due - BEFORE[period] - timedelta(minutes=1)
    at.once(minutes=0)
    assert not any("Reminder" in one for seat in SEATS for one in subjects(at, seat))
    at.clock = due - BEFORE[period]
    at.once()
    at.once()
    reminded = [seat for seat in SEATS if "Reminder" in subjects(at, seat)[-1]]
    assert reminded == ["A", "C", "D", "E"]
    assert sum("Reminder" in one for one in subjects(at, "A")) == 1
    at.act(deadline_acts.extend, "g", 2, Elapsed(15), "a late train")
    at.clock = due + timedelta(minutes=15) - BEFORE[period]
    at.once()
    assert sum("Reminder" in one for one in subjects(at, "A")) == 2


def test_the_gamesmaster_moves_the_deadline_by_minutes(at: Installation) -> None:
    due = voting(at)
    with desk(at) as work:
        deadline_acts.extend(work, "g", 2, Elapsed(30), "a late train")
        for wrong, said in [(Days(3), "by hours or minutes, as 30 minutes, not by 3 days")]:
            with pytest.raises(OperatorError, match=said):
                deadline_acts.extend(work, "g", 2, wrong, "why")
        with pytest.raises(OperatorError, match="counted in hours and minutes, on any day"):
            clock_acts.pause(work, "g", 2, "2026-03-02", "2026-03-09", "a holiday")
    at.once()
    assert at.table().period.due == due + timedelta(minutes=30)
    assert "+30 minutes extension: a late train" in flat(at.newest("A"))
    assert at.table().period.moves == [{"kind": "extension", "minutes": 30, "why": "a late train"}]
    at.send("A", "ABSENT 2026-03-03 TO 2026-03-04")
    assert "To stop the clock for it, with your reason: `pbem hold g`" in flat(
        at.newest(GAMESMASTER)
    )


@pytest.mark.parametrize(
    ("line", "minutes", "said"),
    [
        ("EXTEND 30 minutes a late train", 30, "EXTEND: The new deadline of g is"),
        ("EXTEND -1 hour all are in a hurry", -60, "EXTEND: The new deadline of g is"),
        ("EXTEND 3 a late train", 0, "write EXTEND 30 minutes reason"),
        ("EXTEND 9999 hours long", 0, "are more than a year"),
    ],
)
def test_the_gamesmaster_moves_the_deadline_by_mail(
    tmp_path: Path, line: str, minutes: int, said: str
) -> None:
    with playing(tmp_path, "90 minutes", seats=SEATS) as at:
        at.write(GAMESMASTER, "QUEUE")
        at.once(minutes=0)
        due, secret = at.table().period.due, reply_to(at, GAMESMASTER)
        at.send(GAMESMASTER, f"GAME g\nPERIOD 1\n{line}", To=secret)
        for code in re.findall(r"CONFIRM \S+", at.newest(GAMESMASTER)):
            at.send(GAMESMASTER, code, To=secret)
        assert said in flat(at.newest(GAMESMASTER))
        assert at.table().period.due - due == timedelta(minutes=minutes)


def test_minutes_move_no_deadline_of_a_game_of_days(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        due = at.table().period.due
        at.send(GAMESMASTER, "QUEUE")
        secret = reply_to(at, GAMESMASTER)
        at.send(GAMESMASTER, "GAME g\nPERIOD 1\nEXTEND 30 minutes a late train", To=secret)
        assert "move by whole days, as 3, not by 30 minutes" in flat(at.newest(GAMESMASTER))
        assert at.table().period.due == due


def test_a_period_closes_early_at_the_next_look(at: Installation, period: str) -> None:
    due = voting(at)
    for seat in SEATS:
        at.write(seat, "VOTE ABSTAIN\n" + ("WAIT" if seat == "C" else "READY"))
    at.once()
    written = at.clock
    at.clock += BEFORE[period]
    at.once()
    assert at.table().period.number == 2, "C has said WAIT"
    at.write("C", "READY")
    at.once(minutes=0)
    while at.table().period.number == 2 and at.clock < due:
        at.clock += timedelta(minutes=1)
        at.once(minutes=0)
    assert at.table().period.number == 3
    assert timedelta(0) < at.clock - written <= 2 * BEFORE[period] + timedelta(minutes=2)
    assert at.table().period.due - at.clock == PERIODS[period]


def test_standing_orders_alone_leave_time_to_say_wait(tmp_path: Path) -> None:
    """Half a day of a week is a fourteenth of a period: six minutes of 84."""
    lists = {"P1": "STANDING NV 2, AZ", "P2": "STANDING TX 1", "P3": "STANDING OH 1"}
    given = {"options": {"PERIOD": "84 minutes"}, "house": {"early_hour": "at once"}}
    with Installation(tmp_path, "politics-1935", seats=tuple(lists), **given) as at:
        at.start()
        for seat, text in lists.items():
            at.write(seat, text)
        at.once(minutes=0)
        while at.table().period.number == 1:
            at.clock += timedelta(minutes=1)
            at.once(minutes=0)
        opened = at.table().period.opened
        while at.table().period.number == 2:
            at.clock += timedelta(minutes=1)
            at.once(minutes=0)
        assert timedelta(minutes=6) <= at.clock - opened <= timedelta(minutes=8)


@pytest.mark.parametrize(
    ("period", "late", "held"),
    [("90 minutes", 15, False), ("90 minutes", 16, True), ("36 hours", 77, False)],
)
def test_a_deadline_found_long_past_holds_the_game(
    tmp_path: Path, period: str, late: int, held: bool
) -> None:
    with playing(tmp_path, period, seats=SEATS) as at:
        at.clock = at.table().period.due + timedelta(minutes=late)
        at.once(minutes=0)
        assert (at.table().row.status == "held") is held
        if not held:
            assert at.table().period.number == 2
            return
        assert "was found 16 minutes past; nobody was running" in at.table().row.held_because
        at.clock += timedelta(minutes=7)
        at.act(deadline_acts.resume, "g")
        at.once(minutes=0)
        left = at.table().period.due - at.clock
        assert at.table().row.status == "running"
        assert timedelta(minutes=12) < left < timedelta(minutes=14), "a seventh of the period"
        assert "+36 minutes pause: the game was held" in flat(at.newest("A"))
        at.to_deadline()
        assert at.table().period.number == 2


def test_a_game_that_was_held_goes_on_with_the_time_it_had_left(at: Installation) -> None:
    left = at.table().period.due - at.clock
    at.act(deadline_acts.hold, "g", "supper")
    at.clock += timedelta(days=2, minutes=7)
    at.act(deadline_acts.resume, "g")
    assert at.table().period.due - at.clock == left


@pytest.mark.parametrize(("after", "told"), [(1, True), (3, False)])
def test_a_letter_that_crosses_the_deadline(tmp_path: Path, after: int, told: bool) -> None:
    """An hour of a week is less than two minutes of 90: so long a writer may not have known."""
    with playing(tmp_path, "90 minutes", seats=SEATS) as at:
        at.clock = at.table().period.due
        at.once(minutes=0)
        at.clock += timedelta(minutes=after)
        at.send("A", "SPECIAL AGR")
        receipt = flat(at.newest("A"))
        assert ("Your letter came 1 minute after the end" in receipt) is (told)


def test_a_day_on_which_the_clocks_change_is_like_any_other(at: Installation, period: str) -> None:
    at.clock = datetime.fromisoformat("2026-03-28T23:10:00+00:00")
    at.act(clock_acts.close, "g", 1, unread=True)
    for _ in range(3):
        due = at.table().period.due
        assert due - at.table().period.opened == PERIODS[period]
        at.to_deadline()
        assert at.table().period.opened == due


def test_house_rules_3_and_4_run_in_the_time_of_the_game(tmp_path: Path) -> None:
    with playing(tmp_path, "90 minutes", "parlement-1968") as at:
        assert at.table().period.due is None
        at.clock = at.table().period.opened + timedelta(minutes=45)
        at.once()
        assert "Nobody has signed a proposal." in at.newest("Com")
        at.send("Soc", GOVERNMENT)
        for seat in ("Rad", "Ctr", "Con", "Mon"):
            at.write(seat, "SIGN GOVERNMENT 1")
        at.once(minutes=0)
        due = at.table().period.due
        assert due is not None
        assert timedelta(minutes=31) <= due - at.clock <= timedelta(minutes=33)
        assert "(house rule 4: 32 minutes)" in all_mails(at, "Com")
        at.to_deadline()
        assert at.table().period.phase == "program"
        with desk(at) as work:
            report = replay.replay(work.conn, "g")
        assert report.faults == [] and report.periods == 1 and report.bulletins >= 12


def test_house_rule_8_runs_in_the_time_of_the_game(tmp_path: Path) -> None:
    new = "new@legit.example"
    with playing(tmp_path, "90 minutes", "parlement-1966", strangers=(new,)) as at:
        at.act(enlist, "g", new, "Nora New")
        at.write("S", "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R\nCALL ELECTION")
        at.write("R", "JOIN S")
        at.send("L", "ENDORSE S")
        at.to_deadline()
        at.send_each("SRLC", "CANDIDATES NONE")
        due = at.table().period.due
        at.clock = due - timedelta(minutes=32)
        at.once()
        assert "Reminder" in subjects(at, "M")[-1] and "Reminder" not in subjects(at, "S")[-1]
        at.clock = due
        at.once()
        assert at.table().period.due - due == timedelta(minutes=45)
        assert "[g] Your list of candidates is missing" in subjects(at, "M")
        at.clock = at.table().period.due
        at.once(minutes=0)
        called = at.clock
        at.once()
        assert "[g] Will you play M?" in subjects(at, "new")
        with desk(at) as work:
            (offer,) = claimants.open_offers(work.conn, "g")
        assert offer.until - called == timedelta(minutes=45)
        assert at.table().period.due - due == timedelta(minutes=90)
        code = re.findall(r"(?m)^ +CONFIRM (\S+)", at.newest(new))[0]
        at.send(new, f"CONFIRM {code}")
        at.send(new, "CANDIDATES 1-3")
        assert at.table().period.number == 2, "orders may change for a while"
        at.clock = at.table().period.due
        at.once()
        assert at.table().period.number == 3


def test_what_the_landed_version_stored_of_games_of_days_loads_as_it_is() -> None:
    rows = json.loads(gzip.decompress(LANDED.read_bytes()))["tables"]
    for game in rows["game"]:
        house = codec.load(House, game["house"])
        early = {} if "early" in game["house"] else {"early": "owed"}  # of before it was a choice
        later = {"grace": 0, **early}
        dumped = codec.plain(codec.dump(house))
        nothing = codec.plain(codec.dump(House({}, {})))
        assert dumped == {**nothing, **game["house"], **later}
        assert not house.elapsed
    for row in rows["period"]:
        assert [move.json() for move in calendar.moves(row["moves"])] == row["moves"]


def players(*more: str) -> list[str]:
    return [
        *(word for seat in SEATS for word in ("--player", f"{seat}={seat.lower()}@legit.example")),
        *more,
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--option", "PERIOD=90 minutes"), "90 minutes"),
        (("--house", "lengths=36 hours"), "36 hours"),
    ],
)
def test_the_gamesmaster_makes_such_a_game(shell: Shell, more: tuple[str, ...], told: str) -> None:
    shell("new", "coalition", "g", *players(*more))
    shell("start", "g")
    row = shell.at.table().period
    assert str(Elapsed((row.due - row.opened) // timedelta(minutes=1))) == told
    shell("extend", "g", "30 minutes", "--why", "a late train")
    shell("extend", "g", "-1 hour", "--why", "all are in")
    assert shell.at.table().period.due == row.due - timedelta(minutes=30)
    assert "+30 minutes  extension: a late train" in shell("explain", "deadline", "g")
    assert "by hours or minutes" in shell.fails("extend", "g", "3", "--why", "x")
    assert "counted in hours" in shell.fails("pause", "g", "2026-12-01", "2026-12-02", "--why", "x")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--option", "PERIOD=soon"), "or 36 hours"),
        (("--option", "PERIOD_ONE=2 hours"), "alone is 2 hours; a game counts all its periods"),
        (("--house", "lengths=a while"), "is no length of time; write 7 days, 36 hours"),
        (("--house", "alone=a while"), "alone=a while is no number of days"),
    ],
)
def test_lengths_that_are_none(shell: Shell, more: tuple[str, ...], said: str) -> None:
    refused = shell.fails("new", "coalition", "g", *players(*more))
    assert said in refused and refused.count("\n") == 1
