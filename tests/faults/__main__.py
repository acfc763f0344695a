"""The whole matrix: `python -m tests.faults --schedules 2000`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.faults.matrix import Matrix
from tests.needs import memory

_HERE: list[Matrix] = []


def _check(seed: int) -> list[str]:
    if not _HERE:
        _HERE.append(Matrix(Path(tempfile.mkdtemp(prefix="pbem-faults-", dir=memory()))))
    return _HERE[0].check(seed)


def run(seeds: Iterable[int], workers: int) -> list[str]:
    """Check these schedules; what went wrong, a line each."""
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        wrong: list[str] = []
        for n, lines in enumerate(pool.map(_check, seeds, chunksize=5), 1):
            wrong += lines
            for line in lines:
                print(line[:2_000], flush=True)
            if n % 100 == 0:
                print(f"{n} schedules, {len(wrong)} complaints", file=sys.stderr, flush=True)
        return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    began = time.monotonic()
    wrong = run(range(given.first, given.first + given.schedules), given.workers)
    failed = len({line.split(" (")[0] for line in wrong})
    print(
        f"{given.schedules - failed} of {given.schedules} schedules passed in"
        f" {time.monotonic() - began:.0f} s"
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
