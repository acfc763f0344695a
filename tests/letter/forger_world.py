"""The world of the forger's matrix: an installation in which every word can do something.

In g Ann (A) plays with Bob (B) and others; Dora is a deputy, Paul stands by, Olga watches. h is
held, r is in review, n has not begun, o is over and takes statements; Bob would play again after it.
Table t waits for its gamesmaster's word on Gus, and Fay has signed on to table u. Letters and a mail
wait for the gamesmaster.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from pbem.acts.acts import BY_NAME
from pbem.letters.states import LetterState
from pbem.periods import claims, opening
from pbem.periods import open_tables as tables
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.people import players as people
from pbem.store.schema.states import ApplicantState, NoteKind
from pbem.store.schema.tables import (
    EditorLetter,
    Inquiry,
    Letter,
    Observer,
    Outgoing,
    Protest,
    Rematch,
)
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk
from tests.letter.forging import Bench, checked

ANN, BOB, EVE = address("A"), address("B"), address("E")
OLGA, PAUL, DORA, FAY, GUS, STRANGER, CARLA = (
    f"{name}@legit.example" for name in ("olga", "paul", "dora", "fay", "gus", "stranger", "carla")
)
OTHERS = tuple(f"p{n}@else.example" for n in range(5))
HEAD = "GAME g\nPERIOD 2\n"
LEVELS = ("open", "proven")


class World(Bench):
    """The bench upon it. ``level``: what all its games ask for; ``secrets``: whose secret address
    is which; ``letters``: what waits for the gamesmaster, by name."""

    def __init__(self, at: Installation, level: str) -> None:
        super().__init__(at)
        self.level = level
        self.letters: dict[str, int] = {}
        days = (("soon", 20), ("later", 25), ("spring", 60), ("pause", 290), ("on", 293))
        self.days = {name: f"{self.now + timedelta(days=n):%Y-%m-%d}" for name, n in days}
        self._games()
        self._people()
        self._waiting()
        self.now += timedelta(hours=3)  # nobody's share of an hour is used up
        mails = self.mails()
        self.secrets = {
            (game, mail.to): mail.reply_to
            for mail in mails
            for game in re.findall(r"^\[(\w+)\]", mail.subject)
            if "+" in mail.reply_to and "Press from" not in mail.subject
        }
        self.presses = {mail.to: mail.reply_to for mail in mails if "Press from" in mail.subject}
        self.keep()
        self.last_letter, self.last_mail = self.newest("letter"), self.newest("outgoing")
        self.facts = facts(self)

    @contextmanager
    def work(self) -> Iterator[Work]:
        self.at.clock = self.now
        with desk(self.at) as work:
            yield work

    def act(self, name: str, **values: Any) -> None:
        """An act of the gamesmaster's, by the shell."""
        act = BY_NAME[name]
        nothing: dict[str, Any] = {
            one.name: () if one.many else False if one.kind.name == "FLAG" else None
            for one in act.arguments
        }
        with self.work() as work:
            do(work, act, nothing | values, Actor())
        self.now += timedelta(minutes=1)

    def _games(self) -> None:
        strangers = [("", one, f"Peter {n}") for n, one in enumerate(OTHERS)]
        friends = [(seat, address(seat), f"Player {seat}") for seat in SEATS]
        for game, who in (("g", friends), ("o", friends), *((one, strangers) for one in "hrn")):
            plan = opening.Plan(game, "coalition", who, "Europe/Paris", self.level, seed="7")
            with self.work() as work:
                opening.new(work, plan)
                if game != "n":
                    opening.start(work, game)
        adopted = {"number": 1, "text": "We meet at noon", "stage": "adopted", "session": 1}
        scenario = {"public": {"session": 2, "amendments": [adopted]}}
        plan = opening.Plan(
            "a", "parlement-1966", strangers, "Europe/Paris", self.level, scenario=scenario
        )
        with self.work() as work:
            opening.new(work, plan)
            opening.start(work, "a")
        self.act("close", game="g", unread=True)
        self.act("pause", game="g", first=self.days["pause"], last=self.days["on"], why="Christmas")
        with self.work() as work:
            Protest.put(work.conn, Protest("g", "C", 1, "wrong", self.now))
        self.act("hold", game="h", why="illness")
        self.act("end", game="o", why="it rains")
        with self.work() as work:  # Bob would play again: one more opens the table
            bob = people.at_address(work.conn, BOB) or 0
            Rematch.add(work.conn, game_id="o", player_id=bob, said=self.now)
        with exclusive_transaction(self.at.daemon.engine) as conn:
            games.set_game(conn, "r", publish="review")
        self.act("close", game="r", unread=True)
        for table in "tu":
            plan = opening.Plan(table, "coalition", (), "Europe/Paris", self.level, seed="7")
            with self.work() as work:
                tables.open_(work, tables.Wanted(plan, 5, approve=table == "t", choice=True))

    def _people(self) -> None:
        with self.work() as work:
            claims.enlist(work, "g", PAUL, "Paul")
            olga = people.player(work.conn, OLGA, "Olga", self.now)
            Observer.try_add(work.conn, game_id="g", player_id=olga, since=self.now)
            ann = people.at_address(work.conn, ANN) or 0
            Observer.try_add(work.conn, game_id="r", player_id=ann, since=self.now)
            for table, who in (("t", GUS), ("u", FAY)):
                player = people.player(work.conn, who, who.partition("@")[0].title(), self.now)
                values = {"game_id": table, "address": who, "name": who[:3].title()}
                more = {"wishes": [], "through": "", "came": self.now, "until": None}
                place = {"place": 1} if table == "u" else {}
                open_tables.ask(
                    work.conn,
                    ApplicantState.SIGNED,
                    **values,
                    **more,
                    **place,
                    player_id=player,
                    code_hash="",
                )
            masters.enter(work.conn, work.mark, GAMESMASTER)
            masters_own = work.mark.plus(masters.token(work.conn, work.mark, GAMESMASTER))
        self.gamesmasters = masters_own
        self._deputy()
        self.said(BOB, f"{HEAD}PRESS TO A\nLet us meet.\nEND PRESS\n")
        self.said(ANN, f"{HEAD}PRESS TO B\nWhere?\nEND PRESS\n")
        self.said(ANN, f'{HEAD}NAME "Old"\nWAIT\n')
        self.said(BOB, f"{HEAD}PLAIN\n")

    def _deputy(self) -> None:
        """Dora plays for Eve: both send back their codes."""
        self.said(EVE, f"{HEAD}DEPUTY {DORA}\n")
        for who in (EVE, DORA):
            mine = [
                re.findall(r"CONFIRM (\S+)", mail.text) for mail in self.mails() if mail.to == who
            ]
            codes = [code for some in mine for code in some]
            self.comes(self.letter(who, f"CONFIRM {codes[-1]}"))

    def said(self, who: str, text: str) -> None:
        """A letter with all the proof that there is."""
        his = [mail for mail in self.mails() if mail.to == who and mail.subject.startswith("[g] ")]
        his = [mail for mail in his if "Press from" not in mail.subject]
        raw = self.letter(who, text, To=his[-1].reply_to)
        came = self.comes(checked(raw, "dmarc=pass header.from=legit.example"))
        assert came.outcome in ("orders", "command"), came

    def _waiting(self) -> None:
        """A held letter, which asks something, a failed one, a refused mail."""
        for name, outcome in (("held", LetterState.UNVERIFIED), ("failed", LetterState.FAILED)):
            came = self.comes(self.letter(BOB, f'{HEAD}NAME "Other"\n', Subject=name))
            self.letters[name] = came.id
            values = {"outcome": outcome, "game_id": "g", "seat": "B", "period": 2, "effect": None}
            with exclusive_transaction(self.at.daemon.engine) as conn:
                conn.execute(update(Letter).where(Letter.id == came.id).values(**values))
        with self.work() as work:
            bob = people.at_address(work.conn, BOB) or 0
            held = self.letters["held"]
            Inquiry.put(work.conn, Inquiry(held, "g", "B", bob, "why?", self.now))
            for number in (1, 2):
                of = ("g", "B", bob, self.now)
                EditorLetter.put(work.conn, EditorLetter(number, "Bob", "Oh!", False, *of))
            rules = (NoteKind.RULING, "Read on.", self.now)
            self.letters["ruling"] = notes.rule(work.conn, "g", *rules)
        with exclusive_transaction(self.at.daemon.engine) as conn:
            first = select(Outgoing.id).where(Outgoing.recipient == BOB).order_by(Outgoing.id)
            self.letters["mail"] = conn.execute(first).scalars().first() or 0
            mail = Outgoing.id == self.letters["mail"]
            conn.execute(update(Outgoing).where(mail).values(state="refused"))
            others = Outgoing.id != self.letters["mail"]
            conn.execute(update(Outgoing).where(others).values(state="sent"))


