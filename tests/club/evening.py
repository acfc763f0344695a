"""The evening: its clock, its letters and what everybody reads."""

import re
import smtplib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from imapclient import IMAPClient
from sqlalchemy import Engine, select

from pbem.games.frame.dice import Dice, Stream
from pbem.periods import formation
from pbem.store.engine import database
from pbem.store.games import games
from pbem.store.games.game_rows import Holder
from pbem.store.people import deputies
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Letter
from tests.bots import nonsense
from tests.club.people import Person, Table
from tests.club.world import REFEREE, SECRET, World, world
from tests.servers import PATIENCE

STARTS = datetime(2027, 3, 5, 18, 0, tzinfo=UTC)
STEP = timedelta(minutes=3)
_CODE = re.compile(r"^[ >]*CONFIRM ([A-Za-z0-9-]{6,80})[ .]*$", re.MULTILINE)
_GAME = re.compile(r"^\[([a-z][a-z0-9-]+)\]")


@dataclass(frozen=True)
class Came:
    """A mail that somebody got: the minute of the evening, to whom, and what it says."""

    minute: int
    to: str
    mail: EmailMessage

    @cached_property
    def subject(self) -> str:
        return " ".join(str(self.mail["Subject"]).split())

    @cached_property
    def text(self) -> str:
        body = self.mail.get_body(("plain",))
        return str(body.get_content()).replace("\r\n", "\n") if body else ""

    @cached_property
    def tells_of_deputy(self) -> bool:
        """Whether it is about a deputy, whose address its player knows and has named."""
        return "DEPUTY" in self.text or "deputy" in self.text

    @cached_property
    def game(self) -> str:
        found = _GAME.match(self.subject)
        return found[1] if found else ""


class Mailboxes:
    """The inbox of each, read over one connection each, from the last mail on."""

    def __init__(self, world: World, addresses: Sequence[str]) -> None:
        self.world = world
        self.clients: dict[str, IMAPClient] = {}
        self.read = dict.fromkeys(addresses, 0)

    def __enter__(self) -> Self:
        for address in self.read:
            client = IMAPClient(
                "127.0.0.1", self.world.dovecot.imap_port, ssl=False, timeout=PATIENCE
            )
            client.login(address, SECRET)
            self.clients[address] = client
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for client in self.clients.values():
            client.logout()

    def stay(self, address: str) -> None:
        """The connection is kept: Dovecot ends one that nobody uses for half an hour."""
        self.clients[address].noop()

    def fresh(self, address: str) -> Iterator[EmailMessage]:
        """The mails that came since the last look, in their order."""
        client, last = self.clients[address], self.read[address]
        if client.select_folder("INBOX", readonly=True)[b"UIDNEXT"] <= last + 1:
            return
        new = [uid for uid in client.search(["UID", f"{last + 1}:*"]) if uid > last]
        found = client.fetch(new, ["BODY.PEEK[]"]) if new else {}
        for uid in sorted(found):
            self.read[address] = uid
            yield self.world.read(bytes(found[uid][b"BODY[]"]))


