"""A sign of life is a letter that proves whose it is: nobody else's letter, whatever it asks, makes
anything of a player's or a gamesmaster's who has not written."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import pbem
from pbem.orders.asking import PICTURED, READING
from pbem.periods import claims
from pbem.store.engine.database import reading
from pbem.store.games import games
from pbem.store.people import players
from pbem.store.schema.states import Freed
from pbem.store.schema.table_base import Record
from pbem.store.schema.tables import Gamesmaster
from tests.grace import kinds, to_the_deadline, waits_for
from tests.installation import GAMESMASTER, SEATS, SLATE, Installation, address, desk, proven

FORGED = "mx.game.example; dmarc=fail header.from=legit.example"
_WHAT_CAME = {"letter", "outgoing", "cursor", "memo", "journal", "picture"}
"""The tables that keep account of mail as such."""


def what_is_known(at: Installation) -> dict[str, list[Any]]:
    """All that is on file, but for letters, mails and the journal of them."""
    with reading(at.daemon.engine) as conn:
        return {
            table.name: [tuple(row) for row in conn.execute(select(table)).all()]
            for table in Record.metadata.sorted_tables
            if table.name not in _WHAT_CAME
        }


def writes_forged(at: Installation, seat: str, text: str) -> None:
    at.write(seat, text, Authentication_Results=FORGED)


@contextmanager
def voting(folder: Path) -> Iterator[Installation]:
    """A game that takes proven letters only, in its second period: A to D have voted, E owes it."""
    given: dict[str, Any] = {"house": {"grace": "24h"}, "options": {"PERIOD": "7"}}
    with Installation(folder, "coalition", seats=SEATS, trust="proven", **given) as at:
        at.start()
        proven(at, "A", f"PROPOSE {SLATE}")
        at.once()
        to_the_deadline(at)
        assert at.table().period.number == 2
        for seat in "ABCD":
            proven(at, seat, "PERIOD 2\nVOTE AYE")
        at.once(minutes=0)
        yield at


def test_grace_waits_for_whoever_was_only_forged(tmp_path: Path) -> None:
    with voting(tmp_path) as at:
        words = sorted(READING - {"CHECK"} - PICTURED)
        for word in words:
            writes_forged(at, "E", word)
        writes_forged(at, "E", "STATUS\n" + "\n".join(PICTURED))
        at.once(minutes=0)
        *rest, (pictured, _) = at.outcomes()
        assert pictured == "unverified", "what brings pictures needs the game's proof"
        assert not any(b"image/png" in one.as_bytes() for one in at.mails("E")[-len(words) :])
        answered = [outcome for outcome, _ in rest[-len(words) :]]
        assert answered == ["command"] * len(words), "each is answered all the same"
        to_the_deadline(at)
        assert kinds(at) == ["grace"] and waits_for(at) == {"E"}


def test_a_proven_question_is_a_sign_of_life(tmp_path: Path) -> None:
    with voting(tmp_path) as at:
        proven(at, "E", "STATUS")
        at.once(minutes=0)
        to_the_deadline(at)
        assert kinds(at) == [], "E is there, and owes his vote like anybody"


@pytest.mark.game("coalition", trust="proven")
def test_no_forged_letter_leaves_a_trace_of_its_writer(at: Installation) -> None:
    """Every reader of "has written" at once: silence (rule 7), IDLE, a seat that is offered to
    others, mail that came back, the gamesmaster's silence; READY, absences, wishes, ballots,
    records, reminders."""
    with desk(at) as work:
        until = at.clock + timedelta(days=30)
        games.set_seat(work.conn, at.game, "A", asked_until=until, missed=2)
        claims.free(work, at_table(work), "B", Freed.SILENT)
        players.came_back(work.conn, address("C"), "451", hard=False)
        Gamesmaster.change(work.conn, {"address": GAMESMASTER}, heard=at.clock - timedelta(days=40))
    at.once()
    before = what_is_known(at)
    for seat in SEATS:
        for text in (*sorted(READING), "READY", "WAIT", "QUIT", "ABSENT 2026-04-01 TO 2026-04-02"):
            writes_forged(at, seat, text)
        writes_forged(at, seat, "ZONE Asia/Tokyo\nAGREE WIN\nPLAIN\nSTATUS\nSPECIAL AGR")
    at.send(GAMESMASTER, "QUEUE", Authentication_Results=FORGED)
    after = what_is_known(at)
    assert after == before


def at_table(work: Any) -> games.GameAt:
    return games.game_at(work.conn, "g")


def test_one_statement_asks_who_has_written() -> None:
    """Whoever wants to know it of letters on file asks :func:`pbem.store.letters.letters.writers`."""
    room = Path(pbem.__file__).parent
    asks = re.compile(r"LetterState\.ORDERS, LetterState\.COMMAND")
    found = [
        str(path.relative_to(room))
        for path in sorted((room / "store").rglob("*.py"))
        if asks.search(path.read_text())
    ]
    assert len(found) == 1, found
