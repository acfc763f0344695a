"""An installation to test: a post office, the daemon on a clock of ours, players who write letters.

with Installation(tmp_path, "parlement-1966") as at:
    at.start()
    at.send("S", "VOTE YES ON 4")      # by SMTP, read by one pass of the daemon
    at.mails("S")[-1]                  # the newest mail in S's mailbox
"""

import itertools
import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Dialect, select

from pbem.daemon.loop import Daemon
from pbem.daemon.passes import Pass
from pbem.house import config, shelf
from pbem.periods import opening
from pbem.post.postmark import postmark
from pbem.post.smtp import Transport
from pbem.post.work import Work, no_crash
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.games import games, order_sets
from pbem.store.schema.tables import Journal, Letter, Outgoing
from tests.keeping import KeptOffice, State, keeping, once, private
from tests.parsed import parsed
from tests.postgresql import migrate
from tests.vouching import vouched

P = ParamSpec("P")
R = TypeVar("R")
DOMAIN = "legit.example"
REFEREE = "referee@game.example"
GAMESMASTER = "gm@game.example"
PASSWORD = "secret"
SEATS = ("A", "B", "C", "D", "E")
SLATE = (
    "PM A, DEF B, FIN C, FOR D, AGR A, EC B, ENV C, FF D, HW E, INF A, JUS B, ME C, SI D, SEC E, TE"
    " A, TRA B"
)
"""A cabinet of Coalition, as a motion names it."""
_SECRET = re.compile(r"referee\+[a-z2-7]{26}@")
BEGINNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def address(seat: str) -> str:
    return f"{seat.lower()}@{DOMAIN}"


