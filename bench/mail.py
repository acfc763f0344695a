"""Letters a second, from mailbox to receipt, as ratios to GNU Mailman 3 core and to a bare floor
measured in the same run.

    python -m bench.mail [--letters 500] [--rounds 3] [--plain] [--mailman /tmp/mailman/bin/mailman]

One process of ours takes letters from a real Dovecot, commits what it must, and sends the receipts
to a sink. The letters are pinned: the house bot of `coalition` writes them, for a hundred players
of twenty games, from one seed. What is measured and what was seen is in README.md beside this file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import smtplib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from imapclient import IMAPClient
from sqlalchemy import event, text

from bench.peers import Mailman, Sink, floor, mailman
from pbem.daemon import logs
from pbem.daemon.loop import Daemon
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.house import config, shelf
from pbem.periods import opening
from pbem.store.engine import database
from tests.nonsense import coalition as bot
from tests.servers import Dovecot, dovecot, free_ports

GAME, SEATS, GAMES = "coalition", ("A", "B", "C", "D", "E"), 20
DOMAIN, GAMESMASTER, PASSWORD = "game.example", "gm@game.example", "secret"
COMMAND = "help"  # the quickest of Mailman's mail commands that answer with more than an echo
PAUSE = 1.5  # seconds between two letters on an idle system


# --- the letters ----------------------------------------------------------------------------------


def letters(count: int, to: str, games: int = GAMES) -> list[tuple[str, bytes]]:
    """(sender, letter) for so many letters, the same in every run: the first period's orders,
    player after player."""
    ruleset = shelf.open_ruleset(GAME)
    state = ruleset.setup(SEATS, settle(ruleset.about.options, {}), {}, Dice("7", "g")).state
    public, chance = ruleset.view(state, None), Dice("bench", GAME).stream("letters")
    own = {seat: ruleset.view(state, seat) for seat in SEATS}
    players = [(game, seat) for game in range(games) for seat in SEATS]
    made = []
    for n in range(count):
        game, seat = players[n % len(players)]
        written = bot.letter(public, own[seat], seat, chance).split("\n")
        stays = [
            line for line in written if line != "RESIGN"
        ]  # that is answered by a second mail, with its code
        text = "\n".join([f'NAME "Party {n}"', *stays])
        made.append((address(game, seat), letter(n, address(game, seat), to, text)))
    return made


def letter(n: int, sender: str, to: str, text: str) -> bytes:
    """A letter as an ordinary mail program writes it."""
    head = (
        f"Return-Path: <{sender}>\nReceived: from out.legit.example (out.legit.example"
        f" [192.0.2.7])\n\tby mx.game.example with ESMTPS id {n:08x}; Mon, 02 Mar 2026 09:00:00"
        f" +0000\nMessage-ID: <{n}.orders@legit.example>\nDate: Mon, 02 Mar 2026 09:00:00"
        " +0000\nMIME-Version: 1.0\nUser-Agent: Mozilla Thunderbird\nFrom: A Player"
        f" <{sender}>\nTo: {to}\nSubject: orders {n}\nContent-Type: text/plain; charset=UTF-8;"
        " format=flowed\nContent-Transfer-Encoding: 7bit\n"
    )
    return f"{head}\n{text}\n\n-- \nA Player\n".replace("\n", "\r\n").encode()


def address(game: int, seat: str) -> str:
    return f"{seat.lower()}{game}@legit.example"


# --- our side -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """One installation of ours for one measurement: its mailbox, its folder, its servers;
    ``plain``: its mails have no HTML."""

    box: str
    folder: Path
    server: Dovecot
    sink: Sink
    plain: bool = False

    def config(self) -> config.Config:
        os.environ["PBEM_BENCH_PASSWORD"] = PASSWORD
        one = {"host": "127.0.0.1", "security": "none", "password_env": "PBEM_BENCH_PASSWORD"}
        return config.parse(
            {
                "referee": {
                    "address": self.box,
                    "gamesmaster": GAMESMASTER,
                    "database": f"sqlite:///{self.folder / 'pbem.db'}",
                },
                "imap": one | {"port": self.server.imap_port, "user": self.box},
                "smtp": one | {"port": self.sink.port},
                "limits": {"receipts_an_hour": 1_000_000, "letters_an_hour": 1_000_000},
            }
        )

    def set_up(self, games: int = GAMES) -> None:
        """A database with games that have begun, their first mails sent, the mailbox seen once."""
        engine = database.connect(self.config().referee.database)
        database.upgrade(engine)
        engine.dispose()
        now = datetime.now(UTC) - timedelta(minutes=1)
        daemon = Daemon(self.config())
        with daemon.installation.work(now) as work:
            for n in range(games):
                players = [(seat, address(n, seat), f"Player {seat}{n}") for seat in SEATS]
                opening.new(work, opening.Plan(f"g{n}", GAME, players, quiet_zone(now), seed="7"))
                opening.start(work, f"g{n}")
            if self.plain:
                work.conn.execute(text("UPDATE player SET face = 'plain'"))
        daemon.once(now)
        daemon.close()

    def fill(self, given: Sequence[tuple[str, bytes]]) -> None:
        """Letters into the mailbox, by IMAP APPEND."""
        with self.client() as client:
            client.socket().setsockopt(6, 1, 1)
            if not client.folder_exists("Processed"):
                client.create_folder("Processed")
            for _, raw in given:
                client.append("INBOX", raw)

    def client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.server.imap_port, ssl=False, timeout=30)
        client.login(self.box, PASSWORD)
        return client

    @contextmanager
    def serving(self) -> Iterator[None]:
        """The daemon at work in a process of its own, waiting in IDLE."""
        process = fork(lambda: Daemon(self.config()).run())
        time.sleep(2)
        try:
            yield
        finally:
            process.terminate()
            process.join(20)


def quiet_zone(now: datetime) -> str:
    """A zone where it is morning: no game looks then whether it may close, which changes the way of
    the receipts."""
    behind = now.hour - 10
    return f"Etc/GMT{behind if behind <= 12 else -11:+d}"  # these names count westwards


def fork(what: Callable[[], object]) -> multiprocessing.process.BaseProcess:
    process = multiprocessing.get_context("fork").Process(target=what)
    process.start()
    return process


def commits_a_letter(site: Site, given: Sequence[tuple[str, bytes]]) -> float:
    """Commits that write something, each of which costs an fsync; counted apart, since counting
    slows every statement."""
    site.set_up()
    site.fill(given)
    daemon = Daemon(site.config())
    counted, before = 0, 0

    def committed(connection: Any) -> None:
        nonlocal counted, before
        changes = connection.connection.dbapi_connection.total_changes
        counted, before = counted + (changes != before), changes

    event.listen(daemon.engine, "commit", committed)
    daemon.once(datetime.now(UTC))
    daemon.close()
    return counted / len(given)


# --- the measurements -----------------------------------------------------------------------------


def ours(site: Site, given: Sequence[tuple[str, bytes]]) -> float:
    """Seconds from the full mailbox to the last receipt: one pass of the daemon."""
    site.set_up()
    site.fill(given)
    before = site.sink.count()
    daemon = Daemon(site.config())
    begin = time.perf_counter()
    done = daemon.once(datetime.now(UTC))
    took = time.perf_counter() - begin
    daemon.close()
    assert done.letters == done.decided == done.sent == len(given), done
    site.sink.wait_for(before + len(given))
    return took


def bare(
    site: Site, given: Sequence[tuple[str, bytes]], commits_a_letter: float
) -> tuple[float, int]:
    """Seconds that the floor takes for the same, and how many commits it made."""
    site.fill(given)
    with site.client() as client:
        client.socket().setsockopt(6, 1, 1)
        client.normalise_times = False
        begin = time.perf_counter()
        made = floor(client, site.folder / "floor.db", site.sink.port, GAME, commits_a_letter)
        return time.perf_counter() - begin, made


def live(site: Site, given: Sequence[tuple[str, bytes]]) -> float:
    """Seconds from the first letter's delivery by LMTP, one after another, to the last receipt; the
    daemon idles before."""
    site.set_up()
    with site.serving():
        before = site.sink.count()
        begin = time.perf_counter()
        with smtplib.LMTP("127.0.0.1", site.server.lmtp_port) as lmtp:
            for sender, raw in given:
                lmtp.sendmail(sender, [site.box], raw)
        return site.sink.wait_for(before + len(given)) - begin


def one_letter(site: Site, given: Sequence[tuple[str, bytes]]) -> list[float]:
    """Seconds from each letter's delivery to its receipt, the system idle in between."""
    site.set_up()
    took = []
    with site.serving():
        for sender, raw in given:
            time.sleep(PAUSE)
            before = site.sink.count()
            begin = time.perf_counter()
            with smtplib.LMTP("127.0.0.1", site.server.lmtp_port) as lmtp:
                lmtp.sendmail(sender, [site.box], raw)
            took.append(site.sink.wait_for(before + 1) - begin)
    return took


