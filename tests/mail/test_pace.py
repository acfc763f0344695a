"""The paces by mail and in the shell: a period closes at once at `evening`, no deadline is near at
`daily`, and whoever makes a game sees what its players will read."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts
from pbem.periods.claims import enlist
from pbem.referee.acts import seat_acts
from pbem.store.joining import claimants
from tests.installation import SEATS, Installation, address, desk, flat, text_of, told
from tests.parsed import attached
from tests.shell import Shell
from tests.subjects import subjects

THREE = ("P1", "P2", "P3")
SECONDS = timedelta(seconds=20)


@contextmanager
def playing(tmp_path: Path, key: str, pace: str, **more: Any) -> Iterator[Installation]:
    with Installation(tmp_path, key, pace=pace, **more) as at:
        at.start()
        yield at


def look(at: Installation) -> int:
    """A pass twenty seconds later; the period that is open after it."""
    at.clock += SECONDS
    at.once(minutes=0)
    return at.table().period.number


# --- evening: at once -----------------------------------------------------------------------------


def test_a_period_closes_in_the_pass_that_decides_the_last_letter(tmp_path: Path) -> None:
    with playing(tmp_path, "politics-1935", "evening", seats=THREE) as at:
        at.once(minutes=0)
        for seat in THREE:
            assert look(at) == 1
            at.write(seat, "PASS")
        assert look(at) == 2
        assert at.table().period.opened == at.clock


def test_orders_that_the_gamesmaster_enters_close_it_too(tmp_path: Path) -> None:
    with playing(tmp_path, "politics-1935", "evening", seats=THREE) as at:
        for seat in THREE[:2]:
            at.write(seat, "PASS")
        assert look(at) == 1
        at.act(seat_acts.order, "g", 1, "P3", "PASS")
        at.write("P3", "STATUS")
        assert look(at) == 2


def test_where_all_have_to_be_ready_the_last_ready_closes(tmp_path: Path) -> None:
    with playing(tmp_path, "parlement-1966", "evening") as at:
        *others, last = at.seats
        for seat in others:
            at.write(seat, "READY")
        at.write(last, "CALL NOTHING")
        assert look(at) == 1
        assert "READY: the period closes as soon as all who may act have said so" in told(
            at, others[0]
        )
        at.write(others[0], "ENDORSE S" if others[0] != "S" else "CALL ELECTION")
        at.write(last, "READY")
        assert look(at) == 1, "a new order takes READY back"
        assert "You have not said READY." in told(at, others[0])
        at.write(others[0], "READY")
        assert look(at) == 2


# --- daily: eighteen hours ------------------------------------------------------------------------


def test_a_bulletin_that_comes_late_brings_no_deadline_near(tmp_path: Path) -> None:
    with playing(tmp_path, "coalition", "daily", seats=SEATS, house={"max_late": 12}) as at:
        due = at.table().period.due
        assert due - at.table().period.opened >= timedelta(hours=18)
        at.clock = due + timedelta(hours=5)
        at.once(minutes=0)
        assert at.table().period.due - due == timedelta(days=1), "nineteen hours are enough"
        due = at.table().period.due
        at.clock = due + timedelta(hours=7)
        at.once(minutes=0)
        assert at.table().period.due - due == timedelta(days=2)


def test_the_gamesmaster_brings_no_deadline_near_either(tmp_path: Path) -> None:
    with playing(tmp_path, "coalition", "daily", seats=SEATS) as at, desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(1), "a feast")
        with pytest.raises(OperatorError, match="within 18 hours of its bulletin"):
            deadline_acts.extend(work, "g", 1, Days(-2), "no feast")
        deadline_acts.extend(work, "g", 1, Days(-1), "no feast")


def test_a_game_that_was_held_goes_on_with_eighteen_hours(tmp_path: Path) -> None:
    house = {"hour": "12:00"}
    with playing(tmp_path, "coalition", "daily", seats=SEATS, house=house) as at:
        at.act(deadline_acts.hold, "g", "supper")
        at.clock = at.table().period.due + timedelta(hours=10)
        at.act(deadline_acts.resume, "g")
        at.once(minutes=0)
        assert timedelta(hours=18) <= at.table().period.due - at.clock < timedelta(hours=42)


# --- in the shell ---------------------------------------------------------------------------------


def test_whoever_makes_a_game_sees_what_its_players_will_be_mailed(shell: Shell) -> None:
    players = [w for s in SEATS for w in ("--player", f"{s}={address(s)}")]
    said = shell("new", "coalition", "g", *players, "--pace", "evening", "--grace", "2 minutes")
    shell("start", "g")
    shell("once")
    mails = [attached(shell.at.mails("A")[0])]
    rules = (
        flat(said).partition("THE HOUSE RULES OF THIS GAME")[2].partition(" The game g is made")[0]
    )
    assert "a period whose deadline has come waits 2 minutes for them" in rules
    assert any(rules in one for one in mails)
    shown = shell("house", "coalition", "--pace", "evening", "--grace", "2 minutes")
    assert flat(shown).endswith(rules)


def test_the_house_rules_in_words_need_no_installation(tmp_path: Path) -> None:
    nowhere = ["--config", str(tmp_path / "none.toml")]
    done = CliRunner().invoke(main, ["house", "parlement-1968", *nowhere])
    assert done.exit_code == 0 and "Periods of the phases" in done.stdout
    for said in ("leisurely: for players", "a period lasts 21 days", "a period lasts 10 minutes"):
        assert said in done.stdout
    more = ["--option", "max_sessions=2", "--house", "hour=20:00", "--zone", "Europe/Rome"]
    done = CliRunner().invoke(
        main, ["house", "parlement-1968", "--pace", "weekly", *more, *nowhere]
    )
    assert "Deadlines fall at 20:00 of the day named, Europe/Rome time." in flat(done.stdout)
    assert "a period lasts" not in done.stdout
    for wrong in (["--pace", "hourly"], ["--option", "PACE=2"], ["--house", "pace=daily"]):
        assert CliRunner().invoke(main, ["house", "parlement-1968", *wrong, *nowhere]).exit_code


# --- what else goes with the pace -----------------------------------------------------------------


def test_a_free_seat_is_offered_for_minutes(tmp_path: Path) -> None:
    """In a game without house rule 7 too."""
    new = "new@else.example"
    with playing(tmp_path, "coalition", "evening", seats=SEATS, strangers=(new,)) as at:
        at.act(enlist, "g", new, "Nora New")
        at.write("B", "QUIT")
        at.once(minutes=0)
        asked = next(one for one in map(text_of, at.mails("B")) if "CONFIRM " in one)
        at.write("B", f"CONFIRM {asked.split('CONFIRM ')[1].split()[0]}")
        at.once(minutes=0)
        at.once(minutes=0)
        with desk(at) as work:
            (offer,) = claimants.open_offers(work.conn, "g")
        assert timedelta(minutes=2) <= offer.until - at.clock <= timedelta(minutes=12)
        assert "the seat B is offered to you" in told(at, new)


def test_receipts_wait_no_longer_than_a_period(tmp_path: Path) -> None:
    """Of twenty letters some are answered together: at `evening` after a period, not an hour."""
    with playing(tmp_path, "coalition", "evening", seats=SEATS) as at:
        for number in range(20):
            at.write("A", f"SPECIAL AGR   # {number}")
        at.once()
        said = ["Re: [g] 1 order taken", *["Re: [g] your orders are as they were"] * 11]
        assert subjects(at, "A")[-12:] == said
        at.later(minutes=10)
        assert "8 receipts" not in " ".join(subjects(at, "A"))
        at.once()
        assert "[g] 8 receipts" in subjects(at, "A")
        at.send("A", "SPECIAL AGR")
        assert subjects(at, "A")[-1] == "Re: [g] 1 line not taken"
