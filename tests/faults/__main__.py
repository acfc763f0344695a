"""The whole matrix, all its families mixed: `python -m tests.faults --schedules 20000`.

Every seed is one schedule, of the family that its place in `SLOTS` says; a run that was broken off
goes on with `--first`, and one that is interrupted tells what it came to and with which seed to go
on. What came of each family is printed: how many schedules, what struck and
where, mails that were in doubt and those of them that came twice, and each complaint. A complaint
is a letter or a mail that was lost or doubled, an act that was done twice or not at all, or a game
that came out differently; then the end's code is 1.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.faults.acting import Acting
from tests.faults.joining import Joining
from tests.faults.matrix import Matrix, OfDeputies, OfRestores, OfRewinds, OnPostgresql
from tests.faults.offering import Offering
from tests.faults.several import OfSeveral
from tests.faults.tally import Tally, broken
from tests.needs import memory, missing
from tests.postgresql import Postgresql, postgresql

FAMILIES: dict[str, Callable[..., Any]] = {
    "game": Matrix,
    "deputies": OfDeputies,
    "joining": Joining,
    "offers": Offering,
    "rewinds": OfRewinds,
    "restores": OfRestores,
    "acts": Acting,
    "postgresql": OnPostgresql,
    "several": OfSeveral,
}
SHARES = {
    "acts": 6,
    "game": 4,
    "joining": 2,
    "rewinds": 2,
    "restores": 2,
    "deputies": 1,
    "offers": 1,
    "postgresql": 1,
    "several": 1,
}
"""Of twenty schedules so many are of each family."""
ON_POSTGRESQL = ("postgresql", "several")
SLOTS = [(name, n) for name, share in SHARES.items() for n in range(share)]
_HERE: dict[str, Any] = {}
_SERVER: list[Postgresql] = []
_FOLDER: list[Path] = []


def schedule(seed: int) -> tuple[str, int]:
    """Its family, and its number there: those of a family are numbered through."""
    name, n = SLOTS[seed % len(SLOTS)]
    return name, seed // len(SLOTS) * SHARES[name] + n


def _settle(folder: str) -> None:
    """A process that runs schedules has a folder of its own, and is not interrupted in one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _FOLDER.append(Path(tempfile.mkdtemp(dir=folder)))


def _run(given: tuple[str, int]) -> tuple[str, Tally]:
    name, number = given
    if name not in _HERE:
        folder = _FOLDER[0] / name
        server = [replace(one, made=os.getpid() * 100 + len(_HERE)) for one in _SERVER]
        _HERE[name] = FAMILIES[name](folder, *(server if name in ON_POSTGRESQL else ()))
    try:
        return name, _HERE[name].run(number)
    except Exception as error:  # no undisturbed run, say; the others go on
        return name, broken(f"{name} {number}", error)


def run(schedules: Sequence[tuple[str, int]], workers: int) -> tuple[dict[str, Tally], int]:
    """Check these schedules; what they came to, by family, and how many were run before somebody
    interrupted."""
    found, n = {name: Tally() for name in FAMILIES}, 0
    with (
        tempfile.TemporaryDirectory(prefix="pbem-faults-", dir=memory()) as folder,
        ProcessPoolExecutor(workers, get_context("fork"), _settle, (folder,)) as pool,
    ):
        try:
            for n, (name, tally) in enumerate(pool.map(_run, schedules, chunksize=5), 1):
                found[name].add(tally)
                for line in tally.wrong:
                    print(line[:2_000], flush=True)
                if n % 100 == 0:
                    wrong = sum(one.failed for one in found.values())
                    print(f"{n} schedules, {wrong} failed", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    return found, n


def tell(found: dict[str, Tally]) -> Tally:
    """What a run came to, a line a family; the sum."""
    whole = Tally()
    for name, tally in found.items():
        whole.add(tally)
        if tally.schedules:
            print(f"{name:10} {_line(tally)}")
    print(f"{'all':10} {_line(whole)}")
    for point, count in sorted(whole.points.items()):
        print(f"  {count:6} {point}")
    return whole


def _line(tally: Tally) -> str:
    struck = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.struck.items()))
    return (
        f"{tally.schedules} schedules, {tally.failed} failed, {tally.idle} undisturbed;"
        f" {tally.sent} mails, {tally.doubted} in doubt, {tally.twice} of these twice, {tally.again} again after a backup came back;"
        f" struck: {struck or 'nothing'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--family", choices=FAMILIES, nargs="+", default=list(FAMILIES))
    given = parser.parse_args()
    for one in (signal.SIGINT, signal.SIGTERM):  # which a shell has what is behind an & ignore
        signal.signal(one, signal.default_int_handler)
    began = time.monotonic()
    seeds = range(given.first, given.first + given.schedules)
    wanted = {seed: one for seed in seeds if (one := schedule(seed))[0] in given.family}
    with ExitStack() as stack:
        if missing("postgresql"):
            print("PostgreSQL is not installed: its schedules are left out")
            wanted = {seed: one for seed, one in wanted.items() if one[0] not in ON_POSTGRESQL}
        else:
            _SERVER.append(stack.enter_context(postgresql()))
        found, done = run(list(wanted.values()), given.workers)
    whole, left = tell(found), list(wanted)[done:]
    print(
        f"{whole.schedules - whole.failed} of {whole.schedules} schedules passed in"
        f" {time.monotonic() - began:.0f} s; seeds {seeds.start} to"
        f" {left[0] - 1 if left else seeds.stop - 1}"
    )
    if left:
        print(f"interrupted: go on with --first {left[0]}")
    sys.exit(1 if whole.failed or left else 0)


if __name__ == "__main__":
    main()
