"""No letter of a person is without an answer: it gets a mail of its own, or one within the hour.

Every letter of the tables comes by real mail, each from an address of its own.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.orders.door.wish import Kind
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import Applicant, Outgoing
from tests.door.test_wishes import OTHERS, Row, rows
from tests.installation import GAMESMASTER, text_of
from tests.mail.test_open_tables import ANN, BEN, CLEO, ID, Club
from tests.parsed import parsed

HOUR = timedelta(hours=1, minutes=1)
NO_LIMIT = {"unregistered_mails_an_hour": 100_000, "stranger_mails_an_hour": 100_000}
OWN = pytest.param("own.tsv", marks=pytest.mark.slow)
KEYWORD = re.compile(r"^(?i:GAMES|HELP|RULES|TABLES|STATUS|STOP)\b", re.MULTILINE)
"""A word that is answered by something else."""
LINK = re.compile(r'href="(mailto:[^"]+)"')


def of_persons(name: str) -> list[Row]:
    """The letters of a table that people wrote who want something."""
    return [row for row in rows(name) if row.expect.partition(":")[0] != Kind.NOTHING]


def all_at_once(at: Club, letters: Sequence[Row]) -> Iterator[tuple[Row, EmailMessage | None]]:
    """Each letter, and the newest mail that its writer has of one pass."""
    for number, row in enumerate(letters):
        at.write(writer(number), row.text.replace("\\n", "\n"), Subject="Hello")
    at.once()
    with reading(at.daemon.engine) as conn:
        made = conn.execute(select(Outgoing.recipient, Outgoing.raw).order_by(Outgoing.id))
        mails = {row.recipient: parsed(row.raw) for row in made}
    for number, row in enumerate(letters):
        yield row, mails.get(writer(number))


def writer(number: int) -> str:
    return f"w{number}@p{number}.example"


def links(mail: EmailMessage) -> list[str]:
    body = mail.get_body(("html",))
    assert body, "no HTML"
    return LINK.findall(str(body.get_content()))


@pytest.mark.parametrize("name", [*OTHERS, OWN])
def test_each_letter_of_a_person_is_answered(tmp_path: Path, name: str) -> None:
    with Club(tmp_path, limits=NO_LIMIT) as at:
        at.open(places=5)
        for row, mail in all_at_once(at, of_persons(name)):
            assert mail, f"no answer to: {row.text}"


STATES = (ApplicantState.ASKED, ApplicantState.CALLED, ApplicantState.SIGNED)


def sign_on(at: Club, number: int, state: ApplicantState) -> None:
    """Somebody is so far already."""
    who, until = writer(number), at.clock + timedelta(days=3)
    values = {"game_id": ID, "address": who, "name": f"W{number}", "wishes": [], "through": ""}
    values |= {"came": at.clock, "code_hash": ""}
    with exclusive_transaction(at.daemon.engine) as conn:
        if state == ApplicantState.ASKED:
            open_tables.ask(conn, state, **values, player_id=None, until=until)
            return
        player = players.player(conn, who, f"W{number}", at.clock)
        values |= {"player_id": player, "until": None}
        one = open_tables.ask(conn, ApplicantState.SIGNED, **values)
        Applicant.change(conn, {"id": one.id}, place=number + 1)
        if state == ApplicantState.CALLED:
            open_tables.try_applicant(conn, one.id, state, until=until)


def test_whoever_is_awaited_is_told_so_with_one_link(tmp_path: Path) -> None:
    """Who is awaited for nothing is told where they stand."""
    letters = [row for name in OTHERS for row in rows(name)]
    said = [row for row in letters if row.expect in (Kind.NOTHING, Kind.QUESTION)]
    with Club(tmp_path, limits=NO_LIMIT) as at:
        at.open(places=5)
        state = {}
        for number, row in enumerate(said):
            state[row] = STATES[number % len(STATES)]
            sign_on(at, number, state[row])
        wrong = [
            f"{state[row]}: {row.text}"
            for row, mail in all_at_once(at, said)
            if not is_told(state[row], row, mail)
        ]
        assert not wrong, "\n".join(wrong)


def is_told(state: ApplicantState, row: Row, mail: EmailMessage | None) -> bool:
    """Whether somebody is told where they stand, and what is awaited from them. What nobody wrote
    need not be answered."""
    if mail is None:
        return row.expect == Kind.NOTHING
    if KEYWORD.search(row.text):
        return True
    if state == ApplicantState.SIGNED:
        text = " ".join(text_of(mail).split())
        return not links(mail) and ("you have a seat" in text or "on its waiting list" in text)
    return [one.endswith("body=yes%0D%0A") for one in links(mail)] == [True]


def test_what_comes_beyond_the_limit_is_answered_in_one_mail(tmp_path: Path) -> None:
    asked = [row for row in of_persons("letters.tsv") if row.expect == Kind.QUESTION][:6]
    with Club(tmp_path, limits={"stranger_mails_an_hour": 2}) as at:
        at.open(places=5)
        for row in asked:
            passed = "mx.game.example; dmarc=pass header.from=cleo.example"
            text = row.text.replace("\\n", "\n")
            at.send(CLEO, text, Subject="Hello", Authentication_Results=passed)
        alone = len(at.mails(CLEO))
        assert alone < len(asked)
        at.clock += HOUR
        at.once()
        assert len(at.mails(CLEO)) == alone + 1
        assert "More letters came within an hour" in text_of(at.mails(CLEO)[-1])


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