class Installation:
    """One referee with one game (more can be made) and a mailbox for each seat."""

    def __init__(
        self,
        folder: Path,
        key: str,
        *,
        options: Mapping[str, Any] | None = None,
        scenario: Mapping[str, Any] | None = None,
        house: Mapping[str, Any] | None = None,
        trust: str = "open",
        late: str = "until_adjudicated",
        publish: str = "auto",
        seats: tuple[str, ...] | None = None,
        limits: Mapping[str, Any] | None = None,
        strangers: tuple[str, ...] = (),
        url: str = "",
        seed: str = "7",
        pace: str = "",
        site: Mapping[str, str] | None = None,
        club: Mapping[str, str] | None = None,
        office: Any = None,
        names: tuple[str, ...] = (),
    ) -> None:
        self.folder, self.key, self.seed = folder, key, seed
        self.seats = seats or shelf.open_ruleset(key).about.seats[0]
        self.names = names or tuple(f"Player {seat}" for seat in self.seats)
        self.options, self.scenario, self.house = options or {}, scenario or {}, house or {}
        self.trust, self.late, self.publish, self.pace = trust, late, publish, pace
        self.limits, self.site, self.club = limits or {}, site or {}, club or {}
        self.file = None if url else folder / "pbem.db"
        self.url = url or f"sqlite:///{self.file}"
        self.boxes = (REFEREE, GAMESMASTER, *(address(seat) for seat in self.seats), *strangers)
        self.office = office or KeptOffice(dict.fromkeys(self.boxes, PASSWORD))
        self.clock, self.ids = BEGINNING, itertools.count(1)
        self.game = "g"
        self.changed = False

    def __enter__(self) -> Self:
        os.environ["PBEM_TEST_PASSWORD"] = PASSWORD
        self.office.__enter__()
        if self.file:
            private(self.file, migrated())
        else:
            migrate(self.url)
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
        self.office.__exit__(None, None, None)

    def enter(self) -> None:
        """The daemon and the players come to the post office."""
        self.office.now = lambda: self.clock
        self.daemon = self.new_daemon()
        self.carrier = Transport(self.config().smtp)

    def leave(self) -> None:
        """They leave it."""
        self.carrier.close()
        self.daemon.close()

    def config(self) -> config.Config:
        server: dict[str, Any] = {
            "host": "127.0.0.1",
            "security": "none",
            "password_env": "PBEM_TEST_PASSWORD",
        }
        return config.parse(
            {
                "referee": {
                    "address": REFEREE,
                    "gamesmaster": GAMESMASTER,
                    "zone": "Europe/Paris",
                    "database": self.url,
                    "authserv_id": "mx.game.example",
                    "trust": "open",
                },
                # an office that is not open yet has no ports
                "imap": server | {"port": self.office.imap_port or 1, "user": REFEREE},
                "smtp": server | {"port": self.office.smtp_port or 1},
                "limits": dict(self.limits),
                "site": dict(self.site),
                "club": dict(self.club),
            }
        )

    def new_daemon(self, crash: Callable[[str], None] = no_crash) -> Daemon:
        daemon = Daemon(self.config(), crash)
        daemon.server = lambda _: self.clock
        if self.file:  # a statement is compiled once, not once in each installation
            daemon.engine.dialect = _DIALECT.setdefault("sqlite", daemon.engine.dialect)
            daemon.engine.update_execution_options(compiled_cache=_COMPILED)
        return daemon

    def start(self, game: str = "g") -> None:
        """Make and start the game, and send its first mails."""

        def begin() -> None:
            self._open(game)
            self.once()

        given = self.trust, self.late, self.publish, self.options, self.scenario, self.house
        self.step(
            (
                "start",
                game,
                self.key,
                self.seats,
                self.names,
                self.seed,
                self.pace,
                *map(repr, given),
            ),
            begin,
        )

    def step(self, what: Hashable, do: Callable[[], None]) -> None:
        """Do it, or copy what came of it if this run has done it before, to the very same state.
        ``what`` is all that it depends on besides what is on file and in the mailboxes."""
        before = self._state()
        if not before:
            do()
            return
        done: list[Hashable] = []

        def make() -> State | None:
            done.append(what)
            do()
            return self._state()

        made = once((what, self.boxes, self._configured(), before.mark), make)
        if made and not done:
            self._put(made)

    def _configured(self) -> str:
        """The daemon's configuration, but for where this installation is."""
        told = self.daemon.config.model_dump()
        for server in (told["imap"], told["smtp"]):
            server.pop("port")
        told["referee"].pop("database")
        return repr(told)

    def _state(self) -> State | None:
        """All that there is; None where that cannot be copied, or is not to be."""
        if not (self.file and keeping() and isinstance(self.office, KeptOffice)):
            return None
        if self.daemon.crash is not no_crash or self.changed:
            return None
        number = next(self.ids)
        self.ids = itertools.count(number)
        return State(self._settled(), self.office.mailboxes(), self.clock, number)

    def _put(self, state: State) -> None:
        """Have a state instead of our own."""
        assert self.file
        for reader in self.daemon.readers:
            reader.mailbox.close()
        self._settled()
        self.file.write_bytes(state.database)
        self.office.take_over(state.mailboxes)
        self.clock, self.ids = state.clock, itertools.count(state.next_id)

    def _settled(self) -> bytes:
        """The database's file, with nothing beside it."""
        assert self.file
        self.daemon.engine.dispose()
        return self.file.read_bytes()

    def _open(self, game: str) -> None:
        players = [
            (seat, address(seat), name) for seat, name in zip(self.seats, self.names, strict=False)
        ]
        plan = opening.Plan(
            game,
            self.key,
            players,
            "Europe/Paris",
            self.trust,
            self.late,
            self.publish,
            self.options,
            self.scenario,
            self.house,
            self.seed,
            pace=self.pace,
        )
        with self.daemon.installation.work(self.clock) as work:
            opening.new(work, plan)
            opening.start(work, game)

    def once(self, minutes: int = 1) -> Pass:
        """One pass of the daemon; the clock goes on by some minutes afterwards."""
        done = self.daemon.once(self.clock)
        self.clock += timedelta(minutes=minutes)
        return done

    def later(self, **span: float) -> Pass:
        """The clock goes on, and one pass is made then."""
        self.clock += timedelta(**span)
        return self.once()

    def work(self, conn: Connection) -> Work:
        """What a transaction of the gamesmaster's works with, on our clock."""
        return Work(conn, self.daemon.installation.mark, self.daemon.config, self.clock)

    def act(self, act: Callable[Concatenate[Work, P], R], *given: P.args, **named: P.kwargs) -> R:
        """What an act of the gamesmaster's comes to, in a transaction of its own."""
        with self.daemon.installation.work(self.clock) as work:
            return act(work, *given, **named)

    def change_site(self, **changes: Any) -> None:
        """The daemon goes on with another engine, postmark or configuration."""
        self.changed = True
        self.daemon.installation = self.daemon.referee.installation = replace(
            self.daemon.installation, **changes
        )

    def letter(self, sender: str, text: str, **headers: str) -> bytes:
        if sender == GAMESMASTER:
            headers.setdefault("Authentication_Results", vouched(GAMESMASTER))
        message = EmailMessage()
        message["From"] = sender if "@" in sender else address(sender)
        message["To"] = headers.pop("To", REFEREE)
        message["Subject"] = headers.pop("Subject", "orders")
        message["Message-ID"] = headers.pop("Message_ID", f"<{next(self.ids)}@{DOMAIN}>")
        message["Date"] = headers.pop("Date", format_datetime(self.clock))
        for name, value in filter(lambda one: one[1], headers.items()):
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message.as_bytes()

    def post(self, raw: bytes) -> None:
        """A letter's bytes to the referee, by SMTP."""
        sender = str(message_from_bytes(raw)["From"] or "nobody@nowhere.example")
        answer = self.carrier.send(
            sender.rsplit("<", maxsplit=1)[-1].strip("<> ") if "@" in sender else "", REFEREE, raw
        )
        assert answer.outcome.name == "SENT", answer

    def write(self, sender: str, text: str, **headers: str) -> bytes:
        raw = self.letter(sender, text, **headers)
        self.post(raw)
        return raw

    def send(self, sender: str, text: str, **headers: str) -> Pass:
        """Write a letter, and let one pass read it."""
        self.write(sender, text, **headers)
        return self.once()

    def send_each(self, senders: Iterable[str], text: str) -> Pass:
        """Each of them writes the same, and one pass reads it all."""
        for sender in senders:
            self.write(sender, text)
        return self.once()

    def codes(self, who: str) -> list[str]:
        """The codes that somebody was mailed, oldest first."""
        return re.findall(r"(?m)^ +CONFIRM (\S+)", "\n".join(map(text_of, self.mails(who))))

    def mails(self, who: str) -> list[EmailMessage]:
        """Everything in a mailbox, in the order in which it was made."""
        raws = self.office.messages(who if "@" in who else address(who))
        found = [parsed(raw) for raw in raws]
        with reading(self.daemon.engine) as conn:
            to = Outgoing.recipient == (who if "@" in who else address(who))
            made = dict(conn.execute(select(Outgoing.message_id, Outgoing.id).where(to)).all())  # type: ignore[arg-type]
        return sorted(found, key=lambda mail: made.get(str(mail["Message-ID"]), 0))  # type: ignore[arg-type]

    def newest(self, who: str) -> str:
        """The text of the newest mail."""
        return text_of(self.mails(who)[-1])

    def table(self) -> games.GameAt:
        with exclusive_transaction(self.daemon.engine) as conn:
            return games.game_at(conn, self.game)

    def view(self, seat: str | None = None) -> Any:
        at = self.table()
        return at.ruleset.view(at.state, seat)

    def standing(self, seat: str) -> list[str]:
        with exclusive_transaction(self.daemon.engine) as conn:
            at = games.game_at(conn, self.game)
            return [str(order) for order in order_sets.standing(conn, at, seat).values()]

    def to_deadline(self) -> Pass:
        """Advance to the deadline and make a pass."""
        due = self.table().period.due
        assert due is not None, "this period has no deadline"
        self.clock = max(self.clock, due)
        return self.once()

    def outcomes(self) -> list[tuple[str, str]]:
        """(outcome, reason) of every letter, oldest first."""
        with exclusive_transaction(self.daemon.engine) as conn:
            rows = conn.execute(select(Letter.outcome, Letter.reason).order_by(Letter.id))
            return [(row.outcome, row.reason) for row in rows]

    def journal(self, game: str = "g") -> list[str]:
        """The kinds of all entries of a game's journal."""
        with exclusive_transaction(self.daemon.engine) as conn:
            rows = select(Journal.kind).where(Journal.game_id == game).order_by(Journal.n)
            return list(conn.execute(rows).scalars())

    def outbox(self) -> list[tuple[str, str]]:
        """(key, state) of every mail of ours."""
        with exclusive_transaction(self.daemon.engine) as conn:
            rows = conn.execute(select(Outgoing.key, Outgoing.state).order_by(Outgoing.id))
            return [(r.key, r.state) for r in rows]


