"""What happens in the year: the players' letters, the gamesmaster's acts, and the calendar."""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.store import database, games
from pbem.store.games import Table
from tests.year.world import GAMESMASTER, REFEREE, World

SEATS = ("Com", "Soc", "Rad", "Ctr", "Con", "Mon", "Nat")
OTHERS = ("sub@legit.example", "new@legit.example", "heir@legit.example")
_CODE = re.compile(r"^\s+CONFIRM ([a-z0-9]+)\s*$", re.MULTILINE)


def address(seat: str) -> str:
    return f"{seat.lower()}@legit.example"


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the gamesmaster in a turn of the year: the lines of his letter, and the words of
    the same in the shell (``stdin``: what the command reads). ``{period}``, ``{due}``,
    ``{letter}`` and ``{mail}`` are put in: the open period, the day of its deadline, the newest
    letter and mail of the queue. ``refused``: that is what is to come of it."""

    turn: int
    mail: str
    shell: str
    stdin: str = ""
    refused: bool = False


@dataclass(slots=True)
class Year:
    """The game ``g`` in a world, led ``by`` mail or shell; ``said``: all that the gamesmaster wrote
    and was answered."""

    world: World
    by: str
    said: list[str] = field(default_factory=list)
    holder: dict[str, str] = field(default_factory=lambda: {s: address(s) for s in SEATS})
    secret: dict[str, str] = field(default_factory=dict)
    turn: int = 0

    def table(self) -> Table:
        engine = database.connect(f"sqlite:///{self.world.folder}/pbem.db")
        try:
            with database.reading(engine) as conn:
                return games.table(conn, "g")
        finally:
            engine.dispose()

    def begin(self) -> None:
        words = [f"--player={seat}={address(seat)},{seat} Person" for seat in SEATS]
        words += ["--standby=sub@legit.example,Sub Person", "--trust=token"]
        self.said.append(
            self.world.shell(
                "new", "parlement-1968", "g", *words, "--option=caretaker_after_days=21"
            )
        )
        self.said.append(self.world.shell("start", "g"))
        self.world.once()

    # --- players ----------------------------------------------------------------------------------

    def _read(self, mailbox: str) -> None:
        """The secret address in a mailbox's newest mail is the one that is answered."""
        for mail in self.world.new_mails(mailbox):
            if reply_to := mail["Reply-To"]:
                self.secret[mailbox] = str(reply_to)
            if mailbox == GAMESMASTER:
                self.said.append(f"<<< {mail['Subject']}\n{mail.get_content()}")

    def orders(self) -> None:
        """A letter of every player's, as the house bot writes it."""
        at = self.table()
        bot = importlib.import_module(f"{GAMES[at.ruleset.about.key]}.bot")
        for seat in at.seats:
            mailbox = self.holder[seat]
            self._read(mailbox)
            public, own = at.ruleset.view(at.state, None), at.ruleset.view(at.state, seat)
            chance = Dice("5", "g").stream(f"{seat}{self.turn}")
            text = bot.letter(public, own, seat, chance)
            if "RESIGN" not in text and mailbox in self.secret:
                self.world.write(mailbox, self.secret[mailbox], text, "[g] orders")

    def unproven(self, seat: str, text: str) -> None:
        """A letter to the plain address, which proves nothing."""
        self.world.write(self.holder[seat], REFEREE, text, "[g] orders")

    # --- the gamesmaster --------------------------------------------------------------------------

    def do(self, act: Act) -> None:
        waiting = json.loads(self.world.shell("queue", "--json"))
        at = self.table()
        named = {
            "period": at.period.number,
            "due": f"{at.period.due:%Y-%m-%d}" if at.period.due else "",
            "letter": max((one["id"] for one in waiting["letters"]), default=0),
            "mail": max((one["id"] for one in waiting["mails"]), default=0),
            "before": at.period.number - 1,
        }
        if self.by == "mail":
            self._write(act.mail.format(**named))
        else:
            self._type(act.shell.format(**named), act.stdin.format(**named), act.refused)

    def _write(self, text: str) -> None:
        """A letter of his, and the code that its answer asks for."""
        self._read(GAMESMASTER)
        self.said.append(f">>> {text}")
        self.world.write(GAMESMASTER, self.secret[GAMESMASTER], text, "[g] commands")
        self.world.once()
        before = len(self.said)
        self._read(GAMESMASTER)
        for code in [code for said in self.said[before:] for code in _CODE.findall(said)]:
            self.said.append(f">>> CONFIRM {code}")
            self.world.write(GAMESMASTER, self.secret[GAMESMASTER], f"CONFIRM {code}", "Re: code")
            self.world.once()
            self._read(GAMESMASTER)

    def _type(self, words: str, stdin: str, refused: bool) -> None:
        for line in words.split("\n"):
            said = self.world.shell(*_split(line), stdin=stdin, wrong=refused)
            self.said.append(f"$ pbem {line}\n{stdin}\n{said}")
        self.world.once()
        self._read(GAMESMASTER)

    # --- the calendar -----------------------------------------------------------------------------

    def play_turn(self, acts: tuple[Act, ...]) -> bool:
        """Everybody writes, the gamesmaster acts, and the deadline comes (in a formation: some
        days); False when the game is over."""
        self.turn += 1
        self.orders()
        self.world.once()
        for act in acts:
            if act.turn == self.turn:
                self.do(act)
        at = self.table()
        if at.game.status == "over":
            return False
        if at.period.due is None:
            self.world.calendar.go_to(self.world.calendar.now() + timedelta(days=4))
            self.world.once()
            return True
        for moment in (at.period.due - timedelta(hours=60), at.period.due):
            self.world.calendar.go_to(moment + timedelta(minutes=1))
            self.world.once()
        return True

    def leave(self, folder: Path) -> None:
        """What can be read of the year: its journal and bulletins, and what was said."""
        self._read(GAMESMASTER)
        self.world.shell("export", "g", str(folder / "game"))
        (folder / "gamesmaster.txt").write_text("\n\n".join(self.said))
        (folder / "replay.txt").write_text(self.world.shell("replay", "g"))


def _split(line: str) -> list[str]:
    """The words of a command; those in quotes together."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]
