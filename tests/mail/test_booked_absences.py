"""Days of absence that players book by a code: which deadlines they move, how far, and who learns
of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.house import houses
from pbem.referee.gamesmaster import queue
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes
from tests.installation import GAMESMASTER, SEATS, Installation, address, text_of, told
from tests.parsed import attached
from tests.shell import Shell


@contextmanager
def table(folder: Path, days: int = 10, **house: Any) -> Iterator[Installation]:
    """Five players of Coalition, whose first two deadlines are 9 and 16 March."""
    rules = {"away_days": days, **house}
    with Installation(folder, "coalition", seats=SEATS, house=rules) as at:
        at.start()
        yield at


def send(at: Installation, who: str, text: str) -> None:
    at.write(who, text)
    at.once()


def codes(at: Installation, who: str) -> list[str]:
    return re.findall(r"(?m)^ +CONFIRM (\S+)", "\n".join(text_of(mail) for mail in at.mails(who)))


def book(at: Installation, seat: str, days: str) -> None:
    send(at, seat, f"ABSENT {days}")
    send(at, seat, f"CONFIRM {codes(at, seat)[-1]}")


def due(at: Installation) -> date:
    row = at.table()
    assert row.period.due is not None
    return calendar.day_of(row.period.due, row.house.hour, row.zone)


def bulletin(at: Installation, number: int, who: str = "B") -> str:
    mail = next(m for m in at.mails(who) if f"Bulletin {number}" in str(m["Subject"]))
    return " ".join(text_of(mail).split())


def test_a_deadline_lies_after_days_that_were_booked_before(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        assert due(at) == date(2026, 3, 9)
        send(at, "A", "ABSENT 14 March TO 18 March")
        assert any(
            "5 days of the 10 that you have left" in " ".join(text_of(m).split())
            for m in at.mails("A")
        )
        at.to_deadline()
        assert due(at) == date(2026, 3, 16), "nothing moves before the code has come back"
        book(at, "A", "14 March TO 18 March")
        assert "is booked. The deadline of the period that is open stays" in told(at, "A")
        assert "You have 5 days left" in told(at, "A")
        assert due(at) == date(2026, 3, 16), "it had opened before"


def test_a_period_that_opens_later_keeps_off_them(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        book(at, "A", "14 March TO 18 March")
        at.to_deadline()
        assert due(at) == date(2026, 3, 19)


def test_all_learn_the_new_date_and_the_gamesmaster_alone_whose_days(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        book(at, "A", "14 March TO 18 March")
        at.to_deadline()
        said = bulletin(at, 1)
        assert (
            "The deadline of period 2 is Thursday 19 March 2026 instead of Monday 16 March 2026:"
            " days of absence that were booked." in said
        )
        send(at, "B", "STATUS")
        assert "+3 days absence: days of absence that were booked" in told(at, "B")
        everything = [text_of(m) for who in "BCDE" for m in at.mails(who)]
        assert not [text for text in everything if "14 March" in text or "18 March" in text]
        assert not [m for m in at.mails(GAMESMASTER) if "absence" in str(m["Subject"])]
        with exclusive_transaction(at.daemon.engine) as conn:
            shown = queue.queue(at.work(conn))
            (entry,) = [e for e in notes.journal_entries(conn, "g") if e.kind == "absence-booked"]
        assert shown["games"][0]["away"] == {"A": ["absent 2026-03-14 to 2026-03-18"]}
        assert entry.data == {"seat": "A", "first": "2026-03-14", "last": "2026-03-18"}


def test_several_absences_move_a_deadline_once(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        book(at, "A", "14 March TO 18 March")
        book(at, "B", "15 March TO 20 March")
        book(at, "C", "21 March TO 22 March")
        at.to_deadline()
        assert due(at) == date(2026, 3, 23)
        (move,) = at.table().period.moves
        assert (move["kind"], move["days"]) == ("absence", 7)


def test_no_further_than_the_referee_moves_a_deadline(tmp_path: Path) -> None:
    with table(tmp_path, days=30, most_automatic=4) as at:
        book(at, "A", "14 March TO 30 March")
        at.to_deadline()
        assert due(at) == date(2026, 3, 20)


def test_no_more_days_than_the_house_rules_give(tmp_path: Path) -> None:
    with table(tmp_path, days=6) as at:
        book(at, "A", "14 March TO 18 March")
        send(at, "A", "ABSENT 20 March TO 21 March")
        assert "are 2 days, and of the 6 days that you may book in this game 1 is left" in told(
            at, "A"
        )
        assert len(codes(at, "A")) == 1
        send(at, "A", "ABSENT 14 March TO 18 March")
        assert "is booked already" in told(at, "A")
        send(at, "A", "ABSENT 20 March TO 20 March\nABSENT 21 March TO 21 March")
        for code in codes(at, "A")[1:]:
            send(at, "A", f"CONFIRM {code}")
        assert "not taken" in told(at, "A"), "each was possible, both are not"
        book(at, "B", "14 March TO 19 March")
        assert "You have 0 days left" in told(at, "B"), "another's days are his own"


def test_the_code_of_an_absence_is_its_player_s(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        send(at, "A", "ABSENT 14 March TO 18 March")
        (code,) = codes(at, "A")
        send(at, "B", f"CONFIRM {code}")
        assert "works from the address only that it was mailed to" in told(at, "B")
        assert address("A") not in at.newest("B")
        at.to_deadline()
        assert due(at) == date(2026, 3, 16)


def test_whoever_is_out_of_the_game_moves_nothing(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        book(at, "A", "14 March TO 18 March")
        send(at, "A", "RESIGN")
        send(at, "A", f"CONFIRM {codes(at, 'A')[-1]}")
        at.to_deadline()
        assert "A" not in at.table().ruleset.asked(at.table().state)
        assert due(at) == date(2026, 3, 16)


def test_without_days_of_absence_all_are_told_as_ever(tmp_path: Path) -> None:
    with table(tmp_path, days=0) as at:
        send(at, "A", "ABSENT 14 March TO 18 March")
        assert "Your absence will be in the next bulletin" in told(at, "A")
        at.to_deadline()
        assert due(at) == date(2026, 3, 16) and "A (Player A) is away from" in bulletin(at, 1)


def test_the_shell_sets_them_and_the_players_are_mailed_so(shell: Shell) -> None:
    players = [f"--player={seat}={address(seat)}" for seat in SEATS]
    shown = " ".join(shell("new", "coalition", "g", *players, "--away-days", "5").split())
    assert "Each player may book 5 days of absence in the game" in shown
    assert "somebody who plays for him meanwhile" in shown
    shell("start", "g")
    shell("once")
    assert "Each player may book 5 days" in attached(shell.at.mails("A")[0])
    private = shell("house", "coalition", "--deputies", "private")
    assert "Nobody else is told." in " ".join(private.split())
    assert "DEPUTY" not in shell("house", "coalition", "--deputies", "none")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"away_days": 5, "lengths": "90 minutes"}, "counted in hours and minutes"),
        ({"away_days": -1}, "cannot be negative"),
        ({"deputies": "perhaps"}, "is none of public, private, none"),
    ],
)
def test_what_is_no_house_rule(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(OperatorError, match=why):
        houses.house_rules("parlement-1966", {}, changes)
