"""The daemon killed from outside, again and again, beside real servers.

    python -m bench.kills [--kills 100] [--database sqlite postgresql] [--daemons 2]

A real Dovecot holds the referee's mailbox, an SMTP sink in a process of its own notes each mail
that it has taken. `pbem serve` runs as whoever installs it would run it: one process on SQLite,
several on PostgreSQL that share their work. Players' letters come by LMTP all the while, the
gamesmaster closes periods at the shell; at random moments a daemon is killed (SIGKILL) and another
is started in its place. Then nothing more happens until all is done. Nothing of the inside is used:
the mailbox, the sink and the command line say what became of each letter. The end's code is 1 where
one has no receipt, or two; where a bulletin is missing, or came as two mails; or where more mails
came twice than daemons were killed, each of whom may leave one in doubt. A letter at which daemons
ended four times is set aside, and a mail whose second try was killed too goes out again only when
somebody says so: the queue names both, and the gamesmaster does what it says; how often is told.
"""

from __future__ import annotations

import argparse
import asyncio
import email
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from multiprocessing import get_context
from pathlib import Path

from tests.postgresql import postgresql
from tests.servers import Dovecot, dovecot

REFEREE, GAMESMASTER, PASSWORD = "referee@game.example", "gm@game.example", "secret"
SEATS, GAMES = "ABCDE", ("north", "south", "east", "west")
SPECIALS = ("AGR", "ENV", "JUS", "TRA", "FOR", "EC")
TRIED = 60.0  # seconds: whose second try is still going on is in doubt no longer than this
QUIET = 900.0  # seconds: a mail that was in a killed one's hands is in doubt after ten minutes
CONFIG = """[referee]
address = "{referee}"
gamesmaster = "{gamesmaster}"
zone = "Europe/Paris"
database = "{url}"
[imap]
host = "127.0.0.1"
port = {imap}
user = "{referee}"
security = "none"
password_env = "PBEM_BENCH_PASSWORD"
[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
[daemon]
poll_seconds = 2
share_work = {share}
[limits]
letters_an_hour = 1000000
receipts_an_hour = 1000000
"""


# --- the sink -------------------------------------------------------------------------------------


