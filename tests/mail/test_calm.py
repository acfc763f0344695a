"""Many periods that close at one minute: in which order games have their turn, and letters are decided between as
if that took no time."""

import itertools
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from sqlalchemy import select, update

from pbem.daemon import passes
from pbem.daemon.loop import Daemon
from pbem.daemon.reading import Pass
from pbem.periods import due
from pbem.post.clock import Reading
from pbem.post.crash_points import no_crash
from pbem.post.work import Scan
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import games, periods
from pbem.store.journal import notes
from pbem.store.mails.lanes import ANSWERS
from pbem.store.schema.tables import Letter, OrderSet, Outgoing, Period
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, Installation, address
from tests.subjects import subjects

GAMES, QUIET = tuple("ghijkl"), "quiet"
NEVER = 10**6
STEPS: list[int] = []


@dataclass
class Storm:
    """Some games, all due at one moment, and one that is not. ``letters`` are written when so many
    periods have closed: by whom, words, time after the deadline (None: before it, shown late)."""

    at: Installation
    letters: Mapping[int, list[tuple[str, str, float | None]]] = field(default_factory=dict)
    at_mail: Callable[[], object] = lambda: None
    mails_all: bool = False
    """Whether bulletins are sent too; else they are put by as if they had been."""

    def __post_init__(self) -> None:
        self.at.step((QUIET, *GAMES, self.at.late), self._begin)
        self.now = self.at.clock + timedelta(days=3)
        with exclusive_transaction(self.at.daemon.engine) as conn:
            for game in GAMES:
                periods.set_period(conn, game, 1, due=self.now, base=self.now, next_look=self.now)
        self.at.clock = self.now
        self.steady, self.closed, self.mails = 0.0, 0, 0
        self.written: dict[str, int] = {}
        self.answered: dict[str, int] = {}
        self._ids = itertools.count(1)
        self.at.daemon.read = lambda: Reading(self.at.clock, self.steady)
        self.at.daemon.crash = self.at.daemon.referee.crash = self._crash

    def _begin(self) -> None:
        for game in (QUIET, *GAMES):
            self.at._open(game)
        self._put_by()
        self.at.once()

    def weather(self) -> Pass:
        with pytest.MonkeyPatch.context() as patched:
            for steps in STEPS[-1:]:
                patched.setattr(passes, "STEPS", steps)
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
        if point == "deadline.committed":
            self.closed += 1
            if not self.mails_all:
                self._put_by()
            self.at.clock += timedelta(seconds=1)
            for who, words, after in self.letters.get(self.closed, ()):
                self.write(who, words, after)

    def write(self, who: str, words: str, after: float | None = None) -> None:
        number = f"<storm{next(self._ids)}@legit.example>"
        when = self.now - timedelta(seconds=5) if after is None else self.now
        raw = self.at.letter(who, words, Message_ID=number, Date="Thu, 5 Mar 2026 10:00:00 +0000")
        self.at.office.deliver(REFEREE, raw, when + timedelta(seconds=after or 0))
        self.written[number] = self.closed

    def _look_for_receipts(self) -> None:
        for number in self.written.keys() - self.answered.keys():
            for who in (*"ABCDE", GAMESMASTER):
                box = self.at.office.messages(who if "@" in who else address(who))
                if any(f"In-Reply-To: {number}".encode() in raw for raw in box):
                    self.answered[number] = self.closed


@pytest.fixture
def every() -> Iterator[Callable[[int], None]]:
    """How many steps are between two looks, once the games have begun."""
    yield STEPS.append
    STEPS.clear()


def the_letters(late: bool = True) -> dict[int, list[tuple[str, str, float | None]]]:
    """To a game that has closed, one that has not, one that is not due, and the gamesmaster's."""
    return {
        2: [("A", f"GAME {GAMES[0]}\nSPECIAL AGR", 10), ("B", f"GAME {QUIET}\nSPECIAL JUS", 11)],
        3: [("C", f"GAME {GAMES[-1]}\nSPECIAL TRA", 12)] if late else [],
        4: [(GAMESMASTER, "GAMES", 13), ("D", f"GAME {GAMES[-2]}\nPERIOD 2\nSPECIAL FIN", 14)],
        5: [("E", f"GAME {GAMES[-1]}\nSPECIAL DEF", 15), ("E", f"GAME {GAMES[1]}\nPASS", 16)],
    }


def test_each_receipt_is_out_within_so_many_steps(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    every(2)
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at, the_letters())
        done = found.weather()
        waited = {one: found.answered.get(one, NEVER) - n for one, n in found.written.items()}
        assert len(waited) == 7 and done.decided == 7
        # two steps to the next look, and the closing of those games for which letters came late
        assert max(waited.values()) <= 2 + 1, waited
        assert found.closed == done.closed == len(GAMES)


