"""The club's paper: once a month, for those who asked, and nothing in it that is not on the pages."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.referee.gamesmaster import waits
from pbem.store.games import club
from pbem.store.schema.tables import EditorLetter, Issue, Journal
from pbem.website import zine
from tests.installation import GAMESMASTER, SEATS, Installation, desk, proven, text_of, told
from tests.mail.test_gamesmaster_by_mail import by_code, command
from tests.mail.test_watching import code_in
from tests.mail.test_website import pages, shell, text

__all__ = ["pages"]
FAY = "fay@fay.example"


@pytest.fixture
def at(tmp_path: Path, pages: Path) -> Iterator[Installation]:
    with Installation(
        tmp_path,
        "coalition",
        seats=SEATS,
        strangers=(FAY,),
        site={"folder": str(pages)},
        club={"zine": "1st"},
    ) as made:
        made.start()
        with desk(made) as work:  # the month of the start is past
            Issue.put(work.conn, Issue(zine.month(work), work.now - timedelta(days=1), ""))
        yield made


def papers(at: Installation, who: str) -> list[EmailMessage]:
    return [one for one in at.mails(who) if "the paper of" in str(one["Subject"])]


def next_month(at: Installation) -> None:
    at.clock = (at.clock.replace(day=1) + timedelta(days=32)).replace(day=1)
    at.once()


def test_it_comes_once_a_month_to_those_who_asked(at: Installation, pages: Path) -> None:
    proven(at, "A", "ZINE ON")
    at.write("B", "ZINE ON")
    at.send(FAY, "ZINE ON")
    assert "comes to you from now on" in told(at, "A")
    at.send(FAY, f"CONFIRM {code_in(at, FAY)}")
    next_month(at)
    at.once()
    at.daemon.close()
    at.daemon = at.new_daemon()
    at.once()
    assert [len(papers(at, who)) for who in ("A", "B", FAY)] == [1, 0, 1]
    (mail,) = papers(at, FAY)
    said = " ".join(text_of(mail).split())
    assert "BEGUN" in said.upper() and "g: Coalition, 5 players" in said
    assert mail["List-Unsubscribe"] == "<mailto:referee@game.example?subject=unsubscribe%20zine>"
    page = f"zine-{at.clock:%Y-%m}.html"
    assert "Coalition, 5 players" in text(pages, page)
    assert page in (pages / "index.html").read_text() and page in (pages / "feed.xml").read_text()
    next_month(at)
    assert len(papers(at, FAY)) == 1, "there was nothing to tell"
    at.start("other")
    next_month(at)
    assert [len(papers(at, who)) for who in ("A", "B", FAY)] == [2, 0, 2]
    assert "g: Coalition" not in text_of(papers(at, FAY)[1]), "that was told before"


@pytest.mark.parametrize("by", ["word", "button"])
def test_one_line_or_the_button_ends_it(at: Installation, by: str) -> None:
    proven(at, "A", "ZINE ON")
    at.once()
    said, subject = ("ZINE OFF", "x") if by == "word" else ("", "unsubscribe zine")
    proven(at, "A", said, Subject=subject)
    at.once()
    assert "no longer" in told(at, "A")
    with desk(at) as work:
        assert club.readers(work.conn) == []


def test_without_a_day_there_is_none(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as made:
        made.start()
        proven(made, "A", "ZINE ON\n")
        proven(made, "B", "PRESS TO ZINE\nHello\nEND PRESS")
        made.once()
        assert "has no paper" in told(made, "A") and "has no paper" in told(made, "B")
        next_month(made)
        with desk(made) as work:
            assert Issue.many(work.conn, order=Issue.month.desc()) == []


@pytest.mark.parametrize("house", [{"watch": False}, {"names": "hidden"}])
def test_what_is_not_on_the_pages_is_not_in_it(tmp_path: Path, house: dict[str, object]) -> None:
    with Installation(
        tmp_path, "coalition", seats=SEATS, house=house, club={"zine": "1st"}
    ) as made:
        made.start()
        made.to_deadline()
        said = made.act(zine.written)
        assert ("Coalition" in said) == ("names" in house) and "Player A" not in said


def test_a_letter_to_the_editor_is_printed_when_it_is_released(at: Installation) -> None:
    proven(at, "A", "ZINE ON")
    at.once()
    proven(at, "A", "PRESS TO ZINE\nWhat a month <b>it</b> was.\nZINE OFF\nEND PRESS")
    proven(at, "B", "PRESS TO ZINE ANONYMOUS\nShame on you all.\nEND PRESS")
    at.once()
    assert "waits for the gamesmaster" in told(at, "A")
    letters = [
        text_of(one) for one in at.mails(GAMESMASTER) if "the club's paper" in str(one["Subject"])
    ]
    assert len(letters) == 2 and "Player B" not in str(letters)
    run = shell(at)
    assert "Letter 1 (waits), Player A:" in run("zine")
    assert "Letter 2 (waits), A player:" in run("zine")
    assert "pbem print-letter 1   or  pbem print-letter 1 --none" in run("queue")
    assert "The next issue prints letter 1" in run("zine", "--print", "1")
    assert "not printed" in run("zine", "--drop", "2")
    assert "no letter 2" in run.fails("zine", "--drop", "2")
    at.once()
    assert "prints your letter" in told(at, "A") and "does not print" in told(at, "B")
    assert "give one of" in run.fails("zine", "--print", "1", "--send", code=2)
    next_month(at)
    said = text_of(papers(at, "A")[0])
    assert "What a month" in said and "Shame" not in said
    with desk(at) as work:
        assert EditorLetter.many(work.conn) == []


def test_a_letter_is_printed_or_not_by_mail(at: Installation) -> None:
    """A number is never given twice: an old PRINT NONE hits no other letter."""
    for n in range(2):
        proven(at, "A", f"PRESS TO ZINE\nLetter {n}.\nEND PRESS")
    at.once()
    by_code(at, "PRINT 2 NONE It is a little short.")
    at.once()
    assert "The reason: | It is a little short. You had" in told(at, "A") and "| Letter 1." in told(
        at, "A"
    )
    by_code(at, "PRINT 1")
    at.once()
    assert "prints your letter" in told(at, "A")
    assert "in the next issue already" in command(at, "PRINT 1")
    with desk(at) as work:
        assert not waits.standing(work, GAMESMASTER)
        said = [one.kind for one in Journal.many(work.conn, game_id="g")]
    assert said[-2:] == ["letter-rejected", "letter-printed"]
    proven(at, "A", "PRESS TO ZINE\nLetter 3.\nEND PRESS")
    at.once()
    assert "there is no letter 2" in command(at, "PRINT 2")
    with desk(at) as work:
        assert [one.number for one in EditorLetter.many(work.conn)] == [1, 3]


def test_by_hand_it_is_brought_out_once(at: Installation) -> None:
    run = shell(at)
    assert "brought out" in run("zine", "--send")
    assert "is out" in run.fails("zine", "--send")
