"""The kill matrix of the gamesmaster's acts: each act of the table, at the shell, at the desk and by
mail, in an installation in which something of everything waits, whatever strikes meanwhile.

An act is done once or not at all; where whoever gave it at the shell was not told, he looks into
the record of the game (`pbem log`), and gives it again if it is not there; at the desk he presses
the same button again; by mail he does nothing.
"""

from __future__ import annotations

import gc
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import structlog
from sqlalchemy import Engine, select

from pbem.acts.act import Act, Kind
from pbem.acts.acts import ACTS
from pbem.daemon.loop import Daemon
from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.schema.tables import Game, Journal, Letter, Outgoing, Period
from tests.desk import world as furnished
from tests.faults.hand import Answer, Hand
from tests.faults.schedules import ACT_POINTS, Fault, kinds
from tests.faults.tally import Tally, broken, tally, twice
from tests.faults.world import World, codes, masters_address, texts
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation
from tests.shell import Shell

SHELL, DESK, MAIL = "shell", "desk", "mail"
PASSES = 12
ENDS = {"sent", "listed", "refused", "held", "merged"}
_TIME = re.compile(r":[0-9a-f]{16}(?:[0-9a-f]{48})?$|\d{12,14}")
"""What a mail's key has of the time at which it was made, of its words, or of its code."""
LOOKS = ("look", "rewind-tried")
"""What is noted each time that somebody looks: again where his button is pressed again."""


def fits(act: Act, face: str) -> bool:
    """Whether an act can be given there. A game of Coalition adopts no amendment that `amended`
    could carry out: tests/mail/test_amended.py does."""
    return act.name != "amended" and (face != MAIL or act.by_mail)


EACH = tuple((act, face) for act in ACTS for face in (SHELL, DESK, MAIL) if fits(act, face))
"""What is to be done, and how."""


@dataclass(slots=True)
class Left:
    """What a run left behind, as far as faults must not change it."""

    journal: Counter[tuple[str, str]]
    games: dict[str, tuple[Any, ...]]
    periods: list[tuple[Any, ...]]
    letters: dict[int, str]
    mails: Counter[str]
    doubted: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def left(engine: Engine) -> Left:
    """Read it."""
    with exclusive_transaction(engine) as conn:
        noted = [tuple(one) for one in conn.execute(select(Journal.game_id, Journal.kind))]
        looks = {one for one in noted if one[1] in LOOKS}
        rows = conn.execute(select(Game.id, Game.status, Game.period, Game.edition)).all()
        periods = conn.execute(
            select(Period.game_id, Period.number, Period.state_hash, Period.status, Period.due)
        ).all()
        letters = conn.execute(select(Letter.id, Letter.outcome)).all()
        mails = conn.execute(select(Outgoing.__table__)).all()
        wrong = [
            fault
            for row in rows
            if games.begun(conn, row.id)
            for fault in replay.replay(conn, row.id).faults
        ]
        # until it is released after a restore, what is new waits too
        ends = {*ENDS, "ready"} if notes.memo(conn, notes.RESTORED) else ENDS
    wrong += [
        f"mail {one.key} is {one.state}"
        for one in mails
        if one.state not in ends and not one.resent
    ]
    return Left(
        Counter([one for one in noted if one[1] not in LOOKS] + sorted(looks)),
        {row.id: tuple(row) for row in rows},
        sorted(map(tuple, periods), key=str),
        {one.id: one.outcome for one in letters},
        Counter(_TIME.sub("", one.key) for one in mails if one.kind != "alarm"),
        {one.message_id for one in mails if one.resent},
        wrong,
    )


# --- how an act is given --------------------------------------------------------------------------


def words(act: Act, given: Mapping[str, Any], folder: Path) -> list[str]:
    """A command of the shell."""
    found = [act.name]
    for one in act.arguments:
        if one.name not in given:
            continue
        value = str(given[one.name])
        if one.kind is Kind.FILE:
            file = folder / f"{one.name}.txt"
            file.write_text(value)
            value = str(file)
        found += [one.option, value] if one.option else [value]
    return [*found, f"--{act.tried}"] if act.tried else found