def test_without_looks_between_they_wait_for_the_last(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """So that the test above can fail."""
    every(NEVER)
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at, the_letters())
        found.weather()
        found.at.once()
        assert set(found.answered.values()) == {len(GAMES)}


def rows(at: Installation) -> dict[str, Any]:
    """What must be the same, however the letters and the periods followed one upon another."""
    with reading(at.daemon.engine) as conn:
        sets = select(
            OrderSet.game_id, OrderSet.period, OrderSet.seat, OrderSet.orders, Letter.message_id
        )
        letters = select(Letter.message_id, Letter.outcome, Letter.reason, Letter.game_id)
        kept = select(Period.game_id, Period.number, Period.status, Period.state_hash, Period.due)
        mails = select(Outgoing.key, Outgoing.kind, Outgoing.seat, Outgoing.recipient)
        joined = sets.join(Letter, Letter.id == OrderSet.letter_id)
        return {
            "sets": sorted(map(repr, conn.execute(joined))),
            "letters": sorted(map(repr, conn.execute(letters.add_columns(Letter.period)))),
            "periods": sorted(map(repr, conn.execute(kept))),
            "mails": sorted(repr(row) for row in conn.execute(mails) if row.kind != "receipt"),
        }


@pytest.mark.parametrize("late", ["until_adjudicated", "deadline"])
def test_a_letter_counts_as_if_the_storm_had_taken_no_time(
    tmp_path: Path, every: Callable[[int], None], late: str
) -> None:
    found = []
    for steps in (1, NEVER):
        every(steps)
        (folder := tmp_path / f"{steps}").mkdir()
        with Installation(folder, "coalition", late=late) as at:
            one = Storm(at, the_letters())
            one.weather()
            at.later(minutes=5)
            found.append(rows(at))
    calm, after = found
    assert calm == after
    assert sum("'orders'" in one for one in calm["letters"]) == 6
    assert not any("late" in one for one in calm["letters"])


