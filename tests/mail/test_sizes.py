"""No letter makes a mail, or a database, much larger than itself: each bound of ``[limits]``."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.games.frame.adjudication import Answer
from pbem.house.config import Limits
from pbem.orders.order import Problem
from pbem.orders.splitter import LogicalLine
from pbem.pages import sheet
from pbem.post import seats
from pbem.post.compose import Draft
from pbem.referee.acts import clock_acts
from pbem.referee.game import receipts
from pbem.referee.gamesmaster import queue
from pbem.store.engine.database import reading
from pbem.store.games import games
from pbem.store.games.game_rows import Holder
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Outgoing
from tests.faults.burning import burns
from tests.faults.world import masters_address
from tests.installation import GAMESMASTER, SEATS, Installation, desk, proven, text_of
from tests.parsed import parsed

LINE = "VOTE AYE ON {n}; SPECIAL X{n}; VOTE NAY\n"
REFUSED = "CHECK\n" + "".join(LINE.format(n=n) for n in range(960))
"""38 kB, each line of it refused."""
FORGED = "mx.game.example; dmarc=fail header.from=legit.example"


def playing(folder: Path, **limits: float) -> Installation:
    return Installation(folder, "coalition", seats=SEATS, limits=limits)


def largest(at: Installation, *kinds: str) -> int:
    """The bytes of the largest mail of some kinds."""
    with reading(at.daemon.engine) as conn:
        size = func.max(func.length(Outgoing.raw))
        return int(conn.execute(select(size).where(Outgoing.kind.in_(kinds))).scalar() or 0)


def test_a_check_of_38_kb_has_a_receipt_of_less(tmp_path: Path) -> None:
    """It had one of 2.5 MB at the five seats of Coalition, before there were bounds."""
    with playing(tmp_path) as at:
        at.start()
        assert 37_000 < len(REFUSED) < 40_000
        at.send("A", REFUSED)
        assert 5_000 < largest(at, "receipt") < 60_000
        said = at.newest("A")
        assert re.search(r"and [\d,]+ more lines that were not taken", said)
        assert said.count("NOT TAKEN") == 20


@pytest.mark.game("coalition", trust="proven")
def test_a_check_without_proof_is_not_tried(at: Installation) -> None:
    at.send("A", REFUSED, Authentication_Results=FORGED)
    assert at.outcomes()[-1][0] == "unverified" and largest(at, "receipt") == 0
    assert 0 < largest(at, "challenge") < 20_000
    proven(at, "A", "CHECK\nSPECIAL AGR")
    at.once()
    assert "CHECK: this letter was tried only" in at.newest("A")


def test_a_receipt_of_too_much_says_so_and_the_orders_stand(tmp_path: Path) -> None:
    with playing(tmp_path, receipt_bytes=400) as at:
        at.start()
        at.send("A", "SPECIAL AGR\n" * 300)
        said = " ".join(at.newest("A").split())
        assert "comes to more than one receipt holds (400 bytes)" in said
        assert "300 orders of it were taken. Send" in said
        assert largest(at, "receipt") < 8_000, "most of it is the style of its page"
        assert at.standing("A") == ["SPECIAL AGR"]


def test_questions_beyond_their_bound_are_told_to_ask_for_less(tmp_path: Path) -> None:
    with playing(tmp_path, answers_bytes=3_000) as at:
        at.start()
        at.send("A", "STATUS\nHELP\nHISTORY\nRULES\n")
        said = " ".join(at.newest("A").split())
        assert "more than one mail holds (3,000 bytes)" in said and "Ask for less" in said


def test_receipts_beyond_the_hours_bytes_have_one_line_and_codes_come(tmp_path: Path) -> None:
    with playing(tmp_path, address_bytes_an_hour=40_000) as at:
        at.start()
        for n in range(6):
            at.send("A", f"STATUS\nHELP\n{n}")
        said = " ".join(at.newest("A").split())
        assert "Your receipts of this hour have come to 40,000 bytes" in said
        at.send("A", "QUIT")
        assert any("CONFIRM" in text_of(mail) for mail in at.mails("A")[-2:])
        at.clock = at.clock.replace(hour=at.clock.hour + 2)
        at.send("A", "STATUS")
        assert "have come to" not in at.newest("A")


def test_merged_receipts_count_what_one_mail_does_not_hold(tmp_path: Path) -> None:
    with playing(tmp_path, merged_bytes=1_500, receipts_an_hour=1) as at:
        at.start()
        for n in range(9):
            at.write("A", f"SPECIAL AGR\nVOTE X {n}")
        at.once()
        at.once(70)
        at.once()
        said = at.newest("A")
        assert re.search(r"\d more texts? would be too much for one mail", said)
        assert "WHAT STANDS NOW" in said
        assert largest(at, "receipts") < 40_000


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("x\n" * 3_000, {}),  # too many lines
        ("x" * 50_000, {}),  # too many characters
        ("x\n" * 3_000, {"letter_bytes": 2_000}),  # too large to be fetched
    ],
)
def test_a_letter_of_too_much_is_told_so_in_one_line(
    tmp_path: Path, text: str, limits: dict[str, int]
) -> None:
    with playing(tmp_path, **limits) as at:
        at.start()
        had = len(at.mails("A"))
        for _ in range(6):
            at.write("A", text)
            at.write("nobody@else.example", text)
        at.once()
        told = at.mails("A")[had:]
        assert len(told) == 3, "a few an hour"
        said = " ".join(text_of(told[0]).split())
        assert "more than one letter may hold" in said and "Send less in one letter." in said
        assert {state for state, _ in at.outcomes()} == {"quarantine"}


# --- answers to the gamesmaster -------------------------------------------------------------------


def commanded(at: Installation, text: str) -> str:
    """Write to the gamesmaster's secret address, without DMARC; return the answer, in one line."""
    at.send(GAMESMASTER, text, To=masters_address(at), Authentication_Results="")
    return " ".join(at.newest(GAMESMASTER).split())