def told(what: str, values: Sequence[float], target: str) -> None:
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{what:<58}{low:>7.2f}{middle:>8.2f}{high:>8.2f}   {target}", flush=True)


def round_of(
    n: int, count: int, server: Dovecot, sink: Sink, peer: Mailman | None, *, plain: bool
) -> dict[str, float]:
    """Every measurement once, close together in time."""
    rates: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
        sites = {}
        for what in ("count", "ours", "floor", "live"):
            folder = Path(name) / what
            folder.mkdir()
            sites[what] = Site(f"{what}{n}@{DOMAIN}", folder, server, sink, plain)
        a_letter = commits_a_letter(sites["count"], letters(count, sites["count"].box))
        rates["ours"] = count / ours(sites["ours"], letters(count, sites["ours"].box))
        took, commits = bare(sites["floor"], letters(count, sites["floor"].box), a_letter)
        rates["floor"] = count / took
        rates["live"] = count / live(sites["live"], letters(count, sites["live"].box))
        if peer:
            rates["mailman"] = count / peer.answer(COMMAND, n * count, count)
    shown = ", ".join(f"{what} {rate:.0f}/s" for what, rate in rates.items())
    print(
        f"round {n + 1}: {shown}; {a_letter:.2f} commits a letter, the floor's"
        f" {commits / count:.2f}",
        flush=True,
    )
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--letters", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="receipts without HTML")
    parser.add_argument(
        "--mailman",
        type=Path,
        default=Path("/tmp/mailman/bin/mailman"),
        help="its program: python3 -m venv /tmp/mailman && /tmp/mailman/bin/pip install mailman",
    )
    given = parser.parse_args()
    logs.configure(as_json=False)
    boxes = {
        f"{what}{n}@{DOMAIN}": PASSWORD
        for what in ("count", "ours", "floor", "live", "idle")
        for n in range(given.rounds)
    }
    sink = Sink()
    with dovecot(boxes) as server, tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
        if given.mailman.exists():
            with mailman(given.mailman, free_ports(1)[0], sink) as peer:
                peer.answer(COMMAND, 10_000_000, 20)
                rounds = [
                    round_of(n, given.letters, server, sink, peer, plain=given.plain)
                    for n in range(given.rounds)
                ]
        else:
            print(f"{given.mailman} is not there: no comparison with Mailman (see --help)")
            rounds = [
                round_of(n, given.letters, server, sink, None, plain=given.plain)
                for n in range(given.rounds)
            ]
        site = Site(f"idle0@{DOMAIN}", Path(name), server, sink, given.plain)
        idle = one_letter(site, letters(10, site.box))
    print(f"\n{'':<58}{'min':>7}{'median':>8}{'max':>8}   target")
    told(
        "floor / ours (how many times slower than the floor)",
        [one["floor"] / one["ours"] for one in rounds],
        "<= 1.8" if given.plain else "<= 2.2",
    )
    if given.mailman.exists():
        told(
            "ours / Mailman, mailbox filled before",
            [one["ours"] / one["mailman"] for one in rounds],
            ">= 3.5",
        )
        told(
            "ours / Mailman, live, letter by letter",
            [one["live"] / one["mailman"] for one in rounds],
            ">= 2.5",
        )
    told("one letter to its receipt on an idle system, seconds", idle, "< 1")
    sink.close()


if __name__ == "__main__":
    main()
