"""What happens in the year: the players' letters, the gamesmaster's acts, and the calendar."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import Connection, func, select

from pbem.games.frame.dice import Dice
from pbem.store.engine import database
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.schema.states import PeriodState
from pbem.store.schema.tables import Journal, Letter, OrderSet, Ruling
from tests.bots import nonsense
from tests.year.world import GAMESMASTER, REFEREE, World

SEATS = {
    "parlement-1968": ("Com", "Soc", "Rad", "Ctr", "Con", "Mon", "Nat"),
    "politics-1935": ("P1", "P2"),  # two: by chance no game of more than a dozen rounds ends early
}
NOT_EARLY = "--option=EARLY=OFF"
"""Lists on file would else close a period each evening."""
SMALL = ("P1", "P2")
"""The seats of the second, small game ``h``."""
HEIR, SECOND, NOBODY = "heir@legit.example", "second@legit.example", "nobody@legit.example"
"""Another gamesmaster, a second one; and an address without a mailbox."""
OTHERS = (
    "sub@legit.example",
    "new@legit.example",
    "third@legit.example",
    "fourth@legit.example",
    HEIR,
    SECOND,
)
_CODE = re.compile(r"^\s+CONFIRM ([a-z0-9]+)\s*$", re.MULTILINE)


def address(game: str, seat: str) -> str:
    return f"{game}.{seat.lower()}@legit.example"


def mailboxes(key: str) -> list[str]:
    """Those of everybody but the gamesmaster."""
    return [*(address("g", s) for s in SEATS[key]), *(address("h", s) for s in SMALL), *OTHERS]


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the gamesmaster: the lines of his letter, and the words of the same in the shell
    (``stdin``: what the command reads), "" where it cannot be done in that way: what has no letter
    is done by shell in both runs, what has no words by neither but mail.

    ``answer``: words of what he is to read of it then. ``{period}`` and the like in all of them
    are put in (``Year.named``). ``refused``: that is what is to come of it. ``sender``: who writes;
    ``agree``: who else is asked for a code, and gives it. ``first`` happens before.
    """

    mail: str
    shell: str
    answer: str
    stdin: str = ""
    refused: bool = False
    sender: str = GAMESMASTER
    agree: tuple[str, ...] = ()
    first: Callable[[Year], None] | None = None


RELEASE = Act("GAME h\nPERIOD {h}\nRELEASE", "release h", "goes out at the next pass")


