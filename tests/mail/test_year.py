"""A scripted year: two games on one daemon, with everything that happens to games in a year.
Nothing is lost or doubled."""

import hashlib
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from pbem.games.frame.dice import Dice
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts, replay, rewinding
from pbem.periods.rewinding import Rewind
from pbem.post.work import Work
from pbem.referee.acts import clock_acts, letter_acts, seat_acts
from pbem.referee.game import restoring
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Bulletin, Journal, Letter, Outgoing
from tests.bots import nonsense
from tests.installation import GAMESMASTER, Installation, address, text_of
from tests.real import EVERYWHERE
from tests.subjects import issues

COALITION, POWER = ("A", "B", "C", "D", "E"), ("PIP", "LAN", "COM", "KIT")
NEW = "new@else.example"
Place = Callable[..., Installation]
LONG = {"EARLY": "OFF", "PERIOD": 21}


class Year:
    """The two games, their players, and what was written."""

    def __init__(self, at: Installation, folder: Path) -> None:
        self.at, self.folder = at, folder
        self.written: list[str] = []
        self.holder: dict[tuple[str, str], str] = {}
        self.turns: Counter[str] = Counter()

    def table(self, game: str) -> games.GameAt:
        with exclusive_transaction(self.at.daemon.engine) as conn:
            return games.game_at(conn, game)

    @contextmanager
    def desk(self) -> Iterator[Work]:
        with self.at.daemon.installation.work(self.at.clock) as work:
            yield work

    def write(self, game: str, seat: str, text: str) -> None:
        sender = self.holder.get((game, seat), address(seat))
        raw = self.at.write(sender, text, Subject=f"[{game}] orders")
        self.written.append(
            hashlib.sha256(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")).hexdigest()
        )

    def orders(self, game: str, absent: str = "") -> None:
        """A letter of every player's, as a bot writes it."""
        at = self.table(game)
        if at.game.status not in ("running", "held"):
            return
        bot = nonsense(at.ruleset.about.key)
        for seat in at.seats:
            own, public = at.ruleset.view(at.state, seat), at.ruleset.view(at.state, None)
            text = bot.letter(
                public, own, seat, Dice("5", game).stream(f"{seat}{at.period.number}")
            )
            text = text.replace("AYE", "NAY")  # no Government is formed, so that the game lasts
            if text and seat != absent and "RESIGN" not in text:
                self.write(game, seat, text)

    def turn(self, absent: str = "") -> bool:
        """Everybody writes in time, the next deadline comes, a day before it the reminders; False
        once both are over."""
        due = {g: at.period.due for g in "cp" if (at := self.table(g)).game.status == "running"}
        if not due:
            return False
        game = min(due, key=lambda one: due[one])
        self.orders(game, absent)
        for moment in (due[game] - timedelta(hours=20), due[game]):
            self.at.clock = max(self.at.clock, moment)
            done = self.at.once()
            assert not done.trouble
        assert self.table(game).period.due != due[game]
        self.turns[game] += 1
        return True

    def backup(self) -> Path:
        copy = self.folder / "backup.db"
        with (
            closing(sqlite3.connect(self.folder / "pbem.db")) as live,
            closing(sqlite3.connect(copy)) as kept,
        ):
            live.backup(kept)
        return copy

    def come_back(self, copy: Path) -> None:
        """The disk is lost; the backup takes its place."""
        self.at.daemon.close()
        for file in self.folder.glob("pbem.db*"):
            file.unlink()
        shutil.copy(copy, self.folder / "pbem.db")
        self.at.daemon = self.at.new_daemon()


@contextmanager
def two_games(folder: Path, place: Place) -> Iterator[Year]:
    others = (NEW, *(address(seat) for seat in POWER))
    with place(folder, "coalition", seats=COALITION, options=LONG, strangers=others) as at:
        at.start("c")
        at.key, at.seats, at.options = (
            "party-in-power",
            POWER,
            LONG | {"PERIOD": 13, "CONSTITUENCIES": 6},
        )
        at.start("p")
        yield Year(at, folder)


def missed_moves(year: Year, until: int) -> None:
    """A player is silent, and reminded each time."""
    while year.table("c").period.number < until:
        year.turn(absent="LAN")
    assert year.table("p").holders["LAN"].missed >= until - 1
    assert any("Reminder" in str(mail["Subject"]) for mail in year.at.mails("LAN"))


def extension(year: Year) -> None:
    with year.desk() as work:
        due = games.game_at(work.conn, "c").period.due
        deadline_acts.extend(
            work, "c", games.game_at(work.conn, "c").period.number, Days(5), "post strike"
        )
        assert games.game_at(work.conn, "c").period.due - due == timedelta(days=5)
    year.turn()


def replacement(year: Year) -> None:
    with year.desk() as work:
        seat_acts.replace(work, "c", "B", NEW, "New", "moved away")
    year.at.once()
    year.holder["c", "B"] = NEW
    assert "[c] Coalition: you are B" in [str(mail["Subject"]) for mail in year.at.mails(NEW)]
    year.turn()


def pause(year: Year) -> None:
    with year.desk() as work:
        due = games.game_at(work.conn, "p").period.due.date()
        first, last = due - timedelta(days=3), due + timedelta(days=14)
        clock_acts.pause(work, "p", None, str(first), str(last), "summer")
        assert games.game_at(work.conn, "p").period.due.date() > last
    year.turn()
    year.turn()


def downtime(year: Year) -> None:
    """A week of it across deadlines: nothing is fired blindly, letters wait on the server."""
    numbers = {game: year.table(game).period.number for game in "cp"}
    year.orders("c")
    year.orders("p")
    year.at.clock = max(year.table(game).period.due for game in "cp") + timedelta(days=7)
    year.at.once()
    assert {game: year.table(game).period.number for game in "cp"} == numbers
    assert {year.table(game).game.status for game in "cp"} == {"held"}
    with year.desk() as work:
        for game in "cp":
            deadline_acts.resume(work, game)
    year.at.once()
    assert all(year.table(game).period.due > year.at.clock for game in "cp")
    year.turn()
    year.turn()


def rewind(year: Year) -> None:
    number = year.table("c").period.number
    with year.desk() as work:
        rewinding.done(work, Rewind("c", number - 1, "A's letter had been misread"))
    year.at.once()
    assert year.table("c").period.number == number
    assert f"[c] Bulletin {number - 1} (corrected)" in issues(year.at, "C")


def lost_disk(year: Year) -> None:
    """A backup comes back; letters decided since are read again from the processed folder."""
    at = year.at
    year.orders("p")
    at.once()
    copy = year.backup()
    year.write("c", "C", "STANDING NAY")
    year.write("c", "D", 'NAME "Later"')
    at.once()
    at.game = "c"
    before = {seat: at.standing(seat) for seat in "CD"}
    sent = {seat: len(at.mails(seat)) for seat in COALITION}
    year.come_back(copy)
    with year.desk() as work:
        letter_acts.restore(work)
    at.daemon.close()
    at.daemon = at.new_daemon()
    at.later(days=1)
    with year.desk() as work:
        assert len(restoring.accept(work, "c", work.now).taken) == 2
    at.once()
    assert {seat: at.standing(seat) for seat in "CD"} == before
    assert sent == {seat: len(at.mails(seat)) for seat in COALITION}
    with year.desk() as work:
        letter_acts.restore(work, release_outbox=True)
        for game in "cp":
            deadline_acts.resume(work, game)
    at.once()


def test_a_year(tmp_path: Path, place: Place) -> None:
    with two_games(tmp_path, place) as year:
        began = year.at.clock
        missed_moves(year, 3)
        for event in (extension, replacement, pause, downtime, rewind, lost_disk):
            event(year)
        while year.turn():
            pass
        days = (year.at.clock - began).days
        print(f"{days} days, turns {dict(year.turns)}, {len(year.written)} letters")
        assert days > 300
        assert_nothing_lost(year)
        assert_over(year)


@EVERYWHERE
def test_a_quarter(tmp_path: Path, place: Place) -> None:
    """The stretch of it that the servers have most to do with."""
    with two_games(tmp_path, place) as year:
        missed_moves(year, 2)
        for event in (extension, replacement, downtime, rewind):
            event(year)
        assert_nothing_lost(year)


def assert_nothing_lost(year: Year) -> None:
    """Nor doubled; both games replay, and their journals are whole."""
    at = year.at
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        letters = conn.execute(select(Letter.raw, Letter.outcome, Letter.reason)).all()
        outcomes = Counter(row.outcome for row in letters)
        assert not {"failed", "stored", "held", "unverified", "unfetchable", "quarantine"} & set(
            outcomes
        ), outcomes
        decided = Counter(
            hashlib.sha256(row.raw).hexdigest() for row in letters if row.outcome != "duplicate"
        )
        assert decided == Counter(year.written)
        states = Counter(conn.execute(select(Outgoing.state)).scalars())
        assert set(states) <= {"sent", "listed"}, states
        for game in "cp":
            report = replay.replay(conn, game)
            assert report.faults == [] and report.periods == games.game(conn, game).period - 1
            numbers = set(
                conn.execute(
                    select(Bulletin.number).where(Bulletin.game_id == game, Bulletin.seat == "")
                ).scalars()
            )
            assert numbers == set(range(max(numbers) + 1))
            entries = list(
                conn.execute(
                    select(Journal.n).where(Journal.game_id == game).order_by(Journal.n)
                ).scalars()
            )
            assert entries == list(range(1, len(entries) + 1)) and report.journal == len(entries)
    for who in (GAMESMASTER, NEW, *map(address, (*COALITION, *POWER))):
        ids = Counter(str(mail["Message-ID"]) for mail in at.mails(who))
        assert ids and max(ids.values()) == 1


def assert_over(year: Year) -> None:
    with exclusive_transaction(year.at.daemon.engine) as conn:
        for game in "cp":
            assert games.game(conn, game).status == "over"
            kinds = set(conn.execute(select(Journal.kind).where(Journal.game_id == game)).scalars())
            assert {"hold", "resume", "restored", "over"} <= kinds
    final = text_of(year.at.mails("C")[-1]) + text_of(year.at.mails("C")[-2])
    assert "THE GAME IS OVER" in final and "seed of this game" in final
