"""Calm in a storm: how long a letter waits for its receipt while many games are due at one minute.

    python -m bench.calm [--games 1000] [--ruleset coalition] [--quiet 60] [--site] [--most 1800]

A real Dovecot, a sink that notes when each mail came, an installation on an SQLite file with the
games of `storm.py`, and a daemon that serves in a process of its own. Players of twenty other games
write, a letter a second, by LMTP: for a quiet minute, then while all that is due closes, then while
its bulletins go out. With ``--site`` the games are pages too. Told are the seconds from delivery
to receipt in each of the three. The end's code is 1 where a receipt came more than five seconds
beyond the worst of the quiet minute, or not at all. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import os
import signal
import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, func, select, text, update

from bench import kills, mail, storm
from pbem.daemon import logs
from pbem.daemon.loop import Daemon
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.journal import notes
from pbem.store.schema.states import MailState, PeriodState
from pbem.store.schema.tables import Outgoing, Period
from pbem.website import folder
from pbem.website.files import Folder
from tests.servers import dovecot

BEYOND = 5.0
"""Seconds beyond its usual time that a receipt may take."""
PATIENCE = 120.0
EVERY = 1.0  # seconds between two letters
FORK = get_context("fork")
BOX = f"calm@{mail.DOMAIN}"
DUE = (Period.game_id.like("b%"), Period.status == PeriodState.OPEN)


@dataclass
class Post:
    """Letters one a second, and when each was delivered."""

    site: mail.Site
    sink: kills.Sink
    letters: Iterator[tuple[str, bytes]]
    delivered: list[float] = field(default_factory=list)

    def write(self) -> None:
        """The next letter, when its second has come."""
        if self.delivered:
            time.sleep(max(0.0, self.delivered[-1] + EVERY - time.monotonic()))
        sender, raw = next(self.letters)
        with smtplib.LMTP("127.0.0.1", self.site.server.lmtp_port, timeout=30) as lmtp:
            lmtp.sendmail(sender, [BOX], raw)
        self.delivered.append(time.monotonic())

    def waited(self) -> dict[int, float]:
        """Seconds from the delivery of each letter to its receipt, where there is one."""
        found: dict[int, float] = {}
        for one in self.sink.taken():
            if one["answers"].endswith(".orders@legit.example>"):
                n = int(one["answers"].strip("<").partition(".")[0])
                found.setdefault(n, float(one["at"]) - self.delivered[n])
        return found

    def answered(self) -> None:
        """Wait for the receipts of all, or as long as it makes sense."""
        until = time.monotonic() + PATIENCE
        while len(self.waited()) < len(self.delivered) and time.monotonic() < until:
            time.sleep(0.5)


def fill(site: mail.Site, key: str, count: int, pages: str) -> None:
    """The games of the storm, due tomorrow as yet, and those whose players write; their pages, if
    there is to be a folder for them."""
    url = site.config().referee.database
    storm.fill(url, key, count)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    engine = database.connect(url)
    with exclusive_transaction(engine) as conn:
        conn.execute(update(Outgoing).values(state=MailState.SENT, sent=tomorrow))
        conn.execute(text("UPDATE address SET address = 'storm-' || address"))
        _move(conn, tomorrow)
    site.set_up()
    if pages:
        here = storm.site(url)
        with here.work(datetime.now(UTC)) as work:
            folder.write(work, Folder(Path(pages), ""))
            notes.written(work.conn, notes.all_stale(work.conn))
        here.engine.dispose()
    engine.dispose()


def _move(conn: Any, due: datetime) -> None:
    conn.execute(update(Period).where(*DUE).values(due=due, base=due, next_look=due))


@contextmanager
def serving(site: mail.Site, log: Path, pages: str) -> Iterator[None]:
    """The daemon at work; what it logs is in a file. ``pages``: the folder for those of the games;
    "" for none."""
    given = site.config()
    given = given.model_copy(update={"site": given.site.model_copy(update={"folder": pages})})

    def serve() -> None:
        with log.open("w") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        logs.configure(as_json=False)
        Daemon(given).run()

    process = FORK.Process(target=serve)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def left(engine: Engine, due: datetime) -> int:
    """So many games have not closed yet."""
    with reading(engine) as conn:
        waits = select(func.count()).where(Period.game_id.like("b%"), Period.due == due)
        still = (PeriodState.OPEN, PeriodState.CLOSING)
        return int(conn.execute(waits.where(Period.status.in_(still))).scalar_one())


def unsent(engine: Engine) -> int:
    """So many mails have not gone out yet."""
    with reading(engine) as conn:
        waits = select(func.count(Outgoing.id)).where(Outgoing.state != MailState.SENT)
        return int(conn.execute(waits).scalar_one())


def weather(post: Post, engine: Engine, quiet: int) -> dict[str, range]:
    """The quiet minute, the storm, the sending; which letters were delivered in each."""
    ends = []
    for _ in range(quiet):
        post.write()
    ends.append(len(post.delivered))
    with exclusive_transaction(engine) as conn:
        due = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=3)
        _move(conn, due)
    while left(engine, due):
        post.write()
    ends.append(len(post.delivered))
    print(f"the storm took {(datetime.now(UTC) - due).total_seconds():.0f} s", flush=True)
    while unsent(engine) > 1:  # a receipt may be on its way
        post.write()
    ends.append(len(post.delivered))
    post.answered()
    parts = zip(("quiet", "closing", "sending"), [0, *ends], ends, strict=False)
    return {name: range(first, last) for name, first, last in parts}


def tell(post: Post, parts: dict[str, range]) -> bool:
    """The figures; whether they are as they should be."""
    waited, worst = post.waited(), dict[str, float]()
    print(f"{'':10}{'letters':>9}{'answered':>9}{'median':>9}{'worst':>9}   seconds")
    for name, numbers in parts.items():
        found = [waited[n] for n in numbers if n in waited]
        worst[name] = max(found, default=0.0)
        middle = statistics.median(found) if found else 0.0
        figures = f"{len(numbers):>9}{len(found):>9}{middle:>9.2f}{worst[name]:>9.2f}"
        print(f"{name:10}{figures}", flush=True)
    beyond = max(worst.values()) - worst["quiet"]
    print(f"worst beyond the usual: {beyond:.2f} s, at most {BEYOND:g} are wanted")
    return len(waited) == len(post.delivered) and beyond <= BEYOND


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--ruleset", default="coalition")
    parser.add_argument("--quiet", type=int, default=60, help="letters before the storm")
    parser.add_argument("--site", action="store_true", help="the games are pages too")
    parser.add_argument("--most", type=int, default=1800, help="seconds after which it gives up")
    parser.add_argument("--keep", type=Path, help="a folder for the daemon's log and the sink's")
    given = parser.parse_args()
    signal.alarm(given.most)  # ends it, whoever hangs
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("it takes too long"))
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-calm-")))
        kept = given.keep or place
        server = stack.enter_context(dovecot({BOX: mail.PASSWORD}))
        sink = kills.Sink(kept / "taken.jsonl")
        stack.callback(sink.close)
        site = mail.Site(BOX, place, server, sink)
        pages = f"{place / 'pages'}" * given.site
        storm.apart(lambda: fill(site, given.ruleset, given.games, pages))
        engine = database.connect(site.config().referee.database)
        stack.callback(engine.dispose)
        stack.enter_context(serving(site, kept / "daemon.log", pages))
        time.sleep(3.0)  # it has looked around
        post = Post(site, sink, iter(mail.letters(given.most, BOX)))
        well = tell(post, weather(post, engine, given.quiet))
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
