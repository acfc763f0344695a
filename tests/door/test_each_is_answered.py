"""No letter of a person is without an answer: it gets a mail of its own, or one within the hour.

A sample of the letters in the tables, by real mail at a small installation.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pbem.orders.door.wish import Kind
from tests.door.test_wishes import OTHERS, Row, rows
from tests.installation import GAMESMASTER, text_of
from tests.mail.test_open_tables import ANN, BEN, CLEO, FIVE, Club

EACH = 12
"""One letter in so many is sent."""
HOUR = timedelta(hours=1, minutes=1)


def sample() -> list[Row]:
    of_persons = [
        row
        for name in ("own.tsv", *OTHERS)
        for row in rows(name)
        if row.expect.partition(":")[0] != Kind.NOTHING
    ]
    return of_persons[::EACH]


def test_each_letter_of_a_person_is_answered(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        for number, row in enumerate(sample()):
            who = FIVE[number % len(FIVE)]
            before = len(at.mails(who))
            at.write(who, row.text.replace("\\n", "\n"), Subject="Hello")
            at.once()
            if len(at.mails(who)) == before:
                at.clock += HOUR
                at.once()
            assert len(at.mails(who)) > before, f"no answer to: {row.text}"
            at.clock += timedelta(minutes=10)


def test_what_comes_beyond_the_limit_is_answered_in_one_mail(tmp_path: Path) -> None:
    asked = [row for row in sample() if row.expect == Kind.QUESTION][:6]
    with Club(tmp_path, limits={"stranger_mails_an_hour": 2}) as at:
        at.open(places=5)
        for row in asked:
            at.write(CLEO, row.text.replace("\\n", "\n"), Subject="Hello")
            at.once()
        alone = len(at.mails(CLEO))
        assert alone < len(asked)
        at.clock += HOUR
        at.once()
        assert len(at.mails(CLEO)) == alone + 1
        assert "You wrote more letters within an hour" in text_of(at.mails(CLEO)[-1])


def test_press_to_the_gamesmaster_of_somebody_who_has_signed_on(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.join(ANN, BEN)
        before, told = len(at.mails(ANN)), len(at.mails(GAMESMASTER))
        at.say(ANN, "PRESS TO GM\nMay my cousin sit beside me?\nEND PRESS")
        assert len(at.mails(ANN)) > before
        new = [text_of(mail) for mail in at.mails(GAMESMASTER)[told:]]
        assert any("cousin" in text for text in new)


def test_press_to_the_gamesmaster_need_ask_nothing(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.join(ANN, BEN)
        told = len(at.mails(GAMESMASTER))
        said = at.say(ANN, "PRESS TO GAMESMASTER\nI want to play less in July.\nEND PRESS")
        assert "gone to the gamesmaster" in said
        (mail,) = at.mails(GAMESMASTER)[told:]
        assert "| I want to play less in July." in text_of(mail)