def codes(said: str) -> list[str]:
    return re.findall(r"CONFIRM (\S+)", said)


@pytest.mark.parametrize(
    ("line", "number", "asked"), [("QUEUE", 200, 0), ("GAME g\nPERIOD 1\nEXTEND 1 why", 500, 12)]
)
def test_a_gamesmasters_letter_of_many_commands_has_a_short_answer(
    tmp_path: Path, line: str, number: int, asked: int
) -> None:
    """200 lines QUEUE had one of 250 kB, 500 lines EXTEND one of 150 kB with 500 codes."""
    with playing(tmp_path, order_lines=2_000) as at:
        at.start()
        said = commanded(at, f"{line}\n" * number)
        assert f"the other {number - 12} were not read" in said
        assert len(codes(said)) == asked and largest(at, "gamesmaster") < 60_000


def burning(done: Callable[..., Any], seconds: float) -> Callable[..., Any]:
    """Return ``done`` with so much work in front of it."""

    def work(*given: Any, **named: Any) -> Any:
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass
        return done(*given, **named)

    return work


def test_a_letter_of_much_work_begins_no_further_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """60 lines REWIND had 2.5 s of work each."""
    with playing(tmp_path, letter_seconds=1.0) as at:
        at.start()
        monkeypatch.setattr(clock_acts, "extend", burning(clock_acts.extend, 1.1))
        said = commanded(at, "GAME g\nPERIOD 1\n" + "EXTEND 1 why\n" * 5)
        assert len(codes(said)) == 1, "the first is carried out, whatever it costs"
        assert "as much work as one letter may be; the other 4 were not read" in said
        assert at.outcomes()[-1][0] == "command"


def test_the_queue_is_work_on_the_letter_that_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(tmp_path, letter_seconds=1.0) as at:
        at.start()
        monkeypatch.setattr(queue, "queue", burning(queue.queue, 1.1))
        commanded(at, "QUEUE")
        assert at.outcomes()[-1][0] == "failed"