_DIALECT: dict[str, Dialect] = {}
_COMPILED: dict[Any, Any] = {}


@cache
def migrated() -> bytes:
    """Return a migrated SQLite database with an installation's key; it is made once in a run."""
    return once("migrated", _migrated)


def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        made = Installation(Path(folder), "coalition")
        engine = database.connect(made.url)
        database.upgrade(engine)
        with exclusive_transaction(engine) as conn:
            postmark(conn, made.config())
        engine.dispose()
        assert made.file
        return made.file.read_bytes()


@contextmanager
def desk(at: Installation) -> Iterator[Work]:
    """What the gamesmaster's acts work with."""
    with at.daemon.installation.work(at.clock) as work:
        yield work


S = TypeVar("S", bound=config.Server)


def absent(server: S) -> S:
    """A server that does not answer, in the place of this one."""
    return server.model_copy(update={"port": 1})


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    text = str(body.get_content()).replace("\r\n", "\n")
    assert '{"is": ' not in text, "a sheet that nobody has set"
    return text


def flat(text: str) -> str:
    return " ".join(text.split())


def told(at: Installation, who: str) -> str:
    """The text of somebody's newest mail, on one line."""
    return flat(at.newest(who))


def proven(at: Installation, seat: str, text: str, **headers: str) -> bytes:
    """A letter of a seat's that its own provider vouches for."""
    return at.write(seat, text, Authentication_Results=vouched(seat), **headers)


def secretly(at: Installation, seat: str, text: str, **headers: str) -> bytes:
    """Send a proven letter to the seat's secret address."""
    found = [str(one["Reply-To"]) for one in at.mails(seat)]
    return proven(at, seat, text, To=list(filter(_SECRET.match, found))[-1], **headers)


def surely(at: Installation, seat: str, text: str, **headers: str) -> bytes:
    """Send a letter to the secret address, and the code if one is asked for."""
    raw = secretly(at, seat, text, **headers)
    at.once(minutes=0)
    newest = at.mails(seat)[-1]
    if "Is this letter yours?" in str(newest["Subject"]):
        at.write(seat, re.findall(r"CONFIRM \S+", text_of(newest))[0])
        at.once(minutes=0)
    return raw