def letter(act: Act, given: Mapping[str, Any], period: int) -> str:
    """A letter of the gamesmaster's."""
    head = f"GAME {given['game']}\nPERIOD {period}\n" if "game" in given and act.of_game else ""
    if act.name == "press":
        return f"{head}PRESS TO {given['to']}\n{given['file']}\nEND PRESS"
    line, below = [act.word], ""
    for one in act.arguments:
        if one.name not in given or one.kind in (Kind.GAME, Kind.PERIOD):
            if one.kind is Kind.GAME and not act.of_game and one.name in given:
                line.append(str(given[one.name]))
        elif one.kind is Kind.FILE:
            below = f"\n{given[one.name]}\nEND {act.word}"
        elif one.in_line and not (act.name == "replace" and one.kind is Kind.WHY):
            line.append(str(given[one.name]))
        elif one.option and act.settings:
            below += f"\n{one.option[2:].upper()} {given[one.name]}"
    return f"{head}{' '.join(line)}{below}"


class Room(World):
    """The post office, the clock, and a gamesmaster who does one act."""

    child = Hand
    people = furnished.world(Path()).boxes[1:]
    error = ""
    told = ""

    def ask(self, what: str, *about: Any) -> Answer | None:
        """What is answered; None where whoever did it was killed."""
        found = self._answer(what, (self.at.clock, *about))
        if found is None:
            return None
        self.error, answer = found
        assert isinstance(answer, Answer)
        return answer

    def passes(self) -> None:
        """Until nothing is left to do and to send."""
        for _ in range(PASSES):
            answer = self.ask("pass")
            self.at.clock += timedelta(minutes=1)
            if answer is None or self.error:
                continue
            if not answer.waiting:
                return
            self.at.clock += timedelta(minutes=12)
        raise AssertionError(f"no pass goes through: {self.error}")

    def write(self, text: str, to: str) -> None:
        raw = self.at.letter(GAMESMASTER, text, To=to, Date=self.written)
        self.at.office.deliver(REFEREE, raw, self.at.clock)

    def run_act(self, act: Act, face: str, given: Mapping[str, Any], start: Furnished) -> None:
        """The act is given, and everybody hears what comes of it."""
        with self.at.office:
            self.at.office.now = lambda: self.at.clock
            try:
                getattr(self, f"by_{face}")(act, given, start)
                self.passes()
            finally:
                self._end()
            self.read_mails()

    def by_shell(self, act: Act, given: Mapping[str, Any], start: Furnished) -> None:
        shell = Shell(self.at, self.at.folder / "config.toml")
        command = words(act, given, self.at.folder)
        before = start.journal(self.daemon.engine)
        for _ in range(PASSES):
            answer = self.ask("shell", command, shell.file)
            if answer is not None and not self.error and answer.right:
                return
            now = start.journal(self.daemon.engine)
            self.at.clock += timedelta(minutes=1)
            if now != before:  # it was done, though nobody said so
                return
            self.told = answer.said if answer else ""
        raise AssertionError(f"the act cannot be given: {self.told}")

    def by_desk(self, act: Act, given: Mapping[str, Any], start: Furnished) -> None:
        query = {name: given[name] for name in ("game", "table") if name in given}
        rest = {name: one for name, one in given.items() if name not in query}
        form = self.asked("form", act.name, urlencode(query), rest)
        self.asked("press", form.form, form.said)

    def asked(self, what: str, *about: Any) -> Answer:
        """The same until it is answered as it should be."""
        for _ in range(PASSES):
            answer = self.ask(what, *about)
            if answer is not None and not self.error and answer.right:
                return answer
            self.at.clock += timedelta(minutes=1)
            self.told = self.error or (answer.said if answer else "")
        raise AssertionError(f"the desk does not do it: {self.told}")

    def by_mail(self, act: Act, given: Mapping[str, Any], start: Furnished) -> None:
        self.write(letter(act, given, start.periods.get(str(given.get("game")), 1)), start.secret)
        self.passes()
        if act.code:
            told = codes(self.at, GAMESMASTER)
            assert told, texts(self.at, GAMESMASTER)[-500:]
            self.write(f"CONFIRM {told[-1]}", REFEREE)


@dataclass
class Furnished:
    """What every schedule starts from. ``given``: what each act is given; ``secret``: the
    gamesmaster's reply address; ``periods``: of the games that have begun."""

    file: Path
    clock: datetime
    due: datetime
    given: Mapping[str, Mapping[str, Any]]
    secret: str
    periods: Mapping[str, int]

    @staticmethod
    def journal(engine: Engine) -> Counter[tuple[str, str]]:
        """What the record of the games says. No connection is left open: a child that is forked
        would have it too, and SQLite's are of one process."""
        with exclusive_transaction(engine) as conn:
            found = conn.execute(select(Journal.game_id, Journal.kind)).all()
        engine.dispose()
        return Counter(tuple(one) for one in found)