@dataclass(slots=True)
class Year:
    """The game ``g`` of rule-set ``key`` in a world, and a small one ``h``, led ``by`` mail or
    shell; ``said``: all that the gamesmaster wrote and was answered. Once it is over ``entries``
    are the kinds of the journals' entries, each with its game, ``letters`` every letter's sender
    and what became of it."""

    world: World
    by: str
    key: str
    said: list[str] = field(default_factory=list)
    holder: dict[tuple[str, str], str] = field(default_factory=dict)
    secret: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    pause: str = ""
    entries: list[tuple[str, str]] = field(default_factory=list)
    letters: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    turn: int = 0

    @contextmanager
    def read(self) -> Iterator[Connection]:
        engine = database.connect(f"sqlite:///{self.world.folder}/pbem.db")
        try:
            with database.reading(engine) as conn:
                yield conn
        finally:
            engine.dispose()

    def table(self, game: str = "g") -> GameAt:
        with self.read() as conn:
            return games.game_at(conn, game)

    def begun(self) -> list[str]:
        """The games that run."""
        with self.read() as conn:
            return [g for g in ("g", "h") if games.begun(conn, g) and self._runs(conn, g)]

    def _runs(self, conn: Connection, game: str) -> bool:
        return games.game_at(conn, game).row.status != "over"

    def make(self, game: str, key: str, seats: Sequence[str], *words: str) -> None:
        """A game that has not begun."""
        self.holder |= {(game, seat): address(game, seat) for seat in seats}
        who = [f"--player={seat}={address(game, seat)},{seat} Person" for seat in seats]
        self._shell(["new", key, game, *who, *words])

    def begin(self, *words: str) -> None:
        standby = "--standby=sub@legit.example,Sub Person"
        self.make("g", self.key, SEATS[self.key], standby, "--trust=proven", *words)
        self.make("h", "politics-1935", SMALL, "--publish=review", "--grace=24h", NOT_EARLY)
        self._shell(["start", "g"])
        self.world.once()

    # --- players ----------------------------------------------------------------------------------

    def read_mails(self, mailbox: str) -> list[str]:
        """The mails that are new in a mailbox; the secret address in the newest is answered."""
        fresh = []
        for mail in self.world.new_mails(mailbox):
            if reply_to := mail["Reply-To"]:
                self.secret[mailbox] = str(reply_to)
            fresh.append(_shown(mail))
        if mailbox == GAMESMASTER:
            self.said += fresh
        elif mailbox in (HEIR, SECOND):
            self.said += [f"(to {mailbox}) {mail}" for mail in fresh]
        return fresh

    def letter(self, game: str, seat: str, number: int | None = None) -> str:
        """Orders for a seat in a period (the open one) as the house bot writes them."""
        with self.read() as conn:
            at = games.game_at(conn, game, number)
        bot = nonsense(at.ruleset.about.key)
        public, own = at.ruleset.view(at.state, None), at.ruleset.view(at.state, seat)
        chance = Dice("5", game).stream(f"{seat}{self.turn}")
        return str(bot.letter(public, own, seat, chance))

    def orders(self) -> None:
        """A letter of every player's."""
        for game in self.begun():
            for seat in self.table(game).seats:
                mailbox = self.holder[game, seat]
                if mailbox == NOBODY or mailbox in self.silent:
                    continue
                self.read_mails(mailbox)
                text = self.letter(game, seat)
                if "RESIGN" not in text:
                    self.answer(mailbox, text, f"[{game}] orders")

    def answer(self, mailbox: str, text: str, subject: str) -> None:
        """Whoever has a mail of the referee's answers it."""
        if mailbox not in self.secret:
            self.read_mails(mailbox)
        self.world.write(mailbox, self.secret.get(mailbox, REFEREE), text, subject)

    def unproven(self) -> None:
        """A player writes to the plain address, which proves nothing."""
        seat = self.table().seats[0]
        text = self.letter("g", seat)
        self.world.write(self.holder["g", seat], REFEREE, text, "[g] from my other computer")
        self.world.once()

    # --- the gamesmaster --------------------------------------------------------------------------

    def named(self) -> dict[str, object]:
        """What is put into the words of an act."""
        waiting = json.loads(self.world.ask("queue", "--json"))
        at = self.table()
        due = (at.period.due or self.world.calendar.now()) - timedelta(minutes=1)
        orders = self.letter("g", at.seats[1])
        file = self.world.folder / "orders.txt"
        file.write_text(orders)
        other = at.seats[1]
        others = self.letter("g", other, at.period.number - 1) if at.period.number > 1 else ""
        (self.world.folder / "earlier.txt").write_text(others)
        with self.read() as conn:
            last = conn.execute(
                select(OrderSet.letter_id)
                .where(OrderSet.game_id == "g", OrderSet.period == at.period.number - 1)
                .where(OrderSet.letter_id.is_not(None))
            ).scalars()
            taken = max(last, default=0)
            ruling = conn.execute(select(func.max(Ruling.id)).where(Ruling.game_id == "g")).scalar()
        return {
            "period": at.period.number,
            "after": at.period.number + 1,
            "before": at.period.number - 1,
            "h": self.table("h").period.number if "h" in self.begun() else 0,
            "far": max(1, at.period.number - 4),
            "due": f"{due:%Y-%m-%d}",
            "letter": max((one["id"] for one in waiting["letters"]), default=0),
            "asked": max((one.get("letter", 0) for one in waiting["waits"]), default=0),
            "mail": max((one["id"] for one in waiting["mails"]), default=0),
            "drop_line": f"DROP {taken}\n" if taken else "",
            "drop_option": f"--drop {taken} " if taken else "",
            "ruling": ruling or 0,
            "seat": at.seats[0],
            "holder": self.holder["g", at.seats[0]],
            "other": at.seats[1],
            "last_seat": at.seats[-1],
            "orders": orders,
            "earlier": others,
            "pause": self.pause,
            "until": f"{date.fromisoformat(self.pause) + timedelta(days=6)}" if self.pause else "",
            "file": file,
            "folder": self.world.folder,
        }

    def do(self, act: Act) -> None:
        """One act, as the run has it; what is not as it was to come goes into ``wrong``."""
        try:
            self._do(act)
        except AssertionError as error:
            self.wrong.append(f"{act.mail or act.shell}: {error}")
            self.said += ["!!! WRONG"]

    def _do(self, act: Act) -> None:
        if act.first:
            act.first(self)
        named = self.named()
        before = len(self.said)
        if self.by == "mail" and act.mail:
            self._write(act, act.mail.format(**named))
        elif act.shell:
            for line in act.shell.format(**named).split("\n"):
                self._shell(_split(line), act.stdin.format(**named), act.refused)
            self.world.once()
            self.confirm(GAMESMASTER)
        else:
            return
        for mailbox in act.agree:
            self.confirm(mailbox)
        self.read_mails(GAMESMASTER)
        said = "\n".join(s for s in self.said[before:] if s[0] in "<$(").split()
        heard = " ".join(
            word for word in said if word != "|"
        )  # a line that begins as an order does
        answer = act.answer.format(**named)
        assert answer in heard, f"{answer} is not in {heard}"

    def confirm(self, mailbox: str) -> None:
        """The codes that are in somebody's new mails come back."""
        for code in _CODE.findall("\n".join(self.read_mails(mailbox))):
            self.said.append(f">>> CONFIRM {code}")
            self.answer(mailbox, f"CONFIRM {code}", "Re: code")
            self.world.once()
            self.read_mails(mailbox)

    def _write(self, act: Act, text: str) -> None:
        """A letter of his, and the code that its answer asks for."""
        self.read_mails(act.sender)
        self.said.append(f">>> {text}")
        self.answer(act.sender, text, "commands")
        self.world.once()
        self.confirm(act.sender)

    def _shell(self, words: list[str], stdin: str = "", refused: bool = False) -> None:
        said = self.world.shell(*words, stdin=stdin, wrong=refused)
        self.said.append(f"$ pbem {' '.join(words)}\n{stdin}\n{said}")

    # --- the calendar -----------------------------------------------------------------------------

    def play_turn(self, acts: Collection[Act] = ()) -> None:
        """Everybody writes, the gamesmaster acts, and the deadline comes (in a formation: some
        days)."""
        assert "g" in self.begun(), "the game has ended before the year"
        self.turn += 1
        if "h" in self.begun() and self.table("h").period.status == PeriodState.REVIEW:
            self.do(RELEASE)
        self.orders()
        self.world.once()
        for act in acts:
            self.do(act)
        at, now = self.table(), self.world.calendar.now()
        self.wait(now, at.period.due or now + timedelta(days=4))

    def wait(self, now: datetime, until: datetime) -> None:
        """The days pass; at every deadline of either game, and once a day, there is a pass."""
        while now < until:
            dues = [self.table(game).period.due for game in self.begun()]
            moments = [until, now + timedelta(days=1), *(due for due in dues if due)]
            self.world.calendar.go_to(min(one for one in moments if one > now))
            self.world.once()
            now = self.world.calendar.now()

    def end(self) -> None:
        """All agree upon the end, and have their say on it."""
        seats, now = self.table().seats, self.world.calendar.now()
        self.wait(now, now + timedelta(hours=1))  # no letter of the second of the resumption
        for word, days in ((f"AGREE WIN {seats[0]}", 1), ("STATEMENT\nIt was a good year.", 8)):
            for seat in seats:
                mailbox = self.holder["g", seat]
                self.read_mails(mailbox)
                self.answer(mailbox, word, "[g] the end")
            self.world.once()
            for seat in seats:  # a ballot needs more than the secret address, and is asked about
                self.confirm(self.holder["g", seat])
            self.world.once()
            now = self.world.calendar.now()
            self.wait(now, now + timedelta(days=days))
        assert self.table().row.status == "over", "\n".join([*self.wrong, *self.said[-3:]])

    def leave(self, folder: Path) -> None:
        """What can be read of the year: its journal and bulletins, and what was said."""
        self.read_mails(GAMESMASTER)
        (folder / "gamesmaster.txt").write_text("\n\n".join(self.said))
        with self.read() as conn:
            entries = conn.execute(select(Journal.game_id, Journal.kind).order_by(Journal.n))
            self.entries = [(row.game_id, row.kind) for row in entries]
            letters = conn.execute(select(Letter.sender, Letter.outcome).order_by(Letter.id))
            self.letters = [(row.sender or "", row.outcome) for row in letters]
        for game in ("g", "h"):
            self.world.ask("export", game, str(folder / game))
            (folder / f"replay-{game}.txt").write_text(self.world.ask("replay", game))
        for mailbox in sorted({*self.holder.values(), *OTHERS} - {NOBODY}):
            mails = map(self.world.read, self.world.dovecot.messages(mailbox))
            (folder / f"{mailbox}.txt").write_text("\n\n".join(map(_shown, mails)))


def _shown(mail: EmailMessage) -> str:
    """A mail as it is read: its subject and its plain text."""
    body = mail.get_body(("plain",))
    return f"<<< {mail['Subject']}\n{body.get_content() if body else ''}"


def _split(line: str) -> list[str]:
    """The words of a command; those in quotes together."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]
