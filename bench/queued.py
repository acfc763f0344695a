"""What the gamesmaster's queue costs with many games.

    python bench/queued.py [--games 10000] [--rounds 3]

The processor time of `pbem queue`, and of `pbem queue --json`, with so many running games beside
the same with a hundred, in turns. At most 2 s for the first is what we want. README.md beside this
file has the figures.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench.tick import copies
from pbem.house import config
from pbem.house.config import Config
from pbem.periods import opening
from pbem.post.postmark import postmark
from pbem.post.work import Work
from pbem.store.engine import database

FEW = 100
_CONFIG = """
[referee]
address = "referee@game.example"
gamesmaster = "gm@game.example"
database = "sqlite:///{file}"

[imap]
host = "127.0.0.1"
user = "referee"
password_env = "NONE"

[smtp]
host = "127.0.0.1"
password_env = "NONE"
"""


class Stored:
    """An installation without mail servers, with so many running games."""

    def __init__(self, folder: Path, games: int, key: str) -> None:
        folder.mkdir()
        self.file = folder / "config.toml"
        self.file.write_text(_CONFIG.format(file=folder / "pbem.db"))
        engine = database.connect(self.config().referee.database)
        database.upgrade(engine)
        with database.exclusive_transaction(engine) as conn:
            settings = self.config()
            work = Work(conn, postmark(conn, settings), settings, datetime.now(UTC))
            size = len(opening.shelf.open_ruleset(key).about.seats[0])
            players = [("", f"p{n}@legit.example", f"Player {n}") for n in range(size)]
            ours = ("Europe/Paris", "none", "deadline", "auto", {}, {}, {}, "7")
            opening.new(work, opening.Plan("g", key, players, *ours))
            opening.start(work, "g")
        engine.dispose()
        copies(self, games)

    def config(self) -> Config:
        return config.load(self.file)


def seconds(site: Stored, *words: str) -> float:
    """The processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pbem", *words, "--config", str(site.file)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ruleset", default="coalition")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sites = {n: Stored(Path(folder) / str(n), n, given.ruleset) for n in (FEW, given.games)}
        for words in (("queue",), ("queue", "--page", "3"), ("queue", "--json")):
            took: dict[int, list[float]] = {n: [] for n in sites}
            for _ in range(given.rounds):
                for n, site in sites.items():
                    took[n].append(seconds(site, *words))
            few, many = (statistics.median(took[n]) for n in sites)
            print(
                f"pbem {' '.join(words)}: {few:.2f} s with {FEW} games, {many:.2f} s with"
                f" {given.games}; ratio {many / few:.2f}"
            )


if __name__ == "__main__":
    main()