@contextmanager
def world(folder: Path, level: str) -> Iterator[World]:
    """A world whose games ask for this level."""
    boxes = (OLGA, PAUL, DORA, FAY, GUS, STRANGER, CARLA)
    club = {"zine": "28th"}
    with Installation(
        folder, "coalition", seats=SEATS, trust=level, strangers=boxes, club=club
    ) as at:
        yield World(at, level)


_BOOKS = frozenset(
    (
        *("letter", "letter_mark", "outgoing", "cursor", "picture", "memo", "alembic_version"),
        *("handover", "inquiry", "session"),
    )
)
"""Tables of what came and went, not of what is so: letters and mails are looked at apart."""
_PENDING = {
    "applicant": ("state", "asked"),
    "deputy": ("state", "asked"),
    "gamesmaster": ("address", "carla@.*"),
    "journal": ("kind", "letter|deputy-asked|master-asked|second-asked|look|rewind-tried"),
}
"""What waits for a code, and is nothing yet; that a letter came; and looks, which are apart."""
_STRAYED = re.compile(r'with another sender|"deputy": true')
"""That a secret address was changed because somebody else wrote to it."""
_KEYS = re.compile(r"token_(no|hash)|link_no")


Facts = dict[tuple[str, ...], dict[str, object]]


def facts(at: World) -> Facts:
    """All that is so, as the database has it: each row by its table and key. Of letters and mails
    those that there were from the beginning."""
    found: Facts = {}
    with closing(sqlite3.connect(at.file)) as conn:
        for table, keys, columns in _tables(at):
            for row in conn.execute(f"SELECT {', '.join(columns)} FROM {table}"):
                named = dict(zip(columns, row, strict=True))
                column, waits = _PENDING.get(table, ("", ""))
                if column and re.fullmatch(waits, str(named[column])):
                    continue
                if table != "journal" or not _STRAYED.search(str(named["data"])):
                    found[table, *(str(named[one]) for one in keys)] = named
        for table, columns, last in (
            ("letter", ("outcome", "authentication"), at.last_letter),
            ("outgoing", ("state",), at.last_mail),
        ):
            asked = f"SELECT id, {', '.join(columns)} FROM {table} WHERE id <= ?"
            for number, *values in conn.execute(asked, (last,)):
                found[table, str(number)] = dict(zip(columns, values, strict=True))
    return found


def _tables(at: World) -> list[tuple[str, list[str], list[str]]]:
    """Each table of facts, with its key and its columns but those of secret addresses, which are
    changed because others wrote to them."""
    if at not in _SHAPES:
        names = [row[0] for row in at.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        _SHAPES[at] = []
        for name in sorted(set(names) - _BOOKS):
            info = at.rows(f"PRAGMA table_info({name})")
            columns = [row["name"] for row in info if not _KEYS.fullmatch(row["name"])]
            keys = [row["name"] for row in info if row["pk"]]
            _SHAPES[at].append((name, keys, columns))
    return _SHAPES[at]


_SHAPES: dict[World, list[tuple[str, list[str], list[str]]]] = {}


def changes(before: Facts, after: Facts) -> frozenset[str]:
    """What has changed: table.column of a row that was there, +table of one that was not, -table of
    one that is not any more."""
    found = set()
    for key in before.keys() | after.keys():
        was, now = before.get(key), after.get(key)
        if was is None or now is None:
            found.add(f"{'-' if now is None else '+'}{key[0]}")
        elif was != now:
            found |= {f"{key[0]}.{name}" for name in was if was[name] != now[name]}
    return frozenset(found)