def test_a_letter_that_was_there_in_time_counts_if_it_is_seen_in_time(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """The server showed it only after we had read: its game is not closed upon it."""
    every(1)
    with Installation(tmp_path, "coalition") as at:
        game = GAMES[-1]
        found = Storm(at, {2: [("C", f"GAME {game}\nSPECIAL TRA", None)]})
        found.weather()
        with reading(at.daemon.engine) as conn:
            row = conn.execute(select(Letter.outcome, Letter.game_id, Letter.period)).one()
        assert tuple(row) == ("orders", game, 1)


def test_the_clock_of_a_storm_has_what_the_letters_before_it_took(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """Else a letter that comes in the storm seems to come from the future."""
    every(1)
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at, {1: [("A", f"GAME {QUIET}\nSPECIAL AGR", 205)]})
        found.write("B", f"GAME {QUIET}\nSPECIAL AGR")
        crash = at.daemon.crash

        def slow(point: str) -> None:
            crash(point)
            if point == "letter.committed" and not found.closed:
                found.steady += 200.0

        at.daemon.crash = at.daemon.referee.crash = slow
        assert found.weather().decided == 2
        at.later(minutes=10)
        assert not [one for one in subjects(at, GAMESMASTER) if "clocks" in one]


def test_a_letter_in_a_folder_for_junk_waits_as_long_as_between_passes(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """Periods of half a minute each, passes of a minute: it is read after the second period."""
    every(1)
    with Installation(tmp_path, "coalition") as at, junk(at) as client:
        found, number = Storm(at), "<junk@legit.example>"
        crash = at.daemon.crash

        def running(point: str) -> None:
            crash(point)
            if point == "deadline.committed":
                found.steady += 30.0
            if point == "deadline.committed" and found.closed == 1:
                raw = at.letter("A", f"GAME {QUIET}\nSPECIAL AGR", Message_ID=number)
                client.append("Junk", raw, msg_time=at.clock)
                found.written[number] = found.closed

        at.daemon.crash = at.daemon.referee.crash = running
        done = found.weather()
        assert found.answered == {number: 2} and done.closed == len(GAMES)


@contextmanager
def junk(at: Installation) -> Iterator[IMAPClient]:
    """The daemon reads a folder for junk too; the way into it."""
    settings = at.config()
    imap = settings.imap.model_copy(update={"junk": ["Junk"]})
    at.daemon.close()
    at.daemon = Daemon(settings.model_copy(update={"imap": imap}))
    with IMAPClient("127.0.0.1", at.office.imap_port, ssl=False) as client:
        client.login(REFEREE, PASSWORD)
        client.create_folder("Junk")
        yield client


# --- what the servers do --------------------------------------------------------------------------


def test_a_mail_server_that_is_away_stops_no_storm(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """One try to send, and one to read, is made; the next pass tries again."""
    every(1)
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at, {n: [("A", f"GAME {QUIET}\nSPECIAL AGR", n)] for n in range(1, 5)})
        at.daemon.carrier.close()
        at.daemon.carrier.account = replace(at.daemon.carrier.account, port=1)
        sent_at: list[int] = []
        found.at_mail = lambda: sent_at.append(found.closed)
        done = found.weather()
        assert done.closed == found.closed == len(GAMES)
        assert sum(n < len(GAMES) for n in sent_at) == 1
        assert done.decided == 4 and not found.answered


def test_a_mailbox_that_breaks_off_is_left_alone_until_the_next_pass(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    every(1)
    with Installation(tmp_path, "coalition") as at:
        letters = {n: [("A", f"GAME {QUIET}\nSPECIAL AGR", float(n))] for n in range(1, 5)}
        found = Storm(at, letters)
        passed, crash = itertools.count(), at.daemon.crash

        def breaking(point: str) -> None:
            crash(point)
            if point == "inbox.cursor" and next(passed) == 3:
                client = at.daemon.readers[0].mailbox._client
                assert client is not None
                client.socket().shutdown(socket.SHUT_RDWR)

        at.daemon.crash = at.daemon.referee.crash = breaking
        done = found.weather()
        assert done.closed == len(GAMES) and done.letters == 2
        assert [one for one in done.trouble if one.startswith("imap")], done.trouble
        assert len([one for one in done.trouble if one.startswith("imap")]) == 1


def test_a_slow_server_has_its_time_and_the_periods_have_as_much(
    tmp_path: Path, every: Callable[[int], None]
) -> None:
    """Each mail takes ten seconds, each period one: after a mail come ten periods."""
    every(1)
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at)
        sent_at: list[int] = []

        def slow() -> None:
            found.steady += 5.0
            sent_at.append(found.closed)

        crash = at.daemon.crash

        def running(point: str) -> None:
            if point == "deadline.committed":
                found.steady += 1.0
            crash(point)

        at.daemon.crash = at.daemon.referee.crash = running
        found.at_mail = slow
        found.letters = {1: [("A", f"GAME {QUIET}\nSPECIAL AGR", float(n)) for n in range(9)]}
        found.weather()
        meanwhile = [n for n in sent_at if n < len(GAMES)]
        assert meanwhile and all(b - a >= 5 for a, b in itertools.pairwise(meanwhile)), sent_at


def test_a_long_sending_goes_on_after_new_letters(tmp_path: Path) -> None:
    """Of a service: bulletins wait, a letter comes, its receipt goes before them."""
    with Installation(tmp_path, "coalition") as at:
        found = Storm(at, mails_all=True)
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


def test_pages_that_many_games_need_give_way_to_letters(tmp_path: Path) -> None:
    """Of a service: a letter has come when its pass has read all; the pages that are left, and the
    lists, are the next passes'. Each look at the clock is a second."""
    pages = tmp_path / "pages"
    with Installation(tmp_path, "coalition", site={"folder": str(pages)}) as at:
        for game in GAMES:
            at.start(game)
        (pages / "index.html").write_text("as it was")
        with exclusive_transaction(at.daemon.engine) as conn:
            notes.stale(conn, at.clock, *GAMES)

        def left() -> int:
            with reading(at.daemon.engine) as conn:
                return len(notes.all_stale(conn))

        def crash(point: str) -> None:
            if point == "pass.kept_up" and not at.outcomes():
                at.write("A", f"GAME {GAMES[1]}\nSPECIAL AGR")

        seconds = itertools.count()
        at.daemon.read = lambda: Reading(at.clock, float(next(seconds)))
        at.daemon.crash, at.daemon._stays = crash, True
        assert at.once().decided == 0 and 0 < left() < len(GAMES)
        assert at.daemon.called.is_set(), "the next pass is due"
        assert (pages / "index.html").read_text() == "as it was"
        while at.daemon.called.is_set():
            at.daemon.called.clear()
            before = left()
            at.once()
            assert left() < before
        assert [outcome for outcome, _ in at.outcomes()] == ["orders"]
        assert left() == 0 and f"{GAMES[-1]}/index.html" in (pages / "index.html").read_text()


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


def test_deadlines_come_in_their_order_and_others_between_them(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition") as at:
        now, steps = _storm(at), list[list[str]]()
        scan = Scan(now, True, no_crash, between=lambda: steps.append(_reached(at)))
        assert due.due(at.daemon.installation, scan) == len(THREE)
        assert steps == [["i"], ["h", "i"], ["g", "h", "i"]]


def test_a_storm_that_is_stopped_ends_after_the_period_in_hand(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition") as at:
        now = _storm(at)
        scan = Scan(now, True, no_crash, stopping=lambda: bool(_reached(at)))
        assert due.due(at.daemon.installation, scan) == 1
        assert _reached(at) == ["i"]
        assert due.due(at.daemon.installation, Scan(now, True, no_crash)) == 2
