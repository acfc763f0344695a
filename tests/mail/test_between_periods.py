"""Letters around a deadline: those that cross it, those that come while a bulletin is in review,
those that are held."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.house_rules import Arrival, crossing, too_late
from pbem.referee.acts import word_acts
from tests.installation import SEATS, SLATE, Installation, proven, text_of, told

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.fixture
def reviewed(tmp_path: Path) -> Iterator[Installation]:
    """A game whose bulletin 1 waits for its release."""
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review", trust="proven") as made:
        made.start()
        proven(made, "A", f'PROPOSE {SLATE}\nNAME "Harbour"')
        made.once()
        made.to_deadline()
        yield made


# --- a letter that crosses a deadline -------------------------------------------------------------


def arrival(minutes: float, **more: Any) -> Arrival:
    """A letter so long after the end of period 1, which was closed at noon, when period 2 began."""
    given: dict[str, Any] = {
        "last_due": NOON,
        "last_closed": NOON,
        "opened": NOON,
        "due": NOON + timedelta(days=7),
    }
    return Arrival(2, NOON + timedelta(minutes=minutes), **{**given, **more})


OVERDUE = {"due": NOON, "last_due": None, "last_closed": None}


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        (arrival(3), "came 3 minutes after the end of period 1, and counts for period 2"),
        (arrival(0.5), "came less than a minute after the end of period 1, and counts"),
        (arrival(59), "came 59 minutes after the end of period 1"),
        (arrival(61), ""),
        (arrival(3, named=2), ""),
        (arrival(3, named=1), "came 3 minutes after the end of period 1"),
        (arrival(3, named=7), ""),
        (arrival(3, read=NOON), ""),  # he answers the bulletin
        (arrival(3, read=NOON - timedelta(days=3)), "counts for period 2"),
        (arrival(3, names_new=True), ""),
        (arrival(3, names_new=True, named=1), "came 3 minutes after the end of period 1"),
        (arrival(3, confirmed_for=2), ""),
        (arrival(200, answered=NOON - timedelta(days=3)), "came 3 hours after the end of period 1"),
        (arrival(-3), ""),  # it was in time, and is explained as it is
        (arrival(3, opened=NOON + timedelta(hours=1)), "came 3 minutes after the end of period 1"),
        (
            arrival(3, last_due=NOON + timedelta(days=2)),
            "came 3 minutes after the end of period 1",
        ),  # it closed early
        (arrival(3, last_closed=None), ""),  # the first period
        (
            arrival(3, **OVERDUE),
            "came 3 minutes after the deadline. It counts all the same: period 2 had not been closed yet.",
        ),
        (arrival(3, strict=True, **OVERDUE), "came 3 minutes after the deadline."),
        (arrival(3, named=7, **OVERDUE), ""),
    ],
)
def test_crossing(letter: Arrival, words: str) -> None:
    found = crossing(letter)
    assert (
        found.startswith("Your letter came ") == bool(words)
        and words in found
        and bool(words) == bool(found)
    )
    assert ("counts" in found) <= (not too_late(letter))


@pytest.mark.parametrize("late", ["until_adjudicated", "deadline"])
def test_a_vote_minutes_late_is_told_how_late_it_came(tmp_path: Path, late: str) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, late=late) as at:
        at.start()
        at.send("A", f"PROPOSE {SLATE}")
        at.to_deadline()
        due = at.table().period.due
        at.to_deadline()
        at.clock = due + timedelta(minutes=3)
        at.send("B", "VOTE AYE")
        assert "Your letter came 3 minutes after the end of period 2, and counts" in told(at, "B")
        at.write("B", "VOTE NAY")
        bulletin = next(
            mail for mail in reversed(at.mails("C")) if "Bulletin 2" in str(mail["Subject"])
        )
        at.write("C", "SPECIAL AGR", In_Reply_To=bulletin["Message-ID"])
        at.write("D", "SPECIAL AGR", Subject="Re: [g] Bulletin 2: a motion")
        at.send("E", "SPECIAL JUS\n\n> Period 3 has begun.")
        assert not any("Your letter came " in told(at, seat) for seat in "BCDE")


# --- a letter while a bulletin is in review -------------------------------------------------------


def test_a_letter_in_review_is_answered_once_and_has_one_effect(reviewed: Installation) -> None:
    at = reviewed
    proven(at, "A", "SPECIAL AGR")
    proven(at, "B", 'PERIOD 2\nNAME "Hill"\nPRESS TO C\nHello.\nEND PRESS')
    for _ in range(3):
        at.once()
    for seat, words in (
        ("A", "Send them again when the bulletin is out, or now with the line PERIOD 2 on top."),
        ("B", "It says PERIOD 2, and is tried for that period when it opens."),
    ):
        mine = [
            mail
            for mail in at.mails(seat)
            if "looking over its bulletin" in " ".join(text_of(mail).split())
        ]
        assert len(mine) == 1 and words in told(at, seat)
        assert (
            mine[0]["Auto-Submitted"] == "auto-replied"
            and mine[0]["In-Reply-To"]
            and "Receipt" not in text_of(mine[0])
        )
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "stored", "stored"]
    at.act(word_acts.release, "g", 1)
    at.once()
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "late", "orders"]
    assert at.standing("A") == [] and at.standing("B") == ['NAME "Hill"']
    assert "Receipt 2 of game g" in told(at, "A") and "Receipt 1 of game g" in told(at, "B")
    assert sum(str(mail["Subject"]) == "[g] Press from B" for mail in at.mails("C")) == 1


def test_what_a_letter_in_review_asks_is_answered_as_the_last_period_stood(
    reviewed: Installation,
) -> None:
    at = reviewed
    assert at.table().period.phase == "SITTING" and at.table().period.number == 2
    proven(at, "A", "STATUS\nORDERS\nHISTORY\nHELP GUIDE\nWHY")
    at.send("B", "STATUS")
    answer = at.newest("A")
    assert (
        "YOUR ORDERS WHEN PERIOD 1 ENDED" in answer and "| #1 PROPOSE" in answer
    ) or "  #1 PROPOSE" in answer
    assert (
        "period 1, " in answer
        and "This period is closed" in answer
        and "Bulletin 0: the game begins" in answer
    )
    assert "COALITION: THE ORDERS" in answer and "Bulletin 1:" not in answer
    for seat in "AB":
        status = at.newest(seat).partition("STATUS (game g)")[2].partition("BULLETIN")[0]
        assert "period 2" not in status and "SITTING" not in status and "looking over" in status
    assert "will not be taken" not in at.newest("A") and "will not be taken" not in at.newest("B")


def test_nothing_of_the_unreleased_position_is_in_the_answer(tmp_path: Path) -> None:
    """Two games that differ in how their period ended answer alike."""
    answer = []
    for n, orders in enumerate((f"PROPOSE {SLATE}", 'NAME "Nobody knows"')):
        (tmp_path / str(n)).mkdir()
        with Installation(tmp_path / str(n), "coalition", seats=SEATS, publish="review") as at:
            at.start()
            at.send("A", orders)
            at.to_deadline()
            at.send("B", "STATUS\nORDERS\nHISTORY\nWHY\nVOTE AYE\nPRESS TO C\nx\nEND PRESS")
            answer.append(re.sub("Journal: head .*", "", at.newest("B")))
    assert answer[0] == answer[1]


# --- held letters in STATUS -----------------------------------------------------------------------


@pytest.mark.game("coalition", trust="proven")
def test_a_held_letter_shows_in_status_until_it_is_decided(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.send("B", "SPECIAL ENV")
    code = next(
        line.strip() for line in at.newest("A").splitlines() if line.strip().startswith("CONFIRM ")
    )
    at.write("A", "STATUS")
    at.send("C", "STATUS")
    held = "Your letter of Monday 2 March 2026, 10:01 is held, without proof"
    assert held in told(at, "A") and "No orders of yours stand for period" in told(at, "A")
    assert "is held" not in told(at, "C") and "SPECIAL" not in told(at, "C")
    at.send("A", code)
    at.send("A", "STATUS")
    assert "is held" not in told(at, "A") and "WHAT STANDS FOR PERIOD 1 #1 SPECIAL AGR" in told(
        at, "A"
    )
    at.to_deadline()
    at.send("B", "STATUS")
    assert "is held" not in told(at, "B")  # it can no longer be confirmed
