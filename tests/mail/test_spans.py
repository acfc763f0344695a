"""How long something lasts, and how many there are of something, is told in whole minutes, hours or
days and with the right number: read in what people get."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.daemon.loop import Database
from pbem.post.clock import Reading
from pbem.text import counted
from tests.installation import Installation, text_of
from tests.parsed import attached

NOUNS = (
    "day|hour|minute|second|week|letter|mail|game|period|bulletin|notice|player|seat|file|move|line"
    "|receipt|press|journal entry|try|preview|look|copy"
)
WRONG = re.compile(
    rf"(?<![\d.,:-])1 (?:(?:{NOUNS})s|presses|journal entries|tries|copies)\b"
    rf"|(?<![\d.,:-])(?:0|[2-9]|\d\d+) (?:{NOUNS})(?![\w-])"
    r"|\b\d+ days?, \d+:\d\d:\d\d|(?<![\d:T ])\b\d:\d\d:\d\d\b"
)
"""One of several, several of one, and a length as Python prints it."""
ONES: Mapping[str, Any] = {
    "lengths": {"*": 1},
    "reminders": {"*": [1], "lists": [1]},
    "most_automatic": 1,
    "alone": 1,
}
PARLEMENT = {
    "ask_after_missed": 1,
    "reply_days": 1,
    "late_list_days": 1,
    "back_out_days": 1,
    "report_days": 1,
}


def test_the_mails_of_a_game_of_single_days(tmp_path: Path, key: str) -> None:
    rules = {"rules": PARLEMENT} if key.startswith("parlement") else {}
    with Installation(tmp_path, key, house={**ONES, **rules}) as at:
        at.start()
        for _ in range(3):
            if at.table().period.due is None:
                break
            at.clock = at.table().period.due - timedelta(hours=1)
            at.send(at.seats[0], "STATUS")
            at.to_deadline()
        mails = [text_of(mail) for mail in at.mails(at.seats[0])]
        start = attached(at.mails(at.seats[0])[0])
        assert "by at most 1 day;" in start and "1 day before the deadline" in start
        assert mails
        for text in mails:
            found = WRONG.search(house_and_hours(text))
            assert found is None, text


def house_and_hours(text: str) -> str:
    """A mail without its bulletin of the game's own facts, and without hours of the day."""
    if "is closed\n" in text or "the game begins\n" in text:
        return ""
    return re.sub(r"\d\d:\d\d(:\d\d)?", "", text)


def test_counted() -> None:
    assert [counted(n, "letter") for n in (0, 1, 2)] == ["0 letters", "1 letter", "2 letters"]
    assert counted(1, "copy", "copies") == "1 copy" and counted(2, "copy", "copies") == "2 copies"


def test_how_long_the_database_was_away() -> None:
    began, trouble = datetime(2026, 3, 2, 9, 0, tzinfo=UTC), Database()
    trouble.struck("it is away", Reading(began, 0.0))
    told = trouble.report(Reading(began + timedelta(seconds=90), 90.0))
    assert "for 2 minutes; 1 try failed." in told
