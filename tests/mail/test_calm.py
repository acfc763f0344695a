"""Many periods that close at one minute: in which order games have their turn. What long work gives way to letters."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select, update

from pbem.daemon.passes import Pass
from pbem.periods import due
from pbem.post.clock import Reading
from pbem.post.work import Scan
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import games, periods
from pbem.store.mails.lanes import ANSWERS
from pbem.store.schema.tables import Outgoing
from tests.installation import REFEREE, Installation, address

GAMES, QUIET = tuple("ghijkl"), "quiet"


@dataclass
class Storm:
    """Some games, all due at one moment, and one that is not."""

    at: Installation
    at_mail: Callable[[], object] = lambda: None

    def __post_init__(self) -> None:
        self.at.step((QUIET, *GAMES, self.at.late), self._begin)
        self.now = self.at.clock + timedelta(days=3)
        with exclusive_transaction(self.at.daemon.engine) as conn:
            for game in GAMES:
                periods.set_period(conn, game, 1, due=self.now, base=self.now, next_look=self.now)
        self.at.clock = self.now
        self.steady, self.mails = 0.0, 0
        self.written: set[str] = set()
        self.answered: set[str] = set()
        self._ids = itertools.count(1)
        self.at.daemon.read = lambda: Reading(self.at.clock, self.steady)
        self.at.daemon.crash = self.at.daemon.referee.crash = self._crash

    def _begin(self) -> None:
        for game in (QUIET, *GAMES):
            self.at._open(game)
        self._put_by()
        self.at.once()

    def weather(self) -> Pass:
        return self.at.daemon.once(self.now)

    def _put_by(self) -> None:
        with exclusive_transaction(self.at.daemon.engine) as conn:
            conn.execute(update(Outgoing).where(Outgoing.line > ANSWERS).values(state="sent"))

    def _crash(self, point: str) -> None:
        if point == "outbox.sent":
            self.mails += 1
            self.at_mail()
        if point in ("outbox.sent", "outbox.recorded"):
            self._look_for_receipts()

    def write(self, who: str, words: str, after: float) -> None:
        number = f"<storm{next(self._ids)}@legit.example>"
        raw = self.at.letter(who, words, Message_ID=number, Date="Thu, 5 Mar 2026 10:00:00 +0000")
        self.at.office.deliver(REFEREE, raw, self.now + timedelta(seconds=after))
        self.written.add(number)

    def _look_for_receipts(self) -> None:
        for number in self.written - self.answered:
            for who in "ABCDE":
                box = self.at.office.messages(address(who))
                if any(f"In-Reply-To: {number}".encode() in raw for raw in box):
                    self.answered.add(number)


def test_what_is_due_gives_way_to_letters(tmp_path: Path) -> None:
    """Of a service: each period takes four seconds, and a letter comes in the first."""
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at)
        at.daemon._stays = True
        crash = at.daemon.crash

        def running(point: str) -> None:
            crash(point)
            if point == "deadline.committed":
                found.steady += 4.0
                if not found.written:
                    found.write("A", f"GAME {QUIET}\nSPECIAL AGR", 10)

        at.daemon.crash = running
        assert found.weather().closed == 3 and at.daemon._unfinished, "the next pass is due"
        second = at.daemon.once(at.clock)
        assert second.decided == 1 and second.closed == 3 and found.answered == found.written


def test_a_long_sending_goes_on_after_new_letters(tmp_path: Path) -> None:
    """Of a service: bulletins wait, a letter comes, its receipt goes before them."""
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at)
        at.daemon._stays = True
        written: list[int] = []

        def slow() -> None:
            found.steady += 1.0
            if found.mails == 20:
                at.clock += timedelta(minutes=1)
                found.write("A", f"GAME {QUIET}\nSPECIAL AGR", 10)
                written.append(found.mails)

        found.at_mail = slow
        first = found.weather()
        assert first.sent < 25, "it has stopped sending"
        assert at.daemon.called.is_set(), "the next pass is due"
        number = next(iter(found.written))
        found.at_mail = lambda: None
        at.daemon.called.clear()
        second = at.daemon.once(at.clock)
        assert number in found.answered and second.decided == 1
        assert {state for _, state in at.outbox()} == {"sent"}
        order = sent_order(at)
        assert order.index("receipt") <= first.sent + 1


def sent_order(at: Installation) -> list[str]:
    """The kinds of the storm's mails, in the order in which they left for player A."""
    ids = [raw.split(b"Message-ID: ", 1)[1].split(b"\r\n")[0].decode() for raw in boxes(at)]
    with reading(at.daemon.engine) as conn:
        kinds = dict(conn.execute(select(Outgoing.message_id, Outgoing.kind)).all())  # type: ignore[arg-type]
    return [kinds[one] for one in ids]


def boxes(at: Installation) -> Iterator[bytes]:
    yield from (raw for raw in at.office.messages(address("A")) if b"Message-ID: " in raw)


THREE = ("g", "h", "i")


def _storm(at: Installation) -> datetime:
    """Three games, past their deadlines at a moment; the one that was due first is the one that
    was looked at last."""
    for game in THREE:
        at.start(game)
    now = at.clock + timedelta(days=3)
    with exclusive_transaction(at.daemon.engine) as conn:
        for place, game in enumerate(THREE):
            moment, looked = now - timedelta(minutes=place), now - timedelta(seconds=9 - place)
            periods.set_period(conn, game, 1, due=moment, base=moment, next_look=looked)
    return now


def _reached(at: Installation) -> list[str]:
    """The games that are past their first period."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return [game for game in THREE if games.game_at(conn, game).period.number > 1]


def test_deadlines_come_in_their_order(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition") as at:
        now, steps = _storm(at), list[list[str]]()

        def crash(point: str) -> None:
            if point == "deadline.committed":
                steps.append(_reached(at))

        assert due.due(at.daemon.installation, Scan(now, True, crash)) == len(THREE)
        assert steps == [["i"], ["h", "i"], ["g", "h", "i"]]