class Sink:
    """An SMTP server that notes each mail in a file before it says that it has it: to whom, its
    Message-ID, what it answers, its subject, and when (time.monotonic) it came."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.touch()
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(listening.getsockname()[1])
        self._process = get_context("fork").Process(target=self._serve, args=(listening,))
        self._process.start()
        listening.close()

    def close(self) -> None:
        self._process.kill()
        self._process.join()

    def taken(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def _serve(self, listening: socket.socket) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

        async def main() -> None:
            server = await asyncio.start_server(self._dialogue, sock=listening, limit=1 << 26)
            await server.serve_forever()

        asyncio.run(main())

    async def _dialogue(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to = ""
        writer.write(b"220 sink\r\n")
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while line := await reader.readline():
                word = line[:4].upper()
                if word == b"RCPT":
                    to = line.decode().partition("<")[2].partition(">")[0]
                elif word == b"DATA":
                    writer.write(b"354 go on\r\n")
                    self._note(to, await reader.readuntil(b"\r\n.\r\n"))
                writer.write(b"250-sink\r\n250 8BITMIME\r\n" if word == b"EHLO" else b"250 ok\r\n")
                if word == b"QUIT":
                    break
        writer.close()

    def _note(self, to: str, raw: bytes) -> None:
        head = email.message_from_bytes(raw.partition(b"\r\n\r\n")[0])
        names = {"ident": "Message-ID", "answers": "In-Reply-To", "subject": "Subject"}
        said = {key: " ".join(str(head[name] or "").split()) for key, name in names.items()}
        said |= {"to": to, "at": f"{time.monotonic():.3f}"}
        with self.file.open("a") as file:
            file.write(json.dumps(said) + "\n")


# --- the installation -----------------------------------------------------------------------------


class Site:
    """The command line, and the daemons that serve."""

    def __init__(self, folder: Path, config: str) -> None:
        self.folder, self.config = folder, folder / "config.toml"
        self.config.write_text(config)
        self.serving: list[subprocess.Popen[bytes]] = []
        self.started = 0

    def pbem(self, *words: str) -> str:
        """A command; what it says. One that the database refuses is given again."""
        command = [sys.executable, "-m", "pbem", *words, "--config", str(self.config)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"pbem {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def serve(self) -> None:
        """One daemon more; it is at work when this returns."""
        self.started += 1
        log = self.folder / f"serve-{self.started}.log"
        command = [sys.executable, "-m", "pbem", "serve", "--config", str(self.config)]
        with log.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out)
        until = time.monotonic() + 120
        while b"serving" not in log.read_bytes():
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"it does not serve: {log.read_text()}")
            time.sleep(0.02)
        self.serving.append(process)

    def kill(self, chance: random.Random) -> None:
        """One of them, from one moment to the next."""
        process = self.serving.pop(chance.randrange(len(self.serving)))
        if process.poll() is not None:
            raise RuntimeError(f"a daemon has ended by itself: {process.returncode}")
        process.kill()
        process.wait()

    def end(self) -> None:
        for process in self.serving:
            process.terminate()
        for process in self.serving:
            process.wait()


def player(game: str, seat: str) -> str:
    return f"{seat.lower()}.{game}@club.example"


class Bench:
    """One run on one database."""

    def __init__(self, site: Site, server: Dovecot, sink: Sink, seed: int) -> None:
        self.site, self.server, self.sink = site, server, sink
        self.chance = random.Random(seed)
        self.sent: dict[str, str] = {}
        self.closed = Counter[str]()
        self.kills = 0
        self.doubtful: dict[int, float] = {}
        self.again: set[int] = set()
        self.retried: set[int] = set()

    def open(self) -> None:
        self.site.pbem("db", "upgrade")
        for game in GAMES:
            seats = (("--player", f"{s}={player(game, s)},{s} of {game}") for s in SEATS)
            players = (word for pair in seats for word in pair)
            self.site.pbem("new", "coalition", game, "--trust", "open", *players)
            self.site.pbem("start", game)

    def write(self) -> None:
        """A letter of somebody's, by LMTP."""
        game, seat = self.chance.choice(GAMES), self.chance.choice(SEATS)
        ident = f"<letter-{len(self.sent) + 1}@club.example>"
        letter = EmailMessage()
        letter["From"], letter["To"] = player(game, seat), REFEREE
        letter["Subject"], letter["Message-ID"] = "orders", ident
        letter["Date"] = format_datetime(datetime.now(UTC))
        letter.set_content(f"SPECIAL {self.chance.choice(SPECIALS)}\n")
        self.server.hand_in(REFEREE, letter.as_bytes())
        self.sent[ident] = player(game, seat)

    def close(self) -> None:
        """The gamesmaster closes a period."""
        game = self.chance.choice(GAMES)
        self.site.pbem("close", game)
        self.closed[game] += 1

    def storm(self, kills: int, daemons: int) -> None:
        """Letters, and kills."""
        for _ in range(daemons):
            self.site.serve()
        while self.kills < kills:
            for _ in range(self.chance.randint(2, 8)):
                self.write()
            if self.chance.random() < 0.25:
                self.close()
            time.sleep(self.chance.uniform(0.0, 2.5))
            self.site.kill(self.chance)
            self.kills += 1
            self.site.serve()
            if self.kills % 10 == 0:
                told = (
                    f"{self.kills} kills, {len(self.sent)} letters, {len(self.sink.taken())} mails"
                )
                print(told, file=sys.stderr, flush=True)

    def quiet(self) -> None:
        """Nothing more comes, until nothing is to be done."""
        until = time.monotonic() + QUIET
        while time.monotonic() < until:
            settled = self.settled()
            if settled and not self.missing() and not self.server.messages(REFEREE):
                return
            time.sleep(5.0)

    def settled(self) -> bool:
        """What the command line says of the outbox. Letters that were set aside are tried again,
        and mails that stay in doubt sent again, by hand, as it says."""
        queue, now = json.loads(self.site.pbem("queue", "--json")), time.monotonic()
        for mail in queue["mails"]:
            since = self.doubtful.setdefault(mail["id"], now)
            if now - since > TRIED and mail["id"] not in self.again:
                self.again.add(mail["id"])
                self.site.pbem("resend", str(mail["id"]))
        for letter in queue["letters"]:
            if letter["outcome"] == "failed" and letter["id"] not in self.retried:
                self.retried.add(letter["id"])
                self.site.pbem("retry", str(letter["id"]))
        return not queue["outbox"]

    # What became of it.

    def receipts(self) -> dict[str, set[str]]:
        """The mails that answer a letter, by that letter."""
        found: dict[str, set[str]] = defaultdict(set)
        for mail in self.sink.taken():
            if self.sent.get(mail["answers"]) == mail["to"]:
                found[mail["answers"]].add(mail["ident"])
        return found

    def bulletins(self) -> dict[tuple[str, str], set[str]]:
        """By whom they went to and their subject. The first is in the welcome ("you are A")."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for mail in self.sink.taken():
            subject, _, said = mail["subject"].partition(":")
            if said.startswith(" you are "):
                subject = f"{subject.partition(']')[0]}] Bulletin 0"
            if "] Bulletin " in subject and mail["to"] != GAMESMASTER:
                found[mail["to"], subject].add(mail["ident"])
        return found

    def missing(self) -> list[str]:
        """Letters without a receipt, and bulletins that did not come."""
        receipts, bulletins = self.receipts(), self.bulletins()
        lost = [f"letter {ident} has no receipt" for ident in self.sent if ident not in receipts]
        for game in GAMES:
            for seat in SEATS:
                for number in range(self.closed[game] + 1):
                    who, subject = player(game, seat), f"[{game}] Bulletin {number}"
                    if (who, subject) not in bulletins:
                        lost.append(f"{who} has no {subject}")
        return lost

    def doubled(self) -> list[str]:
        """Letters with two receipts, bulletins that came as two mails."""
        return [
            f"{key}: {sorted(idents)}"
            for found in (self.receipts(), self.bulletins())
            for key, idents in found.items()
            if len(idents) > 1
        ]

    def tell(self, name: str) -> bool:
        """Whether all is well."""
        taken = Counter((mail["to"], mail["ident"]) for mail in self.sink.taken())
        twice = sum(count - 1 for count in taken.values())
        lost, doubled = self.missing(), self.doubled()
        inbox = len(self.server.messages(REFEREE))
        processed = len(self.server.messages(REFEREE, "Processed"))
        print(
            f"{name}: {self.kills} kills, {len(self.sent)} letters, {self.closed.total()} periods"
            f" closed, {len(taken)} mails\n  lost: {len(lost)}; doubled: {len(doubled)}; mails in"
            f" doubt that came twice: {twice}; by hand {len(self.again)} sent again, letters tried"
            f" again {len(self.retried)}; letters left in the inbox: {inbox}, moved: {processed}"
        )
        most = 3 if self.again else 2
        often = (f"{key} came {n} times" for key, n in taken.items() if n > most)
        faults = [*lost, *doubled, *often]
        for game in GAMES:
            if not self.site.pbem("replay", game).strip():
                faults.append(f"replay of {game} says nothing")
        for line in faults:
            print(f"  {line}")
        return not faults and twice <= self.kills and not inbox and processed >= len(self.sent)


@contextmanager
def bench(database: str, daemons: int, seed: int) -> Iterator[Bench]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-kills-")))
        server = stack.enter_context(dovecot({REFEREE: PASSWORD}))
        sink = Sink(folder / "taken.jsonl")
        stack.callback(sink.close)
        url = f"sqlite:///{folder / 'pbem.db'}"
        if database == "postgresql":
            url = stack.enter_context(postgresql()).database()
        given = {"referee": REFEREE, "gamesmaster": GAMESMASTER, "url": url, "smtp": sink.port}
        share = str(database == "postgresql" and daemons > 1).lower()
        site = Site(folder, CONFIG.format(**given, imap=server.imap_port, share=share))
        stack.callback(site.end)
        made = Bench(site, server, sink, seed)
        made.open()
        yield made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--database", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--daemons", type=int, default=2, help="on PostgreSQL")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ["PBEM_BENCH_PASSWORD"] = PASSWORD
    well = True
    for database in given.database:
        daemons = given.daemons if database == "postgresql" else 1
        with bench(database, daemons, given.seed) as one:
            one.storm(given.kills, daemons)
            one.quiet()
            well &= one.tell(f"{database}, {daemons} daemons")
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