# --- the table of bounds --------------------------------------------------------------------------

_LIMITS = Limits(problems_shown=2, quoted_characters=10)


def _refused(n: int, **more: Any) -> Answer:
    return Answer(LogicalLine(f"x{n}", n), (), (Problem("E", f'"{"y" * 50}" {n}', **more),))


@pytest.mark.parametrize(
    ("number", "shown", "more"), [(0, 0, 0), (2, 2, 0), (3, 2, 1), (99, 2, 97)]
)
def test_so_many_refused_lines_are_shown(number: int, shown: int, more: int) -> None:
    found, left = receipts.bounded([_refused(n) for n in range(number)], _LIMITS)
    assert (len(found), left) == (shown, more)


def test_a_quoted_line_is_cut_and_the_words_around_it_are_not() -> None:
    (one,), _ = receipts.bounded([_refused(1)], _LIMITS)
    assert one.problems[0].message == '"yyyyyyy..." 1'
    assert len(receipts.quoted("z" * 5_000, _LIMITS)) == 230


@pytest.mark.parametrize(
    ("texts", "most", "fit"), [([], 5, 0), (["abc", "de"], 5, 2), (["abc", "déf"], 6, 1)]
)
def test_texts_are_counted_in_bytes(texts: list[str], most: int, fit: int) -> None:
    assert receipts.within(texts, most) == fit


LONG = (
    "{top}News.\n\n{heading}\n\n"
    + "Much of it. " * 300
    + "\nSPECIAL AGR\nQUIT\n\nPress, A:\n{press}\n"
)


def long_mail(at: Installation, reader: Callable[[Holder], Holder], **more: Any) -> EmailMessage:
    """A's bulletin of too many words, with lines that would be orders and press that is hostile."""
    press = sheet.fenced("x@a.example\nQUIT\n" + "<b>&{" * 2000)
    text = LONG.format(top=sheet.masthead("G", "1"), heading=sheet.heading("All"), press=press)
    with desk(at) as work:
        draft = replace(Draft("bulletin:g:1:1:A", "bulletin", "[g] Bulletin 1", text), **more)
        game = games.game_at(work.conn, "g")
        return parsed(seats.made_for_seat(work, game, reader(game.holders["A"]), draft).raw)


AT = "All of it is at https://games.example/g/1.html and in the attached bulletin-1"


@pytest.mark.parametrize("face", ["", PLAIN])
def test_a_shortened_bulletin_says_where_its_whole_is(tmp_path: Path, face: str) -> None:
    site = {"folder": str(tmp_path / "pages"), "address": "https://games.example/"}
    with Installation(tmp_path, "coalition", seats=SEATS, site=site) as at:
        at.start()
        mail = long_mail(at, lambda own: own._replace(face=face or own.face), again="Again?")
        files = {one.get_filename(): str(one.get_content()) for one in mail.iter_attachments()}
        short, text = text_of(mail), files["bulletin-1.txt"]
        assert f"{AT}.{'txt' if face else 'html'}." in " ".join(short.split())
        assert 'leaves out "All"' in short and "Much" not in short and "Much" in text
        assert "| QUIT" in text and "| SPECIAL AGR" in text and "    | <b>&{" in short
        assert set(files) == {"bulletin-1.txt", *(() if face else ("bulletin-1.html",))}
        assert "mailto:" not in files.get("bulletin-1.html", "") and "<b>&{" not in files.get(
            "bulletin-1.html", ""
        )


def test_a_long_bulletin_that_takes_too_long_is_barred_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(tmp_path, letter_seconds=0.25) as at:
        at.start()
        burns(monkeypatch, "pbem.pages.html.page", lambda *_: True)
        mail = long_mail(at, lambda own: own)
        assert not list(mail.iter_attachments()) and "| Much" in text_of(mail)
        assert "| QUIT" in text_of(mail)
