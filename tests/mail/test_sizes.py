"""No letter makes a mail, or a database, much larger than itself: each bound of ``[limits]``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.games.frame.adjudication import Answer
from pbem.orders.order import Problem
from pbem.orders.splitter import Line
from pbem.referee import sizes
from pbem.store.config import Limits
from pbem.store.database import reading
from pbem.store.records import Outgoing
from tests.faults.world import masters_address
from tests.installation import GAMESMASTER, SEATS, Installation, proven, text_of

LINE = "VOTE AYE ON {n}; SPECIAL X{n}; VOTE NAY\n"
REFUSED = "CHECK\n" + "".join(LINE.format(n=n) for n in range(960))
"""38 kB, each line of it refused."""
FORGED = "mx.game.example; dmarc=fail header.from=legit.example"


def playing(folder: Path, **limits: int) -> Installation:
    return Installation(folder, "coalition", seats=SEATS, limits=limits)


def largest(at: Installation, *kinds: str) -> int:
    """The bytes of the largest mail of some kinds."""
    with reading(at.daemon.engine) as conn:
        size = func.max(func.length(Outgoing.raw))
        return int(conn.execute(select(size).where(Outgoing.kind.in_(kinds))).scalar() or 0)


def test_a_check_of_38_kb_has_a_receipt_of_less(tmp_path: Path) -> None:
    """It had one of 2.5 MB; and thirty of them a database of 141 MB."""
    with playing(tmp_path) as at:
        at.start()
        assert 37_000 < len(REFUSED) < 40_000
        at.write("A", REFUSED)
        at.once()
        assert 5_000 < largest(at, "receipt") < 60_000
        said = at.newest("A")
        assert re.search(r"and [\d,]+ more lines that were not taken", said)
        assert said.count("NOT TAKEN") == 20


def test_a_gamesmasters_letter_of_many_commands_has_a_short_answer(tmp_path: Path) -> None:
    """200 lines QUEUE had one of 250 kB, 500 lines EXTEND one of 150 kB with 500 codes."""
    with playing(tmp_path) as at:
        at.start()
        for line in ("QUEUE", "GAME g\nEXTEND 1 why"):
            at.write(GAMESMASTER, f"{line}\n" * 200, To=masters_address(at))
            at.once()
            said = at.newest(GAMESMASTER)
            assert len(said) < 60_000 and "the other 188 were not read" in " ".join(said.split())


def test_thirty_of_them_are_few_bytes_too(tmp_path: Path) -> None:
    with playing(tmp_path) as at:
        at.start()
        before = at.file.stat().st_size if at.file else 0
        for n in range(30):
            at.write("A", f"{REFUSED}{n}\n")
        for minutes in (1, 70, 1):
            at.once(minutes)
        assert largest(at, "receipts") <= 220_000
        at.daemon.engine.dispose()
        assert at.file and at.file.stat().st_size - before < 5_000_000


def test_a_check_without_proof_is_not_tried(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, trust="dmarc") as at:
        at.start()
        at.write("A", REFUSED, Authentication_Results=FORGED)
        at.once()
        assert at.outcomes()[-1][0] == "unverified" and largest(at, "receipt") == 0
        assert 0 < largest(at, "challenge") < 20_000
        proven(at, "A", "CHECK\nSPECIAL AGR")
        at.once()
        assert "CHECK: this letter was tried only" in at.newest("A")


def test_a_receipt_of_too_much_says_so_and_the_orders_stand(tmp_path: Path) -> None:
    with playing(tmp_path, receipt_bytes=2_000) as at:
        at.start()
        at.write("A", "SPECIAL AGR\n" * 300)
        at.once()
        said = " ".join(at.newest("A").split())
        assert "comes to more than one receipt holds (2,000 bytes)" in said
        assert "300 orders of it were taken. Send" in said
        assert largest(at, "receipt") < 8_000, "most of it is the style of its page"
        assert at.standing("A") == ["SPECIAL AGR"]


def test_questions_beyond_their_bound_are_told_to_ask_for_less(tmp_path: Path) -> None:
    with playing(tmp_path, answers_bytes=3_000) as at:
        at.start()
        at.write("A", "STATUS\nHELP\nHISTORY\nRULES\n")
        at.once()
        said = " ".join(at.newest("A").split())
        assert "more than one mail holds (3,000 bytes)" in said and "Ask for less" in said


def test_receipts_beyond_the_hours_bytes_have_one_line_and_codes_come(tmp_path: Path) -> None:
    with playing(tmp_path, address_bytes_an_hour=40_000) as at:
        at.start()
        for n in range(6):
            at.write("A", f"STATUS\nHELP\n{n}")
            at.once()
        said = " ".join(at.newest("A").split())
        assert "Your receipts of this hour have come to 40,000 bytes" in said
        at.write("A", "QUIT")
        at.once()
        assert any("CONFIRM" in text_of(mail) for mail in at.mails("A")[-2:])
        at.clock = at.clock.replace(hour=at.clock.hour + 2)
        at.write("A", "STATUS")
        at.once()
        assert "have come to" not in at.newest("A")


def test_merged_receipts_count_what_one_mail_does_not_hold(tmp_path: Path) -> None:
    with playing(tmp_path, merged_bytes=6_000, receipts_an_hour=1) as at:
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


# --- the table of bounds --------------------------------------------------------------------------

_LIMITS = Limits(problems_shown=2, quoted_characters=10)


def _refused(n: int, **more: Any) -> Answer:
    return Answer(Line(f"x{n}", n), (), (Problem("E", f'"{"y" * 50}" {n}', **more),))


@pytest.mark.parametrize(
    ("number", "shown", "more"), [(0, 0, 0), (2, 2, 0), (3, 2, 1), (99, 2, 97)]
)
def test_so_many_refused_lines_are_shown(number: int, shown: int, more: int) -> None:
    found, left = sizes.shown([_refused(n) for n in range(number)], _LIMITS)
    assert (len(found), left) == (shown, more)


def test_a_quoted_line_is_cut_and_the_words_around_it_are_not() -> None:
    (one,), _ = sizes.shown([_refused(1)], _LIMITS)
    assert one.problems[0].message == '"yyyyyyy..." 1'
    assert len(sizes.quoted("z" * 5_000, _LIMITS)) == 230


def test_every_bound_of_an_answer_is_a_key_of_the_limits() -> None:
    keys = set(re.findall(r"^\| ``(\w+)`` \|", sizes.__doc__ or "", re.MULTILINE))
    assert keys and keys <= set(Limits.model_fields)


@pytest.mark.parametrize(
    ("texts", "most", "fit"), [([], 5, 0), (["abc", "de"], 5, 2), (["abc", "déf"], 6, 1)]
)
def test_texts_are_counted_in_bytes(texts: list[str], most: int, fit: int) -> None:
    assert sizes.within(texts, most) == fit
