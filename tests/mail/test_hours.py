"""Another hour for the deadlines, from the next period on."""

from pathlib import Path

import pytest

from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.text import moment_words
from tests.installation import SEATS, Installation, text_of, told
from tests.mail.test_gamesmaster_by_mail import HEAD, by_code, command
from tests.mail.test_own_page import wish
from tests.subjects import issue

FAY = "fay@fay.example"
pytestmark = pytest.mark.game("coalition", strangers=(FAY,))


def due(at: Installation) -> str:
    """The open period's deadline by the game's clock."""
    table = at.table()
    assert table.period.due
    return moment_words(table.period.due.astimezone(table.zone))


def test_the_next_period_has_the_new_hour_and_the_open_one_keeps_its_own(at: Installation) -> None:
    wish(at, "B", "ZONE", "America/New_York")
    assert due(at) == "Monday 9 March 2026, 24:00"
    assert "From period 2 on" in by_code(at, f"{HEAD}HOUR 20:00")
    assert due(at) == "Monday 9 March 2026, 24:00"
    mail = told(at, "B")
    assert "deadlines of this game fall at 20:00 Europe/Paris, no longer at 24:00." in mail
    assert "By your clock (America/New_York) that is 15:00 instead of 19:00." in mail
    assert "The open period keeps its deadline: Monday 9 March 2026, 24:00" in mail
    assert "By your clock" not in told(at, "C") and "no longer at 24:00" in told(at, "C")
    at.to_deadline()
    assert due(at) == "Tuesday 17 March 2026, 20:00", "no sooner than Monday 16 March, 24:00"
    (said,) = (text_of(one) for one in at.mails("A") if issue(one) == "[g] Bulletin 1")
    assert "no longer at 24:00" in " ".join(said.split())
    at.to_deadline()
    assert due(at) == "Tuesday 24 March 2026, 20:00"
    with exclusive_transaction(at.daemon.engine) as conn:
        report = replay.replay(conn, "g")
    assert report.faults == [] and report.bulletins


def test_a_later_hour_keeps_the_day(at: Installation) -> None:
    by_code(at, f"{HEAD}HOUR 9:30")
    at.to_deadline()
    assert due(at) == "Tuesday 17 March 2026, 09:30"
    by_code(at, "GAME g\nPERIOD 2\nHOUR 21:00")
    at.to_deadline()
    assert due(at) == "Tuesday 24 March 2026, 21:00"


def test_the_same_act_undoes_it(at: Installation) -> None:
    by_code(at, f"{HEAD}HOUR 20:00")
    assert "fall at 20:00 as it is" in command(at, f"{HEAD}HOUR 20:00")
    assert "as before, not at 20:00" in " ".join(by_code(at, f"{HEAD}HOUR 24:00").split())
    assert "as before, not at 20:00" in told(at, "A") and "No period is shorter" not in told(
        at, "A"
    )
    assert "fall at 24:00 as it is" in command(at, f"{HEAD}HOUR 0:00")
    at.to_deadline()
    assert due(at) == "Monday 16 March 2026, 24:00"


@pytest.mark.parametrize("written", ["25:00", "20", "noon", "20:61", "-1:00"])
def test_what_is_no_hour_is_refused(at: Installation, written: str) -> None:
    assert "is not an hour of the day" in command(at, f"{HEAD}HOUR {written}")
    assert at.table().house.next_hour == ""


def test_a_game_of_minutes_has_no_hour(tmp_path: Path) -> None:
    minutes = {"lengths": "30 minutes"}
    with Installation(tmp_path, "coalition", seats=SEATS, house=minutes) as made:
        made.start()
        assert "in hours and minutes" in command(made, f"{HEAD}HOUR 20:00")
