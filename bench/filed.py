"""The processor time of a letter with so many games on file, IMAP and SMTP included.

    python -m bench.filed [--games 20 200] [--letters 200] [--rounds 3]

A real Dovecot holds the letters of `bench/mail.py`, a sink takes the receipts, and one pass of the
daemon answers them. Counted is the processor time of the daemon's process, and beside it that of
Dovecot. The daemon has answered a few letters before. What came of it stands in peers.md.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from os import sysconf
from pathlib import Path

from bench.mail import DOMAIN, PASSWORD, Site, letters
from bench.peers import Sink
from pbem.daemon import logs
from pbem.daemon.loop import Daemon
from tests.servers import Dovecot, dovecot

TICK = sysconf("SC_CLK_TCK")
WARM = 20
"""Letters answered before the clock runs."""


def of_dovecot(server: Dovecot) -> float:
    """Return the seconds of processor that Dovecot's processes have used, ended ones included."""
    owner = f"{server.folder / 'dovecot.conf'}".encode()
    stats = {int(one.name): one for one in Path("/proc").iterdir() if one.name.isdecimal()}
    masters = [pid for pid, place in stats.items() if owner in read(place / "cmdline")]
    return sum(used(stats[pid]) for pid in family(stats, masters)) / TICK


def family(stats: dict[int, Path], masters: list[int]) -> Iterator[int]:
    """Yield these processes and their children."""
    for pid, place in stats.items():
        fields = read(place / "stat").rpartition(b")")[2].split()
        if pid in masters or (fields and int(fields[1]) in masters):
            yield pid


def used(place: Path) -> int:
    """Return a process's ticks: its own, and those of its children that have ended."""
    fields = read(place / "stat").rpartition(b")")[2].split()
    return sum(map(int, fields[11:15]))


def read(file: Path) -> bytes:
    """Return a file of /proc; nothing if its process has ended."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def measured(site: Site, games: int, count: int) -> tuple[float, float]:
    """Return the milliseconds of a letter: ours, Dovecot's."""
    site.set_up(games)
    given = letters(WARM + count, site.box, games)
    daemon = Daemon(site.config())
    site.fill(given[:WARM])
    daemon.once(datetime.now(UTC))
    site.fill(given[WARM:])
    before, ours = of_dovecot(site.server), time.process_time()
    done = daemon.once(datetime.now(UTC))
    ours, theirs = time.process_time() - ours, of_dovecot(site.server) - before
    daemon.close()
    assert done.letters == done.decided == done.sent == count, done
    return ours / count * 1000, theirs / count * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, nargs="+", default=[20, 200])
    parser.add_argument("--letters", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    logs.configure(as_json=False)
    boxes = {
        f"g{games}n{n}@{DOMAIN}": PASSWORD for games in given.games for n in range(given.rounds)
    }
    found: dict[int, list[tuple[float, float]]] = {games: [] for games in given.games}
    sink = Sink()
    with dovecot(boxes) as server, tempfile.TemporaryDirectory(prefix="pbem-bench-") as name:
        for n in range(given.rounds):
            for games, rounds in found.items():
                folder = Path(name) / f"g{games}n{n}"
                folder.mkdir()
                site = Site(f"g{games}n{n}@{DOMAIN}", folder, server, sink)
                rounds.append(measured(site, games, given.letters))
    sink.close()
    middle = {
        games: [statistics.median(one) for one in zip(*rounds, strict=True)]
        for games, rounds in found.items()
    }
    for games, (ours, theirs) in middle.items():
        print(f"{games} games on file: {ours:.1f} ms a letter, and Dovecot {theirs:.1f} ms")
    first, last = given.games[0], given.games[-1]
    print(f"a letter with {last} games / with {first}: {middle[last][0] / middle[first][0]:.2f}")


if __name__ == "__main__":
    main()
