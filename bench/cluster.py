"""Two daemons against one, on one PostgreSQL: games due at one minute, adjudicated and mailed.

    python -m bench.cluster [--games 100] [--daemons 2] [--rounds 3]

The sides take turns, each on a copy of the same database. Besides the ratio it prints the bound
that this machine sets: what all daemons, the database and the mail server take of the processors,
over as many of those as there are. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from sqlalchemy import create_engine, func, make_url, select, text, update

from bench.peers import Sink
from pbem.daemon.loop import Daemon
from pbem.house import config
from pbem.periods import opening
from pbem.store.engine import database, jobs
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.schema.tables import Outgoing, Period
from tests.installation import SEATS, Installation, address
from tests.postgresql import Postgresql, postgresql

FORK = get_context("fork")
TICKS = os.sysconf("SC_CLK_TCK")
LATER = timedelta(days=3)


class Run(NamedTuple):
    """What one side took: seconds from the due minute to the last mail, and of processor time; how
    many mails came more than were to be sent."""

    wall: float
    processor: float
    twice: int


class Site(Installation):
    """Games with players of their own; the work is shared; mails go to the sink."""

    sink: Sink

    def config(self) -> config.Config:
        found = super().config()
        daemon = found.daemon.model_copy(update={"share_work": True, "poll_seconds": 1})
        smtp = found.smtp.model_copy(update={"port": self.sink.port})
        return found.model_copy(update={"daemon": daemon, "smtp": smtp})

    def enter(self) -> None:
        engine = database.connect(self.url)
        jobs.upgrade(engine)
        engine.dispose()
        super().enter()

    def fill(self, games: int) -> None:
        now = datetime.now(UTC)
        for n in range(games):
            players = [(seat, address(f"{seat}{n}"), f"{seat} of {n}") for seat in SEATS]
            how = ("Europe/Paris", "none", "until_adjudicated", "auto")
            plan = opening.Plan(f"g{n}", self.key, players, *how, {}, {}, {}, "7")
            with self.daemon.installation.work(now) as work:
                opening.new(work, plan)
                opening.start(work, f"g{n}")
        self.daemon.once(now)


def processor(pids: Iterator[int]) -> float:
    """Seconds of processor time that processes have had."""
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def servers(port: int, sink: Sink) -> Iterator[int]:
    """The processes of the database server, and the sink."""
    yield sink._process.pid or 0
    for found in Path("/proc").glob("[0-9]*/cmdline"):
        words = found.read_bytes()
        if words.startswith(b"postgres:") or f"port={port}".encode() in words:
            yield int(found.parent.name)


def until(what: Callable[[], Any]) -> None:
    while not what():
        time.sleep(0.02)


def run(site: Site, games: int, daemons: int) -> Run:
    """So many daemons serve; then all games are due at once."""

    def serve() -> None:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        Daemon(site.config()).run()

    site.daemon.engine.dispose()
    processes = [FORK.Process(target=serve) for _ in range(daemons)]
    for process in processes:
        process.start()
    engine = database.connect(site.url)
    port = make_url(site.url).port or 0

    def all_pids() -> Iterator[int]:
        yield from (process.pid or 0 for process in processes)
        yield from servers(port, site.sink)

    def serving() -> bool:
        asked = (
            "SELECT count(DISTINCT pid) FROM pg_stat_activity WHERE application_name = 'pbem-jobs'"
        )
        with engine.connect() as conn:
            return int(conn.execute(text(asked)).scalar_one()) >= daemons

    def over() -> bool:
        with reading(engine) as conn:
            number = select(func.count()).where(Period.closed.is_not(None), Period.number == 1)
            waits = select(func.count()).where(Outgoing.state != "sent")
            return bool(
                conn.execute(number).scalar_one() == games and not conn.execute(waits).scalar_one()
            )

    def sent() -> int:
        with reading(engine) as conn:
            return int(conn.execute(select(func.count(Outgoing.id))).scalar_one())

    until(serving)
    time.sleep(3.0)  # they have looked around
    mails, came = sent(), site.sink.count()
    with exclusive_transaction(engine) as conn:
        now = datetime.now(UTC)
        conn.execute(update(Period).where(Period.number == 1).values(due=now, next_look=now))
    began, before = time.monotonic(), processor(all_pids())
    until(over)
    took = time.monotonic() - began, processor(all_pids()) - before
    done = Run(*took, site.sink.count() - came - (sent() - mails))
    engine.dispose()
    for process in processes:
        process.kill()
        process.join()
    return done


@contextmanager
def copied(server: Postgresql, whole: str, folder: Path, sink: Sink) -> Iterator[Site]:
    """An installation on a copy of the database."""
    url = make_url(server.database())
    admin = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as conn:
        conn.execute(text(f'DROP DATABASE "{url.database}"'))
        conn.execute(text(f'CREATE DATABASE "{url.database}" TEMPLATE "{whole}"'))
    admin.dispose()
    site = Site(folder, "coalition", seats=SEATS, url=url.render_as_string(False))
    site.sink = sink
    with site:
        yield site


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--daemons", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    sink = Sink()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    with tempfile.TemporaryDirectory() as name, postgresql() as server:
        site = Site(Path(name), "coalition", seats=SEATS, url=server.database())
        site.sink = sink
        with site:
            site.fill(given.games)
            site.daemon.engine.dispose()
        whole = make_url(site.url).database or ""
        runs: dict[int, list[Run]] = {1: [], given.daemons: []}
        for _ in range(given.rounds):
            for daemons, found in runs.items():
                with copied(server, whole, Path(name), sink) as copy:
                    found.append(run(copy, given.games, daemons))
    tell(runs, given.games)
    sink.close()


def tell(runs: Mapping[int, list[Run]], games: int) -> None:
    cores = len(os.sched_getaffinity(0))
    for daemons, found in runs.items():
        for what in ("wall", "processor"):
            values = sorted(getattr(one, what) for one in found)
            middle = statistics.median(values)
            print(
                f"{daemons} daemons, {games} games, {what:9}: {values[0]:.1f} / {middle:.1f} /"
                f" {values[-1]:.1f} s"
            )
        print(f"{daemons} daemons, mails that came twice: {sum(one.twice for one in found)}")
    one, many = runs[1], runs[max(runs)]
    ratios = sorted(a.wall / b.wall for a, b in zip(one, many, strict=True))
    bounds = sorted(min(max(runs), cores * one_.wall / one_.processor) for one_ in one)
    print(f"one / {max(runs)}: {' / '.join(f'{ratio:.2f}' for ratio in ratios)}")
    print(f"bound by processor time of one on {cores} cores: {statistics.median(bounds):.2f}")


if __name__ == "__main__":
    main()