class Acting:
    """The matrix of acts, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.start = self.furnish()
        self.url = self.fresh()
        self.daemon = self.rehearsed()
        self.made: dict[tuple[str, str], tuple[Left, dict[str, int]]] = {}
        gc.collect()
        gc.freeze()

    def furnish(self) -> Furnished:
        place = self.folder / "start"
        place.mkdir()
        with furnished.world(place) as at:
            furnished.furnish(at)
            given = {act.name: furnished.fields(at, act) for act in ACTS}
            at.once()
            with exclusive_transaction(at.daemon.engine) as conn:
                rows = conn.execute(select(Game.id, Game.period)).all()
            clock, secret = at.clock, masters_address(at)
            at.daemon.engine.dispose()
        periods = {one.id: one.period for one in rows}
        return Furnished(place / "pbem.db", clock, clock, given, secret, periods)

    def fresh(self) -> str:
        """A new copy of it; its URL, always the same."""
        live = self.folder / "live"
        shutil.rmtree(live, ignore_errors=True)
        live.mkdir()
        shutil.copy(self.start.file, live / "pbem.db")
        return f"sqlite:///{live / 'pbem.db'}"

    def rehearsed(self) -> Daemon:
        """The daemon that every child is forked from."""
        others = Room.people[1 + len(SEATS) :]
        with Installation(
            self.folder, "coalition", seats=SEATS, url=self.url, strangers=others
        ) as at:
            at.clock = self.start.clock
            at.once()
        return at.daemon

    def play(self, act: Act, face: str, faults: Sequence[Fault]) -> tuple[Room, Left]:
        self.fresh()
        room = Room(self.folder, self.start, self.daemon, self.url, faults)
        given = dict(self.start.given[act.name])
        self.daemon.engine.dispose()
        room.run_act(act, face, given, self.start)
        found = left(self.daemon.engine)
        self.daemon.engine.dispose()
        return room, found

    def reference(self, act: Act, face: str) -> tuple[Left, dict[str, int]]:
        """The undisturbed run, and how often it passes each point."""
        if (act.name, face) not in self.made:
            room, found = self.play(act, face, [])
            assert not found.faults, (act.name, face, found.faults)
            assert set(act.journal) & {kind for _, kind in found.journal}, (act.name, face)
            self.made[act.name, face] = found, room.shared.counts()
        return self.made[act.name, face]

    def schedule(self, seed: int) -> tuple[Act, str, list[Fault]]:
        """One or two faults, half of them at the act itself."""
        chance = random.Random(f"act {seed}")
        act, face = EACH[seed % len(EACH)]
        _, counts = self.reference(act, face)
        faults = []
        for _ in range(chance.choice((1, 1, 2))):
            own = [
                one for one in (*ACT_POINTS, "letter.decided", "letter.committed") if counts[one]
            ]
            every = sorted(point for point, count in counts.items() if count)
            point = chance.choice(own if chance.random() < 0.5 else every)
            kind = chance.choice([one for one in kinds(point, False) if one in KINDS])
            faults.append(Fault(point, chance.randint(1, counts[point]), kind))
        return act, face, faults

    def run(self, seed: int) -> Tally:
        """One schedule."""
        return self.struck(*self.schedule(seed), str(seed))

    def struck(self, act: Act, face: str, faults: Sequence[Fault], seed: str = "") -> Tally:
        """What comes of an act under these faults."""
        told = f"act {seed} ({act.name} by {face}; {', '.join(map(str, faults))})"
        try:
            room, found = self.play(act, face, faults)
        except Exception as error:
            return broken(told, error)
        wrong = differs(found, self.reference(act, face)[0], room)
        lines = [f"{told}: {one}" for one in wrong]
        return tally(room.shared.struck(), room.mails, found.doubted, lines)

    def check(self, seed: int) -> list[str]:
        """One schedule; [] where it passed."""
        return self.run(seed).wrong


KINDS = ("kill", "locked", "full", "fsize", "imap", "smtp-before", "smtp-after")


def differs(now: Left, then: Left, room: Room) -> list[str]:
    """What differs from the undisturbed run, and what no run may show."""
    wrong = [*now.faults, *twice(room.mails, now.doubted)]
    for what in ("journal", "games", "periods", "letters", "mails"):
        one, other = getattr(now, what), getattr(then, what)
        if one != other:
            wrong.append(f"{what}: {_apart(one, other)} instead of {_apart(other, one)}")
    return wrong


def _apart(one: Any, other: Any) -> Any:
    """What is only in the one."""
    if isinstance(one, dict):
        return {key: value for key, value in one.items() if other.get(key) != value}
    return [value for value in one if value not in other]