@dataclass
class Evening:
    """The club at play. ``came``: every mail that somebody got; ``secret``: the newest secret
    address that each has for a game; ``wrote``: the periods in which somebody has written orders;
    ``stood``: the tables that stood still, and when."""

    world: World
    people: Sequence[Person]
    tables: Sequence[Table]
    engine: Engine
    boxes: Mailboxes
    carrier: smtplib.SMTP
    came: list[Came] = field(default_factory=list)
    secret: dict[tuple[str, str], str] = field(default_factory=dict)
    wrote: set[tuple[str, str, int, int]] = field(default_factory=set)
    letters: int = 0
    chance: Stream = field(default_factory=lambda: Dice("club", "evening").stream("letters"))
    stood: list[str] = field(default_factory=list)

    @property
    def minute(self) -> int:
        return int((self.world.calendar.now() - STARTS).total_seconds() // 60)

    def step(self) -> None:
        """Some minutes pass: the referee does its work, and everybody reads and writes."""
        self.world.calendar.go_to(self.world.calendar.now() + STEP)
        self.world.once()
        for person in self.people:
            if person.is_away(self.minute):
                self.boxes.stay(person.address)
                continue
            for mail in self.boxes.fresh(person.address):
                self._reads(person, Came(self.minute, person.address, mail))
            self._writes_of_himself(person)
        self._play()
        self._watch_the_tables()

    def _watch_the_tables(self) -> None:
        """No game is held, and none has passed its deadline for longer than a step."""
        with database.shared_transaction(self.engine) as conn:
            for game_id in games.in_state(conn, GameState.RUNNING, GameState.HELD):
                at = games.game_at(conn, game_id)
                late = at.period.due and at.period.due < self.world.calendar.now() - 2 * STEP
                if late or at.row.status == GameState.HELD:
                    self.stood.append(f"{self.minute} min: {game_id} {at.row.held_because}")

    def _reads(self, person: Person, came: Came) -> None:
        self.came.append(came)
        answer_to = str(came.mail["Reply-To"] or REFEREE)
        if came.game and came.mail["Reply-To"] and "+yes." not in answer_to:  # not that of the door
            self.secret[person.address, came.game] = answer_to
        if person.heeds:
            for code in _CODE.findall(came.text):
                self.write(person, answer_to, f"CONFIRM {code}", f"Re: {came.subject}")

    def _writes_of_himself(self, person: Person) -> None:
        due = [
            minute
            for minute, text in person.letters.items()
            if minute <= self.minute and self._in_place(person, text)
        ]
        for minute in due:
            got = [str(one.mail["Message-ID"]) for one in self.came if one.to == person.address]
            text = person.letters[minute]
            of_game = text.split()[1] if text.startswith("GAME ") else ""
            to = self.secret.get((person.address, of_game), REFEREE)
            self.write(person, to, text, "hello", "".join(got[-1:]))
            person.said.append(text)
        person.letters = {m: text for m, text in person.letters.items() if m not in due}

    def _in_place(self, person: Person, text: str) -> bool:
        """Whether he has the seat that his letter is about, or any; how long a table takes to fill
        is no matter of minutes."""
        if not text.startswith(("GAME ", "STATUS")):
            return True
        seats = {game for address, game in self.secret if address == person.address}
        return text.split()[1] in seats if text.startswith("GAME ") else bool(seats)

    def _play(self) -> None:
        """Whoever is asked for orders writes them, from what his seat may see."""
        with database.shared_transaction(self.engine) as conn:
            running = games.in_state(conn, GameState.RUNNING)
        for game_id in running:
            with database.shared_transaction(self.engine) as conn:
                at = games.game_at(conn, game_id)
                state = formation.position(conn, at, self.world.calendar.now())
            bot = nonsense(at.row.ruleset)
            public, asked = at.ruleset.view(state, None), at.ruleset.asked(state)
            continuous = formation.is_continuous(at)
            for seat, holder in at.holders.items():
                person = self._plays(game_id, seat, holder)
                turn = (
                    game_id,
                    seat,
                    at.period.number,
                    self.minute if continuous else at.row.edition,
                )
                if person is None or turn in self.wrote or seat not in asked:
                    continue
                if person.is_away(self.minute):
                    continue
                self.wrote.add(turn)
                text = bot.letter(public, at.ruleset.view(state, seat), seat, self.chance)
                to = self.secret.get((person.address, game_id), REFEREE)
                self.write(person, to, f"{text}\nREADY\n", f"Re: [{game_id}] orders")

    def _plays(self, game_id: str, seat: str, holder: Holder) -> Person | None:
        """Who writes for a seat: its player, or his deputy while he is away."""
        player = self._who(holder.address)
        if player is None or not player.is_away(self.minute):
            return player
        with database.shared_transaction(self.engine) as conn:
            acting = deputies.acting(conn, game_id, self.world.calendar.now()).get(seat)
        return self._who(acting.address) if acting else player

    def _who(self, address: str) -> Person | None:
        return next((one for one in self.people if one.address == address), None)

    def person(self, address: str) -> Person:
        """Whose address that is."""
        return next(one for one in self.people if one.address == address)

    def write(self, person: Person, to: str, text: str, subject: str, answers: str = "") -> None:
        """A letter, handed to Postfix. answers: the Message-ID of a mail."""
        self.letters += 1
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = (
            f"{person.name} <{person.address}>",
            to,
            subject,
        )
        letter["Date"] = format_datetime(self.world.calendar.now())
        if answers:
            letter["In-Reply-To"] = answers
        letter["Message-ID"] = f"<{self.letters}.{person.name.lower()}@club.example>"
        letter.set_content(text)
        self.carrier.send_message(letter, person.address, [to])

    @property
    def over(self) -> bool:
        """Whether every table has become a game, and every game is over."""
        states = self.states()
        return all(states.get(one.game) == GameState.OVER for one in self.tables)

    def states(self) -> Mapping[str, GameState]:
        """The games there are, and how each stands."""
        with database.shared_transaction(self.engine) as conn:
            return {one: state for state in GameState for one in games.in_state(conn, state)}

    def letters_on_file(self) -> list[tuple[str, str, str]]:
        """Every letter that came: its sender, what became of it, and why."""
        with database.shared_transaction(self.engine) as conn:
            columns = (Letter.sender, Letter.outcome, Letter.reason)
            return [tuple(row) for row in conn.execute(select(*columns).order_by(Letter.id))]

    def leave(self, folder: Path) -> None:
        """Every mail that was read, and what became of every letter, to be looked at."""
        folder.mkdir(parents=True, exist_ok=True)
        said = ("  ".join(row) for row in self.letters_on_file())
        (folder / "letters.txt").write_text("\n".join(said))
        counts = defaultdict[str, int](int)
        for came in self.came:
            counts[came.to] += 1
            box = folder / came.to.partition("@")[0]
            box.mkdir(parents=True, exist_ok=True)
            said = f"{came.minute} min\n{came.subject}\n\n{came.text}"
            (box / f"{counts[came.to]:03}.txt").write_text(said)


@contextmanager
def evening(folder: Path, people: Sequence[Person], tables: Sequence[Table]) -> Iterator[Evening]:
    """The servers run, the club has come, and the gamesmaster has opened the tables: that is all he
    does."""
    addresses = [person.address for person in people]
    with world(folder, addresses, STARTS) as made:
        for table in tables:
            options = [f"--option={name}={value}" for name, value in table.options.items()]
            players = ["--players", str(table.places), "--start", "full", "--pace", "evening"]
            made.ask("open", table.key, table.game, *players, *options)
        engine = database.connect(f"sqlite:///{folder}/pbem.db")
        with (
            Mailboxes(made, addresses) as boxes,
            smtplib.SMTP("127.0.0.1", made.smtp_port, timeout=PATIENCE) as carrier,
        ):
            try:
                yield Evening(made, people, tables, engine, boxes, carrier)
            finally:
                engine.dispose()
